//! Frames as bytes, in a classic little-endian microsecond pcap cut at a snaplen.

use std::io::{self, Write};

pub const SNAPLEN: usize = 96;
/// Ethernet + IPv6 + TCP with 40 bytes of options.
const MAX_HEADERS: usize = 14 + 40 + 60;

pub const FIN: u8 = 1;
pub const SYN: u8 = 2;
pub const PSH: u8 = 8;
pub const ACK: u8 = 16;

#[derive(Clone, Copy)]
pub struct Address {
    pub v6: bool,
    /// For IPv4, the last 4 bytes are the whole address.
    pub bytes: [u8; 16],
    pub port: u16,
}

#[derive(Default)]
pub struct Options {
    /// MSS and window scale: only on SYNs.
    pub syn: Option<(u16, u8)>,
    pub tsval: u32,
    pub tsecr: u32,
    /// Left and right edges; at most three fit beside timestamps.
    pub sack: [(u32, u32); 3],
    pub sack_count: usize,
}

pub struct Tcp {
    pub seq: u32,
    pub ack: u32,
    pub flags: u8,
    pub window: u16,
    pub payload: usize,
    pub options: Options,
}

pub struct Pcap<W: Write> {
    out: W,
    packets: u64,
    ip_id: u16,
}

impl<W: Write> Pcap<W> {
    pub fn new(mut out: W) -> io::Result<Self> {
        let mut head = Vec::with_capacity(24);
        head.extend(0xa1b2_c3d4_u32.to_le_bytes());
        head.extend(2_u16.to_le_bytes());
        head.extend(4_u16.to_le_bytes());
        head.extend([0; 8]);
        head.extend((SNAPLEN as u32).to_le_bytes());
        head.extend(1_u32.to_le_bytes());
        out.write_all(&head)?;
        Ok(Self { out, packets: 0, ip_id: 1 })
    }

    pub fn packets(&self) -> u64 {
        self.packets
    }

    pub fn finish(mut self) -> io::Result<u64> {
        self.out.flush()?;
        Ok(self.packets)
    }

    /// `time_ns` is since the epoch. The payload is all zeros, so that checksums are right although it is cut
    /// off.
    pub fn write(&mut self, time_ns: u64, from: &Address, to: &Address, tcp: &Tcp) -> io::Result<()> {
        let mut record = [0_u8; 16 + MAX_HEADERS + SNAPLEN];
        let frame = &mut record[16..];
        let mut options = [0_u8; 40];
        let options_len = write_options(&mut options, &tcp.options);
        let tcp_len = 20 + options_len + tcp.payload;

        frame[0..6].copy_from_slice(&[2, 0, 0, 0, 0, to.bytes[15]]);
        frame[6..12].copy_from_slice(&[2, 0, 0, 0, 0, from.bytes[15]]);
        let ip_len = if from.v6 {
            frame[12..14].copy_from_slice(&[0x86, 0xdd]);
            let ip = &mut frame[14..54];
            ip[0] = 0x60;
            ip[4..6].copy_from_slice(&(tcp_len as u16).to_be_bytes());
            ip[6] = 6;
            ip[7] = 64;
            ip[8..24].copy_from_slice(&from.bytes);
            ip[24..40].copy_from_slice(&to.bytes);
            40
        } else {
            frame[12..14].copy_from_slice(&[0x08, 0x00]);
            let ip = &mut frame[14..34];
            ip[0] = 0x45;
            ip[2..4].copy_from_slice(&((20 + tcp_len) as u16).to_be_bytes());
            ip[4..6].copy_from_slice(&self.ip_id.to_be_bytes());
            ip[6] = 0x40;
            ip[8] = 64;
            ip[9] = 6;
            ip[12..16].copy_from_slice(&from.bytes[12..]);
            ip[16..20].copy_from_slice(&to.bytes[12..]);
            let sum = fold(sum(ip, 0));
            ip[10..12].copy_from_slice(&sum.to_be_bytes());
            self.ip_id = self.ip_id.wrapping_add(1);
            20
        };

        let pseudo = 6 + tcp_len as u32;
        let pseudo = if from.v6 {
            sum(&to.bytes, sum(&from.bytes, pseudo))
        } else {
            sum(&to.bytes[12..], sum(&from.bytes[12..], pseudo))
        };
        let start = 14 + ip_len;
        let head = &mut frame[start..start + 20 + options_len];
        head[0..2].copy_from_slice(&from.port.to_be_bytes());
        head[2..4].copy_from_slice(&to.port.to_be_bytes());
        head[4..8].copy_from_slice(&tcp.seq.to_be_bytes());
        head[8..12].copy_from_slice(&tcp.ack.to_be_bytes());
        head[12] = ((20 + options_len) as u8 / 4) << 4;
        head[13] = tcp.flags;
        head[14..16].copy_from_slice(&tcp.window.to_be_bytes());
        head[20..].copy_from_slice(&options[..options_len]);
        let sum = fold(sum(head, pseudo));
        head[16..18].copy_from_slice(&sum.to_be_bytes());

        let original = start + tcp_len;
        let captured = original.min(SNAPLEN);
        record[0..4].copy_from_slice(&((time_ns / 1_000_000_000) as u32).to_le_bytes());
        record[4..8].copy_from_slice(&((time_ns % 1_000_000_000 / 1000) as u32).to_le_bytes());
        record[8..12].copy_from_slice(&(captured as u32).to_le_bytes());
        record[12..16].copy_from_slice(&(original as u32).to_le_bytes());
        self.packets += 1;
        self.out.write_all(&record[..16 + captured])
    }
}

/// Options in the order that Linux uses.
fn write_options(out: &mut [u8; 40], options: &Options) -> usize {
    let mut at = 0;
    let mut put = |bytes: &[u8]| {
        out[at..at + bytes.len()].copy_from_slice(bytes);
        at += bytes.len();
    };
    let stamps = |put: &mut dyn FnMut(&[u8])| {
        put(&options.tsval.to_be_bytes());
        put(&options.tsecr.to_be_bytes());
    };
    if let Some((mss, scale)) = options.syn {
        put(&[2, 4, (mss >> 8) as u8, mss as u8, 4, 2, 8, 10]);
        stamps(&mut put);
        put(&[1, 3, 3, scale]);
    } else {
        put(&[1, 1, 8, 10]);
        stamps(&mut put);
    }
    if options.sack_count > 0 {
        put(&[1, 1, 5, 2 + 8 * options.sack_count as u8]);
        for (left, right) in &options.sack[..options.sack_count] {
            put(&left.to_be_bytes());
            put(&right.to_be_bytes());
        }
    }
    at
}

fn sum(bytes: &[u8], start: u32) -> u32 {
    bytes.chunks_exact(2).fold(start, |sum, pair| sum + u32::from(u16::from_be_bytes([pair[0], pair[1]])))
}

fn fold(mut sum: u32) -> u16 {
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}
