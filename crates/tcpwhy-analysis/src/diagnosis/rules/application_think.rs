//! The peer had spoken, it was this side's turn, and nothing came for a while: the time of the answering
//! application.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
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
    // Only the server of the exchanges is known to answer; the other end may be somebody who reads before
    // asking again.
    let name = if facts.exchange_role == Role::Server { EvidenceKey::ThinkUs } else { EvidenceKey::PauseUs };
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
    use std::fmt::Write as _;

    use tcpwhy_testkit::{Turns, ms};

    use super::super::testing::{connections, fires, is_silent, number};
    use super::*;

    #[test]
    fn a_server_that_thinks() {
        let finding = fires(RULE.id, &Turns { think: ms(100), ..Turns::default() }.run());
        assert_eq!(finding.severity, Severity::Critical);
        // Captured at the client: the answer leaves half a round trip earlier and the request arrives as much
        // later.
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

    /// A capture that began in mid-connection does not show who serves whom. A few words after a minute's
    /// rest are no warning; the same after two seconds are one, unless the speaker has a port of those who
    /// connect.
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
        let severity = |text: &str| fires(RULE.id, &tcpwhy_testkit::script(text).segments).severity;
        let swapped = |text: &str| text.replace('>', "|").replace('<', ">").replace('|', "<");
        assert_eq!(severity(&text(2)), Severity::Info);
        let all = connections(&tcpwhy_testkit::script(&swapped(&text(60))).segments);
        assert!(all[0].halves.iter().flat_map(|half| &half.findings).all(|f| f.severity == Severity::Info));
        assert_eq!(severity(&swapped(&text(2))), Severity::Warning);
    }

    /// A server that answered, and after two minutes of silence says goodbye with an alert of 24 bytes and
    /// its FIN, was slow to nobody. The transfer ended before the silence.
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
        // An answer that is longer had been asked for.
        assert_eq!(said(151), (Some(Detail::Think), false));
    }

    /// Who sends a few bytes each five seconds, and is answered at once, asks: its pauses are nobody's wait,
    /// although it had not opened the connection.
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
        let severity = |periods| fires(RULE.id, &tcpwhy_testkit::script(&text(periods)).segments).severity;
        assert_eq!(severity([5; 5]), Severity::Info);
        assert!(severity([5, 2, 7, 3, 4]) > Severity::Info);
    }

    /// A handshake over 10 ms, then `turns` of the client's `request` bytes `pause` ms after the server's
    /// last, and the server's `answer` bytes `wait` ms later; captured at the client. Each is acknowledged
    /// at once.
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

    /// The gravest finding about the server's direction, and its verdict's severity.
    fn of_server(turns: &[(u32, u32, u32, u32)]) -> Option<Severity> {
        let all = connections(&tcpwhy_testkit::script(&exchanges(turns)).segments);
        let half = all[0].halves.iter().find(|half| half.role == Role::Server)?;
        half.findings.iter().map(|f| Some(f.severity)).fold(half.verdict.severity, Option::max)
    }

    /// A short request that waits is one, whether it is 2 kB or a few bytes, and whoever broke the silence.
    #[test]
    fn a_short_request_that_waits() {
        assert!(of_server(&[(5, 1000, 3_000, 2_000)]) >= Some(Severity::Warning));
        assert!(of_server(&[(5, 300, 3_000, 300)]) >= Some(Severity::Warning));
        assert!(of_server(&[(5, 60, 15_000, 80)]) >= Some(Severity::Warning));
        assert!(of_server(&[(5, 300, 1, 800), (2_000, 60, 15_000, 80)]) >= Some(Severity::Warning));
    }

    /// The same request of 500 bytes waits for 30 s again and again, and is repeated at once: a long poll.
    #[test]
    fn a_long_poll() {
        let polls = [(5, 500, 30_000, 200), (3, 500, 30_000, 200), (3, 501, 17_000, 900), (3, 501, 30_000, 200)];
        assert!(of_server(&polls) <= Some(Severity::Info));
    }

    /// The client acknowledges with a few bytes of its own (SETTINGS, the end of a handshake), and 40 s
    /// later the server says something that nobody had asked for.
    #[test]
    fn a_push_of_a_server() {
        assert!(of_server(&[(5, 500, 1, 3_000), (1, 60, 40_000, 100), (1, 40, 25_000, 120)]) <= Some(Severity::Info));
    }

    /// IMAP's IDLE: the server agrees at once, and speaks when there is something to say.
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
        let findings = all[0].halves.iter().flat_map(|half| &half.findings);
        assert_eq!(findings.filter(|f| f.severity > Severity::Info).count(), 0);
    }

    /// A person types over SSH; one command runs for 4 s before it prints.
    #[test]
    fn a_person_who_types() {
        let mut turns: Vec<_> = (0..12).map(|n| (140 + 37 * n, 36, 1, 36)).collect();
        turns.push((200, 36, 4_000, 800));
        assert!(of_server(&turns) <= Some(Severity::Info));
        // Requests are no keys, and each is awaited.
        let requests: Vec<_> = turns.iter().map(|&(pause, _, wait, answer)| (pause, 400, wait, answer)).collect();
        assert!(of_server(&requests) >= Some(Severity::Warning));
    }

    #[test]
    fn a_server_that_answers_at_once() {
        is_silent(RULE.id, &Turns::default().run());
    }
}
