//! Each term of a limit's form, of a rest's turn and of the words between samples. A test fails if one is
//! dropped, or if its boundary moves.

use tcpwhy_model::host::{BufferLocks, SocketTimer, TimerKind};

use super::*;

/// What a case changes.
type Change = fn(&mut SocketSample);
type Case = (&'static str, Change, HeldBy);

const PLAIN: SocketTraits = SocketTraits { paces: false, nodelay: false, corked: false };
const NODELAY: SocketTraits = SocketTraits { paces: false, nodelay: true, corked: false };
const CORKED: SocketTraits = SocketTraits { paces: false, nodelay: false, corked: true };
const PACES: SocketTraits = SocketTraits { paces: true, nodelay: false, corked: false };

/// 80 segments of 1000 bytes wait behind 20 in flight, which fill the congestion window. The peer's window
/// has room, and the round trip is the least, 20 ms.
fn socket(change: Change) -> SocketSample {
    let mut s = SocketSample { state: Some(TcpState::Established), send_queue: 100_000, ..SocketSample::default() };
    let info = &mut s.info;
    (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(20));
    (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
    (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(80_000), Some(10), Some(7));
    (info.rtt, info.min_rtt, info.total_retrans) = (Some(20_000), Some(20_000), Some(0));
    change(&mut s);
    s
}

/// `unsent` bytes wait behind `in_flight` segments, and the congestion window has room.
fn little(s: &mut SocketSample, unsent: u64, in_flight: u64) {
    s.send_queue = in_flight * 1000 + unsent;
    (s.info.notsent_bytes, s.info.unacked, s.info.snd_cwnd) = (Some(unsent), Some(in_flight), Some(100));
}

fn by(traits: SocketTraits, is_in_send: Option<bool>, base: Change, change: Change) -> Option<HeldBy> {
    let mut socket = socket(base);
    change(&mut socket);
    held_by(&socket, traits, is_in_send, None)
}

/// Each case changes the socket of `base`; its program is elsewhere.
fn check(traits: SocketTraits, base: Change, cases: &[Case]) {
    for &(what, change, expected) in cases {
        assert_eq!(by(traits, Some(false), base, change), Some(expected), "{what}");
    }
}

#[test]
fn a_handshake_that_repeats_its_syn() {
    let timer = |retransmissions| Some(SocketTimer { kind: TimerKind::Retransmission, expires: None, retransmissions });
    for (what, retransmits, timer, expected) in [
        ("nobody counts", None, None, HeldBy::Handshake),
        ("none, as of both", Some(0), timer(Some(0)), HeldBy::Handshake),
        ("one, as of tcp_info", Some(1), timer(Some(0)), HeldBy::SynRto),
        ("one, as of the timer", Some(0), timer(Some(1)), HeldBy::SynRto),
        ("one, as of the timer alone", None, timer(Some(1)), HeldBy::SynRto),
        ("a timer that does not count", None, timer(None), HeldBy::Handshake),
    ] {
        for state in [TcpState::SynSent, TcpState::SynReceived] {
            let mut socket = socket(|_| ());
            (socket.state, socket.info.retransmits, socket.timer) = (Some(state), retransmits, timer);
            assert_eq!(held_by(&socket, PLAIN, None, None), Some(expected), "{state:?}: {what}");
        }
        let mut socket = socket(|_| ());
        (socket.info.retransmits, socket.timer) = (retransmits, timer);
        assert_eq!(held_by(&socket, PLAIN, None, None), Some(HeldBy::Cwnd), "established: {what}");
    }
}

/// A buffer grows where nobody has set it and it is smaller than the largest.
#[test]
fn a_buffer_that_grows_does_not_hold() {
    let lock = |send| Some(BufferLocks { send, receive: !send });
    for (what, locks, largest, expected) in [
        ("not set, below the largest", lock(false), Some(30_001), HeldBy::Application),
        ("not set, at the largest", lock(false), Some(30_000), HeldBy::SendBuffer),
        ("set, below the largest", lock(true), Some(30_001), HeldBy::SendBuffer),
        ("nobody asked who has set it", None, Some(30_001), HeldBy::SendBuffer),
        ("the largest is not known", lock(false), None, HeldBy::SendBuffer),
    ] {
        let mut socket = socket(|s| little(s, 0, 20));
        (socket.memory.send_queued, socket.memory.send_buffer, socket.locks) = (Some(20_000), Some(30_000), locks);
        assert_eq!(held_by(&socket, PLAIN, None, largest), Some(expected), "{what}");
    }
}

/// Cork, Nagle, the end of a transfer and the application.
#[test]
fn less_than_a_segment_has_four_forms() {
    let some: Change = |s| little(s, 999, 20);
    let alone: Change = |s| little(s, 999, 0);
    let none: Change = |s| little(s, 0, 20);
    let closes: Change = |s| s.state = Some(TcpState::FinWait1);
    let is_closed_by_peer: Change = |s| s.state = Some(TcpState::CloseWait);
    for (what, traits, base, change, expected) in [
        ("Nagle", PLAIN, some, (|_| ()) as Change, HeldBy::Nagle),
        ("Nagle before closing", PLAIN, some, closes, HeldBy::Nagle),
        ("corked", CORKED, some, |_| (), HeldBy::Cork),
        ("corked, nothing in flight", CORKED, alone, |_| (), HeldBy::Cork),
        ("corked, nothing unsent", CORKED, none, |_| (), HeldBy::Application),
        ("corked, closing", CORKED, alone, closes, HeldBy::Cork),
        ("corked, nothing unsent, closing", CORKED, none, closes, HeldBy::Tail),
        ("without Nagle", NODELAY, some, |_| (), HeldBy::Application),
        ("without Nagle, closing", NODELAY, some, closes, HeldBy::Tail),
        ("without Nagle, the peer closes", NODELAY, some, is_closed_by_peer, HeldBy::Application),
        ("nothing in flight: who else keeps it", PLAIN, alone, |_| (), HeldBy::Cork),
        ("nothing in flight, without Nagle", NODELAY, alone, |_| (), HeldBy::Cork),
        ("nothing in flight: a pacer does", PACES, alone, |_| (), HeldBy::Application),
        ("nothing in flight: a pacer does, closing", PACES, alone, closes, HeldBy::Tail),
        ("all sent", PLAIN, none, |_| (), HeldBy::Application),
        ("all sent, closing", PLAIN, none, closes, HeldBy::Tail),
        ("all sent, closed by both", PLAIN, none, |s| s.state = Some(TcpState::LastAck), HeldBy::Tail),
    ] {
        assert_eq!(by(traits, Some(false), base, change), Some(expected), "{what}");
    }
}

/// Twice the least round trip, 5 ms more than it, and four segments (`LEAST_FLIGHT`).
#[test]
fn a_full_buffer_over_a_full_link_is_a_queue() {
    let base: Change = |s| {
        little(s, 0, 4);
        s.info.rtt = Some(40_000);
    };
    for (what, change, expected) in [
        ("twice the least round trip", (|_| ()) as Change, HeldBy::Queue),
        ("a microsecond less", |s| s.info.rtt = Some(39_999), HeldBy::SendBuffer),
        ("three segments", |s| s.info.unacked = Some(3), HeldBy::SendBuffer),
        ("twice, and 5 ms more", |s| (s.info.rtt, s.info.min_rtt) = (Some(10_000), Some(5000)), HeldBy::SendBuffer),
        ("twice, and more", |s| (s.info.rtt, s.info.min_rtt) = (Some(10_001), Some(5000)), HeldBy::Queue),
        ("no least round trip", |s| s.info.min_rtt = None, HeldBy::SendBuffer),
        ("no round trip", |s| s.info.rtt = None, HeldBy::SendBuffer),
        ("nobody counts the flight", |s| s.info.unacked = None, HeldBy::SendBuffer),
    ] {
        assert_eq!(by(PLAIN, Some(true), base, change), Some(expected), "{what}");
    }
}

/// `LEAST_QUEUE`: 5 ms; `LEAST_QUEUE_PART`: a tenth of the least round trip.
#[test]
fn a_queue_is_longer_than_jitter() {
    for (what, rtt, least, expected) in [
        ("5 ms more than 20", Some(25_000), Some(20_000), HeldBy::Cwnd),
        ("more than 5 ms more", Some(25_001), Some(20_000), HeldBy::Queue),
        ("a tenth more than 60 ms", Some(66_000), Some(60_000), HeldBy::Cwnd),
        ("more than a tenth more", Some(66_001), Some(60_000), HeldBy::Queue),
        ("shorter than the least", Some(10_000), Some(20_000), HeldBy::Cwnd),
        ("no least round trip", Some(90_000), None, HeldBy::Cwnd),
        ("no round trip", None, Some(20_000), HeldBy::Cwnd),
    ] {
        let mut socket = socket(|_| ());
        (socket.info.rtt, socket.info.min_rtt) = (rtt, least);
        assert_eq!(held_by(&socket, PLAIN, Some(false), None), Some(expected), "{what}");
    }
}

#[test]
fn a_recovery_over_a_queue_takes_four_segments() {
    let base: Change = |s| {
        (s.info.ca_state, s.info.rtt) = (Some(3), Some(90_000));
        (s.info.unacked, s.info.lost) = (Some(5), Some(1));
    };
    check(
        PLAIN,
        base,
        &[
            ("four", |_| (), HeldBy::Queue),
            ("three", |s| s.info.lost = Some(2), HeldBy::FastRecovery),
            ("no queue", |s| s.info.rtt = Some(25_000), HeldBy::FastRecovery),
            ("the timer ran out", |s| s.info.ca_state = Some(4), HeldBy::Rto),
            (
                "no queue, and nobody counts the flight",
                |s| {
                    (s.info.rtt, s.info.unacked) = (Some(25_000), None);
                },
                HeldBy::FastRecovery,
            ),
        ],
    );
    assert_eq!(by(PLAIN, None, base, |s| s.info.unacked = None), None, "nobody counts the flight over a queue");
}

/// BBR: its rate is more than twice what it delivers while it starts.
#[test]
fn a_measured_rate_has_three_forms() {
    let base: Change = |s| {
        (s.info.pacing_rate, s.info.delivery_rate) = (Some(2000), Some(1000));
        (s.info.snd_cwnd, s.info.snd_ssthresh) = (Some(100), None);
    };
    let cases: [Case; 7] = [
        ("twice what it delivers", |_| (), HeldBy::Path),
        ("more", |s| s.info.pacing_rate = Some(2001), HeldBy::SlowStart),
        ("nothing delivered", |s| s.info.delivery_rate = Some(0), HeldBy::CwndPaced),
        ("a byte per second", |s| s.info.delivery_rate = Some(1), HeldBy::SlowStart),
        ("nobody measures what it delivers", |s| s.info.delivery_rate = None, HeldBy::CwndPaced),
        ("no rate", |s| s.info.pacing_rate = None, HeldBy::CwndPaced),
        ("repeats", |s| s.info.total_retrans = Some(1), HeldBy::Path),
    ];
    check(PACES, base, &cases);
    let full: Change = |s| {
        (s.info.pacing_rate, s.info.delivery_rate) = (Some(2000), Some(1000));
        (s.info.snd_cwnd, s.info.snd_ssthresh) = (Some(20), None);
    };
    check(PACES, full, &cases);
    check(
        PACES,
        base,
        &[
            ("a rate that the program has set", |s| s.info.max_pacing_rate = Some(2000), HeldBy::Pacing),
            ("a higher one", |s| s.info.max_pacing_rate = Some(2001), HeldBy::Path),
            ("the interface", |s| s.memory.transmit_allocated = Some(3601), HeldBy::Interface),
            ("a pacer over a queue", |s| s.info.rtt = Some(90_000), HeldBy::Path),
        ],
    );
    check(PACES, full, &[("a full window over a queue", |s| s.info.rtt = Some(90_000), HeldBy::Queue)]);
}

#[test]
fn a_congestion_window_has_five_forms() {
    check(
        PLAIN,
        |_| (),
        &[
            ("at its threshold", |s| s.info.snd_ssthresh = Some(20), HeldBy::Cwnd),
            ("under its threshold", |s| s.info.snd_ssthresh = Some(21), HeldBy::SlowStart),
            ("under it, over a queue", |s| (s.info.snd_ssthresh, s.info.rtt) = (None, Some(90_000)), HeldBy::SlowStart),
            ("nobody counts repeats", |s| s.info.total_retrans = None, HeldBy::Cwnd),
            ("a repeat", |s| s.info.total_retrans = Some(1), HeldBy::PostLoss),
        ],
    );
}

#[test]
fn a_peers_window_has_three_forms() {
    let base: Change = |s| {
        (s.info.snd_cwnd, s.info.unacked) = (Some(400), Some(33));
        (s.send_queue, s.info.notsent_bytes) = (200_000, Some(100_000));
        (s.info.snd_wscale, s.info.snd_wnd) = (None, Some(32_768));
    };
    check(
        PLAIN,
        base,
        &[
            ("more than half of 65,535 bytes", |_| (), HeldBy::NoWindowScale),
            ("half of it", |s| s.info.snd_wnd = Some(32_767), HeldBy::ReceiveWindow),
            ("with scaling", |s| s.info.snd_wscale = Some(0), HeldBy::ReceiveWindow),
            ("a segment", |s| s.info.snd_wnd = Some(1000), HeldBy::ReceiveWindow),
            ("less than a segment", |s| s.info.snd_wnd = Some(999), HeldBy::ZeroWindow),
            ("less than a large segment without scaling", |s| s.info.snd_mss = Some(32_769), HeldBy::ZeroWindow),
        ],
    );
}

#[test]
fn a_rest_takes_a_peer_that_has_spoken_last() {
    let base: Change = |s| {
        (s.send_queue, s.info.bytes_received) = (0, Some(1));
        (s.info.last_data_sent, s.info.last_data_recv) = (Some(50), Some(49));
    };
    check(
        PLAIN,
        base,
        &[
            ("the peer", |_| (), HeldBy::Think),
            ("nobody counts what the peer said", |s| s.info.bytes_received = None, HeldBy::Idle),
            ("nobody knows when this side spoke", |s| s.info.last_data_sent = None, HeldBy::Idle),
            ("at once", |s| s.info.last_data_recv = Some(50), HeldBy::Idle),
            ("at once, a byte unread", |s| (s.info.last_data_recv, s.receive_queue) = (Some(50), 1), HeldBy::Think),
            ("both have closed", |s| s.state = Some(TcpState::TimeWait), HeldBy::CloseWait),
        ],
    );
}

/// A program that answers at once does not think: data came within the last millisecond.
#[test]
fn a_request_that_has_just_come_is_no_think_time() {
    let at = |received: u64, has_turns: bool, change: Change| {
        let mut socket = socket(|s| {
            (s.send_queue, s.info.bytes_received, s.info.last_data_sent) = (0, Some(1), Some(50));
        });
        socket.info.last_data_recv = Some(received);
        change(&mut socket);
        let limit = InstantLimit::at(&socket, has_turns, None);
        (limit.held, limit.cause)
    };
    let idle = Some(Held::Idle);
    assert_eq!(at(1, false, |_| ()), (idle, Detail::Think.into()), "a millisecond ago");
    assert_eq!(at(0, false, |_| ()), (idle, Detail::Idle.into()), "just now");
    assert_eq!(at(0, true, |_| ()), (idle, Detail::PeerTurn.into()), "just now, in turns");
    assert_eq!(at(1, true, |_| ()), (idle, Detail::Think.into()), "a millisecond ago, in turns");
    let sends: Change = |s| s.send_queue = 100_000;
    assert_eq!(at(0, false, sends), (Some(Held::Cwnd), Detail::Other.into()), "just now, while data waits");
    let unknown: Change = |s| (s.send_queue, s.info.ca_state) = (100_000, None);
    assert_eq!(at(0, false, unknown), (None, Cause::plain(Limit::Unobserved)), "nothing is known");
    // Samples do not show who waits in `send()`.
    let full: Change = |s| {
        little(s, 0, 20);
        (s.memory.send_queued, s.memory.send_buffer) = (Some(20_000), Some(30_000));
        s.locks = Some(BufferLocks { send: false, receive: false });
    };
    let largest = |bytes| InstantLimit::at(&socket(full), false, Some(bytes)).cause;
    assert_eq!(largest(30_000), Cause::plain(Limit::SendBuffer), "at the largest");
    assert_eq!(largest(30_001), Detail::PacedWrites.into(), "below the largest it grows");
}

/// A closed socket keeps its limit, but its time is under `CLOSE-WAIT`.
#[test]
fn a_closed_socket_waits_for_nothing() {
    let closed = socket(|s| s.state = Some(TcpState::Close));
    let limit = InstantLimit::told(HeldBy::Cwnd, &closed, true);
    assert_eq!((limit.held, limit.cause), (Some(Held::Cwnd), Detail::CloseWait.into()));
    let open = InstantLimit::told(HeldBy::Cwnd, &socket(|s| s.state = Some(TcpState::CloseWait)), true);
    assert_eq!(open.cause, Detail::Other.into(), "CLOSE-WAIT still sends");
}

/// Only rests are renamed by the words around them.
#[test]
fn words_rename_rests_only() {
    use Detail::{Idle, Nagle, PacedWrites, PeerTurn, PeerWindow, Think};
    let held = Some(Held::Idle);
    for (detail, words, expected) in [
        (PacedWrites, Words::Peers, (held, PeerTurn)),
        (PacedWrites, Words::Grants, (held, PeerWindow)),
        (PacedWrites, Words::Own, (held, PacedWrites)),
        (PacedWrites, Words::Other, (held, PacedWrites)),
        (Idle, Words::Own, (Some(Held::App), PacedWrites)),
        (PeerTurn, Words::Own, (Some(Held::App), PacedWrites)),
        (Idle, Words::Peers, (held, Idle)),
        (Idle, Words::Grants, (held, Idle)),
        (PeerTurn, Words::Grants, (held, PeerTurn)),
        (Think, Words::Own, (held, Think)),
        (Nagle, Words::Peers, (held, Nagle)),
    ] {
        let limit = InstantLimit { held, cause: detail.into() }.between(words);
        assert_eq!((limit.held, limit.cause), (expected.0, expected.1.into()), "{detail:?} {words:?}");
    }
    let plain = InstantLimit { held: Some(Held::Sndbuf), cause: Cause::plain(Limit::SendBuffer) };
    assert_eq!(plain.between(Words::Own), plain, "no rest");
    let rests = [Words::Own, Words::Peers, Words::Grants, Words::Other].map(Words::rest);
    assert_eq!(rests, [PacedWrites, PeerTurn, PeerTurn, Idle]);
}

/// Two samples, ten seconds apart: bytes of both sides, segments of the peer, and its silence.
struct Between {
    sent: Option<u64>,
    received: Option<u64>,
    /// Segments of the peer with data.
    words: Option<u64>,
    mss: Option<u64>,
    rtt: Option<u64>,
    last_sent: Option<u64>,
    last_received: Option<u64>,
    nanos: i64,
}

/// 2000 bytes of two segments acknowledged, the last one sent 500 ms ago; the peer was heard 1001 ms ago.
fn own(change: fn(&mut Between)) -> Between {
    let mut b = Between {
        sent: Some(2000),
        received: Some(0),
        words: Some(0),
        mss: Some(1000),
        rtt: Some(20_000),
        last_sent: Some(500),
        last_received: Some(1001),
        nanos: 10_000_000_000,
    };
    change(&mut b);
    b
}

fn words(b: &Between) -> Words {
    // Counters do not begin at 0.
    let counted = |by: Option<u64>| (Some(7), by.map(|by| 7 + by));
    let [mut before, mut after] = [SocketSample::default(), SocketSample::default()];
    (before.info.bytes_acked, after.info.bytes_acked) = counted(b.sent);
    (before.info.bytes_received, after.info.bytes_received) = counted(b.received);
    (before.info.data_segs_in, after.info.data_segs_in) = counted(b.words);
    (after.info.snd_mss, after.info.rtt) = (b.mss, b.rtt);
    (after.info.last_data_sent, after.info.last_data_recv) = (b.last_sent, b.last_received);
    Words::between(&before, &after, b.nanos)
}

/// `SILENT`: 1000 ms; `LONGEST_OWN_PACE`: 500 ms; two segments.
#[test]
fn a_peer_that_said_nothing_between() {
    for (what, change, expected) in [
        ("silent for more than 1000 ms, writes within 500 ms", (|_| ()) as fn(&mut Between), Words::Own),
        ("it wrote longer ago", |b| b.last_sent = Some(501), Words::Other),
        ("nobody knows when it wrote", |b| b.last_sent = None, Words::Other),
        ("a byte was acknowledged", |b| b.sent = Some(1), Words::Own),
        ("nothing was acknowledged", |b| b.sent = Some(0), Words::Other),
        ("the peer was never heard", |b| b.last_received = None, Words::Own),
        ("heard 1000 ms ago, an answer of two segments", |b| b.last_received = Some(1000), Words::Peers),
        (
            "heard 1000 ms ago, nothing acknowledged yet",
            |b| (b.last_received, b.sent) = (Some(1000), Some(0)),
            Words::Peers,
        ),
        (
            "heard 1000 ms ago, more than two segments",
            |b| (b.last_received, b.sent) = (Some(1000), Some(2001)),
            Words::Other,
        ),
        (
            "heard, segments of unknown size",
            |b| (b.last_received, b.sent, b.mss) = (Some(1000), Some(1 << 40), None),
            Words::Peers,
        ),
        ("nobody counts what was sent", |b| b.sent = None, Words::Other),
        ("nobody counts what was received", |b| b.received = None, Words::Other),
    ] {
        assert_eq!(words(&own(change)), expected, "{what}");
    }
}

/// Two words of the peer, 64 bytes each, in two round trips of 20 ms of twice that time.
fn turns(b: &mut Between) {
    (b.sent, b.received, b.words, b.nanos) = (Some(4000), Some(128), Some(2), 80_000_000);
}

/// Half of the time for round trips; two segments after each word; `LONGEST_GRANT`: 128 bytes.
#[test]
fn a_peer_that_spoke_between() {
    for (what, change, expected) in [
        ("half of the time, two segments after each word", (|_| ()) as fn(&mut Between), Words::Peers),
        ("half of the time, more after each word", |b| b.sent = Some(4002), Words::Grants),
        (
            "less than half of the time, more after each word",
            |b| (b.sent, b.nanos) = (Some(4002), 80_000_001),
            Words::Other,
        ),
        ("less than half of the time, two segments after each", |b| b.nanos = 80_000_001, Words::Peers),
        ("words of 128 bytes", |b| (b.sent, b.received) = (Some(4002), Some(257)), Words::Grants),
        ("longer words", |b| (b.sent, b.received) = (Some(4002), Some(258)), Words::Peers),
        ("nobody counts words: one", |b| (b.words, b.sent, b.nanos) = (None, Some(2001), 40_000_000), Words::Grants),
        (
            "nobody counts words: one takes one round trip",
            |b| (b.words, b.sent, b.nanos) = (None, Some(2001), 40_000_001),
            Words::Other,
        ),
        ("no word counted: one", |b| (b.words, b.sent, b.nanos) = (Some(0), Some(2001), 40_000_000), Words::Grants),
        ("no round trip, much", |b| (b.rtt, b.sent) = (None, Some(4002)), Words::Other),
        ("no round trip, little", |b| b.rtt = None, Words::Peers),
        ("when it was heard does not matter", |b| (b.last_sent, b.last_received) = (Some(0), Some(5000)), Words::Peers),
    ] {
        let mut b = own(turns);
        change(&mut b);
        assert_eq!(words(&b), expected, "{what}");
    }
}

/// A SYN has no counters: all of the second sample came between.
#[test]
fn counters_of_a_syn_are_zero() {
    let mut after = SocketSample::default();
    (after.info.bytes_acked, after.info.bytes_received, after.info.last_data_sent) = (Some(1), Some(0), Some(1));
    assert_eq!(Words::between(&SocketSample::default(), &after, 1), Words::Own);
}

#[test]
fn a_reader_whose_segments_are_not_known() {
    for (window, expected) in [(1, true), (2, false)] {
        let mut s = SocketSample { receive_queue: 1, ..SocketSample::default() };
        s.info.rcv_wnd = Some(window);
        assert_eq!(is_reader_slow(&s), expected, "a window of {window}");
    }
    let half_known = |used, buffer| {
        let mut s = SocketSample { receive_queue: 1, ..SocketSample::default() };
        (s.memory.receive_allocated, s.memory.receive_buffer) = (used, buffer);
        is_reader_slow(&s)
    };
    assert!(!half_known(Some(9), None) && !half_known(None, Some(9)));
}

#[test]
fn only_bbr_paces() {
    for (name, paces) in [(Some("bbr"), true), (Some("bbr2"), true), (Some("cubic"), false), (Some("xbbr"), false)] {
        let mut socket = socket(|_| ());
        socket.congestion_control = name.map(str::to_owned);
        let found = traits(&socket);
        assert_eq!((found.paces, found.nodelay, found.corked), (paces, false, false), "{name:?}");
    }
    assert!(!traits(&socket(|_| ())).paces, "nobody knows");
}
