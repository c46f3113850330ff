//! Packets were lost and repaired by fast retransmit (RFC 5681 §3.2, RFC 6675): meanwhile little new data flows.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "loss-recovery",
    limits: &[Limit::LossRecovery],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.05, |c| {
        c.limit == Limit::LossRecovery && matches!(c.detail, Some(Detail::Fast) | None)
    })?;
    finding.evidence.push(exact("retransmitted_percent", facts.retransmitted_percent()));
    finding.evidence.push(inferred("recovery_count", facts.fast_recoveries + facts.timeouts));
    finding.evidence.push(exact("retransmitted_count", facts.counts.retransmitted_segments));
    if facts.timeouts > 0 {
        finding.evidence.push(inferred("timeout_count", facts.timeouts));
    }
    finding.evidence.extend(facts.rtt_evidence());
    if facts.counts.reordered_segments > 0 {
        finding.evidence.push(inferred("reordered_count", facts.counts.reordered_segments));
    }
    finding.fixes = vec![advice::fix_loss(), advice::use_bbr()];
    finding.prediction = if_removed(facts, Detail::Fast.into());
    Some(finding)
}
