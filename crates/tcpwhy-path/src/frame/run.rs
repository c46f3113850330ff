//! Segments that are delivered together.

use std::io::IoSlice;
use std::ops::Range;
use std::rc::Rc;

use super::layout::{DATA_VALID, GSO_TCP, IP, Layout, NEEDS_CSUM, TCP_CHECKSUM, Tcp, VNET, flag};
use super::{Packet, Segment, checksum};

/// Length of Ethernet header, longest IPv4 header and longest TCP header.
const HEAD: usize = IP + 60 + 60;
/// Maximum length of an IP packet.
const LARGEST_IP: usize = 65_535;

/// Consecutive segments of one connection, or one frame of any kind.
#[derive(Debug)]
pub struct Run {
    parts: Vec<Part>,
    tail: Tail,
    /// Whether the path has marked all of it (CE).
    is_marked: bool,
}

/// Consecutive segments of one packet.
#[derive(Debug)]
struct Part {
    packet: Rc<Packet>,
    segments: Range<usize>,
}

/// Condition for the next segment.
#[derive(Clone, Copy, Debug)]
enum Tail {
    /// No segment can follow.
    Closed,
    Open {
        next_seq: u32,
        size: usize,
        total: usize,
    },
}

/// A frame with its `virtio_net_hdr`, as slices of memory to be written at once.
#[derive(Debug)]
pub struct Written {
    vnet: [u8; VNET],
    head: [u8; HEAD],
    head_len: usize,
}

impl Run {
    /// A run of one segment.
    pub fn new(first: Segment) -> Self {
        let Segment { packet, index, is_marked } = first;
        let tail = match &packet.layout {
            Layout::Tcp(tcp) if tcp.flags_of(index) & !(flag::PSH | flag::FIN | flag::ECE) == flag::ACK => {
                let payload = tcp.part(index).len();
                Tail::after(tcp, index, payload, tcp.payload - IP + payload)
            }
            _ => Tail::Closed,
        };
        Self { parts: vec![Part { packet, segments: index..index + 1 }], tail, is_marked }
    }

    /// Appends a segment that follows in sequence and has matching headers, as in `tcp_gro_receive()`.
    /// Returns it if it does not fit.
    pub fn extend(&mut self, next: Segment) -> Result<(), Segment> {
        let Tail::Open { next_seq, size, total } = self.tail else { return Err(next) };
        if next.is_marked != self.is_marked {
            return Err(next);
        }
        let Layout::Tcp(tcp) = &next.packet.layout else { return Err(next) };
        let payload = tcp.part(next.index).len();
        let Some(last) = self.parts.last_mut() else { return Err(next) };
        let is_same_packet = Rc::ptr_eq(&last.packet, &next.packet) && last.segments.end == next.index;
        let fits = payload > 0 && payload <= size && total + payload <= LARGEST_IP;
        if !fits || tcp.seq_of(next.index) != next_seq || !(is_same_packet || is_alike(&last.packet, &next)) {
            return Err(next);
        }
        self.tail = match Tail::after(tcp, next.index, payload, total + payload) {
            Tail::Open { next_seq, total, .. } if payload == size => Tail::Open { next_seq, size, total },
            _ => Tail::Closed,
        };
        if is_same_packet {
            last.segments.end += 1;
        } else {
            self.parts.push(Part { packet: next.packet, segments: next.index..next.index + 1 });
        }
        Ok(())
    }

