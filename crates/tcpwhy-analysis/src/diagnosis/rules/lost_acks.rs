//! The data arrived but its ACKs were lost. The sender's timer expired, and it retransmitted data that the
//! receiver had.
//!
//! Away from the sender, the ACK passed the capture long before the retransmission. At the sender, the first
//! ACK after the retransmission reports a duplicate (D-SACK, RFC 2883), and none came before. The rule
//! `spurious-retransmissions` covers ACKs that were only late and arrive after all, and reordered packets,
//! which are retransmitted within a round trip.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "lost-acks",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::LostAcks))?;
    let longest = facts.stretches(Detail::LostAcks).last().copied().unwrap_or(0);
    let repeats = facts.signs.map_or(0, |signs| signs.repairs.unacknowledged);
    finding.evidence.push(inferred(EvidenceKey::LostAckCount, repeats.max(1)));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, longest / 1000));
    finding.evidence.push(exact(EvidenceKey::RetransmittedCount, facts.half.counts.retransmitted_segments));
    finding.evidence.extend(facts.rtt_evidence(Limit::LossRecovery));
    finding.fixes = vec![tcpwhy_advice::fix_ack_loss()];
    finding.prediction = if_removed(facts, Detail::LostAcks.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{explains, fires, fixes, is_silent, number};
    use super::*;

    /// Ten segments over 20 ms, each retransmitted after `wait` milliseconds. At the receiver, their ACKs
    /// pass before.
    fn at_receiver(wait: u32) -> String {
        let mut lines = vec![
            "0.000 < S 0:0(0) win 65535 <mss 1000>".to_owned(),
            "0.000 > S. 0:0(0) ack 1 win 65535 <mss 1000>".into(),
            "0.020 < . 1:1(0) ack 1".into(),
        ];
        for i in 0..10 {
            let (start, end) = (i * 1000 + 1, (i + 1) * 1000 + 1);
            lines.push(format!("+0.021 < P. {start}:{end}(1000) ack 1"));
            lines.push(format!("+0.000 > . 1:1(0) ack {end} win 65535"));
            lines.push(format!("+0.{wait:03} < P. {start}:{end}(1000) ack 1"));
            lines.push(format!("+0.000 > . 1:1(0) ack {end} win 65535"));
        }
        lines.join("\n")
    }

    /// The same at the sender. `late`: whether the ACK of the original arrives after the retransmission;
    /// otherwise none does.
    fn at_sender(wait: u32, late: bool) -> String {
        let mut lines = vec![
            "0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>".to_owned(),
            "0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>".into(),
            "0.020 > . 1:1(0) ack 1".into(),
        ];
        for i in 0..10 {
            let (start, end) = (i * 1000 + 1, (i + 1) * 1000 + 1);
            lines.push(format!("+0.001 > P. {start}:{end}(1000) ack 1"));
            lines.push(format!("+0.{wait:03} > P. {start}:{end}(1000) ack 1"));
            if late {
                lines.push(format!("+0.005 < . 1:1(0) ack {end} win 65535"));
            }
            lines.push(format!("+0.020 < . 1:1(0) ack {end} win 65535 <sack {start}:{end}>"));
        }
        lines.join("\n")
    }

    #[test]
    fn acknowledgments_that_had_passed_long_before() {
        for text in [at_receiver(300), at_sender(300, false)] {
            let segments = script(&text).segments;
            let finding = fires(RULE.id, &segments);
            assert!((number(&finding, "lost_ack_count") - 10.0).abs() < 0.1, "{finding:?}");
            assert_eq!(fixes(&finding), ["fix-ack-loss"]);
            is_silent("spurious-retransmissions", &segments);
            is_silent("retransmission-timeouts", &segments);
        }
    }

    /// Within one or two round trips the ACK and the retransmission may cross, or the packet was reordered.
    #[test]
    fn repeats_that_come_soon_or_whose_acknowledgment_was_late() {
        for text in [at_receiver(30), at_sender(30, false), at_sender(300, true)] {
            let segments = script(&text).segments;
            is_silent(RULE.id, &segments);
            fires("spurious-retransmissions", &segments);
        }
    }

    #[test]
    fn data_that_was_lost() {
        is_silent(RULE.id, &Transfer { bytes: 100_000, lost: vec![69], ..Transfer::default() }.run());
        explains(detect, Detail::LostAcks);
    }
}
