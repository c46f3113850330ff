//! Slow start ended on rising delay, without loss, and the window then grew slowly: `HyStart` (RFC 9406, `hystart_update` in
//! Linux's `tcp_cubic`).

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "congestion-window-delay-exit",
    limits: &[Limit::CongestionWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.1, |c| c.detail == Some(Detail::DelayExit))?;
    finding.evidence.push(inferred("flight_bytes", facts.flight(Limit::CongestionWindow)?));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.rtt_evidence(Limit::CongestionWindow));
    finding.fixes = vec![advice::use_bbr(), advice::disable_hystart()];
    finding.prediction = if_removed(facts, Detail::DelayExit.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{explains, with_facts};
    use super::*;

    #[test]
    fn explains_an_early_exit() {
        assert!(!explains(detect, Detail::DelayExit).fixes.is_empty());
        assert!(with_facts(Detail::PostLoss.into(), detect).is_none());
    }
}
