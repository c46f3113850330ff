//! A window on the sender's side limited, but the packets do not tell which: the congestion window, a clamp on it, or a send
//! buffer that every ACK refills.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};
use crate::outcome::Vantage;

pub(super) static RULE: Rule = Rule {
    id: "congestion-window-unknown",
    limits: &[Limit::CongestionWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.15, |c| {
        c.limit == Limit::CongestionWindow && matches!(c.detail, Some(Detail::Other) | None)
    })?;
    finding.evidence.push(inferred("flight_bytes", facts.flight(Limit::CongestionWindow)?));
    finding.evidence.extend(facts.rtt_evidence(Limit::CongestionWindow));
    if let Some(window) = facts.window(Limit::CongestionWindow) {
        finding.evidence.push(exact("window_bytes", window));
    }
    finding.fixes = vec![advice::sample_socket(), advice::remove_so_sndbuf()];
    if facts.half.vantage != Vantage::Sender {
        finding.fixes.insert(1, advice::capture_at_sender());
    }
    finding.prediction = if_removed(facts, Detail::Other.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{explains, with_facts};
    use super::*;

    #[test]
    fn explains_what_nothing_else_does() {
        let finding = explains(detect, Detail::Other);
        assert_eq!(finding.fixes[0].id, "sample-socket");
        assert!(with_facts(Detail::PostLoss.into(), detect).is_none());
    }
}
