//! Events of a half-connection for the ledger. Their times are on the sender's clock.

/// Kind of a data segment, compared with all earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataKind {
    /// Carries bytes never seen before, in order.
    New,
    /// Repeats bytes, or fills a hole too late to be reordered.
    Retransmission,
    /// Fills a hole so soon that it was only reordered on the path.
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
    /// Milliseconds by which its delay after the ACK that it echoes exceeds the promptest recent data's.
    pub(crate) lag_ticks: Option<i64>,
}

/// A segment with an acknowledgment from the receiver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckEvent {
    pub(crate) time: i64,
    /// Time at which it passed the capture point.
    pub(crate) passed: i64,
    pub(crate) ack: u64,
    /// Offered window in bytes; `None` while the scale is unknown.
    pub(crate) window: Option<u64>,
    pub(crate) is_zero_window: bool,
    /// Bytes above `ack` that the receiver reports by SACK.
    pub(crate) sacked: u64,
    /// The receiver reported a new hole.
    pub(crate) reveals_hole: bool,
    /// It carries payload.
    pub(crate) has_payload: bool,
    pub(crate) tsval: Option<u32>,
}
