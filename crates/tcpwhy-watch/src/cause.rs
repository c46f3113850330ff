//! The form of a limit that a socket shows.

use tcpwhy_model::host::{SocketSample, TcpInfo, TcpState};
use tcpwhy_model::live::HeldBy;

use super::held::{CA_LOSS, Held, SenderState, held, is_rate_set};
use super::socket::{SocketTraits, has_closed, has_peer_closed, segments_in_flight};
use super::thresholds::{
    FULL_LINK, LARGEST_UNSCALED, LEAST_FLIGHT, LEAST_QUEUE, LEAST_QUEUE_PART, STARTING_GAIN, UNSCALED_PART,
};

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

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::super::socket::traits;
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
}
