//! Builders of packets and files, written from the specifications instead of the reader.

use std::io::{Cursor, Read, Write};

use tcpwhy_capture::{CaptureError, CaptureReader, CaptureSummary};
use tcpwhy_model::{AnomalyKind, Segment, Timestamp};

/// Payload of [`tcp`].
pub(crate) const PAYLOAD: &[u8] = b"hello";

/// Ports 1234 and 80, sequence 0x01020304, acknowledgment 0x05060708, PSH and ACK, window 512, the timestamps
/// option.
pub(crate) fn tcp() -> Vec<u8> {
    let options = [1, 1, 8, 10, 0, 0, 0, 42, 0, 0, 0, 41];
    tcp_with(8, &options, PAYLOAD)
}

pub(crate) fn tcp_with(data_offset: u8, options: &[u8], payload: &[u8]) -> Vec<u8> {
    let fixed = [4, 210, 0, 80, 1, 2, 3, 4, 5, 6, 7, 8, data_offset << 4, 0x18, 2, 0, 0xab, 0xcd, 0, 0];
    [&fixed, options, payload].concat()
}

pub(crate) fn udp(destination: u16, payload: &[u8]) -> Vec<u8> {
    let len = payload.len() as u16 + 8;
    [&49152u16.to_be_bytes()[..], &destination.to_be_bytes(), &len.to_be_bytes(), &[0, 0], payload].concat()
}

/// From 10.0.0.1 to 192.0.2.7, identification 0x1234, don't fragment, time to live 64.
pub(crate) fn ipv4(protocol: u8, payload: &[u8]) -> Vec<u8> {
    ipv4_with(protocol, payload.len() + 20, 0x4000, payload)
}

pub(crate) fn ipv4_with(protocol: u8, total_len: usize, flags_and_offset: u16, payload: &[u8]) -> Vec<u8> {
    let [l0, l1] = (total_len as u16).to_be_bytes();
    let [f0, f1] = flags_and_offset.to_be_bytes();
    let header = [0x45, 0b10, l0, l1, 0x12, 0x34, f0, f1, 64, protocol, 0, 0, 10, 0, 0, 1, 192, 0, 2, 7];
    [&header, payload].concat()
}

/// From `2001:db8::1` to `2001:db8::2`, hop limit 63, ECN 1.
pub(crate) fn ipv6(next: u8, payload: &[u8]) -> Vec<u8> {
    ipv6_with(next, payload.len(), payload)
}

pub(crate) fn ipv6_with(next: u8, payload_len: usize, payload: &[u8]) -> Vec<u8> {
    let [l0, l1] = (payload_len as u16).to_be_bytes();
    let prefix = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    [&[0x60, 0b0001_0000, 0, 0, l0, l1, next, 63][..], &prefix, &[1], &prefix, &[2], payload].concat()
}

pub(crate) fn ethernet(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    [&[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2][..], &ether_type.to_be_bytes(), payload].concat()
}

/// A plain frame: Ethernet, IPv4, TCP.
pub(crate) fn frame() -> Vec<u8> {
    ethernet(0x0800, &ipv4(6, &tcp()))
}

/// One packet to put into a file.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    pub(crate) nanos: u64,
    pub(crate) captured: Vec<u8>,
    pub(crate) original_len: u32,
}

