//! A loss could not be repaired by what followed it: the sender waited for a timer (RFC 6298; tail loss probes, RFC 8985 §7).
//!
//! Linux waits 200 ms at least and doubles with every repeat, up to two minutes (`tcp_rto_min_us`, `tcp_rto_max_ms`).

use tcpwhy_model::{Detail, Evidence, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "retransmission-timeouts",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.05, |c| matches!(c.detail, Some(Detail::Rto | Detail::Tlp)))?;
    // Away from the sender its timer shows as a long stretch under the limit.
    let longest = match facts.half.timeout_silence.nanos() {
        Some(silence) if silence > 0 => silence,
        _ => facts.stretches(Detail::Rto).last().copied().unwrap_or(0),
    };
    finding.evidence.push(inferred("timeout_count", facts.half.timeouts.max(1)));
    finding.evidence.push(inferred("longest_us", longest / 1000));
    let retransmitted = facts.half.counts.retransmitted_segments;
    finding.evidence.extend(what_was_retransmitted(retransmitted, facts.retransmitted_percent()));
    finding.evidence.extend(facts.rtt_evidence(Limit::LossRecovery));
    if facts.sender_syn.zip(facts.receiver_syn).is_some_and(|(a, b)| !(a.has_sack && b.has_sack)) {
        finding.evidence.push(exact("is_sack_permitted", false));
    }
    finding.fixes = vec![advice::fix_loss(), advice::enable_loss_probes()];
    finding.prediction = if_removed(facts, Detail::Rto.into());
    Some(finding)
}

/// Nothing where nothing was captured twice: what is lost before the capture point comes there once, and "0 retransmitted" beside a
/// timeout would deny it.
fn what_was_retransmitted(segments: u64, percent: f64) -> impl Iterator<Item = Evidence> {
    let evidence = [exact("retransmitted_percent", percent), exact("retransmitted_count", segments)];
    evidence.into_iter().filter(move |_| segments > 0)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{explains, fires, is_silent, number};
    use super::*;

    #[test]
    fn the_last_segment_is_lost() {
        let finding = fires(RULE.id, &Transfer { bytes: 100_000, lost: vec![69], ..Transfer::default() }.run());
        assert_eq!(finding.severity, Severity::Critical);
        assert!((190_000.0..300_000.0).contains(&number(&finding, "longest_us")), "{finding:?}");
    }

    #[test]
    fn what_came_once_is_not_called_not_retransmitted() {
        assert_eq!(what_was_retransmitted(0, 0.0).count(), 0);
        assert_eq!(what_was_retransmitted(2, 1.4).count(), 2);
    }

    #[test]
    fn a_loss_in_the_middle() {
        is_silent(RULE.id, &Transfer { lost: vec![500], ..Transfer::default() }.run());
        explains(detect, Detail::Tlp);
    }
}
