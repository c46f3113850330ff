//! Messages between a visitor and the host.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use tcpwhy_scenario::End;

/// The user under which a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShellUser {
    /// The user of the visitor, without capabilities.
    Own,
    /// Another user, with one group and without capabilities.
    Other {
        /// User.
        uid: u32,
        /// Group.
        gid: u32,
    },
    /// Root of the two namespaces, as in a container.
    Root,
}

/// The program that a visitor asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// The end at which it runs.
    pub end: End,
    /// The user under which it runs.
    pub user: ShellUser,
    /// The program and its arguments; empty: a shell.
    pub command: Vec<OsString>,
}

/// Message of a visitor. Its standard streams are attached if it has no terminal.
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
    /// The program runs. If the visitor has a terminal, the other side of the program's own is attached.
    Started,
    /// The program has ended with this status, as a shell reports it.
    Ended(u8),
    /// The program could not be started: a message.
    Refused(String),
}
