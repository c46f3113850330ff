//! The connection contained only keep-alives (RFC 9293 §3.8.4): probes one byte before the next sequence
//! number.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "keep-alive-only", limits: &[], severity: Severity::Info, detect: Detect::Connection(detect) };

/// The packets show nothing else.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let probes: u64 = facts.probes.iter().sum();
    if probes == 0 || facts.bytes != [0, 0] {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ProbeCount, probes));
    if let Some(period) = facts.keep_alives.iter().flatten().filter_map(|k| k.period).min() {
        finding.evidence.push(exact(EvidenceKey::KeepAlivePeriodUs, period / 1000));
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn with_and_without_a_byte() {
        let text = "0.00 > . 99:99(0) ack 50
            0.02 < . 50:50(0) ack 100
            75.0 > . 99:99(0) ack 50
            75.02 < . 50:50(0) ack 100
            150.0 > . 99:100(1) ack 50
            150.02 < . 50:50(0) ack 100";
        let finding = fires(RULE.id, &script(text).segments);
        assert!((number(&finding, "probe_count") - 2.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "keep_alive_period_us") - 75e6).abs() < 1.0, "{finding:?}");
    }

    #[test]
    fn with_data() {
        is_silent(RULE.id, &Transfer::default().run());
    }
}
