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

/// A limit that may hold a sender back, and its form.
struct Hypothesis {
    /// Its name, unique in the table.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests ask which hypothesis decided"))]
    reason: &'static str,
    /// The limit; `None` while the connection is not set up.
    held: Option<Held>,
    /// Its form.
    by: HeldBy,
    /// Whether the limit holds, if none before it does; `None` if the kernel does not report enough.
    holds: fn(&Facts<'_>) -> Option<bool>,
    /// Whether it has this form, if it has none before it.
    form: fn(&Facts<'_>) -> Option<bool>,
}

macro_rules! hypotheses {
    ($($reason:ident: $held:expr => $by:ident, $holds:ident, $form:ident;)+) => {
        [$(Hypothesis {
            reason: stringify!($reason),
            held: $held,
            by: HeldBy::$by,
            holds: |facts| Option::from(facts.$holds()),
            form: |facts| Option::from(facts.$form()),
        }),+]
    };
}

/// All hypotheses, in the order in which they are asked; the first that holds decides. Each row has its
/// reason, its limit and form, and the tests of both.
///
/// The order is that of `tcp_write_xmit`, which asks the congestion window, the peer's window, Nagle and
/// small queues only for data that is there. A recovery goes before all of it: until it ends, the transfer
/// waits for nothing else. BBR goes on at its rate while it repairs, unless the timer ran out.
const TABLE: &[Hypothesis] = &hypotheses! {
    // The connection is not set up.
    syn_repeated: None => SynRto, is_opening, has_repeated_syn;
    handshake: None => Handshake, is_opening, any;
    // Nothing is queued: a rest. Data that was not read, in the same millisecond, came last.
    rest_until_granted: Some(Held::PeerWindow) => PeerWindow, rests_until_granted, any;
    side_has_closed: Some(Held::Idle) => CloseWait, rests, has_either_closed;
    peer_spoke_last: Some(Held::Idle) => Think, rests, has_peer_spoken_last;
    nobody_waits: Some(Held::Idle) => Idle, rests, any;
    // A recovery. A persistent queue is still being served.
    timer_ran_out: Some(Held::Loss) => Rto, has_timed_out, any;
    repair_over_queue: Some(Held::Loss) => Queue, repairs, has_queue_of_segments;
    repair: Some(Held::Loss) => FastRecovery, repairs, any;
    // All was sent, or all but less than a segment for which both windows have room.
    sent_until_granted: Some(Held::PeerWindow) => PeerWindow, has_sent_until_granted, any;
    full_buffer_over_full_link: Some(Held::Sndbuf) => Queue, fills_buffer, is_link_full;
    full_buffer: Some(Held::Sndbuf) => SendBuffer, fills_buffer, any;
    corked_in_flight: Some(Held::Nagle) => Cork, awaits_ack, is_kept;
    small_segment_awaits_ack: Some(Held::Nagle) => Nagle, awaits_ack, any;
    little_until_granted: Some(Held::PeerWindow) => PeerWindow, has_little_until_granted, any;
    last_data_in_flight: Some(Held::App) => Tail, is_little_left, is_last;
    corked: Some(Held::App) => Cork, is_little_left, is_kept;
    application: Some(Held::App) => Application, is_little_left, any;
    // Segments wait, and both windows have room for one.
    rate_set_by_program: Some(Held::Pacing) => Pacing, is_rate_set, any;
    interface_full: Some(Held::Nic) => Interface, is_interface_full, any;
    paced_buffer_over_full_link: Some(Held::Sndbuf) => Queue, is_paced_in_buffer, is_link_full;
    paced_in_small_buffer: Some(Held::Sndbuf) => SendBuffer, is_paced_in_buffer, any;
    pacer_starts: Some(Held::Pacing) => SlowStart, is_paced, is_rate_starting;
    pacer_at_paths_rate: Some(Held::Pacing) => Path, is_paced, is_rate_measured;
    pacer_without_rate: Some(Held::Pacing) => CwndPaced, is_paced, any;
    // The window with the least room holds.
    window_closed: Some(Held::Rwnd) => ZeroWindow, is_window_least, is_window_closed;
    window_unscaled: Some(Held::Rwnd) => NoWindowScale, is_window_least, is_window_unscaled;
    window_full: Some(Held::Rwnd) => ReceiveWindow, is_window_least, any;
    below_threshold: Some(Held::Cwnd) => SlowStart, any, is_below_threshold;
    cwnd_over_queue: Some(Held::Cwnd) => Queue, any, has_queue;
    paced_cwnd_starts: Some(Held::Cwnd) => SlowStart, any, is_paced_rate_starting;
    paced_cwnd_at_paths_rate: Some(Held::Cwnd) => Path, any, is_paced_rate_measured;
    paced_cwnd_without_rate: Some(Held::Cwnd) => CwndPaced, any, paces;
    cwnd_after_losses: Some(Held::Cwnd) => PostLoss, any, has_lost;
    cwnd: Some(Held::Cwnd) => Cwnd, any, any;
};

/// The first hypothesis that holds; `None` if the kernel does not report enough to ask one before it.
fn first(holds: impl Fn(&Hypothesis) -> Option<bool>) -> Option<&'static Hypothesis> {
    for hypothesis in TABLE {
        if holds(hypothesis)? {
            return Some(hypothesis);
        }
    }
    None
}

/// The limit of a sender at this instant; `None` if the kernel does not report enough.
pub fn held(state: &SenderState<'_>, traits: SocketTraits) -> Option<Held> {
    let facts = Facts::of(state, traits, None);
    first(|hypothesis| (hypothesis.holds)(&facts))?.held
}

/// The limit of the sending half of `socket`, as finely as it shows: the answer of `decide` of
/// `tcpwhy-bpf/bpf/decide.h` in the kernel. `is_in_send` where it is known that a program waits for room
/// in the send buffer, or that none does. `largest` is what send buffers of this host may grow to, bytes
/// (`net.ipv4.tcp_wmem`).
pub fn held_by(
    socket: &SocketSample,
    traits: SocketTraits,
    is_in_send: Option<bool>,
    largest: Option<u64>,
) -> Option<HeldBy> {
    decide(socket, traits, is_in_send, largest).map(|hypothesis| hypothesis.by)
}

/// The hypothesis that decides.
fn decide(
    socket: &SocketSample,
    traits: SocketTraits,
    is_in_send: Option<bool>,
    largest: Option<u64>,
) -> Option<&'static Hypothesis> {
    let state = SenderState {
        outq: Some(socket.send_queue),
        unsent: socket.info.notsent_bytes,
        memory: &socket.memory,
        info: &socket.info,
        is_in_send,
        awaits_peer_window: false,
        grows: socket.locks.is_some_and(|locks| !locks.send) && socket.memory.send_buffer < largest,
    };
    let facts = Facts::of(&state, traits, Some(socket));
    first(|hypothesis| Some((hypothesis.holds)(&facts)? && (hypothesis.form)(&facts)?))
}

