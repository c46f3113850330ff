//! The vocabulary of tcpwhy: plain data that every crate of the workspace uses.
//!
//! - Time and sequence space: [`Timestamp`], [`Span`], [`SeqNum`], [`StreamOffset`].
//! - Data from sources: [`Segment`], [`Anomaly`] and non-TCP [`Traffic`] of captures; [`host`] for a host,
//!   [`live`] for repeated samples of its connections.
//! - Results of the analysis: [`Limit`], [`Cause`], [`LimitTimeline`], [`Finding`].
//! - [`foreign`] makes untrusted text visible; hidden characters become escapes.
//!
//! **Promises:** no I/O, no clock, no serialisation. Only [`TimelineBuilder`] can make a [`LimitTimeline`],
//! so the seconds per cause add up to the span.
//!
//! ```
//! use tcpwhy_model::{Cause, Limit, TimelineBuilder, Timestamp};
//!
//! let mut timeline = TimelineBuilder::new(Timestamp::ZERO);
//! timeline.push(Timestamp::from_nanos(3_000), Cause::plain(Limit::SlowStart), 0.9, None);
//! timeline.push(Timestamp::from_nanos(9_000), Cause::plain(Limit::ReceiveWindow), 0.9, None);
//! let timeline = timeline.finish();
//! assert_eq!(timeline.nanos_of(Limit::ReceiveWindow), 6_000);
//! assert_eq!(timeline.totals().iter().map(|total| total.nanos).sum::<i64>(), timeline.span().nanos());
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod anomaly;
mod byte_slots;
mod capture;
mod evidence_key;
mod family;
mod finding;
mod fix;
mod fix_line;
mod fix_place;
mod flip;
pub mod foreign;
pub mod host;
mod host_pattern;
mod limit;
mod limit_group;
mod line_code;
mod listed;
pub mod live;
mod message;
mod outcome_kind;
mod program;
mod quantity;
mod readiness;
mod reason;
mod record;
mod segment;
mod sequence;
mod socket_point;
mod time;
mod timeline;
mod traffic;
pub mod typed;

pub use anomaly::{Anomalies, Anomaly, AnomalyKind};
pub use byte_slots::ByteSlots;
pub use capture::{CaptureFormat, CaptureStatus, CaptureSummary};
pub use evidence_key::EvidenceKey;
pub use family::Family;
pub use finding::{Claim, Evidence, Finding, FitGrade, Method, PathTime, Prediction, Severity, Value};
pub use fix::Fix;
pub use fix_line::{FixLine, Remark};
pub use fix_place::FixPlace;
pub use flip::{Flip, Way};
pub use host_pattern::HostPattern;
pub use limit::{Cause, Decider, Detail, Limit, VerdictReason};
pub use limit_group::{ByGroup, LimitGroup};
pub use line_code::{CodePart, FixEnds, Hole, LineCode};
pub use message::{Explained, Message, MessageValue, NoMessage};
pub use outcome_kind::OutcomeKind;
pub use program::{Audience, Program};
pub use quantity::{Basis, ByteCount, Distribution, Estimate, Rate, Window, WindowField, WindowScale};
pub use readiness::{FixKind, Readiness};
pub use reason::{Measure, Reason, Why};
pub use record::Record;
pub use segment::{Ecn, Endpoint, IpHeader, SackBlocks, Segment, TcpFlags, TcpOptions, TcpTimestamps, Undelivered};
pub use sequence::{SeqNum, StreamOffset, Unwrapper};
pub use time::{Span, Timestamp};
pub use timeline::{Interval, LimitTimeline, LimitTotal, TimelineBuilder};
pub use traffic::{Crowd, Flow, Traffic, Transport};
