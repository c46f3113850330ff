use tcpwhy_model::CaptureSummary;

/// What became of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Read to its end.
    Ok,
    /// Read as far as it could be, or with parts left out.
    Damaged,
    /// Nothing of it could be read.
    Failed,
}

impl Status {
    /// Stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Damaged => "damaged",
            Self::Failed => "failed",
        }
    }
}

/// A row of `captures`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaptureRecord<'a> {
    /// Path or address as given.
    pub capture: &'a str,
    /// What was read; `None` where it could not be opened.
    pub summary: Option<&'a CaptureSummary>,
    /// Why it could not be read, or not to its end.
    pub error: Option<&'a str>,
    /// Connections in it.
    pub connections: Option<u64>,
    /// Length of the input.
    pub input_bytes: Option<u64>,
    /// What its store calls this state of it.
    pub input_etag: Option<&'a str>,
    /// Seconds that it took.
    pub analysis_s: Option<f64>,
}

impl CaptureRecord<'_> {
    /// What became of it.
    pub fn status(&self) -> Status {
        match self.summary {
            None => Status::Failed,
            Some(summary) if summary.packets == 0 && !summary.anomalies.is_empty() => Status::Failed,
            Some(summary) if self.error.is_some() || !summary.anomalies.is_empty() => Status::Damaged,
            Some(_) => Status::Ok,
        }
    }
}
