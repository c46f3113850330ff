//! This side had said what it had to say and waited for its peer: the other direction tells what that took.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use super::request_response_turns;
use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Role;

pub(super) static RULE: Rule = Rule {
    id: "application-peer-turn",
    limits: &[Limit::Application],
    severity: Severity::Info,
    detect: Detect::Half(detect),
};

/// Less of the time is no finding, unless the verdict names it.
const LEAST_SHARE: f64 = 1.0;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    if request_response_turns::holds(facts) {
        return None;
    }
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::PeerTurn))?;
    let waits = facts.stretches(Detail::PeerTurn);
    finding.evidence.push(inferred(EvidenceKey::LongestUs, waits.last().copied().unwrap_or(0) / 1000));
    finding.evidence.push(inferred(EvidenceKey::TurnCount, waits.len() as u64));
    // Whoever starts the exchanges asks. The other end waits for requests, which it cannot hasten.
    if facts.exchange_role == Role::Client {
        finding.fixes = vec![tcpwhy_advice::pipeline_requests()];
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, Turns, ms};

    use super::super::testing::{fires, fixes, is_silent};
    use super::*;

    #[test]
    fn a_client_whose_server_thinks() {
        let finding = fires(RULE.id, &Turns { think: ms(200), ..Turns::default() }.run());
        assert_eq!((finding.severity, fixes(&finding)), (Severity::Info, vec!["pipeline-requests"]));
    }

    /// A server cannot hasten the questions of its client.
    #[test]
    fn a_server_whose_client_rests() {
        let finding = fires(RULE.id, &Turns { rest: ms(400), ..Turns::default() }.run());
        assert_eq!((finding.severity, fixes(&finding)), (Severity::Info, vec![]));
    }

    #[test]
    fn turns_that_pay_for_round_trips_are_told_as_such() {
        is_silent(RULE.id, &Turns::default().run());
        is_silent(RULE.id, &Transfer::default().run());
    }
}
