//! The limit of a sender at an instant, from its own socket: the one decision table of live sockets.

use tcpwhy_model::host::{SocketMemory, SocketSample, TcpInfo, TcpState};
use tcpwhy_model::live::HeldBy;

use super::socket::{SocketTraits, has_closed, has_peer_closed, segments_in_flight};
use super::thresholds::{
    BURSTS_PER_SECOND, FULL_BUFFER, FULL_LINK, LARGEST_BURST, LARGEST_UNSCALED, LEAST_BURST, LEAST_FLIGHT, LEAST_QUEUE,
    LEAST_QUEUE_PART, LEAST_SMALL_QUEUE, SKB_OVERHEAD, STARTING_GAIN, UNSCALED_PART, WINDOW_OVER_BUFFER,
};

/// What held the sender back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Held {
    /// Nothing was sent and nothing was to be sent.
    Idle,
    /// All was sent, and the application gave nothing more.
    App,
    /// All was sent, and the protocol above TCP allows nothing more until the peer grants it.
    PeerWindow,
    /// Less than a segment was there, and it waited for an acknowledgement.
    Nagle,
    /// Not as much as a segment was left to be sent, and the application could not give more: its send buffer
    /// was full.
    Sndbuf,
    /// Data waited, and the peer's window had the least room.
    Rwnd,
    /// Data waited, and the congestion window had the least room.
    Cwnd,
    /// Data waited for the pacer: at the rate that congestion control has measured, or that the program has
    /// set.
    Pacing,
    /// Data waited for the sender's own interface (TCP small queues).
    Nic,
    /// Lost data was being repaired.
    Loss,
}

impl Held {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Idle,
        Self::App,
        Self::PeerWindow,
        Self::Nagle,
        Self::Sndbuf,
        Self::Rwnd,
        Self::Cwnd,
        Self::Pacing,
        Self::Nic,
        Self::Loss,
    ];

    /// Its name in recordings.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::App => "app",
            Self::PeerWindow => "peer_window",
            Self::Nagle => "nagle",
            Self::Sndbuf => "sndbuf",
            Self::Rwnd => "rwnd",
            Self::Cwnd => "cwnd",
            Self::Pacing => "pacing",
            Self::Nic => "nic",
            Self::Loss => "loss",
        }
    }

    /// What recordings call so.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|held| held.id() == id)
    }
}

/// What a socket says of its sending half.
#[derive(Clone, Copy, Debug)]
pub struct SenderState<'a> {
    /// Bytes written and not acknowledged; a FIN counts as one.
    pub outq: Option<u64>,
    /// Of those, bytes that were not sent yet.
    pub unsent: Option<u64>,
    /// `SO_MEMINFO`.
    pub memory: &'a SocketMemory,
    /// `TCP_INFO`.
    pub info: &'a TcpInfo,
    /// Whether the program is inside `send()`; `None` where nobody knows.
    pub is_in_send: Option<bool>,
    /// Whether the program waits until its peer's protocol allows more bytes. Only the program itself knows.
    pub awaits_peer_window: bool,
    /// Whether the kernel lets the send buffer grow as soon as a program waits for room: nobody has set
    /// `SO_SNDBUF`, and it is not at its largest. `false` where nobody knows.
    pub grows: bool,
}

/// `TCP_CA_Recovery`.
pub(super) const CA_RECOVERY: u64 = 3;
/// `TCP_CA_Loss`: the retransmission timer ran out.
pub(super) const CA_LOSS: u64 = 4;

/// What held the sender back at this instant; `None` if the kernel did not say enough.
///
/// The order is that of `tcp_write_xmit`, which asks the congestion window, the peer's window, Nagle and
/// small queues only for data that is there. A recovery goes before all of it: until it ends the rest is not
/// what the transfer waits for. BBR goes on at its rate while it repairs, unless the timer ran out.
pub fn held(state: &SenderState<'_>, traits: SocketTraits) -> Option<Held> {
    let info = state.info;
    let (outq, unsent) = (state.outq?, state.unsent.or(info.notsent_bytes)?);
    if outq == 0 {
        return Some(if state.awaits_peer_window { Held::PeerWindow } else { Held::Idle });
    }
    let ca_state = info.ca_state?;
    if ca_state == CA_LOSS || (ca_state == CA_RECOVERY && !traits.paces) {
        return Some(Held::Loss);
    }
    if unsent == 0 {
        return Some(match state {
            state if state.awaits_peer_window => Held::PeerWindow,
            state if is_buffer_full(state) => Held::Sndbuf,
            _ => Held::App,
        });
    }
    let mss = info.snd_mss?.max(1);
    let in_flight = segments_in_flight(info)?;
    let window_room = info.snd_wnd.map_or(u64::MAX, |window| window.saturating_sub(outq - unsent.min(outq)));
    let cwnd_room = info.snd_cwnd?.saturating_sub(in_flight) * mss;
    if unsent < mss && unsent <= window_room && cwnd_room > 0 {
        // A program that has more is not held by Nagle: what it gave next would fill the segment.
        if is_buffer_full(state) {
            return Some(Held::Sndbuf);
        }
        if in_flight > 0 && (!traits.nodelay || traits.corked) {
            return Some(Held::Nagle);
        }
        return Some(if state.awaits_peer_window { Held::PeerWindow } else { Held::App });
    }
    let least = if window_room <= cwnd_room { Held::Rwnd } else { Held::Cwnd };
    if window_room.min(cwnd_room) < mss {
        return Some(least);
    }
    if is_rate_set(info) {
        return Some(Held::Pacing);
    }
    let burst = info.pacing_rate.unwrap_or(u64::MAX) / BURSTS_PER_SECOND;
    if state.memory.transmit_allocated.unwrap_or_default() > burst.max(LEAST_SMALL_QUEUE * (mss + SKB_OVERHEAD)) {
        return Some(Held::Nic);
    }
    // The rate is what so small a buffer let it measure: its congestion window would take twice as much.
    if traits.paces && is_buffer_full(state) && WINDOW_OVER_BUFFER * outq <= info.snd_cwnd? * mss {
        return Some(Held::Sndbuf);
    }
    if traits.paces && !(least == Held::Rwnd && window_room < burst.min(LARGEST_BURST).max(LEAST_BURST * mss)) {
        return Some(Held::Pacing);
    }
    Some(least)
}

/// Whether a program cannot give more, since its send buffer is full.
///
/// For somebody else's program: once the buffer was full, the kernel wakes it when a third of it is free
/// (`sk_stream_write_space`).
fn is_buffer_full(state: &SenderState<'_>) -> bool {
    if let Some(is_in_send) = state.is_in_send {
        return is_in_send;
    }
    let memory = state.memory;
    let is_full = matches!((memory.send_queued, memory.send_buffer), (Some(queued), Some(buffer)) if FULL_BUFFER.is_reached(queued, buffer));
    is_full && !state.grows
}

/// Whether the socket paces at the rate that its program has set (`SO_MAX_PACING_RATE`).
pub(super) fn is_rate_set(info: &TcpInfo) -> bool {
    matches!((info.pacing_rate, info.max_pacing_rate), (Some(rate), Some(most)) if rate >= most)
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
mod tests;
