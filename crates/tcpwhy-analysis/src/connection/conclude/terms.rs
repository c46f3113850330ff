//! Tests of each condition in the result of a connection: dropping one, swapping the ends, or moving a
//! boundary fails here.

use std::num::NonZeroI64;

use tcpwhy_model::Distribution;
use tcpwhy_testkit::{ms, script};

use super::super::testing::{HANDSHAKE, after_handshake, state, traced_after_handshake};
use super::*;
use crate::thresholds::{CONNECTING_PORTS, SILENT_REPEATS, SILENT_REPEATS_UNHEARD};
use Side::{A, B};

const SECOND: i64 = 1_000_000_000;
/// A request that was acknowledged at 0.050 s.
const REQUEST: &str = "0.030 > P. 1:401(400) ack 1\n0.050 < . 1:1(0) ack 401\n";
/// A request and its answer, both acknowledged.
const EXCHANGE: &str = "0.030 > P. 1:401(400) ack 1
    0.050 < P. 1:1001(1000) ack 401
    0.050 > . 401:401(0) ack 1001\n";

/// The summary of the client's direction.
fn summary() -> Summary {
    let mut state = after_handshake(REQUEST);
    state.conclude_halves();
    *state.ends[0].summary.take().unwrap()
}

#[test]
fn who_asks_opened_the_connection_or_has_a_high_port() {
    let asker = |initiator, ports: [u16; 2]| {
        let mut state = after_handshake(REQUEST);
        state.initiator = initiator;
        state.outline.endpoints[0].port = ports[0];
        state.outline.endpoints[1].port = ports[1];
        state.asker()
    };
    let (high, low) = (CONNECTING_PORTS.get(), CONNECTING_PORTS.get() - 1);
    for (what, initiator, ports, expected) in [
        ("the first end opened it", Some(A), [low, high], Some(A)),
        ("the other one did", Some(B), [high, low], Some(B)),
        ("a high port of the first end", None, [high, low], Some(A)),
        ("of the other one", None, [low, high], Some(B)),
        ("of both", None, [high, high], None),
        ("of neither", None, [low, low], None),
        ("a known service has a high port", None, [1057, 44_818], Some(A)),
    ] {
        assert_eq!(asker(initiator, ports), expected, "{what}");
    }
    assert_eq!(CONNECTING_PORTS.get(), 32_768);
}

/// The times at which each end closed before a reset, and the bytes in flight at the reset.
#[test]
fn who_had_closed() {
    let close = |text: &str| after_handshake(text).finish().close;
    let at = |millis: i64| Some(tcpwhy_testkit::at(ms(millis)));
    let fins = |text: &str| close(text).fins;
    assert_eq!(fins("0.100 > F. 1:1(0) ack 1\n0.200 < F. 1:1(0) ack 2"), [at(100), at(200)]);
    assert_eq!(fins("0.100 > F. 1:1(0) ack 1\n0.300 > F. 1:1(0) ack 1"), [at(100), None], "the first of two");
    assert_eq!(fins("0.100 > F. 1:1(0) ack 1\n0.200 < R 1:1(0)"), [at(100), None]);
    assert_eq!(fins("0.100 < R 1:1(0)\n0.200 > F. 1:1(0) ack 1"), [None, None], "after the reset");
    let request = "0.030 > P. 1:401(400) ack 1\n";
    assert_eq!(close(&format!("{request}0.040 > F. 401:401(0) ack 1\n0.050 < R 1:1(0)")).unacknowledged, 400);
    let taken = format!("{request}0.045 < . 1:1(0) ack 401\n0.050 < R 1:1(0)");
    assert_eq!(close(&taken).unacknowledged, 0);
    assert_eq!(close(request).unacknowledged, 0, "no reset");
}

