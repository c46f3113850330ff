//! Each term of the decision table. A test fails if one is dropped, or if its boundary moves.

use super::*;

/// What a case changes: the sender, and its traits.
type Change = fn(&mut Sender);

const PACES: SocketTraits = SocketTraits { paces: true, nodelay: false, corked: false };

#[derive(Clone, Copy)]
struct Sender {
    outq: Option<u64>,
    unsent: Option<u64>,
    memory: SocketMemory,
    info: TcpInfo,
    is_in_send: Option<bool>,
    awaits_peer_window: bool,
    grows: bool,
    traits: SocketTraits,
}

impl Sender {
    fn held(&self) -> Option<Held> {
        let Self { outq, unsent, ref memory, ref info, is_in_send, awaits_peer_window, grows, traits } = *self;
        held(&SenderState { outq, unsent, memory, info, is_in_send, awaits_peer_window, grows }, traits)
    }

    /// `bytes` wait behind the 10,000 in flight.
    fn unsent(&mut self, bytes: u64) {
        (self.outq, self.unsent) = (Some(10_000 + bytes), Some(bytes));
    }

    /// The peer's window has so much room.
    fn room(&mut self, bytes: u64) {
        self.info.snd_wnd = Some(10_000 + bytes);
    }

    fn buffer(&mut self, queued: u64, size: u64) {
        self.is_in_send = None;
        (self.memory.send_queued, self.memory.send_buffer) = (Some(queued), Some(size));
    }
}

/// 100,000 bytes wait behind ten segments of 1000 bytes in flight. The congestion window has room for 10,000
/// bytes, the peer's for 50,000. The program is elsewhere.
fn sender(change: Change) -> Sender {
    let info = TcpInfo {
        ca_state: Some(0),
        snd_mss: Some(1000),
        snd_cwnd: Some(20),
        unacked: Some(10),
        sacked: Some(0),
        lost: Some(0),
        retrans: Some(0),
        ..TcpInfo::default()
    };
    let mut sender = Sender {
        outq: None,
        unsent: None,
        memory: SocketMemory::default(),
        info,
        is_in_send: Some(false),
        awaits_peer_window: false,
        grows: false,
        traits: SocketTraits::default(),
    };
    sender.unsent(100_000);
    sender.room(50_000);
    change(&mut sender);
    sender
}

/// Each case changes the sender of `base`.
fn check(base: Change, cases: &[(&str, Change, Held)]) {
    for &(what, change, expected) in cases {
        let mut sender = sender(base);
        change(&mut sender);
        assert_eq!(sender.held(), Some(expected), "{what}");
    }
}

#[test]
fn numbers_that_are_not_known_leave_their_limit_out() {
    check(
        |_| (),
        &[
            ("all known", |_| (), Held::Cwnd),
            ("a peer's window that is not known has room", |s| s.info.snd_wnd = None, Held::Cwnd),
            (
                "a segment has a byte at least: the congestion window has room for ten",
                |s| (s.info.snd_mss, s.info.snd_cwnd) = (Some(0), Some(10)),
                Held::Cwnd,
            ),
            ("memory of the interface is not known", |s| s.info.pacing_rate = Some(0), Held::Cwnd),
            ("no pacing rate: the interface has no limit", |s| s.memory.transmit_allocated = Some(1 << 40), Held::Cwnd),
            (
                "with a pacing rate it has one",
                |s| (s.memory.transmit_allocated, s.info.pacing_rate) = (Some(3601), Some(0)),
                Held::Nic,
            ),
            (
                "two segments with their overhead",
                |s| (s.memory.transmit_allocated, s.info.pacing_rate) = (Some(3600), Some(0)),
                Held::Cwnd,
            ),
        ],
    );
    let mut s = sender(|s| s.unsent = None);
    assert_eq!(s.held(), None, "unsent bytes are known to nobody");
    s.info.notsent_bytes = Some(0);
    assert_eq!(s.held(), Some(Held::App), "unsent bytes as of tcp_info");
    s.unsent = Some(100_000);
    assert_eq!(s.held(), Some(Held::Cwnd), "unsent bytes as of the queue go before tcp_info");
    let more = sender(|s| {
        (s.outq, s.unsent, s.info.snd_wnd, s.info.unacked) = (Some(500), Some(5000), Some(999), Some(0));
    });
    assert_eq!(more.held(), Some(Held::Rwnd), "more unsent than queued: nothing is in flight");
    assert_eq!(sender(|s| (s.unsent, s.info.unacked) = (Some(0), None)).held(), Some(Held::App), "nothing is left");
    assert_eq!(sender(|s| (s.outq, s.info.ca_state) = (Some(0), None)).held(), Some(Held::Idle), "nothing at all");
}

