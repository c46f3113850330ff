//! What an algorithm that sets both window and rate learns from an acknowledgement (`cong_control`).

use crate::time::Time;

/// How the sender repairs losses, as far as such an algorithm asks (`icsk_ca_state`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Repair {
    /// It does not (`TCP_CA_Open`, `TCP_CA_Disorder`, `TCP_CA_CWR`).
    #[default]
    No,
    /// After duplicate acknowledgements (`TCP_CA_Recovery`).
    Recovery,
    /// After a timeout (`TCP_CA_Loss`).
    Timeout,
}

/// The parts of `struct tcp_sock` that such an algorithm reads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Connection {
    pub(crate) now: Time,
    /// `mss_cache`.
    pub(crate) mss: u64,
    /// Segments that have arrived.
    pub(crate) delivered: u64,
    /// `delivered_mstamp`: when the last of them was acknowledged, microseconds.
    pub(crate) delivered_at: u64,
    /// `lost`: segments that were ever marked lost.
    pub(crate) lost: u64,
    /// `tcp_packets_in_flight`.
    pub(crate) in_flight: u64,
    pub(crate) repair: Repair,
    /// Smoothed round trip, microseconds.
    pub(crate) smoothed: Option<u64>,
    /// `tcp_wstamp_ns`: before this time pacing sends nothing.
    pub(crate) write_stamp: Time,
    /// `app_limited`: the program has not kept the path busy of late.
    pub(crate) is_app_limited: bool,
}

/// A sample of the delivery rate (`struct rate_sample`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RateSample {
    /// Segments that arrived within the interval; `None`: nothing is known of them.
    pub(crate) delivered: Option<u64>,
    /// Microseconds; `None`: no rate can be computed.
    pub(crate) interval: Option<u64>,
    /// `delivered` of the connection when the newest of them was sent.
    pub(crate) prior_delivered: u64,
    /// The program had nothing more to send then.
    pub(crate) is_app_limited: bool,
    /// Round trip of the newest segment, microseconds.
    pub(crate) rtt: Option<u64>,
    /// The receiver may have delayed the acknowledgement.
    pub(crate) is_ack_delayed: bool,
    /// Segments that this acknowledgement reports (`acked_sacked`).
    pub(crate) acked: u64,
    /// Segments that it marked lost.
    pub(crate) losses: u64,
    /// `tcp_packets_in_flight` before it.
    pub(crate) prior_in_flight: u64,
}

impl RateSample {
    /// Segments and microseconds, where they make a rate.
    pub(crate) fn rate(&self) -> Option<(u64, u64)> {
        Some((self.delivered?, self.interval.filter(|&interval| interval > 0)?))
    }
}

/// Whether samples of what is in flight now count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Samples {
    Count,
    /// The algorithm sends less than it could: they are to be marked as the application's rate.
    AppLimited,
}
