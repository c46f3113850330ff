//! Data is missing at the receiver although later data arrived. Nothing fills the hole until the receiver
//! gives up or the capture ends. Retransmissions do not reach the capture point, or the sender sends none.
//!
//! The receiver itself reports the hole by duplicate ACKs or SACK (RFC 2018 §3), so the capture is complete.
//! If only segments of one size are missing, [`super::pmtu_black_hole`] applies as well.

use tcpwhy_model::{EvidenceKey, Finding, Limit, Severity, Value};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "hole-left-open",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// The receiver reports the missing data.
const CONFIDENCE: f64 = 0.9;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let hole = facts.hole?;
    let mut finding = note(&RULE, CONFIDENCE);
    let nanos = hole.until - hole.since;
    finding.seconds = Some((nanos as f64 / 1e9).min(facts.seconds()));
    finding.evidence.push(exact(EvidenceKey::HoleBytes, hole.bytes));
    finding.evidence.push(exact(EvidenceKey::HoleOpenUs, nanos / 1000));
    let end = if hole.is_given_up { "receiver_closed" } else { "capture" };
    finding.evidence.push(exact(EvidenceKey::EndedBy, Value::Word(end.to_owned())));
    finding.evidence.push(exact(EvidenceKey::LargestArrivedBytes, hole.largest));
    finding.fixes = vec![tcpwhy_advice::look_for_peer()];
    if facts.is_large_missing() {
        finding.fixes.insert(0, tcpwhy_advice::fix_mtu());
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Detail, Segment};
    use tcpwhy_testkit::script;

    use super::super::testing::{connections, findings, fires, fixes, is_silent, number};
    use super::*;

    /// A capture at the receiver: a small segment, a hole, and a segment of `size` bytes.
    fn packets(size: u32, last: &str) -> Vec<Segment> {
        let end = 2401 + size;
        let text = format!(
            "0.000 < S 0:0(0) win 65535 <mss 1000,sackOK>
             0.000 > S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
             0.040 < . 1:1(0) ack 1
             0.041 < P. 1:401(400) ack 1
             0.041 > . 1:1(0) ack 401 win 65535
             0.140 < P. 2401:{end}({size}) ack 1
             0.140 > . 1:1(0) ack 401 win 65535 <sack 2401:{end}>
             {last}"
        );
        script(&text).segments
    }

    const GIVEN_UP: &str = "25.140 > F. 1:1(0) ack 401 win 65535";

    #[test]
    fn a_receiver_that_gives_up_after_twenty_five_seconds() {
        let all = packets(700, GIVEN_UP);
        let finding = fires(RULE.id, &all);
        assert!((number(&finding, "hole_bytes") - 2000.0).abs() < 0.1, "{finding:?}");
        assert_eq!((finding.severity, finding.seconds), (Severity::Critical, Some(25.0)));
        let half = &connections(&all)[0].halves[0];
        assert_eq!(half.verdict.cause, Some(Cause::from(Detail::Rto)));
        assert!((half.span.seconds() - 25.14).abs() < 0.001, "{:?}", half.span);
    }

    /// No full-size segment arrives, because the path drops them.
    #[test]
    fn large_segments_are_missing() {
        let all = packets(700, GIVEN_UP);
        assert!(fixes(&fires(RULE.id, &all)).contains(&"fix-mtu"));
        fires("pmtu-black-hole", &all);
        let all = packets(1000, GIVEN_UP);
        assert!(!fixes(&fires(RULE.id, &all)).contains(&"fix-mtu"));
        assert_eq!(findings("pmtu-black-hole", &all), []);
    }

    /// `HOLE_LEFT_OPEN`: three seconds, also at the end of the capture.
    #[test]
    fn a_capture_that_ends_in_a_repair() {
        fires(RULE.id, &packets(700, "3.140 < . 3101:3101(0) ack 1"));
        is_silent(RULE.id, &packets(700, "3.139 < . 3101:3101(0) ack 1"));
    }

    #[test]
    fn a_hole_that_is_filled_or_that_only_the_capture_has() {
        is_silent(
            RULE.id,
            &packets(700, "9.000 < . 401:2401(2000) ack 1\n9.000 > . 1:1(0) ack 3101\n25.0 > F. 1:1(0) ack 3101"),
        );
        is_silent(RULE.id, &packets(700, "0.200 > . 1:1(0) ack 3101 win 65535\n25.140 > F. 1:1(0) ack 3101"));
    }
}
