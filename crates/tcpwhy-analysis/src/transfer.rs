//! Facts about a direction's path, buffers and programs, for a simulation of it.

use std::num::NonZeroU16;

use tcpwhy_model::Limit;

/// Facts that a simulation of a transfer needs in addition to the public fields of [`crate::HalfConnection`].
#[derive(Clone, Debug, PartialEq)]
pub struct TransferFacts {
    /// The path's rate, from segments and ACKs.
    pub path: PathFacts,
    /// The path's losses.
    pub losses: LossFacts,
    /// The first window advertised for data, and the largest one, bytes; 0 while unknown.
    pub windows: [u64; 2],
    /// Round trip of the handshake, nanoseconds: that of small packets, which make no queue. `None` if it was
    /// not captured.
    pub handshake: Option<u64>,
    /// Median of the peaks of the bytes in flight while a send buffer was the limit, bytes; `None` if none
    /// was.
    pub plateau: Option<u64>,
    /// Bytes acknowledged under each limit, in the order of [`Limit::ALL`].
    pub bytes_under: [f64; Limit::ALL.len()],
    /// Writes of its program while the program was the limit.
    pub written: WrittenFacts,
    /// Number of times that the sender had nothing to send.
    pub pauses: u32,
    /// Largest payload of one captured packet, bytes. It exceeds the MSS if the host merges segments or cuts
    /// them later.
    pub largest_packet: u64,
    /// Payload that the SYNs allow in a segment, without options, bytes; that of Ethernet if none was
    /// captured.
    pub syn_mss: u64,
    /// Whether segments have timestamps (RFC 7323).
    pub has_timestamps: bool,
    /// Whether the sender spaces its segments by its own estimate of the path, as BBR does.
    pub is_pacing: bool,
    /// Measurements that decide nothing.
    pub measured: Measured,
}

/// Measurements of a direction that decide nothing and are only published. Without packets, as for live
/// sockets, all are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Typical delay of sends behind ACKs that make room, microseconds, rounded to a power of two: the
    /// median. `None` if sends follow no ACKs, as without a full buffer, or if there were too few.
    pub wake_up: Option<NonZeroU16>,
}

impl TransferFacts {
    /// Linux's initial window since 2.6.39 (RFC 6928), segments: data that fits it shows nothing to simulate.
    pub const FIRST_WINDOW: u64 = 10;
}

/// The path's rate according to segments and ACKs, bytes of payload per second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathFacts {
    /// Rates of trains of segments, or of ACKs: quantiles of 0.25, 0.5, 0.75 and 0.95 of their bytes; `None`
    /// without trains.
    pub trains: Option<[f64; 4]>,
    /// Rates at which segments, or acknowledged data, followed each other within a round trip. Each has the
    /// share of the bytes at that rate; the fastest first.
    pub spacings: Vec<(f64, f64)>,
    /// Highest rate at which segments, or acknowledged data, followed each other; 0 if they never came close
    /// together.
    pub closest: f64,
    /// Rate of a slow link, from segments that are too far apart for trains.
    pub served: Option<f64>,
    /// Rate of the best stretches of delivery, if nearly all stretches were as fast.
    pub steady: Option<f64>,
    /// The path's own rate, if queues, losses or the bytes in flight show that it was saturated.
    pub full: Option<f64>,
}

/// Writes of a program while the program was the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WrittenFacts {
    /// Number of bursts of sends while data was in flight.
    pub bursts: f64,
    /// Bytes in these bursts.
    pub bytes: f64,
    /// Time in which the program could have sent more, seconds.
    pub silence: f64,
}

/// The path's losses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossFacts {
    /// Retransmitted segments, without those whose originals had arrived.
    pub segments: u64,
    /// Whether a queue overflowed: the losses came while more was in flight than the path holds.
    pub is_overflow: bool,
    /// A policer's rate, bytes of payload per second.
    pub policed: Option<f64>,
}
