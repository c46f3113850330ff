//! Lines about captures that were read.

use tcpwhy_model::{AnomalyKind, CaptureSummary};
use tcpwhy_report::Wording;

/// One line per anomaly. Read errors are reported elsewhere, with their cause.
pub(crate) fn of_captures(captures: &[CaptureSummary], wording: Wording<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for capture in captures {
        for anomaly in capture.anomalies.iter().filter(|a| a.kind != AnomalyKind::ReadError) {
            let line = wording.capture_warning(&capture.path, anomaly);
            // On the page, the name of the program is superfluous.
            lines.push(line.strip_prefix("tcpwhy: ").map_or_else(|| line.clone(), str::to_owned));
        }
    }
    lines
}
