//! Offsets within a frame.

use std::ops::Range;

use super::checksum;
use crate::link::FrameKind;

/// `struct virtio_net_hdr`: flags, `gso_type`, `hdr_len`, `gso_size`, `csum_start`, `csum_offset`; in the
/// machine's byte order.
pub(super) const VNET: usize = 10;
/// `VIRTIO_NET_HDR_F_NEEDS_CSUM`: the checksum field contains only the sum of the pseudo-header.
pub(super) const NEEDS_CSUM: u8 = 1;
/// `VIRTIO_NET_HDR_F_DATA_VALID`: the checksum was verified.
pub(super) const DATA_VALID: u8 = 2;
/// `VIRTIO_NET_HDR_GSO_TCPV4` and `_TCPV6`.
pub(super) const GSO_TCP: [u8; 2] = [1, 4];

/// Length of the Ethernet header.
pub(super) const IP: usize = 14;
const TCP_PROTOCOL: u8 = 6;
/// `csum_offset` of TCP.
pub(super) const TCP_CHECKSUM: usize = 16;

pub(super) mod flag {
    pub(in crate::frame) const FIN: u8 = 0x01;
    pub(in crate::frame) const SYN: u8 = 0x02;
    pub(in crate::frame) const PSH: u8 = 0x08;
    pub(in crate::frame) const ACK: u8 = 0x10;
    pub(in crate::frame) const ECE: u8 = 0x40;
    pub(in crate::frame) const CWR: u8 = 0x80;
}

/// Congestion experienced: both ECN bits.
const ECN_MARK: u8 = 3;

/// Kind of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Passed on unchanged.
    Opaque,
    /// TCP over IPv4 or IPv6.
    Tcp(Tcp),
}

/// Offsets are from the start of the Ethernet frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tcp {
    pub(super) is_six: bool,
    pub(super) header: usize,
    pub(super) payload: usize,
    pub(super) end: usize,
    pub(super) flags: u8,
    pub(super) seq: u32,
    /// Payload bytes of each segment except the last.
    pub(super) size: usize,
    /// Whether the kernel has left the checksum to the device.
    pub(super) needs_csum: bool,
}

impl Layout {
    /// Layout of `bytes`, which begin with the `virtio_net_hdr`; `None` if too short for it and an Ethernet
    /// header.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let (vnet, frame) = bytes.split_at_checked(VNET)?;
        if frame.len() < IP {
            return None;
        }
        Some(Tcp::of(vnet, frame).map_or(Self::Opaque, Self::Tcp))
    }
}

impl Tcp {
    fn of(vnet: &[u8], frame: &[u8]) -> Option<Self> {
        let (is_six, header, end) = match frame.get(12..IP)? {
            [0x08, 0x00] => {
                let ip = frame.get(IP..)?;
                let total = usize::from(word(ip, 2)?);
                let is_fragment = word(ip, 6)? & 0x3fff != 0;
                if *ip.get(9)? != TCP_PROTOCOL || ip[0] >> 4 != 4 || is_fragment {
                    return None;
                }
                (false, IP + usize::from(ip[0] & 15) * 4, IP + total)
            }
            [0x86, 0xdd] => {
                let ip = frame.get(IP..)?;
                let length = usize::from(word(ip, 4)?);
                if *ip.get(6)? != TCP_PROTOCOL || ip[0] >> 4 != 6 {
                    return None;
                }
                (true, IP + 40, IP + 40 + length)
            }
            _ => return None,
        };
        let tcp = frame.get(header..end)?;
        let payload = header + usize::from(tcp.get(12)? >> 4) * 4;
        let shortest = header >= IP + 20 && payload >= header + 20;
        if !shortest || payload > end {
            return None;
        }
        let gso_size = usize::from(u16::from_ne_bytes([vnet[4], vnet[5]]));
        let is_gso = vnet[1] & 0x7f != 0 && gso_size > 0;
        Some(Self {
            is_six,
            header,
            payload,
            end,
            flags: tcp[13],
            seq: u32::from_be_bytes([tcp[4], tcp[5], tcp[6], tcp[7]]),
            size: if is_gso { gso_size } else { (end - payload).max(1) },
            needs_csum: vnet[0] & NEEDS_CSUM != 0 || is_gso,
        })
    }

    pub(super) fn count(&self) -> usize {
        (self.end - self.payload).div_ceil(self.size).max(1)
    }

    /// Range of the payload of segment `index`.
    pub(super) fn part(&self, index: usize) -> Range<usize> {
        let start = (self.payload + index * self.size).min(self.end);
        start..(start + self.size).min(self.end)
    }

