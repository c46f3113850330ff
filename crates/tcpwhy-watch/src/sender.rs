//! Facts of a sender that hypotheses ask for.

use tcpwhy_model::host::{SocketMemory, SocketSample, TcpInfo, TcpState};

use super::socket::{SocketTraits, has_closed, has_peer_closed};
use super::thresholds::{
    BURSTS_PER_SECOND, FULL_BUFFER, FULL_LINK, LARGEST_BURST, LARGEST_UNSCALED, LEAST_BURST, LEAST_FLIGHT, LEAST_QUEUE,
    LEAST_QUEUE_PART, LEAST_SMALL_QUEUE, RATE_ROUND_TRIPS, SKB_OVERHEAD, STARTING_GAIN, UNSCALED_PART,
    WINDOW_OVER_BUFFER,
};

/// The sending half of a socket, as the kernel reports it.
#[derive(Clone, Copy, Debug)]
pub struct SenderState<'a> {
    /// Bytes written and not acknowledged; a FIN counts as one.
    pub outq: Option<u64>,
    /// Bytes of `outq` that were not sent yet.
    pub unsent: Option<u64>,
    /// `SO_MEMINFO`.
    pub memory: &'a SocketMemory,
    /// `TCP_INFO`.
    pub info: &'a TcpInfo,
    /// Whether the program is inside `send()`; `None` where nobody knows.
    pub is_in_send: Option<bool>,
    /// Whether the program waits until its peer's protocol allows more bytes. Only the program itself knows.
    pub awaits_peer_window: bool,
    /// Whether the send buffer grows when a program waits for room: `SO_SNDBUF` is not set, and the buffer is
    /// not at its largest. `false` if this is not known.
    pub grows: bool,
}

/// `TCP_CA_Recovery`.
const CA_RECOVERY: u64 = 3;
/// `TCP_CA_Loss`: the retransmission timer ran out.
const CA_LOSS: u64 = 4;

/// Facts that hypotheses ask for; each may be unknown.
pub(super) struct Facts<'a> {
    state: &'a SenderState<'a>,
    info: &'a TcpInfo,
    traits: SocketTraits,
    /// For forms: the whole socket.
    socket: Option<&'a SocketSample>,
    /// Bytes queued, and bytes of those that were not sent.
    queue: Option<(u64, u64)>,
    room: Option<Room>,
}

/// Room for data that waits.
#[derive(Clone, Copy)]
struct Room {
    /// Bytes of a segment.
    mss: u64,
    /// Segments in flight.
    in_flight: u64,
    /// Bytes of room in the peer's window.
    window: u64,
    /// Bytes of room in the congestion window.
    congestion: u64,
}

impl Room {
    /// Bytes of room in both windows.
    fn least(&self) -> u64 {
        self.window.min(self.congestion)
    }
}

impl<'a> Facts<'a> {
    pub(super) fn of(state: &'a SenderState<'a>, traits: SocketTraits, socket: Option<&'a SocketSample>) -> Self {
        let info = state.info;
        let queue = state.outq.zip(state.unsent.or(info.notsent_bytes));
        let room = || {
            let (outq, unsent) = queue?;
            let (mss, in_flight) = (info.snd_mss?.max(1), info.segments_in_flight()?);
            let sent = outq - unsent.min(outq);
            Some(Room {
                mss,
                in_flight,
                window: info.snd_wnd.map_or(u64::MAX, |window| window.saturating_sub(sent)),
                congestion: info.snd_cwnd?.saturating_sub(in_flight).saturating_mul(mss),
            })
        };
        Self { state, info, traits, socket, queue, room: room() }
    }

    /// Every form that no hypothesis before named.
    #[expect(clippy::unused_self, reason = "rows of the table ask it like the others")]
    pub(super) fn any(&self) -> bool {
        true
    }

    pub(super) fn is_opening(&self) -> bool {
        let state = self.socket.and_then(|socket| socket.state);
        matches!(state, Some(TcpState::SynSent | TcpState::SynReceived))
    }

    pub(super) fn has_repeated_syn(&self) -> Option<bool> {
        let timer = self.socket?.timer.and_then(|timer| timer.retransmissions);
        Some(self.info.retransmits.is_some_and(|n| n > 0) || timer.is_some_and(|n| n > 0))
    }

    /// Nothing is queued.
    pub(super) fn rests(&self) -> Option<bool> {
        Some(self.queue?.0 == 0)
    }

    pub(super) fn rests_until_granted(&self) -> Option<bool> {
        Some(self.rests()? && self.state.awaits_peer_window)
    }

    pub(super) fn has_either_closed(&self) -> Option<bool> {
        Some(has_closed(self.socket?) || has_peer_closed(self.socket?))
    }

