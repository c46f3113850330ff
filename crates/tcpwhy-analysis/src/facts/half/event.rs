//! What happened to a half-connection, as the ledger reads it: times are on the sender's clock.

/// What a data segment was, seen against everything before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataKind {
    /// Carries bytes never seen before, in order.
    New,
    /// Repeats bytes, or fills a hole too late to be reordering.
    Retransmission,
    /// Fills a hole soon enough to have been overtaken on the way.
    Reordered,
    /// A zero-window probe or keep-alive: at most one byte, already acknowledged or beyond the window.
    Probe,
}

/// A segment with payload from the sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataEvent {
    pub(crate) time: i64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) kind: DataKind,
    /// The last wire segment in it is shorter than the MSS.
    pub(crate) is_partial: bool,
    pub(crate) tsval: Option<u32>,
    /// Milliseconds by which it was sent later after the ACK that it echoes than the promptest data lately.
    pub(crate) lag_ticks: Option<i64>,
}

/// A segment with an acknowledgment from the receiver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckEvent {
    pub(crate) time: i64,
    /// When it passed the capture point.
    pub(crate) passed: i64,
    pub(crate) ack: u64,
    /// Offered window in bytes; `None` while the scale is unknown.
    pub(crate) window: Option<u64>,
    pub(crate) is_zero_window: bool,
    /// Bytes above `ack` that the receiver reports to hold.
    pub(crate) sacked: u64,
    /// The receiver told of a hole that it had not told before.
    pub(crate) reveals_hole: bool,
    /// It came with payload of its own.
    pub(crate) has_payload: bool,
    pub(crate) tsval: Option<u32>,
}
