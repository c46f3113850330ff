//! After losses, the congestion window was small and grew back slowly (RFC 5681 §3.1, RFC 9438 §4). It grows
//! by one segment per round trip, or along CUBIC's curve, which takes seconds at any round trip.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::loss_fixes::for_losses;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "congestion-window-post-loss",
    limits: &[Limit::CongestionWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.05;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::PostLoss))?;
    let flight = facts.half.flight?;
    finding.evidence.push(inferred(EvidenceKey::FlightBytes, facts.flight(Limit::CongestionWindow)?));
    finding.evidence.extend(facts.rtt_evidence(Limit::CongestionWindow));
    finding.evidence.push(inferred(EvidenceKey::FlightMaxBytes, flight.max));
    finding.evidence.push(exact(EvidenceKey::RetransmittedPercent, facts.retransmitted_percent()));
    finding.evidence.push(inferred(EvidenceKey::RecoveryCount, facts.half.fast_recoveries + facts.half.timeouts));
    (finding.fixes, finding.prediction) = for_losses(facts, Detail::PostLoss.into(), tcpwhy_advice::use_bbr());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{explains, fires, is_silent, number};
    use super::*;

    #[test]
    fn a_window_that_losses_keep_small() {
        let finding = fires(RULE.id, &Transfer { lost_every: Some(200), ..Transfer::default() }.run());
        assert_eq!(finding.severity, Severity::Critical);
        assert!(number(&finding, "flight_bytes") < 60_000.0, "{finding:?}");
        assert!(finding.prediction.is_some());
    }

    #[test]
    fn no_loss() {
        is_silent(RULE.id, &Transfer::default().run());
        explains(detect, Detail::PostLoss);
    }
}
