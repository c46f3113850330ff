use tcpwhy_model::{CaptureStatus, CaptureSummary};

/// A row of `captures`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaptureRecord<'a> {
    /// Path or address as given.
    pub capture: &'a str,
    /// What was read; `None` where it could not be opened.
    pub summary: Option<&'a CaptureSummary>,
    /// Why it could not be read, or not to its end, if `summary` does not say it.
    pub error: Option<&'a str>,
    /// Connections in it.
    pub connections: Option<u64>,
    /// Length of the input.
    pub input_bytes: Option<u64>,
    /// What its store calls this state of it.
    pub input_etag: Option<&'a str>,
    /// Seconds that it took.
    pub analysis_s: Option<f64>,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub content_sha256: Option<&'a str>,
}

impl CaptureRecord<'_> {
    /// How well it could be read.
    pub fn status(&self) -> CaptureStatus {
        match self.summary.map(CaptureSummary::status) {
            None => CaptureStatus::Failed,
            Some(CaptureStatus::Whole) if self.error.is_some() => CaptureStatus::Damaged,
            Some(status) => status,
        }
    }
}