    /// Whether it is this side's turn. Milliseconds since: a smaller number was later.
    pub(super) fn has_peer_spoken_last(&self) -> Option<bool> {
        let (Some(sent), Some(received)) = (self.info.last_data_sent, self.info.last_data_recv) else {
            return Some(false);
        };
        let has_peer_spoken = self.info.bytes_received.is_some_and(|bytes| bytes > 0);
        let is_unread = self.socket?.receive_queue > 0;
        Some(has_peer_spoken && (received < sent || (received == sent && is_unread)))
    }

    pub(super) fn has_timed_out(&self) -> Option<bool> {
        Some(self.info.ca_state? == CA_LOSS)
    }

    pub(super) fn repairs(&self) -> Option<bool> {
        Some(self.info.ca_state? == CA_RECOVERY && !self.traits.paces)
    }

    /// Most round trips are longer than the shortest one by more than jitter: the path has a queue. A few
    /// late ACKs make the mean longer, and the deviation with it.
    pub(super) fn has_queue(&self) -> bool {
        let deviation = self.info.rttvar.unwrap_or_default();
        matches!((self.info.rtt, self.info.min_rtt), (Some(rtt), Some(least))
            if rtt.saturating_sub(deviation).saturating_sub(least) > LEAST_QUEUE.max(least / LEAST_QUEUE_PART))
    }

    pub(super) fn has_queue_of_segments(&self) -> Option<bool> {
        Some(self.has_queue() && self.info.segments_in_flight()? >= LEAST_FLIGHT)
    }

    /// So much is in flight that half of it waits in a queue: the link is full, though a buffer allows no
    /// more. This does not hold for the peer's window: a reader that stops now and then makes round trips
    /// longer, too.
    pub(super) fn is_link_full(&self) -> bool {
        let is_half =
            matches!((self.info.rtt, self.info.min_rtt), (Some(rtt), Some(least)) if rtt >= FULL_LINK * least);
        let is_filled = self.info.segments_in_flight().is_some_and(|segments| segments >= LEAST_FLIGHT);
        is_half && self.has_queue() && is_filled
    }

    fn is_all_sent(&self) -> Option<bool> {
        Some(self.queue?.1 == 0)
    }

    pub(super) fn has_sent_until_granted(&self) -> Option<bool> {
        Some(self.is_all_sent()? && self.state.awaits_peer_window)
    }

    /// Less than a segment waits, and both windows have room for it.
    fn is_small_segment(&self) -> Option<bool> {
        let (unsent, room) = (self.queue?.1, self.room?);
        Some(unsent > 0 && unsent < room.mss && unsent <= room.window && room.congestion > 0)
    }

    /// Only the program could give more.
    pub(super) fn is_little_left(&self) -> Option<bool> {
        Some(self.is_all_sent()? || self.is_small_segment()?)
    }

    pub(super) fn has_little_until_granted(&self) -> Option<bool> {
        Some(self.is_little_left()? && self.state.awaits_peer_window)
    }

    /// A program that has more is not held by Nagle: what it gave next would fill the segment.
    pub(super) fn fills_buffer(&self) -> Option<bool> {
        Some(self.is_little_left()? && self.is_buffer_full())
    }

    /// Whether a program cannot give more, since its send buffer is full.
    ///
    /// For somebody else's program: once the buffer was full, the kernel wakes it when a third of it is free
    /// (`sk_stream_write_space`).
    fn is_buffer_full(&self) -> bool {
        if let Some(is_in_send) = self.state.is_in_send {
            return is_in_send;
        }
        let memory = self.state.memory;
        let is_full = matches!((memory.send_queued, memory.send_buffer), (Some(queued), Some(buffer))
            if FULL_BUFFER.is_reached(queued, buffer));
        is_full && !self.state.grows
    }

    /// Nagle's algorithm, or a cork, keeps a small segment while something is in flight.
    pub(super) fn awaits_ack(&self) -> Option<bool> {
        let is_held = !self.traits.nodelay || self.traits.corked;
        Some(!self.is_all_sent()? && self.is_small_segment()? && self.room?.in_flight > 0 && is_held)
    }

    /// Whether less than a segment is there which the program asked the kernel to keep: nothing else keeps it
    /// while nothing is in flight.
    pub(super) fn is_kept(&self) -> Option<bool> {
        if self.is_all_sent()? {
            return Some(false);
        }
        Some(self.traits.corked || (!self.traits.paces && self.info.segments_in_flight()? == 0))
    }

    /// Everything was written and the end of it is on its way.
    pub(super) fn is_last(&self) -> Option<bool> {
        Some(has_closed(self.socket?) && !self.is_kept()?)
    }

    /// Both windows have room for a segment.
    fn has_room(&self) -> Option<bool> {
        Some(self.room?.least() >= self.room?.mss)
    }

