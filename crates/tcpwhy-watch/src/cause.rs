//! The limit, and its form, that a socket shows at an instant.

use tcpwhy_model::host::{SocketSample, TcpInfo, TcpState};
use tcpwhy_model::live::HeldBy;
use tcpwhy_model::{Cause, Detail, Limit};

use super::held::{CA_LOSS, Held, SenderState, SocketTraits, held, is_rate_set, segments_in_flight};
use super::thresholds::{
    FULL_LINK, FULL_RECEIVE_BUFFER, LARGEST_UNSCALED, LEAST_FLIGHT, LEAST_QUEUE, LEAST_QUEUE_PART, LONGEST_GRANT,
    LONGEST_OWN_PACE, MICROSECOND, SHORT_ANSWER, SILENT, SMALL_WINDOW, STARTING_GAIN, UNREAD_PART, UNSCALED_PART,
    WAITED_PARTS,
};

/// What holds the sending half back at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InstantLimit {
    /// By the decision table; `None` where the connection is not set up or the kernel did not say enough.
    pub(super) held: Option<Held>,
    /// The same in the words of the timeline.
    pub(super) cause: Cause,
}

/// What was said between two samples, as their counters show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Only this side spoke, so shortly before the second sample that it rests no longer than it writes.
    Own,
    /// The peer spoke about as often as a round trip allows: this side waited for that.
    Peers,
    /// The same, in short words after much data: what grants more.
    Grants,
    /// Neither, or nobody knows.
    Other,
}

impl Words {
    /// What time with nothing to send was.
    pub(super) const fn rest(self) -> Detail {
        match self {
            Self::Own => Detail::PacedWrites,
            Self::Peers | Self::Grants => Detail::PeerTurn,
            Self::Other => Detail::Idle,
        }
    }

    pub(super) fn between(a: &SocketSample, b: &SocketSample, nanos: i64) -> Self {
        // A SYN has no counters yet.
        let grown = |of: fn(&TcpInfo) -> Option<u64>| Some(of(&b.info)?.saturating_sub(of(&a.info).unwrap_or(0)));
        let (Some(sent), Some(received)) = (grown(|info| info.bytes_acked), grown(|info| info.bytes_received)) else {
            return Self::Other;
        };
        let two_segments = b.info.snd_mss.map_or(u64::MAX, |mss| SHORT_ANSWER * mss);
        if received == 0 {
            let was_heard = b.info.last_data_recv.is_some_and(|since| since <= SILENT);
            let writes = b.info.last_data_sent.is_some_and(|since| since <= LONGEST_OWN_PACE);
            return match was_heard {
                // An answer, which is still in flight or acknowledged.
                true if sent <= two_segments => Self::Peers,
                false if sent > 0 && writes => Self::Own,
                _ => Self::Other,
            };
        }
        let words = grown(|info| info.data_segs_in).unwrap_or(1).max(1);
        let round_trip = b.info.rtt.unwrap_or_default().saturating_mul(MICROSECOND).cast_signed();
        let waited = round_trip.saturating_mul(words.cast_signed());
        let is_much = sent / words > two_segments;
        if waited.saturating_mul(WAITED_PARTS) < nanos {
            // Few words, and little after each: turns with rests between them.
            return if is_much { Self::Other } else { Self::Peers };
        }
        if is_much && received / words <= LONGEST_GRANT { Self::Grants } else { Self::Peers }
    }
}

impl InstantLimit {
    /// `largest` as in [`held_by`].
    pub(super) fn at(socket: &SocketSample, has_turns: bool, largest: Option<u64>) -> Self {
        // Samples show a request now and then that has just come: whoever answers at once does not think.
        let has_just_heard = socket.info.last_data_recv == Some(0);
        match held_by(socket, traits(socket), None, largest) {
            Some(HeldBy::Think) if has_just_heard => Self::told(HeldBy::Idle, socket, has_turns),
            Some(by) => Self::told(by, socket, has_turns),
            None => Self { held: None, cause: Cause::plain(Limit::Unobserved) },
        }
    }

