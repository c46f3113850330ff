//! Programs at the ends of a running link, for users who want to try one there: a shell or a command.
//!
//! ```text
//! tcpwhy lab shell NAME       opener: keeps the link, and hands visitors on
//! └─ cell (see crate::cell)
//!    └─ worker: two namespaces, the emulator, a host for each visitor
//!       └─ the visitor's program, at its end
//! tcpwhy lab shell NAME       visitor: another one of the same user and the same scenario
//! ```
//!
//! The opener is the first visitor. Later visitors find it by an abstract Unix socket, which ends with the
//! opener and leaves no file. The link ends whenever the opener ends, and each program ends with its visitor.

mod channel;
mod door;
mod host;
mod request;
mod terminal;
mod visit;

pub use self::door::{Door, join};
pub use self::host::serve;
pub use self::request::{ShellUser, Visit};
pub use self::visit::visit;
