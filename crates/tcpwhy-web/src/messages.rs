//! Lines about captures that were read.

use tcpwhy_model::{AnomalyKind, CaptureSummary};
use tcpwhy_report::Wording;

/// A line for each anomaly. What failed is said with its cause, elsewhere.
pub(crate) fn of_captures(captures: &[CaptureSummary], wording: Wording<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for capture in captures {
        for anomaly in capture.anomalies.iter().filter(|a| a.kind != AnomalyKind::ReadError) {
            let line = wording.capture_warning(&capture.path, anomaly);
            // On a page of its own it need not say who speaks.
            lines.push(line.strip_prefix("tcpwhy: ").map_or_else(|| line.clone(), str::to_owned));
        }
    }
    lines
}
