//! The sender spaced its segments evenly at its own estimate of the path, as BBR does.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "congestion-window-paced",
    limits: &[Limit::CongestionWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.2;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::Paced))?;
    let rate = facts.rate_under(Limit::CongestionWindow).unwrap_or_else(|| facts.goodput());
    finding.evidence.push(inferred(EvidenceKey::RateBitsPerS, rate * 8.0));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.rtt_evidence(Limit::CongestionWindow));
    finding.fixes = vec![tcpwhy_advice::raise_capacity(), tcpwhy_advice::sample_socket()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, mbit};

    use super::super::testing::{explains, fires, is_silent, number, with_facts};
    use super::*;

    #[test]
    fn a_pacer_at_its_estimate() {
        let rate = mbit(50);
        let paced = Transfer {
            bytes: 12_000_000,
            rate: Some(rate),
            rtt: 40_130_000,
            estimates_path: true,
            ..Transfer::default()
        };
        let finding = fires(RULE.id, &paced.run());
        assert!((0.8..1.1).contains(&(number(&finding, "rate_bits_per_s") / (rate as f64 * 8.0))), "{finding:?}");
        is_silent(RULE.id, &Transfer { estimates_path: false, ..paced }.run());
    }

    #[test]
    fn explains_a_sender_that_paces() {
        assert!(!explains(detect, Detail::Paced).fixes.is_empty());
        assert!(with_facts(Detail::PostLoss.into(), detect).is_none());
    }
}
