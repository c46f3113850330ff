//! Connections of a running host, from samples of their sockets.
//!
//! [`LiveHost`] folds what is observed into [`LiveConnection`]s, whose time is divided by limit as that of captures is, with the
//! same verdicts and findings. [`held`] is the one decision table of whoever looks at sockets.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod cause;
mod comparison;
mod conclude;
mod connection;
mod direction;
mod findings;
mod group;
mod held;
mod history;
mod host;
mod progress;
mod shares;

pub use cause::{held_by, is_reader_slow};
pub use comparison::{KernelWitness, OpenSockets};
pub use connection::{LiveConnection, Point};
pub use group::{ByGroup, LimitGroup};
pub use held::{Held, SenderState, SocketTraits, held};
pub use host::{EndedInterval, LiveHost};
pub use progress::{Progress, TimeByCause};
pub use shares::share_range;
