//! One of the two captures.

use tcpwhy_analysis::comparison::{Brief, Totals};
use tcpwhy_analysis::{Connection, FlowMarks};
use tcpwhy_capture::CaptureError;
use tcpwhy_model::CaptureSummary;

/// A capture with its connections, and the data that matches them with the other capture.
pub(super) struct Side {
    /// Connections with data, in the order of their numbers.
    pub(super) briefs: Vec<Brief>,
    /// The same connections in full, if there are few.
    pub(super) connections: Option<Vec<Connection>>,
    pub(super) flows: Vec<FlowMarks>,
    /// Summaries of the files.
    pub(super) summaries: Vec<CaptureSummary>,
    /// Services and problems, including those of connections without data.
    pub(super) totals: Totals,
    /// Whether the flows have the times at which data passed.
    pub(super) has_marks: bool,
    /// Whether packets are missing because there were too many.
    pub(super) is_cut: bool,
    /// Errors that ended its reading early.
    pub(super) failures: Vec<CaptureError>,
}
