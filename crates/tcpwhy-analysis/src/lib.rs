//! From observations to conclusions.
//!
//! [`Analyzer`] folds segments into connections; each finished [`Connection`] carries, for every direction with data, a
//! partition of its time by limit, a verdict and findings.
//!
//! [`host`] judges what was observed of a host: its settings, counters and sockets.
//!
//! [`Tracer`] follows one connection packet by packet, for charts.
//!
//! **Invariant:** nothing here reads a clock, a file or a socket. The same segments always give the same result.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod analyzer;
mod connection;
mod crossing;
mod diagnosis;
mod facts;
mod flow;
pub mod host;
mod infer;
pub mod live;
mod outcome;
mod pairs;
mod server_name;
mod sketch;
mod thresholds;
mod together;
mod trace;

#[cfg(any(test, feature = "sensitivity"))]
#[doc(hidden)]
pub use thresholds::sensitivity;

pub use analyzer::{Analyzer, OpenConnection};
pub use crossing::{Crossing, DelayChange, FlowMarks, MarkRecorder, Way};
pub use diagnosis::{RULES, Rule};
pub use facts::half::policing::LossLine;
pub use flow::{FlowHash, FlowHasher};
pub use outcome::{
    Connection, Ending, HalfConnection, Meanwhile, Role, ServerName, Side, Vantage, VantageEstimate, Verdict,
};
pub use pairs::Pairs;
pub use server_name::ServerNames;
pub use together::Together;
pub use trace::{DirectionState, MAX_BLOCKS, PacketKind, PacketTrace, Tracer};
