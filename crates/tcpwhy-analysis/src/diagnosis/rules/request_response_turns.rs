//! Both sides speak in turn, little each time: the time goes into round trips, not into bytes.
//!
//! Every turn costs at least a round trip whatever the windows and the path, so only fewer turns help, or a shorter way.

use tcpwhy_model::{Basis, Detail, Estimate, EvidenceKey, Finding, FixPlace, Limit, Prediction, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::claim;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Role;

pub(super) static RULE: Rule = Rule {
    id: "request-response-turns",
    limits: &[Limit::Application, Limit::TailRtt],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// The turns were counted; whether they depend on each other was not.
const CONFIDENCE: f64 = 0.9;

/// Fewer turns are a conversation, not a pattern.
const LEAST_TURNS: u32 = 10;
/// More bytes a turn are a transfer.
const MOST_SEGMENTS_A_TURN: u64 = 10;

/// A farther server than this is another place: light takes as long for some 500 km of fibre and back (5 µs/km, ITU-T G.114).
const DISTANT_SECONDS: f64 = 0.005;

/// Seconds that the turns paid to propagation: a round trip each.
fn cost(facts: &HalfFacts<'_>) -> f64 {
    facts.rtt_seconds().map_or(0.0, |rtt| rtt * f64::from(facts.half.turns))
}

/// Whether turns of a round trip each took a third of the time.
pub(super) fn holds(facts: &HalfFacts<'_>) -> bool {
    let waiting = facts.seconds_of(Limit::TailRtt) + facts.seconds_of_detail(Detail::PeerTurn);
    facts.half.turns >= LEAST_TURNS
        && facts.half.counts.bytes.max(facts.peer_bytes) / u64::from(facts.half.turns)
            <= MOST_SEGMENTS_A_TURN * facts.half.mss
        && facts.share(cost(facts).min(waiting)) >= 0.33
}

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    if !holds(facts) {
        return None;
    }
    let cost = cost(facts).min(facts.seconds());
    let total = facts.seconds();
    let mut finding = crate::diagnosis::finding::note(&RULE, CONFIDENCE);
    finding.seconds = Some(cost);
    finding.evidence.push(inferred(EvidenceKey::TurnCount, facts.half.turns));
    finding.evidence.extend(facts.typical_rtt_evidence_with_base());
    finding.evidence.push(inferred(EvidenceKey::TurnBytes, facts.half.counts.bytes / u64::from(facts.half.turns)));
    finding.evidence.push(inferred(EvidenceKey::RoundTripsUs, (cost * 1e6) as u64));
    let mut pipeline = tcpwhy_advice::pipeline_requests();
    // Whoever starts the exchanges asks.
    if facts.exchange_role == Role::Server {
        pipeline.place = FixPlace::ReceivingApplication;
    }
    finding.fixes = vec![pipeline];
    if facts.rtt_seconds().is_some_and(|rtt| rtt >= DISTANT_SECONDS) {
        finding.fixes.push(tcpwhy_advice::move_closer());
    }
    finding.fixes.push(tcpwhy_advice::reuse_connection());
    // Ten requests a turn; all in one at best, two at worst.
    let seconds = Estimate {
        value: total - cost * 0.9,
        low: total - cost * (1.0 - 1.0 / f64::from(facts.half.turns)),
        high: total - cost * 0.5,
        basis: Basis::Assumed,
    };
    finding.prediction = Some(Prediction {
        claim: claim(seconds, false, false),
        seconds,
        next_limit: Limit::Application,
        ceiling: "application",
    });
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, Turns, ms};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    #[test]
    fn a_hundred_small_requests() {
        let finding = fires(RULE.id, &Turns::default().run());
        assert!((98.0..=100.0).contains(&number(&finding, "turn_count")), "{finding:?}");
        assert!((19_000.0..21_000.0).contains(&number(&finding, "rtt_us")), "{finding:?}");
        assert!((1.9e6..2.1e6).contains(&number(&finding, "round_trips_us")), "{finding:?}");
        assert!(finding.prediction.is_some_and(|p| p.seconds.value < 0.5));
    }

    /// What is near already comes no closer.
    #[test]
    fn distance_is_for_those_who_are_far() {
        assert!(fixes(&fires(RULE.id, &Turns::default().run())).contains(&"move-closer"));
        let near = fires(RULE.id, &Turns { rtt: ms(1), ..Turns::default() }.run());
        assert!(!fixes(&near).contains(&"move-closer"), "{near:?}");
    }

    #[test]
    fn turns_that_pay_for_something_else() {
        is_silent(RULE.id, &Turns { think: ms(200), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { answer: 100_000, ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { count: 5, ..Turns::default() }.run());
        is_silent(RULE.id, &Transfer::default().run());
    }
}
