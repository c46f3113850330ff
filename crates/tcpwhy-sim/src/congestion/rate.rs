//! Input of an algorithm that controls both window and rate, per acknowledgment (`cong_control`).

use crate::time::Time;

/// Kind of loss recovery, as far as such an algorithm needs it (`icsk_ca_state`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Repair {
    /// No recovery (`TCP_CA_Open`, `TCP_CA_Disorder`, `TCP_CA_CWR`).
    #[default]
    No,
    /// After duplicate acknowledgments (`TCP_CA_Recovery`).
    Recovery,
    /// After a timeout (`TCP_CA_Loss`).
    Timeout,
}

/// The parts of `struct tcp_sock` that such an algorithm needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Connection {
    pub(crate) now: Time,
    /// `mss_cache`.
    pub(crate) mss: u64,
    /// Segments delivered.
    pub(crate) delivered: u64,
    /// `delivered_mstamp`: time of the ACK of the last delivered segment, microseconds.
    pub(crate) delivered_at: u64,
    /// `lost`: number of segments ever marked lost.
    pub(crate) lost: u64,
    /// `tcp_packets_in_flight`.
    pub(crate) in_flight: u64,
    pub(crate) repair: Repair,
    /// Smoothed round trip, microseconds.
    pub(crate) smoothed: Option<u64>,
    /// `tcp_wstamp_ns`: pacing sends nothing before this time.
    pub(crate) write_stamp: Time,
    /// `app_limited`: whether the application recently wrote too little to fill the path.
    pub(crate) is_app_limited: bool,
}

/// A sample of the delivery rate (`struct rate_sample`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RateSample {
    /// Segments delivered within the interval; `None` if unknown.
    pub(crate) delivered: Option<u64>,
    /// Microseconds; `None` if no rate can be computed.
    pub(crate) interval: Option<u64>,
    /// `delivered` of the connection at the send of the newest of these segments.
    pub(crate) prior_delivered: u64,
    /// Whether the application limited the rate at that send.
    pub(crate) is_app_limited: bool,
    /// Round trip of the newest segment, microseconds.
    pub(crate) rtt: Option<u64>,
    /// Whether the receiver may have delayed the acknowledgment.
    pub(crate) is_ack_delayed: bool,
    /// Segments newly reported by this acknowledgment (`acked_sacked`).
    pub(crate) acked: u64,
    /// Segments that this acknowledgment marked lost.
    pub(crate) losses: u64,
    /// `tcp_packets_in_flight` before this acknowledgment.
    pub(crate) prior_in_flight: u64,
}

impl RateSample {
    /// Segments and microseconds, if they give a rate.
    pub(crate) fn rate(&self) -> Option<(u64, u64)> {
        Some((self.delivered?, self.interval.filter(|&interval| interval > 0)?))
    }
}

/// Whether samples of the segments now in flight count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Samples {
    Count,
    /// The algorithm sends less than it could, so they are marked as application-limited.
    AppLimited,
}
