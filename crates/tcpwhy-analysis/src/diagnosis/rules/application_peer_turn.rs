//! This side had sent all of its message and waited for its peer; the other direction shows why. If a
//! connection has exchanges, these show whose time it was.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use super::request_response_turns;
use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::{Detect, OfRequests, Rule};
use crate::outcome::Role;

pub(super) static RULE: Rule = Rule {
    id: "application-peer-turn",
    limits: &[Limit::Application],
    severity: Severity::Info,
    detect: Detect::Requests(OfRequests { exchanges: None, half: Some(detect) }),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 1.0;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    if request_response_turns::holds(facts) {
        return None;
    }
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::PeerTurn))?;
    let waits = facts.stretches(Detail::PeerTurn);
    finding.evidence.push(inferred(EvidenceKey::LongestUs, waits.last().copied().unwrap_or(0) / 1000));
    finding.evidence.push(inferred(EvidenceKey::TurnCount, waits.len() as u64));
    // The end that starts the exchanges sends the requests. The other end waits for requests and cannot speed
    // them up.
    if facts.exchange_role == Role::Client {
        finding.fixes = vec![tcpwhy_advice::pipeline_requests(tcpwhy_advice::Pipelined::Requests)];
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Turns, ms};

    use super::super::testing::{explains, fixes, is_silent, summed_up, timeline, with_facts_of};
    use super::*;

    /// A client can send more requests at once, but a server cannot speed up its client's requests.
    #[test]
    fn a_direction_without_exchanges() {
        let server = explains(detect, Detail::PeerTurn);
        assert_eq!((server.severity, fixes(&server)), (Severity::Info, vec![]));
        let half = summed_up(timeline(&[(10_000_000_000, Detail::PeerTurn.into())]));
        let client = with_facts_of(&half, Detail::PeerTurn.into(), |facts| {
            detect(&HalfFacts { exchange_role: Role::Client, half: &half, signs: None, ..*facts })
        });
        assert_eq!(client.map(|finding| fixes(&finding)), Some(vec!["pipeline-requests"]));
    }

    /// Exchanges show whose time it was.
    #[test]
    fn a_connection_with_exchanges() {
        is_silent(RULE.id, &Turns { think: ms(200), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { rest: ms(400), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns::default().run());
    }
}
