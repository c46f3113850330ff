//! Outputs of a socket.

use crate::segment::Segment;

/// A burst: a segment of up to 64 kB, and its memory until it leaves the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Burst {
    pub(crate) segment: Segment,
    /// Bytes in the socket's accounting (`sk_wmem_alloc`).
    pub(crate) memory: u64,
}

/// Pending wake-ups of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wake {
    /// Wake a writer that waits for room.
    pub(crate) writer: bool,
    /// Wake a reader that waits for data.
    pub(crate) reader: bool,
}

/// State of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Closed,
    /// SYN sent.
    Opening,
    /// SYN received, and SYN-ACK sent.
    Answering,
    Established,
    /// Reset, or given up.
    Broken,
}

/// Counters of a socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketCounts {
    /// Retransmitted segments.
    pub retransmitted: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Segments with data, counted at each send.
    pub data_segments: u64,
    /// The largest congestion window, segments.
    pub largest_window: u64,
    /// `sk_sndbuf` at the end, bytes of memory.
    pub send_buffer: u64,
    /// `sk_rcvbuf` at the end, bytes of memory.
    pub receive_buffer: u64,
}
