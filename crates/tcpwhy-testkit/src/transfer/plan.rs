//! Parameters of the model.

use super::setting::{Capture, Reader, ReceiveBuffer, Writer};

/// A transfer of data in one direction.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Payload bytes in total.
    pub bytes: u64,
    /// Base round trip, nanoseconds.
    pub rtt: i64,
    /// Bytes per second of the bottleneck; `None` for a path without one.
    pub rate: Option<u64>,
    /// Most bytes that wait before the bottleneck.
    pub queue: u64,
    /// Bytes per second and depth of a token bucket whose surplus is dropped.
    pub policer: Option<(u64, u64)>,
    /// Payload of a full segment.
    pub mss: u32,
    /// First congestion window in segments.
    pub initial_segments: u64,
    /// Largest congestion window, bytes.
    pub window_clamp: Option<u64>,
    /// Slow start ends here at the latest.
    pub slow_start_until: Option<u64>,
    /// The congestion window shrinks to the first one after a pause.
    pub restarts_after_idle: bool,
    /// Most bytes per second, with evenly spaced segments.
    pub pacing: Option<u64>,
    /// Whether segments are sent as by BBR: spaced by an estimate of the path, whatever is lost.
    pub estimates_path: bool,
    /// Unacknowledged and unsent bytes that fit into the sender's socket.
    pub send_buffer: Option<u64>,
    /// Whether less than a full segment is sent at once (`TCP_NODELAY`), not once all earlier data is
    /// acknowledged (RFC 9293 §3.7.4).
    pub has_nodelay: bool,
    /// Time that a writer takes to wake when its socket has room again, nanoseconds.
    pub wakes_after: i64,
    /// The receiver's room.
    pub receive_buffer: ReceiveBuffer,
    /// Both ends' window scale; `None` when not offered.
    pub window_scale: Option<u8>,
    /// The writing application.
    pub writer: Writer,
    /// The reading application.
    pub reader: Reader,
    /// Data segments that are lost, counted from 0 in the order in which they are sent.
    pub lost: Vec<u64>,
    /// Number of data segments of which one is lost.
    pub lost_every: Option<u64>,
    /// Number of data segments of which a queue marks one. The receiver echoes it, and the sender halves its
    /// window and reports it (RFC 3168 §6.1).
    pub marked_every: Option<u64>,
    /// Number of data segments of which one arrives late, after those that follow it, and by how many
    /// nanoseconds.
    pub late_every: Option<(u64, i64)>,
    /// Period and length of pauses of the path to the receiver, nanoseconds; data that waits then follows at
    /// once.
    pub stands_still: Option<(i64, i64)>,
    /// Payloads larger than this are dropped without an ICMP message; the sender finds out after three
    /// timeouts.
    pub largest_passing: Option<u32>,
    /// Whether selective acknowledgment is used.
    pub has_sack: bool,
    /// Whether the timestamps option is used.
    pub has_timestamps: bool,
    /// Whether single segments are acknowledged 40 ms late.
    pub delays_acks: bool,
    /// Interval of batches in which acknowledgments reach the sender, nanoseconds, as coalescing interrupts
    /// deliver them.
    pub ack_batches: Option<i64>,
    /// Largest pseudo-random extra delay of a packet, nanoseconds; packets stay in order.
    pub jitter: i64,
    /// Bytes per second of the return path; `None` if it never delays an acknowledgment.
    pub return_rate: Option<u64>,
    /// Whether the server sends, after a request; otherwise the client sends.
    pub is_download: bool,
    /// Number of retransmitted SYNs, 1 s apart.
    pub syn_repeats: u32,
    /// Neighbours are captured as merged packets of up to this many bytes.
    pub offload: Option<u32>,
    /// Place of the capture.
    pub capture: Capture,
}

impl Default for Transfer {
    /// 4 MB over 20.13 ms (not a whole number, as on real paths) and 1 Gbit/s. Only slow start limits:
    /// buffers are large.
    fn default() -> Self {
        Self {
            bytes: 4_000_000,
            rtt: 20_130_000,
            rate: Some(125_000_000),
            queue: u64::MAX / 2,
            policer: None,
            mss: 1448,
            initial_segments: 10,
            window_clamp: None,
            slow_start_until: None,
            restarts_after_idle: false,
            pacing: None,
            estimates_path: false,
            send_buffer: None,
            has_nodelay: false,
            wakes_after: 0,
            receive_buffer: ReceiveBuffer::Fixed(64_000_000),
            window_scale: Some(10),
            writer: Writer::Bulk,
            reader: Reader::Fast,
            lost: Vec::new(),
            lost_every: None,
            marked_every: None,
            late_every: None,
            stands_still: None,
            largest_passing: None,
            has_sack: true,
            has_timestamps: true,
            delays_acks: true,
            ack_batches: None,
            jitter: 0,
            return_rate: None,
            is_download: false,
            syn_repeats: 0,
            offload: None,
            capture: Capture::Sender,
        }
    }
}
