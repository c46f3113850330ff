//! Silences of an end, and their durations.

/// Packets of one end that got no answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blackout {
    pub(crate) packets: u32,
    /// Time from the first of them to the other end's next packet, or to the end, nanoseconds.
    pub(crate) nanos: i64,
    /// The other end had last advertised a zero window.
    pub(crate) is_window_closed: bool,
}

/// Data that was retransmitted at doubling intervals until the end, while no packet of the peer was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Silence {
    pub(crate) repeats: u32,
    /// Time from the data's first transmission to its last, nanoseconds.
    pub(crate) nanos: i64,
    /// Time between the last two transmissions, nanoseconds.
    pub(crate) interval: i64,
}

/// A pause after which the path or the other end did not know the connection any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forgotten {
    /// Its length, and the length of the longest earlier pause that the connection survived, nanoseconds.
    pub(crate) rest: i64,
    pub(crate) survived: i64,
    /// Packets sent after it without an answer, and their duration, nanoseconds.
    pub(crate) packets: u32,
    pub(crate) nanos: i64,
    /// A reset answered; otherwise nothing did.
    pub(crate) is_reset: bool,
    /// Keep-alives detected it, not data.
    pub(crate) is_probe: bool,
}

/// Probes of an idle connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeepAlives {
    pub(crate) count: u32,
    pub(crate) last: i64,
    /// Shortest time between two probes, nanoseconds.
    pub(crate) period: Option<i64>,
}
