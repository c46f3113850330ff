use tcpwhy_model::{CaptureStatus, CaptureSummary};

/// A row of the table `captures`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaptureRecord<'a> {
    /// Path or URL as given.
    pub capture: &'a str,
    /// Summary of the capture; `None` if it could not be opened.
    pub summary: Option<&'a CaptureSummary>,
    /// Reason why it could not be read completely, unless `summary` contains it.
    pub error: Option<&'a str>,
    /// Number of its connections.
    pub connections: Option<u64>,
    /// Length of the input in bytes.
    pub input_bytes: Option<u64>,
    /// Entity tag of the object store for this version of the input.
    pub input_etag: Option<&'a str>,
    /// Duration of the analysis in seconds.
    pub analysis_s: Option<f64>,
    /// SHA-256 of the input, in hexadecimal digits.
    pub content_sha256: Option<&'a str>,
}

impl CaptureRecord<'_> {
    /// Whether it could be read completely, in part, or not at all.
    pub fn status(&self) -> CaptureStatus {
        match self.summary.map(CaptureSummary::status) {
            None => CaptureStatus::Failed,
            Some(CaptureStatus::Whole) if self.error.is_some() => CaptureStatus::Damaged,
            Some(status) => status,
        }
    }
}
