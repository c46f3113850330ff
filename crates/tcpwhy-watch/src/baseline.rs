//! Counters of a socket when it was seen first.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::KernelSample;
use tcpwhy_model::{ByteCount, Timestamp};

/// The time when a connection was seen first, and the counters of its socket at that time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Baseline {
    pub(super) time: Timestamp,
    pub(super) acked: ByteCount,
    pub(super) received: ByteCount,
    pub(super) retransmitted_bytes: ByteCount,
    pub(super) retransmitted: u64,
    /// Segments with data, and all: sent, received.
    pub(super) data_segments: [u64; 2],
    pub(super) segments: [u64; 2],
    /// The kernel's clocks, µs: busy, and the parts of it limited by the peer's window and by the send
    /// buffer.
    pub(super) clocks: [Option<u64>; 3],
}

impl Baseline {
    pub(super) fn of(sample: &KernelSample) -> Self {
        let info = &sample.socket.info;
        let known = |field: Option<u64>| field.unwrap_or_default();
        Self {
            time: sample.time,
            acked: known(info.bytes_acked),
            received: known(info.bytes_received),
            retransmitted_bytes: known(info.bytes_retrans),
            retransmitted: known(info.total_retrans),
            data_segments: [info.data_segs_out, info.data_segs_in].map(known),
            segments: [info.segs_out, info.segs_in].map(known),
            clocks: [info.busy_time, info.rwnd_limited, info.sndbuf_limited],
        }
    }

    /// The peer's segments with data that arrived since `first`.
    pub(super) fn requests_since(&self, first: &Self) -> u64 {
        self.data_segments[1].saturating_sub(first.data_segments[1])
    }
}

pub(super) fn acked(socket: &SocketSample) -> ByteCount {
    socket.info.bytes_acked.unwrap_or_default()
}

pub(super) fn received(socket: &SocketSample) -> ByteCount {
    socket.info.bytes_received.unwrap_or_default()
}
