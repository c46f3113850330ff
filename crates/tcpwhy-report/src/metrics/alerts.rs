//! Prometheus rules from the metrics in the table: recorded shares of limits, and alerts.

use std::fmt::Write as _;

use tcpwhy_model::Limit;
use tcpwhy_watch::{ALERT_LEVELS, AlertLevels};

use super::Metric;
use crate::Catalogue;

/// Name of the recorded share of each limit in the time with data to send.
const SHARE: &str = "tcpwhy:limit_share:rate5m";
/// Name of the recorded seconds with data to send per second, which is the number of busy connections.
const BUSY: &str = "tcpwhy:busy_connections:rate5m";

/// Limits whose share triggers an alert: name of the alert, id of its words, and the limit. A saturated
/// bottleneck and a growing congestion window are normal, so they have no alert.
const LIMITS: [(&str, &str, Limit); 4] = [
    ("TcpSendBufferLimits", "alert-send-buffer", Limit::SendBuffer),
    ("TcpReceiveWindowLimits", "alert-receive-window", Limit::ReceiveWindow),
    ("TcpLossLimits", "alert-loss-recovery", Limit::LossRecovery),
    ("TcpDelayedAcksLimit", "alert-ack-delay", Limit::AckDelay),
];

/// A rules file for `rule_files` of Prometheus.
pub fn alerts(words: &Catalogue) -> String {
    let AlertLevels { share: most, busy: busy_from, retransmitted } = ALERT_LEVELS;
    let name = |metric: Metric| metric.definition().sample();
    let rate = |metric: Metric, selection: &str| format!("rate({}{selection}[5m])", name(metric));
    let mut rules = Rules { text: String::from("groups:\n  - name: tcpwhy\n    rules:\n"), words };
    let busy = rate(Metric::LimitSeconds, r#"{limit!~"application|unobserved"}"#);
    rules.record(BUSY, &format!("sum without (limit) ({busy})"));
    rules.record(SHARE, &format!("{busy} / ignoring (limit) group_left () ({BUSY} > 0)"));
    for (alert, id, limit) in LIMITS {
        let is_most = format!(r#"{SHARE}{{limit="{}"}} > {most}"#, limit.id());
        rules.alert(alert, &format!("{is_most} and ignoring (limit) {BUSY} > {busy_from}"), "10m", id);
    }
    let share = format!("{} / ({} > 0)", rate(Metric::RetransmittedBytes, ""), rate(Metric::SentBytes, ""));
    rules.alert("TcpRetransmissions", &format!("{share} > {retransmitted}"), "10m", "alert-retransmissions");
    rules.alert(
        "TcpMemoryPressure",
        &format!("increase({}[10m]) > 0", name(Metric::MemoryPressureEvents)),
        "0m",
        "alert-memory-pressure",
    );
    rules.alert(
        "TcpReceivePruned",
        &format!("increase({}[10m]) > 0", name(Metric::ReceivePruned)),
        "0m",
        "alert-pruned",
    );
    rules.alert("TcpwhyFoldsSeries", &format!("{} > 0", name(Metric::FoldedSeries)), "1h", "alert-folded");
    rules.text
}

struct Rules<'a> {
    text: String,
    words: &'a Catalogue,
}

impl Rules<'_> {
    fn record(&mut self, name: &str, query: &str) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "      - record: {name}\n        expr: {}", quoted(query));
    }

    fn alert(&mut self, name: &str, query: &str, lasts: &str, id: &str) {
        let summary = self.words.word(id);
        let description = self.words.word(&format!("{id}-about"));
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            self.text,
            "      - alert: {name}\n        expr: {}\n        for: {lasts}\n        labels:\n          severity: warning\n        \
             annotations:\n          summary: {}\n          description: {}",
            quoted(query),
            quoted(&summary),
            quoted(&description)
        );
    }
}

/// Quotes `text` as a YAML string.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
