//! Requests and their answers: who took the time of each, and what limited the transfers.
//!
//! An exchange is a message of the end that asks and the message that answers it. Its time has four parts:
//! the request's transfer, the server's response time, the answer's transfer, and one round trip. The
//! response time runs from the last byte of the request at the server to the first byte of the answer.
//! Between two exchanges the time is the client's.

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