/// `BEAT_OF_SERVER`: an end that sends heartbeats is a client, and nobody waits for an end that is polled.
#[test]
fn what_an_end_is_to_the_exchanges() {
    let role = |initiator, ports: [u16; 2], heartbeat: Option<i64>, is_unasked| {
        let mut state = after_handshake(REQUEST);
        state.initiator = initiator;
        state.outline.endpoints[0].port = ports[0];
        state.outline.endpoints[1].port = ports[1];
        let heartbeat = heartbeat.and_then(NonZeroI64::new);
        let summary = Summary { heartbeat, is_unasked, ..summary() };
        state.exchange_role(A, &summary, None)
    };
    let beat = Some(BEAT_OF_SERVER.get());
    let sooner = beat.map(|beat| beat - 1);
    for (what, initiator, ports, heartbeat, is_unasked, expected) in [
        ("it opened the connection", Some(A), [80, 80], None, false, Role::Client),
        ("it answered the SYN", Some(B), [80, 80], None, false, Role::Server),
        ("it answered, and is polled", Some(B), [80, 80], None, true, Role::Client),
        ("it answered, and beats each second", Some(B), [80, 80], beat, false, Role::Client),
        ("it answered, and beats faster", Some(B), [80, 80], sooner, false, Role::Server),
        ("no SYN, and a beat of any period", None, [80, 80], Some(1), false, Role::Client),
        ("no SYN, and a high port", None, [40_000, 80], None, false, Role::Client),
        ("no SYN, and the peer's port is high", None, [80, 40_000], None, false, Role::Unknown),
        ("nothing shows it", None, [80, 80], None, false, Role::Unknown),
    ] {
        assert_eq!(role(initiator, ports, heartbeat, is_unasked), expected, "{what}");
    }
    assert_eq!(BEAT_OF_SERVER.get(), SECOND);
    let state = after_handshake(REQUEST);
    let spoken =
        |asker, is_unasked| state.exchange_role(A, &summary(), Some(Speech { asker, has_exchanges: true, is_unasked }));
    assert_eq!([spoken(A, false), spoken(B, false), spoken(B, true)], [Role::Client, Role::Server, Role::Client]);
}

/// SYNs are counted only at the server, and only if it answered exactly once.
#[test]
fn syns_that_a_server_ignored() {
    let counted = |client: u32, server: u32, initiator| {
        let mut state = after_handshake(REQUEST);
        state.initiator = initiator;
        for (end, count) in state.ends.iter_mut().zip([client, server]) {
            end.syn = end.syn.map(|syn| Syn { count, ..syn });
        }
        state
    };
    let three = counted(3, 1, Some(A));
    for (what, role, vantage, expected) in [
        ("the client's data, at its receiver", Role::Client, Vantage::Receiver, 2),
        ("the server's data, at its sender", Role::Server, Vantage::Sender, 2),
        ("the client's data, at its sender", Role::Client, Vantage::Sender, 0),
        ("the server's data, at its receiver", Role::Server, Vantage::Receiver, 0),
        ("in the middle", Role::Client, Vantage::Middle, 0),
        ("nothing shows the roles", Role::Unknown, Vantage::Receiver, 0),
    ] {
        assert_eq!(three.ignored_syns(role, vantage), expected, "{what}");
    }
    let at_server = |state: ConnectionState| state.ignored_syns(Role::Client, Vantage::Receiver);
    assert_eq!(at_server(counted(3, 2, Some(A))), 0, "it answered twice");
    assert_eq!(at_server(counted(3, 0, Some(A))), 0, "its answer was not captured");
    assert_eq!(at_server(counted(1, 1, Some(A))), 0, "one SYN");
    assert_eq!(at_server(counted(3, 1, Some(B))), 0, "the other end asked, once");
    assert_eq!(at_server(counted(3, 1, None)), 0, "nobody is known to have opened it");
}

