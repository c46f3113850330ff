//! Limits of a direction: its verdict, its time per limit, its intervals.

use pyo3::prelude::*;
use tcpwhy_analysis::HalfConnection;
use tcpwhy_model::{Cause, Detail, Interval as Stretch, Message, Severity, VerdictReason};
use tcpwhy_report::dto::rounded;

use crate::errors::bad_argument;
use crate::items::{Items, count_of, index_of, pick, reversed};
use crate::language::Words;
use crate::time::{datetime, seconds};

/// `part` as a share of `whole`; 0 if that is 0.
pub(crate) fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// `None`, or the text in quotes, as in Python's `repr`.
pub(crate) fn quoted(text: Option<&str>) -> String {
    text.map_or_else(|| "None".to_owned(), |text| format!("'{text}'"))
}

fn detail_id(cause: Cause) -> Option<&'static str> {
    cause.detail.map(Detail::id)
}

/// The limit to act on first. `str()` of it is the sentence of the report.
#[pyclass(frozen, get_all, module = "tcpwhy")]
pub(crate) struct Verdict {
    /// Id of the limit, such as `'send_buffer'`; `'none'` when nothing is worth acting on.
    limit: &'static str,
    /// Form of the limit, such as `'slow_reader'`; `None` when it has none.
    detail: Option<&'static str>,
    /// Seconds under that limit in that form.
    seconds: f64,
    /// These seconds as a share of the direction's time, 0 to 1.
    share: f64,
    /// Confidence of the verdict, 0 to 1.
    confidence: f64,
    /// `'info'`, `'warning'` or `'critical'`; `'none'` if the direction had no limit worth acting on.
    severity: &'static str,
    /// Id of another limit that the packets would also allow.
    alternative: Option<&'static str>,
    /// Stable id of the reason for this limit, although another has more time.
    reason: Option<&'static str>,
    /// The verdict in words, with its numbers, as in the report.
    sentence: String,
}

impl Verdict {
    pub(crate) fn new(half: &HalfConnection, words: Words) -> Self {
        let verdict = &half.verdict;
        Self {
            limit: verdict.cause.map_or("none", |cause| cause.limit.id()),
            detail: verdict.cause.and_then(detail_id),
            seconds: verdict.seconds,
            share: share(verdict.seconds, half.limits.span().seconds()),
            confidence: rounded(verdict.confidence),
            severity: verdict.severity.map_or("none", Severity::id),
            alternative: verdict.alternative.map(|(limit, _)| limit.id()),
            reason: verdict.reason.map(VerdictReason::id),
            sentence: words.wording().verdict(half),
        }
    }
}

#[pymethods]
impl Verdict {
    fn __str__(&self) -> &str {
        &self.sentence
    }

    fn __repr__(&self) -> String {
        let Self { limit, detail, seconds, share, confidence, .. } = self;
        let detail = quoted(*detail);
        format!(
            "Verdict(limit='{limit}', detail={detail}, seconds={seconds:.6}, share={share:.3}, \
             confidence={confidence})"
        )
    }
}

/// Time under one limit in one form.
#[pyclass(frozen, get_all, eq, module = "tcpwhy")]
#[derive(Clone, PartialEq)]
pub(crate) struct LimitShare {
    /// Id of the limit.
    limit: &'static str,
    /// Form of the limit; `None` when it has none.
    detail: Option<&'static str>,
    /// Seconds. Those of a direction sum to its duration.
    seconds: f64,
    /// Share of the direction's time, 0 to 1.
    share: f64,
    /// Confidence, 0 to 1: the mean over this time.
    confidence: f64,
}

#[pymethods]
impl LimitShare {
    fn __repr__(&self) -> String {
        let Self { limit, detail, seconds, share, confidence } = self;
        let detail = quoted(*detail);
        format!(
            "LimitShare(limit='{limit}', detail={detail}, seconds={seconds:.6}, share={share:.3}, \
             confidence={confidence})"
        )
    }
}

/// The requested limit, by its names.
fn asked(limit: &str, detail: Option<&str>) -> Result<Cause, Message> {
    match detail {
        None => limit.parse(),
        Some(detail) => format!("{limit}/{detail}").parse(),
    }
}

/// Time of a direction per limit and form, longest first: a sequence of `LimitShare`.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Limits(Vec<LimitShare>);

