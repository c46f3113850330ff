//! The peer had sent its message and nothing came from the server for a while: the time of the answering
//! application. If a connection has exchanges, these show how much of the time that was.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Fix, FixPlace, Limit, Prediction, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::{ConnectionFacts, HalfFacts};
use crate::diagnosis::finding::note;
use crate::diagnosis::prediction::{all_else, claim, if_removed};
use crate::diagnosis::{Detect, OfRequests, Rule, severity};
use crate::exchanges::Exchanges;
use crate::outcome::Role;
use crate::thresholds::{LATE, LATE_ROUND_TRIPS, WORTH_PROFILING};

pub(super) static RULE: Rule = Rule {
    id: "application-think",
    limits: &[Limit::Application],
    severity: Severity::Critical,
    detect: Detect::Requests(OfRequests { exchanges: Some(of_exchanges), half: Some(of_half) }),
};

/// A smaller share of the time makes no finding, unless the verdict of a direction names the cause.
const LEAST_SHARE: f64 = 0.15;

/// The time of the server, if a user noticed it: one answer was late, or all of them together took long.
fn of_exchanges(facts: &ConnectionFacts<'_>, exchanges: &Exchanges) -> Option<Finding> {
    if exchanges.brings_news() || !exchanges.is_answering() {
        return None;
    }
    let parts = &exchanges.parts;
    let responses = exchanges.responses.distribution()?;
    // Nobody waits for notifications.
    let unawaited = exchanges.unawaited();
    let [awaited, server] = [parts.awaited(), parts.of_server()].map(|nanos| (nanos - unawaited).max(0));
    let late = LATE.get().max(facts.rtt_min.unwrap_or(0).saturating_mul(LATE_ROUND_TRIPS.get()));
    let is_late = exchanges.slowest.iter().any(|exchange| exchange.is_awaited() && exchange.response >= late);
    if (server as f64) < LEAST_SHARE * awaited as f64 || !is_late && server < WORTH_PROFILING {
        return None;
    }
    let [awaited, server] = [awaited, server].map(|nanos| nanos as f64 / 1e9);
    let severity = severity::of_part(awaited, facts.bytes.iter().sum(), server, Some(server));
    let mut finding = note(&RULE, exchanges.known.confidence());
    // Without the SYN, it is unknown which end serves the other.
    finding.severity = if facts.initiator.is_some() { severity } else { severity.min(Severity::Warning) };
    finding.seconds = Some(parts.of_server() as f64 / 1e9);
    finding.evidence.push(exact(EvidenceKey::RequestCount, exchanges.count));
    finding.evidence.push(inferred(EvidenceKey::ServerUs, parts.of_server() / 1000));
    finding.evidence.push(inferred(EvidenceKey::ThinkUs, responses.median / 1000));
    finding.evidence.push(inferred(EvidenceKey::ThinkP95Us, responses.p95 / 1000));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, responses.max / 1000));
    let longest = exchanges.slowest.iter().find(|exchange| exchange.response.unsigned_abs() == responses.max);
    finding.evidence.extend(longest.map(|exchange| exact(EvidenceKey::RequestPacket, exchange.request_packet)));
    // The server receives the requests.
    finding.fixes = vec![Fix { place: FixPlace::ReceivingApplication, ..tcpwhy_advice::profile_application() }];
    finding.prediction = Some(without_server(exchanges));
    Some(finding)
}

/// Predicted duration of the requests if each were answered at once.
fn without_server(exchanges: &Exchanges) -> Prediction {
    let parts = &exchanges.parts;
    let [all, rest] = [parts.all(), parts.all() - parts.of_server()].map(|nanos| nanos as f64 / 1e9);
    let seconds = all_else(all, rest);
    Prediction::by_formula(seconds, claim(seconds, false, false), Limit::Application, "all-else-as-it-was")
}

