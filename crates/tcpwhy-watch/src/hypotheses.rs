//! The limit of a sender at an instant, from its own socket: the one decision table of live sockets.

use tcpwhy_model::LimitGroup;
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::HeldBy;

use super::sender::{Facts, SenderState};
use super::socket::SocketTraits;

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

    /// The group of limits that it is of.
    pub const fn group(self) -> LimitGroup {
        match self {
            Self::Cwnd | Self::Loss | Self::Pacing | Self::Nic => LimitGroup::Network,
            Self::Sndbuf => LimitGroup::SendBuffer,
            Self::Rwnd => LimitGroup::ReceiveWindow,
            Self::Idle | Self::App | Self::PeerWindow | Self::Nagle => LimitGroup::Application,
        }
    }

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
    paced_last_data: Some(Held::App) => Tail, is_paced_by_program, has_closed;
    paced_by_program: Some(Held::App) => Application, is_paced_by_program, any;
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

/// Whether this limit keeps a sender below the rate of the path, so that its rates are not those of the path:
/// `bounds_rate` of `decide.h`.
pub fn bounds_rate(by: HeldBy) -> bool {
    matches!(by, HeldBy::SendBuffer | HeldBy::ReceiveWindow | HeldBy::ZeroWindow | HeldBy::NoWindowScale)
}

/// What a rate stands for that BBR has measured, while [`held_by`] says `by`: `bound` held `ago` µs before.
/// While that was within the round trips that BBR takes its rate from, the rate is that of `bound`. A send
/// buffer over a full link allows as much as the link takes. The peer's window does not show that: a reader
/// that reads now and then makes round trips longer, too. The same as `under_bound` of `decide.h`.
pub fn under_bound(socket: &SocketSample, traits: SocketTraits, by: HeldBy, bound: HeldBy, ago: u64) -> HeldBy {
    // To the kernel a writer that waits for room gives no more either: the rate is the program's then.
    let is_rate = matches!(by, HeldBy::Path | HeldBy::SlowStart | HeldBy::CwndPaced | HeldBy::Application);
    let state = SenderState {
        outq: Some(socket.send_queue),
        unsent: socket.info.notsent_bytes,
        memory: &socket.memory,
        info: &socket.info,
        is_in_send: None,
        awaits_peer_window: false,
        grows: false,
    };
    let facts = Facts::of(&state, traits, Some(socket));
    let is_bound = is_rate && bounds_rate(bound) && facts.has_paced_data() && facts.is_in_rate(ago);
    if is_bound && !(bound == HeldBy::SendBuffer && facts.is_link_full()) { bound } else { by }
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

#[cfg(test)]
mod tests;
