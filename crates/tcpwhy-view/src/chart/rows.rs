//! What charts are made of: values at an instant, or ranges over a bin of time.
//!
//! Times are nanoseconds from the first packet of the connection, positions are those of the analysis (the SYN is 0).

use tcpwhy_model::TcpFlags;

use super::binned::Row;

/// A value that is not known.
pub const UNKNOWN: u64 = u64::MAX;

/// The smallest and the largest value of a bin; equal where a row stands for itself; [`UNKNOWN`] in both without any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Smallest.
    pub lo: u64,
    /// Largest.
    pub hi: u64,
}

impl Extent {
    /// Nothing known.
    pub const UNKNOWN: Self = Self { lo: UNKNOWN, hi: UNKNOWN };

    /// One value, if it is known.
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

/// New data that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRow {
    /// When.
    pub time: i64,
    /// First byte, and one past the last.
    pub lo: u64,
    /// One past the last byte.
    pub hi: u64,
    /// Number of the (first) packet.
    pub packet: u64,
    /// Segments.
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

/// How a direction stood after a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateRow {
    /// When.
    pub time: i64,
    /// Acknowledged, as captured.
    pub una: Extent,
    /// Right edge offered.
    pub edge: Extent,
    /// Window offered.
    pub window: Extent,
    /// In flight, as the sender saw it.
    pub flight: Extent,
    /// RFC 6675 `pipe`.
    pub pipe: Extent,
    /// The congestion window is at least this.
    pub cwnd_floor: Extent,
}

impl StateRow {
    /// Whether nothing but the time differs.
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

/// Round trips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundTripRow {
    /// When it was complete.
    pub time: i64,
    /// Nanoseconds.
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

/// What passed in a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThroughputRow {
    /// When.
    pub time: i64,
    /// New bytes acknowledged.
    pub acked: u64,
    /// Payload bytes sent.
    pub sent: u64,
    /// Of these, retransmitted.
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

/// An exceptional event, or several that were merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkRow {
    /// When, or from when.
    pub time: i64,
    /// Until when.
    pub end: i64,
    /// Bytes concerned, from.
    pub lo: u64,
    /// Bytes concerned, to.
    pub hi: u64,
    /// Number of the (first) packet.
    pub packet: u64,
    /// Events.
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

/// One packet for the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketRow {
    /// When.
    pub time: i64,
    /// Number in the capture file.
    pub number: u64,
    /// Index of the sending endpoint.
    pub from: u8,
    /// 0, or 1 + index into [`MarkKind::ALL`](super::MarkKind::ALL).
    pub kind: u8,
    /// Options present, one bit each.
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
