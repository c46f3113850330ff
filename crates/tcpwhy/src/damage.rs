//! Warnings about damaged captures.

use tcpwhy_model::{AnomalyKind, CaptureSummary};
use tcpwhy_report::Wording;

use crate::message;

/// Prints the warnings on standard error, for every output format.
pub(crate) fn warn(captures: &[CaptureSummary], wording: Wording<'_>) {
    for capture in captures {
        // Read errors were already printed with their cause.
        for anomaly in capture.anomalies.iter().filter(|a| a.kind != AnomalyKind::ReadError) {
            message::line(&wording.capture_warning(&capture.path, anomaly));
        }
    }
}
