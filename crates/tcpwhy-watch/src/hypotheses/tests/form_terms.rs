//! Each term of a limit's form and of a rest's turn. A test fails if one is dropped, or if its boundary
//! moves.

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
            (
                "under it, over a short queue",
                |s| (s.info.snd_ssthresh, s.info.rtt) = (None, Some(39_999)),
                HeldBy::SlowStart,
            ),
            ("under it, the link is full", |s| (s.info.snd_ssthresh, s.info.rtt) = (None, Some(40_000)), HeldBy::Queue),
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
