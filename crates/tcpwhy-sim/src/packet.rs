//! Packets that pass an end, and their representation on the wire.

use tcpwhy_scenario::End;

use crate::segment::{Kind, Segment};
use crate::time::{MILLISECOND, Time};

/// A segment that passes an end, or several that segmentation offload keeps together, as a capture on that
/// host shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packet {
    /// Time of passage.
    pub time: Time,
    /// End that it passes.
    pub place: End,
    /// End that sent it.
    pub from: End,
    pub(crate) segment: Segment,
    /// Options of a SYN.
    pub(crate) opening: Option<Opening>,
    /// Window scale of its sender.
    pub(crate) window_scale: u8,
}

/// Options that a SYN announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    pub(crate) mss: u64,
    /// `None` if windows are not scaled.
    pub(crate) window_scale: Option<u8>,
    /// Whether SACK is permitted.
    pub(crate) permits_sack: bool,
}

/// The headers of a packet, including Ethernet, and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// All bytes except the payload.
    pub headers: Vec<u8>,
    /// Bytes of the whole frame.
    pub len: u32,
}

/// Addresses of both ends, the sender's first, from the ranges reserved for documentation (RFC 5737, RFC
/// 3849).
const IPV4: [[u8; 4]; 2] = [[192, 0, 2, 1], [198, 51, 100, 1]];
const IPV6: [[u8; 16]; 2] = [
    [0x20, 0x01, 0x0d, 0xb8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    [0x20, 0x01, 0x0d, 0xb8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
];
/// Locally administered addresses.
const MAC: [[u8; 6]; 2] = [[2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2]];
/// Port of the end that opens the connection, and of the other end.
const PORTS: [u16; 2] = [40_000, 5_001];
/// Initial sequence numbers and timestamps.
const FIRST: [u32; 2] = [1_000_000, 2_000_000];
const ETHERNET: usize = 14;
const TTL: u8 = 64;
const TCP: u8 = 6;

/// Flags (RFC 9293 §3.1).
const FIN: u8 = 1;
const SYN: u8 = 2;
const RESET: u8 = 4;
const PUSH: u8 = 8;
const ACK: u8 = 16;
const ECHO: u8 = 64;
const REDUCED: u8 = 128;
/// Kinds of options (RFC 9293 §3.2, RFC 2018, RFC 7323).
const NOP: u8 = 1;
const MSS: u8 = 2;
const SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const STAMPS: u8 = 8;

impl Packet {
    /// The packet on the wire; `opener` is the end that opened the connection. TCP checksums are omitted, as
    /// if the interface computed them.
    pub fn frame(&self, opener: End, is_ipv6: bool) -> Frame {
        let tcp = self.tcp(opener);
        let len = tcp.len() as u64 + self.segment.len;
        let (from, to) = (self.from.index(), self.from.other().index());
        let mut headers = [MAC[to], MAC[from]].concat();
        let ip: Vec<u8> = if is_ipv6 {
            let mut ip = vec![0x60, self.ecn_bits() << 4, 0, 0];
            // A longer packet has length 0, like the jumbograms of segmentation offload.
            ip.extend(u16::try_from(len).unwrap_or(0).to_be_bytes());
            ip.extend([TCP, TTL]);
            ip.extend([IPV6[from], IPV6[to]].concat());
            ip
        } else {
            let mut ip = vec![0x45, self.ecn_bits()];
            ip.extend(u16::try_from(len + 20).unwrap_or(0).to_be_bytes());
            // Don't fragment.
            ip.extend([0, 0, 0x40, 0, TTL, TCP, 0, 0]);
            ip.extend([IPV4[from], IPV4[to]].concat());
            let sum = checksum(&ip).to_be_bytes();
            ip[10..12].copy_from_slice(&sum);
            ip
        };
        headers.extend(if is_ipv6 { [0x86, 0xdd] } else { [0x08, 0x00] });
        let len = ETHERNET as u64 + ip.len() as u64 + len;
        headers.extend(ip);
        headers.extend(tcp);
        Frame { headers, len: u32::try_from(len).unwrap_or(u32::MAX) }
    }

    /// The two bits of RFC 3168: ECT(0), CE or none.
    const fn ecn_bits(&self) -> u8 {
        match (self.segment.ecn.is_capable, self.segment.ecn.is_marked) {
            (_, true) => 3,
            (true, false) => 2,
            (false, false) => 0,
        }
    }

    fn tcp(&self, opener: End) -> Vec<u8> {
        let segment = &self.segment;
        let port = |end: End| PORTS[usize::from(end != opener)];
        // The first byte of data has the number after the SYN.
        let number = |end: End, at: u64| FIRST[end.index()].wrapping_add(1).wrapping_add(at as u32);
        let (flags, seq, ack) = match segment.kind {
            Kind::Syn => (SYN, FIRST[self.from.index()], 0),
            Kind::SynAck => (SYN | ACK, FIRST[self.from.index()], number(self.from.other(), 0)),
            Kind::Plain | Kind::Reset => {
                let reset = if segment.kind == Kind::Reset { RESET } else { 0 };
                let fin = if segment.is_fin { FIN } else { 0 };
                let push = if segment.is_push && segment.len > 0 { PUSH } else { 0 };
                (reset | fin | push | ACK, number(self.from, segment.seq), number(self.from.other(), segment.ack))
            }
        };
        let echoes = if segment.ecn.echoes { ECHO } else { 0 };
        let flags = flags | echoes | if segment.ecn.has_reduced { REDUCED } else { 0 };
        let scale = if self.opening.is_some() { 0 } else { self.window_scale };
        let window = u16::try_from(segment.window >> scale).unwrap_or(u16::MAX);
        let options = self.options();
        let mut tcp = Vec::new();
        tcp.extend(port(self.from).to_be_bytes());
        tcp.extend(port(self.from.other()).to_be_bytes());
        tcp.extend(seq.to_be_bytes());
        tcp.extend(ack.to_be_bytes());
        tcp.extend([((20 + options.len()) << 2) as u8, flags]);
        tcp.extend(window.to_be_bytes());
        tcp.extend([0; 4]);
        tcp.extend(options);
        tcp
    }

    /// Options in the kernel's order (`tcp_options_write`).
    fn options(&self) -> Vec<u8> {
        let segment = &self.segment;
        let stamp = |end: End, time: Time| FIRST[end.index()].wrapping_add((time / MILLISECOND) as u32).to_be_bytes();
        let own = stamp(self.from, segment.stamp);
        let echo = if segment.kind == Kind::Syn { [0; 4] } else { stamp(self.from.other(), segment.echo) };
        let mut options = Vec::new();
        if let Some(Opening { mss, window_scale, permits_sack }) = self.opening {
            let [high, low] = u16::try_from(mss).unwrap_or(u16::MAX).to_be_bytes();
            options.extend([MSS, 4, high, low]);
            let permission = if permits_sack { [SACK_PERMITTED, 2] } else { [NOP, NOP] };
            if segment.has_stamps {
                options.extend(permission);
                options.extend([STAMPS, 10]);
                options.extend([own, echo].concat());
            } else if permits_sack {
                options.extend([NOP, NOP]);
                options.extend(permission);
            }
            if let Some(scale) = window_scale {
                options.extend([NOP, SCALE, 3, scale]);
            }
            return options;
        }
        if segment.has_stamps {
            options.extend([NOP, NOP, STAMPS, 10]);
            options.extend([own, echo].concat());
        }
        let sender = self.from.other();
        let number = |at: u64| FIRST[sender.index()].wrapping_add(1).wrapping_add(at as u32).to_be_bytes();
        let blocks = segment.dsack.into_iter().chain(segment.sack).filter(|block| block.1 > block.0);
        let blocks: Vec<_> = blocks.take(segment.sack_room()).collect();
        if !blocks.is_empty() {
            options.extend([NOP, NOP, SACK, 2 + 8 * blocks.len() as u8]);
            for (first, behind) in blocks {
                options.extend([number(first), number(behind)].concat());
            }
        }
        options
    }
}

/// The checksum of RFC 791.
fn checksum(bytes: &[u8]) -> u16 {
    let sum: u32 = bytes.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0))).sum();
    let sum = (sum & 0xffff) + (sum >> 16);
    !(((sum & 0xffff) + (sum >> 16)) as u16)
}
