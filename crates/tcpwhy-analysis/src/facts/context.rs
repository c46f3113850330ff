//! Facts about a direction that apply to all of its slots, used when causes are decided.

use tcpwhy_model::WindowScale;

use super::half::ledger::PeerWords;

/// Facts about the half-connection up to now.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// Smallest round trip, nanoseconds; `None` before the first sample.
    pub(crate) rtt_min: Option<i64>,
    /// Largest payload of a wire segment, bytes.
    pub(crate) mss: u64,
    /// Largest window offered, bytes; 0 before the first.
    pub(crate) window_max: u64,
    /// First window offered after the handshake, bytes; 0 before the first.
    pub(crate) window_first: u64,
    /// Scale of the windows that the receiver advertises.
    pub(crate) window_scale: WindowScale,
    /// Largest number of bytes in flight.
    pub(crate) flight_max: u64,
    /// The capture is not at the sender, so the times at which the sender processed ACKs are inferred.
    pub(crate) ack_times_inferred: bool,
    /// In a capture at the sender, delay from an ACK until the data that it releases passes the capture,
    /// nanoseconds. 0 if it varies or is too short to matter.
    pub(crate) usual_lag: i64,
    /// In a capture at the sender, its programs' usual delay after an ACK is known.
    pub(crate) is_wake_known: bool,
    /// Data segments, and those of them that were retransmitted because of a loss.
    pub(crate) segments: u64,
    pub(crate) repeats: u64,
    /// Rate of most trains of segments, bytes per second.
    pub(crate) path_rate: Option<f64>,
    /// Rate that only the fastest trains exceeded, bytes per second.
    pub(crate) train_rate: Option<f64>,
    /// No acknowledgment of the data was captured.
    pub(crate) is_one_sided: bool,
    /// Time of the first data, nanoseconds since the epoch.
    pub(crate) first_data: i64,
    /// End of the transfer if other packets follow it, nanoseconds since the epoch.
    pub(crate) transfer_end: Option<i64>,
    /// The order of sends and ACKs at the sender is known.
    pub(crate) has_sender_order: bool,
    /// Payload that the sender received from its peer.
    pub(crate) peer_words: PeerWords,
    /// The sender paces its segments by its own estimate of the path.
    pub(crate) is_pacing: bool,
    /// In a capture away from the sender, smallest ACK-to-data delay minus the handshake's, nanoseconds.
    pub(crate) excess_ack_to_data_delay: i64,
}
