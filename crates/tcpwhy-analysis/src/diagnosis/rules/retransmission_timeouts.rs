//! Later packets could not reveal a loss, so the sender waited for a timer (RFC 6298; tail loss probes, RFC
//! 8985 §7).
//!
//! Linux waits at least 200 ms and doubles the time with every retransmission, up to two minutes
//! (`tcp_rto_min_us`, `tcp_rto_max_ms`).

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::loss_fixes::for_losses;
use crate::diagnosis::{Detect, Rule};

pub(in crate::diagnosis) static RULE: Rule = Rule {
    id: "retransmission-timeouts",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| matches!(c.detail, Some(Detail::Rto | Detail::Tlp)))?;
    // Away from the sender, its timer shows as a long stretch under this limit.
    let longest = match facts.half.timeout_silence.nanos() {
        Some(silence) if silence > 0 => silence,
        _ => facts.stretches(Detail::Rto).last().copied().unwrap_or(0),
    };
    finding.evidence.push(inferred(EvidenceKey::TimeoutCount, facts.half.timeouts.max(1)));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, longest / 1000));
    let retransmitted = facts.half.counts.retransmitted_segments;
    // If the capture lacks the retransmission, "0 retransmitted" beside a timeout would be a contradiction.
    if retransmitted > 0 {
        finding.evidence.push(exact(EvidenceKey::RetransmittedPercent, facts.retransmitted_percent()));
        finding.evidence.push(exact(EvidenceKey::RetransmittedCount, retransmitted));
    }
    finding.evidence.extend(facts.rtt_evidence(Limit::LossRecovery));
    if facts.sender_syn.zip(facts.receiver_syn).is_some_and(|(a, b)| !(a.has_sack && b.has_sack)) {
        finding.evidence.push(exact(EvidenceKey::IsSackPermitted, false));
    }
    (finding.fixes, finding.prediction) = for_losses(facts, Detail::Rto.into(), tcpwhy_advice::enable_loss_probes());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, script};

    use super::super::testing::{connections, explains, fires, is_silent, number};
    use super::*;

    #[test]
    fn the_last_segment_is_lost() {
        let finding = fires(RULE.id, &Transfer { bytes: 100_000, lost: vec![69], ..Transfer::default() }.run());
        assert_eq!(finding.severity, Severity::Critical);
        assert!((190_000.0..300_000.0).contains(&number(&finding, "longest_us")), "{finding:?}");
    }

    /// The peer retransmits its answer while this side had nothing to retransmit, so the timeouts are the
    /// peer's.
    #[test]
    fn whoever_has_nothing_to_repeat_waits_for_no_timer() {
        let segments = script(
            "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.000 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
     0.021 > P. 1:101(100) ack 1
     0.021 < . 1:1(0) ack 101 win 65535
     0.100 < P. 1:501(500) ack 101 win 65535
     0.320 < P. 1:501(500) ack 101 win 65535
     0.760 < P. 1:501(500) ack 101 win 65535
     1.650 < P. 1:501(500) ack 101 win 65535
     1.670 > P. 101:201(100) ack 501
     1.670 < . 501:501(0) ack 201 win 65535",
        )
        .segments;
        let all = connections(&segments);
        let repeating = |half: &&crate::HalfConnection| half.findings.iter().any(|f| f.rule == RULE.id);
        let senders: Vec<_> = all[0].halves.iter().filter(repeating).map(|half| half.bytes).collect();
        assert_eq!(senders, [500]);
        let lost = Transfer { bytes: 100_000, lost: vec![69], ..Transfer::default() };
        assert!(number(&fires(RULE.id, &lost.run()), "retransmitted_count") > 0.0);
    }

    #[test]
    fn a_loss_in_the_middle() {
        is_silent(RULE.id, &Transfer { lost: vec![500], ..Transfer::default() }.run());
        explains(detect, Detail::Tlp);
    }
}
