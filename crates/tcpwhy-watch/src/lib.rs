//! Connections of a running host, from samples of their sockets.
//!
//! [`LiveHost`] takes samples and kernel accounts, and returns [`LiveConnection`]s. They have the same
//! limits, verdicts and findings as connections of captures. [`held()`] is the one decision table for a
//! socket at one instant; the lab's truth uses it too.
//!
//! ```
//! use tcpwhy_model::host::{SocketMemory, TcpInfo};
//! use tcpwhy_watch::{Held, SenderState, SocketTraits, held};
//!
//! let (memory, info) = (SocketMemory::default(), TcpInfo::default()); let (is_in_send, awaits_peer_window) =
//! (None, false); let state = SenderState { outq: Some(0), unsent: Some(0), memory: &memory, info: &info,
//! is_in_send, awaits_peer_window, grows: false }; assert_eq!(held(&state, SocketTraits::default()),
//! Some(Held::Idle));
//! ```
//!
//! `examples/watch_socket.rs` samples one connection of this host by `tcpwhy-live` and prints its seconds per
//! limit. The caller gives the time of each sample.
//!
//! **Promises:** no clock is read; the same observations give the same connections. The seconds of all
//! limits of a connection add up to the time that it was watched. Time that no sample saw is `unobserved`,
//! or counted by the kernel's own clocks.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod alerts;
mod baseline;
mod bound;
mod comparison;
mod conclude;
mod connection;
mod direction;
mod findings;
mod history;
mod host;
mod hypotheses;
mod instant;
mod main_cause;
mod merge;
mod outcome;
mod overlap;
mod progress;
mod reported;
mod sender;
mod shares;
mod socket;
mod sums;
mod thresholds;
mod time_by_cause;
mod words;

pub use alerts::{ALERT_LEVELS, AlertLevels};
pub use comparison::{KernelWitness, OpenSockets};
pub use connection::{LiveConnection, Point};
// A test of the words needs each finding that live can make.
#[doc(hidden)]
pub use findings::explain;
pub use host::{EndedInterval, LiveHost};
pub use hypotheses::{Held, bounds_rate, held, held_by, under_bound};
pub use main_cause::{CauseTime, added_up, main_cause};
pub use outcome::{AcceptQueue, LiveOutcome};
pub use progress::Progress;
pub use sender::SenderState;
pub use shares::share_range;
pub use socket::{SocketTraits, is_reader_slow};
pub use sums::{End, Life, Loser, Losers, Repeated, Service, Sum, Tally, Transfer, Window, transfers};
pub use tcpwhy_model::live::{KernelSample, SocketKey};
pub use tcpwhy_model::{Cause, Limit, LimitTimeline, Timestamp};
pub use time_by_cause::TimeByCause;
