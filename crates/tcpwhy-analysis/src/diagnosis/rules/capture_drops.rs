//! Data was acknowledged that the capture does not contain: the capture lost packets, not the network.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "capture-drops", limits: &[], severity: Severity::Warning, detect: Detect::Half(detect) };

/// The receiver acknowledged data that is missing in the capture.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let missing = facts.half.counts.unseen_bytes;
    if missing == 0 || facts.half.counts.segments == 0 {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.severity = Severity::Info;
    let seconds = facts.seconds_of(tcpwhy_model::Limit::Unobserved);
    finding.seconds = (seconds > 0.0).then_some(seconds);
    if facts.share(seconds) >= 0.1 || missing * 20 >= facts.half.counts.bytes {
        finding.severity = Severity::Warning;
    }
    finding.evidence.push(exact(EvidenceKey::MissingBytes, missing));
    finding.fixes = vec![tcpwhy_advice::capture_without_drops()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn acknowledged_but_never_seen() {
        let mut all = Transfer { send_buffer: Some(64_000), ..Transfer::default() }.run();
        let mut data = 0;
        // The capture lacks the end of a burst, so that the ACK comes before any later data.
        all.retain(|s| {
            data += u32::from(s.payload_len > 0);
            s.payload_len == 0 || !(40..=180).contains(&data)
        });
        assert!(number(&fires(RULE.id, &all), "missing_bytes") > 0.0);
    }

    /// The receiver's ACK shows that it lacks the data as well.
    #[test]
    fn the_first_segment_is_lost() {
        let begun = "0.000 > S 0:0(0) win 65535 <mss 1460,sackOK>
             0.0001 < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK>
             0.020 > . 1:1(0) ack 1
             0.021 > P. 1461:1801(340) ack 1";
        let with = |ack: &str| script(&format!("{begun}\n{ack}")).segments;
        is_silent(RULE.id, &with("0.0211 < . 1:1(0) ack 1 win 65535 <sack 1461:1801>"));
        fires(RULE.id, &with("0.0211 < . 1:1(0) ack 1801 win 65535"));
    }

    #[test]
    fn lost_on_the_way() {
        is_silent(RULE.id, &Transfer { lost_every: Some(60), ..Transfer::default() }.run());
    }
}
