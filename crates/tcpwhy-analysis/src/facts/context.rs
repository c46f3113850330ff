//! What is known of a direction besides its slots, when some of them are labelled.

use tcpwhy_model::WindowScale;

use super::half::ledger::PeerWords;

/// What is known of the half-connection so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// Smallest round trip, nanoseconds; `None` before one was timed.
    pub(crate) rtt_min: Option<i64>,
    /// Largest payload of a wire segment, bytes.
    pub(crate) mss: u64,
    /// Largest window offered, bytes; 0 before any.
    pub(crate) window_max: u64,
    /// First window offered after the handshake, bytes; 0 before any.
    pub(crate) window_first: u64,
    /// Scale of the windows that the receiver offers.
    pub(crate) window_scale: WindowScale,
    /// Most in flight, bytes.
    pub(crate) flight_max: u64,
    /// Captured away from the sender: when it had processed an ACK is inferred.
    pub(crate) ack_times_inferred: bool,
    /// At the sender: how long after an ACK its answers pass the capture, nanoseconds; 0 where that is too
    /// short to matter, or varies.
    pub(crate) usual_lag: i64,
    /// At the sender: how soon its programs answer an ACK was learnt, so they do.
    pub(crate) is_wake_known: bool,
    /// Segments with data, and those of them that repeated lost data.
    pub(crate) segments: u64,
    pub(crate) repeats: u64,
    /// Rate at which most trains of segments came through, bytes per second.
    pub(crate) path_rate: Option<f64>,
    /// Rate that only the fastest of them exceeded, the same.
    pub(crate) train_rate: Option<f64>,
    /// No acknowledgment of the data was captured.
    pub(crate) is_one_sided: bool,
    /// When the first data passed, nanoseconds since the epoch.
    pub(crate) first_data: i64,
    /// When the transfer was over, the same, where packets follow that are not part of it.
    pub(crate) transfer_end: Option<i64>,
    /// The order of sends and ACKs at the sender is known.
    pub(crate) has_sender_order: bool,
    /// Payload of the peer's that the sender got.
    pub(crate) peer_words: PeerWords,
    /// The sender spaces its segments by its own estimate of the path.
    pub(crate) is_pacing: bool,
    /// Away from the sender: smallest ACK-to-data delay minus the handshake's, nanoseconds.
    pub(crate) excess_ack_to_data_delay: i64,
}
