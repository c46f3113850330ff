//! Programs at the ends of a running link, for somebody who wants to try one there: a shell, or a command.
//!
//! ```text
//! tcpwhy lab shell NAME       opener: keeps the link, and hands visitors on
//! └─ cell (see crate::cell)
//!    └─ worker: two namespaces, the emulator, a host for each visitor
//!       └─ the visitor's program, at its end
//! tcpwhy lab shell NAME       visitor: another one of the same user and the same scenario
//! ```
//!
//! The opener is the first visitor. Visitors find it by an abstract Unix socket, which ends with the opener
//! and leaves no file. The
//! link ends with the opener, whatever ends that. A program ends with the visitor whose it is.

mod channel;
mod door;
mod host;
mod terminal;
mod visit;

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

pub use self::door::{Door, join};
pub use self::host::serve;
pub use self::visit::visit;

use crate::scenario::End;

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
struct Request {
    visit: Visit,
    terminal: Option<Terminal>,
}

/// The terminal of a visitor.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Terminal {
    /// `$TERM`
    name: String,
    size: Size,
}

/// Rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Size {
    rows: u16,
    columns: u16,
}

/// The answers to a visitor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reply {
    /// The program runs; where there is a terminal, the other side of its own comes along.
    Started,
    /// It has ended, with this status as a shell would say it.
    Ended(u8),
    /// It could not be started: a message.
    Refused(String),
}
