//! Tests of each condition of two legs: one of them fails if a condition is removed or a boundary moves.

use tcpwhy_model::{Basis, Cause, Limit};

use super::super::pair::unique;
use super::*;
use crate::exchanges::{Exchanges, Known, Opening, Parts, Pattern};
use crate::outcome::testing::{at, connection, end};
use crate::outcome::{HalfConnection, Role, Side, VantageEstimate};
use crate::problems::testing::half;
use crate::sketch::Sketch;

fn direction(sender: Side, bytes: u64, seconds: i64) -> HalfConnection {
    let mut half = half(Role::Server, None, &[(seconds, Cause::plain(Limit::Path))], Vec::new());
    (half.sender, half.bytes) = (sender, bytes);
    half
}

/// A download of 200 kB, from 0 s to 10 s, with data until 9 s.
fn download(client: (u8, u16), server: (u8, u16)) -> Connection {
    let halves = vec![direction(Side::A, 500, 1), direction(Side::B, 200_000, 9)];
    connection(end(client.0, client.1), end(server.0, server.1), halves)
}

fn outer() -> Leg {
    Leg::of(&download((1, 40_000), (2, 8080))).unwrap()
}

fn inner() -> Leg {
    Leg::of(&download((2, 50_000), (3, 80))).unwrap()
}

fn exchanges(tls_turns: u32) -> Exchanges {
    Exchanges {
        client: Side::A,
        known: Known::Port,
        pattern: Pattern::RequestResponse,
        count: 1,
        request_bytes: 1,
        answer_bytes: 1,
        opening: Opening { tls_turns, ..Opening::default() },
        parts: Parts::default(),
        times: Sketch::default(),
        responses: Sketch::default(),
        limits: Vec::new(),
        slowest: Vec::new(),
    }
}

#[test]
fn what_a_leg_knows_of_its_connection() {
    let mut found = download((1, 40_000), (2, 8080));
    (found.id, found.rtt_min) = (7, Some(30));
    found.vantage = VantageEstimate { near: Some(Side::B), is_middle: false, basis: Basis::WireInferred };
    let leg = Leg::of(&found).unwrap();
    assert_eq!((leg.client, leg.server, leg.near), (end(1, 40_000), end(2, 8080), Some(end(2, 8080))));
    assert_eq!((leg.ways[0].bytes, leg.ways[1].bytes), (500, 200_000), "what the client sends comes first");
    assert_eq!((leg.number, leg.rtt, leg.span, leg.largest()), (7, 30, found.span, 200_000));
    assert_eq!(leg.data_end(), Some(at(9)), "the later of both directions");
    found.initiator = Some(Side::B);
    let turned = Leg::of(&found).unwrap();
    assert_eq!((turned.client, turned.server), (end(2, 8080), end(1, 40_000)), "the other end opened it");
    assert_eq!((turned.ways[0].bytes, turned.ways[1].bytes), (200_000, 500));
    assert_eq!(turned.data_end(), Some(at(9)), "the later of both, whichever it is");
    let (mut untimed, mut empty) = (found.clone(), found);
    untimed.rtt_min = None;
    untimed.halves.truncate(1);
    let leg = Leg::of(&untimed).unwrap();
    assert_eq!((leg.rtt, leg.ways[0].bytes, leg.ways[0].end), (0, 0, None), "no round trip, one direction");
    empty.halves.clear();
    assert!(Leg::of(&empty).is_none(), "nothing was carried");
    for (turns, expected) in [(0, false), (1, true)] {
        let mut with_exchanges = download((1, 40_000), (2, 8080));
        with_exchanges.exchanges = Some(Box::new(exchanges(turns)));
        assert_eq!(Leg::of(&with_exchanges).unwrap().has_tls, expected, "{turns} turns of TLS");
    }
}

/// Each changes one thing of a pair that is found.
#[test]
fn an_outer_leg_encloses_the_inner_one() {
    let rtt = outer().rtt;
    assert_eq!(rtt, 20_000_000);
    for (what, change, expected) in [
        ("as it is", (|_, _| ()) as fn(&mut Leg, &mut Leg), true),
        ("one server", |outer, inner| inner.server = outer.server, false),
        ("the inner one begins sooner", |_, inner| inner.span = Span::new(at(0).plus(-1), at(10)), false),
        (
            "it begins at the end of the outer one, and a round trip",
            |outer, inner| {
                outer.span = Span::new(at(0), at(9));
                inner.span = Span::new(at(9).plus(20_000_000), at(10));
            },
            true,
        ),
        (
            "it begins later",
            |outer, inner| {
                outer.span = Span::new(at(0), at(9));
                inner.span = Span::new(at(9).plus(20_000_001), at(10));
            },
            false,
        ),
        (
            "its data ends a round trip after the outer one",
            |outer, inner| {
                outer.span = Span::new(at(0), at(8));
                inner.ways[1].end = Some(at(8).plus(20_000_000));
            },
            true,
        ),
        (
            "its data ends later",
            |outer, inner| {
                outer.span = Span::new(at(0), at(8));
                inner.ways[1].end = Some(at(8).plus(20_000_001));
            },
            false,
        ),
        (
            "the longer round trip of both counts",
            |outer, inner| {
                (outer.rtt, outer.span) = (0, Span::new(at(0), at(8)));
                inner.ways[1].end = Some(at(8).plus(20_000_000));
            },
            true,
        ),
        (
            "the outer one's as well",
            |outer, inner| {
                (inner.rtt, outer.span) = (0, Span::new(at(0), at(8)));
                inner.ways[1].end = Some(at(8).plus(20_000_000));
            },
            true,
        ),
        ("the inner one stays open", |_, inner| inner.span = Span::new(at(0), at(99)), true),
        ("it has no data that arrived", |_, inner| inner.ways.iter_mut().for_each(|way| way.end = None), false),
        ("other sizes", |_, inner| inner.ways[1].bytes = 100_000, false),
        (
            "its data leave it a round trip later",
            |outer, inner| {
                outer.ways[1].end = Some(at(9).plus(-20_000_000));
                inner.ways[1].end = Some(at(9));
            },
            true,
        ),
        (
            "its data leave it later than those of the outer one",
            |outer, inner| {
                outer.ways[1].end = Some(at(9).plus(-20_000_001));
                inner.ways[1].end = Some(at(9));
            },
            false,
        ),
    ] {
        let (mut outer, mut inner) = (outer(), inner());
        change(&mut outer, &mut inner);
        assert_eq!(outer.encloses(&inner), expected, "{what}");
    }
}

