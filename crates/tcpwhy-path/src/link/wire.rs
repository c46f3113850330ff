//! Frames as on a wire.

/// Preamble, frame check sequence and inter-frame gap, bytes that no device delivers.
pub(super) const ETHERNET_OUTSIDE: u32 = 24;

/// Bytes of addresses and type before the IP packet.
pub(super) const ETHERNET_HEADER: u32 = 14;

/// Minimum length; shorter frames are padded (without the frame check sequence).
pub(super) const ETHERNET_LEAST: u32 = 60;

/// Properties of a frame that a link needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Bytes including the Ethernet header, without the frame check sequence.
    pub bytes: u32,
    /// Content of the frame.
    pub kind: FrameKind,
    /// Whether its sender supports ECN (ECT, RFC 3168).
    pub is_ecn_capable: bool,
}

/// Content of a frame.
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
    /// Bytes on the wire, including padding and overhead.
    pub(super) const fn on_wire(self) -> u32 {
        let frame = if self.bytes < ETHERNET_LEAST { ETHERNET_LEAST } else { self.bytes };
        frame + ETHERNET_OUTSIDE
    }
}
