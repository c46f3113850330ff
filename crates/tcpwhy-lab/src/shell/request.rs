//! What a visitor and the door say to each other.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use tcpwhy_scenario::End;

/// Whose program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShellUser {
    /// Whoever asks, without capabilities.
    Own,
    /// Another user, with one group and without capabilities.
    Other {
        /// User.
        uid: u32,
        /// Group.
        gid: u32,
    },
    /// Root of the two namespaces, as a container has it.
    Root,
}

/// What a visitor wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// Where.
    pub end: End,
    /// As whom.
    pub user: ShellUser,
    /// The program and its arguments; empty: a shell.
    pub command: Vec<OsString>,
}

/// What a visitor says: its standard streams come along where it has no terminal.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) visit: Visit,
    pub(super) terminal: Option<Terminal>,
}

/// The terminal of a visitor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Terminal {
    /// `$TERM`
    pub(super) name: String,
    pub(super) size: Size,
}

/// Rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Size {
    pub(super) rows: u16,
    pub(super) columns: u16,
}

/// The answers to a visitor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reply {
    /// The program runs; where there is a terminal, the other side of its own comes along.
    Started,
    /// It has ended, with this status as a shell would say it.
    Ended(u8),
    /// It could not be started: a message.
    Refused(String),
}
