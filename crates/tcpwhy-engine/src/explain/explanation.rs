use std::sync::OnceLock;

use tcpwhy_analysis::{Connection, Folds};
use tcpwhy_capture::{CaptureError, CaptureSummary};
use tcpwhy_model::CaptureStatus;
use tcpwhy_model::live::RecordingGaps;

/// The result of [`Explain::run`](crate::Explain::run).
#[non_exhaustive]
pub struct Explanation {
    /// The connections in the order of their first packets, without those that the filter left out. Their
    /// [`id`](Connection::id) is their final number: their place among all connections, from 0.
    pub connections: Vec<Connection>,
    /// Data about the reading, including parts that could not be read.
    pub reading: Reading,
    folds: OnceLock<Folds>,
}

impl Explanation {
    pub(super) const fn new(connections: Vec<Connection>, reading: Reading) -> Self {
        Self { connections, reading, folds: OnceLock::new() }
    }

    /// Findings from all of [`Self::connections`]: problems, services, pairs of hosts and legs. They are
    /// computed at the first call, so change connections (for example their addresses) before it.
    pub fn folds(&self) -> &Folds {
        self.folds.get_or_init(|| Folds::of(&self.connections))
    }
}

/// Data about the reading of the captures, including parts that could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading {
    /// One entry per capture, with its damage ([`CaptureSummary::anomalies`]).
    pub captures: Vec<CaptureSummary>,
    /// Errors that ended the reading of a capture early, for example an I/O error or broken compression. The
    /// packets before them are explained.
    pub failures: Vec<CaptureError>,
    /// Missing samples of the kernel, if the captures are recordings of `tcpwhy record`.
    pub gaps: RecordingGaps,
    /// Number of all connections, including those that the filter left out.
    pub connections: u64,
    /// Number of connections that the filter left out.
    pub excluded: u64,
}

impl Reading {
    /// Status of all captures together. [`Failed`](CaptureStatus::Failed): no packet of any capture could be
    /// read. [`Damaged`](CaptureStatus::Damaged): a part is missing.
    pub fn status(&self) -> CaptureStatus {
        let mut all = self.captures.iter().map(CaptureSummary::status);
        if !self.captures.is_empty() && all.clone().all(|status| status == CaptureStatus::Failed) {
            return CaptureStatus::Failed;
        }
        let is_whole = all.all(|status| status == CaptureStatus::Whole) && self.failures.is_empty();
        if is_whole { CaptureStatus::Whole } else { CaptureStatus::Damaged }
    }
}
