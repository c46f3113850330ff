//! What is told of captures that are damaged.

use tcpwhy_model::{AnomalyKind, CaptureSummary};
use tcpwhy_report::Wording;

use crate::message;

/// Says it on standard error, whatever the output is.
pub(crate) fn warn(captures: &[CaptureSummary], wording: Wording<'_>) {
    for capture in captures {
        // What failed was said, with its cause.
        for anomaly in capture.anomalies.iter().filter(|a| a.kind != AnomalyKind::ReadError) {
            message::line(&wording.capture_warning(&capture.path, anomaly));
        }
    }
}
