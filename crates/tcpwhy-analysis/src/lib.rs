//! From observations to conclusions.
//!
//! [`Analyzer`] folds segments into connections; each finished [`Connection`] carries, for every direction with data, a
//! partition of its time by limit, a verdict and findings.
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
mod infer;
mod kernel_view;
mod outcome;
mod pairs;
mod server_name;
mod side;
mod sketch;
mod thresholds;
mod together;
mod trace;

#[cfg(any(test, feature = "sensitivity"))]
#[doc(hidden)]
pub use thresholds::sensitivity;

/// How a timeline is weighed and what a change would bring, for who has a timeline from elsewhere than packets.
pub mod advise {
    pub use crate::diagnosis::prediction::{Capacity, Inputs, without};
    pub use crate::diagnosis::severity::{Weighed, of_verdict};
    pub use crate::diagnosis::verdict::{Lead, lead};
}

pub use analyzer::{Analyzer, OpenConnection};
pub use crossing::{Crossing, DelayChange, FlowMarks, MarkRecorder, Way};
pub use diagnosis::{RULES, Rule};
pub use facts::half::policing::LossLine;
pub use flow::{FlowHash, FlowHasher};
pub use kernel_view::{KernelClocks, KernelHalf, KernelSocket, KernelView};
pub use outcome::{
    Connection, Ending, HalfConnection, Meanwhile, Role, ServerName, Side, Vantage, VantageEstimate, Verdict,
};
pub use pairs::Pairs;
pub use server_name::ServerNames;
pub use sketch::Sketch;
pub use together::Together;
pub use trace::{DirectionState, MAX_BLOCKS, PacketKind, PacketTrace, Tracer};