/// `LEG_SHARE`, `RELAY_HEADERS`, `TLS_HANDSHAKE` and `LEG_RATIO`.
#[test]
fn both_legs_carry_as_much() {
    let agree = |outer: [u64; 2], inner: [u64; 2], tls: [bool; 2]| {
        let with = |mut leg: Leg, bytes: [u64; 2], has_tls| {
            (leg.ways[0].bytes, leg.ways[1].bytes, leg.has_tls) = (bytes[0], bytes[1], has_tls);
            leg
        };
        with(self::outer(), outer, tls[0]).agrees(&with(self::inner(), inner, tls[1]))
    };
    let (plain, one) = ([false; 2], [false, true]);
    for (what, outer, inner, tls, expected) in [
        ("3 % and 1000 bytes more", [0, 200_000], [0, 200_000 - 7_000], plain, true),
        ("a byte more than that", [0, 200_000], [0, 200_000 - 7_001], plain, false),
        ("the inner one carries more", [0, 193_000], [0, 200_000], plain, true),
        ("3 % of the larger one", [0, 192_999], [0, 200_000], plain, false),
        ("requests of another size", [9_000, 200_000], [1_000, 200_000], plain, false),
        ("requests with headers of 1000 bytes", [1_000, 200_000], [0, 200_000], plain, true),
        ("answers of another size", [200_000, 9_000], [200_000, 1_000], plain, false),
        ("TLS on one leg: 3 % and 9000 bytes", [0, 200_000], [0, 200_000 - 15_000], one, true),
        ("TLS on the other", [0, 200_000], [0, 200_000 - 15_000], [true, false], true),
        ("a byte more than that", [0, 200_000], [0, 200_000 - 15_001], one, false),
        ("TLS on both: as without", [0, 200_000], [0, 200_000 - 7_001], [true; 2], false),
        ("four times what may differ", [0, 4_000], [0, 4_000], plain, true),
        ("less, on the outer leg", [0, 3_999], [0, 4_000], plain, false),
        ("less, on the inner leg", [0, 4_000], [0, 3_999], plain, false),
        ("of the larger direction", [4_000, 0], [4_000, 0], plain, true),
        ("with TLS on one leg", [0, 36_000], [0, 36_000], one, true),
        ("less, with TLS on one leg", [0, 35_999], [0, 36_000], one, false),
    ] {
        assert_eq!(agree(outer, inner, tls), expected, "{what}");
    }
    assert_eq!((RELAY_HEADERS.get(), TLS_HANDSHAKE.get(), LEG_RATIO.get()), (1_000, 8_000, 4));
    assert_eq!(LEG_SHARE.get().to_bits(), 0.03_f64.to_bits());
}

/// Uploaded data finishes on the outer leg first, downloaded data on the inner one.
#[test]
fn data_leave_the_first_leg_of_their_way_first() {
    let order = |bytes: [u64; 2], outer_end: i64, inner_end: i64| {
        let with = |mut leg: Leg, end: i64| {
            for (way, bytes) in leg.ways.iter_mut().zip(bytes) {
                (way.bytes, way.end) = (bytes, Some(at(end)));
            }
            leg
        };
        let (outer, inner) = (with(outer(), outer_end), with(inner(), inner_end));
        (outer.data_way(&inner), outer.is_in_order(&inner, 0))
    };
    for (what, bytes, ends, expected) in [
        ("a download, the inner leg first", [1, 9], (9, 8), (1, true)),
        ("a download, the outer leg first", [1, 9], (8, 9), (1, false)),
        ("an upload, the outer leg first", [9, 1], (8, 9), (0, true)),
        ("an upload, the inner leg first", [9, 1], (9, 8), (0, false)),
        ("at the same moment", [9, 1], (9, 9), (0, true)),
        ("as much both ways is a download", [5, 5], (9, 8), (1, true)),
    ] {
        assert_eq!(order(bytes, ends.0, ends.1), expected, "{what}");
    }
    let (outer, mut inner) = (outer(), inner());
    inner.ways[1].end = None;
    assert!(!outer.is_in_order(&inner, 0), "data that never arrived");
    inner.ways[0].bytes = 999_999;
    assert_eq!(outer.data_way(&inner), 0, "the sum over both legs");
}

/// Each leg belongs to at most one pair.
#[test]
fn legs_belong_to_one_other() {
    assert_eq!(unique(&[vec![1], vec![], vec![3], vec![]]), [[0, 1], [2, 3]]);
    assert_eq!(unique(&[vec![2], vec![2], vec![]]), [[0; 2]; 0], "two outer legs of one inner leg");
    assert_eq!(unique(&[vec![1, 2], vec![], vec![]]), [[0; 2]; 0], "two inner legs of one outer leg");
    assert_eq!(unique(&[vec![2], vec![2, 3], vec![], vec![]]), [[0; 2]; 0], "it may be the inner leg of another");
}
