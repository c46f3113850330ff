//! Slow start ended on rising delay, without loss, and the window then grew slowly: `HyStart` (RFC 9406, `hystart_update` in
//! Linux's `tcp_cubic`).

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "congestion-window-delay-exit",
    limits: &[Limit::CongestionWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// Less of the time is no finding, unless the verdict names it.
const LEAST_SHARE: f64 = 0.1;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::DelayExit))?;
    finding.evidence.push(inferred(EvidenceKey::FlightBytes, facts.flight(Limit::CongestionWindow)?));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.rtt_evidence(Limit::CongestionWindow));
    finding.fixes = vec![tcpwhy_advice::use_bbr(), tcpwhy_advice::disable_hystart()];
    finding.prediction = if_removed(facts, Detail::DelayExit.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{explains, fires, is_silent, number, with_facts};
    use super::*;

    #[test]
    fn slow_start_that_ends_without_a_loss() {
        let early = Transfer { slow_start_until: Some(40_000), ..Transfer::default() };
        let finding = fires(RULE.id, &early.run());
        assert!((30_000.0..400_000.0).contains(&number(&finding, "flight_bytes")), "{finding:?}");
        is_silent(RULE.id, &Transfer { lost_every: Some(200), ..early }.run());
        is_silent(RULE.id, &Transfer::default().run());
    }

    #[test]
    fn explains_an_early_exit() {
        assert!(!explains(detect, Detail::DelayExit).fixes.is_empty());
        assert!(with_facts(Detail::PostLoss.into(), detect).is_none());
    }
}
