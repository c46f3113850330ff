//! Each term of the limit that a sample shows. A test fails if one is dropped, or if its boundary moves.

use tcpwhy_model::host::BufferLocks;

use super::*;

/// What a case changes.
type Change = fn(&mut SocketSample);

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

/// A program that answers at once does not think: data came within the last millisecond.
#[test]
fn a_request_that_has_just_come_is_no_think_time() {
    let at = |received: u64, has_turns: bool, change: Change| {
        let mut socket = socket(|s| {
            (s.send_queue, s.info.bytes_received, s.info.last_data_sent) = (0, Some(1), Some(50));
        });
        socket.info.last_data_recv = Some(received);
        change(&mut socket);
        let limit = InstantLimit::at(&socket, has_turns, None, |by| by);
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
    let largest = |bytes| InstantLimit::at(&socket(full), false, Some(bytes), |by| by).cause;
    assert_eq!(largest(30_000), Cause::plain(Limit::SendBuffer), "at the largest");
    assert_eq!(largest(30_001), Detail::PacedWrites.into(), "below the largest it grows");
}

/// A closed socket keeps its limit, but its time is under `CLOSE-WAIT`.
#[test]
fn a_closed_socket_waits_for_nothing() {
    let closed = socket(|s| s.state = Some(TcpState::Close));
    let limit = InstantLimit::of(HeldBy::Cwnd, &closed, true);
    assert_eq!((limit.held, limit.cause), (Some(Held::Cwnd), Detail::CloseWait.into()));
    let open = InstantLimit::of(HeldBy::Cwnd, &socket(|s| s.state = Some(TcpState::CloseWait)), true);
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
