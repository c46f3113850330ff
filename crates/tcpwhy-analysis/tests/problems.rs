//! Problems of a capture, and the affected servers.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use tcpwhy_analysis::{Analyzer, Connection, Failure, Kind, Problem, Problems, Services, Slow};
use tcpwhy_model::{Endpoint, Segment};
use tcpwhy_testkit::{Turns, ms, script};

const REFUSED: &str = "0.000 > S 0:0(0) win 65535 <mss 1460>\n0.001 < R. 0:0(0) ack 1";
const UNANSWERED: &str = "0.000 > S 0:0(0) win 65535 <mss 1460>
    1.000 > S 0:0(0) win 65535 <mss 1460>
    3.000 > S 0:0(0) win 65535 <mss 1460>";
/// The server accepts the connection, and resets it before it sends data.
const DROPPED: &str = "0.000 > S 0:0(0) win 65535 <mss 1460>
    0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
    0.020 > . 1:1(0) ack 1 win 65535
    0.021 > P. 1:101(100) ack 1
    0.041 < R. 1:1(0) ack 101";
/// A client that has its answer and resets the connection.
const HARMLESS: &str = "0.000 > S 0:0(0) win 65535 <mss 1460>
    0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
    0.020 > . 1:1(0) ack 1 win 65535
    0.021 > P. 1:101(100) ack 1
    0.041 < P. 1:501(500) ack 101
    0.041 > . 101:101(0) ack 501
    0.042 > R. 101:101(0) ack 501";

/// Returns the connections of `captures`: each from its own port to port 80, or to its own port if `is_scan`.
fn connections(captures: &[Vec<Segment>], is_scan: bool) -> Vec<Connection> {
    let mut analyzer = Analyzer::new();
    for (n, segments) in (1_u16..).zip(captures) {
        let client = segments[0].source;
        for segment in segments {
            let mut segment = *segment;
            segment.number += u64::from(n) * 10_000;
            for end in [&mut segment.source, &mut segment.destination] {
                let is_client = *end == client;
                end.port = match (is_client, is_scan) {
                    (true, false) => 40_000 + n,
                    (true, true) => 40_000,
                    (false, false) => 80,
                    (false, true) => n,
                };
            }
            analyzer.observe(&segment);
        }
    }
    analyzer.finish()
}

fn notation(text: &str, count: usize) -> Vec<Vec<Segment>> {
    vec![script(text).segments; count]
}

fn problems(connections: &[Connection]) -> Vec<Problem> {
    let mut problems = Problems::default();
    for connection in connections {
        problems.add(connection);
    }
    let ranked = problems.ranked();
    // The order of connections does not matter.
    let mut backwards = Problems::default();
    for connection in connections.iter().rev() {
        backwards.add(connection);
    }
    let again: Vec<_> = backwards.ranked().iter().map(|p| (p.key, p.connections, p.lost, p.example.id)).collect();
    assert_eq!(ranked.iter().map(|p| (p.key, p.connections, p.lost, p.example.id)).collect::<Vec<_>>(), again);
    ranked
}

fn kinds(all: &[Problem]) -> Vec<(Kind, u64)> {
    all.iter().map(|problem| (problem.key.kind, problem.connections)).collect()
}

/// The same finding on 40 connections is one problem with the count 40.
#[test]
fn what_is_alike_is_one_problem() {
    let captures = [notation(REFUSED, 40), notation(HARMLESS, 20), notation(DROPPED, 3)].concat();
    let all = problems(&connections(&captures, false));
    let expected = [(Kind::Failed(Failure::Refused), 40), (Kind::Failed(Failure::ResetByServer), 3)];
    assert_eq!(kinds(&all), expected);
    assert_eq!(all[0].key.service().map(|service| service.port), Some(80));
}

/// A reset after the work was done and an immediate answer are not problems.
#[test]
fn nothing_may_be_wrong() {
    let quick = Turns { count: 20, think: ms(5), rest: ms(900), ..Turns::default() }.run();
    let captures = [notation(HARMLESS, 30), vec![quick; 5]].concat();
    assert_eq!(kinds(&problems(&connections(&captures, false))), []);
}