    /// As the kernel's account says.
    pub(super) fn told(by: HeldBy, socket: &SocketSample, has_turns: bool) -> Self {
        let held = match by {
            HeldBy::Idle | HeldBy::Think | HeldBy::CloseWait => Some(Held::Idle),
            HeldBy::Application | HeldBy::Tail | HeldBy::PeerTurn => Some(Held::App),
            HeldBy::PeerWindow => Some(Held::PeerWindow),
            HeldBy::Nagle | HeldBy::Cork => Some(Held::Nagle),
            HeldBy::SendBuffer => Some(Held::Sndbuf),
            HeldBy::ReceiveWindow | HeldBy::ZeroWindow | HeldBy::NoWindowScale => Some(Held::Rwnd),
            HeldBy::SlowStart | HeldBy::Queue | HeldBy::CwndPaced | HeldBy::PostLoss | HeldBy::Cwnd => Some(Held::Cwnd),
            HeldBy::Pacing | HeldBy::Path => Some(Held::Pacing),
            HeldBy::Interface => Some(Held::Nic),
            HeldBy::FastRecovery | HeldBy::Rto => Some(Held::Loss),
            HeldBy::Handshake | HeldBy::SynRto => None,
        };
        // What a closed socket held back does not matter any more.
        let by = if socket.state == Some(TcpState::Close) { HeldBy::CloseWait } else { by };
        Self { held, cause: Self::words(by, has_turns) }
    }

    /// The same, by the words that passed in the time around it.
    pub(super) fn between(self, words: Words) -> Self {
        let by_words = match (self.cause.detail, words) {
            (Some(Detail::PacedWrites), Words::Peers) => Detail::PeerTurn,
            (Some(Detail::PacedWrites), Words::Grants) => Detail::PeerWindow,
            (Some(Detail::Idle | Detail::PeerTurn), Words::Own) => Detail::PacedWrites,
            _ => return self,
        };
        let held = if by_words == Detail::PacedWrites { Some(Held::App) } else { self.held };
        Self { held, cause: by_words.into() }
    }

    /// In the words of timelines: a rest between turns is the peer's.
    pub(super) fn words(by: HeldBy, has_turns: bool) -> Cause {
        if by == HeldBy::Idle && has_turns { Detail::PeerTurn.into() } else { by.cause() }
    }
}

/// What holds the sending half of `socket` back, as finely as can be told: what `decide` of
/// `tcpwhy-bpf/bpf/decide.h` says in the kernel. `is_in_send` where it is known that a program waits for room
/// in the send buffer, or that none does. `largest` is what send buffers of this host may grow to, bytes
/// (`net.ipv4.tcp_wmem`).
pub fn held_by(
    socket: &SocketSample,
    traits: SocketTraits,
    is_in_send: Option<bool>,
    largest: Option<u64>,
) -> Option<HeldBy> {
    if matches!(socket.state, Some(TcpState::SynSent | TcpState::SynReceived)) {
        let is_repeated = socket.info.retransmits.is_some_and(|n| n > 0)
            || socket.timer.and_then(|timer| timer.retransmissions).is_some_and(|n| n > 0);
        return Some(if is_repeated { HeldBy::SynRto } else { HeldBy::Handshake });
    }
    let state = SenderState {
        outq: Some(socket.send_queue),
        unsent: socket.info.notsent_bytes,
        memory: &socket.memory,
        info: &socket.info,
        is_in_send,
        awaits_peer_window: false,
        grows: socket.locks.is_some_and(|locks| !locks.send) && socket.memory.send_buffer < largest,
    };
    let info = &socket.info;
    Some(match held(&state, traits)? {
        Held::Idle => rest(socket),
        // Everything was written and the end of it is on its way.
        Held::App if has_closed(socket) && !is_kept(socket, traits)? => HeldBy::Tail,
        Held::App | Held::Nagle if is_kept(socket, traits)? => HeldBy::Cork,
        Held::App | Held::PeerWindow => HeldBy::Application,
        Held::Nagle => HeldBy::Nagle,
        Held::Sndbuf if is_link_full(info) => HeldBy::Queue,
        Held::Sndbuf => HeldBy::SendBuffer,
        Held::Rwnd => receive_window(info),
        Held::Cwnd => congestion_window(info, traits),
        Held::Pacing if is_rate_set(info) => HeldBy::Pacing,
        Held::Pacing => measured_rate(info),
        Held::Nic => HeldBy::Interface,
        Held::Loss if info.ca_state == Some(CA_LOSS) => HeldBy::Rto,
        // A persistent queue is still being served.
        Held::Loss if has_queue(info) && segments_in_flight(info)? >= LEAST_FLIGHT => HeldBy::Queue,
        Held::Loss => HeldBy::FastRecovery,
    })
}

