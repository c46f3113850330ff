//! Tests of each number of a service: one of them fails if a condition is removed, the ends are swapped, or a
//! boundary moves.

use tcpwhy_model::{Cause, Detail, Severity, Span, Timestamp};

use super::*;
use crate::exchanges::{Known, Opening, Party};
use crate::outcome::testing::{at, connection, end};
use crate::outcome::{HalfConnection, Role};
use crate::problems::testing::{finding, half};

const MS: i64 = 1_000_000;

fn of_client(bytes: u64) -> HalfConnection {
    let mut half = half(Role::Client, None, &[(1, Cause::plain(Limit::SlowStart))], Vec::new());
    half.bytes = bytes;
    half
}

fn of_server(bytes: u64) -> HalfConnection {
    let parts = [(2, Cause::plain(Limit::Path)), (3, Detail::Think.into())];
    let mut half = half(Role::Server, None, &parts, Vec::new());
    (half.bytes, half.sender) = (bytes, Side::B);
    half
}

/// A connection to port 80 of host 2 that carried 100 bytes to it and 1000 from it.
fn one() -> Connection {
    connection(end(1, 40_000), end(2, 80), vec![of_client(100), of_server(1000)])
}

fn exchanges(pattern: Pattern, nanos: &[i64]) -> Exchanges {
    let exchange = |(n, &nanos): (usize, &i64)| Exchange {
        request: Span::new(Timestamp::ZERO, Timestamp::ZERO),
        answer: Span::new(Timestamp::ZERO, Timestamp::ZERO),
        request_bytes: 10,
        answer_bytes: 100,
        request_packet: n as u64,
        answer_packet: 0,
        last_packet: 0,
        response: nanos,
        round_trip: 0,
        limits: Vec::new(),
    };
    let (mut times, mut responses) = (Sketch::default(), Sketch::default());
    times.add(40, 1.0);
    responses.add(30, 1.0);
    Exchanges {
        client: Side::A,
        known: Known::Port,
        pattern,
        count: nanos.len() as u64,
        request_bytes: 10,
        answer_bytes: 100,
        opening: Opening::default(),
        parts: Parts { client: 1, server: 2, ..Parts::default() },
        times,
        responses,
        limits: Vec::new(),
        slowest: nanos.iter().enumerate().map(exchange).collect(),
    }
}

use crate::exchanges::Exchanges;

fn folded(connections: &[Connection]) -> Services {
    let mut services = Services::default();
    for connection in connections {
        services.add(connection);
    }
    services
}

fn service(connections: &[Connection]) -> Service {
    folded(connections).of(end(2, 80)).unwrap().clone()
}

#[test]
fn the_server_answered_the_syn_or_the_requests_or_has_the_lower_port() {
    let server = |initiator, asker: Option<Side>, ports: [u16; 2]| {
        let mut connection = one();
        connection.initiator = initiator;
        let asked = |client| Box::new(Exchanges { client, ..exchanges(Pattern::RequestResponse, &[1]) });
        connection.exchanges = asker.map(asked);
        connection.endpoints = [end(1, ports[0]), end(2, ports[1])];
        connection.server()
    };
    let (low, high) = (80, 40_000);
    for (what, initiator, asker, ports, expected) in [
        ("the first end sent the SYN", Some(Side::A), Some(Side::B), [low, high], Side::B),
        ("the second end sent it", Some(Side::B), Some(Side::A), [high, low], Side::A),
        ("no SYN: the first end asks", None, Some(Side::A), [low, high], Side::B),
        ("no SYN: the second end asks", None, Some(Side::B), [high, low], Side::A),
        ("neither: a known service has the higher port", None, None, [1057, 44_818], Side::B),
        ("neither: the second has the lower port", None, None, [high, low], Side::B),
        ("neither: the first has it", None, None, [low, high], Side::A),
        ("equal ports: the first", None, None, [high, high], Side::A),
    ] {
        assert_eq!(server(initiator, asker, ports), expected, "{what}");
    }
}

