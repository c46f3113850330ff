//! The vocabulary of tcpwhy.
//!
//! Every crate of the workspace speaks in these types: time ([`Timestamp`], [`Span`]), sequence space ([`SeqNum`],
//! [`StreamOffset`]), what a source delivers ([`Segment`], [`Anomaly`]) and what the analysis concludes
//! ([`Limit`], [`LimitTimeline`], [`Finding`]). What a host says of itself is in [`host`], of its connections again and again
//! in [`live`], how text that others chose is shown in [`foreign`].
//!
//! **Invariant:** no I/O, no clock, no serialisation lives here, so the analysis that is built from these types is a pure
//! function of its observations.

mod anomaly;
mod family;
mod finding;
mod fix_line;
pub mod foreign;
pub mod host;
mod limit;
pub mod live;
mod message;
mod quantity;
mod reason;
mod segment;
mod sequence;
mod time;
mod timeline;
pub mod typed;

pub use anomaly::{Anomalies, Anomaly, AnomalyKind};
pub use family::Family;
pub use finding::{Evidence, Finding, Fix, FixPlace, Prediction, Severity, Value};
pub use fix_line::{FixLine, Remark};
pub use limit::{Cause, Decider, Detail, Limit};
pub use message::{Explained, Message, MessageValue, NoMessage};
pub use quantity::{Basis, ByteCount, Distribution, Estimate, Rate, Window, WindowField, WindowScale};
pub use reason::{Measure, Reason, Why};
pub use segment::{Ecn, Endpoint, IpHeader, SackBlocks, Segment, TcpFlags, TcpOptions, TcpTimestamps, Undelivered};
pub use sequence::{SeqNum, StreamOffset, Unwrapper};
pub use time::{Span, Timestamp};
pub use timeline::{Interval, LimitTimeline, LimitTotal, TimelineBuilder};
