//! One direction of a connection.

use std::sync::Arc;

use pyo3::prelude::*;
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model as model;
use tcpwhy_model::Rate;
use tcpwhy_report::Site;
use tcpwhy_report::dto::AllHalfFacts;

use crate::analyse::Content;
use crate::endpoint::Endpoint;
use crate::facts::HasFacts;
use crate::finding::Finding;
use crate::html;
use crate::time::{datetime, seconds};
use crate::verdict::{Interval, Limits, Verdict};

/// Distribution of values: smallest, median, 95th percentile, largest.
#[pyclass(frozen, get_all, module = "tcpwhy")]
pub(crate) struct Distribution {
    /// Smallest.
    min: f64,
    /// Half are at or under it.
    median: f64,
    /// 95 % are at or under it.
    p95: f64,
    /// Largest.
    max: f64,
}

impl Distribution {
    /// Bytes, unscaled.
    pub(crate) fn bytes(values: model::Distribution) -> Self {
        Self::scaled(values, 1.0)
    }

    /// Microseconds, from nanoseconds.
    pub(crate) fn micros(values: model::Distribution) -> Self {
        Self::scaled(values, 1e3)
    }

    /// Seconds, from nanoseconds.
    pub(crate) fn seconds(values: model::Distribution) -> Self {
        Self::scaled(values, 1e9)
    }

    fn scaled(values: model::Distribution, by: f64) -> Self {
        let scale = |value: u64| value as f64 / by;
        let model::Distribution { min, median, p95, max } = values;
        Self { min: scale(min), median: scale(median), p95: scale(p95), max: scale(max) }
    }
}

#[pymethods]
impl Distribution {
    fn __repr__(&self) -> String {
        let Self { min, median, p95, max } = self;
        format!("Distribution(min={min}, median={median}, p95={p95}, max={max})")
    }
}

/// One direction of a connection that carried data.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Half {
    content: Arc<Content>,
    /// Index of the connection in the report.
    connection: usize,
    /// Index of the direction in the connection.
    at: usize,
}

impl Half {
    /// The direction `half` of connection `connection`; `None` if there is none.
    pub(crate) fn new(content: &Arc<Content>, connection: usize, half: usize) -> Option<Self> {
        content.connections.get(connection)?.halves.get(half)?;
        Some(Self { content: Arc::clone(content), connection, at: half })
    }

    fn connection(&self) -> &Connection {
        // `new` checked both indices, and reports do not change.
        &self.content.connections[self.connection]
    }

    fn half(&self) -> &HalfConnection {
        &self.connection().halves[self.at]
    }
}

impl HasFacts for Half {
    type Facts = AllHalfFacts;

    fn subject(&self) -> &HalfConnection {
        self.half()
    }
}

#[pymethods]
impl Half {
    /// The end that sent this data.
    #[getter]
    fn sender(&self) -> Endpoint {
        Endpoint::new(self.connection(), self.half().sender)
    }

    /// The other end.
    #[getter]
    fn receiver(&self) -> Endpoint {
        Endpoint::new(self.connection(), self.half().sender.peer())
    }

    /// The sender in tables and JSON: 0 for the source of the connection, 1 for its destination.
    #[getter]
    fn sender_index(&self) -> usize {
        self.half().sender.index()
    }

    /// Role of the sender in the connection, `'client'` or `'server'`; `None` if the capture lacks the
    /// handshake.
    #[getter]
    fn role(&self) -> Option<&'static str> {
        self.half().role.id()
    }

    /// Start of its time, as `datetime` in UTC (microseconds).
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.half().span.start())
    }

    /// Start of its time, in nanoseconds since 1970.
    #[getter]
    fn start_ns(&self) -> i64 {
        self.half().span.start().as_nanos()
    }

    /// Seconds covered by `limits`: first segment of the connection to the last ACK of this data.
    #[getter]
    fn duration(&self) -> f64 {
        self.half().span.seconds()
    }

    /// Round-trip times in microseconds; `None` if none could be measured.
    #[getter]
    fn rtt_us(&self) -> Option<Distribution> {
        self.half().rtt.map(|(rtt, _)| Distribution::micros(rtt))
    }

    /// Bytes in flight, weighted by time; `None` if no ACK was captured.
    #[getter]
    fn flight_bytes(&self) -> Option<Distribution> {
        self.half().flight.map(Distribution::bytes)
    }

    /// Window that the receiver offered, in bytes, weighted by time; `None` while its scale is unknown.
    #[getter]
    fn receive_window_bytes(&self) -> Option<Distribution> {
        self.half().receive_window.map(Distribution::bytes)
    }

    /// Payload rate of the path in bits per second; `None` if the data never came close to it.
    #[getter]
    fn path_rate_bits_per_s(&self) -> Option<f64> {
        self.half().path_rate.map(Rate::bits_per_sec)
    }

    /// The limit to act on first.
    #[getter]
    fn verdict(&self) -> Verdict {
        Verdict::new(self.half(), self.content.words)
    }

    /// Time per limit and form, longest first; the seconds sum to `duration`.
    #[getter]
    fn limits(&self) -> Limits {
        Limits::new(self.half())
    }

    /// Intervals with their limit, in order of time. For very long connections, the shortest ones are merged
    /// into a neighbour; `limits` stays exact.
    #[getter]
    fn intervals(&self) -> Vec<Interval> {
        self.half().limits.intervals().iter().map(|interval| Interval::new(*interval)).collect()
    }

    /// Diagnoses, most severe first. The first one explains the verdict when the verdict names a limit.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        let half = self.half();
        let total = half.span.seconds();
        let site = Some(Site::of(self.connection(), Some(half.sender)));
        half.findings.iter().map(|finding| Finding::new(finding, total, site, self.content.words)).collect()
    }

    /// Most seconds that a change of the verdict's limit would save; 0 if none.
    #[getter]
    fn saving(&self) -> f64 {
        seconds(tcpwhy_analysis::lost_nanos(self.half()))
    }

    fn __str__(&self) -> String {
        self.content.words.wording().direction(self.connection(), self.half())
    }

    fn __repr__(&self) -> String {
        let limit = self.half().verdict.cause.map_or("none", |cause| cause.limit.id());
        format!("<tcpwhy.Half {}: {} bytes, {limit}>", self.__str__(), self.half().bytes)
    }

    /// The verdict and the strip of limits, as HTML for notebooks.
    fn _repr_html_(&self) -> String {
        html::of_half(self.content.words, self.connection(), self.half())
    }
}
