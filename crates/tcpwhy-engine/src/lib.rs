//! From captures to finished connections, on any number of threads.
//!
//! [`Explain`] is the main entry point for programs: from a path or a reader to connections with verdicts,
//! limits, findings and predictions.
//!
//! ```
//! use tcpwhy_engine::{Explain, Limit};
//!
//! let explanation = Explain::path("../../samples/send-buffer.pcap.gz").run()?;
//! for connection in &explanation.connections {
//!     let Some(half) = connection.principal_half() else { continue };
//!     if let Some(cause) = half.verdict.cause {
//!         println!("{cause} for {:.2} s of {:.2} s", half.verdict.seconds, half.span.seconds());
//!     }
//! }
//! # let half = explanation.connections[0].principal_half().ok_or("no data")?;
//! # assert_eq!(half.verdict.cause.map(|cause| cause.limit), Some(Limit::SendBuffer));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The types that its users need are re-exported here. `tcpwhy-report` turns them into sentences and JSON,
//! and `tcpwhy-watch` returns the same types for connections of a running host.
//!
//! The lower level, for programs that present connections while captures are read:
//!
//! - [`run`] analyses the connections of a [`Source`].
//! - [`read`] reads its packets again, in order.
//! - [`NameListener`] collects the names that clients use for their servers.
//! - [`compare`] pairs the connections of two captures.
//! - [`recorded`] adds the kernel's samples of a recording (`tcpwhy record`) to the connections of its
//!   packets.
//!
//! A crew of threads reads batches and analyses them; each connection is analysed in one part, chosen by a
//! hash of the four-tuple. The thread that finished a connection presents it, one at a time. The caller's
//! thread reports progress; with one thread it does everything.
//!
//! **Promises:** the result has the same connections with the same numbers for any number of threads. Every
//! queue is bounded. [`Plan::stop`] ends the work within a batch of packets.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

pub mod compare;
mod crew;
mod dealer;
mod explain;
mod foresee;
mod numbering;
mod order;
mod plan;
mod progress;
mod read;
pub mod recorded;
mod run;
mod server_names;
mod source;
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
mod thread_error;

pub use explain::{Explain, ExplainError, Explanation, Reading};
pub use numbering::Numbering;
pub use plan::{Delivery, Plan, Seams};
pub use progress::Reached;
pub use read::read;
pub use run::{Outcome, run};
pub use server_names::NameListener;
pub use source::{Ending, Source};
pub use tcpwhy_analysis::{
    Connection, Exchange, Exchanges, Folds, HalfConnection, KernelView, Legs, Pairs, Problem, Problems, Role, Service,
    Services, Side, Verdict,
};
pub use tcpwhy_capture::{CaptureError, CaptureReader};
pub use tcpwhy_fit::{Change, EVENTS, Fit, Outlook, Unfit};
pub use tcpwhy_model::live::RecordingGaps;
pub use tcpwhy_model::{
    Anomaly, Basis, CaptureStatus, CaptureSummary, Cause, Claim, Decider, Detail, Distribution, Endpoint, Estimate,
    Evidence, Finding, Fix, Interval, Limit, LimitTimeline, LimitTotal, Prediction, Rate, Severity, Span, Timestamp,
    VerdictReason,
};

/// Checks that the examples in the library's documentation compile.
#[cfg(all(doctest, target_os = "linux"))]
mod pages {
    #[doc = include_str!("../../../docs/library.md")]
    mod english {}
    #[doc = include_str!("../../../docs/library.zh-CN.md")]
    mod chinese {}
}