#[test]
fn how_a_connection_ended() {
    let syn = "0.000 > S 0:0(0)\n";
    let syn_acks = |count: u32| {
        let lines: Vec<_> = (0..count).map(|n| format!("{n}.1 < S. 0:0(0) ack 1\n")).collect();
        lines.concat()
    };
    for (what, text, expected) in [
        ("both closed", format!("{HANDSHAKE}1.0 > F. 1:1(0) ack 1\n1.1 < F. 1:1(0) ack 2"), Ending::Closed),
        ("the client closed", format!("{HANDSHAKE}1.0 > F. 1:1(0) ack 1"), Ending::HalfClosed),
        ("the server closed", format!("{HANDSHAKE}1.0 < F. 1:1(0) ack 1"), Ending::HalfClosed),
        ("nobody closed", HANDSHAKE.to_owned(), Ending::Open),
        ("the client reset it", format!("{HANDSHAKE}1.0 > R. 1:1(0) ack 1"), Ending::Reset(A)),
        ("the server reset it", format!("{HANDSHAKE}1.0 < R. 1:1(0) ack 1"), Ending::Reset(B)),
        (
            "a reset after both closed",
            { format!("{HANDSHAKE}1.0 > F. 1:1(0) ack 1\n1.1 < F. 1:1(0) ack 2\n1.2 > R 2:2(0)") },
            Ending::Reset(A),
        ),
        ("a SYN alone", syn.to_owned(), Ending::Unanswered),
        ("a SYN and a reset", format!("{syn}0.1 < R. 0:0(0) ack 1"), Ending::Refused),
        ("a reset without a SYN", "0.1 < R. 0:0(0) ack 1".to_owned(), Ending::Reset(A)),
        ("a SYN whose answer was not captured", format!("{syn}0.1 > . 1:1(0) ack 1"), Ending::Open),
        ("a SYN-ACK repeated twice", format!("{syn}{}", syn_acks(3)), Ending::Incomplete),
        ("repeated once", format!("{syn}{}", syn_acks(2)), Ending::Open),
        ("acknowledged at last", format!("{syn}{}4.0 > . 1:1(0) ack 1", syn_acks(3)), Ending::Open),
        ("the client's SYN, too", format!("{syn}{}4.0 > S 0:0(0)", syn_acks(3)), Ending::Incomplete),
        ("whose SYN was not captured", syn_acks(3), Ending::Open),
        ("the server gave up", format!("{syn}{}7.0 < R. 1:1(0) ack 1", syn_acks(3)), Ending::Incomplete),
        ("the client reset it", format!("{syn}{}7.0 > R 1:1(0)", syn_acks(3)), Ending::Reset(A)),
        ("two SYNs that cross", "0.000 > S 0:0(0)\n0.1 < S 0:0(0)".to_owned(), Ending::Open),
        ("an ACK alone", "0.1 > . 1:1(0) ack 1".to_owned(), Ending::Open),
        ("a SYN with data, repeated", "0.000 > S 0:10(10)\n1.0 > S 0:10(10)".to_owned(), Ending::Unanswered),
        ("a SYN with data, reset", "0.000 > S 0:10(10)\n0.1 < R. 0:0(0) ack 1".to_owned(), Ending::Refused),
    ] {
        assert_eq!(state(&text).finish().ending, expected, "{what}");
    }
}

/// Data of a SYN is a stream if the SYN is answered, or if more data follows it.
#[test]
fn data_of_a_syn_that_is_never_answered_is_no_stream() {
    let asked = "0.000 > S 0:10(10)\n0.200 > S 0:10(10)\n0.600 > S 0:10(10)\n";
    for (what, then, expected) in [
        ("no answer", "", 0),
        ("a reset", "0.700 < R. 0:0(0) ack 1", 0),
        ("an answer", "0.700 < S. 0:0(0) ack 1", 1),
        ("an answer that was not captured", "0.700 > . 11:11(0) ack 1", 1),
        ("SYNs that cross", "0.700 < S 0:0(0)\n0.800 > . 11:21(10) ack 1", 1),
    ] {
        let connection = state(&format!("{asked}{then}")).finish();
        assert_eq!(connection.halves.len(), expected, "{what}");
        let has_loss = connection.halves.iter().any(|half| half.limits.nanos_of(tcpwhy_model::Limit::LossRecovery) > 0);
        assert!(expected == 1 || !has_loss && connection.exchanges.is_none(), "{what}");
    }
}

#[test]
fn an_end_closed_or_reset_the_connection() {
    let start = after_handshake("").outline.first;
    let both = after_handshake("1.0 < R. 1:1(0) ack 1\n2.0 < F. 1:1(0) ack 1");
    assert_eq!((both.ended(B), both.ended(A)), (Some(start + SECOND), None), "the reset came first");
    let fin = after_handshake("1.0 < F. 1:1(0) ack 1\n2.0 < R. 1:1(0) ack 1");
    assert_eq!(fin.ended(B), Some(start + SECOND), "the FIN came first");
    for (what, text, expected) in [
        ("both are there", String::new(), [true, true]),
        ("the client closed", "1.0 > F. 1:1(0) ack 1".to_owned(), [false, true]),
        ("the server reset", "1.0 < R. 1:1(0) ack 1".to_owned(), [true, false]),
    ] {
        let state = after_handshake(&text);
        assert_eq!([A, B].map(|side| state.is_missed(side)), expected, "{what}");
    }
    assert!(!state("0.1 > . 1:1(0) ack 1").is_missed(B), "it was never captured");
}

