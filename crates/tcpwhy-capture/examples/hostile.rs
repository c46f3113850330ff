//! Measures packets that are built to be slow to decode: `cargo run --release --example hostile`.
//!
//! Prints the cost of each case relative to ordinary packets. Ends with status 1 if one costs more than ten
//! times as much, per packet or per byte, whichever allows more, because packets may be long.

use std::io::Cursor;
use std::process::ExitCode;
use std::time::Instant;

use tcpwhy_capture::{CaptureError, CaptureReader};

/// Maximum cost relative to ordinary packets.
const MOST: f64 = 10.0;
/// Approximate bytes of each case.
const SIZE: usize = 32 << 20;
const RUNS: usize = 5;
const ETHERNET: u32 = 1;
const PPI: u32 = 192;
const RADIOTAP: u32 = 127;
const NFLOG: u32 = 239;
const RAW: u32 = 101;
const MPLS: u32 = 219;

fn main() -> ExitCode {
    let ordinary = Cost::of(&pcap(ETHERNET, &tcp())).unwrap_or_else(|error| panic!("{error}"));
    println!("{:<52} {:>10} {:>9} {:>7}", "", "ns/packet", "ns/byte", "×");
    let mut is_bounded = true;
    for (name, file) in cases() {
        let cost = match Cost::of(&file) {
            Ok(cost) => cost,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let ratio = cost.beside(ordinary);
        is_bounded &= ratio <= MOST;
        println!("{name:<52} {:>10.1} {:>9.3} {ratio:>7.2}", cost.per_packet(), cost.nanos / cost.bytes);
    }
    if is_bounded { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Cost of reading a capture.
#[derive(Clone, Copy)]
struct Cost {
    nanos: f64,
    packets: f64,
    bytes: f64,
}

impl Cost {
    /// The best of several runs, which is the most reliable value on a busy machine.
    fn of(file: &[u8]) -> Result<Self, CaptureError> {
        let mut best = Self { nanos: f64::INFINITY, packets: 0.0, bytes: file.len() as f64 };
        for _ in 0..RUNS {
            let mut reader = CaptureReader::from_read(Cursor::new(file.to_vec()), "case")?;
            let mut segments = Vec::new();
            let start = Instant::now();
            while reader.read_batch(&mut segments, 4096) {
                segments.clear();
            }
            best.nanos = best.nanos.min(start.elapsed().as_nanos() as f64);
            best.packets = reader.summary().packets as f64;
        }
        Ok(best)
    }

    fn per_packet(self) -> f64 {
        self.nanos / self.packets.max(1.0)
    }

    /// Cost relative to the same number of ordinary packets, or of their bytes, whichever is larger.
    fn beside(self, ordinary: Self) -> f64 {
        let allowed = (ordinary.per_packet() * self.packets).max(ordinary.nanos / ordinary.bytes * self.bytes);
        self.nanos / allowed
    }
}

fn cases() -> Vec<(&'static str, Vec<u8>)> {
    let v6 = |next: u8, payload: &[u8]| {
        let len = (payload.len() as u16).to_be_bytes();
        [&[0x60, 0, 0, 0, len[0], len[1], next, 64][..], &[1; 32], payload].concat()
    };
    let nested = |header: &[u8], times: usize| header.repeat(times);
    // A payload length of 0, and hop-by-hop options of padding without a jumbo payload option.
    let mut padded = vec![0x60, 0, 0, 0, 0, 0, 0, 64];
    padded.extend([1; 32]);
    padded.extend([41, 255]);
    padded.resize(40 + 2048, 0);
    let options: Vec<u8> = [0x08, 0x01].into_iter().chain([0xfe, 3, 0].into_iter().cycle().take(38)).collect();
    vec![
        ("ordinary", pcap(ETHERNET, &tcp())),
        ("whole packets", pcap(ETHERNET, &[tcp(), vec![0; 1448]].concat())),
        ("no bytes at all", pcap(ETHERNET, &[])),
        ("one byte", pcap(ETHERNET, &[0])),
        ("unknown link type", pcap(0x0123_4567, &[0; 60])),
        ("TCP options of three bytes each", pcap(RAW, &ipv4(6, &tcp_with(&options)))),
        ("IPv4 in IPv4, 32 times", pcap(RAW, &nested(&ipv4(4, &[]), 40))),
        ("tags, 40 times", pcap(ETHERNET, &[&[0; 12][..], &[0x81, 0, 0, 0].repeat(40)].concat())),
        ("a thousand labels", pcap(MPLS, &[0; 4000])),
        ("labels, 256 kB", pcap(MPLS, &vec![0; 1 << 18])),
        ("extension headers, 64 kB", pcap(RAW, &v6(60, &[60, 0, 0, 0, 0, 0, 0, 0].repeat(8191)))),
        ("authentication headers, 1,400 bytes", pcap(RAW, &v6(51, &[51, 0, 0, 0, 0, 0, 0, 0].repeat(170)))),
        ("padding, 32 times 2 kB", pcap(RAW, &padded.repeat(40))),
        ("per-packet information, 40 times", pcap(PPI, &[0, 0, 8, 0, 192, 0, 0, 0].repeat(40))),
        ("radiotap words, 60 kB", pcap(RADIOTAP, &[&[0, 0, 0x60, 0xea][..], &[0xff; 60_000]].concat())),
        ("attributes without packet, 200 kB", pcap(NFLOG, &[&[0; 4][..], &[4, 0, 1, 0].repeat(50_000)].concat())),
        ("a new link type every time", pcapng(62, 0)),
        ("times of 2⁻⁶³ seconds", pcapng(1, 0xbf)),
        ("times of 10⁻²⁰ seconds", pcapng(1, 20)),
        ("blocks without packets", blocks(&block(5, &[]))),
        ("interfaces", blocks(&block(1, &[1, 0, 0, 0, 0, 0, 0, 0]))),
        ("sections", blocks(&section())),
        ("interfaces with options of no length", blocks(&block(1, &[1, 0, 0, 0].repeat(1 << 14)))),
    ]
}

fn tcp_with(options: &[u8]) -> Vec<u8> {
    let offset = (5 + options.len() / 4) as u8;
    [&[4, 210, 0, 80, 1, 2, 3, 4, 5, 6, 7, 8, offset << 4, 0x18, 2, 0, 0, 0, 0, 0][..], options].concat()
}

fn ipv4(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let [l0, l1] = (payload.len() as u16 + 20).to_be_bytes();
    let l = if payload.is_empty() { [0, 0] } else { [l0, l1] };
    [&[0x45, 0, l[0], l[1], 0x12, 0x34, 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 192, 0, 2, 7][..], payload].concat()
}

/// A typical packet: Ethernet, IPv4, TCP with timestamps.
fn tcp() -> Vec<u8> {
    let segment = tcp_with(&[1, 1, 8, 10, 0, 0, 0, 42, 0, 0, 0, 41]);
    [&[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0][..], &ipv4(6, &segment)].concat()
}

fn pcap(link_type: u32, packet: &[u8]) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let len = packet.len() as u32;
    let record = [&words(&[1_700_000_000, 0, len, len])[..], packet].concat();
    let head = words(&[0xa1b2_c3d4, 0x0004_0002, 0, 0, 1 << 18, link_type]);
    [head, record.repeat(SIZE / record.len())].concat()
}

fn block(block_type: u32, body: &[u8]) -> Vec<u8> {
    let len = (body.len() as u32 + 12).to_le_bytes();
    [&block_type.to_le_bytes()[..], &len, body, &len].concat()
}

fn section() -> Vec<u8> {
    block(0x0a0d_0d0a, &[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255])
}

fn blocks(block: &[u8]) -> Vec<u8> {
    [section(), block.repeat(SIZE / block.len())].concat()
}

/// Packets of `interfaces` interfaces in turn, each with another link type.
fn pcapng(interfaces: u32, tsresol: u8) -> Vec<u8> {
    let head: Vec<u8> = (1..=interfaces)
        .flat_map(|link_type| {
            let link_type = (link_type as u16).to_le_bytes();
            block(1, &[&link_type[..], &[0; 6], &[9, 0, 1, 0, tsresol, 0, 0, 0]].concat())
        })
        .collect();
    let packet = [tcp(), vec![0; 2]].concat();
    let len = (packet.len() as u32).to_le_bytes();
    let all: Vec<u8> = (0..interfaces)
        .flat_map(|i| block(6, &[&i.to_le_bytes()[..], &[1; 4], &[7; 4], &len, &len, &packet].concat()))
        .collect();
    [section(), head, all.repeat(SIZE / all.len())].concat()
}