/// Whether less than a segment is there which the program asked the kernel to keep: nothing else keeps it
/// while nothing is in flight.
fn is_kept(socket: &SocketSample, traits: SocketTraits) -> Option<bool> {
    let is_unsent = socket.info.notsent_bytes? > 0;
    Some(is_unsent && (traits.corked || (!traits.paces && segments_in_flight(&socket.info)? == 0)))
}

/// What a socket does that its numbers do not say. `TCP_NODELAY` and `TCP_CORK` cannot be seen from outside.
pub(super) fn traits(socket: &SocketSample) -> SocketTraits {
    SocketTraits {
        paces: socket.congestion_control.as_deref().is_some_and(|name| name.starts_with("bbr")),
        nodelay: false,
        corked: false,
    }
}

/// Whether the program has closed its sending half, so that nothing more will be written.
pub(super) fn has_closed(socket: &SocketSample) -> bool {
    use TcpState::{Closing, FinWait1, FinWait2, LastAck, TimeWait};
    matches!(socket.state, Some(FinWait1 | FinWait2 | LastAck | Closing | TimeWait))
}

/// Whether the peer has closed its sending half.
pub(super) fn has_peer_closed(socket: &SocketSample) -> bool {
    use TcpState::{CloseWait, Closing, LastAck, TimeWait};
    matches!(socket.state, Some(CloseWait | LastAck | Closing | TimeWait))
}

/// Nothing to send: whose turn it is.
fn rest(socket: &SocketSample) -> HeldBy {
    if has_closed(socket) || has_peer_closed(socket) {
        return HeldBy::CloseWait;
    }
    let info = &socket.info;
    let has_peer_spoken = info.bytes_received.is_some_and(|bytes| bytes > 0);
    match (info.last_data_sent, info.last_data_recv) {
        // Milliseconds since: what is less was later. Of one millisecond, data that was not read says that it
        // came last.
        (Some(sent), Some(received))
            if has_peer_spoken && (received < sent || (received == sent && socket.receive_queue > 0)) =>
        {
            HeldBy::Think
        }
        _ => HeldBy::Idle,
    }
}

fn receive_window(info: &TcpInfo) -> HeldBy {
    let window = info.snd_wnd.unwrap_or_default();
    if window < info.snd_mss.unwrap_or(1) {
        return HeldBy::ZeroWindow;
    }
    if info.snd_wscale.is_none() && UNSCALED_PART.is_exceeded(window, LARGEST_UNSCALED) {
        return HeldBy::NoWindowScale;
    }
    HeldBy::ReceiveWindow
}

fn congestion_window(info: &TcpInfo, traits: SocketTraits) -> HeldBy {
    let cwnd = info.snd_cwnd.unwrap_or_default();
    // BBR has no threshold.
    if !traits.paces && info.snd_ssthresh.is_none_or(|threshold| cwnd < threshold) {
        return HeldBy::SlowStart;
    }
    if has_queue(info) {
        return HeldBy::Queue;
    }
    if traits.paces {
        return measured_rate(info);
    }
    if info.total_retrans.is_some_and(|n| n > 0) { HeldBy::PostLoss } else { HeldBy::Cwnd }
}

