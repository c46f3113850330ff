//! Requests and answers of a connection.

use std::sync::Arc;

use pyo3::prelude::*;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::Sketch;
use tcpwhy_report::dto::ExchangeFacts;

use crate::analyse::Content;
use crate::endpoint::Endpoint;
use crate::facts::HasFacts;
use crate::half::Distribution;
use crate::time::{datetime, seconds};

/// The distribution of durations, in seconds.
pub(crate) fn spread(sketch: &Sketch) -> Option<Distribution> {
    sketch.distribution().map(Distribution::seconds)
}

/// Requests of a connection and their answers.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Exchanges {
    content: Arc<Content>,
    /// Index of the connection, which has exchanges.
    at: usize,
}

impl Exchanges {
    pub(crate) fn new(content: &Arc<Content>, at: usize) -> Self {
        Self { content: Arc::clone(content), at }
    }

    fn connection(&self) -> &analysis::Connection {
        &self.content.connections[self.at]
    }

    fn exchanges(&self) -> Option<&analysis::Exchanges> {
        self.connection().exchanges.as_deref()
    }

    /// A part of their time, if single exchanges can be timed.
    fn part(&self, part: fn(&analysis::Exchanges) -> i64) -> Option<f64> {
        self.exchanges().filter(|exchanges| exchanges.has_times()).map(|exchanges| seconds(part(exchanges)))
    }
}

#[pymethods]
impl Exchanges {
    /// The end that sends the requests.
    #[getter]
    fn client(&self) -> Option<Endpoint> {
        self.exchanges().map(|exchanges| Endpoint::new(self.connection(), exchanges.client))
    }

    /// `'request_response'`, `'overlapping'`, `'interactive'`, `'long_poll'` or `'unasked'`. Only the first
    /// two have times.
    #[getter]
    fn pattern(&self) -> &'static str {
        self.exchanges().map_or("", |exchanges| exchanges.pattern.id())
    }

    /// Number of exchanges. If requests overlap, one per burst of requests.
    #[getter]
    fn count(&self) -> u64 {
        self.exchanges().map_or(0, |exchanges| exchanges.count)
    }

    /// Payload of all requests, in bytes.
    #[getter]
    fn request_bytes(&self) -> u64 {
        self.exchanges().map_or(0, |exchanges| exchanges.request_bytes)
    }

    /// Payload of all answers, in bytes.
    #[getter]
    fn answer_bytes(&self) -> u64 {
        self.exchanges().map_or(0, |exchanges| exchanges.answer_bytes)
    }

    /// Seconds that the server took until the first byte of each answer, in total.
    #[getter]
    fn server_s(&self) -> Option<f64> {
        self.part(|exchanges| exchanges.parts.server)
    }

    /// Seconds that the client took between an answer and its next request, in total.
    #[getter]
    fn client_s(&self) -> Option<f64> {
        self.part(|exchanges| exchanges.parts.client)
    }

    /// Seconds of transfer of requests and answers, in total.
    #[getter]
    fn transfers_s(&self) -> Option<f64> {
        self.part(|exchanges| exchanges.parts.transfers())
    }

    /// Seconds of round trips, one per exchange, in total.
    #[getter]
    fn round_trips_s(&self) -> Option<f64> {
        self.part(|exchanges| exchanges.parts.round_trips)
    }

    /// Durations of the exchanges, in seconds, at the client: from sending the first byte of a request to
    /// receiving the last byte of its answer.
    #[getter]
    fn time_s(&self) -> Option<Distribution> {
        self.exchanges().filter(|exchanges| exchanges.has_times()).and_then(|exchanges| spread(&exchanges.times))
    }

    /// The server's response times, in seconds.
    #[getter]
    fn response_s(&self) -> Option<Distribution> {
        self.exchanges().filter(|exchanges| exchanges.has_times()).and_then(|exchanges| spread(&exchanges.responses))
    }

    /// The slowest exchanges, longest first; all of them with `exchanges=True`.
    #[getter]
    fn slowest(&self) -> Vec<Exchange> {
        let timed = self.exchanges().filter(|exchanges| exchanges.has_times());
        let slowest = timed.iter().flat_map(|exchanges| &exchanges.slowest);
        slowest.map(|exchange| Exchange(exchange.clone())).collect()
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.count()).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        format!("<tcpwhy.Exchanges: {} {}>", self.count(), self.pattern())
    }
}

/// A request and its answer.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Exchange(analysis::Exchange);

impl HasFacts for Exchange {
    type Facts = ExchangeFacts;

    fn subject(&self) -> &analysis::Exchange {
        &self.0
    }
}

#[pymethods]
impl Exchange {
    /// First data of the request, as `datetime` in UTC (microseconds).
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.0.request.start())
    }

    /// Seconds from the first byte of the request to the last byte of the answer, at the client.
    #[getter]
    fn duration(&self) -> f64 {
        seconds(self.0.nanos())
    }

    fn __repr__(&self) -> String {
        format!("Exchange(duration={:.6}, server_s={:.6})", self.duration(), seconds(self.0.response))
    }
}