/// `CA_LOSS`, `CA_RECOVERY`, and BBR that goes on while it repairs.
#[test]
fn a_recovery_goes_first_unless_it_is_paced() {
    check(
        |s| s.info.ca_state = Some(3),
        &[
            ("Recovery", |_| (), Held::Loss),
            ("Recovery, all sent", |s| s.unsent = Some(0), Held::Loss),
            ("Recovery of BBR", |s| s.traits = PACES, Held::Pacing),
            ("CWR", |s| s.info.ca_state = Some(2), Held::Cwnd),
            ("Loss", |s| s.info.ca_state = Some(4), Held::Loss),
            ("Loss of BBR", |s| (s.info.ca_state, s.traits) = (Some(4), PACES), Held::Loss),
            ("no such state", |s| s.info.ca_state = Some(5), Held::Cwnd),
            ("nothing queued", |s| s.outq = Some(0), Held::Idle),
            (
                "nothing queued, and the peer's protocol",
                |s| {
                    (s.outq, s.awaits_peer_window) = (Some(0), true);
                },
                Held::PeerWindow,
            ),
        ],
    );
}

/// Two thirds of the buffer, and a writer that waits for room in it.
#[test]
fn a_full_buffer_holds_where_its_writer_waits() {
    check(
        |s| {
            s.unsent(0);
            s.buffer(20_000, 30_000);
        },
        &[
            ("two thirds", |_| (), Held::Sndbuf),
            ("a byte less", |s| s.buffer(19_999, 30_000), Held::App),
            ("a buffer that grows", |s| s.grows = true, Held::App),
            ("its writer waits", |s| s.is_in_send = Some(true), Held::Sndbuf),
            ("its writer waits, though it grows", |s| (s.is_in_send, s.grows) = (Some(true), true), Held::Sndbuf),
            ("its writer is elsewhere", |s| s.is_in_send = Some(false), Held::App),
            ("its memory is not known", |s| s.memory.send_queued = None, Held::App),
            ("its size is not known", |s| s.memory.send_buffer = None, Held::App),
            ("the peer's protocol goes first", |s| s.awaits_peer_window = true, Held::PeerWindow),
        ],
    );
}

/// Less than a segment that both windows have room for.
#[test]
fn less_than_a_segment_is_the_writers_unless_it_must_wait() {
    check(
        |s| s.unsent(999),
        &[
            ("in flight, Nagle", |_| (), Held::Nagle),
            ("nothing in flight", |s| s.info.unacked = Some(0), Held::App),
            ("one segment in flight", |s| s.info.unacked = Some(1), Held::Nagle),
            ("TCP_NODELAY", |s| s.traits.nodelay = true, Held::App),
            ("TCP_NODELAY and TCP_CORK", |s| (s.traits.nodelay, s.traits.corked) = (true, true), Held::Nagle),
            ("TCP_CORK, nothing in flight", |s| (s.traits.corked, s.info.unacked) = (true, Some(0)), Held::App),
            ("a full buffer", |s| s.buffer(2, 3), Held::Sndbuf),
            (
                "a full buffer, and the peer's protocol",
                |s| {
                    s.buffer(2, 3);
                    s.awaits_peer_window = true;
                },
                Held::Sndbuf,
            ),
            ("the peer's protocol, Nagle", |s| s.awaits_peer_window = true, Held::Nagle),
            (
                "the peer's protocol, TCP_NODELAY",
                |s| {
                    (s.awaits_peer_window, s.traits.nodelay) = (true, true);
                },
                Held::PeerWindow,
            ),
            ("a congestion window with room for one", |s| s.info.snd_cwnd = Some(11), Held::Nagle),
            ("a congestion window without", |s| s.info.snd_cwnd = Some(10), Held::Cwnd),
            ("a peer's window with room for it", |s| s.room(999), Held::Nagle),
            ("a peer's window with less", |s| s.room(998), Held::Rwnd),
            ("a whole segment", |s| s.unsent(1000), Held::Cwnd),
        ],
    );
}