/// `HOLE_LEFT_OPEN`: 3 s until the receiver ends the connection, or until the capture ends.
#[test]
fn a_hole_is_left_open() {
    assert_eq!(HOLE_LEFT_OPEN.get(), 3 * SECOND);
    // The hole of 500 bytes opens at 0.031 s.
    let text = "0.030 > . 1:1001(1000) ack 1
        0.031 > . 1501:2501(1000) ack 1
        0.050 < . 1:1(0) ack 1001
        0.051 < . 1:1(0) ack 1001 <sack 1501:2501>\n";
    let hole = |end: &str| {
        let state = after_handshake(&format!("{text}{end}"));
        let half = state.ends[0].half()?.clone();
        state.hole_left_open(&half, A)
    };
    for (what, end, expected) in [
        ("the capture ends 3 s later", "3.031 < . 1:1(0) ack 1001 <sack 1501:2501>", Some((3 * SECOND, false))),
        ("sooner", "3.030999999 < . 1:1(0) ack 1001 <sack 1501:2501>", None),
        ("the receiver closes after 3 s", "3.031 < F. 1:1(0) ack 1001\n9.0 > . 2501:2501(0) ack 2", {
            Some((3 * SECOND, true))
        }),
        ("the receiver closes sooner", "3.030 < F. 1:1(0) ack 1001\n9.0 > . 2501:2501(0) ack 2", None),
        ("the receiver resets", "4.031 < R. 1:1(0) ack 1001", Some((4 * SECOND, true))),
        ("the sender closes", "4.031 > F. 2501:2501(0) ack 1", Some((4 * SECOND, false))),
        ("the hole is filled", "2.0 > . 1001:1501(500) ack 1\n2.1 < . 1:1(0) ack 2501\n9.0 < . 1:1(0) ack 2501", None),
    ] {
        let found = hole(end);
        assert_eq!(found.map(|hole| (hole.until - hole.since, hole.is_given_up)), expected, "{what}");
        assert!(found.is_none_or(|hole| (hole.bytes, hole.largest) == (500, 1000)), "{what}: its size");
    }
    let state = after_handshake(&format!("{text}3.031 < . 1:1(0) ack 1001 <sack 1501:2501>"));
    let half = state.ends[0].half().unwrap();
    let wait = state.waited(half, A, state.unanswered()).unwrap();
    assert_eq!((wait.fact, wait.until - wait.since), (GapFact::HoleNeverFilled, 3 * SECOND), "what is waited for");
}

/// Only its own close followed the peer's.
#[test]
fn a_connection_is_held_open() {
    let held = |text: &str, side: Side| {
        let state = traced_after_handshake(&format!("{EXCHANGE}{text}"));
        let half = state.ends[side.index()].half()?.clone();
        let start = state.outline.first;
        state.held_open(&half, side).map(|(since, until)| ((since - start) / 1000, (until - start) / 1000))
    };
    for (what, text, side, expected) in [
        ("the server", "0.070 > F. 401:401(0) ack 1001\n0.500 < F. 1001:1001(0) ack 402", B, Some((70_000, 500_000))),
        (
            "it never closes",
            "0.070 > F. 401:401(0) ack 1001\n0.500 < . 1001:1001(0) ack 402",
            B,
            Some((70_000, 500_000)),
        ),
        ("the client", "0.070 < F. 1001:1001(0) ack 401\n0.500 > F. 401:401(0) ack 1002", A, Some((70_000, 500_000))),
        ("the peer never closed", "0.500 < F. 1001:1001(0) ack 401", B, None),
        ("for a round trip", "0.070 > F. 401:401(0) ack 1001\n0.090 < F. 1001:1001(0) ack 402", A, None),
        (
            "data is not acknowledged",
            { "0.060 < P. 1001:1101(100) ack 401\n0.070 > F. 401:401(0) ack 1001\n0.500 < F. 1101:1101(0) ack 402" },
            B,
            None,
        ),
        (
            "the last data was acknowledged after the end",
            {
                "0.060 < P. 1001:1101(100) ack 401\n0.070 > F. 401:401(0) ack 1001\n0.080 > . 402:402(0) ack 1101\n\
             0.500 < F. 1101:1101(0) ack 402"
            },
            B,
            Some((80_000, 500_000)),
        ),
        (
            "as long as it had rested",
            { "0.150 > F. 401:401(0) ack 1001\n0.250 < F. 1001:1001(0) ack 402" },
            B,
            Some((150_000, 250_000)),
        ),
        (
            "for less than it had rested",
            { "0.150 > F. 401:401(0) ack 1001\n0.249999999 < F. 1001:1001(0) ack 402" },
            B,
            None,
        ),
    ] {
        assert_eq!(held(text, side), expected, "{what}");
    }
    let by_client =
        |until: &str| held(&format!("0.055 < F. 1001:1001(0) ack 401\n{until} > F. 401:401(0) ack 1002"), A);
    assert_eq!(by_client("0.075"), Some((55_000, 75_000)), "for its least round trip of 20 ms");
    assert_eq!(by_client("0.074999999"), None, "for less");
    let short = |until: &str| held(&format!("0.0505 > F. 401:401(0) ack 1001\n{until} < F. 1001:1001(0) ack 402"), B);
    assert_eq!(short("0.051499999"), None, "less than 1 ms");
    assert_eq!(MILLISECOND, 1_000_000);
}

