//! Frames from the kernel (after a `virtio_net_hdr`, as super-packets of segmentation offload), and as they
//! would be on a wire.
//!
//! A [`Packet`] is cut without a copy: a [`Segment`] is one of its frames. [`Run`] converts segments back to
//! bytes, either one at a time with correct checksums, or merged with neighbours as by a network card with
//! GRO.

mod checksum;
mod layout;
mod run;
#[cfg(test)]
mod tests;

use std::rc::Rc;

pub use run::{Run, Written};

use crate::link::{FrameKind, Wire};
use layout::{Layout, VNET};

/// The checksum of an IPv4 header whose checksum field is 0.
pub fn header_checksum(header: &[u8]) -> [u8; 2] {
    checksum::finished(checksum::sum(header))
}

/// Maximum bytes of a read from a TAP device: `virtio_net_hdr`, Ethernet header, the largest IP packet.
pub const LARGEST: usize = VNET + 14 + 65_535;

/// Result of one read of the device.
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
    /// Whether the path has marked it (CE).
    is_marked: bool,
}

impl Packet {
    /// A packet from the first `len` bytes of `buffer`: a `virtio_net_hdr` of 10 bytes and a frame. `None` if
    /// too short.
    pub fn new(buffer: Vec<u8>, len: usize) -> Option<Self> {
        let layout = Layout::of(buffer.get(..len)?)?;
        Some(Self { buffer, len, layout })
    }

    /// The buffer, for reuse.
    pub fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// The bytes as read, including the `virtio_net_hdr`.
    fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    fn frame(&self) -> &[u8] {
        &self.buffer[VNET..self.len]
    }

    /// Lowers the MSS in a SYN to `largest`.
    pub fn clamp_mss(&mut self, largest: u16) {
        if let Layout::Tcp(tcp) = &self.layout {
            tcp.clamp_mss(&mut self.buffer[VNET..self.len], largest);
        }
    }

    /// Whether it contains TCP segments.
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

    /// Sets the mark for congestion experienced.
    pub const fn mark(&mut self) {
        self.is_marked = true;
    }

    /// Properties of the frame on the wire.
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
