//! Tests of each condition of the split, and of the path's part in a wait. One of them fails if a condition
//! is removed, the ends are swapped, or a boundary moves.

use tcpwhy_model::{Basis, Detail};
use tcpwhy_testkit::ms;

use super::*;
use crate::exchanges::Pattern;
use crate::exchanges::terms::{exchange, exchanges};
use crate::outcome::Role;
use crate::problems::testing::half;

const SECOND: i64 = 1_000_000_000;

fn ways(to_server: i64, to_client: i64) -> Ways {
    Ways { to_server: Some(to_server), to_client: Some(to_client) }
}

#[test]
fn what_a_near_end_takes_to_answer_is_no_way() {
    let (least, most) = (NEAR_MOST.get() - 1, NEAR_TIMES.get() * (NEAR_MOST.get() - 1));
    for (what, ways, near, expected) in [
        ("at the server, by its vantage", ways(ms(9), ms(9)), Some(IsAt::Server), ways(0, ms(9))),
        ("at the client, by its vantage", ways(ms(9), ms(9)), Some(IsAt::Client), ways(ms(9), 0)),
        ("between them", ways(ms(9), ms(9)), None, ways(ms(9), ms(9))),
        ("at the server, by the ways", ways(least, most), None, ways(0, most)),
        ("at the client, by the ways", ways(most, least), None, ways(most, 0)),
        ("the other way is less than four times as long", ways(least, most - 1), None, ways(least, most - 1)),
        ("the same of the client", ways(most - 1, least), None, ways(most - 1, least)),
        ("an end that takes 2 ms", ways(NEAR_MOST.get(), ms(99)), None, ways(NEAR_MOST.get(), ms(99))),
        ("a client that takes 2 ms", ways(ms(99), NEAR_MOST.get()), None, ways(ms(99), NEAR_MOST.get())),
        ("the client by its vantage, the server by the ways", ways(least, most), Some(IsAt::Client), ways(0, most)),
    ] {
        assert_eq!(ways.seen_at(near), expected, "{what}");
    }
    let unknown = Ways { to_server: Some(1), to_client: None };
    assert_eq!(unknown.seen_at(None), unknown, "one way was not timed");
    assert_eq!(unknown.seen_at(Some(IsAt::Client)), Ways { to_client: Some(0), ..unknown }, "the vantage is known");
    assert_eq!((NEAR_TIMES.get(), NEAR_MOST.get()), (4, 2_000_000));
}

fn round_trips(min: u64, p95: u64) -> Distribution {
    Distribution { min, median: u64::midpoint(min, p95), p95, max: 999_000_000 }
}

/// The path to the server takes a quarter of the round trip, and a quarter of the variation. The remaining
/// part belongs to the path to the client.
#[test]
fn each_way_varies_with_its_length() {
    let varied = Some(round_trips(40, 48));
    for (what, ways, rtt, expected) in [
        ("a quarter to the server", ways(10, 30), varied, [2, 6]),
        ("a quarter to the client", ways(30, 10), varied, [6, 2]),
        ("all of it to the server", ways(40, 0), varied, [8, 0]),
        ("the client's way is unknown", Ways { to_server: Some(40), to_client: None }, varied, [8, 0]),
        ("the server's way is unknown", Ways { to_server: None, to_client: Some(40) }, varied, [0, 8]),
        ("a way that reads as negative is none", ways(40, -40), varied, [8, 0]),
        ("no way at all", ways(0, 0), varied, [0, 0]),
        ("no round trip", ways(10, 30), None, [0, 0]),
        ("a constant one", ways(10, 30), Some(round_trips(40, 40)), [0, 0]),
    ] {
        assert_eq!(ways.jitter(rtt), expected, "{what}");
    }
}

fn answers(rtt: Option<Distribution>) -> HalfConnection {
    let parts = [
        (2, Cause::plain(Limit::Path)),
        (1, Detail::Think.into()),
        (2, Detail::Rto.into()),
        (1, Cause::plain(Limit::Path)),
        (3, Detail::Idle.into()),
    ];
    let mut half = half(Role::Server, None, &parts, Vec::new());
    half.rtt = rtt.map(|rtt| (rtt, Basis::WireExact));
    half
}

fn requests(rtt: Option<Distribution>) -> HalfConnection {
    let mut half =
        half(Role::Client, None, &[(1, Cause::plain(Limit::SlowStart)), (2, Detail::Fast.into())], Vec::new());
    half.rtt = rtt.map(|rtt| (rtt, Basis::WireExact));
    half
}

/// Three exchanges, one of which is kept.
fn found(parts: Parts) -> Exchanges {
    let mut found = exchanges(Pattern::RequestResponse, 3, parts);
    found.slowest = vec![exchange((0, 3 * SECOND / 2), (SECOND, 13 * SECOND / 2))];
    found
}

