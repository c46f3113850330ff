//! Summaries of the captures that were read.

use pyo3::prelude::*;
use tcpwhy_capture::CaptureSummary;
use tcpwhy_model as model;
use tcpwhy_model::CaptureStatus;

use crate::analyse::Content;
use crate::language::Words;
use crate::time::datetime;

/// A capture that was read, or could not be.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Capture {
    path: String,
    summary: Option<CaptureSummary>,
    error: Option<String>,
    words: Words,
}

impl Capture {
    /// The captures of a report.
    pub(crate) fn of(content: &Content) -> Vec<Self> {
        let words = content.words;
        let cut_short = || content.cut_short.as_ref().map(|message| words.catalogue().message(message));
        let error = content.failure.as_ref().map(|failure| failure.text(words)).or_else(cut_short);
        if content.captures.is_empty() {
            return vec![Self { path: content.name().to_owned(), summary: None, error, words }];
        }
        let read = |(summary, path): (&CaptureSummary, &String)| Self {
            path: path.clone(),
            summary: Some(summary.clone()),
            error: error.clone(),
            words,
        };
        content.captures.iter().zip(&content.names).map(read).collect()
    }

    fn count(&self, count: fn(&CaptureSummary) -> u64) -> u64 {
        self.summary.as_ref().map_or(0, count)
    }
}

#[pymethods]
impl Capture {
    /// Path or name, as given; `archive.tgz!member` in an archive.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// `'ok'`, `'damaged'` (a part could not be read) or `'failed'` (nothing could be read).
    #[getter]
    fn status(&self) -> &'static str {
        self.summary.as_ref().map_or(CaptureStatus::Failed, CaptureSummary::status).id()
    }

    /// Reason why it could not be read, or not to its end; `None` otherwise.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// `'pcap'`, `'pcap-ns'`, `'pcap-modified'`, `'pcap-nokia'` or `'pcapng'`; `None` if it failed.
    #[getter]
    fn format(&self) -> Option<&'static str> {
        self.summary.as_ref().map(|summary| summary.format.id())
    }

    /// Packets of any kind.
    #[getter]
    fn packets(&self) -> u64 {
        self.count(|summary| summary.packets)
    }

    /// TCP segments.
    #[getter]
    fn segments(&self) -> u64 {
        self.count(|summary| summary.segments)
    }

    /// Packets that are not TCP or could not be parsed.
    #[getter]
    fn skipped(&self) -> u64 {
        self.count(|summary| summary.skipped)
    }

    /// Bytes of packets in the file.
    #[getter]
    fn captured_bytes(&self) -> u64 {
        self.count(|summary| summary.captured_bytes)
    }

    /// Bytes of packets on the wire.
    #[getter]
    fn original_bytes(&self) -> u64 {
        self.count(|summary| summary.original_bytes)
    }

    /// First packet, as `datetime` in UTC (microseconds); `None` without packets.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let span = self.summary.as_ref().and_then(|summary| summary.span);
        span.map(|span| datetime(py, span.start())).transpose()
    }

    /// Time from the first to the last packet, in seconds; `None` without packets.
    #[getter]
    fn duration(&self) -> Option<f64> {
        self.summary.as_ref().and_then(|summary| summary.span).map(model::Span::seconds)
    }

    /// Kinds of damage or oddity: a list of `Anomaly`.
    #[getter]
    fn anomalies(&self) -> Vec<Anomaly> {
        let anomalies = self.summary.iter().flat_map(|summary| summary.anomalies.iter());
        anomalies.map(|anomaly| Anomaly { anomaly: *anomaly, words: self.words }).collect()
    }

    fn __repr__(&self) -> String {
        format!("<tcpwhy.Capture {:?}: {}, {} packets>", self.path, self.status(), self.packets())
    }
}

/// All occurrences of one kind of damage or oddity in a capture.
#[pyclass(frozen, module = "tcpwhy")]
pub(crate) struct Anomaly {
    anomaly: model::Anomaly,
    words: Words,
}

#[pymethods]
impl Anomaly {
    /// Stable id, such as `'truncated-file'`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.anomaly.kind.id()
    }

    /// How often it occurred.
    #[getter]
    fn count(&self) -> u64 {
        self.anomaly.count
    }

    /// Number of the first affected packet, from 1; `None` if it occurred before any packet.
    #[getter]
    fn first_packet(&self) -> Option<u64> {
        (self.anomaly.first_packet > 0).then_some(self.anomaly.first_packet)
    }

    /// Whether a part of the capture is missing or cannot be read.
    #[getter]
    fn is_damage(&self) -> bool {
        self.anomaly.kind.is_damage()
    }

    /// Description in words.
    #[getter]
    fn text(&self) -> String {
        self.words.wording().anomaly(&self.anomaly)
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Anomaly(kind='{}', count={})", self.kind(), self.count())
    }
}
