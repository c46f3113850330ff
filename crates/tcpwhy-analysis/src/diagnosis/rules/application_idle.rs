//! Everything was sent and acknowledged, and the same side spoke next: the connection waited for its application.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "application-idle",
    limits: &[Limit::Application],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding =
        facts.explain(&RULE, 0.15, |c| matches!(c.detail, Some(Detail::Idle | Detail::CloseWait)))?;
    let mut pauses = facts.stretches(Detail::Idle);
    pauses.extend(facts.stretches(Detail::CloseWait));
    let longest = pauses.iter().copied().max().unwrap_or(0);
    finding.evidence.push(inferred("longest_us", longest / 1000));
    finding.evidence.push(inferred("pause_count", pauses.len() as u64));
    finding.fixes = vec![advice::write_more_ahead(), advice::profile_application()];
    finding.prediction = if_removed(facts, Detail::Idle.into());
    Some(finding)
}
