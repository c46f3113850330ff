use std::sync::OnceLock;

use tcpwhy_analysis::{Connection, Folds};
use tcpwhy_capture::{CaptureError, CaptureSummary};
use tcpwhy_model::CaptureStatus;
use tcpwhy_model::live::RecordingGaps;

/// What [`Explain::run`](crate::Explain::run) found.
#[non_exhaustive]
pub struct Explanation {
    /// The connections in the order of their first packets, without those that the filter left out. Their
    /// [`id`](Connection::id) is their final number: their place among all connections, from 0.
    pub connections: Vec<Connection>,
    /// What was read, and what could not be read.
    pub reading: Reading,
    folds: OnceLock<Folds>,
}

impl Explanation {
    pub(super) const fn new(connections: Vec<Connection>, reading: Reading) -> Self {
        Self { connections, reading, folds: OnceLock::new() }
    }

    /// What [`Self::connections`] show together: problems, services, pairs of hosts and legs. Computed at the
    /// first call, so change connections (for example their addresses) before it.
    pub fn folds(&self) -> &Folds {
        self.folds.get_or_init(|| Folds::of(&self.connections))
    }
}

/// What was read of the captures, and what could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading {
    /// One for each capture, with its damage ([`CaptureSummary::anomalies`]).
    pub captures: Vec<CaptureSummary>,
    /// Why a capture could not be read to its end, for example an I/O error or broken compression. What came
    /// before is explained.
    pub failures: Vec<CaptureError>,
    /// What is missing of the kernel's samples, if the captures are recordings of `tcpwhy record`.
    pub gaps: RecordingGaps,
    /// Connections in all, with those that the filter left out.
    pub connections: u64,
    /// Connections that the filter left out.
    pub excluded: u64,
}

impl Reading {
    /// How well all captures could be read: [`Failed`](CaptureStatus::Failed) if no packet of any capture
    /// could be read, [`Damaged`](CaptureStatus::Damaged) if a part is missing.
    pub fn status(&self) -> CaptureStatus {
        let mut all = self.captures.iter().map(CaptureSummary::status);
        if !self.captures.is_empty() && all.clone().all(|status| status == CaptureStatus::Failed) {
            return CaptureStatus::Failed;
        }
        let is_whole = all.all(|status| status == CaptureStatus::Whole) && self.failures.is_empty();
        if is_whole { CaptureStatus::Whole } else { CaptureStatus::Damaged }
    }
}