/// A window without room for a segment goes before the program's rate, this before the interface, and so on.
#[test]
fn a_window_without_room_goes_before_rate_and_interface() {
    let base: Change = |s| {
        (s.info.pacing_rate, s.info.max_pacing_rate) = (Some(5000), Some(5000));
        s.memory.transmit_allocated = Some(1 << 30);
    };
    check(
        base,
        &[
            ("the rate that the program has set", |_| (), Held::Pacing),
            ("a byte per second slower than that", |s| s.info.max_pacing_rate = Some(5001), Held::Nic),
            ("faster than that", |s| s.info.max_pacing_rate = Some(4999), Held::Pacing),
            ("nobody has set one", |s| s.info.max_pacing_rate = None, Held::Nic),
            ("the peer's window has room for a segment", |s| s.room(1000), Held::Pacing),
            ("it has room for less", |s| s.room(999), Held::Rwnd),
            ("the congestion window has room for a segment", |s| s.info.snd_cwnd = Some(11), Held::Pacing),
            ("it has none", |s| s.info.snd_cwnd = Some(10), Held::Cwnd),
            (
                "both have none",
                |s| {
                    s.room(0);
                    s.info.snd_cwnd = Some(10);
                },
                Held::Rwnd,
            ),
            ("BBR over its interface", |s| (s.info.max_pacing_rate, s.traits) = (None, PACES), Held::Nic),
        ],
    );
}

/// BBR in a small buffer: its congestion window would hold twice as much. 110,000 bytes are queued.
#[test]
fn a_paced_sender_in_a_small_buffer() {
    let base: Change = |s| {
        s.traits = PACES;
        s.buffer(2, 3);
        s.room(100_000);
        s.info.snd_cwnd = Some(220);
    };
    check(
        base,
        &[
            ("a congestion window of twice as much", |_| (), Held::Sndbuf),
            ("of less", |s| s.info.snd_cwnd = Some(219), Held::Pacing),
            ("the buffer is not full", |s| s.is_in_send = Some(false), Held::Pacing),
            ("the same without pacing", |s| s.traits = SocketTraits::default(), Held::Rwnd),
        ],
    );
}

/// `LARGEST_BURST`: a pacer sends a millisecond of its rate at once, 65,536 bytes at most, two segments at
/// least.
#[test]
fn a_pacer_holds_unless_the_peers_window_is_smaller_than_a_burst() {
    let base: Change = |s| {
        (s.traits, s.info.pacing_rate, s.info.snd_cwnd) = (PACES, Some(1 << 40), Some(10_000));
        s.unsent(1_000_000);
        s.room(65_536);
    };
    check(
        base,
        &[
            ("the largest burst", |_| (), Held::Pacing),
            ("less", |s| s.room(65_535), Held::Rwnd),
            (
                "less, and the congestion window has less still",
                |s| {
                    s.room(65_535);
                    s.info.snd_cwnd = Some(75);
                },
                Held::Pacing,
            ),
            (
                "a burst of 40,000",
                |s| {
                    s.info.pacing_rate = Some(40_000 * 1024);
                    s.room(40_000);
                },
                Held::Pacing,
            ),
            (
                "less than that burst",
                |s| {
                    s.info.pacing_rate = Some(40_000 * 1024);
                    s.room(39_999);
                },
                Held::Rwnd,
            ),
            (
                "two segments",
                |s| {
                    s.info.pacing_rate = Some(0);
                    s.room(2000);
                },
                Held::Pacing,
            ),
            (
                "less than two segments",
                |s| {
                    s.info.pacing_rate = Some(0);
                    s.room(1999);
                },
                Held::Rwnd,
            ),
        ],
    );
}

#[test]
fn names_of_recordings_stay() {
    let ids = Held::ALL.map(Held::id);
    let expected = ["idle", "app", "peer_window", "nagle", "sndbuf", "rwnd", "cwnd", "pacing", "nic", "loss"];
    assert_eq!(ids, expected);
}
