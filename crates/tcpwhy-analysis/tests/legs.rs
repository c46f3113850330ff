//! Both legs of a relay in one capture, and the slower one.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::net::IpAddr;

use tcpwhy_analysis::{Analyzer, Connection, LegPlace, Legs, Relay};
use tcpwhy_model::{Endpoint, Limit, Segment};
use tcpwhy_testkit::{CLIENT, Capture, Reader, ReceiveBuffer, Transfer, Writer};

const MS: i64 = 1_000_000;
/// Age of the outer leg when the relay opens the inner one, milliseconds: the SYN needs 10 ms to the relay.
const LATER: i64 = 15;
/// 64 kB per round trip of 20.13 ms, as in [`Transfer::default`]: 3.2 MB/s.
const SMALL: ReceiveBuffer = ReceiveBuffer::Fixed(64_000);

fn end(host: u8, port: u16) -> Endpoint {
    Endpoint { address: IpAddr::from([10, 0, 0, host]), port }
}

/// Returns the connection of `transfer` between these ends, `millis` milliseconds later.
fn connection(transfer: &Transfer, client: Endpoint, server: Endpoint, millis: i64) -> Connection {
    let segments = transfer.run();
    let place = |end: Endpoint| if end == CLIENT { client } else { server };
    let moved = |s: &Segment| Segment {
        source: place(s.source),
        destination: place(s.destination),
        timestamp: s.timestamp.plus(millis * MS),
        ..*s
    };
    let mut analyzer = Analyzer::new();
    segments.iter().map(moved).for_each(|segment| analyzer.observe(&segment));
    analyzer.finish().remove(0)
}

/// A download of client 1 from host 3 through port 8080 of host 2, the capture point.
fn legs(outer: &Transfer, inner: &Transfer) -> [Connection; 2] {
    let download = |transfer: &Transfer, capture| Transfer { is_download: true, capture, ..transfer.clone() };
    [
        connection(&download(outer, Capture::Sender), end(1, 40_000), end(2, 8080), 0),
        connection(&download(inner, Capture::Receiver), end(2, 50_000), end(3, 80), LATER),
    ]
}

fn relays(connections: &[Connection]) -> Vec<Relay> {
    let mut legs = Legs::default();
    for (n, connection) in connections.iter().enumerate() {
        legs.add(&Connection { id: n as u64, ..connection.clone() });
    }
    legs.renumber(&|connection| connection.id + 100);
    legs.relays()
}

fn slower(outer: &Transfer, inner: &Transfer) -> Option<(LegPlace, Limit)> {
    let all = relays(&legs(outer, inner));
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!((all[0].outer, all[0].inner, all[0].pairs), (end(2, 8080), end(3, 80), 1));
    assert_eq!((all[0].client, all[0].from), (Some(end(1, 0).address), end(2, 0).address));
    assert_eq!(all[0].example, [100, 101]);
    all[0].slower.map(|(leg, cause)| (leg, cause.limit))
}

fn plain() -> Transfer {
    Transfer::default()
}

fn small() -> Transfer {
    Transfer { receive_buffer: SMALL, ..plain() }
}

/// Data that arrives at 3.2 MB/s is forwarded at the same pace, slightly later.
fn passed_on() -> Transfer {
    Transfer { writer: Writer::Loose { bytes: 20_000, every: 6_500_000, late: 1_500_000 }, ..plain() }
}

/// The relay reads as fast as the other leg accepts data.
fn read_slowly() -> Transfer {
    Transfer { reader: Reader::Rate(3_300_000), receive_buffer: ReceiveBuffer::Fixed(500_000), ..plain() }
}

#[test]
fn the_slower_leg_is_the_one_that_the_other_waits_for() {
    let window = |leg| Some((leg, Limit::ReceiveWindow));
    assert_eq!(slower(&passed_on(), &small()), window(LegPlace::Inner), "the relay's own buffer");
    assert_eq!(slower(&small(), &read_slowly()), window(LegPlace::Outer), "the client's buffer");
    assert_eq!(slower(&small(), &plain()), window(LegPlace::Outer), "the relay keeps all of the answer");
}

