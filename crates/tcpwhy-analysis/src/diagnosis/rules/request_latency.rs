//! Who took the time of requests: the server until it answered, the network, or the client until it asked again.
//!
//! From the last byte of a request to the first of its answer, less the round trip, is the server's; round trips and repairs of
//! losses are the network's; from the answer to the next request is the client's. A wait is worth a word above three round trips
//! and a tenth of a second: below that it is the path, or nobody notices (Miller, "Response time in man-computer conversational
//! transactions", 1968).

use tcpwhy_model::{Cause, Detail, EvidenceKey, Finding, Limit, Severity, Value};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "request-latency", limits: &[], severity: Severity::Info, detect: Detect::Connection(detect) };

/// The parts of each request were measured.
const CONFIDENCE: f64 = 0.85;

/// Less is nobody's in particular.
const LEAST_SHARE: f64 = 2.0 / 3.0;
const LEAST_ROUND_TRIPS: u64 = 3;
const LEAST_NANOS: u64 = 100_000_000;
/// Longer requests and answers are transfers, whose own limits tell what they waited for.
const MOST_SEGMENTS: u64 = 10;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let client = facts.initiator?;
    let half = |side| facts.halves.iter().find(|h| h.sender == side);
    let (request, answer) = (half(client)?, half(client.peer())?);
    // Its first words are no turn.
    let requests = u64::from(facts.turns[client.index()]) + 1;
    let mss = answer.mss.or(request.mss)?;
    if answer.bytes.max(request.bytes) / requests > MOST_SEGMENTS * mss {
        return None;
    }
    let rtt = facts.rtt_min?.max(0).cast_unsigned();
    let think = Cause::from(Detail::Think);
    let server = answer.limits.nanos_of_cause(think).max(0).cast_unsigned();
    let rests = request.limits.nanos_of_cause(think).max(0).cast_unsigned();
    let repairs: i64 = [request, answer].iter().map(|h| h.limits.nanos_of(Limit::LossRecovery)).sum();
    let network = requests.saturating_mul(rtt).saturating_add(repairs.max(0).cast_unsigned());
    let parties = [("server", server), ("network", network), ("client", rests)];
    let &(taken_by, most) = parties.iter().max_by_key(|p| p.1)?;
    let all = server.saturating_add(network).saturating_add(rests);
    if (most as f64) < LEAST_SHARE * all as f64
        || most / requests <= LEAST_ROUND_TRIPS.saturating_mul(rtt).max(LEAST_NANOS)
    {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(inferred(EvidenceKey::TakenBy, Value::Word(taken_by.into())));
    finding.evidence.push(inferred(EvidenceKey::RequestCount, requests));
    for ((_, nanos), name) in parties.iter().zip([EvidenceKey::ServerUs, EvidenceKey::NetworkUs, EvidenceKey::ClientUs])
    {
        finding.evidence.push(inferred(name, nanos / 1000));
    }
    finding.evidence.push(inferred(EvidenceKey::RttUs, rtt / 1000));
    finding.fixes = match taken_by {
        "server" => vec![tcpwhy_advice::profile_application()],
        "network" => vec![tcpwhy_advice::fix_loss(), tcpwhy_advice::enable_loss_probes()],
        _ => Vec::new(),
    };
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, Turns, ms, script};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    #[track_caller]
    fn taken_by(finding: &Finding, who: &str) {
        assert!(finding.evidence.iter().any(|e| e.value == Value::Word(who.to_owned())), "{finding:?}");
    }

    #[test]
    fn a_server_that_thinks() {
        let finding = fires(RULE.id, &Turns { count: 20, think: ms(200), ..Turns::default() }.run());
        taken_by(&finding, "server");
        assert!((3.9e6..4.4e6).contains(&number(&finding, "server_us")), "{finding:?}");
        assert!((0.35e6..0.5e6).contains(&number(&finding, "network_us")), "{finding:?}");
        assert!(number(&finding, "client_us") < 0.1e6, "{finding:?}");
    }

    #[test]
    fn a_client_that_rests() {
        let finding = fires(RULE.id, &Turns { count: 20, rest: ms(400), ..Turns::default() }.run());
        taken_by(&finding, "client");
        assert!((7.0e6..8.1e6).contains(&number(&finding, "client_us")), "{finding:?}");
        assert_eq!((finding.severity, finding.fixes.len()), (Severity::Info, 0));
    }

    #[test]
    fn a_request_that_was_lost() {
        let text = "0.000 > S 0:0(0) win 65535 <mss 1460>
            0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
            0.020 > . 1:1(0) ack 1
            0.021 > P. 1:101(100) ack 1
            0.241 > P. 1:101(100) ack 1
            0.681 > P. 1:101(100) ack 1
            0.701 < . 1:1(0) ack 101 win 65535
            0.702 < P. 1:501(500) ack 101 win 65535
            0.702 > . 101:101(0) ack 501";
        taken_by(&fires(RULE.id, &script(text).segments), "network");
    }

    #[test]
    fn waits_that_the_path_explains_and_transfers() {
        is_silent(RULE.id, &Turns::default().run());
        is_silent(RULE.id, &Turns { think: ms(50), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { think: ms(200), rest: ms(200), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { think: ms(250), rtt: ms(100), ..Turns::default() }.run());
        is_silent(
            RULE.id,
            &Turns { think: ms(200), rest: ms(190), rtt: ms(40), count: 1, answer: 100_000, ..Turns::default() }.run(),
        );
        is_silent(RULE.id, &Transfer::default().run());
    }
}
