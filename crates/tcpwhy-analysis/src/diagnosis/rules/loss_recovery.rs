//! Packets were lost and repaired by fast retransmit (RFC 5681 §3.2, RFC 6675), during which the sender sends
//! little new data.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::loss_fixes::for_losses;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "loss-recovery",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| {
        c.limit == Limit::LossRecovery && matches!(c.detail, Some(Detail::Fast) | None)
    })?;
    finding.evidence.push(exact(EvidenceKey::RetransmittedPercent, facts.retransmitted_percent()));
    finding.evidence.push(inferred(EvidenceKey::RecoveryCount, facts.half.fast_recoveries + facts.half.timeouts));
    finding.evidence.push(exact(EvidenceKey::RetransmittedCount, facts.half.counts.retransmitted_segments));
    if facts.half.timeouts > 0 {
        finding.evidence.push(inferred(EvidenceKey::TimeoutCount, facts.half.timeouts));
    }
    finding.evidence.extend(facts.rtt_evidence(Limit::LossRecovery));
    if facts.half.counts.reordered_segments > 0 {
        finding.evidence.push(inferred(EvidenceKey::ReorderedCount, facts.half.counts.reordered_segments));
    }
    (finding.fixes, finding.prediction) = for_losses(facts, Detail::Fast.into(), tcpwhy_advice::use_bbr());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{explains, fires, is_silent, number};
    use super::*;

    #[test]
    fn losses_that_fast_retransmit_repairs() {
        let finding = fires(RULE.id, &Transfer { lost_every: Some(40), bytes: 1_000_000, ..Transfer::default() }.run());
        assert!((1.5..4.0).contains(&number(&finding, "retransmitted_percent")), "{finding:?}");
        assert!(number(&finding, "recovery_count") >= 5.0, "{finding:?}");
    }

    #[test]
    fn no_loss() {
        is_silent(RULE.id, &Transfer::default().run());
        assert!(!explains(detect, Detail::Fast).fixes.is_empty());
    }
}