/// A server that takes 1.5 s is a problem; the pauses of its clients do not matter.
#[test]
fn a_slow_server_is_a_problem() {
    let slow = Turns { count: 3, think: ms(1_500), rest: ms(9_000), ..Turns::default() }.run();
    let all = problems(&connections(&vec![slow; 4], false));
    assert_eq!(kinds(&all), [(Kind::Slow(Slow::Server), 4)]);
    assert_eq!((all[0].exchanges, (all[0].lost - ms(18_000)).abs() < ms(10)), (12, true), "{}", all[0].lost);
}

/// Answers that are late by less than a second count if they are a habit: `LATE_ANSWERS`, ten.
#[test]
fn few_late_answers_are_nobodys_trouble() {
    let late = |connections: usize, count: u32| {
        let turns = Turns { count, think: ms(400), ..Turns::default() }.run();
        kinds(&problems(&self::connections(&vec![turns; connections], false))).len()
    };
    assert_eq!((late(3, 3), late(2, 5), late(10, 1)), (0, 1, 1));
}

/// Failures at many ports of one host are a scan: `SCANNED_PORTS`, sixteen.
#[test]
fn a_scan_is_one_problem() {
    for (count, expected) in [(15, 15), (16, 1), (60, 1)] {
        let all = problems(&connections(&notation(UNANSWERED, count), true));
        assert_eq!(all.len(), expected, "{count} ports");
        if expected == 1 {
            let scan = &all[0];
            assert_eq!((scan.key.kind, scan.ports()), (Kind::Failed(Failure::Unanswered), count as u64));
            assert_eq!(scan.key.service(), None);
        }
    }
}

/// A connection belongs to its problems, and to a scan of its client.
#[test]
fn a_problem_knows_its_connections() {
    let all = connections(&notation(UNANSWERED, 20), true);
    let scan = problems(&all)[0].key;
    assert!(all.iter().all(|connection| scan.concerns(connection)));
    let other = connections(&notation(REFUSED, 1), false);
    assert!(!scan.concerns(&other[0]), "refused, not unanswered");
    let mut stranger = all[0].clone();
    stranger.endpoints[0].address = [10, 9, 9, 9].into();
    assert!(!scan.concerns(&stranger), "of another client");
}

/// Many failures at one port of a scanned host are a problem apart from the scan: `MANY_FAILED`, ten.
#[test]
fn a_scan_hides_no_other_failures() {
    for (more, expected) in [(8, 1), (9, 2)] {
        let mut all = connections(&notation(UNANSWERED, 20), true);
        let others = vec![all[0].clone(); more].into_iter().zip(100..).map(|(mut connection, n)| {
            connection.endpoints[0].address = [10, 9, 9, 9].into();
            (connection.id, connection.first_packet) = (n, n * 10_000);
            connection
        });
        all.extend(others);
        assert_eq!(problems(&all).len(), expected, "{more} more at one port");
    }
}

/// A service counts its failures by kind, all resets, and the times of its exchanges.
#[test]
fn a_service_counts_what_happened() {
    let quick = Turns { count: 20, think: ms(30), ..Turns::default() }.run();
    let captures = [notation(REFUSED, 2), notation(DROPPED, 1), notation(HARMLESS, 3), vec![quick; 2]].concat();
    let all = connections(&captures, false);
    let mut services = Services::default();
    for connection in &all {
        services.add(connection);
    }
    let ranked = services.ranked();
    let service = ranked[0];
    let Endpoint { port, .. } = service.server;
    assert_eq!((ranked.len(), port, service.connections, service.failed()), (1, 80, 8, 3));
    assert_eq!((service.failed_by(Failure::Refused), service.failed_by(Failure::ResetByServer)), (2, 1));
    assert_eq!(service.resets, [3, 1], "a refusal is no reset of a connection");
    // 20 for each fast connection, one for each that was reset after its answer.
    assert_eq!(service.exchanges, 43);
    let median = service.responses.distribution().unwrap().median;
    assert!(median.abs_diff(30_000_000) < 1_000_000, "{median}");
    assert_eq!(service.slowest.len(), 3);
}
