//! What sockets send each other.

use crate::time::{MILLISECOND, Time};

/// What a segment is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Data, an acknowledgement, or both.
    #[default]
    Plain,
    /// Opens the connection.
    Syn,
    /// Answers that.
    SynAck,
    /// Ends the connection at once.
    Reset,
}

/// Sequence numbers, the first and the one behind the last.
pub(crate) type Range = (u64, u64);

/// Ethernet's, IP's and TCP's headers without options, bytes.
const FRAME_HEADERS: u64 = 14 + 20 + 20;
/// RFC 7323 timestamps with their padding (`TCPOLEN_TSTAMP_ALIGNED`).
pub(crate) const STAMPS: u64 = 12;
/// Blocks of SACK that fit without timestamps (RFC 2018 §3); with them it is one less.
pub(crate) const SACK_BLOCKS: usize = 4;

/// What explicit congestion notification says (RFC 3168).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are bits of two headers")]
pub(crate) struct Notification {
    /// The path may mark it instead of dropping it (ECT).
    pub(crate) is_capable: bool,
    /// The path has marked it (CE).
    pub(crate) is_marked: bool,
    /// Something marked has come (ECE).
    pub(crate) echoes: bool,
    /// The window was reduced for that (CWR).
    pub(crate) has_reduced: bool,
}

/// A segment, or several that segmentation offload keeps together. Sequence numbers count from the first byte
/// of data, and do not wrap; a FIN takes one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Segment {
    /// What it is for.
    pub(crate) kind: Kind,
    /// The first byte.
    pub(crate) seq: u64,
    /// Bytes of payload.
    pub(crate) len: u64,
    /// The stream ends behind the payload.
    pub(crate) is_fin: bool,
    /// Nothing is merged with it behind this.
    pub(crate) is_push: bool,
    /// The next byte that its sender expects.
    pub(crate) ack: u64,
    /// Bytes that may come from there on.
    pub(crate) window: u64,
    /// What came behind a hole, the newest first; empty blocks are none.
    pub(crate) sack: [Range; SACK_BLOCKS],
    /// What came twice (RFC 2883).
    pub(crate) dsack: Option<Range>,
    /// It carries timestamps.
    pub(crate) has_stamps: bool,
    /// When it was sent, by its sender's clock (RFC 7323).
    pub(crate) stamp: Time,
    /// The stamp of what it answers.
    pub(crate) echo: Time,
    /// Frames that it takes on the wire.
    pub(crate) frames: u64,
    /// Payload of each of several frames but the last (`gso_size`).
    pub(crate) size: u64,
    /// Marks of congestion.
    pub(crate) ecn: Notification,
}

impl Segment {
    /// The sequence number behind it.
    pub(crate) const fn end(&self) -> u64 {
        self.seq + self.len + self.is_fin as u64
    }

    /// Whether a receiving card takes `next` for a part of the same (`tcp_gro_receive`): all but lengths.
    pub(crate) fn merges_with(&self, next: &Self) -> bool {
        self.kind == next.kind
            && self.end() == next.seq
            && (self.ack, self.window, self.sack, self.dsack) == (next.ack, next.window, next.sack, next.dsack)
            && !next.ecn.has_reduced
            && Notification { has_reduced: false, ..self.ecn } == next.ecn
            // Stamps are milliseconds.
            && self.stamp / MILLISECOND == next.stamp / MILLISECOND
            && self.echo / MILLISECOND == next.echo / MILLISECOND
    }

    /// Headers of each of its frames, without SACK blocks, bytes.
    pub(crate) const fn headers(&self) -> u64 {
        if self.has_stamps { FRAME_HEADERS + STAMPS } else { FRAME_HEADERS }
    }

    /// Blocks of SACK that it has room for.
    pub(crate) const fn sack_room(&self) -> usize {
        if self.has_stamps { SACK_BLOCKS - 1 } else { SACK_BLOCKS }
    }
}
