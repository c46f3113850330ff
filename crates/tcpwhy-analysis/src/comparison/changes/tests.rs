use std::net::IpAddr;

use tcpwhy_model::{Basis, Cause, Limit, Span, Timestamp};

use super::*;
use crate::testing::half;
use crate::{
    Close, Ending, Exchange, Exchanges, Failure, Known, Opening, Parts, Pattern, Role, Side, Sketch, VantageEstimate,
};

const MS: i64 = 1_000_000;
/// The parts of an exchange apart from the server's response, milliseconds.
const TRANSFERS: i64 = 20;

fn server(host: u8, port: u16) -> Endpoint {
    Endpoint { address: IpAddr::from([10, 0, 0, host]), port }
}

fn connection(server: Endpoint, ending: Ending, exchanges: Option<Exchanges>) -> Connection {
    let client = Endpoint { address: IpAddr::from([10, 9, 0, 1]), port: 40_000 };
    let data = half(Role::Server, None, &[(1, Cause::plain(Limit::Path))], Vec::new());
    Connection {
        id: 0,
        endpoints: [client, server],
        initiator: Some(Side::A),
        span: data.span,
        first_packet: 1,
        packets: [3, 3],
        vantage: VantageEstimate { near: None, is_middle: false, basis: Basis::Assumed },
        ending,
        close: Close::default(),
        halves: if exchanges.is_some() { vec![data] } else { Vec::new() },
        exchanges: exchanges.map(Box::new),
        findings: Vec::new(),
        rtt_min: Some(1_000_000),
        kernel: None,
        server_name: None,
        served_by: None,
        has_wrong_clock: false,
        awaited: None,
    }
}

/// A connection that the server refused.
fn refused(server: Endpoint) -> Connection {
    connection(server, Ending::Refused, None)
}

/// A connection with a request, to which the server responded after `millis` milliseconds.
fn answered(server: Endpoint, millis: i64) -> Connection {
    let response = millis * MS;
    let span = |start: i64, end: i64| Span::new(Timestamp::from_nanos(start), Timestamp::from_nanos(end));
    let exchange = Exchange {
        request: span(0, 0),
        answer: span(response, response + TRANSFERS * MS),
        request_bytes: 100,
        answer_bytes: 500_000,
        request_packet: 1,
        answer_packet: 2,
        last_packet: 3,
        response,
        round_trip: 0,
        limits: Vec::new(),
    };
    let sketch = |nanos: i64| {
        let mut sketch = Sketch::default();
        sketch.add(nanos.unsigned_abs(), 1.0);
        sketch
    };
    let exchanges = Exchanges {
        client: Side::A,
        known: Known::Port,
        pattern: Pattern::RequestResponse,
        count: 1,
        request_bytes: 100,
        answer_bytes: 500_000,
        opening: Opening::default(),
        parts: Parts { server: response, answers: TRANSFERS * MS, ..Parts::default() },
        times: sketch(exchange.nanos()),
        responses: sketch(response),
        limits: Vec::new(),
        slowest: vec![exchange],
    };
    connection(server, Ending::Closed, Some(exchanges))
}

fn totals(parts: &[(usize, Connection)]) -> Totals {
    let mut totals = Totals::default();
    for (count, connection) in parts {
        (0..*count).for_each(|_| totals.add(connection));
    }
    totals
}

fn between(before: &[(usize, Connection)], after: &[(usize, Connection)]) -> Changes {
    Changes::between([totals(before), totals(after)])
}

/// Returns the change of each problem, with its connections before and after, and those of its server.
fn found(changes: &Changes) -> Vec<(Change, [u64; 2], [u64; 2])> {
    let connections = |problem: &Option<Problem>| problem.as_ref().map_or(0, |problem| problem.connections);
    let one =
        |change: &ProblemChange| (change.change, change.problems.each_ref().map(connections), change.of_connections);
    changes.problems.iter().map(one).collect()
}

