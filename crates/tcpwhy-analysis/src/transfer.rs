//! What a direction showed of its path, its buffers and its programs, for whoever sets it up again.

use std::num::NonZeroU16;

use tcpwhy_model::Limit;

/// What a transfer takes to be set up again, beyond what [`crate::HalfConnection`] shows to readers.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferFacts {
    /// What segments and ACKs show of the path's rate.
    pub path: PathFacts,
    /// What losses show of the path.
    pub losses: LossFacts,
    /// The first window offered for data, and the largest, bytes; 0 while unknown.
    pub windows: [u64; 2],
    /// Round trip of the handshake, nanoseconds: of small packets, without queues of its own making. `None`
    /// where it was not seen.
    pub handshake: Option<u64>,
    /// Median of the peaks of the bytes in flight while a send buffer bound, bytes; `None` where none did.
    pub plateau: Option<u64>,
    /// Bytes acknowledged while each limit held, in the order of [`Limit::ALL`].
    pub bytes_under: [f64; Limit::ALL.len()],
    /// How its program wrote while it was what limited.
    pub written: WrittenFacts,
    /// Times that the sender had nothing to send.
    pub pauses: u32,
    /// Largest payload of one captured packet, bytes: more than the MSS where the host merges or cuts
    /// segments later.
    pub largest_packet: u64,
    /// Payload that the SYNs let a segment have, without options, bytes; what Ethernet allows where none was
    /// captured.
    pub syn_mss: u64,
    /// Segments carry timestamps (RFC 7323).
    pub has_timestamps: bool,
    /// The sender spaces its segments by its own estimate of the path, as BBR does.
    pub is_pacing: bool,
    /// Plain numbers that nothing is decided by.
    pub measured: Measured,
}

/// Numbers about a direction that nothing is decided by: they are published as they are. Without packets, as
/// of live sockets, all are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// How soon sends typically follow ACKs that make room, microseconds, to a power of two: the median.
    /// `None` where they follow none, as without a full buffer, or where too few were seen.
    pub wake_up: Option<NonZeroU16>,
}

impl TransferFacts {
    /// Linux's initial window since 2.6.39 (RFC 6928), segments: what fits it shows nothing to set up again.
    pub const FIRST_WINDOW: u64 = 10;
}

/// What segments and ACKs show of the path's rate, bytes of payload per second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathFacts {
    /// Rates of trains of segments, or of ACKs, that a quarter, half, three quarters and 19 in 20 of their
    /// bytes did not exceed; `None` without trains.
    pub trains: Option<[f64; 4]>,
    /// Rates at which segments, or what ACKs acknowledge, followed each other within a round trip, each with
    /// the share of the bytes that came at it; the fastest first.
    pub spacings: Vec<(f64, f64)>,
    /// The closest that segments, or what ACKs acknowledge, followed each other; 0 where they never came
    /// close.
    pub closest: f64,
    /// At which a slow link serves what is too far apart for trains.
    pub served: Option<f64>,
    /// Rate of the best times of delivery, if nearly all times were as good.
    pub steady: Option<f64>,
    /// The path's own rate, where queues, losses or the bytes in flight show that it was full.
    pub full: Option<f64>,
}

/// How a program wrote while it was what limited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WrittenFacts {
    /// Bursts of sends while data was in flight.
    pub bursts: f64,
    /// Bytes in them.
    pub bytes: f64,
    /// Seconds in which the program could have sent more.
    pub silence: f64,
}

/// What losses show of the path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossFacts {
    /// Segments that were retransmitted, without those that had arrived.
    pub segments: u64,
    /// A queue overflowed: they came while more was in flight than the path holds.
    pub is_overflow: bool,
    /// A policer's rate, bytes of payload per second.
    pub policed: Option<f64>,
}
