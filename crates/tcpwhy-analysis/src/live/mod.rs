//! Connections of a running host, from samples of their sockets.
//!
//! [`LiveHost`] folds what is observed into [`LiveConnection`]s, whose time is divided by limit as that of captures is, with the
//! same verdicts and findings. [`held`] is the one decision table of whoever looks at sockets.

mod beside;
mod cause;
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

pub use beside::{KernelClocks, KernelHalf, KernelSocket, KernelView, KernelWitness, OpenSockets};
pub use cause::{held_by, is_reader_slow};
pub use connection::{LiveConnection, Point};
pub use group::{ByGroup, LimitGroup};
pub use held::{Held, Manner, SenderState, held};
pub use host::{EndedInterval, LiveHost};
pub use progress::{Progress, TimeByCause};
pub use shares::share_range;