/// Waits at the end: one end waits for the other's answer, the other one for its own.
#[test]
fn an_answer_never_comes() {
    let wait = |text: &str, side: Side| {
        let state = after_handshake(&format!("{EXCHANGE}0.100 > P. 401:801(400) ack 1001\n{text}"));
        let half = state.ends[side.index()].half()?.clone();
        state.waited(&half, side, state.unanswered()).map(|wait| (wait.fact, wait.until - wait.since))
    };
    let closed = |at: &str| format!("0.120 < . 1001:1001(0) ack 801\n{at} > F. 801:801(0) ack 1001");
    assert_eq!(wait(&closed("1.100"), A), Some((GapFact::PeerDataAwaited, SECOND)), "the asker");
    assert_eq!(wait(&closed("1.100"), B), Some((GapFact::AnswerAwaited, SECOND)), "the other end");
    let reset = |at: &str| format!("0.120 < . 1001:1001(0) ack 801\n{at} < R. 1001:1001(0) ack 801");
    assert_eq!(wait(&reset("1.100"), A), Some((GapFact::PeerDataAwaited, SECOND)), "1 s until a reset");
    assert_eq!(wait(&reset("1.099999999"), A), None, "a reset comes sooner");
}

/// The event that ended the wait for an answer: the first one after the request.
#[test]
fn what_ended_the_wait_for_an_answer() {
    let found = |text: &str| {
        let state = after_handshake(&format!("{EXCHANGE}0.100 > P. 401:801(400) ack 1001\n{text}"));
        let start = state.outline.first;
        state.unanswered().map(|request| (request.end, request.until - start, request.met_reset))
    };
    let taken = "0.120 < . 1001:1001(0) ack 801\n";
    let [given_up, closed, reset, open] =
        [UnansweredEnd::GivenUp, UnansweredEnd::Closed, UnansweredEnd::Reset, UnansweredEnd::Open];
    for (what, text, expected) in [
        ("the asker closes", "2.0 > F. 801:801(0) ack 1001", Some((given_up, 2 * SECOND, false))),
        ("the asker resets", "2.0 > R. 801:801(0) ack 1001", Some((given_up, 2 * SECOND, false))),
        ("the asker closes, and is reset", "2.0 > F. 801:801(0) ack 1001\n2.1 < R 1001:1001(0)", {
            Some((given_up, 2 * SECOND, true))
        }),
        ("the asker closes as it is reset", "2.0 > F. 801:801(0) ack 1001\n2.0 < R 1001:1001(0)", {
            Some((given_up, 2 * SECOND, false))
        }),
        ("the peer closes", "2.0 < F. 1001:1001(0) ack 801", Some((closed, 2 * SECOND, false))),
        ("the peer resets", "2.0 < R. 1001:1001(0) ack 801", Some((reset, 2 * SECOND, false))),
        ("the peer resets at once", "0.121 < R. 1001:1001(0) ack 801", Some((reset, ms(121), false))),
        ("the peer closes too soon", "1.099999999 < F. 1001:1001(0) ack 801", None),
        ("the asker gives up too soon", "1.099999999 > F. 801:801(0) ack 1001", None),
        ("the peer closes before the asker", "2.0 < F. 1001:1001(0) ack 801\n3.0 > F. 801:801(0) ack 1002", {
            Some((closed, 2 * SECOND, false))
        }),
        ("the capture ends after 5 s", "5.1 > . 801:801(0) ack 1001", Some((open, 5_100_000_000, false))),
        ("the capture ends sooner", "5.099999999 > . 801:801(0) ack 1001", None),
    ] {
        assert_eq!(found(&format!("{taken}{text}")), expected, "{what}");
    }
    assert_eq!(found("2.0 < R. 1001:1001(0) ack 401"), None, "nobody acknowledged the request");
    let closing = "0.120 < . 1001:1001(0) ack 801\n0.099 > F. 801:801(0) ack 1001\n6.0 < . 1001:1001(0) ack 802";
    assert_eq!(found(closing), None, "the asker closed before its last data");
}

