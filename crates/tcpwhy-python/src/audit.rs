//! `tcpwhy.audit`: audits this host, or a saved one.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use tcpwhy_audit::HostFacts;
use tcpwhy_kernel::Sysctls;
use tcpwhy_live::{LiveError, SavedHost};
use tcpwhy_model as model;
use tcpwhy_model::host::{Gap, HostObservation};
use tcpwhy_model::{Explained as _, Message, Timestamp};
use tcpwhy_report::dto::{AuditDocument, AuditOrigin, Presentation};
use tcpwhy_report::text::{AuditPage, Look};

use crate::errors::{os_error, raised};
use crate::finding::Finding;
use crate::items::{Items, count_of, index_of, pick, reversed};
use crate::language::Words;

/// Default of `interval`, seconds.
const MOMENT: f64 = 0.1;
/// A longer interval is an error: one hour.
const MOST_SECONDS: f64 = 3600.0;
/// Format of text pages: 80 columns, without colours.
pub(crate) const LOOK: Look = Look { width: 80, has_color: false, has_unicode: true };
/// Rows of the table of sockets.
const SOCKETS: usize = 10;

/// Findings about a host, most severe first: a sequence of `Finding`. `str()` of it is the page of `tcpwhy
/// audit`.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Audit {
    findings: Vec<model::Finding>,
    json: String,
    text: String,
    words: Words,
}

#[pymethods]
impl Audit {
    /// The findings: a list of `Finding`.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.findings.iter().map(|finding| Finding::new(finding, 0.0, None, self.words)).collect()
    }

    /// The document of schema `tcpwhy/1`, as `tcpwhy audit --json` writes it.
    fn to_json(&self) -> &str {
        &self.json
    }

    fn __len__(&self) -> usize {
        self.findings.len()
    }

    /// An audit is true even without findings.
    #[expect(clippy::unused_self, reason = "a method of Python's")]
    fn __bool__(&self) -> bool {
        true
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let finding = |at: usize| self.findings.get(at).map(|finding| Finding::new(finding, 0.0, None, self.words));
        pick(index, self.findings.len(), finding)
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

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<tcpwhy.Audit: {} findings>", self.findings.len())
    }
}

/// Audits this host (Linux): settings, counters and sockets of its TCP. `saved` is a folder or a file of a
/// saved host instead, as written by `tcpwhy audit --save`.
///
/// `interval` is the time in seconds during which counters of this host are observed, 0.1 by default. Process
/// names are reported only with sufficient rights. Raises `OSError`, also if this system does not support
/// live hosts.
#[pyfunction]
#[pyo3(signature = (*, saved = None, interval = None, lang = Words::default()))]
#[pyo3(text_signature = "(*, saved=None, interval=None, lang='en')")]
#[expect(clippy::needless_pass_by_value, reason = "Python's arguments are converted")]
pub(crate) fn audit(py: Python<'_>, saved: Option<PathBuf>, interval: Option<f64>, lang: Words) -> PyResult<Audit> {
    let seconds = interval.unwrap_or(MOMENT);
    if !(0.01..=MOST_SECONDS).contains(&seconds) {
        return Err(raised::<PyValueError>(lang, &Message::new("python-interval")));
    }
    let name = match saved {
        None => py.import("platform")?.call_method0("node")?.extract::<String>().ok().filter(|name| !name.is_empty()),
        Some(_) => None,
    };
    let host = match &saved {
        Some(path) => py.detach(|| SavedHost::read(path)),
        None => py.detach(|| observe(Duration::from_secs_f64(seconds))),
    };
    py.check_signals()?;
    let host = host.map_err(|error| live_error(&error, lang))?;
    py.detach(|| judge(host, name.as_deref(), saved.as_deref(), lang))
}

/// Observes this host, with the counts within `moment`.
fn observe(moment: Duration) -> Result<SavedHost, LiveError> {
    let (begin, before) = (Instant::now(), tcpwhy_live::counters());
    let mut observation: HostObservation = tcpwhy_live::observe()?;
    thread::sleep(moment.saturating_sub(begin.elapsed()));
    let counted = before.zip(tcpwhy_live::counters());
    observation.recent = counted.map(|(before, after)| (after.since(&before), begin.elapsed().as_secs_f64()));
    let sysctls = match tcpwhy_live::sysctl_text() {
        Ok(text) => Some(text),
        Err(LiveError::Unsupported) => return Err(LiveError::Unsupported),
        Err(_) => {
            observation.gaps.push(Gap::Sysctls);
            None
        }
    };
    Ok(SavedHost { observation, sysctls, ..SavedHost::default() })
}

fn judge(mut host: SavedHost, name: Option<&str>, saved: Option<&Path>, words: Words) -> PyResult<Audit> {
    let sysctls = host.sysctls.as_deref().map_or_else(Sysctls::new, |text| Sysctls::parse(text).0);
    let version = host.observation.kernel_release.as_deref().and_then(|release| release.parse().ok());
    if !sysctls.is_empty() {
        host.observation.gaps.retain(|&gap| gap != Gap::Sysctls);
    }
    if version.is_some() {
        host.observation.gaps.retain(|&gap| gap != Gap::Kernel);
    }
    let facts = HostFacts { host: &host.observation, sysctls: &sysctls, version, paths: &[] };
    let report = tcpwhy_audit::audit(&facts);
    let saved_name = host.host_name().filter(|_| saved.is_some());
    let name = name.or(saved_name.as_deref());
    let source = saved.map(|path| model::foreign::decode(path.as_os_str().as_encoded_bytes()).into_owned());
    let source = source.as_deref();
    let wording = words.wording();
    let document =
        AuditDocument::new(AuditOrigin { name, source, time: now() }, &facts, &report, Presentation::new(wording));
    let mut json = Vec::new();
    tcpwhy_report::json::to_writer(&mut json, &document).map_err(|error| PyOSError::new_err(error.to_string()))?;
    let page = AuditPage { wording, look: LOOK, source, facts, report: &report, top: SOCKETS, is_brief: false };
    let text = page.to_string();
    Ok(Audit { json: String::from_utf8(json)?, text, findings: report.findings, words })
}

/// The clock of this machine.
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_nanos(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// Python's exception of an operating system error, otherwise one with a message.
pub(crate) fn live_error(error: &LiveError, words: Words) -> PyErr {
    match error {
        LiveError::Read { path, error } => os_error(error, Some(path)),
        error => PyOSError::new_err(words.catalogue().message(&error.message())),
    }
}
