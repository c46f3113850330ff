//! The transfer was complete before the congestion window had grown. It starts with ten segments and doubles
//! in each round trip (RFC 6928, RFC 5681 §3.1).

use tcpwhy_model::{Basis, Estimate, EvidenceKey, Finding, Limit, Prediction, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::{claim, transfer};
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "slow-start-dominates",
    limits: &[Limit::SlowStart],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.4;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.limit == Limit::SlowStart)?;
    let rtt = facts.rtt_seconds()?;
    let rounds = (facts.seconds_of(Limit::SlowStart) / rtt).ceil().max(1.0);
    finding.evidence.push(exact(EvidenceKey::TransferBytes, facts.half.counts.bytes));
    finding.evidence.push(inferred(EvidenceKey::RoundCount, rounds as u64));
    finding.evidence.extend(facts.rtt_evidence_with_base(Limit::SlowStart));
    if let Some(flight) = facts.half.flight {
        finding.evidence.push(inferred(EvidenceKey::FlightMaxBytes, flight.max));
    }
    finding.fixes = vec![tcpwhy_advice::reuse_connection(), tcpwhy_advice::raise_initcwnd()];
    finding.prediction = if_reused(facts, rtt);
    Some(finding)
}

/// Predicted duration on a reused connection with the final window of this one, and without a handshake.
fn if_reused(facts: &HalfFacts<'_>, rtt: f64) -> Option<Prediction> {
    let total = facts.seconds();
    let kept = total - facts.seconds_of(Limit::SlowStart) - facts.seconds_of(Limit::Handshake);
    let window = facts.half.flight?.max as f64;
    let (moving, next_limit) =
        transfer(facts.half.moved.bytes_under(Limit::SlowStart), window, rtt, facts.train_rate());
    let value = (kept + moving).clamp(0.0, total);
    let seconds = Estimate { value, low: (kept + rtt * 0.5).clamp(0.0, value), high: total, basis: Basis::Assumed };
    Some(Prediction::by_formula(
        seconds,
        claim(seconds, false, false),
        next_limit,
        if next_limit == Limit::Path { "path-rate-seen" } else { "slow-start" },
    ))
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn three_hundred_kilobytes_over_a_tenth_of_a_second() {
        let finding = fires(RULE.id, &Transfer { bytes: 300_000, rtt: ms(100), ..Transfer::default() }.run());
        assert!((3.0..=5.0).contains(&number(&finding, "round_count")), "{finding:?}");
        assert!((number(&finding, "transfer_bytes") - 300_000.0).abs() < 0.1);
        assert!(finding.prediction.is_some_and(|p| p.seconds.value < 0.4));
    }

    #[test]
    fn a_long_transfer() {
        is_silent(RULE.id, &Transfer { bytes: 30_000_000, send_buffer: Some(300_000), ..Transfer::default() }.run());
    }
}
