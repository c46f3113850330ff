//! What is modelled.

use super::setting::{Capture, Reader, ReceiveBuffer, Writer};

/// A transfer of data in one direction.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Payload bytes in all.
    pub bytes: u64,
    /// Base round trip, nanoseconds.
    pub rtt: i64,
    /// Bytes per second of the bottleneck; `None` for a path without one.
    pub rate: Option<u64>,
    /// Bytes that wait before the bottleneck at most.
    pub queue: u64,
    /// Bytes per second and depth of a token bucket whose surplus is dropped.
    pub policer: Option<(u64, u64)>,
    /// Payload of a full segment.
    pub mss: u32,
    /// First congestion window in segments.
    pub initial_segments: u64,
    /// The congestion window never exceeds this.
    pub window_clamp: Option<u64>,
    /// Slow start ends here at the latest.
    pub slow_start_until: Option<u64>,
    /// The congestion window shrinks to the first one after a pause.
    pub restarts_after_idle: bool,
    /// Segments leave at this many bytes per second at most, evenly spaced.
    pub pacing: Option<u64>,
    /// Segments leave as BBR sends them: spaced by an estimate of the path, whatever is lost.
    pub estimates_path: bool,
    /// Unacknowledged and unsent bytes that the sender's socket holds.
    pub send_buffer: Option<u64>,
    /// Less than a full segment leaves at once (`TCP_NODELAY`), not when all before it is acknowledged (RFC 9293 §3.7.4).
    pub has_nodelay: bool,
    /// How long a writer takes to wake when its socket has room again, nanoseconds.
    pub wakes_after: i64,
    /// The receiver's room.
    pub receive_buffer: ReceiveBuffer,
    /// Both ends' window scale; `None` when not offered.
    pub window_scale: Option<u8>,
    /// The writing application.
    pub writer: Writer,
    /// The reading application.
    pub reader: Reader,
    /// Data segments that get lost, counted from 0 as they are sent.
    pub lost: Vec<u64>,
    /// Every so many data segments one is lost.
    pub lost_every: Option<u64>,
    /// Every so many data segments a queue marks one: the receiver echoes it, and the sender cuts its window by half and says so
    /// (RFC 3168 §6.1).
    pub marked_every: Option<u64>,
    /// Every so many data segments one arrives so many nanoseconds late, after those that follow it.
    pub late_every: Option<(u64, i64)>,
    /// Every so many nanoseconds the way to the receiver stands still for so many; what it is given meanwhile follows at once.
    pub stands_still: Option<(i64, i64)>,
    /// Payloads larger than this vanish, without a word; the sender finds out after three timeouts.
    pub largest_passing: Option<u32>,
    /// Selective acknowledgment.
    pub has_sack: bool,
    /// Timestamps option.
    pub has_timestamps: bool,
    /// Single segments are acknowledged 40 ms late.
    pub delays_acks: bool,
    /// Acknowledgments reach the sender in batches, so many nanoseconds apart, as coalescing interrupts deliver them.
    pub ack_batches: Option<i64>,
    /// Every packet takes up to so many nanoseconds longer, as if by chance; none overtakes another.
    pub jitter: i64,
    /// Bytes per second of the way back; `None` for one that never makes an acknowledgment wait.
    pub return_rate: Option<u64>,
    /// The server sends, after a request; otherwise the client sends.
    pub is_download: bool,
    /// Repeats of the SYN, a second apart.
    pub syn_repeats: u32,
    /// Neighbours are captured as packets of up to this many bytes.
    pub offload: Option<u32>,
    /// Where it is captured.
    pub capture: Capture,
}

impl Default for Transfer {
    /// 4 MB over 20.13 ms (no whole number, as on real paths) and 1 Gbit/s without any limit but slow start: buffers are ample.
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
