//! A connection of a report.

use std::sync::Arc;

use pyo3::prelude::*;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::{Side, principal_half};
use tcpwhy_report::Site;
use tcpwhy_report::community_id;

use crate::analyse::Content;
use crate::answer::Answer;
use crate::chart;
use crate::endpoint::Endpoint;
use crate::exchanges::Exchanges;
use crate::finding::Finding;
use crate::half::Half;
use crate::time::datetime;
use crate::{html, json};

/// A TCP connection: one use of its four-tuple.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Connection {
    content: Arc<Content>,
    /// Index in the report.
    at: usize,
}

impl Connection {
    /// Connection `at` of a report; `None` if there is none.
    pub(crate) fn new(content: &Arc<Content>, at: usize) -> Option<Self> {
        content.connections.get(at)?;
        Some(Self { content: Arc::clone(content), at })
    }

    fn connection(&self) -> &analysis::Connection {
        // `new` checked the index, and reports do not change.
        &self.content.connections[self.at]
    }
}

#[pymethods]
impl Connection {
    /// Number of the connection, in the order of first packets, from 0; as in JSON and on the page.
    #[getter]
    fn id(&self) -> u64 {
        self.connection().id
    }

    /// The end that sent the first packet captured.
    #[getter]
    fn source(&self) -> Endpoint {
        Endpoint::new(self.connection(), Side::A)
    }

    /// The other end.
    #[getter]
    fn destination(&self) -> Endpoint {
        Endpoint::new(self.connection(), Side::B)
    }

    /// The end that answered the SYN or the requests; otherwise the one with the lower port.
    #[getter]
    fn server(&self) -> Endpoint {
        Endpoint::new(self.connection(), self.connection().server())
    }

    /// 0 if the source sent the SYN, 1 if the destination did; `None` when the capture lacks the SYN.
    #[getter]
    fn initiator(&self) -> Option<usize> {
        self.connection().initiator.map(Side::index)
    }

    /// First packet, as `datetime` in UTC (microseconds).
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.connection().span.start())
    }

    /// First packet, in nanoseconds since 1970.
    #[getter]
    fn start_ns(&self) -> i64 {
        self.connection().span.start().as_nanos()
    }

    /// Time from the first to the last packet, in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.connection().span.seconds()
    }

    /// `'closed'`, `'half_closed'`, `'reset_by_0'`, `'reset_by_1'`, `'open'`, `'unanswered'`,
    /// `'refused'` or `'handshake_incomplete'`.
    #[getter]
    fn ending(&self) -> &'static str {
        self.connection().ending.id()
    }

    /// Capture point: `'sender'`, `'receiver'` (of most of the data), `'middle'` or `'unknown'`.
    #[getter]
    fn vantage(&self) -> &'static str {
        tcpwhy_table::vantage(self.connection())
    }

    /// Community ID, version 1 with seed 0: the id of this flow in the logs of Zeek and Suricata.
    #[getter]
    fn community_id(&self) -> String {
        community_id(self.connection().endpoints)
    }

    /// The answer about this connection alone.
    #[getter]
    fn answer(&self, py: Python<'_>) -> Answer {
        py.detach(|| Answer::of_connection(&self.content, self.connection()))
    }

    /// Number of its first packet in the capture, from 1, as in Wireshark. Joins the tables.
    #[getter]
    fn first_packet(&self) -> u64 {
        self.connection().first_packet
    }

    /// Segments that the source and the destination sent, empty ones included.
    #[getter]
    fn packets(&self) -> (u64, u64) {
        let [source, destination] = self.connection().packets;
        (source, destination)
    }

    /// Unique payload bytes of both directions.
    #[getter]
    fn bytes(&self) -> u64 {
        self.connection().bytes()
    }

    /// The directions that carried data: 0, 1 or 2.
    #[getter]
    fn halves(&self) -> Vec<Half> {
        let halves = 0..self.connection().halves.len();
        halves.filter_map(|half| Half::new(&self.content, self.at, half)).collect()
    }

    /// The direction that the report describes first; `None` without data.
    #[getter]
    fn main(&self) -> Option<Half> {
        let sender = principal_half(self.connection())?.sender;
        let half = self.connection().halves.iter().position(|half| half.sender == sender)?;
        Half::new(&self.content, self.at, half)
    }

    /// Its requests and answers; `None` without any.
    #[getter]
    fn exchanges(&self) -> Option<Exchanges> {
        self.connection().exchanges.as_ref()?;
        Some(Exchanges::new(&self.content, self.at))
    }

    /// Diagnoses of the connection as a whole; those of a direction are in its half.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        let (connection, words) = (self.connection(), self.content.words);
        let (total, site) = (connection.span.seconds(), Some(Site::of(connection, None)));
        connection.findings.iter().map(|finding| Finding::new(finding, total, site, words)).collect()
    }

    /// How it failed; `None` if it closed, stayed open or was reset after all data had arrived.
    #[getter]
    fn failure(&self) -> Option<Finding> {
        let connection = self.connection();
        let (total, site) = (connection.span.seconds(), Some(Site::of(connection, None)));
        connection.failure().map(|finding| Finding::new(finding, total, site, self.content.words))
    }

    /// The connection as in the document of `Report.to_json()`.
    #[pyo3(signature = (*, timeline = false, words = true))]
    fn to_json(&self, py: Python<'_>, timeline: bool, words: bool) -> PyResult<String> {
        let form = json::Form { has_timeline: timeline, has_words: words };
        py.detach(|| json::connection(&self.content, self.connection(), form))
    }

    /// Sequence, window, round trips and rate of a direction over time, as one SVG picture.
    ///
    /// `half` is the index of the direction in `halves`; by default it is the one of `main`. `theme` is
    /// `'auto'`, `'light'` or `'dark'`. `stretch` is a pair of seconds since the first packet.
    ///
    /// Reads the capture a second time. Raises `ValueError` if it came from a file object or an archive, or
    /// without data.
    #[pyo3(signature = (*, half = None, theme = chart::Theme::default(), stretch = None))]
    #[pyo3(text_signature = "($self, *, half=None, theme='auto', stretch=None)")]
    fn chart(
        &self,
        py: Python<'_>,
        half: Option<usize>,
        theme: chart::Theme,
        stretch: Option<(f64, f64)>,
    ) -> PyResult<chart::Picture> {
        chart::draw(py, &self.content, self.at, &chart::Wanted { half, theme, stretch })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &Self| Arc::ptr_eq(&self.content, &other.content) && self.at == other.at;
        other.cast::<Self>().is_ok_and(|other| same(other.get()))
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.content).addr() ^ self.at
    }

    fn __str__(&self) -> String {
        format!("{} → {}", self.source().text(), self.destination().text())
    }

    fn __repr__(&self) -> String {
        let (id, bytes, ending) = (self.id(), self.bytes(), self.ending());
        format!("<tcpwhy.Connection {id}: {}, {bytes} bytes, {ending}>", self.__str__())
    }

    /// Each direction with its verdict and its strip of limits, as HTML for notebooks.
    fn _repr_html_(&self) -> String {
        html::of_connection(self.content.words, self.connection())
    }
}