impl Packet {
    pub(crate) fn new(nanos: u64, captured: Vec<u8>) -> Self {
        let original_len = captured.len() as u32;
        Self { nanos, captured, original_len }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

impl Order {
    pub(crate) fn u16(self, value: u16) -> [u8; 2] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    pub(crate) fn u32(self, value: u32) -> [u8; 4] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    pub(crate) fn u64(self, value: u64) -> [u8; 8] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Magic {
    Micros,
    Nanos,
    Modified,
}

pub(crate) fn pcap(order: Order, magic: Magic, link_type: u32, packets: &[Packet]) -> Vec<u8> {
    let number = match magic {
        Magic::Micros => 0xa1b2_c3d4,
        Magic::Nanos => 0xa1b2_3c4d,
        Magic::Modified => 0xa1b2_cd34,
    };
    let mut file = order.u32(number).to_vec();
    file.extend(order.u16(2));
    file.extend(order.u16(4));
    file.extend([0; 8]);
    file.extend(order.u32(65_535));
    file.extend(order.u32(link_type));
    for packet in packets {
        let unit = if magic == Magic::Nanos { 1 } else { 1000 };
        file.extend(order.u32((packet.nanos / 1_000_000_000) as u32));
        file.extend(order.u32((packet.nanos % 1_000_000_000 / unit) as u32));
        file.extend(order.u32(packet.captured.len() as u32));
        file.extend(order.u32(packet.original_len));
        if magic == Magic::Modified {
            file.extend([1, 0, 0, 0, 8, 0, 4, 0]);
        }
        file.extend(&packet.captured);
    }
    file
}

/// A pcapng file, built block by block.
pub(crate) struct Blocks {
    pub(crate) order: Order,
    pub(crate) file: Vec<u8>,
}

impl Blocks {
    pub(crate) fn new(order: Order) -> Self {
        let mut blocks = Self { order, file: Vec::new() };
        blocks.section(order);
        blocks
    }

    pub(crate) fn block(&mut self, block_type: u32, body: &[u8]) -> &mut Self {
        let padded = body.len().next_multiple_of(4);
        let len = self.order.u32(padded as u32 + 12);
        self.file.extend(self.order.u32(block_type));
        self.file.extend(len);
        self.file.extend(body);
        self.file.extend(std::iter::repeat_n(0, padded - body.len()));
        self.file.extend(len);
        self
    }

    pub(crate) fn section(&mut self, order: Order) -> &mut Self {
        self.order = order;
        let comment = self.option(1, b"a comment");
        let body = [&order.u32(0x1a2b_3c4d)[..], &order.u16(1), &order.u16(0), &order.u64(u64::MAX), &comment].concat();
        self.block(0x0a0d_0d0a, &body)
    }

    pub(crate) fn option(&self, code: u16, value: &[u8]) -> Vec<u8> {
        let mut option = [&self.order.u16(code)[..], &self.order.u16(value.len() as u16), value].concat();
        option.resize(option.len().next_multiple_of(4), 0);
        option
    }

    pub(crate) fn interface(&mut self, link_type: u16, snaplen: u32, options: &[Vec<u8>]) -> &mut Self {
        let body = [&self.order.u16(link_type)[..], &[0, 0], &self.order.u32(snaplen), &options.concat()].concat();
        self.block(1, &body)
    }

    pub(crate) fn enhanced(&mut self, interface: u32, ticks: u64, packet: &Packet) -> &mut Self {
        let body = [&self.order.u32(interface)[..], &self.timed(ticks, packet)].concat();
        self.block(6, &body)
    }

    pub(crate) fn obsolete(&mut self, interface: u16, ticks: u64, packet: &Packet) -> &mut Self {
        let body = [&self.order.u16(interface)[..], &self.order.u16(7), &self.timed(ticks, packet)].concat();
        self.block(2, &body)
    }

    pub(crate) fn simple(&mut self, captured: &[u8], original_len: u32) -> &mut Self {
        let body = [&self.order.u32(original_len)[..], captured].concat();
        self.block(3, &body)
    }

    fn timed(&self, ticks: u64, packet: &Packet) -> Vec<u8> {
        let order = self.order;
        let mut body = [
            &order.u32((ticks >> 32) as u32)[..],
            &order.u32(ticks as u32),
            &order.u32(packet.captured.len() as u32),
            &order.u32(packet.original_len),
            &packet.captured,
        ]
        .concat();
        body.resize(body.len().next_multiple_of(4), 0xee);
        body.extend(self.option(1, b"epb comment"));
        body.extend(self.option(0, b""));
        body
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// Reads a file to the end.
pub(crate) fn read(file: &[u8]) -> Result<(Vec<Segment>, CaptureSummary), CaptureError> {
    let mut reader = CaptureReader::from_read(Cursor::new(file.to_vec()), "test")?;
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, 1000) {}
    Ok((segments, reader.summary()))
}

/// Reads a file without defects to the end.
#[track_caller]
pub(crate) fn read_sound(file: &[u8]) -> Vec<Segment> {
    let (segments, summary) = read(file).unwrap();
    assert_eq!(kinds(&summary), []);
    segments
}

pub(crate) fn kinds(summary: &CaptureSummary) -> Vec<AnomalyKind> {
    summary.anomalies.iter().map(|anomaly| anomaly.kind).collect()
}

pub(crate) fn at(nanos: i64) -> Timestamp {
    Timestamp::from_nanos(nanos)
}

/// A reader that delivers `step` bytes at a time, like a slow pipe.
pub(crate) struct Drip {
    pub(crate) bytes: Cursor<Vec<u8>>,
    pub(crate) step: usize,
}

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(self.step);
        self.bytes.read(&mut buffer[..len])
    }
}