#[test]
fn a_change_under_a_tenth_is_none() {
    let web = server(2, 80);
    let share = |count, all| [(count, refused(web)), (all - count, answered(web, 10))];
    for (before, after, expected, what) in [
        ((10, 100), (11, 100), Change::Same, "an eleventh of what it is now"),
        ((10, 100), (12, 100), Change::Worse, "a sixth"),
        ((12, 100), (10, 100), Change::Better, "a sixth less"),
        ((2, 10), (4, 20), Change::Same, "twice in a capture twice as long"),
        ((2, 10), (2, 20), Change::Better, "as often in a capture twice as long"),
    ] {
        let changes = between(&share(before.0, before.1), &share(after.0, after.1));
        let counts = [before.0, after.0].map(|count| count as u64);
        let all = [before.1, after.1].map(|all| all as u64);
        assert_eq!(found(&changes), [(expected, counts, all)], "{what}");
    }
}

/// The worst change comes first. A server that the other capture does not have shows no change.
#[test]
fn problems_come_and_go() {
    let [web, database, mail] = [server(2, 80), server(3, 5432), server(4, 25)];
    let changes = between(
        &[(2, refused(web)), (2, answered(web, 10)), (1, answered(database, 10)), (1, refused(mail))],
        &[(4, answered(web, 10)), (3, refused(database)), (1, answered(database, 10)), (1, refused(server(5, 443)))],
    );
    let expected = [
        (Change::New, [0, 3], [1, 4]),
        (Change::OnlyAfter, [0, 1], [0, 1]),
        (Change::Gone, [2, 0], [4, 4]),
        (Change::OnlyBefore, [1, 0], [1, 0]),
    ];
    assert_eq!(found(&changes), expected);
    assert!(!changes.is_empty());
    let apart = between(&[(1, refused(web))], &[(1, refused(mail))]);
    assert!(apart.is_empty(), "{:?}", found(&apart));
}

#[test]
fn a_service_has_its_times_before_and_after() {
    let web = server(2, 80);
    let changes = between(&[(10, answered(web, 30))], &[(10, answered(web, 2_000))]);
    assert_eq!(found(&changes), [(Change::New, [0, 10], [10, 10])]);
    assert_eq!(changes.problems[0].problems[1].as_ref().map(|problem| problem.lost), Some(20_000 * MS));
    let [pair] = &changes.services[..] else { panic!("{:?}", changes.services) };
    let median = |sketch: &Sketch| sketch.quantile(0.5).map(|nanos| nanos / MS.unsigned_abs());
    let times = pair.services.each_ref().map(|service| (median(&service.exchange_times), median(&service.responses)));
    assert_eq!(times, [(Some(50), Some(30)), (Some(2_020), Some(2_000))]);
}

/// A problem whose weight is too small for the list is not gone.
#[test]
fn a_problem_that_shrinks_is_better_with_its_numbers() {
    let web = server(2, 80);
    let changes = between(&[(4, answered(web, 2_000))], &[(4, answered(web, 150))]);
    assert_eq!(found(&changes), [(Change::Better, [4, 4], [4, 4])]);
    let lost = changes.problems[0].problems.each_ref().map(|problem| problem.as_ref().map(|problem| problem.lost));
    assert_eq!(lost, [Some(8_000 * MS), Some(600 * MS)]);
}

/// In captures of different hosts, servers correspond by port if that is unambiguous.
#[test]
fn servers_of_different_hosts_are_compared_by_port() {
    let [here, there, other] = [server(2, 80), server(12, 80), server(3, 80)];
    let of = |web| [(2, refused(web)), (2, answered(web, 10))];
    let changes = between(&of(here), &of(there));
    assert_eq!(found(&changes), [(Change::Same, [2, 2], [4, 4])]);
    assert_eq!(changes.services[0].services.each_ref().map(|service| service.server), [here, there]);
    // Two servers have that port. Neither corresponds to the other capture's, but only one of them refuses.
    let [first, second] = of(here);
    let changes = between(&[first, second, (1, answered(other, 10))], &of(there));
    assert_eq!(found(&changes), [(Change::Same, [2, 2], [4, 4])]);
    assert!(changes.services.is_empty());
    let failures =
        changes.problems[0].problems.each_ref().map(|problem| problem.as_ref().map(|problem| problem.key.kind));
    assert_eq!(failures, [Some(Kind::Failed(Failure::Refused)); 2]);
}
