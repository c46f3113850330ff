//! One of the two captures.

use tcpwhy_analysis::comparison::{Brief, Totals};
use tcpwhy_analysis::{Connection, FlowMarks};
use tcpwhy_capture::CaptureError;
use tcpwhy_model::CaptureSummary;

/// A capture, read for what its connections are, and for which they are in the other one.
pub(super) struct Side {
    /// Those with data, in the order of their numbers.
    pub(super) briefs: Vec<Brief>,
    /// The same as a whole, as long as there are few.
    pub(super) connections: Option<Vec<Connection>>,
    pub(super) flows: Vec<FlowMarks>,
    /// What was read.
    pub(super) summaries: Vec<CaptureSummary>,
    /// The services and problems, of connections without data too.
    pub(super) totals: Totals,
    /// The flows have what passed when.
    pub(super) has_marks: bool,
    /// Not of all packets: there were too many.
    pub(super) is_cut: bool,
    /// Why it could not be read to its end.
    pub(super) failures: Vec<CaptureError>,
}
