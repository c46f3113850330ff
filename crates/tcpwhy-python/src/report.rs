//! A report about one source.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;

use crate::analyse::Content;
use crate::answer::Answer;
use crate::capture::Capture;
use crate::connection::Connection;
use crate::errors::{CaptureWarning, Failure};
use crate::items::{Items, count_of, index_of, pick, reversed};
use crate::problem::Problem;
use crate::service::Service;
use crate::table::arrow_error;
use crate::tables::{Extent, Tables};
use crate::{html, json, parquet};

/// The results for a capture: a sequence of its connections, in the order of their first packets.
///
/// Values are copied only on access: all objects share the memory of the report.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Report {
    content: Arc<Content>,
    /// The tables without words and intervals, after their first use.
    tables: OnceLock<Tables>,
}

impl From<Content> for Report {
    fn from(content: Content) -> Self {
        Self { content: Arc::new(content), tables: OnceLock::new() }
    }
}

impl Report {
    /// The report of an analysis; raises if nothing could be read. Warns once if the input is damaged or
    /// unusual.
    pub(crate) fn of(
        py: Python<'_>,
        analysed: Result<Content, Failure>,
        words: crate::language::Words,
    ) -> PyResult<Self> {
        let content = analysed.map_err(|failure| failure.error(py, words))?;
        if let Some(failure) = &content.failure {
            return Err(failure.error(py, words));
        }
        let report = Self::from(content);
        report.warn(py)?;
        Ok(report)
    }

    /// One warning about all anomalies.
    pub(crate) fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let wording = self.content.words.wording();
        let captures = self.content.captures.iter();
        let anomalies = captures.flat_map(|capture| capture.anomalies.iter().map(move |anomaly| (capture, anomaly)));
        let lines: Vec<_> =
            anomalies.map(|(capture, anomaly)| wording.capture_warning(&capture.path, anomaly)).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let text = lines.join("\n").replace('\0', "\\0");
        let text = std::ffi::CString::new(text).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<CaptureWarning>(), &text, 1)
    }
}

#[pymethods]
impl Report {
    /// Path or name of the capture; the first one of merged captures.
    #[getter]
    fn path(&self) -> &str {
        self.content.name()
    }

    /// The captures that were read, with their damage: a list of `Capture`, one for each input.
    #[getter]
    fn captures(&self) -> Vec<Capture> {
        Capture::of(&self.content)
    }

    /// Packets of any kind, in all captures.
    #[getter]
    fn packets(&self) -> u64 {
        self.content.captures.iter().map(|capture| capture.packets).fold(0, u64::saturating_add)
    }

    /// Connections that the filter (`host`, `port`, `min_bytes`) excluded.
    #[getter]
    fn excluded(&self) -> u64 {
        self.content.excluded
    }

    /// Reason why nothing could be read, as an exception; `None` otherwise. Only `explain_many` and `archive`
    /// return reports with an error.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<PyErr> {
        self.content.failure.as_ref().map(|failure| failure.error(py, self.content.words))
    }

    /// The answer about all connections.
    #[getter]
    fn answer(&self, py: Python<'_>) -> Answer {
        py.detach(|| Answer::of_report(&self.content))
    }

    /// Problems that one action can fix, most severe first: a list of `Problem`.
    #[getter]
    fn problems(&self, py: Python<'_>) -> Vec<Problem> {
        py.detach(|| Problem::all(&self.content))
    }

    /// The servers, those with most connections first: a list of `Service`.
    #[getter]
    fn services(&self, py: Python<'_>) -> Vec<Service> {
        py.detach(|| self.content.folds().services.ranked().into_iter().map(Service::new).collect())
    }

    /// The tables of `tcpwhy-tables/1`, without sentences and without `intervals`. Built at the first use.
    #[getter]
    fn tables(&self, py: Python<'_>) -> PyResult<Tables> {
        if let Some(tables) = self.tables.get() {
            return Ok(tables.share());
        }
        let tables = py.detach(|| Extent::default().all_tables(&self.content));
        let tables = tables.map_err(|error| arrow_error(&error))?;
        Ok(self.tables.get_or_init(|| tables).share())
    }

    /// The tables with sentences (`words=True`) and with rows of `intervals` (`timeline=True`).
    #[pyo3(signature = (*, words = false, timeline = false))]
    fn tables_with(&self, py: Python<'_>, words: bool, timeline: bool) -> PyResult<Tables> {
        let extent = Extent { has_words: words, has_intervals: timeline };
        py.detach(|| extent.all_tables(&self.content)).map_err(|error| arrow_error(&error))
    }

    /// Writes all tables into the folder `directory`: `TABLE/PART-0000.parquet`. The same `part` replaces the
    /// former files of that name. The default of `part` is a hash of the captures' names, as in the program:
    /// writing the same captures again replaces their files. Raises `OSError`, and `ValueError` if neither
    /// `part` is given nor the capture has a name, such as for bytes.
    #[pyo3(signature = (directory, *, part = None, words = false, timeline = false))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's arguments are converted")]
    fn to_parquet(
        &self,
        py: Python<'_>,
        directory: PathBuf,
        part: Option<&str>,
        words: bool,
        timeline: bool,
    ) -> PyResult<()> {
        let extent = Extent { has_words: words, has_intervals: timeline };
        parquet::write(py, &self.content, &directory, part, extent)
    }

    /// The document of schema `tcpwhy/1`, as written by `tcpwhy explain --json`: a `str` of one line.
    /// `timeline=True` adds every interval, `words=False` omits sentences, texts of fixes and lines.
    #[pyo3(signature = (*, timeline = false, words = true))]
    fn to_json(&self, py: Python<'_>, timeline: bool, words: bool) -> PyResult<String> {
        let form = json::Form { has_timeline: timeline, has_words: words };
        py.detach(|| json::document(&self.content, form))
    }

    fn __len__(&self) -> usize {
        self.content.connections.len()
    }

    /// A report is true even without connections, although `len()` counts them.
    #[expect(clippy::unused_self, reason = "a method of Python's")]
    fn __bool__(&self) -> bool {
        true
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        pick(index, self.content.connections.len(), |at| Connection::new(&self.content, at))
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
        let connections = self.content.connections.len();
        match &self.content.failure {
            Some(_) => format!("<tcpwhy.Report {:?}: failed>", self.content.name()),
            None => format!("<tcpwhy.Report {:?}: {connections} connections>", self.content.name()),
        }
    }

    /// The connections that lost most time, with their verdicts and strips of limits, as HTML for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| html::of_report(&self.content))
    }
}
