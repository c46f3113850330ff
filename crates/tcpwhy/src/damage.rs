//! What is told of captures that are damaged.

use tcpwhy_capture::CaptureSummary;
use tcpwhy_model::AnomalyKind;
use tcpwhy_report::{CaptureFacts, Wording};

use crate::message;

/// What is presented of a capture.
pub(crate) fn facts(summary: CaptureSummary) -> CaptureFacts {
    CaptureFacts {
        path: summary.path,
        format: summary.format.id().into(),
        packets: summary.packets,
        segments: summary.segments,
        skipped: summary.skipped,
        captured_bytes: summary.captured_bytes,
        original_bytes: summary.original_bytes,
        span: summary.span,
        link_types: summary.link_types,
        anomalies: summary.anomalies,
    }
}

/// Says it on standard error, whatever the output is.
pub(crate) fn warn(captures: &[CaptureFacts], wording: Wording<'_>) {
    for capture in captures {
        // What failed was said, with its cause.
        for anomaly in capture.anomalies.iter().filter(|a| a.kind != AnomalyKind::ReadError) {
            message::line(&wording.capture_warning(&capture.path, anomaly));
        }
    }
}
