//! Frames as the kernel hands them over (behind a `virtio_net_hdr`, as super-packets under segmentation offload) and as they
//! would be on a wire.
//!
//! A [`Packet`] is cut without being copied: a [`Segment`] is its n-th frame. [`Run`] turns segments back into bytes, one at a
//! time with right checksums, or neighbours together as a card with GRO would.

mod checksum;
mod layout;
mod run;
#[cfg(test)]
mod tests;

use std::rc::Rc;

pub use run::{Run, Written};

use crate::link::{FrameKind, Wire};
use layout::{Layout, VNET};

/// The checksum of an IPv4 header whose field for it is 0.
pub fn header_checksum(header: &[u8]) -> [u8; 2] {
    checksum::finished(checksum::sum(header))
}

/// Bytes of a buffer that takes whatever a TAP device hands over: `virtio_net_hdr`, Ethernet header, the largest IP packet.
pub const LARGEST: usize = VNET + 14 + 65_535;

/// What one read of the device gave.
#[derive(Debug)]
pub struct Packet {
    buffer: Vec<u8>,
    len: usize,
    layout: Layout,
}

/// One frame of a packet.
#[derive(Clone, Debug)]
pub struct Segment {
    packet: Rc<Packet>,
    index: usize,
    /// The path has marked it (CE).
    is_marked: bool,
}

impl Packet {
    /// The first `len` bytes of `buffer` are a `virtio_net_hdr` of 10 bytes and a frame; `None`: not even that.
    pub fn new(buffer: Vec<u8>, len: usize) -> Option<Self> {
        let layout = Layout::of(buffer.get(..len)?)?;
        Some(Self { buffer, len, layout })
    }

    /// The buffer, for use again.
    pub fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// As it was read, `virtio_net_hdr` included.
    fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    fn frame(&self) -> &[u8] {
        &self.buffer[VNET..self.len]
    }

    /// Cuts the MSS that a SYN announces to `largest`.
    pub fn clamp_mss(&mut self, largest: u16) {
        if let Layout::Tcp(tcp) = &self.layout {
            tcp.clamp_mss(&mut self.buffer[VNET..self.len], largest);
        }
    }

    /// Whether it is a TCP segment, or several.
    pub const fn is_tcp(&self) -> bool {
        matches!(self.layout, Layout::Tcp(_))
    }
}

impl Segment {
    /// All frames of a packet, in order.
    pub fn all(packet: Packet) -> impl Iterator<Item = Self> {
        let packet = Rc::new(packet);
        let count = match &packet.layout {
            Layout::Opaque => 1,
            Layout::Tcp(tcp) => tcp.count(),
        };
        (0..count).map(move |index| Self { packet: Rc::clone(&packet), index, is_marked: false })
    }

    /// Marks it: congestion experienced.
    pub const fn mark(&mut self) {
        self.is_marked = true;
    }

    /// What it is on the wire.
    pub fn wire(&self) -> Wire {
        match &self.packet.layout {
            Layout::Opaque => {
                Wire { bytes: self.packet.frame().len() as u32, kind: FrameKind::Other, is_ecn_capable: false }
            }
            Layout::Tcp(tcp) => Wire {
                bytes: (tcp.payload + tcp.part(self.index).len()) as u32,
                kind: tcp.kind(),
                is_ecn_capable: tcp.is_ecn_capable(self.packet.frame()),
            },
        }
    }
}
