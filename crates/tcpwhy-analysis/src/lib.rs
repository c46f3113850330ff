//! Analysis of segments, with results for each connection.
//!
//! [`Analyzer`] takes segments and returns a [`Connection`] for each connection. Every direction with data
//! has its time divided by limit, a verdict and findings. [`Tracer`] follows one connection packet by packet,
//! for charts.
//!
//! `facts/` records the observed facts, `infer/` decides the causes, `thresholds/` contains every threshold.
//! `connection/` follows a connection, `seen/` contains its records, and `diagnosis/` weighs the result.
//! `exchanges/` contains its requests. `problems/`, `services/` and `legs/` fold connections; [`answer`]
//! decides about the first lines.
//!
//! ```
//! use tcpwhy_analysis::Analyzer;
//!
//! let mut analyzer = Analyzer::new();
//! for segment in tcpwhy_testkit::Turns::default().run() {
//!     analyzer.observe(&segment);
//! }
//! let connections = analyzer.finish();
//! let half = &connections[0].halves[0];
//! let accounted: i64 = half.limits.totals().iter().map(|total| total.nanos).sum();
//! assert_eq!(accounted, half.span.nanos());
//! ```
//!
//! **Promises:** no clock, file or socket is read, and the same segments give the same result. Connections do
//! not influence each other, except in [`Together`], [`Folds`] and [`answer`]. Memory depends on the number
//! of connections, not of packets.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod analyzer;
pub mod answer;
mod beside_kernel;
mod capture_clock;
pub mod comparison;
mod connection;
mod conversation;
mod crossing;
mod diagnosis;
mod exchanges;
mod facts;
mod flow;
mod folds;
mod groups;
mod infer;
mod kernel_view;
mod kernel_word;
mod legs;
mod lowest;
mod outcome;
mod pairs;
mod problems;
mod ranking;
mod requests;
mod seen;
mod server_name;
mod services;
mod serving;
mod side;
mod sketch;
mod strays;
mod thresholds;
mod together;
mod trace;
mod transfer;

#[cfg(any(test, feature = "sensitivity"))]
#[doc(hidden)]
pub use thresholds::sensitivity;

#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use problems::testing;

/// Weight of a timeline and predicted gain of a change, for callers whose timeline does not come from
/// packets.
pub mod advise {
    pub use crate::diagnosis::prediction::{Capacity, Inputs, without};
    pub use crate::diagnosis::severity::{Weighed, of_verdict};
    pub use crate::diagnosis::verdict::{Lead, lead, lead_where};
    pub use crate::diagnosis::{explains, order_findings, severity_of};
    pub use crate::kernel_view::{chance, is_difference};
    pub use crate::outcome::is_failure;
}

pub use analyzer::{Analyzer, OpenConnection};
pub use beside_kernel::{KernelRecord, MergedHalf};
pub use capture_clock::CaptureClock;
pub use crossing::{
    Attempt, AttemptGroup, Attempts, BothHandshakes, Crossing, DelayChange, Fate, FlowMarks, LastPackets, MarkRecorder,
    SeenHandshake, SynOption, SynOptions, SynSeen, Unseen, Way,
};
pub use diagnosis::pair_facts::are_cut_alike;
pub use diagnosis::{RULES, Rule};
pub use exchanges::{Exchange, Exchanges, Known, MOST_KEPT, Opening, Parts, Party, Pattern};
pub use facts::half::policing::LossLine;
pub use flow::{FlowHash, FlowHasher};
pub use folds::Folds;
pub use groups::{Group, GroupBy, GroupKey, Groups};
pub use kernel_view::{KernelClocks, KernelHalf, KernelSocket, KernelView};
pub use kernel_word::{KernelDifference, KernelWord, KindShares, SocketKind};
pub use legs::{LegPlace, Legs, Relay};
pub use outcome::{
    Close, Connection, Ending, HalfConnection, Meanwhile, OpenWait, Role, ServerName, Side, Vantage, VantageEstimate,
    Verdict,
};
pub use pairs::Pairs;
pub use problems::{
    Carried, Failure, GoesWith, Kind, Outage, OutageKind, Problem, ProblemKey, Problems, Proof, Property, ReusedPorts,
    Slow, Target, Toward, Trouble, control_channels, is_gain, is_rest, is_saving_predicted, leading_finding,
    lost_nanos, principal_half,
};
pub use ranking::{largest_shares_first, longest_first};
pub use server_name::ServerNames;
pub use services::{Service, Services, SlowExchange};
pub use sketch::Sketch;
pub use together::Together;
pub use trace::{DirectionState, PacketKind, PacketTrace, Tracer};
pub use transfer::{LossFacts, Measured, PathFacts, TransferFacts, WrittenFacts};
