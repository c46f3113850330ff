//! The answer about a capture, a connection or a problem, with the fields of JSON.

use pyo3::prelude::*;
use tcpwhy_analysis as analysis;
use tcpwhy_report::dto::{self, Presentation};

use crate::analyse::Content;
use crate::verdict::quoted;

/// The cause of a limit or failure, its cost, the evidence, and the change to make: `answer` in JSON. `str()`
/// of it is `why`.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Answer(dto::Answer);

impl Answer {
    /// The answer about all connections of a report.
    pub(crate) fn of_report(content: &Content) -> Self {
        Self(dto::Answer::of_capture(content.folds(), presentation(content)))
    }

    /// The answer about one connection of the report.
    pub(crate) fn of_connection(content: &Content, connection: &analysis::Connection) -> Self {
        Self(dto::Answer::of_connection(connection, presentation(content)))
    }

    /// The answer about one problem of the report.
    pub(crate) fn of_problem(content: &Content, problem: &analysis::Problem) -> Self {
        let folds = content.folds();
        Self(dto::Answer::of_problem(problem, folds.leads.totals(), &folds.services, presentation(content)))
    }
}

fn presentation(content: &Content) -> Presentation<'_> {
    Presentation::new(content.words.wording())
}

#[pymethods]
impl Answer {
    /// `'limit'` (held data back), `'party'` (took most of the requests' time), `'failure'`, `'probe'`,
    /// `'clock'` (the capture's clock is wrong), `'nothing'` (nothing is wrong) or `'cannot_tell'`.
    #[getter]
    fn kind(&self) -> &str {
        &self.0.kind
    }

    /// The cause, depending on `kind`. `'limit'`: the limit, or the rule of a finding about a connection as a
    /// whole. `'party'`: `'server'`, `'client'` or `'round_trips'`. `'failure'`: how it failed, as in
    /// `Service.failures`. For a problem, its `cause`. `None` if nothing is wrong, and for a wrong clock.
    #[getter]
    fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// The form of the limit.
    #[getter]
    fn detail(&self) -> Option<&str> {
        self.0.detail.as_deref()
    }

    /// Number of the connection that shows it; `None` in the answer of a connection, and if none carried
    /// data.
    #[getter]
    fn connection(&self) -> Option<u64> {
        self.0.connection
    }

    /// 0 if it concerns the source's data, 1 if the destination's; `None` if it concerns no single direction.
    #[getter]
    fn sender(&self) -> Option<usize> {
        self.0.sender
    }

    /// `'complete'`, `'failed'` or `'open'` (when the capture ended); `None` for several connections.
    #[getter]
    fn outcome(&self) -> Option<&str> {
        self.0.outcome.as_deref()
    }

