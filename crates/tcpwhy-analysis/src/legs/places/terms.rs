//! Tests of each condition of the search for inner legs: one of them fails if a condition is removed or a
//! boundary moves.

use tcpwhy_model::{Cause, Limit, Span};

use super::super::pair::pairs;
use super::*;
use crate::outcome::testing::{at, connection, end};
use crate::outcome::{Role, Side};
use crate::problems::testing::half;

/// A download of 200 kB between these hosts, from `start` to 10 s later.
fn leg(client: (u8, u16), server: (u8, u16), start: i64) -> Leg {
    let mut download = half(Role::Server, None, &[(9, Cause::plain(Limit::Path))], Vec::new());
    (download.sender, download.bytes) = (Side::B, 200_000);
    download.span = Span::new(at(start), at(start + 9));
    let mut found = connection(end(client.0, client.1), end(server.0, server.1), vec![download]);
    found.span = Span::new(at(start), at(start + 10));
    Leg::of(&found).unwrap()
}

fn outer() -> Leg {
    leg((1, 40_000), (2, 8080), 0)
}

/// Returns the clients' and servers' hosts of the pairs.
fn found(legs: &[Leg]) -> Vec<[u8; 4]> {
    let legs: Vec<&Leg> = legs.iter().collect();
    let host = |end: Endpoint| match end.address {
        IpAddr::V4(address) => address.octets()[3],
        IpAddr::V6(_) => 0,
    };
    let hosts = |[outer, inner]: [&Leg; 2]| [outer.client, outer.server, inner.client, inner.server].map(host);
    pairs(&legs).into_iter().map(hosts).collect()
}

#[test]
fn the_inner_leg_begins_where_the_outer_one_ends() {
    let near = |mut leg: Leg, end: Endpoint| {
        leg.near = Some(end);
        leg
    };
    let (relay, other) = (leg((2, 50_000), (3, 80), 0), leg((22, 50_000), (3, 80), 0));
    let captured_outer = near(outer(), outer().server);
    let captured_other = near(other.clone(), other.client);
    let none: Vec<[u8; 4]> = Vec::new();
    for (what, legs, expected) in [
        ("at one address", vec![outer(), relay.clone()], vec![[1, 2, 2, 3]]),
        ("at another address", vec![outer(), other.clone()], none.clone()),
        ("both at the host of the capture", vec![captured_outer.clone(), captured_other.clone()], vec![[1, 2, 22, 3]]),
        ("only the outer one", vec![captured_outer.clone(), other.clone()], none.clone()),
        ("only the inner one", vec![outer(), captured_other.clone()], none.clone()),
        ("the outer one at its client", vec![near(outer(), outer().client), captured_other.clone()], none.clone()),
        ("the inner one at its server", vec![captured_outer.clone(), near(other.clone(), other.server)], none.clone()),
        (
            "one address, at the host of the capture",
            { vec![captured_outer.clone(), near(relay.clone(), relay.client)] },
            vec![[1, 2, 2, 3]],
        ),
        ("two inner legs", vec![outer(), relay.clone(), leg((2, 50_001), (3, 80), 0)], none.clone()),
        ("two outer legs", vec![outer(), leg((4, 40_000), (2, 8080), 0), relay.clone()], none.clone()),
        ("an inner leg that begins sooner", vec![outer(), leg((2, 50_000), (3, 80), -1)], none.clone()),
    ] {
        assert_eq!(found(&legs), expected, "{what}");
    }
}

/// A connection between two hosts may carry an inner leg that begins at the far one.
#[test]
fn a_tunnel_carries_the_inner_leg() {
    let inner = leg((5, 50_000), (3, 80), 0);
    let tunnel = |client: (u8, u16), server: (u8, u16), from: i64, until: i64| {
        let mut tunnel = leg(client, server, from);
        tunnel.span = Span::new(at(from), at(until));
        tunnel.ways[1].bytes = 900_000;
        tunnel
    };
    let pair = vec![[1, 2, 5, 3]];
    for (what, tunnels, expected) in [
        ("none", vec![], false),
        ("of the two hosts", vec![tunnel((2, 60_000), (5, 22), -100, 20)], true),
        ("the other way round", vec![tunnel((5, 60_000), (2, 22), -100, 20)], true),
        ("of other hosts", vec![tunnel((2, 60_000), (6, 22), -100, 20)], false),
        ("as long as the data", vec![tunnel((2, 60_000), (5, 22), 0, 9)], true),
        ("it ends before the data", vec![tunnel((2, 60_000), (5, 22), -100, 8)], false),
        ("it begins after the inner leg", vec![tunnel((2, 60_000), (5, 22), 1, 20)], false),
        (
            "an older one lasts, a newer one does not",
            { vec![tunnel((2, 60_000), (5, 22), -100, 20), tunnel((2, 60_001), (5, 22), -90, -80)] },
            true,
        ),
    ] {
        let mut legs = tunnels;
        legs.extend([outer(), inner.clone()]);
        assert_eq!(found(&legs), if expected { pair.clone() } else { Vec::new() }, "{what}");
    }
    let own = leg((1, 50_000), (3, 80), 0);
    let of_client = tunnel((1, 60_000), (2, 22), -100, 20);
    assert_eq!(found(&[of_client, outer(), own]), Vec::<[u8; 4]>::new(), "another connection of the client itself");
    let at_relay = leg((2, 50_001), (4, 80), 0);
    let through = tunnel((2, 60_000), (5, 22), -100, 20);
    assert_eq!(found(&[through, outer(), inner, at_relay]), [[1, 2, 2, 4]], "a leg at the relay goes before a tunnel");
}

/// `MOST_COMPARED` later legs are compared, and `MOST_FOUND` are enough.
#[test]
fn so_many_later_legs_are_compared() {
    let position = |before: usize| {
        let others = (0..before).map(|n| {
            let mut other = leg((2, 1_000 + n as u16), (3, 80), 0);
            other.ways[1].bytes = 300_000;
            other
        });
        let legs: Vec<_> = others.chain([outer(), leg((2, 50_000), (3, 80), 0)]).collect();
        found(&legs).len()
    };
    assert_eq!((position(MOST_COMPARED - 1), position(MOST_COMPARED)), (1, 0));
    assert_eq!((MOST_COMPARED, MOST_FOUND), (256, 2));
}
