//! What a socket shows of itself.

use crate::segment::Segment;

/// What leaves at once: a segment of up to 64 kB, and the memory that it keeps until it has left the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Burst {
    pub(crate) segment: Segment,
    /// Bytes of the socket's account (`sk_wmem_alloc`).
    pub(crate) memory: u64,
}

/// Whom the socket wakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wake {
    /// Who waits for room.
    pub(crate) writer: bool,
    /// Who waits for data.
    pub(crate) reader: bool,
}

/// How far the connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Closed,
    /// It has asked.
    Opening,
    /// It was asked, and has answered.
    Answering,
    Established,
    /// It was reset, or given up.
    Broken,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketCounts {
    /// Segments that were retransmitted.
    pub retransmitted: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Segments with data, each counted once a time it was sent.
    pub data_segments: u64,
    /// The largest congestion window, segments.
    pub largest_window: u64,
    /// `sk_sndbuf` at the end, bytes of memory.
    pub send_buffer: u64,
    /// `sk_rcvbuf` at the end, bytes of memory.
    pub receive_buffer: u64,
}