/// Away from the asker, the rest of a request may be missing if the peer closed.
#[test]
fn a_request_is_whole_where_the_asker_sent_it() {
    let text = format!("{EXCHANGE}0.100 > P. 401:801(400) ack 1001\n0.120 < . 1001:1001(0) ack 801\n");
    let found = |vantage, end: &str| {
        let mut state = after_handshake(&format!("{text}{end}"));
        state.conclude_halves();
        if let Some(summary) = &mut state.ends[0].summary {
            summary.vantage = vantage;
        }
        state.unanswered().map(|request| (request.bytes, request.answered, request.longest))
    };
    let (closed, given_up) = ("2.0 < F. 1001:1001(0) ack 801", "2.0 > F. 801:801(0) ack 1001");
    let request = Some((400, 1, ms(20)));
    assert_eq!(found(Vantage::Sender, closed), request, "at the asker");
    assert_eq!(found(Vantage::Receiver, closed), None, "at the peer, who closed");
    assert_eq!(found(Vantage::Receiver, given_up), request, "at the peer, and the asker gave up");
}

/// SYNs with wrong checksums that nobody answered. `is_routed` needs a hop limit that routers have
/// decremented.
#[test]
fn wrong_checksums_were_not_answered() {
    let found = |text: &str, wrong: &[usize], ttl: u8| {
        let mut segments = script(text).segments;
        for (place, segment) in segments.iter_mut().enumerate() {
            segment.ip = segment.ip.with_wrong_checksum(wrong.contains(&place));
            segment.ip.hop_limit = ttl;
        }
        let mut state = ConnectionState::new(0, &segments[0]);
        for segment in &segments {
            state.observe(segment);
        }
        state.checksums().map(|checksums| (checksums.wrong, checksums.is_routed))
    };
    let syns = "0.0 > S 0:0(0)\n1.0 > S 0:0(0)\n";
    let answered = format!("{syns}1.1 < S. 0:0(0) ack 1\n1.1 > . 1:1(0) ack 1");
    for (what, text, wrong, ttl, expected) in [
        ("two SYNs, no answer", syns, &[0, 1][..], 63, Some((2, true))),
        ("no router on the way", syns, &[0, 1], 64, Some((2, false))),
        ("none was wrong", syns, &[], 63, None),
        ("the second was right, and answered", &answered, &[0], 63, Some((1, true))),
        ("no router on the way of all packets", &answered, &[0], 64, Some((1, false))),
        ("the wrong one was answered", &answered, &[1], 63, None),
        ("a SYN-ACK alone", "0.0 < S. 0:0(0) ack 1\n1.0 < S. 0:0(0) ack 1", &[0, 1], 63, None),
        (
            "a SYN-ACK of which the client was heard",
            { "0.0 > S 0:0(0)\n0.1 < S. 0:0(0) ack 1\n1.1 < S. 0:0(0) ack 1" },
            &[1, 2],
            63,
            Some((2, true)),
        ),
    ] {
        assert_eq!(found(text, wrong, ttl), expected, "{what}");
    }
}

/// Without a handshake, the vantage of either direction shows the position. The client sends the requests
/// here.
#[test]
fn where_exchanges_were_captured() {
    use Vantage::{Middle, Receiver, Sender, Unknown};
    let ways = |requests: Vantage, answers: Vantage, handshake: bool| {
        let mut state = after_handshake(EXCHANGE);
        state.conclude_halves();
        for (end, vantage) in state.ends.iter_mut().zip([requests, answers]) {
            end.summary.as_mut().unwrap().vantage = vantage;
        }
        if !handshake {
            state.handshake_times.syn_ack = None;
        }
        let mut conversation = *state.conversation.take().unwrap();
        let client = conversation.asker();
        conversation.locate(Ways { to_server: Some(ms(9)), to_client: Some(ms(8)) }, client);
        let (_, ways) = state.exchanges(conversation).unwrap();
        (ways.to_server.map(|way| way / ms(1)), ways.to_client.map(|way| way / ms(1)))
    };
    let (client, server, neither) = ((Some(9), Some(0)), (Some(0), Some(8)), (Some(9), Some(8)));
    for (what, requests, answers, expected) in [
        ("at the sender of requests", Sender, Unknown, client),
        ("at the receiver of answers", Unknown, Receiver, client),
        ("at the receiver of requests", Receiver, Unknown, server),
        ("at the sender of answers", Unknown, Sender, server),
        ("in the middle", Middle, Middle, neither),
        ("unknown", Unknown, Unknown, neither),
    ] {
        assert_eq!(ways(requests, answers, false), expected, "{what}");
        assert_eq!(ways(requests, answers, true), neither, "{what}: a handshake shows it better");
    }
}

