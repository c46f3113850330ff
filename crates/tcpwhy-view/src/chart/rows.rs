//! Rows of charts: values at an instant, or ranges over a bin of time.
//!
//! Times are nanoseconds from the first packet of the connection. Positions are those of the analysis (the
//! SYN is 0).

use tcpwhy_model::TcpFlags;

use super::binned::Row;

/// An unknown value.
pub const UNKNOWN: u64 = u64::MAX;

/// Smallest and largest value of a bin; equal in a row that was not merged; both [`UNKNOWN`] without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Smallest value.
    pub lo: u64,
    /// Largest value.
    pub hi: u64,
}

impl Extent {
    /// An unknown range.
    pub const UNKNOWN: Self = Self { lo: UNKNOWN, hi: UNKNOWN };

    /// A range of one value, which may be unknown.
    pub fn of(value: Option<u64>) -> Self {
        let value = value.unwrap_or(UNKNOWN);
        Self { lo: value, hi: value }
    }

    fn merge(&mut self, other: Self) {
        if self.lo == UNKNOWN {
            *self = other;
        } else if other.lo != UNKNOWN {
            self.lo = self.lo.min(other.lo);
            self.hi = self.hi.max(other.hi);
        }
    }
}

/// New data that was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRow {
    /// Time, nanoseconds.
    pub time: i64,
    /// First byte.
    pub lo: u64,
    /// One past the last byte.
    pub hi: u64,
    /// Number of the packet, or of the first of several.
    pub packet: u64,
    /// Number of segments.
    pub count: u64,
}

impl Row for SegmentRow {
    fn time(&self) -> i64 {
        self.time
    }

    fn merge(&mut self, later: &Self) {
        self.lo = self.lo.min(later.lo);
        self.hi = self.hi.max(later.hi);
        self.count += later.count;
    }
}

/// The state of a direction after a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateRow {
    /// Time, nanoseconds.
    pub time: i64,
    /// Position acknowledged, as captured.
    pub una: Extent,
    /// Right edge of the offered window.
    pub edge: Extent,
    /// Offered window, bytes.
    pub window: Extent,
    /// Bytes in flight from the sender's view.
    pub flight: Extent,
    /// RFC 6675 `pipe`.
    pub pipe: Extent,
    /// Lower bound of the congestion window, bytes.
    pub cwnd_floor: Extent,
}

impl StateRow {
    /// Whether only the time differs.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        *self == Self { time: self.time, ..*other }
    }
}

impl Row for StateRow {
    fn time(&self) -> i64 {
        self.time
    }

    fn merge(&mut self, later: &Self) {
        self.una.merge(later.una);
        self.edge.merge(later.edge);
        self.window.merge(later.window);
        self.flight.merge(later.flight);
        self.pipe.merge(later.pipe);
        self.cwnd_floor.merge(later.cwnd_floor);
    }
}

/// Round-trip times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundTripRow {
    /// Time of completion, nanoseconds.
    pub time: i64,
    /// Round-trip time, nanoseconds.
    pub nanos: Extent,
}

impl Row for RoundTripRow {
    fn time(&self) -> i64 {
        self.time
    }

    fn merge(&mut self, later: &Self) {
        self.nanos.merge(later.nanos);
    }
}

/// Throughput in a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThroughputRow {
    /// Start of the bin, nanoseconds.
    pub time: i64,
    /// New bytes acknowledged.
    pub acked: u64,
    /// Payload bytes sent.
    pub sent: u64,
    /// Part of the sent bytes that is retransmitted.
    pub resent: u64,
}

impl Row for ThroughputRow {
    fn time(&self) -> i64 {
        self.time
    }

    fn merge(&mut self, later: &Self) {
        self.acked += later.acked;
        self.sent += later.sent;
        self.resent += later.resent;
    }
}

/// A marked event, or several that were merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkRow {
    /// Time of the first event, nanoseconds.
    pub time: i64,
    /// Time of the last event, nanoseconds.
    pub end: i64,
    /// First byte concerned.
    pub lo: u64,
    /// One past the last byte concerned.
    pub hi: u64,
    /// Number of the packet, or of the first of several.
    pub packet: u64,
    /// Number of events.
    pub count: u64,
}

impl Row for MarkRow {
    fn time(&self) -> i64 {
        self.time
    }

    fn merge(&mut self, later: &Self) {
        self.end = self.end.max(later.end);
        if self.lo == UNKNOWN {
            (self.lo, self.hi) = (later.lo, later.hi);
        } else if later.lo != UNKNOWN {
            self.lo = self.lo.min(later.lo);
            self.hi = self.hi.max(later.hi);
        }
        self.count += later.count;
    }
}

/// A packet in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketRow {
    /// Time, nanoseconds.
    pub time: i64,
    /// Packet number in the capture file.
    pub number: u64,
    /// Index of the sending endpoint.
    pub from: u8,
    /// 0, or 1 + index into [`MarkKind::ALL`](super::MarkKind::ALL).
    pub kind: u8,
    /// Options of the packet, one bit each.
    pub options: u8,
    /// Control bits.
    pub flags: TcpFlags,
    /// Payload bytes.
    pub len: u32,
    /// Position of the first payload byte.
    pub seq: u64,
    /// Position acknowledged, or [`UNKNOWN`].
    pub ack: u64,
    /// Window in bytes, or [`UNKNOWN`].
    pub window: u64,
    /// `TSval`, or [`UNKNOWN`].
    pub tsval: u64,
    /// `TSecr`, or [`UNKNOWN`].
    pub tsecr: u64,
}
