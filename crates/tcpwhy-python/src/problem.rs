//! Problems that one action can fix.

use std::sync::Arc;

use pyo3::prelude::*;
use tcpwhy_analysis as analysis;
use tcpwhy_report::text::{problem_evidence, problem_sentence};

use crate::analyse::Content;
use crate::answer::Answer;
use crate::connection::Connection;
use crate::time::seconds;

/// A problem that one action can fix: connections to one server that failed or were slow in the same way.
/// `str()` of it is its sentence.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Problem {
    content: Arc<Content>,
    problem: analysis::Problem,
}

impl Problem {
    /// All problems of a report, most severe first.
    pub(crate) fn all(content: &Arc<Content>) -> Vec<Self> {
        let ranked = content.folds().problems.ranked();
        ranked.into_iter().map(|problem| Self { content: Arc::clone(content), problem }).collect()
    }
}

#[pymethods]
impl Problem {
    /// The server's IP address; the client's for the targets `'client'` and `'peers'`.
    #[getter]
    fn address(&self) -> String {
        self.problem.key.address().to_string()
    }

    /// The server's TCP port; `None` if several are affected.
    #[getter]
    fn port(&self) -> Option<u16> {
        self.problem.key.service().map(|service| service.port)
    }

    /// `'failed'`, `'scanned'` (one client tried many ports), `'probed'` (no user waited for these
    /// connections) or `'slow'`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.problem.key.kind_id()
    }

    /// What is affected: `'service'` or `'client'` (several addresses did not answer it). For connections
    /// that no user waited for, their kind: `'scan'`, `'trace'`, `'flood'`, `'strays'`, `'peers'`.
    #[getter]
    fn target(&self) -> &'static str {
        self.problem.key.target.id()
    }

    /// The only client's IP address; `None` if there may be several.
    #[getter]
    fn client(&self) -> Option<String> {
        self.problem.key.target.client().map(|client| client.to_string())
    }

    /// How the connections failed, or what took their time: stable id.
    #[getter]
    fn cause(&self) -> &'static str {
        self.problem.key.cause_id()
    }

    /// Sender of the slow data, `'client'` or `'server'`; `None` for other kinds.
    #[getter]
    fn sender(&self) -> Option<&'static str> {
        self.problem.key.sender_id()
    }

    /// The answer about it, with its cost and the change to make.
    #[getter]
    fn answer(&self, py: Python<'_>) -> Answer {
        py.detach(|| Answer::of_problem(&self.content, &self.problem))
    }

    /// Number of connections.
    #[getter]
    fn connections(&self) -> u64 {
        self.problem.connections
    }

    /// Seconds lost in total: waits without a result, or time that a change could save.
    #[getter]
    fn lost(&self) -> f64 {
        seconds(self.problem.lost)
    }

    /// `'info'`, `'warning'` or `'critical'`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.problem.severity.id()
    }

    /// The connection that shows it best.
    #[getter]
    fn example(&self) -> Option<Connection> {
        let id = self.problem.example.id;
        let at = self.content.connections.binary_search_by_key(&id, |connection| connection.id).ok()?;
        Connection::new(&self.content, at)
    }

    /// The problem in words.
    #[getter]
    fn sentence(&self) -> String {
        problem_sentence(self.content.words.wording(), &self.content.folds().services, &self.problem)
    }

    /// The evidence from the example, in words.
    #[getter]
    fn evidence(&self) -> String {
        problem_evidence(self.content.words.wording(), &self.problem)
    }

    fn __str__(&self) -> String {
        self.sentence()
    }

    fn __repr__(&self) -> String {
        let key = &self.problem.key;
        let server = key.service().map_or_else(|| key.address().to_string(), |service| service.to_string());
        let (kind, cause, connections) = (self.kind(), self.cause(), self.connections());
        format!("Problem(kind='{kind}', cause='{cause}', server='{server}', connections={connections})")
    }
}
