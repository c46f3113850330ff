//! The client took its time between an answer and its next request, while neither end waited for the other.
//!
//! Only pauses above three round trips and 0.1 s are reported. A shorter one is caused by the path, or no
//! user notices it (Miller, "Response time in man-computer conversational transactions", 1968).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, OfRequests, Rule};
use crate::exchanges::Exchanges;
use crate::thresholds::{LATE, LATE_ROUND_TRIPS};

pub(super) static RULE: Rule = Rule {
    id: "client-pauses",
    limits: &[],
    severity: Severity::Info,
    detect: Detect::Requests(OfRequests { exchanges: Some(detect), half: None }),
};

/// A smaller share does not show one main cause.
const LEAST_SHARE: f64 = 2.0 / 3.0;

fn detect(facts: &ConnectionFacts<'_>, exchanges: &Exchanges) -> Option<Finding> {
    let parts = &exchanges.parts;
    let pauses = i64::try_from(exchanges.count).ok()?.checked_sub(1).filter(|&pauses| pauses > 0)?;
    let noticed = LATE.get().max(facts.rtt_min.unwrap_or(0).saturating_mul(LATE_ROUND_TRIPS.get()));
    if (parts.client as f64) < LEAST_SHARE * parts.all() as f64 || parts.client / pauses <= noticed {
        return None;
    }
    let network = parts.round_trips.saturating_add(parts.transfers());
    let mut finding = note(&RULE, exchanges.known.confidence());
    finding.seconds = Some(parts.client as f64 / 1e9);
    finding.evidence.push(exact(EvidenceKey::RequestCount, exchanges.count));
    finding.evidence.push(inferred(EvidenceKey::ClientUs, parts.client / 1000));
    finding.evidence.push(inferred(EvidenceKey::ServerUs, parts.of_server() / 1000));
    finding.evidence.push(inferred(EvidenceKey::NetworkUs, network / 1000));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, Turns, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[test]
    fn a_client_that_rests() {
        let finding = fires(RULE.id, &Turns { count: 20, rest: ms(400), ..Turns::default() }.run());
        assert!((7.0e6..8.1e6).contains(&number(&finding, "client_us")), "{finding:?}");
        assert_eq!((finding.severity, finding.fixes.len()), (Severity::Info, 0));
        assert_eq!(finding.prediction, None);
    }

    /// `LATE` and `LATE_ROUND_TRIPS`: users do not notice shorter pauses, or the path causes them.
    #[test]
    fn pauses_that_nobody_notices() {
        is_silent(RULE.id, &Turns { count: 20, rest: ms(95), rtt: ms(2), ..Turns::default() }.run());
        fires(RULE.id, &Turns { count: 20, rest: ms(110), rtt: ms(2), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { count: 20, rest: ms(280), rtt: ms(100), ..Turns::default() }.run());
    }

    /// `LEAST_SHARE`: if server or network took a third, the pauses are not the main cause.
    #[test]
    fn other_parts_took_as_long() {
        fires(RULE.id, &Turns { count: 20, rest: ms(400), think: ms(150), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { count: 20, rest: ms(400), think: ms(200), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { count: 1, rest: ms(400), ..Turns::default() }.run());
        is_silent(RULE.id, &Transfer::default().run());
    }
}
