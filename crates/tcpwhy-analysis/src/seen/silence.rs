//! Who fell silent, and for how long.

/// Packets of one end that found no answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blackout {
    pub(crate) packets: u32,
    /// From the first of them to the other end's next word, or to the end.
    pub(crate) nanos: i64,
    /// The other end's last word before had been a closed window.
    pub(crate) is_window_closed: bool,
}

/// Data that was repeated at doubling intervals until the end, while nothing of the peer was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Silence {
    pub(crate) repeats: u32,
    /// From the data's first transmission to its last.
    pub(crate) nanos: i64,
    /// Between the last two.
    pub(crate) interval: i64,
}

/// A rest after which nobody knew the connection any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forgotten {
    /// Its length, and that of the longest before it that did no harm, nanoseconds.
    pub(crate) rest: i64,
    pub(crate) survived: i64,
    /// What was sent in vain after it, and for how long.
    pub(crate) packets: u32,
    pub(crate) nanos: i64,
    /// A reset answered; else nothing did.
    pub(crate) is_reset: bool,
    /// Keep-alives found it out rather than data.
    pub(crate) is_probe: bool,
}

/// Probes of an idle connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeepAlives {
    pub(crate) count: u32,
    pub(crate) last: i64,
    /// The shortest time between two, nanoseconds.
    pub(crate) period: Option<i64>,
}