    pub(super) const fn kind(&self) -> FrameKind {
        if self.flags & flag::SYN != 0 {
            FrameKind::Syn
        } else if self.end > self.payload {
            FrameKind::Data
        } else {
            FrameKind::Other
        }
    }

    /// Flags of segment `index`: PSH and FIN only on the last one, CWR only on the first (RFC 3168, 6.1.2).
    pub(super) fn flags_of(&self, index: usize) -> u8 {
        let mut flags = self.flags;
        if index + 1 < self.count() {
            flags &= !(flag::FIN | flag::PSH);
        }
        if index > 0 {
            flags &= !flag::CWR;
        }
        flags
    }

    pub(super) const fn seq_of(&self, index: usize) -> u32 {
        self.seq.wrapping_add((index * self.size) as u32)
    }

    /// Whether its sender supports ECN (ECT(0) or ECT(1); an existing mark stays).
    pub(super) fn is_ecn_capable(&self, frame: &[u8]) -> bool {
        self.ecn(frame) != 0
    }

    /// The ECN bits of the IP header (RFC 3168, 5).
    fn ecn(&self, frame: &[u8]) -> u8 {
        if self.is_six { (frame[IP + 1] >> 4) & ECN_MARK } else { frame[IP + 1] & ECN_MARK }
    }

    /// Sets the ECN bits to CE. The header's checksum is wrong until [`Tcp::rewrite`].
    pub(super) fn mark(&self, head: &mut [u8]) {
        head[IP + 1] |= if self.is_six { ECN_MARK << 4 } else { ECN_MARK };
    }

    /// Lowers the MSS in a SYN to `largest`, and updates its checksum.
    pub(super) fn clamp_mss(&self, frame: &mut [u8], largest: u16) {
        let Some(at) = self.mss_option(frame) else { return };
        let announced = u16::from_be_bytes([frame[at], frame[at + 1]]);
        if announced <= largest {
            return;
        }
        frame[at..at + 2].copy_from_slice(&largest.to_be_bytes());
        // Otherwise the field contains only the sum of the pseudo-header, which does not change.
        if !self.needs_csum {
            let field = self.header + TCP_CHECKSUM;
            frame[field..field + 2].fill(0);
            let addresses = if self.is_six { IP + 8..IP + 40 } else { IP + 12..IP + 20 };
            let length = (self.end - self.header) as u16;
            let sum = checksum::sum(&frame[addresses])
                + checksum::field(u16::from(TCP_PROTOCOL))
                + checksum::field(length)
                + checksum::sum(&frame[self.header..self.end]);
            frame[field..field + 2].copy_from_slice(&checksum::finished(sum));
        }
    }

    /// Offset of the MSS value in a SYN (RFC 9293, 3.2).
    fn mss_option(&self, frame: &[u8]) -> Option<usize> {
        const END: u8 = 0;
        const NOTHING: u8 = 1;
        const MSS: u8 = 2;
        let mut at = self.header + 20;
        while self.flags & flag::SYN != 0 && at < self.payload {
            let rest = frame.get(at..self.payload)?;
            match rest {
                [MSS, 4, _, _, ..] => return Some(at + 2),
                [END, ..] => return None,
                [NOTHING, ..] => at += 1,
                [_, length, ..] if *length >= 2 => at += usize::from(*length),
                _ => return None,
            }
        }
        None
    }

    /// Updates the headers for this payload length. The checksum field then contains the sum of the
    /// pseudo-header.
    pub(super) fn rewrite(&self, head: &mut [u8], ident_step: u16, seq: u32, flags: u8, payload: usize) {
        let (ip, tcp) = head[IP..].split_at_mut(self.header - IP);
        let length = (self.payload - self.header + payload) as u16;
        let addresses = if self.is_six {
            ip[4..6].copy_from_slice(&length.to_be_bytes());
            &ip[8..40]
        } else {
            let total = ip.len() as u16 + length;
            let ident = u16::from_be_bytes([ip[4], ip[5]]).wrapping_add(ident_step);
            ip[2..4].copy_from_slice(&total.to_be_bytes());
            ip[4..6].copy_from_slice(&ident.to_be_bytes());
            ip[10..12].fill(0);
            let checksum = checksum::finished(checksum::sum(ip));
            ip[10..12].copy_from_slice(&checksum);
            &ip[12..20]
        };
        let pseudo = checksum::sum(addresses) + checksum::field(u16::from(TCP_PROTOCOL)) + checksum::field(length);
        tcp[4..8].copy_from_slice(&seq.to_be_bytes());
        tcp[13] = flags;
        tcp[TCP_CHECKSUM..TCP_CHECKSUM + 2].copy_from_slice(&checksum::folded(pseudo));
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}
