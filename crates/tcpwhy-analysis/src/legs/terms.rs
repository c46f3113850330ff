//! Tests of each condition of relays: one of them fails if a condition is removed or a boundary moves.

use tcpwhy_model::{Limit, Span};

use super::*;
use crate::outcome::testing::{at, connection, end};
use crate::outcome::{HalfConnection, Role, Side};
use crate::problems::testing::half;

/// Data of the server: `bytes` in one second under these causes.
fn answer(bytes: u64, from: i64, parts: &[(i64, Cause)]) -> HalfConnection {
    let mut half = half(Role::Server, None, parts, Vec::new());
    (half.bytes, half.sender) = (bytes, Side::B);
    half.span = Span::new(at(from), at(from).plus(half.span.nanos()));
    half
}

/// A download of host 1 from host 3 through port 8080 of host 2. The inner leg is slower.
fn pair(client: u8, port: u16, bytes: u64, start: i64) -> [Connection; 2] {
    let path = Cause::plain(Limit::Path);
    let idle = Cause::from(tcpwhy_model::Detail::Idle);
    let mut outer = connection(end(client, port), end(2, 8080), vec![answer(bytes, start, &[(9, idle), (1, path)])]);
    let mut inner = connection(end(2, port + 1000), end(3, 80), vec![answer(bytes, start, &[(9, path)])]);
    outer.span = Span::new(at(start), at(start + 10));
    inner.span = Span::new(at(start), at(start + 9));
    [outer, inner]
}

fn relays(connections: &[Connection]) -> Vec<Relay> {
    let mut legs = Legs::default();
    for connection in connections {
        legs.add(connection);
    }
    legs.relays()
}

#[test]
fn a_relay_of_one_pair() {
    let mut both = pair(1, 40_000, 50_000, 0);
    (both[0].id, both[1].id) = (7, 9);
    let expected = Relay {
        outer: end(2, 8080),
        from: end(2, 0).address,
        inner: end(3, 80),
        client: Some(end(1, 0).address),
        pairs: 1,
        slower: relays(&both)[0].slower,
        example: [7, 9],
    };
    assert_eq!(relays(&both), std::slice::from_ref(&expected));
    both.reverse();
    assert_eq!(relays(&both), [expected], "the order does not matter");
}

/// `LEG_LEAST` applies to the larger direction.
#[test]
fn small_talk_is_no_leg() {
    let count = |bytes| relays(&pair(1, 40_000, bytes, 0)).len();
    assert_eq!((count(LEG_LEAST.get()), count(LEG_LEAST.get() - 1), LEG_LEAST.get()), (1, 0, 10_000));
    let mut legs = Legs::default();
    let mut both = pair(1, 40_000, LEG_LEAST.get(), 0)[0].clone();
    both.halves.push(HalfConnection { bytes: 1, sender: Side::A, ..both.halves[0].clone() });
    legs.add(&both);
    assert_eq!(legs.kept.len(), 1, "the larger one counts");
}

/// `MOST_LEGS`: the largest stay, in any order of connections.
#[test]
fn the_largest_legs_are_kept() {
    let one = |port: u16, bytes| {
        connection(
            end(1, port),
            end(2, 80),
            vec![answer(bytes, 0, &[(1, Limit::Path)].map(|(s, l)| (s, Cause::plain(l))))],
        )
    };
    let mut legs = Legs::default();
    (0..4096_u16).for_each(|n| legs.add(&one(n, 20_000 + u64::from(n))));
    assert_eq!((legs.kept.len(), MOST_LEGS), (4096, 4096));
    let smallest = |legs: &Legs| legs.kept.keys().next_back().map(|rank| rank.0.0);
    legs.add(&one(9_999, 19_999));
    assert_eq!(smallest(&legs), Some(20_000), "a smaller one is not kept");
    legs.add(&one(9_999, 20_000));
    assert_eq!(smallest(&legs), Some(20_000), "nor one that comes after as large a one");
    legs.add(&one(9_999, 90_000));
    assert_eq!((smallest(&legs), legs.kept.len()), (Some(20_001), 4096), "a larger one takes its place");
}

#[test]
fn pairs_of_a_relay_are_counted() {
    let [a, b, c] = [pair(1, 40_000, 50_000, 0), pair(4, 40_001, 90_000, 100), pair(1, 40_002, 70_000, 200)];
    let mut all: Vec<_> = [a.clone(), b, c.clone()].concat();
    for (n, connection) in all.iter_mut().enumerate() {
        connection.id = n as u64;
    }
    let found = relays(&all);
    assert_eq!((found.len(), found[0].pairs), (1, 3));
    assert_eq!((found[0].client, found[0].example), (None, [2, 3]), "several clients; the largest is the example");
    let one_client = relays(&[a, c].concat());
    assert_eq!((one_client[0].pairs, one_client[0].client), (2, Some(end(1, 0).address)), "one client");
}

#[test]
fn the_relay_with_most_pairs_comes_first() {
    let moved = |mut both: [Connection; 2]| {
        both[0].endpoints[1] = end(2, 1);
        both
    };
    let all = [moved(pair(1, 40_000, 99_000, 0)), pair(1, 40_001, 50_000, 100), pair(1, 40_002, 60_000, 200)].concat();
    let found: Vec<_> = relays(&all).iter().map(|relay| (relay.outer.port, relay.pairs)).collect();
    assert_eq!(found, [(8080, 2), (1, 1)]);
}

/// A leg is the slower one of a relay if most of the pairs agree. The cause is the one that most of them
/// name.
#[test]
fn most_pairs_name_the_slower_leg() {
    let (path, buffer) = (Cause::plain(Limit::Path), Cause::plain(Limit::SendBuffer));
    let sums = |pairs, outer: &[(Cause, u64)], inner: &[(Cause, u64)]| {
        let mut sums = Sums { pairs, ..Sums::default() };
        for (leg, causes) in [(LegPlace::Outer, outer), (LegPlace::Inner, inner)] {
            if !causes.is_empty() {
                sums.slower.insert(leg, causes.iter().copied().collect());
            }
        }
        sums.slower()
    };
    let first = path.min(buffer);
    for (what, found, expected) in [
        ("one of one", sums(1, &[], &[(path, 1)]), Some((LegPlace::Inner, path))),
        ("half of the pairs", sums(4, &[(path, 2)], &[]), None),
        ("more than half", sums(3, &[(path, 2)], &[]), Some((LegPlace::Outer, path))),
        ("the other leg is named as often", sums(4, &[(path, 2)], &[(path, 2)]), None),
        ("by two causes", sums(5, &[], &[(path, 1), (buffer, 2)]), Some((LegPlace::Inner, buffer))),
        ("by two causes alike", sums(3, &[], &[(path, 1), (buffer, 1)]), Some((LegPlace::Inner, first))),
        ("none", sums(3, &[], &[]), None),
    ] {
        assert_eq!(found, expected, "{what}");
    }
    assert_eq!([LegPlace::Outer, LegPlace::Inner].map(LegPlace::id), ["outer", "inner"]);
}

#[test]
fn legs_get_their_numbers_once() {
    let mut legs = Legs::default();
    for connection in &pair(1, 40_000, 50_000, 0) {
        legs.add(connection);
    }
    legs.renumber(&|connection| if connection.endpoints[1].port == 80 { 5 } else { 4 });
    assert_eq!(legs.relays()[0].example, [4, 5]);
    legs.renumber(&|_| 99);
    assert_eq!(legs.relays()[0].example, [4, 5]);
}