/// Facts that hypotheses ask for; each may be unknown.
struct Facts<'a> {
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
    /// Of both windows, bytes.
    fn least(&self) -> u64 {
        self.window.min(self.congestion)
    }
}

impl<'a> Facts<'a> {
    fn of(state: &'a SenderState<'a>, traits: SocketTraits, socket: Option<&'a SocketSample>) -> Self {
        let info = state.info;
        let queue = state.outq.zip(state.unsent.or(info.notsent_bytes));
        let room = || {
            let (outq, unsent) = queue?;
            let (mss, in_flight) = (info.snd_mss?.max(1), segments_in_flight(info)?);
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
    fn any(&self) -> bool {
        true
    }

    fn is_opening(&self) -> bool {
        let state = self.socket.and_then(|socket| socket.state);
        matches!(state, Some(TcpState::SynSent | TcpState::SynReceived))
    }

    fn has_repeated_syn(&self) -> Option<bool> {
        let timer = self.socket?.timer.and_then(|timer| timer.retransmissions);
        Some(self.info.retransmits.is_some_and(|n| n > 0) || timer.is_some_and(|n| n > 0))
    }

    /// Nothing is queued.
    fn rests(&self) -> Option<bool> {
        Some(self.queue?.0 == 0)
    }

    fn rests_until_granted(&self) -> Option<bool> {
        Some(self.rests()? && self.state.awaits_peer_window)
    }

    fn has_either_closed(&self) -> Option<bool> {
        Some(has_closed(self.socket?) || has_peer_closed(self.socket?))
    }

    /// Whether it is this side's turn. Milliseconds since: a smaller number was later.
    fn has_peer_spoken_last(&self) -> Option<bool> {
        let (Some(sent), Some(received)) = (self.info.last_data_sent, self.info.last_data_recv) else {
            return Some(false);
        };
        let has_peer_spoken = self.info.bytes_received.is_some_and(|bytes| bytes > 0);
        let is_unread = self.socket?.receive_queue > 0;
        Some(has_peer_spoken && (received < sent || (received == sent && is_unread)))
    }

    fn has_timed_out(&self) -> Option<bool> {
        Some(self.info.ca_state? == CA_LOSS)
    }

    fn repairs(&self) -> Option<bool> {
        Some(self.info.ca_state? == CA_RECOVERY && !self.traits.paces)
    }

    /// Round trips are longer than the shortest one by more than jitter: the path has a queue.
    fn has_queue(&self) -> bool {
        matches!((self.info.rtt, self.info.min_rtt), (Some(rtt), Some(least))
            if rtt.saturating_sub(least) > LEAST_QUEUE.max(least / LEAST_QUEUE_PART))
    }

    fn has_queue_of_segments(&self) -> Option<bool> {
        Some(self.has_queue() && segments_in_flight(self.info)? >= LEAST_FLIGHT)
    }

    /// So much is in flight that half of it waits in a queue: the link is full, though a buffer allows no
    /// more. This does not hold for the peer's window: a reader that stops now and then makes round trips
    /// longer, too.
    fn is_link_full(&self) -> bool {
        let is_half =
            matches!((self.info.rtt, self.info.min_rtt), (Some(rtt), Some(least)) if rtt >= FULL_LINK * least);
        let is_filled = segments_in_flight(self.info).is_some_and(|segments| segments >= LEAST_FLIGHT);
        is_half && self.has_queue() && is_filled
    }

    fn is_all_sent(&self) -> Option<bool> {
        Some(self.queue?.1 == 0)
    }

    fn has_sent_until_granted(&self) -> Option<bool> {
        Some(self.is_all_sent()? && self.state.awaits_peer_window)
    }

    /// Less than a segment waits, and both windows have room for it.
    fn is_small_segment(&self) -> Option<bool> {
        let (unsent, room) = (self.queue?.1, self.room?);
        Some(unsent > 0 && unsent < room.mss && unsent <= room.window && room.congestion > 0)
    }

    /// Only the program could give more.
    fn is_little_left(&self) -> Option<bool> {
        Some(self.is_all_sent()? || self.is_small_segment()?)
    }

    fn has_little_until_granted(&self) -> Option<bool> {
        Some(self.is_little_left()? && self.state.awaits_peer_window)
    }

    /// A program that has more is not held by Nagle: what it gave next would fill the segment.
    fn fills_buffer(&self) -> Option<bool> {
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
    fn awaits_ack(&self) -> Option<bool> {
        let is_held = !self.traits.nodelay || self.traits.corked;
        Some(!self.is_all_sent()? && self.is_small_segment()? && self.room?.in_flight > 0 && is_held)
    }

    /// Whether less than a segment is there which the program asked the kernel to keep: nothing else keeps it
    /// while nothing is in flight.
    fn is_kept(&self) -> Option<bool> {
        if self.is_all_sent()? {
            return Some(false);
        }
        Some(self.traits.corked || (!self.traits.paces && segments_in_flight(self.info)? == 0))
    }

    /// Everything was written and the end of it is on its way.
    fn is_last(&self) -> Option<bool> {
        Some(has_closed(self.socket?) && !self.is_kept()?)
    }

    /// Both windows have room for a segment.
    fn has_room(&self) -> Option<bool> {
        Some(self.room?.least() >= self.room?.mss)
    }

    /// Whether the socket paces at the rate that its program has set (`SO_MAX_PACING_RATE`).
    fn is_rate_set(&self) -> Option<bool> {
        let is_set =
            matches!((self.info.pacing_rate, self.info.max_pacing_rate), (Some(rate), Some(most)) if rate >= most);
        Some(self.has_room()? && is_set)
    }

    /// Bytes that the pacer sends at once.
    fn burst(&self) -> u64 {
        self.info.pacing_rate.unwrap_or(u64::MAX) / BURSTS_PER_SECOND
    }

    /// TCP small queues allow no more.
    fn is_interface_full(&self) -> Option<bool> {
        if !self.has_room()? {
            return Some(false);
        }
        let most = self.burst().max(LEAST_SMALL_QUEUE * (self.room?.mss + SKB_OVERHEAD));
        Some(self.state.memory.transmit_allocated.unwrap_or_default() > most)
    }

    /// The rate is what so small a buffer let it measure: its congestion window would allow twice as much.
    fn is_paced_in_buffer(&self) -> Option<bool> {
        if !(self.has_room()? && self.traits.paces && self.is_buffer_full()) {
            return Some(false);
        }
        Some(WINDOW_OVER_BUFFER * self.queue?.0 <= self.info.snd_cwnd? * self.room?.mss)
    }

    /// Data waits for the pacer, unless the peer's window has less room than a burst.
    fn is_paced(&self) -> Option<bool> {
        if !(self.has_room()? && self.traits.paces) {
            return Some(false);
        }
        let room = self.room?;
        let burst = self.burst().min(LARGEST_BURST).max(LEAST_BURST * room.mss);
        Some(!(self.is_window_least()? && room.window < burst))
    }

    fn paces(&self) -> bool {
        self.traits.paces
    }

    /// The rate of the pacer and the path's, as far as one was measured.
    fn rates(&self) -> Option<(u64, u64)> {
        self.info.pacing_rate.zip(self.info.delivery_rate.filter(|&rate| rate > 0))
    }

    /// While BBR still looks for the path's rate, it sends at 2.9 times of it (`bbr_high_gain`).
    fn is_rate_starting(&self) -> bool {
        self.rates().is_some_and(|(pacing, delivery)| pacing > STARTING_GAIN * delivery)
    }

    /// BBR sends at the rate that it has measured of the path.
    fn is_rate_measured(&self) -> bool {
        self.rates().is_some()
    }

    fn is_paced_rate_starting(&self) -> bool {
        self.traits.paces && self.is_rate_starting()
    }

    fn is_paced_rate_measured(&self) -> bool {
        self.traits.paces && self.is_rate_measured()
    }

    /// The peer's window has no more room than the congestion window.
    fn is_window_least(&self) -> Option<bool> {
        Some(self.room?.window <= self.room?.congestion)
    }

    fn is_window_closed(&self) -> bool {
        self.info.snd_wnd.unwrap_or_default() < self.info.snd_mss.unwrap_or(1)
    }

    fn is_window_unscaled(&self) -> bool {
        let window = self.info.snd_wnd.unwrap_or_default();
        self.info.snd_wscale.is_none() && UNSCALED_PART.is_exceeded(window, LARGEST_UNSCALED)
    }

    /// BBR has no threshold.
    fn is_below_threshold(&self) -> bool {
        let cwnd = self.info.snd_cwnd.unwrap_or_default();
        !self.traits.paces && self.info.snd_ssthresh.is_none_or(|threshold| cwnd < threshold)
    }

    fn has_lost(&self) -> bool {
        self.info.total_retrans.is_some_and(|n| n > 0)
    }
}

#[cfg(test)]
mod tests;
