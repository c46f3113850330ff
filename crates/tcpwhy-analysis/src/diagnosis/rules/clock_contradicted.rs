//! The capture's clock contradicts the ends' TCP timestamps: packets were stamped in batches, as a buffer
//! was read, or by a clock that jumps.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "clock-contradicted", limits: &[], severity: Severity::Warning, detect: Detect::Connection(detect) };

/// A path that holds packets back again and again, and lets them go at once, looks alike.
const CONFIDENCE: f64 = 0.95;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    if !facts.clock.are_contradicted() {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::ContradictedCount, u64::from(facts.clock.contradicted)));
    finding.evidence.push(exact(EvidenceKey::StampedBackCount, u64::from(facts.clock.stamped_back)));
    finding.evidence.push(exact(EvidenceKey::ComparedCount, u64::from(facts.clock.timed)));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Limit};
    use tcpwhy_testkit::{Capture, Transfer, Turns, script};

    use super::super::testing::{connections, fires, is_silent, number};
    use super::*;

    /// Two requests over 70 ms by the ends' clocks, which a capture stamps in batches of a second.
    fn batches(stretch: u32) -> String {
        let at = |micros: u32| format!("{}.{:06}", micros * stretch / 1_000_000, micros * stretch % 1_000_000);
        format!(
            "{} > S 0:0(0) win 65535 <mss 1460,nop,nop,TS val 1000 ecr 0>
             {} < S. 0:0(0) ack 1 win 65535 <mss 1460,nop,nop,TS val 7035 ecr 1000>
             {} > . 1:1(0) ack 1 win 65535 <nop,nop,TS val 1070 ecr 7035>
             {} > P. 1:401(400) ack 1 win 65535 <nop,nop,TS val 1070 ecr 7035>
             {} < P. 1:601(600) ack 401 win 65535 <nop,nop,TS val 7105 ecr 1070>
             {} > P. 401:801(400) ack 601 win 65535 <nop,nop,TS val 1140 ecr 7105>
             1.500000 < P. 601:1201(600) ack 801 win 65535 <nop,nop,TS val 7175 ecr 1140>
             1.500020 > . 801:801(0) ack 1201 win 65535 <nop,nop,TS val 1210 ecr 7175>",
            at(0),
            at(35),
            at(70),
            at(71),
            at(105),
            at(140)
        )
    }

    /// Two round trips of 70 ms in 0.7 ms, and then a wait of 1.5 s that no end knows of: no cause is named.
    #[test]
    fn packets_stamped_in_batches() {
        let segments = script(&batches(5)).segments;
        let finding = fires(RULE.id, &segments);
        assert_eq!(finding.severity, Severity::Warning);
        assert!((number(&finding, "contradicted_count") - 2.0).abs() < 0.1, "{finding:?}");
        for half in &connections(&segments)[0].halves {
            assert_eq!(half.verdict.cause, Some(Cause::plain(Limit::Unobserved)), "{half:?}");
            assert_eq!(half.verdict.severity, Some(Severity::Info));
        }
    }

    /// A program wrote microseconds without their zeros: 1.069 s became 1.69 s.
    #[test]
    fn packets_stamped_back() {
        let mut segments = Transfer { bytes: 100_000, ..Transfer::default() }.run();
        is_silent(RULE.id, &segments);
        for segment in segments.iter_mut().skip(10).step_by(10) {
            segment.timestamp = segment.timestamp.plus(500_000_000);
        }
        let finding = fires(RULE.id, &segments);
        assert!(number(&finding, "stamped_back_count") >= 3.0, "{finding:?}");
        assert!(number(&finding, "contradicted_count") < 0.1, "{finding:?}");
    }

    /// The same at the pace of the ends' clocks.
    #[test]
    fn packets_stamped_as_they_passed() {
        is_silent(RULE.id, &script(&batches(1_000)).segments);
        for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
            is_silent(RULE.id, &Transfer { capture, lost_every: Some(50), ..Transfer::default() }.run());
        }
        is_silent(RULE.id, &Turns::default().run());
    }
}