#[test]
fn transfers_are_split_by_what_limited_them() {
    let [requests, answers] = [requests(None), answers(None)];
    let transfers = Transfers { requests: Some(&requests), answers: Some(&answers) };
    let parts = Parts { requests: 7, answers: 6 * SECOND, round_trips: 5, ..Parts::default() };
    let mut found = found(parts);
    transfers.split(&mut found, Ways::default());
    let expected: Vec<(Cause, i64)> = vec![
        (Detail::Rto.into(), 2 * SECOND),
        (Cause::plain(Limit::Path), 2 * SECOND),
        (Detail::Think.into(), SECOND),
        (Cause::plain(Limit::SlowStart), SECOND),
        (Detail::Fast.into(), SECOND / 2),
        (Detail::Idle.into(), SECOND / 2),
    ];
    let sorted = |mut causes: Vec<(Cause, i64)>| {
        causes.sort_by_key(|&(cause, nanos)| (std::cmp::Reverse(nanos), cause));
        causes
    };
    assert_eq!(found.slowest[0].limits, sorted(expected.clone()), "longest first");
    assert_eq!(found.limits, sorted(expected), "the sum of all that are kept");
    assert_eq!(found.parts.pauses, 3 * SECOND / 2, "the server had nothing to send: of the answer alone");
    assert_eq!(found.parts.answers, 9 * SECOND / 2, "its pauses are no transfer");
    assert_eq!(found.parts.retransmission, 5 * SECOND / 2, "repairs of both transfers");
    assert_eq!((found.parts.requests, found.parts.round_trips), (7, 5), "the others stay");
}

/// The longest sum comes first. Causes of equal time have a fixed order.
#[test]
fn the_longest_limit_comes_first() {
    let mut sums = Vec::new();
    for (cause, nanos) in [(Limit::Path, 3), (Limit::SlowStart, 5), (Limit::Path, 3), (Limit::Handshake, 5)] {
        add(&mut sums, Cause::plain(cause), nanos);
    }
    longest_first(&mut sums);
    let expected: [(Cause, i64); 3] =
        [(Cause::plain(Limit::Path), 6), (Cause::plain(Limit::Handshake), 5), (Cause::plain(Limit::SlowStart), 5)];
    assert_eq!(sums, expected);
}

/// The round trip exceeds its least by 8 ns, three times: 6 ns in total on the path to the server, 18 ns on
/// the client's.
#[test]
fn a_wait_is_at_least_what_the_path_did_not_take() {
    let parts = Parts { server: 106, client: 218, answers: SECOND, ..Parts::default() };
    let of_answers = Some(round_trips(40, 48));
    let least = |ways, answers: Option<&HalfConnection>, requests: Option<&HalfConnection>, parts| {
        let mut found = found(parts);
        Transfers { requests, answers }.split(&mut found, ways);
        (found.parts.server_least, found.parts.client_least)
    };
    let [theirs, mine, untimed] = [answers(of_answers), requests(Some(round_trips(40, 80))), answers(None)];
    let one = |way: (Option<i64>, Option<i64>)| Ways { to_server: way.0, to_client: way.1 };
    for (what, found, expected) in [
        ("both ends", least(ways(10, 30), Some(&theirs), Some(&mine), parts), (100, 200)),
        ("the ends the other way round", least(ways(30, 10), Some(&theirs), Some(&mine), parts), (88, 212)),
        ("requests alone were captured", least(ways(10, 30), None, Some(&mine), parts), (76, 128)),
        ("answers that nothing timed", least(ways(10, 30), Some(&untimed), Some(&mine), parts), (106, 218)),
        ("no way to the server", least(one((None, Some(30))), Some(&theirs), None, parts), (0, 194)),
        ("no way to the client", least(one((Some(10), None)), Some(&theirs), None, parts), (82, 0)),
        (
            "no more than there was",
            least(ways(10, 30), Some(&theirs), None, Parts { server: 5, client: 17, ..parts }),
            (0, 0),
        ),
    ] {
        assert_eq!(found, expected, "{what}");
    }
}

/// Pauses that exceed the time of the answers leave no negative remainder.
#[test]
fn answers_take_no_less_than_nothing() {
    let answers = answers(None);
    let mut found = found(Parts { answers: SECOND, ..Parts::default() });
    Transfers { requests: None, answers: Some(&answers) }.split(&mut found, Ways::default());
    assert_eq!((found.parts.answers, found.parts.pauses), (0, 3 * SECOND / 2));
}

#[test]
fn stretches_count_where_they_overlap() {
    let half = answers(None);
    let span = |from: i64, until: i64| exchange((0, 0), (from, until)).answer;
    let held = |from, until| within(Some(&half), span(from, until)).map(|(_, nanos)| nanos).collect::<Vec<_>>();
    assert_eq!(held(2 * SECOND, 3 * SECOND), [SECOND], "exactly one stretch: not its neighbours");
    assert_eq!(held(2 * SECOND - 1, 3 * SECOND + 1), [1, SECOND, 1], "and 1 ns of both");
    assert_eq!(held(SECOND / 2, SECOND), [SECOND / 2], "within one");
    assert_eq!(held(9 * SECOND, 10 * SECOND), [0_i64; 0], "after the last");
    assert_eq!(within(None, span(0, SECOND)).count(), 0, "no direction");
}
