//! The peer had spoken, it was this side's turn, and nothing came for a while: the time of the answering application.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Role;

pub(super) static RULE: Rule = Rule {
    id: "application-think",
    limits: &[Limit::Application],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// Less of the time is no finding, unless the verdict names it.
const LEAST_SHARE: f64 = 0.15;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::Think))?;
    let waits = facts.stretches(Detail::Think);
    let median = waits.get(waits.len() / 2).copied().unwrap_or(0);
    // Only of whoever was connected to is it known that it answers; the other end may be somebody who reads before asking again.
    let name = if facts.role == Role::Server { EvidenceKey::ThinkUs } else { EvidenceKey::PauseUs };
    finding.evidence.push(inferred(name, median / 1000));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, waits.last().copied().unwrap_or(0) / 1000));
    finding.evidence.push(inferred(EvidenceKey::TurnCount, waits.len() as u64));
    finding.fixes = vec![tcpwhy_advice::profile_application()];
    // The rests of a connection that has nothing to send are no loss of time.
    if finding.severity > Severity::Info {
        finding.prediction = if_removed(facts, Detail::Think.into());
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Turns, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn a_server_that_thinks() {
        let finding = fires(RULE.id, &Turns { think: ms(100), ..Turns::default() }.run());
        assert_eq!(finding.severity, Severity::Critical);
        // Captured at the client: the answer leaves half a round trip earlier and the request arrives as much later.
        assert!((95_000.0..125_000.0).contains(&number(&finding, "think_us")), "{finding:?}");
    }

    /// What a client does between an answer and its next request is no server's response time.
    #[test]
    fn a_client_that_rests() {
        let finding = fires(RULE.id, &Turns { rest: ms(400), ..Turns::default() }.run());
        assert_eq!(finding.severity, Severity::Info);
        assert!((390_000.0..425_000.0).contains(&number(&finding, "pause_us")), "{finding:?}");
        assert!(finding.evidence.iter().all(|e| e.key.id() != "think_us"), "{finding:?}");
    }

    /// Of a capture that began in mid-connection nobody knows who serves whom: a few words after a minute's rest warn of nothing,
    /// the same after two seconds do.
    #[test]
    fn a_few_words_after_long_rests() {
        let text = |rest: u32| {
            format!(
                "0.000 < P. 1:1001(1000) ack 1 win 65535
                 +0.001 > . 1:1(0) ack 1001 win 65535
                 +{rest}.000 > P. 1:10(9) ack 1001 win 65535
                 +0.080 < P. 1001:2001(1000) ack 10 win 65535
                 +0.001 > . 10:10(0) ack 2001 win 65535
                 +{rest}.000 > P. 10:19(9) ack 2001 win 65535
                 +0.080 < P. 2001:3001(1000) ack 19 win 65535
                 +0.001 > . 19:19(0) ack 3001 win 65535"
            )
        };
        assert_eq!(fires(RULE.id, &tcpwhy_testkit::script(&text(60)).segments).severity, Severity::Info);
        assert_eq!(fires(RULE.id, &tcpwhy_testkit::script(&text(2)).segments).severity, Severity::Warning);
    }

    #[test]
    fn a_server_that_answers_at_once() {
        is_silent(RULE.id, &Turns::default().run());
    }
}
