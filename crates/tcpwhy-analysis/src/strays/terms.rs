//! Tests of each condition of traffic that bypasses a NAT: one of them fails if a condition is removed, the
//! ends are swapped, or a boundary moves.

use tcpwhy_model::Cause;

use super::*;
use crate::outcome::testing::{at, connection, end};
use crate::outcome::{Role, Side};
use crate::problems::testing::half;

/// The client's port, its server, and the address behind the NAT from which segments stray.
const CLIENT: (u8, u16) = (1, 40_000);
const SERVER: (u8, u16) = (2, 80);
const BEHIND: (u8, u16) = (9, 8080);

/// A connection that the client opened and reset.
fn opened() -> Connection {
    let mut opened = connection(end(CLIENT.0, CLIENT.1), end(SERVER.0, SERVER.1), Vec::new());
    opened.ending = Ending::Reset(Side::A);
    opened
}

/// Segments of the host behind the NAT, at 5 s, which the client reset.
fn stray() -> Connection {
    let mut stray = connection(end(BEHIND.0, BEHIND.1), end(CLIENT.0, CLIENT.1), Vec::new());
    (stray.initiator, stray.ending, stray.span) = (None, Ending::Reset(Side::B), Span::new(at(5), at(6)));
    stray
}

fn found(connections: &[Connection]) -> Option<(Endpoint, u64)> {
    let mut strays = Strays::default();
    for connection in connections {
        strays.add(connection);
    }
    let found = strays.of(end(CLIENT.0, 0).address, end(SERVER.0, SERVER.1));
    found.map(|stray| (stray.from, stray.connections))
}

#[test]
fn a_stray_comes_while_the_client_has_a_connection() {
    let from = Some((end(BEHIND.0, BEHIND.1), 1));
    assert_eq!(found(&[opened(), stray()]), from);
    assert_eq!(found(&[stray(), opened()]), from, "the order does not matter");
    for (what, change, expected) in [
        (
            "at the beginning",
            (|_, stray| stray.span = Span::new(at(0), at(1))) as fn(&mut Connection, &mut Connection),
            true,
        ),
        ("before", |_, stray| stray.span = Span::new(at(-1), at(1)), false),
        ("at the end", |_, stray| stray.span = Span::new(at(10), at(11)), true),
        ("after", |_, stray| stray.span = Span::new(at(10).plus(1), at(11)), false),
        ("the connection was not reset", |opened, _| opened.ending = Ending::Closed, false),
        ("the server reset the connection", |opened, _| opened.ending = Ending::Reset(Side::B), true),
        ("nobody is known to have opened the connection", |opened, _| opened.initiator = None, false),
        ("somebody opened the stray", |_, stray| stray.initiator = Some(Side::A), false),
        ("the stray was not reset", |_, stray| stray.ending = Ending::Closed, false),
        ("the sender of the stray reset it", |_, stray| stray.ending = Ending::Reset(Side::A), false),
        ("another port of the client", |_, stray| stray.endpoints[1].port = 40_001, false),
        (
            "another client",
            |opened, stray| {
                opened.endpoints[0] = end(3, 40_000);
                stray.endpoints[1] = end(3, 40_000);
            },
            false,
        ),
        ("from the server's own address", |_, stray| stray.endpoints[0] = end(SERVER.0, 8080), false),
        ("to another server", |opened, _| opened.endpoints[1] = end(4, 80), false),
        (
            "the client sent the first packet",
            |_, stray| {
                (stray.endpoints, stray.ending) = ([end(1, 40_000), end(9, 8080)], Ending::Reset(Side::A));
            },
            false,
        ),
        ("20 packets", |_, stray| stray.packets = [12, 8], true),
        ("21 packets", |_, stray| stray.packets = [12, 9], false),
        (
            "the client sent data",
            |_, stray| {
                let mut half = half(Role::Unknown, None, &[(1, Cause::plain(tcpwhy_model::Limit::Path))], Vec::new());
                half.sender = Side::B;
                stray.halves = vec![half];
            },
            false,
        ),
        (
            "the stray carried data",
            |_, stray| {
                stray.halves =
                    vec![half(Role::Unknown, None, &[(1, Cause::plain(tcpwhy_model::Limit::Path))], Vec::new())];
            },
            true,
        ),
    ] {
        let (mut opened, mut stray) = (opened(), stray());
        change(&mut opened, &mut stray);
        assert_eq!(found(&[opened, stray]).is_some(), expected, "{what}");
    }
    let by_server = Connection { initiator: Some(Side::B), endpoints: [end(2, 80), end(1, 40_000)], ..opened() };
    assert_eq!(found(&[by_server, stray()]), from, "the server sent the first packet");
    assert_eq!(STRAY_PACKETS.get(), 20);
}

#[test]
fn connections_with_strays_are_counted() {
    let with_port = |port| {
        let (mut opened, mut stray) = (opened(), stray());
        (opened.endpoints[0].port, stray.endpoints[1].port) = (port, port);
        [opened, stray]
    };
    let mut all: Vec<_> = [40_000, 40_001, 40_002].into_iter().flat_map(with_port).collect();
    all[5].endpoints[0] = end(9, 7);
    assert_eq!(found(&all), Some((end(BEHIND.0, BEHIND.1), 3)), "three, the first one's address");
}

/// `MOST`: the lowest ports of clients are kept.
#[test]
fn no_more_strays_are_kept() {
    let mut strays = Strays::default();
    for port in 1..=1001 {
        let (mut opened, mut stray) = (opened(), stray());
        (opened.endpoints[0].port, stray.endpoints[1].port) = (port, port);
        strays.add(&opened);
        strays.add(&stray);
    }
    assert_eq!((strays.strays.len(), strays.opened.len(), MOST), (1000, 1000, 1000));
    assert!(strays.opened.keys().all(|key| key.0.port <= 1000), "the highest is dropped");
}
