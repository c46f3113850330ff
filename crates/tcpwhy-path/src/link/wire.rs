//! Frames as they are on a wire.

/// Preamble, frame check sequence and the gap between frames: Ethernet's bytes that no device hands over.
pub(super) const ETHERNET_OUTSIDE: u32 = 24;

/// Addresses and type, before the IP packet.
pub(super) const ETHERNET_HEADER: u32 = 14;

/// Shorter frames are padded (without the frame check sequence).
pub(super) const ETHERNET_LEAST: u32 = 60;

/// What a link needs to know of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Ethernet header and what follows it.
    pub bytes: u32,
    /// What it carries.
    pub kind: FrameKind,
    /// Its sender knows what a mark means (ECT, RFC 3168).
    pub is_ecn_capable: bool,
}

/// What a frame carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// SYN or SYN-ACK.
    Syn,
    /// TCP payload.
    Data,
    /// Anything else.
    Other,
}

impl Wire {
    /// Bytes that it takes on the wire.
    pub(super) const fn on_wire(self) -> u32 {
        let frame = if self.bytes < ETHERNET_LEAST { ETHERNET_LEAST } else { self.bytes };
        frame + ETHERNET_OUTSIDE
    }
}