    /// Whether the socket paces at the rate that its program has set (`SO_MAX_PACING_RATE`).
    pub(super) fn is_rate_set(&self) -> Option<bool> {
        let is_set =
            matches!((self.info.pacing_rate, self.info.max_pacing_rate), (Some(rate), Some(most)) if rate >= most);
        Some(self.has_room()? && is_set)
    }

    /// Bytes that the pacer sends at once.
    fn burst(&self) -> u64 {
        self.info.pacing_rate.unwrap_or(u64::MAX) / BURSTS_PER_SECOND
    }

    /// TCP small queues allow no more.
    pub(super) fn is_interface_full(&self) -> Option<bool> {
        if !self.has_room()? {
            return Some(false);
        }
        let most = self.burst().max(LEAST_SMALL_QUEUE * (self.room?.mss + SKB_OVERHEAD));
        Some(self.state.memory.transmit_allocated.unwrap_or_default() > most)
    }

    /// The rate is what so small a buffer let it measure: its congestion window would allow twice as much.
    pub(super) fn is_paced_in_buffer(&self) -> Option<bool> {
        if !(self.has_room()? && self.traits.paces && self.is_buffer_full()) {
            return Some(false);
        }
        Some(WINDOW_OVER_BUFFER * self.queue?.0 <= self.info.snd_cwnd? * self.room?.mss)
    }

    /// Data waits for the pacer, unless the peer's window has less room than a burst.
    pub(super) fn is_paced(&self) -> Option<bool> {
        if !(self.has_room()? && self.traits.paces) {
            return Some(false);
        }
        let room = self.room?;
        let burst = self.burst().min(LARGEST_BURST).max(LEAST_BURST * room.mss);
        Some(!(self.is_window_least()? && room.window < burst))
    }

    /// Data waits for the pacer at the rate that the program itself gave: that is no rate of the path.
    pub(super) fn is_paced_by_program(&self) -> Option<bool> {
        let is_of_program = self.info.delivery_rate_app_limited == Some(1) && self.info.delivery_rate > Some(0);
        Some(self.is_paced()? && is_of_program && !self.has_queue())
    }

    pub(super) fn has_closed(&self) -> Option<bool> {
        Some(has_closed(self.socket?))
    }

    pub(super) fn paces(&self) -> bool {
        self.traits.paces
    }

    /// The rate of the pacer and the path's, as far as one was measured.
    fn rates(&self) -> Option<(u64, u64)> {
        self.info.pacing_rate.zip(self.info.delivery_rate.filter(|&rate| rate > 0))
    }

    /// While BBR still looks for the path's rate, it sends at 2.9 times of it (`bbr_high_gain`).
    pub(super) fn is_rate_starting(&self) -> bool {
        self.rates().is_some_and(|(pacing, delivery)| pacing > STARTING_GAIN * delivery)
    }

    /// BBR sends at the rate that it has measured of the path.
    pub(super) fn is_rate_measured(&self) -> bool {
        self.rates().is_some()
    }

    pub(super) fn is_paced_rate_starting(&self) -> bool {
        self.traits.paces && self.is_rate_starting()
    }

    pub(super) fn is_paced_rate_measured(&self) -> bool {
        self.traits.paces && self.is_rate_measured()
    }

    /// The peer's window has no more room than the congestion window.
    pub(super) fn is_window_least(&self) -> Option<bool> {
        Some(self.room?.window <= self.room?.congestion)
    }

    pub(super) fn is_window_closed(&self) -> bool {
        self.info.snd_wnd.unwrap_or_default() < self.info.snd_mss.unwrap_or(1)
    }

    pub(super) fn is_window_unscaled(&self) -> bool {
        let window = self.info.snd_wnd.unwrap_or_default();
        self.info.snd_wscale.is_none() && UNSCALED_PART.is_exceeded(window, LARGEST_UNSCALED)
    }

    /// BBR has no threshold. Where the link is full, a larger congestion window would fill its queue.
    pub(super) fn is_below_threshold(&self) -> bool {
        let cwnd = self.info.snd_cwnd.unwrap_or_default();
        let is_below = self.info.snd_ssthresh.is_none_or(|threshold| cwnd < threshold);
        !self.traits.paces && is_below && !self.is_link_full()
    }

    /// Whether data waits, of a sender that paces by itself.
    pub(super) fn has_paced_data(&self) -> bool {
        let mss = self.info.snd_mss.unwrap_or_default();
        self.traits.paces && self.queue.is_some_and(|(_, unsent)| unsent >= mss)
    }

    /// Whether what held `ago` µs before is within the round trips that BBR takes its rate from.
    pub(super) fn is_in_rate(&self, ago: u64) -> bool {
        ago <= RATE_ROUND_TRIPS * self.info.rtt.unwrap_or_default()
    }

    pub(super) fn has_lost(&self) -> bool {
        self.info.total_retrans.is_some_and(|n| n > 0)
    }
}
