//! Diagnoses, their numbers and what to change.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use tcpwhy_model as model;
use tcpwhy_model::{Claim, Value};
use tcpwhy_report::Site;
use tcpwhy_report::dto::rounded;

use crate::language::Words;

/// A diagnosis: a rule whose conditions were met, with its evidence. `str()` of it is its sentence.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Finding {
    inner: model::Finding,
    /// Length of the connection or direction, seconds.
    total_s: f64,
    /// The connection; `None` for findings of a host.
    site: Option<Site>,
    words: Words,
}

impl Finding {
    /// A finding about a connection or a direction that lasted `total_s` seconds.
    pub(crate) fn new(finding: &model::Finding, total_s: f64, site: Option<Site>, words: Words) -> Self {
        Self { inner: finding.clone(), total_s, site, words }
    }
}

#[pymethods]
impl Finding {
    /// Stable id of its rule, such as `'send-buffer-plateau'`; `tcpwhy.rules()` explains them.
    #[getter]
    fn rule(&self) -> &'static str {
        self.inner.rule
    }

    /// Title of its rule.
    #[getter]
    fn title(&self) -> String {
        self.words.wording().rule_title(self.inner.rule)
    }

    /// `'info'`, `'warning'` or `'critical'`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.inner.severity.id()
    }

    /// Confidence, 0 to 1.
    #[getter]
    fn confidence(&self) -> f64 {
        rounded(self.inner.confidence)
    }

    /// Its cost in seconds; `None` if it has no separate cost in time.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.inner.seconds
    }

    /// The finding in words, with its numbers.
    #[getter]
    fn sentence(&self) -> String {
        self.words.wording().finding(&self.inner, self.total_s)
    }

    /// The evidence: a list of `Evidence`.
    #[getter]
    fn evidence(&self) -> Vec<Evidence> {
        self.inner.evidence.iter().map(|evidence| Evidence { evidence: evidence.clone(), words: self.words }).collect()
    }

    /// Changes to make, best first: a list of `Fix`.
    #[getter]
    fn fixes(&self) -> Vec<Fix> {
        let fixes = self.inner.fixes_with_readiness(self.site.as_ref().map(Site::ends));
        fixes.map(|(fix, readiness)| Fix { of: fix.clone(), readiness, site: self.site, words: self.words }).collect()
    }

    /// Predicted effect of the first fix; `None` if no prediction can be made.
    #[getter]
    fn prediction(&self) -> Option<Prediction> {
        let inner = self.inner.prediction.clone()?;
        Some(Prediction { inner, total_s: self.total_s, words: self.words })
    }

    fn __str__(&self) -> String {
        self.sentence()
    }

    fn __repr__(&self) -> String {
        format!("Finding(rule='{}', severity='{}', confidence={})", self.rule(), self.severity(), self.confidence())
    }
}

/// A number or fact that supports a finding.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Evidence {
    evidence: model::Evidence,
    words: Words,
}

#[pymethods]
impl Evidence {
    /// Name with its unit at the end: `'plateau_bytes'`, `'rtt_us'`.
    #[getter]
    fn name(&self) -> &'static str {
        self.evidence.key.id()
    }

    /// The value: `int`, `float`, `bool` or `str`; `None` if not known.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.evidence.value {
            Value::Integer(value) => value.into_py_any(py),
            Value::Real(value) if value.is_finite() => value.into_py_any(py),
            Value::Real(_) => Ok(py.None()),
            Value::Flag(value) => value.into_py_any(py),
            Value::Word(value) => value.into_py_any(py),
        }
    }

    /// Its source: `'wire_exact'`, `'wire_inferred'`, `'kernel_reported'`, `'kernel_inferred'` or
    /// `'assumed'`.
    #[getter]
    fn basis(&self) -> &'static str {
        self.evidence.basis.id()
    }

    /// Description in words.
    #[getter]
    fn label(&self) -> String {
        self.words.wording().evidence_label(&self.evidence)
    }

    /// The value in words, with its unit.
    #[getter]
    fn text(&self) -> String {
        self.words.wording().evidence_value(&self.evidence)
    }

    fn __str__(&self) -> String {
        format!("{}: {}", self.label(), self.text())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value(py)?;
        Ok(format!("Evidence(name='{}', value={})", self.name(), value.bind(py).repr()?))
    }
}