/// Round trips are longer than the shortest one by more than jitter: the path has a queue.
fn has_queue(info: &TcpInfo) -> bool {
    matches!((info.rtt, info.min_rtt), (Some(rtt), Some(least))
        if rtt.saturating_sub(least) > LEAST_QUEUE.max(least / LEAST_QUEUE_PART))
}

/// So much is in flight that half of it waits in a queue: the link is full, though a buffer allows no more.
/// (Of the peer's window that cannot be said: a reader that stops now and then makes round trips longer,
/// too.)
fn is_link_full(info: &TcpInfo) -> bool {
    let is_half = matches!((info.rtt, info.min_rtt), (Some(rtt), Some(least)) if rtt >= FULL_LINK * least);
    is_half && has_queue(info) && segments_in_flight(info).is_some_and(|segments| segments >= LEAST_FLIGHT)
}

/// BBR sends at the rate that it has measured of the path; while it still looks for that, at 2.9 times of it
/// (`bbr_high_gain`).
fn measured_rate(info: &TcpInfo) -> HeldBy {
    match (info.pacing_rate, info.delivery_rate.filter(|&rate| rate > 0)) {
        (Some(pacing), Some(delivery)) if pacing > STARTING_GAIN * delivery => HeldBy::SlowStart,
        (Some(_), Some(_)) => HeldBy::Path,
        _ => HeldBy::CwndPaced,
    }
}

