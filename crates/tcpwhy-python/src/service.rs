//! A server of a capture.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::Failure;
use tcpwhy_model::Limit;
use tcpwhy_report::dto::AllServiceFacts;

use crate::endpoint::Endpoint;
use crate::exchanges::spread;
use crate::facts::HasFacts;
use crate::half::Distribution;
use crate::time;

/// A server: address and port, its answers, their times, and its failures.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Service(analysis::Service);

impl Service {
    pub(crate) fn new(service: &analysis::Service) -> Self {
        Self(service.clone())
    }
}

impl HasFacts for Service {
    type Facts = AllServiceFacts;

    fn subject(&self) -> &analysis::Service {
        &self.0
    }
}

#[pymethods]
impl Service {
    /// The server.
    #[getter]
    fn endpoint(&self) -> Endpoint {
        Endpoint::plain(self.0.server)
    }

    /// Number of failed connections by kind: a `dict` without the kinds that did not occur.
    #[getter]
    fn failures(&self) -> BTreeMap<&'static str, u64> {
        let counts = Failure::ALL.into_iter().map(|failure| (failure.id(), self.0.failed_by(failure)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// Requests with an answer.
    #[getter]
    fn exchanges(&self) -> u64 {
        self.0.exchanges
    }

    /// Durations of these exchanges, in seconds; `None` without any.
    #[getter]
    fn exchange_s(&self) -> Option<Distribution> {
        spread(&self.0.exchange_times)
    }

    /// The server's response times, in seconds; `None` without any.
    #[getter]
    fn response_s(&self) -> Option<Distribution> {
        spread(&self.0.responses)
    }

    /// Seconds of its connections per limit: a `dict`, longest first.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut limits: Vec<_> = Limit::ALL.into_iter().map(|limit| (limit, self.0.limits[limit as usize])).collect();
        limits.retain(|(_, nanos)| *nanos > 0);
        limits.sort_by_key(|(_, nanos)| std::cmp::Reverse(*nanos));
        let seconds = PyDict::new(py);
        limits.into_iter().try_for_each(|(limit, nanos)| seconds.set_item(limit.id(), time::seconds(nanos)))?;
        Ok(seconds)
    }

    fn __repr__(&self) -> String {
        format!("<tcpwhy.Service {}: {} connections>", self.0.server, self.0.connections)
    }
}
