//! Rebuilds a TCP connection as simulated ones that behave alike, and predicts the effect of a change.
//!
//! [`Fit`] rebuilds one direction of a connection as worlds of `tcpwhy-sim`. Known properties come from the
//! packets; the others are drawn at random. Worlds that do not behave like the connection are dropped.
//! [`Fit::with`] runs the others with a change.
//!
//! **Promises:** no I/O, no clock, no thread: the same connection gives the same worlds and the same
//! predictions.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod buffers;
mod candidates;
mod change;
mod draw;
mod drawn;
mod fit;
mod free;
mod off;
mod outlook;
mod path_rate;
mod predict;
mod programs;
mod shown;
mod simulate;
mod unfit;
mod weighted;

pub use buffers::{Host, Setting};
pub use candidates::{Budget, Candidate, Candidates, settle};
pub use change::Change;
pub use fit::Fit;
pub use outlook::Outlook;
pub use predict::{EVENTS, fixes_of};
pub use unfit::Unfit;