/// Delays from the capture point to both ends and back: the smallest of the handshake and of data.
#[test]
fn the_ways_to_both_ends() {
    let text = "0.000 > S 0:0(0) win 65535 <mss 1460>
        0.030 < S. 0:0(0) ack 1 win 65535 <mss 1460>
        0.037 > . 1:1(0) ack 1 win 65535
        0.100 > P. 1:401(400) ack 1
        0.120 < P. 1:1001(1000) ack 401
        0.125 > . 401:401(0) ack 1001\n";
    let state = state(text);
    let found = |client| super::super::ways(&state.handshake_times, &state.ends, client);
    assert_eq!(found(A), Ways { to_server: Some(ms(20)), to_client: Some(ms(5)) }, "the least of each");
    let handshake = |client| super::super::ways(&state.handshake_times, &[End::default(), End::default()], client);
    assert_eq!(handshake(A), Ways { to_server: Some(ms(30)), to_client: Some(ms(7)) }, "no data");
    let mut backwards = state.handshake_times;
    backwards.syn_ack = backwards.last_syn.map(|syn| syn - 1);
    let ways = super::super::ways(&backwards, &[End::default(), End::default()], A);
    assert_eq!((ways.to_server, ways.to_client), (None, Some(ms(7))), "times that run backwards");
    let unknown = super::super::ways(&HandshakeTimesOf::default(), &[End::default(), End::default()], A);
    assert_eq!(unknown, Ways::default());
}

type HandshakeTimesOf = crate::facts::half::HandshakeTimes;

#[test]
fn a_connection_is_the_sum_of_its_ends() {
    let text = format!("{EXCHANGE}0.500 > . 400:400(0) ack 1001\n0.520 < . 1001:1001(0) ack 401");
    let found = after_handshake(&text).finish();
    assert_eq!((found.packets, found.initiator, found.span.nanos()), ([5, 3], Some(A), ms(520)));
    assert_eq!(found.halves.iter().map(|half| (half.sender, half.bytes)).collect::<Vec<_>>(), [(A, 400), (B, 1000)]);
    assert_eq!(found.halves.iter().map(|half| half.role).collect::<Vec<_>>(), [Role::Client, Role::Server]);
    let exchanges = found.exchanges.unwrap();
    assert_eq!((exchanges.client, exchanges.count, exchanges.answer_bytes), (A, 1, 1000));
}

/// The capture is at the end where one of the directions was sent or received.
#[test]
fn where_a_connection_was_captured() {
    use Vantage::{Middle, Receiver, Sender, Unknown};
    let rtt = Distribution { min: 7, median: 7, p95: 7, max: 7 };
    let found = |client: Vantage, server: Vantage| {
        let mut state = after_handshake(EXCHANGE);
        state.conclude_halves();
        for (end, vantage) in state.ends.iter_mut().zip([client, server]) {
            let summary = end.summary.as_mut().unwrap();
            (summary.vantage, summary.rtt) = (vantage, Some(rtt));
        }
        let found = state.finish();
        for (half, vantage) in found.halves.iter().zip([client, server]) {
            let basis = if vantage == Sender { Basis::WireExact } else { Basis::WireInferred };
            assert_eq!(half.rtt.map(|rtt| rtt.1), Some(basis), "{vantage:?}: what its round trips rest on");
        }
        (found.vantage.near, found.vantage.is_middle)
    };
    for (what, client, server, expected) in [
        ("at the sender of the client's data", Sender, Unknown, (Some(A), false)),
        ("at the receiver of the client's data", Receiver, Unknown, (Some(B), false)),
        ("at the sender of the server's data", Unknown, Sender, (Some(B), false)),
        ("at the receiver of the server's data", Unknown, Receiver, (Some(A), false)),
        ("the client's data comes first", Sender, Sender, (Some(A), false)),
        ("in the middle", Middle, Unknown, (None, true)),
        ("in the middle of one, at the sender of the other", Middle, Sender, (Some(B), false)),
        ("unknown", Unknown, Unknown, (None, false)),
    ] {
        assert_eq!(found(client, server), expected, "{what}");
    }
}

