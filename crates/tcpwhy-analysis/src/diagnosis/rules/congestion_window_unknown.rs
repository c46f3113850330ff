//! A window at the sender was the limit, but the packets do not show which. Candidates are the congestion
//! window, a clamp on it, and a send buffer that every ACK refills.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Vantage;

pub(super) static RULE: Rule = Rule {
    id: "congestion-window-unknown",
    limits: &[Limit::CongestionWindow],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.15;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| {
        c.limit == Limit::CongestionWindow && matches!(c.detail, Some(Detail::Other) | None)
    })?;
    finding.evidence.push(inferred(EvidenceKey::FlightBytes, facts.flight(Limit::CongestionWindow)?));
    finding.evidence.extend(facts.rtt_evidence(Limit::CongestionWindow));
    if let Some(window) = facts.window(Limit::CongestionWindow) {
        finding.evidence.push(exact(EvidenceKey::WindowBytes, window));
    }
    finding.fixes = vec![tcpwhy_advice::sample_socket(), tcpwhy_advice::remove_so_sndbuf()];
    if facts.half.vantage != Vantage::Sender {
        finding.fixes.insert(1, tcpwhy_advice::capture_at_sender());
    }
    finding.prediction = if_removed(facts, Detail::Other.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer, mbit};

    use super::super::testing::{explains, fires, is_silent, with_facts};
    use super::*;

    #[test]
    fn a_clamp_that_every_ack_refills() {
        let clamped = Transfer {
            rtt: 530_000,
            bytes: 1_638_811,
            rate: Some(mbit(100)),
            window_clamp: Some(4789),
            estimates_path: true,
            capture: Capture::Middle,
            ..Transfer::default()
        };
        let finding = fires(RULE.id, &clamped.run());
        assert!(finding.fixes.iter().any(|f| f.id == tcpwhy_advice::capture_at_sender().id), "{finding:?}");
        is_silent(RULE.id, &Transfer { window_clamp: None, ..clamped }.run());
    }

    #[test]
    fn explains_what_nothing_else_does() {
        let finding = explains(detect, Detail::Other);
        assert_eq!(finding.fixes[0].id, "sample-socket");
        assert!(with_facts(Detail::PostLoss.into(), detect).is_none());
    }
}
