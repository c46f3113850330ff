//! Packets of the model.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Data {
    pub(super) seq: u64,
    pub(super) len: u32,
    pub(super) tsval: u32,
    /// A queue has marked it (CE).
    pub(super) is_marked: bool,
    /// The sender says that it has cut its window (CWR).
    pub(super) is_cut: bool,
    /// Bytes of the peer's grants that it acknowledges.
    pub(super) heard: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ack {
    /// Everything below has arrived.
    pub(super) next: u64,
    /// Right edge of the window.
    pub(super) edge: u64,
    /// The newest blocks that the receiver has.
    pub(super) blocks: [(u64, u64); 3],
    pub(super) tsval: u32,
    /// Whether it reports a mark (ECE).
    pub(super) has_echo: bool,
    /// Bytes of grants in the peer's stream up to here, including those in this packet.
    pub(super) said: u64,
}

/// Bytes of a grant: that of a window update of HTTP/2 (RFC 9113 §6.9).
pub(super) const GRANT: u32 = 13;
