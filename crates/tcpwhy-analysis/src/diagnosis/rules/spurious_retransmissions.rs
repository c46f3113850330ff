//! The receiver reported duplicate data (D-SACK, RFC 2883): the original was late or reordered, and not lost.
//! If its ACKs were lost, [`super::lost_acks`] applies.
//!
//! A tail loss probe whose original arrived after all is reported the same way, so a few reports mean
//! nothing. A keep-alive probe with an octet is reported as well (RFC 9293, section 3.8.4). More reports than
//! retransmissions in the capture therefore have another cause.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "spurious-retransmissions",
    limits: &[Limit::LossRecovery],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// The receiver reported the duplicates.
const CONFIDENCE: f64 = 0.85;
/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

/// Minimum number of reports. Fewer may come from tail loss probes.
const LEAST: u64 = 5;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let count = u64::from(facts.half.spurious_segments);
    let again = facts.half.counts.retransmitted_segments;
    let explained = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::Spurious));
    let is_much = count >= LEAST && count * 4 >= again && count <= again;
    // Without a considerable share of the time, the finding is a note.
    let aside = || is_much.then(|| Finding { severity: Severity::Info, ..note(&RULE, CONFIDENCE) });
    let mut finding = explained.or_else(aside)?;
    finding.evidence.push(inferred(EvidenceKey::SpuriousCount, count.max(1)));
    finding.evidence.push(exact(EvidenceKey::RetransmittedCount, again));
    finding.evidence.push(inferred(EvidenceKey::ReorderedCount, facts.half.counts.reordered_segments));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.fixes = vec![tcpwhy_advice::stop_reordering(), tcpwhy_advice::enable_loss_probes()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::super::testing::{explains, fires, is_silent, number};
    use super::*;

    /// Segments that were late, retransmitted, and received twice. `block` is the receiver's SACK option for
    /// each.
    fn late(block: impl Fn(u32) -> String) -> String {
        let mut lines = vec![
            "0.000 > S 0:0(0) <mss 1000,sackOK>".to_owned(),
            "0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>".into(),
            "0.020 > . 1:1(0) ack 1".into(),
        ];
        for i in 0..12 {
            let (start, end) = (i * 1000 + 1, (i + 1) * 1000 + 1);
            lines.push(format!("+0.010 > P. {start}:{end}(1000) ack 1 win 512"));
            lines.push(format!("+0.100 > P. {start}:{end}(1000) ack 1 win 512"));
            lines.push(format!("+0.010 < . 1:1(0) ack {end} win 65535"));
            lines.push(format!("+0.010 < . 1:1(0) ack {end} win 65535 {}", block(i)));
        }
        lines.join("\n")
    }

    #[test]
    fn reported_twice() {
        let text = late(|i| format!("<sack {}:{}>", i * 1000 + 1, (i + 1) * 1000 + 1));
        let finding = fires(RULE.id, &script(&text).segments);
        assert!((number(&finding, "spurious_count") - 12.0).abs() < 0.1, "{finding:?}");
    }

    /// An idle session with `count` segments that are retransmitted needlessly.
    fn resting(count: u32) -> String {
        let mut lines = vec![late(|i| format!("<sack {}:{}>", i * 1000 + 1, (i + 1) * 1000 + 1))];
        let handshake_and_each = 3 + 4 * count as usize;
        lines[0] = lines[0].lines().take(handshake_and_each).collect::<Vec<_>>().join("\n");
        let (start, end) = (count * 1000 + 1, (count + 1) * 1000 + 1);
        lines.push(format!("+300 > P. {start}:{end}(1000) ack 1 win 512\n+0.010 < . 1:1(0) ack {end} win 65535"));
        lines.join("\n")
    }

    #[test]
    fn what_took_hardly_any_time_warns_of_nothing() {
        let finding = fires(RULE.id, &script(&resting(6)).segments);
        assert_eq!((finding.severity, finding.seconds), (Severity::Info, None));
        is_silent(RULE.id, &script(&resting(4)).segments);
    }

    /// Keep-alive probes with an octet, as Windows sends them: each is reported as received twice, but none
    /// is a retransmission.
    #[test]
    fn keep_alive_probes_of_an_idle_session() {
        let mut lines = vec![resting(0)];
        for _ in 0..8 {
            lines.push(
                "+30 > . 1000:1001(1) ack 1 win 512\n+0.001 < . 1:1(0) ack 1001 win 65535 <sack 1000:1001>".into(),
            );
        }
        is_silent(RULE.id, &script(&lines.join("\n")).segments);
    }

    #[test]
    fn repairs_that_were_needed() {
        is_silent(RULE.id, &tcpwhy_testkit::Transfer { lost_every: Some(50), ..Default::default() }.run());
        explains(detect, Detail::Spurious);
    }
}