fn of_half(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::Think))?;
    let waits = facts.stretches(Detail::Think);
    let median = waits.get(waits.len() / 2).copied().unwrap_or(0);
    // Only the server of the exchanges is known to answer. The other end may be a user who reads before the
    // next request.
    let name = if facts.exchange_role == Role::Server { EvidenceKey::ThinkUs } else { EvidenceKey::PauseUs };
    finding.evidence.push(inferred(name, median / 1000));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, waits.last().copied().unwrap_or(0) / 1000));
    finding.evidence.push(inferred(EvidenceKey::TurnCount, waits.len() as u64));
    finding.fixes = vec![tcpwhy_advice::profile_application()];
    // Pauses of a connection that has nothing to send cost no time.
    if finding.severity > Severity::Info {
        finding.prediction = if_removed(facts, Detail::Think.into());
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tcpwhy_testkit::{Turns, ms};

    use super::super::testing::{connections, explains, findings, fires, is_silent, number};
    use super::*;

    #[test]
    fn a_server_that_thinks() {
        let finding = fires(RULE.id, &Turns { think: ms(100), ..Turns::default() }.run());
        assert_eq!(finding.severity, Severity::Critical);
        // At the client, the time between request and answer includes a round trip.
        assert!((95_000.0..125_000.0).contains(&number(&finding, "think_us")), "{finding:?}");
    }

    /// The client's time between an answer and its next request is not a server's response time.
    #[test]
    fn a_client_that_rests() {
        is_silent(RULE.id, &Turns { rest: ms(400), ..Turns::default() }.run());
    }

    /// The numbers come from the exchanges, and the slowest request has its packet number.
    #[test]
    fn the_exchanges_are_counted() {
        let turns: Vec<_> = (0..30).map(|n| (5, 300, if n == 7 { 900 } else { 150 }, 500)).collect();
        let segments = tcpwhy_testkit::script(&exchanges(&turns)).segments;
        let finding = fires(RULE.id, &segments);
        let all = connections(&segments);
        let told = all[0].exchanges.as_deref().unwrap();
        let is = |name: &str, expected: f64| {
            let found = number(&finding, name);
            assert!((found - expected).abs() <= 1.0, "{name} {found}, not {expected}");
        };
        is("request_count", 30.0);
        is("server_us", told.parts.of_server() as f64 / 1e3);
        let spread = told.responses.distribution().unwrap();
        is("think_us", spread.median as f64 / 1e3);
        is("think_p95_us", spread.p95 as f64 / 1e3);
        is("longest_us", 900_000.0);
        is("request_packet", told.slowest[0].request_packet as f64);
        let seconds = finding.prediction.unwrap().seconds;
        let rest = (told.parts.all() - told.parts.of_server()) as f64 / 1e9;
        assert!((seconds.value - rest).abs() < 1e-9 && seconds.low <= rest, "{seconds:?}");
    }

    /// `LATE` and `WORTH_PROFILING`: users do not notice a few answers of less than 0.1 s.
    #[test]
    fn short_waits_are_noticed_where_they_add_up() {
        let with = |count: u32, wait: u32| {
            let turns: Vec<_> = (0..count).map(|_| (5, 300, wait, 500)).collect();
            of_exchanges_of(&turns).map(|finding| finding.severity)
        };
        assert_eq!(with(5, 110), Some(Severity::Critical));
        assert_eq!(with(5, 95), None);
        assert_eq!(with(12, 95), Some(Severity::Critical));
    }

    /// `LEAST_SHARE` of the time in which a user waited, which excludes the client's own pauses.
    #[test]
    fn a_server_that_took_little_of_what_was_awaited() {
        let with = |bytes: u32, pause: u32| {
            let turns: Vec<_> = (0..4).map(|_| (pause, 300, 300, bytes)).collect();
            of_exchanges_of(&turns).is_some()
        };
        assert!(with(500, 5) && with(500, 20_000));
        let mut slow = exchanges(&[(5, 300, 300, 1_000)]);
        for n in 0..30 {
            let (at, next) = (1_001 + n * 1_000, 2_001 + n * 1_000);
            let _ = write!(
                slow,
                "\n+0.100 < . {at}:{next}(1000) ack 301 win 65535\n+0.000 > . 301:301(0) ack {next} win 65535"
            );
        }
        assert!(findings(RULE.id, &tcpwhy_testkit::script(&slow).segments).is_empty(), "300 ms of 3.3 s");
    }

    /// A capture that started mid-connection does not show which end is the server. Short messages after a
    /// pause of a minute are no warning. After two seconds they are, unless the sender has a port of clients.
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
        let gravest = |text: &str| {
            let all = connections(&tcpwhy_testkit::script(text).segments);
            let of_halves = all[0].halves.iter().flat_map(|half| &half.findings);
            all[0].findings.iter().chain(of_halves).map(|finding| finding.severity).max()
        };
        let swapped = |text: &str| text.replace('>', "|").replace('<', ">").replace('|', "<");
        assert_eq!(gravest(&text(2)), Some(Severity::Info));
        assert_eq!(gravest(&swapped(&text(60))), Some(Severity::Info));
        let segments = tcpwhy_testkit::script(&swapped(&text(2))).segments;
        assert_eq!(fires(RULE.id, &segments).severity, Severity::Warning);
    }

    /// A server had answered. After two minutes of silence it sent a closing alert of 24 bytes and its FIN.
    /// Nobody waited for that, and the transfer ended before the silence.
    #[test]
    fn a_goodbye_after_silence() {
        let text = |goodbye: u32| {
            let end = 3001 + goodbye;
            format!(
                "0.000 < S 0:0(0) win 65535 <mss 1460>
                 +0.000 > S. 0:0(0) ack 1 win 65535 <mss 1460>
                 +0.010 < . 1:1(0) ack 1 win 65535
                 +0.001 < P. 1:401(400) ack 1 win 65535
                 +0.002 > . 1:1461(1460) ack 401 win 65535
                 +0.000 > P. 1461:3001(1540) ack 401 win 65535
                 +0.010 < . 401:401(0) ack 3001 win 65535
                 +0.000 < P. 401:432(31) ack 3001 win 65535
                 +0.000 > . 3001:3001(0) ack 432 win 65535
                 +120.000 > P. 3001:{end}({goodbye}) ack 432 win 65535
                 +0.000 > F. {end}:{end}(0) ack 432 win 65535
                 +0.010 < . 432:432(0) ack {} win 65535",
                end + 1
            )
        };
        let said = |goodbye: u32| {
            let all = connections(&tcpwhy_testkit::script(&text(goodbye)).segments);
            let half = all[0].halves.iter().find(|h| h.bytes >= 3000).unwrap();
            (half.verdict.cause.and_then(|c| c.detail), half.span.seconds() < 1.0)
        };
        assert_ne!(said(24), (Some(Detail::Think), false));
        assert!(said(24).1, "{:?}", said(24));
        // A longer answer must have been requested.
        assert_eq!(said(151), (Some(Detail::Think), false));
    }

    /// An end that sends a few bytes every five seconds and is answered at once is a client. It need not have
    /// opened the connection, and nobody waits during its pauses.
    #[test]
    fn a_heartbeat_of_the_server() {
        let text = |periods: [u32; 5]| {
            let mut text = "0.000 < S 0:0(0) win 65535 <mss 1460>
                 +0.000 > S. 0:0(0) ack 1 win 65535 <mss 1460>
                 +0.010 < . 1:1(0) ack 1 win 65535"
                .to_owned();
            for (n, period) in (0_u32..).zip(periods) {
                let (at, next) = (1 + 8 * n, 9 + 8 * n);
                let _ = write!(
                    text,
                    "\n+{period}.000 > P. {at}:{next}(8) ack {at} win 65535
                     +0.010 < P. {at}:{next}(8) ack {next} win 65535
                     +0.001 > . {next}:{next}(0) ack {next} win 65535"
                );
            }
            text
        };
        let severity = |periods| {
            let all = connections(&tcpwhy_testkit::script(&text(periods)).segments);
            all[0].halves.iter().find(|half| half.role == Role::Server).unwrap().verdict.severity
        };
        assert!(severity([5; 5]) <= Some(Severity::Info));
        assert!(severity([5, 2, 7, 3, 4]) > Some(Severity::Info));
    }

    /// A handshake over 10 ms, then `turns`, captured at the client. The client's `request` bytes come
    /// `pause` ms after the server's last bytes, and the server's `answer` bytes `wait` ms later. Each is
    /// acknowledged at once.
    fn exchanges(turns: &[(u32, u32, u32, u32)]) -> String {
        let mut text = "0.000 > S 0:0(0) win 65535 <mss 1460>
             +0.010 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             +0.000 > . 1:1(0) ack 1 win 65535"
            .to_owned();
        let (mut client, mut server) = (1, 1);
        for &(pause, request, wait, answer) in turns {
            let (asked, answered) = (client + request, server + answer);
            let at = |millis: u32| format!("+{}.{:03}", millis / 1000, millis % 1000);
            let _ = write!(
                text,
                "\n{} > P. {client}:{asked}({request}) ack {server} win 65535
                 +0.010 < . {server}:{server}(0) ack {asked} win 65535
                 {} < P. {server}:{answered}({answer}) ack {asked} win 65535
                 +0.000 > . {asked}:{asked}(0) ack {answered} win 65535",
                at(pause),
                at(wait)
            );
            (client, server) = (asked, answered);
        }
        text
    }

    /// The finding about these exchanges.
    fn of_exchanges_of(turns: &[(u32, u32, u32, u32)]) -> Option<Finding> {
        findings(RULE.id, &tcpwhy_testkit::script(&exchanges(turns)).segments).pop()
    }

    /// Highest severity of the findings about the server's direction, of those about the requests, and of the
    /// verdict.
    fn of_server(turns: &[(u32, u32, u32, u32)]) -> Option<Severity> {
        let all = connections(&tcpwhy_testkit::script(&exchanges(turns)).segments);
        let half = all[0].halves.iter().find(|half| half.role == Role::Server)?;
        half.findings.iter().chain(&all[0].findings).map(|f| Some(f.severity)).fold(half.verdict.severity, Option::max)
    }

    /// A short request counts as a request, whether it has 2 kB or a few bytes, and whichever end ended the
    /// silence.
    #[test]
    fn a_short_request_that_waits() {
        assert!(of_server(&[(5, 1000, 3_000, 2_000)]) >= Some(Severity::Warning));
        assert!(of_server(&[(5, 300, 3_000, 300)]) >= Some(Severity::Warning));
        assert!(of_server(&[(5, 60, 15_000, 80)]) >= Some(Severity::Warning));
        assert!(of_server(&[(5, 300, 1, 800), (2_000, 60, 15_000, 80)]) >= Some(Severity::Warning));
    }

    /// A long poll: the same request of 500 bytes waits for 30 s each time, and the client repeats it at
    /// once.
    #[test]
    fn a_long_poll() {
        let polls = [(5, 500, 30_000, 200), (3, 500, 30_000, 200), (3, 501, 17_000, 900), (3, 501, 30_000, 200)];
        assert!(of_server(&polls) <= Some(Severity::Info));
    }

    /// The client acknowledges with a few bytes of its own (SETTINGS, the end of a handshake). 40 s later the
    /// server sends an unrequested message.
    #[test]
    fn a_push_of_a_server() {
        assert!(of_server(&[(5, 500, 1, 3_000), (1, 60, 40_000, 100), (1, 40, 25_000, 120)]) <= Some(Severity::Info));
    }

    /// IMAP's IDLE: the server agrees at once, and sends later when there are news.
    #[test]
    fn a_client_that_idles() {
        let text = format!(
            "{}
             +29.000 < P. 11:31(20) ack 11 win 65535
             +0.000 > . 11:11(0) ack 31 win 65535
             +61.000 < P. 31:51(20) ack 11 win 65535
             +0.000 > . 11:11(0) ack 51 win 65535",
            exchanges(&[(5, 10, 1, 10)])
        );
        let all = connections(&tcpwhy_testkit::script(&text).segments);
        let found = all[0].halves.iter().flat_map(|half| &half.findings).chain(&all[0].findings);
        assert_eq!(found.filter(|f| f.severity > Severity::Info).count(), 0);
    }

    /// A person types over SSH; one command runs for 4 s before it prints.
    #[test]
    fn a_person_who_types() {
        let mut turns: Vec<_> = (0..12).map(|n| (140 + 37 * n, 36, 1, 36)).collect();
        turns.push((200, 36, 4_000, 800));
        assert!(of_server(&turns) <= Some(Severity::Info));
        // Requests are not keys, and the client waits for each of them.
        let requests: Vec<_> = turns.iter().map(|&(pause, _, wait, answer)| (pause, 400, wait, answer)).collect();
        assert!(of_server(&requests) >= Some(Severity::Warning));
    }

    /// One direction without requests and answers.
    #[test]
    fn a_direction_without_exchanges() {
        let finding = explains(of_half, Detail::Think);
        assert!((number(&finding, "think_us") - 10e6).abs() < 1.0, "{finding:?}");
        assert_eq!(finding.evidence.iter().filter(|e| e.key.id() == "request_count").count(), 0);
    }

    #[test]
    fn a_server_that_answers_at_once() {
        is_silent(RULE.id, &Turns::default().run());
    }
}
