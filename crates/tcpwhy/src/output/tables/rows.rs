//! Rows of one run.

use std::io;

use tcpwhy_report::Wording;
use tcpwhy_table::{CaptureRecord, Content, TableKind};

use super::super::{EndOfSource, FailedCapture};

/// Rows of one run.
pub(super) struct Rows<'a> {
    pub(super) tables: tcpwhy_table::Tables<'a>,
    pub(super) wording: Wording<'a>,
    pub(super) capture: String,
}

impl<'a> Rows<'a> {
    pub(super) fn new(content: Content<'a>, kinds: &[TableKind]) -> Self {
        Self {
            tables: tcpwhy_table::Tables::new(content).only(kinds),
            wording: content.wording,
            capture: String::new(),
        }
    }

    pub(super) fn failed(&mut self, failed: &FailedCapture) {
        let error = self.wording.catalogue().message(&failed.error);
        let record = CaptureRecord { capture: &failed.name, error: Some(&error), ..CaptureRecord::default() };
        self.tables.end_capture(&record);
    }

    pub(super) fn end_of_source(&mut self, end: &EndOfSource<'_>) {
        let summary = end.captures.first();
        self.tables.end_capture(&CaptureRecord {
            capture: &self.capture,
            summary,
            error: end.failures.first().map(String::as_str),
            connections: Some(end.connections),
            input_bytes: end.input_bytes,
            input_etag: None,
            analysis_s: Some(end.took.as_secs_f64()),
            content_sha256: end.content_sha256.as_deref(),
        });
    }
}

/// An error of Arrow as one of this output.
pub(super) fn cannot(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::other(error)
}