/// A change to make. `str()` of it is its text.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Fix {
    of: model::Fix,
    readiness: model::Readiness,
    site: Option<Site>,
    words: Words,
}

#[pymethods]
impl Fix {
    /// Stable id.
    #[getter]
    fn id(&self) -> &'static str {
        self.of.id
    }

    /// Place of the change: `'sending-application'`, `'receiving-application'`, `'sending-host'`,
    /// `'receiving-host'`, `'network'`, `'capture'`, `'application'` or `'host'`.
    #[getter]
    fn place(&self) -> &'static str {
        self.of.place.id()
    }

    /// `'ready'`: the lines can be pasted. `'placeholders'`: values are missing. `'conditional'`: it depends
    /// on a fact that packets do not show. `'measure'`: it changes nothing, but measures what to do.
    #[getter]
    fn readiness(&self) -> &'static str {
        self.readiness.id()
    }

    /// Words in capitals in the lines that the user must replace: a list of `str`.
    #[getter]
    fn missing(&self) -> Vec<&'static str> {
        self.of.missing(self.site.as_ref().map(Site::ends))
    }

    /// The change in words.
    #[getter]
    fn text(&self) -> String {
        self.words.wording().fix(&self.of)
    }

    /// Lines of code or configuration to copy: a list of `str`.
    #[getter]
    fn lines(&self) -> Vec<String> {
        self.words.wording().fix_lines(&self.of, self.site.as_ref())
    }

    /// Whether it removes another cause than the fix before it, because the packets do not show which of the
    /// two it is. One of them is enough.
    #[getter]
    fn is_rival(&self) -> bool {
        self.of.is_rival
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Fix(id='{}', place='{}')", self.id(), self.place())
    }
}

/// Predicted effect of a fix.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Prediction {
    inner: model::Prediction,
    total_s: f64,
    words: Words,
}

#[pymethods]
impl Prediction {
    /// Likely duration of the direction after the change, in seconds; `None` unless `claim` is `'range'`.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.of_range(self.inner.seconds.value)
    }

    /// Shortest duration after the change, in seconds.
    #[getter]
    fn low(&self) -> f64 {
        self.inner.seconds.low
    }

    /// Longest duration after the change, in seconds; `None` unless `claim` is `'range'`.
    #[getter]
    fn high(&self) -> Option<f64> {
        self.of_range(self.inner.seconds.high)
    }

    /// Kind of claim: `'range'`; `'at_best'` or `'at_best_untried'`, with `low` only.
    #[getter]
    fn claim(&self) -> &'static str {
        self.inner.claim.id()
    }

    /// Factor by which the direction becomes faster, at most.
    #[getter]
    fn times_at_most(&self) -> f64 {
        self.inner.times_at_most(self.total_s)
    }

    /// Id of the limit that applies next.
    #[getter]
    fn next_limit(&self) -> &'static str {
        self.inner.next_limit.id()
    }

    /// Reason why the rate stops there: stable id.
    #[getter]
    fn ceiling(&self) -> &'static str {
        self.inner.ceiling
    }

    /// The same reason in words.
    #[getter]
    fn ceiling_text(&self) -> String {
        self.words.wording().ceiling(self.inner.ceiling)
    }

    /// `'simulated'`: the transfer was reconstructed and simulated with the change. `'formula'`: it was
    /// computed.
    #[getter]
    fn method(&self) -> &'static str {
        self.inner.method.id()
    }

    /// Ratio of the durations of the reconstructed transfer and of the real one, 1 being exact; `None` for a
    /// formula.
    #[getter]
    fn closeness(&self) -> Option<f64> {
        self.inner.method.closeness()
    }

    fn __repr__(&self) -> String {
        let [value, high] = [self.seconds(), self.high()]
            .map(|seconds| seconds.map_or_else(|| "None".to_owned(), |seconds| format!("{seconds:.6}")));
        let (low, claim) = (self.low(), self.claim());
        format!("Prediction(low={low:.6}, seconds={value}, high={high}, claim='{claim}')")
    }
}

impl Prediction {
    fn of_range(&self, seconds: f64) -> Option<f64> {
        (self.inner.claim == Claim::Range).then_some(seconds)
    }
}