#[test]
fn most_connections_come_first_then_most_bytes() {
    let to = |port, bytes| connection(end(1, 40_000), end(2, port), vec![of_server(bytes)]);
    let ranked = |connections: &[Connection]| {
        folded(connections).ranked().iter().map(|service| service.server.port).collect::<Vec<_>>()
    };
    assert_eq!(ranked(&[to(1, 9_000), to(2, 10), to(2, 10)]), [2, 1], "more connections, fewer bytes");
    assert_eq!(ranked(&[to(1, 10), to(2, 9_000)]), [2, 1], "as many connections, more bytes");
    assert_eq!(ranked(&[to(2, 10), to(1, 10)]), [1, 2], "otherwise by address and port");
}

#[test]
fn sums_of_a_service() {
    let mut other = one();
    (other.span, other.halves) = (Span::new(at(5), at(8)), vec![of_server(50_000)]);
    let found = service(&[one(), other]);
    assert_eq!((found.connections, found.bytes, found.failed()), (2, 51_100, 0), "both directions");
    let times = found.times.distribution().unwrap();
    assert_eq!((times.min, times.max), (3_000_000_000, 10_000_000_000), "the connections' own times");
    let limit = |limit: Limit| found.limits[limit as usize] / 1_000_000_000;
    assert_eq!((limit(Limit::Path), limit(Limit::Application)), (4, 6), "the direction that carried most");
    assert_eq!(limit(Limit::SlowStart), 0, "not the other one");
}

#[test]
fn failed_and_empty_connections_count() {
    let mut refused = one();
    (refused.ending, refused.halves, refused.span) = (Ending::Refused, Vec::new(), Span::new(at(0), at(1)));
    let found = service(&[refused.clone(), refused, one()]);
    assert_eq!((found.connections, found.failed(), found.failed_by(Failure::Refused)), (3, 2, 2));
    assert_eq!(found.failed_by(Failure::Unanswered), 0);
    assert_eq!(found.times.distribution().unwrap().min, 10_000_000_000, "only connections with data have times");
    let mut unanswered = one();
    unanswered.findings = vec![finding("request-unanswered", Severity::Warning, 0, None)];
    assert_eq!(service(&[unanswered]).failed_by(Failure::RequestUnanswered), 1);
}

/// Resets of both ends count, also for connections without data.
#[test]
fn resets_count_by_end() {
    let reset = |side, halves| Connection { ending: Ending::Reset(side), halves, ..one() };
    let resets = |connection| service(&[connection]).resets;
    assert_eq!(resets(reset(Side::A, one().halves)), [1, 0], "the client's");
    assert_eq!(resets(reset(Side::B, one().halves)), [0, 1], "the server's");
    assert_eq!(resets(reset(Side::B, Vec::new())), [0, 1], "without any data");
    assert_eq!(resets(one()), [0, 0]);
    let mut turned = reset(Side::A, one().halves);
    turned.initiator = Some(Side::B);
    turned.endpoints.swap(0, 1);
    assert_eq!(resets(turned), [0, 1], "the server sent the first packet");
}

#[test]
fn exchanges_of_requests_and_answers_count() {
    let with = |pattern, nanos: &[i64]| Connection { exchanges: Some(Box::new(exchanges(pattern, nanos))), ..one() };
    let found = service(&[with(Pattern::RequestResponse, &[30 * MS, 20 * MS]), with(Pattern::RequestResponse, &[MS])]);
    assert_eq!((found.exchanges, found.parts.client, found.parts.server), (3, 2, 4));
    let medians = [&found.exchange_times, &found.responses].map(|times| times.distribution().map(|d| d.median));
    assert_eq!(medians, [Some(40), Some(30)], "times and responses");
    for (pattern, interactive) in
        [(Pattern::Interactive, 1), (Pattern::Overlapping, 0), (Pattern::LongPoll, 0), (Pattern::Unasked, 0)]
    {
        let found = service(&[with(pattern, &[30 * MS])]);
        let counts = (found.interactive, found.exchanges, found.parts.client, found.slowest.len());
        assert_eq!(counts, (interactive, 0, 0, 0), "{pattern:?}");
        assert!(found.exchange_times.distribution().is_none(), "{pattern:?}");
    }
    assert_eq!(exchanges(Pattern::RequestResponse, &[1]).most(), Some((Party::Server, 2)));
}