    /// Its cost in seconds; `None` if not known.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.0.seconds
    }

    /// Total that `seconds` is a part of. It is the span of a direction or connection (`'transfer'`), the
    /// time of a connection's requests (`'requests'`) or the summed time of all `'connections'`.
    #[getter]
    fn whole(&self) -> Option<&str> {
        self.0.whole.as_deref()
    }

    /// That total, in seconds.
    #[getter]
    fn of_seconds(&self) -> Option<f64> {
        self.0.of_seconds
    }

    /// `'info'`, `'warning'` or `'critical'`; `None` if nothing is wrong.
    #[getter]
    fn severity(&self) -> Option<&str> {
        self.0.severity.as_deref()
    }

    /// How often such an answer is right, from 0 to 1; `None` if that was not measured.
    #[getter]
    fn confidence(&self) -> Option<f64> {
        self.0.confidence
    }

    /// Causes that the packets do not exclude, longest first: a list of `Rival`.
    #[getter]
    fn rivals(&self) -> Vec<Rival> {
        self.0.rivals.iter().cloned().map(Rival).collect()
    }

    /// Limits that are excluded: `'receive_window'`, `'loss_recovery'`, `'path'`.
    #[getter]
    fn excluded(&self) -> Vec<&str> {
        self.0.excluded.iter().map(AsRef::as_ref).collect()
    }

    /// Rule of the finding whose fix it proposes; `None` if it proposes none.
    #[getter]
    fn rule(&self) -> Option<&str> {
        self.0.rule.as_deref()
    }

    /// Id of that fix, as in the finding.
    #[getter]
    fn fix_id(&self) -> Option<&str> {
        self.0.fix_id.as_deref()
    }

    /// How ready the change is, as in `Fix`; `None` if there is nothing to do.
    #[getter]
    fn readiness(&self) -> Option<&str> {
        self.0.readiness.as_deref()
    }

    /// Predicted effect of the fix; `None` if not known.
    #[getter]
    fn then(&self) -> Option<Then> {
        self.0.then.clone().map(Then)
    }

    /// Reasons for the decision, one by one: stable ids.
    #[getter]
    fn grounds(&self) -> Vec<&str> {
        self.0.grounds.iter().map(AsRef::as_ref).collect()
    }

    /// Summary of the data sent, as the first line in the terminal; `None` for a problem.
    #[getter]
    fn sentence(&self) -> Option<&str> {
        self.0.sentence.as_deref()
    }

    /// The reason, as after `WHY` in the terminal.
    #[getter]
    fn why(&self) -> Option<&str> {
        self.0.why.as_deref()
    }

    /// The change to make, as after `FIX` in the terminal; `None` if the clock is wrong.
    #[getter]
    fn fix(&self) -> Option<&str> {
        self.0.fix.as_deref()
    }

    /// A further fact, as after `BUT` in the terminal: how else it ended, or that the clock is wrong; `None`
    /// without one.
    #[getter]
    fn but(&self) -> Option<&str> {
        self.0.but.as_deref()
    }

    fn __str__(&self) -> &str {
        self.why().unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        let (kind, cause, detail) = (self.kind(), quoted(self.cause()), quoted(self.detail()));
        let seconds = self.seconds().map_or_else(|| "None".to_owned(), |seconds| format!("{seconds:.6}"));
        format!("Answer(kind='{kind}', cause={cause}, detail={detail}, seconds={seconds})")
    }
}

/// A cause that the packets do not exclude.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Rival(dto::Rival);

#[pymethods]
impl Rival {
    /// Id of the limit.
    #[getter]
    fn limit(&self) -> &str {
        &self.0.limit
    }

    /// Seconds that this cause may explain.
    #[getter]
    const fn seconds(&self) -> f64 {
        self.0.seconds
    }

    /// Id of the observation that would decide it.
    #[getter]
    fn would_decide_id(&self) -> &str {
        &self.0.would_decide_id
    }

    fn __repr__(&self) -> String {
        let (limit, decider) = (self.limit(), self.would_decide_id());
        format!("Rival(limit='{limit}', seconds={:.6}, would_decide_id='{decider}')", self.seconds())
    }
}

/// Predicted effect of a fix.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Then(dto::Then);

#[pymethods]
impl Then {
    /// `'range'`: the duration will be between `low_s` and `high_s`; `'at_best'` or `'at_best_untried'`: it
    /// will be at least `low_s`.
    #[getter]
    fn claim(&self) -> &str {
        &self.0.claim
    }

    /// The shortest duration after the fix.
    #[getter]
    const fn low_s(&self) -> f64 {
        self.0.low_s
    }

    /// The longest; `None` unless `claim` is `'range'`.
    #[getter]
    const fn high_s(&self) -> Option<f64> {
        self.0.high_s
    }

    /// The duration now.
    #[getter]
    const fn now_s(&self) -> f64 {
        self.0.now_s
    }

    /// Id of the limit that applies next.
    #[getter]
    fn next_limit(&self) -> &str {
        &self.0.next_limit
    }

    fn __repr__(&self) -> String {
        let high = self.high_s().map_or_else(|| "None".to_owned(), |high| format!("{high:.6}"));
        let (claim, low, now) = (self.claim(), self.low_s(), self.now_s());
        format!("Then(claim='{claim}', low_s={low:.6}, high_s={high}, now_s={now:.6})")
    }
}
