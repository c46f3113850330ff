//! What sockets send each other.

use crate::time::Time;

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

/// Ethernet and IP headers, TCP's with timestamps: bytes of a frame besides its payload.
pub(crate) const FRAME_HEADERS: u64 = 14 + 20 + 32;
/// Blocks of SACK that fit beside timestamps (RFC 2018 §3).
pub(crate) const SACK_BLOCKS: usize = 3;

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
    /// When it was sent, by its sender's clock (RFC 7323).
    pub(crate) stamp: Time,
    /// The stamp of what it answers.
    pub(crate) echo: Time,
    /// Frames that it takes on the wire.
    pub(crate) frames: u64,
    /// Payload of each of several frames but the last (`gso_size`).
    pub(crate) size: u64,
}

impl Segment {
    /// The sequence number behind it.
    pub(crate) const fn end(&self) -> u64 {
        self.seq + self.len + self.is_fin as u64
    }
}