/// The smallest round trip is the one of either direction, also without data.
#[test]
fn the_least_round_trip_of_either_direction() {
    let found = |rtts: [Option<i64>; 2]| {
        let mut state = after_handshake(EXCHANGE);
        state.conclude_halves();
        for (end, rtt_min) in state.ends.iter_mut().zip(rtts) {
            end.summary.as_mut().unwrap().rtt_min = rtt_min;
        }
        state.finish().rtt_min
    };
    assert_eq!(found([Some(7), Some(5)]), Some(5));
    assert_eq!(found([Some(5), Some(7)]), Some(5));
    assert_eq!(found([None, Some(7)]), Some(7));
    assert_eq!(found([None, None]), None);
}

/// The server's own FIN or reset must follow its final message directly, not the client's.
#[test]
fn the_server_says_goodbye_and_closes() {
    let count = |end: &str| {
        let goodbye = "3.000 < P. 1001:1031(30) ack 401\n";
        let request = "0.060 > P. 401:801(400) ack 1001\n0.080 < . 1001:1001(0) ack 801\n";
        let text = format!("{EXCHANGE}{request}{}{end}", goodbye.replace("ack 401", "ack 801"));
        after_handshake(&text).finish().exchanges.unwrap().count
    };
    for (what, end, expected) in [
        ("it closes", "3.001 < F. 1031:1031(0) ack 801", 1),
        ("it resets", "3.001 < R. 1031:1031(0) ack 801", 1),
        ("the client closes", "3.001 > F. 801:801(0) ack 1031", 2),
        ("the client resets", "3.001 > R. 801:801(0) ack 1031", 2),
        ("it closes, then resets much later", "3.001 < F. 1031:1031(0) ack 801\n9.0 < R 1032:1032(0)", 1),
    ] {
        assert_eq!(count(end), expected, "{what}");
    }
}

/// `SILENT_REPEATS_UNHEARD` if the capture has no packet of the peer; otherwise packets of the peer must be
/// missing.
#[test]
fn a_silent_peer_was_heard_or_never_captured() {
    assert_eq!((SILENT_REPEATS.get(), SILENT_REPEATS_UNHEARD.get()), (3, 5));
    let repeats = |count: usize, flags: &str, ack: &str| {
        let times = ["0.250", "0.650", "1.450", "3.050", "6.250"];
        times[..count].iter().map(|at| format!("{at} > {flags} 401:801(400){ack}")).collect::<Vec<_>>().join("\n")
    };
    let is_found = |text: &str| {
        let found = state(text).finish();
        found.halves[0].findings.iter().any(|finding| finding.rule == "peer-silent")
    };
    let heard = |count, end: &str| {
        let sent = "0.060 > P. 401:801(400) ack 1001\n";
        is_found(&format!("{HANDSHAKE}{EXCHANGE}{end}{sent}{}", repeats(count, "P.", " ack 1001")))
    };
    for (what, found, expected) in [
        ("heard before, three repeats", heard(3, ""), true),
        ("two repeats", heard(2, ""), false),
        ("it had closed", heard(3, "0.055 < F. 1001:1001(0) ack 401\n"), false),
    ] {
        assert_eq!(found, expected, "{what}");
    }
    let unheard = |count| {
        let sent = "0.000 > P. 1:401(400) ack 1\n0.060 > P. 401:801(400) ack 1\n";
        is_found(&format!("{sent}{}", repeats(count, "P.", " ack 1")))
    };
    assert_eq!((unheard(5), unheard(4)), (true, false), "never captured: five repeats, and four");
}

/// Retransmissions of both SYNs are counted, without the first ones.
#[test]
fn repeats_of_syns_are_counted() {
    let text = "0.000 > S 0:0(0) win 65535 <mss 1460>
        1.000 > S 0:0(0) win 65535 <mss 1460>
        1.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
        2.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
        2.020 > . 1:1(0) ack 1 win 65535
        2.030 > P. 1:60001(60000) ack 1
        2.050 < . 1:1(0) ack 60001";
    let found = state(text).finish();
    let retries = found.halves[0].findings.iter().find(|finding| finding.rule == "syn-retries");
    let count = retries.and_then(|finding| finding.evidence.iter().find(|e| e.key.id() == "retry_count"));
    assert_eq!(count.map(|evidence| evidence.value.clone()), Some(tcpwhy_model::Value::from(2_u64)));
}