impl Limits {
    pub(crate) fn new(half: &HalfConnection) -> Self {
        let whole = half.limits.span().nanos() as f64;
        let totals = half.limits.totals();
        let shares = totals.iter().map(|total| LimitShare {
            limit: total.cause.limit.id(),
            detail: detail_id(total.cause),
            seconds: seconds(total.nanos),
            share: share(total.nanos as f64, whole),
            confidence: rounded(total.confidence),
        });
        Self(shares.collect())
    }

    /// The sum of the values of a limit. An unknown name is an error, because 0 would pass every comparison.
    fn sum(&self, limit: &str, detail: Option<&str>, value: impl Fn(&LimitShare) -> f64) -> PyResult<f64> {
        let asked = asked(limit, detail).map_err(|unknown| {
            let typed = detail.map_or_else(|| format!("{limit:?}"), |detail| format!("{limit:?}, {detail:?}"));
            bad_argument(&typed, &unknown, Words::default())
        })?;
        let is_asked = |share: &&LimitShare| {
            share.limit == asked.limit.id() && asked.detail.is_none_or(|detail| share.detail == Some(detail.id()))
        };
        // An empty sum of real numbers is −0.
        Ok(self.0.iter().filter(is_asked).map(value).fold(0.0, |sum, value| sum + value))
    }
}

#[pymethods]
impl Limits {
    /// Seconds under `limit`, in all of its forms or in the form `detail`. 0 for a limit that never applied.
    /// Raises `ValueError` for a name that is not a limit, or not a form of it.
    #[pyo3(signature = (limit, detail = None))]
    fn seconds(&self, limit: &str, detail: Option<&str>) -> PyResult<f64> {
        self.sum(limit, detail, |share| share.seconds)
    }

    /// Share of the time under `limit`, 0 to 1. NaN if the direction has a duration of 0, so that every
    /// comparison is false. Raises `ValueError` for a name that is not a limit, or not a form of it.
    #[pyo3(signature = (limit, detail = None))]
    fn share(&self, limit: &str, detail: Option<&str>) -> PyResult<f64> {
        let share = self.sum(limit, detail, |share| share.share)?;
        Ok(if self.0.is_empty() { f64::NAN } else { share })
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        pick(index, self.0.len(), |at| self.0.get(at).cloned())
    }

    fn __iter__(this: &Bound<'_, Self>) -> Items {
        Items::of(this)
    }

    fn __reversed__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        reversed(this)
    }

    /// Index of the first element that equals `value`. Raises `ValueError` if there is none.
    #[pyo3(signature = (value, start = 0, stop = None))]
    fn index(this: &Bound<'_, Self>, value: &Bound<'_, PyAny>, start: isize, stop: Option<isize>) -> PyResult<usize> {
        index_of(this, value, start, stop)
    }

    /// Number of elements that equal `value`.
    fn count(this: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        count_of(this, value)
    }

    fn __repr__(&self) -> String {
        let parts: Vec<_> = self.0.iter().map(LimitShare::__repr__).collect();
        format!("[{}]", parts.join(", "))
    }
}

/// An interval under one limit.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Interval {
    stretch: Stretch,
}

impl Interval {
    pub(crate) const fn new(stretch: Stretch) -> Self {
        Self { stretch }
    }
}

#[pymethods]
impl Interval {
    /// Its start, as `datetime` in UTC (microseconds).
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.stretch.span.start())
    }

    /// Its start, in nanoseconds since 1970.
    #[getter]
    fn start_ns(&self) -> i64 {
        self.stretch.span.start().as_nanos()
    }

    /// Length in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.stretch.span.seconds()
    }

    /// Id of the limit.
    #[getter]
    fn limit(&self) -> &'static str {
        self.stretch.cause.limit.id()
    }

    /// Form of the limit; `None` when it has none.
    #[getter]
    fn detail(&self) -> Option<&'static str> {
        detail_id(self.stretch.cause)
    }

    /// Confidence, 0 to 1.
    #[getter]
    fn confidence(&self) -> f64 {
        rounded(f64::from(self.stretch.confidence))
    }

    fn __repr__(&self) -> String {
        let (limit, detail) = (self.limit(), quoted(self.detail()));
        format!("Interval(limit='{limit}', detail={detail}, duration={:.6})", self.duration())
    }
}
