//! Requests and their answers: the party that took the time of each, and the limits of the transfers.
//!
//! An exchange is a message of the requesting end and the message that answers it. Its time has four parts:
//! the request's transfer, the server's response time, the answer's transfer, and one round trip. The
//! response time runs from the last byte of the request at the server to the first byte of the answer. The
//! time between two exchanges is the client's.

mod awaited;
mod exchange;
mod known;
mod of_connection;
mod parts;
mod pattern;
mod split;
#[cfg(test)]
mod terms;

pub use exchange::{Exchange, Opening};
pub use known::Known;
pub(crate) use known::Shown;
pub(crate) use of_connection::MOST_TRACED;
pub use of_connection::{Exchanges, MOST_KEPT};
pub use parts::{Parts, Party};
pub use pattern::Pattern;
pub(crate) use pattern::Turns;
pub(crate) use split::{IsAt, Transfers, Ways};
