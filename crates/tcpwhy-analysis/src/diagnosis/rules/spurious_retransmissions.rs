//! The receiver reported data that it received twice (D-SACK, RFC 2883): nothing had been lost, it was late or out of order.
//!
//! A tail loss probe whose original arrived after all is reported the same way, so a few of them mean nothing.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred, note};
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "spurious-retransmissions",
    limits: &[Limit::LossRecovery],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// Fewer may be tail loss probes.
const LEAST: u64 = 5;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let count = facts.counts.dsacks;
    let again = facts.counts.retransmitted_segments;
    let explained = facts.explain(&RULE, 0.05, |c| c.detail == Some(Detail::Spurious));
    let is_much = count >= LEAST && count * 4 >= again;
    let mut finding = explained.or_else(|| is_much.then(|| note(&RULE, 0.85)))?;
    finding.evidence.push(inferred("spurious_count", count.max(1)));
    finding.evidence.push(exact("retransmitted_count", again));
    finding.evidence.push(inferred("reordered_count", facts.counts.reordered_segments));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.fixes = vec![advice::stop_reordering(), advice::enable_loss_probes()];
    Some(finding)
}