/// The three slowest exchanges of all connections are kept.
#[test]
fn the_slowest_exchanges_of_a_service() {
    let with = |id, nanos: &[i64]| Connection {
        id,
        exchanges: Some(Box::new(exchanges(Pattern::RequestResponse, nanos))),
        ..one()
    };
    let slowest = |connections: &[Connection]| {
        let found = service(connections);
        found.slowest.iter().map(|slow| (slow.connection, slow.exchange.nanos())).collect::<Vec<_>>()
    };
    assert_eq!(SLOWEST, 3);
    for (what, connections, expected) in [
        ("more than are kept", vec![with(1, &[9, 8, 7, 6])], vec![(1, 9), (1, 8), (1, 7)]),
        ("slower ones come later", vec![with(1, &[9, 8, 7]), with(2, &[20, 8])], vec![(2, 20), (1, 9), (1, 8)]),
        ("faster ones come later", vec![with(1, &[9, 8, 7]), with(2, &[6])], vec![(1, 9), (1, 8), (1, 7)]),
        ("fewer than are kept", vec![with(1, &[9]), with(2, &[3])], vec![(1, 9), (2, 3)]),
        ("equal ones, with an earlier packet", vec![with(1, &[9, 8, 7]), with(2, &[7])], vec![(1, 9), (1, 8), (2, 7)]),
    ] {
        assert_eq!(slowest(&connections), expected, "{what}");
    }
}

#[test]
fn connections_get_their_numbers_once() {
    let with = |id| Connection { id, exchanges: Some(Box::new(exchanges(Pattern::RequestResponse, &[9]))), ..one() };
    let mut services = folded(&[with(7)]);
    let number = |services: &Services| services.of(end(2, 80)).unwrap().slowest[0].connection;
    assert_eq!(number(&services), 7, "its own, before");
    services.renumber(&|connection| connection.id + 100);
    assert_eq!(number(&services), 107);
    services.renumber(&|connection| connection.id + 500);
    assert_eq!(number(&services), 107, "it has its number");
    let bare = with(7).without_directions();
    assert!(bare.halves.is_empty() && bare.exchanges.is_none() && bare.id == 7 && bare.findings.is_empty());
}

/// `MOST_SERVICES`: the lowest addresses and ports stay, in any order of connections.
#[test]
fn no_more_services_are_kept() {
    let to = |port| connection(end(1, 40_000), end(2, port), Vec::new());
    let most = MOST_SERVICES as u16;
    let mut services = Services::default();
    (1..=most).rev().for_each(|port| services.add(&to(port)));
    assert_eq!(services.ranked().len(), 10_000);
    services.add(&to(most + 1));
    assert!(services.of(end(2, most + 1)).is_none() && services.of(end(2, most)).is_some(), "the highest");
    services.add(&connection(end(1, 40_000), end(1, 9), Vec::new()));
    assert!(services.of(end(1, 9)).is_some() && services.of(end(2, most)).is_none(), "a lower one takes its place");
}

/// If the clock stepped by years, the connection counts, but its times do not.
#[test]
fn times_of_a_wrong_clock_are_left_out() {
    let timed = || Connection { exchanges: Some(Box::new(exchanges(Pattern::RequestResponse, &[MS]))), ..one() };
    let years = Span::new(Timestamp::ZERO, Timestamp::from_nanos(i64::MAX));
    let wrong = Connection { has_wrong_clock: true, span: years, first_packet: 99, ..timed() };
    let (alone, both) = (service(&[timed()]), service(&[timed(), wrong]));
    assert_eq!((both.connections, both.exchanges, both.wrong_clock), (2, 2 * alone.exchanges, 1));
    assert_eq!((alone.wrong_clock, both.bytes), (0, 2 * alone.bytes));
    assert_eq!(both.limits, alone.limits);
    assert_eq!(both.times.distribution().map(|spread| spread.max), alone.times.distribution().map(|spread| spread.max));
    assert_eq!(both.parts.server, alone.parts.server);
    assert_eq!(both.slowest.len(), alone.slowest.len());
}