#[test]
fn no_leg_is_named_where_both_or_neither_hold_back() {
    assert_eq!(slower(&small(), &small()), None, "both have a small buffer");
    assert_eq!(slower(&passed_on(), &passed_on()), None, "the server itself writes slowly");
    assert_eq!(slower(&plain(), &plain()), None, "slow start on both");
}

#[test]
fn the_order_of_the_connections_does_not_matter() {
    let [outer, inner] = legs(&passed_on(), &small());
    let mut all = relays(&[inner, outer]);
    assert_eq!(all.remove(0).example, [101, 100]);
}

/// Each case changes one property of a valid pair.
#[test]
fn what_differs_in_size_time_or_place_is_no_pair() {
    let [outer, inner] = legs(&passed_on(), &small());
    // Captured at the server or in the middle, so only addresses show the start of a leg.
    let of = |bytes, client, server, millis| {
        let transfer = Transfer { bytes, is_download: true, capture: Capture::Sender, ..small() };
        connection(&transfer, client, server, millis)
    };
    let (relay, server) = (end(2, 50_000), end(3, 80));
    assert_eq!(relays(&[outer.clone(), inner.clone()]).len(), 1);
    assert_eq!(relays(&[outer.clone(), of(4_000_000, relay, server, LATER)]).len(), 1);
    for (what, other) in [
        ("5% less", of(3_800_000, relay, server, LATER)),
        ("begun sooner", of(4_000_000, relay, server, -25)),
        ("ended later than the leg that passes it on", of(4_000_000, relay, server, 600)),
        ("from another host", of(4_000_000, end(4, 50_000), server, LATER)),
        ("to the relay's own port", of(4_000_000, relay, end(2, 8080), LATER)),
    ] {
        assert_eq!(relays(&[outer.clone(), other]), [], "{what}");
    }
    let twin = of(4_000_000, end(2, 50_001), server, LATER + 1);
    assert_eq!(relays(&[outer, inner, twin]), [], "two inner legs");
}

#[test]
fn small_talk_is_no_pair() {
    let of = |bytes| Transfer { bytes, ..plain() };
    let count = |bytes| relays(&legs(&of(bytes), &of(bytes))).len();
    assert_eq!((count(9_999), count(10_000)), (0, 1));
}

/// A relay between two networks has an address in each. The capture shows that both legs end at its host.
#[test]
fn legs_at_two_addresses_of_the_captured_host_are_a_pair() {
    let [outer, _] = legs(&passed_on(), &small());
    let at =
        |capture| connection(&Transfer { is_download: true, capture, ..small() }, end(22, 50_000), end(3, 80), LATER);
    let all = relays(&[outer.clone(), at(Capture::Receiver)]);
    assert_eq!((all.len(), all[0].from), (1, end(22, 0).address));
    assert_eq!(relays(&[outer, at(Capture::Sender)]), [], "captured at the server");
}

/// The legs of a tunnel end at two hosts, and a connection between them carries the data.
#[test]
fn legs_at_both_ends_of_a_tunnel_are_a_pair() {
    let [outer, _] = legs(&passed_on(), &small());
    let transfer = Transfer { is_download: true, capture: Capture::Sender, ..small() };
    let inner = connection(&transfer, end(5, 50_000), end(3, 80), LATER);
    let tunnel = |client| {
        let transfer = Transfer { bytes: 12_000_000, receive_buffer: SMALL, is_download: true, ..plain() };
        connection(&transfer, end(client, 60_000), end(5, 22), -100)
    };
    assert_eq!(relays(&[outer.clone(), inner.clone()]), [], "no tunnel");
    assert_eq!(relays(&[outer.clone(), inner.clone(), tunnel(4)]), [], "a tunnel of another host");
    let all = relays(&[outer, inner, tunnel(2)]);
    assert_eq!((all.len(), all[0].from), (1, end(5, 0).address));
}
