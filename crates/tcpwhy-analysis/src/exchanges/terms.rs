//! Tests of each part of an exchange's time: one of them fails if a part is missing or confused with another.

use tcpwhy_model::{Span, Timestamp};

use super::*;
use crate::side::Side;
use crate::sketch::Sketch;

/// Each part has a bit of its own, nanoseconds.
const PARTS: Parts = Parts {
    client: 1,
    client_least: 2,
    server: 4,
    server_least: 8,
    pauses: 16,
    round_trips: 32,
    requests: 64,
    answers: 128,
    retransmission: 256,
};

fn span(from: i64, until: i64) -> Span {
    Span::new(Timestamp::from_nanos(from), Timestamp::from_nanos(until))
}

pub(super) fn exchange(request: (i64, i64), answer: (i64, i64)) -> Exchange {
    Exchange {
        request: span(request.0, request.1),
        answer: span(answer.0, answer.1),
        request_bytes: 100,
        answer_bytes: 1000,
        request_packet: 1,
        answer_packet: 2,
        last_packet: 3,
        response: 0,
        round_trip: 0,
        limits: Vec::new(),
    }
}

/// Exchanges with these parts.
pub(super) fn exchanges(pattern: Pattern, count: u64, parts: Parts) -> Exchanges {
    Exchanges {
        client: Side::A,
        known: Known::Port,
        pattern,
        count,
        request_bytes: 100,
        answer_bytes: 1000,
        opening: Opening::default(),
        parts,
        times: Sketch::default(),
        responses: Sketch::default(),
        limits: Vec::new(),
        slowest: Vec::new(),
    }
}

#[test]
fn an_exchange_lasts_for_all_four_parts() {
    let exchange = Exchange { response: 20, round_trip: 10, ..exchange((1000, 1003), (2000, 2005)) };
    assert_eq!(exchange.nanos(), 3 + 5 + 20 + 10);
}

#[test]
fn sums_of_parts() {
    for (what, sum, expected) in [
        ("the server: until and within its answers", PARTS.of_server(), 4 + 16),
        ("both transfers", PARTS.transfers(), 64 + 128),
        ("the exchanges and the time between them", PARTS.all(), 1 + 4 + 16 + 32 + 64 + 128),
    ] {
        assert_eq!(sum, expected, "{what}");
    }
    let mut twice = PARTS;
    twice.add(&Parts { client: 100_000, ..PARTS });
    assert_eq!(
        twice,
        Parts {
            client: 100_001,
            client_least: 4,
            server: 8,
            server_least: 16,
            pauses: 32,
            round_trips: 64,
            requests: 128,
            answers: 256,
            retransmission: 512,
        }
    );
    twice.add(&Parts { client: i64::MAX, ..Parts::default() });
    assert_eq!(twice.client, i64::MAX, "the sum of more than there is");
}

#[test]
fn most_of_the_time_is_the_party_with_the_largest_part() {
    let most = |parts| exchanges(Pattern::RequestResponse, 1, parts).most();
    for (what, parts, expected) in [
        ("nobody's", Parts::default(), None),
        ("the client's", Parts { client: 193, ..PARTS }, Some((Party::Client, 193))),
        ("the server's: both of its parts", Parts { pauses: 189, ..PARTS }, Some((Party::Server, 193))),
        ("the path's", Parts { round_trips: 193, ..PARTS }, Some((Party::RoundTrips, 193))),
        ("the transfers': both of them", PARTS, Some((Party::Transfers, 192))),
        ("the least of the client's part, and losses", Parts { client_least: 999, retransmission: 999, ..PARTS }, {
            Some((Party::Transfers, 192))
        }),
        ("one nanosecond", Parts { client: 1, ..Parts::default() }, Some((Party::Client, 1))),
    ] {
        assert_eq!(most(parts), expected, "{what}");
    }
}

#[test]
fn times_mean_something_where_requests_are_answered() {
    use Pattern::{Interactive, LongPoll, Overlapping, RequestResponse, Unasked};
    for (pattern, count, is_request_response, has_times) in [
        (RequestResponse, 1, true, true),
        (RequestResponse, 0, false, false),
        (Overlapping, 1, false, true),
        (Overlapping, 0, false, false),
        (Interactive, 1, false, false),
        (LongPoll, 1, false, false),
        (Unasked, 1, false, false),
    ] {
        let found = exchanges(pattern, count, PARTS);
        assert_eq!((found.is_request_response(), found.has_times()), (is_request_response, has_times), "{pattern:?}");
    }
}

#[test]
fn the_strongest_shows_who_asks() {
    let all = Shown { is_at_service: true, has_header: true, is_answered: true, spoke_first: true };
    let no_habit = Shown { is_answered: false, ..all };
    let no_header = Shown { has_header: false, ..no_habit };
    let no_port = Shown { is_at_service: false, ..no_header };
    for (shown, expected, id) in [
        (all, Known::Habit, "habit"),
        (no_habit, Known::Header, "header"),
        (no_header, Known::Port, "port"),
        (Shown { spoke_first: false, ..no_port }, Known::Opener, "opener"),
        (no_port, Known::First, "first"),
    ] {
        let known = Known::by(shown);
        assert_eq!((known, known.id()), (expected, id), "{shown:?}");
        assert!((0.0..1.0).contains(&known.confidence()), "{known:?}");
    }
}

#[test]
fn so_many_are_kept() {
    assert_eq!((MOST_KEPT, MOST_TRACED), (32, 2000));
}
