//! Segments that sockets exchange.

use crate::time::{MILLISECOND, Time};

/// Kind of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Data, an acknowledgement, or both.
    #[default]
    Plain,
    /// Opens the connection.
    Syn,
    /// Answers a SYN.
    SynAck,
    /// Aborts the connection.
    Reset,
}

/// Sequence numbers: the first, and the one after the last.
pub(crate) type Range = (u64, u64);

/// Ethernet, IP and TCP headers without options, bytes.
const FRAME_HEADERS: u64 = 14 + 20 + 20;
/// RFC 7323 timestamps with their padding (`TCPOLEN_TSTAMP_ALIGNED`).
pub(crate) const STAMPS: u64 = 12;
/// SACK blocks that fit without timestamps (RFC 2018 §3); with them there is room for one less.
pub(crate) const SACK_BLOCKS: usize = 4;

/// Bits of explicit congestion notification (RFC 3168).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are bits of two headers")]
pub(crate) struct Notification {
    /// The path may mark it instead of dropping it (ECT).
    pub(crate) is_capable: bool,
    /// The path has marked it (CE).
    pub(crate) is_marked: bool,
    /// A marked segment has arrived (ECE).
    pub(crate) echoes: bool,
    /// The window was reduced because of a mark (CWR).
    pub(crate) has_reduced: bool,
}

/// A segment, or several that segmentation offload keeps together. Sequence numbers count from the first byte
/// of data, and do not wrap; a FIN occupies one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Kind of the segment.
    pub(crate) kind: Kind,
    /// Sequence number of the first byte.
    pub(crate) seq: u64,
    /// Bytes of payload.
    pub(crate) len: u64,
    /// Whether the stream ends after the payload.
    pub(crate) is_fin: bool,
    /// Whether no later segment is merged with it.
    pub(crate) is_push: bool,
    /// The next byte that its sender expects.
    pub(crate) ack: u64,
    /// Bytes that may be sent from `ack` on.
    pub(crate) window: u64,
    /// Data received after a hole, newest first; empty blocks are unused.
    pub(crate) sack: [Range; SACK_BLOCKS],
    /// Data received twice (RFC 2883).
    pub(crate) dsack: Option<Range>,
    /// Whether it has timestamps.
    pub(crate) has_stamps: bool,
    /// Time of the send, by its sender's clock (RFC 7323).
    pub(crate) stamp: Time,
    /// Timestamp that it echoes.
    pub(crate) echo: Time,
    /// Number of frames on the wire.
    pub(crate) frames: u64,
    /// Payload of each of several frames except the last (`gso_size`).
    pub(crate) size: u64,
    /// ECN bits.
    pub(crate) ecn: Notification,
}

impl Segment {
    /// The sequence number after it.
    pub(crate) const fn end(&self) -> u64 {
        self.seq + self.len + self.is_fin as u64
    }

    /// Whether a receiving network card merges `next` with it, apart from the lengths (`tcp_gro_receive`).
    pub(crate) fn merges_with(&self, next: &Self) -> bool {
        self.kind == next.kind
            && self.end() == next.seq
            && (self.ack, self.window, self.sack, self.dsack) == (next.ack, next.window, next.sack, next.dsack)
            && !next.ecn.has_reduced
            && Notification { has_reduced: false, ..self.ecn } == next.ecn
            // Timestamps are milliseconds.
            && self.stamp / MILLISECOND == next.stamp / MILLISECOND
            && self.echo / MILLISECOND == next.echo / MILLISECOND
    }

    /// Headers of each frame without SACK blocks, bytes.
    pub(crate) const fn headers(&self) -> u64 {
        if self.has_stamps { FRAME_HEADERS + STAMPS } else { FRAME_HEADERS }
    }

    /// Number of SACK blocks that fit.
    pub(crate) const fn sack_room(&self) -> usize {
        if self.has_stamps { SACK_BLOCKS - 1 } else { SACK_BLOCKS }
    }
}