/// Of a receiver: whether what it has not read keeps its own window small. Anything else that holds its peer
/// back is seen at the peer alone.
pub fn is_reader_slow(socket: &SocketSample) -> bool {
    if socket.receive_queue == 0 {
        return false;
    }
    let (info, memory) = (&socket.info, &socket.memory);
    match (info.rcv_wnd, memory.receive_allocated, memory.receive_buffer) {
        // Linux 6.2: less than two segments are offered, or less than is waiting to be read.
        (Some(window), ..) => {
            window < SMALL_WINDOW * info.rcv_mss.unwrap_or(1) || !UNREAD_PART.is_reached(window, socket.receive_queue)
        }
        (None, Some(used), Some(buffer)) => FULL_RECEIVE_BUFFER.is_exceeded(used, buffer),
        _ => false,
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    /// An established sender of which everything is known, with unsent data.
    fn socket() -> SocketSample {
        let mut s = SocketSample { state: Some(TcpState::Established), send_queue: 100_000, ..SocketSample::default() };
        s.congestion_control = Some("cubic".to_owned());
        let info = &mut s.info;
        (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(20));
        (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
        (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(80_000), Some(10), Some(7));
        (info.rtt, info.min_rtt, info.total_retrans) = (Some(20_000), Some(20_000), Some(0));
        s
    }

    #[track_caller]
    fn check(expected: &str, change: impl FnOnce(&mut SocketSample)) {
        let mut socket = socket();
        change(&mut socket);
        assert_eq!(InstantLimit::at(&socket, false, None).cause.to_string(), expected);
    }

    #[test]
    fn forms_of_the_congestion_window() {
        check("congestion_window/other", |_| ());
        check("slow_start", |s| s.info.snd_ssthresh = None);
        check("slow_start", |s| s.info.snd_ssthresh = Some(21));
        check("congestion_window/post_loss", |s| s.info.total_retrans = Some(3));
        check("path/queue", |s| s.info.rtt = Some(25_001));
        check("congestion_window/other", |s| s.info.rtt = Some(25_000));
        // A tenth of a long round trip is jitter.
        check("congestion_window/other", |s| (s.info.rtt, s.info.min_rtt) = (Some(219_000), Some(200_000)));
        check("loss_recovery/fast", |s| s.info.ca_state = Some(3));
        check("loss_recovery/rto", |s| s.info.ca_state = Some(4));
    }

    #[test]
    fn forms_of_the_receive_window() {
        let window =
            |bytes: u64| move |s: &mut SocketSample| (s.info.snd_cwnd, s.info.snd_wnd) = (Some(40), Some(bytes));
        check("receive_window", window(20_500));
        check("receive_window/zero_window", window(0));
        check("receive_window/no_window_scale", |s| {
            s.send_queue = 140_000;
            (s.info.unacked, s.info.snd_cwnd, s.info.snd_wscale, s.info.snd_wnd) =
                (Some(60), Some(80), None, Some(60_500));
        });
    }

    #[test]
    fn whose_turn_it_is() {
        let idle = |sent: u64, received: u64| {
            move |s: &mut SocketSample| {
                (s.send_queue, s.info.notsent_bytes, s.info.bytes_received) = (0, Some(0), Some(1));
                (s.info.last_data_sent, s.info.last_data_recv) = (Some(sent), Some(received));
            }
        };
        check("application/think", idle(50, 40));
        check("application/idle", idle(40, 50));
        check("application/idle", |s| {
            idle(50, 40)(s);
            s.info.bytes_received = Some(0); // Nobody spoke: both count from the beginning.
        });
        let mut socket = socket();
        idle(40, 50)(&mut socket);
        assert_eq!(InstantLimit::at(&socket, true, None).cause, Detail::PeerTurn.into());
        socket.state = Some(TcpState::CloseWait);
        assert_eq!(InstantLimit::at(&socket, true, None).cause, Detail::CloseWait.into());
    }

    #[test]
    fn before_and_after_data() {
        check("handshake", |s| s.state = Some(TcpState::SynSent));
        check("handshake/syn_rto", |s| (s.state, s.info.retransmits) = (Some(TcpState::SynSent), Some(1)));
        let all_sent = |s: &mut SocketSample| (s.send_queue, s.info.notsent_bytes) = (20_001, Some(0));
        check("application/paced_writes", all_sent);
        check("tail_rtt", |s| {
            all_sent(s);
            s.state = Some(TcpState::FinWait1);
        });
        check("unobserved", |s| s.info.snd_cwnd = None);
    }

    #[test]
    fn a_reader_is_slow_when_its_window_shrinks() {
        let mut s = SocketSample { receive_queue: 60_000, ..SocketSample::default() };
        (s.info.rcv_wnd, s.info.rcv_mss) = (Some(0), Some(1448));
        assert!(is_reader_slow(&s));
        s.info.rcv_wnd = Some(40_000);
        assert!(!is_reader_slow(&s));
        s.receive_queue = 0;
        s.info.rcv_wnd = Some(0);
        assert!(!is_reader_slow(&s), "nothing waits to be read");
        s.receive_queue = 60_000;
        s.info.rcv_wnd = None;
        (s.memory.receive_allocated, s.memory.receive_buffer) = (Some(100_000), Some(131_072));
        assert!(is_reader_slow(&s));
    }

    /// Each form and each boundary between two of them. Segments of 1000 bytes, 20 of 20 in flight.
    #[test]
    fn each_form_at_its_boundary() {
        type Change = fn(&mut SocketSample);
        for (what, change, expected) in [
            ("under the threshold", (|s| s.info.snd_ssthresh = Some(21)) as Change, HeldBy::SlowStart),
            ("at the threshold", |s| s.info.snd_ssthresh = Some(20), HeldBy::Cwnd),
            ("5 ms of queue", |s| s.info.rtt = Some(25_000), HeldBy::Cwnd),
            ("more than 5 ms", |s| s.info.rtt = Some(25_001), HeldBy::Queue),
            ("a tenth of 100 ms", |s| (s.info.rtt, s.info.min_rtt) = (Some(110_000), Some(100_000)), HeldBy::Cwnd),
            ("more than a tenth", |s| (s.info.rtt, s.info.min_rtt) = (Some(110_001), Some(100_000)), HeldBy::Queue),
            ("a repeat", |s| s.info.total_retrans = Some(1), HeldBy::PostLoss),
            ("a repeat, and a queue", |s| (s.info.total_retrans, s.info.rtt) = (Some(1), Some(90_000)), HeldBy::Queue),
            (
                "BBR has no threshold",
                |s| {
                    (s.congestion_control, s.info.snd_ssthresh) = (Some("bbr".to_owned()), None);
                },
                HeldBy::CwndPaced,
            ),
            (
                "BBR with repeats",
                |s| {
                    (s.congestion_control, s.info.total_retrans) = (Some("bbr2".to_owned()), Some(1));
                },
                HeldBy::CwndPaced,
            ),
            ("Loss", |s| s.info.ca_state = Some(4), HeldBy::Rto),
            ("Recovery", |s| s.info.ca_state = Some(3), HeldBy::FastRecovery),
            (
                "the peer's window of a segment",
                |s| {
                    (s.info.snd_cwnd, s.info.snd_wnd, s.send_queue) = (Some(40), Some(1000), 81_000);
                    s.info.unacked = Some(1);
                },
                HeldBy::ReceiveWindow,
            ),
            (
                "the peer's window of less",
                |s| {
                    (s.info.snd_cwnd, s.info.snd_wnd, s.send_queue) = (Some(40), Some(999), 81_000);
                    s.info.unacked = Some(1);
                },
                HeldBy::ZeroWindow,
            ),
            (
                "half of what fits without scaling",
                |s| {
                    (s.info.snd_cwnd, s.info.snd_wnd, s.info.snd_wscale) = (Some(400), Some(32_767), None);
                    (s.send_queue, s.info.unacked) = (112_767, Some(33));
                },
                HeldBy::ReceiveWindow,
            ),
            (
                "more than half of it",
                |s| {
                    (s.info.snd_cwnd, s.info.snd_wnd, s.info.snd_wscale) = (Some(400), Some(32_768), None);
                    (s.send_queue, s.info.unacked) = (112_768, Some(33));
                },
                HeldBy::NoWindowScale,
            ),
            (
                "the same with scaling",
                |s| {
                    (s.info.snd_cwnd, s.info.snd_wnd) = (Some(400), Some(32_768));
                    (s.send_queue, s.info.unacked) = (112_768, Some(33));
                },
                HeldBy::ReceiveWindow,
            ),
            ("SYN-RECEIVED", |s| s.state = Some(TcpState::SynReceived), HeldBy::Handshake),
            (
                "SYN-RECEIVED, repeated",
                |s| {
                    (s.state, s.info.retransmits) = (Some(TcpState::SynReceived), Some(1));
                },
                HeldBy::SynRto,
            ),
            (
                "SYN-SENT, not repeated",
                |s| {
                    (s.state, s.info.retransmits) = (Some(TcpState::SynSent), Some(0));
                },
                HeldBy::Handshake,
            ),
        ] {
            let mut socket = socket();
            change(&mut socket);
            assert_eq!(held_by(&socket, traits(&socket), Some(false), None), Some(expected), "{what}");
        }
    }

    /// Whose turn it is: who spoke last, and what was not read; nobody's once a side has closed.
    #[test]
    fn a_rest_is_of_who_spoke_last() {
        type Change = fn(&mut SocketSample);
        let times = |s: &mut SocketSample, sent, received| {
            (s.info.last_data_sent, s.info.last_data_recv) = (Some(sent), Some(received));
        };
        for (what, sent, received, change, expected) in [
            ("the peer", 50, 49, (|_| ()) as Change, HeldBy::Think),
            ("this side", 49, 50, |_| (), HeldBy::Idle),
            ("both at once", 50, 50, |_| (), HeldBy::Idle),
            ("both at once, and not read", 50, 50, |s| s.receive_queue = 1, HeldBy::Think),
            ("this side, and not read", 49, 50, |s| s.receive_queue = 1, HeldBy::Idle),
            ("the peer never", 50, 49, |s| s.info.bytes_received = Some(0), HeldBy::Idle),
            ("unknown", 50, 49, |s| s.info.last_data_recv = None, HeldBy::Idle),
            ("the peer has closed", 50, 49, |s| s.state = Some(TcpState::CloseWait), HeldBy::CloseWait),
            ("this side has closed", 50, 49, |s| s.state = Some(TcpState::FinWait2), HeldBy::CloseWait),
        ] {
            let mut socket = socket();
            (socket.send_queue, socket.info.bytes_received) = (0, Some(1));
            times(&mut socket, sent, received);
            change(&mut socket);
            assert_eq!(held_by(&socket, traits(&socket), None, None), Some(expected), "{what}");
        }
    }

    /// Which sides each state has closed.
    #[test]
    fn states_show_which_side_has_closed() {
        use TcpState::{CloseWait, Closing, Established, FinWait1, FinWait2, LastAck, TimeWait};
        for (state, own, peers) in [
            (Established, false, false),
            (FinWait1, true, false),
            (FinWait2, true, false),
            (CloseWait, false, true),
            (LastAck, true, true),
            (Closing, true, true),
            (TimeWait, true, true),
        ] {
            let socket = SocketSample { state: Some(state), ..SocketSample::default() };
            assert_eq!((has_closed(&socket), has_peer_closed(&socket)), (own, peers), "{state:?}");
        }
    }

    /// The decision that each word of the kernel's account stands for.
    #[test]
    fn words_of_the_account_stand_for_decisions() {
        use Held::{App, Cwnd, Idle, Loss, Nagle, Nic, Pacing, PeerWindow, Rwnd, Sndbuf};
        let expected = |by| match by {
            HeldBy::Idle | HeldBy::Think | HeldBy::CloseWait => Some(Idle),
            HeldBy::Application | HeldBy::Tail | HeldBy::PeerTurn => Some(App),
            HeldBy::PeerWindow => Some(PeerWindow),
            HeldBy::Nagle | HeldBy::Cork => Some(Nagle),
            HeldBy::SendBuffer => Some(Sndbuf),
            HeldBy::ReceiveWindow | HeldBy::ZeroWindow | HeldBy::NoWindowScale => Some(Rwnd),
            HeldBy::SlowStart | HeldBy::Queue | HeldBy::CwndPaced | HeldBy::PostLoss | HeldBy::Cwnd => Some(Cwnd),
            HeldBy::Pacing | HeldBy::Path => Some(Pacing),
            HeldBy::Interface => Some(Nic),
            HeldBy::FastRecovery | HeldBy::Rto => Some(Loss),
            HeldBy::Handshake | HeldBy::SynRto => None,
        };
        for by in HeldBy::ALL {
            assert_eq!(
                InstantLimit::told(by, &socket(), false),
                InstantLimit { held: expected(by), cause: by.cause() },
                "{by:?}"
            );
        }
        let closed = SocketSample { state: Some(TcpState::Close), ..socket() };
        assert_eq!(InstantLimit::told(HeldBy::Cwnd, &closed, false).cause, Detail::CloseWait.into());
        for (by, has_turns, cause) in [
            (HeldBy::Idle, true, Detail::PeerTurn),
            (HeldBy::Idle, false, Detail::Idle),
            (HeldBy::Think, true, Detail::Think),
        ] {
            assert_eq!(InstantLimit::words(by, has_turns), cause.into(), "{by:?}");
        }
    }

    /// Each term of a reader that is slow, at its boundary.
    #[test]
    fn a_reader_is_slow_where_what_it_has_not_read_keeps_its_window_small() {
        for (what, queue, window, memory, expected) in [
            ("nothing to read", 0, Some(0), None, false),
            ("less than two segments", 1, Some(1999), None, true),
            ("two segments", 1, Some(2000), None, false),
            ("half of what waits", 8000, Some(4000), None, false),
            ("less than half of what waits", 8001, Some(4000), None, true),
            ("three quarters of the memory", 1, None, Some((75, 100)), false),
            ("more of the memory", 1, None, Some((76, 100)), true),
            ("a window, whatever the memory", 1, Some(2000), Some((99, 100)), false),
            ("nothing known", 1, None, None, false),
        ] {
            let mut s = SocketSample { receive_queue: queue, ..SocketSample::default() };
            (s.info.rcv_wnd, s.info.rcv_mss) = (window, Some(1000));
            (s.memory.receive_allocated, s.memory.receive_buffer) = memory.unzip();
            assert_eq!(is_reader_slow(&s), expected, "{what}");
        }
    }
}
