//! The bottleneck of the path had work all the time: its capacity limits, and a larger window only lengthens its queue.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "path-busy",
    limits: &[Limit::Path],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding =
        facts.explain(&RULE, 0.2, |c| c.limit == Limit::Path && c.detail != Some(Detail::Policer))?;
    let rate = facts.rate_under(Limit::Path).unwrap_or_else(|| facts.goodput());
    finding.evidence.push(inferred("rate_bits_per_s", rate * 8.0));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.rtt_evidence());
    if facts.counts.retransmitted_bytes > 0 {
        finding.evidence.push(exact("retransmitted_percent", facts.retransmitted_percent()));
    }
    if facts.verdict.reason == Some("window-held-by-queue") {
        finding.evidence.push(exact("window_bytes", facts.window_max));
    }
    finding.fixes = vec![advice::raise_capacity()];
    finding.prediction = if_removed(facts, Detail::Queue.into());
    Some(finding)
}