    /// Fills `slices` with its bytes, ready for the device.
    pub fn write<'a>(&'a self, written: &'a mut Written, slices: &mut Vec<IoSlice<'a>>) {
        slices.clear();
        let first = &self.parts[0];
        let Layout::Tcp(tcp) = &first.packet.layout else {
            slices.push(IoSlice::new(first.packet.bytes()));
            return;
        };
        let is_whole = self.parts.len() == 1 && first.segments == (0..tcp.count());
        let count: usize = self.parts.iter().map(|part| part.segments.len()).sum();
        if is_whole && !self.is_marked && (count > 1 || !tcp.needs_csum) {
            slices.push(IoSlice::new(first.packet.bytes()));
            return;
        }
        let payload: usize = self.parts.iter().map(|part| part.payload().len()).sum();
        let last = self.parts.last().unwrap_or(first);
        let ending = last.tcp().map_or(0, |tcp| tcp.flags_of(last.segments.end - 1)) & (flag::FIN | flag::PSH);
        let start = first.segments.start;
        let head = &mut written.head[..tcp.payload];
        head.copy_from_slice(&first.packet.frame()[..tcp.payload]);
        if self.is_marked {
            tcp.mark(head);
        }
        tcp.rewrite(head, start as u16, tcp.seq_of(start), tcp.flags_of(start) | ending, payload);
        written.head_len = tcp.payload;
        written.vnet = if count == 1 {
            let sum = checksum::sum(&head[tcp.header..]) + checksum::sum(first.payload());
            head[tcp.header + TCP_CHECKSUM..][..2].copy_from_slice(&checksum::finished(sum));
            vnet(DATA_VALID, 0, [0; 4])
        } else {
            let sizes = [tcp.payload, tcp.part(start).len(), tcp.header, TCP_CHECKSUM];
            vnet(NEEDS_CSUM, GSO_TCP[usize::from(tcp.is_six)], sizes.map(|size| size as u16))
        };
        slices.push(IoSlice::new(&written.vnet));
        slices.push(IoSlice::new(&written.head[..written.head_len]));
        slices.extend(self.parts.iter().map(|part| IoSlice::new(part.payload())));
    }

    /// Packets whose buffers are no longer in use.
    pub fn into_packets(self) -> impl Iterator<Item = Packet> {
        self.parts.into_iter().filter_map(|part| Rc::into_inner(part.packet))
    }
}

impl Part {
    fn tcp(&self) -> Option<&Tcp> {
        match &self.packet.layout {
            Layout::Tcp(tcp) => Some(tcp),
            Layout::Opaque => None,
        }
    }

    fn payload(&self) -> &[u8] {
        self.tcp().map_or(&[], |tcp| {
            let end = tcp.part(self.segments.end - 1).end;
            &self.packet.frame()[tcp.part(self.segments.start).start..end]
        })
    }
}

impl Tail {
    /// The state after a segment; nothing can follow PSH, FIN, or a segment without data.
    fn after(tcp: &Tcp, index: usize, payload: usize, total: usize) -> Self {
        if payload == 0 || tcp.flags_of(index) & (flag::PSH | flag::FIN) != 0 {
            return Self::Closed;
        }
        Self::Open { next_seq: tcp.seq_of(index).wrapping_add(payload as u32), size: payload, total }
    }
}

/// Whether the headers match in all fields that must be equal within a run: all except lengths,
/// identification, sequence number, checksums, PSH and FIN.
fn is_alike(packet: &Packet, next: &Segment) -> bool {
    let (Layout::Tcp(a), Layout::Tcp(b)) = (&packet.layout, &next.packet.layout) else { return false };
    if (a.is_six, a.header, a.payload) != (b.is_six, b.header, b.payload) {
        return false;
    }
    let (left, right) = (packet.frame(), next.packet.frame());
    let tcp = a.header;
    let (length, after_length, checksum) = if a.is_six { (18, 20, 20) } else { (16, 20, 24) };
    let after_checksum = if a.is_six { checksum } else { checksum + 2 };
    let same = |range: Range<usize>| left[range.clone()] == right[range];
    let ends = flag::PSH | flag::FIN;
    same(0..length)
        && same(after_length..checksum)
        && same(after_checksum..tcp + 4)
        && same(tcp + 8..tcp + 13)
        && (a.flags | ends) == (b.flags_of(next.index) | ends)
        && same(tcp + 14..tcp + TCP_CHECKSUM)
        && same(tcp + TCP_CHECKSUM + 2..a.payload)
}

impl Default for Written {
    fn default() -> Self {
        Self { vnet: [0; VNET], head: [0; HEAD], head_len: 0 }
    }
}

fn vnet(flags: u8, gso_type: u8, sizes: [u16; 4]) -> [u8; VNET] {
    let mut header = [0; VNET];
    header[0] = flags;
    header[1] = gso_type;
    for (field, size) in header[2..].chunks_exact_mut(2).zip(sizes) {
        field.copy_from_slice(&size.to_ne_bytes());
    }
    header
}
