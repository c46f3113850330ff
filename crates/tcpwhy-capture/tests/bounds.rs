//! Limits of the memory for hostile captures. It does not grow with the capture, and a claimed length is not
//! trusted before its bytes arrive. The example `hostile` measures the time of the slowest packets.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{self, Cursor, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};

use peak_alloc::PeakAlloc;
use tcpwhy_capture::{CaptureError, CaptureReader, MergedReader};
use tcpwhy_model::{AnomalyKind, Segment};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The largest record, doubled while its buffer grows.
const LARGEST_RECORDS: usize = 2 * (16 << 20) + MIB;
const MIB: usize = 1 << 20;

/// Memory is measured for the whole process, so only one test may run at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Peak memory of `run` in bytes, minus the memory used before.
fn peak<T>(run: impl FnOnce() -> T) -> (usize, T) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = run();
    (MEMORY.peak_usage() - before, result)
}

/// A reader of `head` followed by many repetitions of `unit`, with little memory of its own.
struct Endless {
    head: Cursor<Vec<u8>>,
    unit: Vec<u8>,
    at: usize,
    left: u64,
}

impl Endless {
    fn new(head: &[u8], unit: &[u8], times: u64) -> Self {
        // Longer pieces keep the time for copying small.
        let together = (64 << 10) / unit.len() + 1;
        let left = times * unit.len() as u64;
        Self { head: Cursor::new(head.to_vec()), unit: unit.repeat(together), at: 0, left }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.head.read(buffer)?;
        if len > 0 {
            return Ok(len);
        }
        let rest = &self.unit[self.at..];
        let len = rest.len().min(buffer.len()).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at = (self.at + len) % self.unit.len();
        self.left -= len as u64;
        Ok(len)
    }
}

fn block(block_type: u32, body: &[u8]) -> Vec<u8> {
    let len = (body.len() as u32 + 12).to_le_bytes();
    [&block_type.to_le_bytes()[..], &len, body, &len].concat()
}

fn section() -> Vec<u8> {
    block(0x0a0d_0d0a, &[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255])
}

fn interface(link_type: u16) -> Vec<u8> {
    block(1, &[&link_type.to_le_bytes()[..], &[0; 6]].concat())
}

fn enhanced(interface: u32, packet: &[u8]) -> Vec<u8> {
    let len = packet.len() as u32;
    block(6, &[&interface.to_le_bytes()[..], &[0; 8], &len.to_le_bytes(), &len.to_le_bytes(), packet].concat())
}

fn pcap(snaplen: u32) -> Vec<u8> {
    [0xa1b2_c3d4, 0x0004_0002, 0, 0, snaplen, 1].into_iter().flat_map(u32::to_le_bytes).collect()
}

fn record(captured_len: u32) -> Vec<u8> {
    [0, 0, captured_len, captured_len].into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Reads to the end. Returns the number of packets and the anomalies.
fn read(source: impl Read + Send + 'static) -> (u64, Vec<AnomalyKind>) {
    let mut reader = CaptureReader::from_read(source, "test").unwrap();
    let mut segments: Vec<Segment> = Vec::new();
    while reader.read_batch(&mut segments, 4096) {
        segments.clear();
    }
    let summary = reader.summary();
    (summary.packets, summary.anomalies.iter().map(|a| a.kind).collect())
}

#[track_caller]
fn check(most: usize, packets: u64, anomalies: &[AnomalyKind], source: impl Read + Send + 'static) {
    let (used, (seen, kinds)) = peak(|| read(source));
    assert_eq!((seen, &kinds[..]), (packets, anomalies));
    assert!(used <= most, "{used} bytes held");
}

#[test]
fn ten_million_interfaces() {
    let _alone = alone();
    // Interfaces that packets may name are kept, up to a maximum number.
    let source = Endless::new(&section(), &interface(1), 10_000_000);
    check(16 * MIB, 1, &[AnomalyKind::UnknownInterface], source.chain(Cursor::new(enhanced(9_999_999, &[0; 60]))));
}

#[test]
fn a_million_sections_with_an_interface_each() {
    let _alone = alone();
    let unit = [section(), interface(1)].concat();
    check(MIB, 0, &[], Endless::new(&[], &unit, 1_000_000));
}

#[test]
fn link_types_without_number() {
    let _alone = alone();
    let head: Vec<u8> = [section()].into_iter().chain((0..60_000).map(interface)).flatten().collect();
    let unit: Vec<u8> = (0..60_000).flat_map(|i| enhanced(i, &[])).collect();
    let kinds = [AnomalyKind::MalformedHeader, AnomalyKind::UnsupportedLinkType];
    check(16 * MIB, 600_000, &kinds, Endless::new(&head, &unit, 10));
}

#[test]
fn blocks_that_hold_no_packets() {
    let _alone = alone();
    // Name resolution, statistics and custom blocks with arbitrary content.
    for block_type in [4, 5, 0xbad, 0x4000_0bad] {
        check(MIB, 0, &[], Endless::new(&section(), &block(block_type, &vec![0xee; 1 << 16]), 1000));
    }
    // Options that fill one of the largest accepted blocks.
    let options = [0xe7, 0x03, 0, 0].repeat((16 << 20) / 4 - 8);
    let body = [&[1, 0, 0, 0, 0, 0, 0, 0][..], &options].concat();
    check(LARGEST_RECORDS, 0, &[], Endless::new(&section(), &block(1, &body), 3));
}

#[test]
fn a_call_goes_through_a_bounded_number_of_bytes() {
    let _alone = alone();
    let blocks = Endless::new(&section(), &block(5, &vec![0; 1 << 16]), 4000);
    let mut reader = CaptureReader::from_read(blocks, "test").unwrap();
    let mut calls = 0;
    let mut before = 0;
    while reader.read_batch(&mut Vec::new(), 1) {
        calls += 1;
        assert!(reader.bytes_read() - before < 80 << 20);
        before = reader.bytes_read();
    }
    assert!(calls >= 3, "{calls}");
}

#[test]
fn lengths_are_not_believed_before_the_bytes_are_there() {
    let _alone = alone();
    let claim = |len: u32| [&[5, 0, 0, 0][..], &len.to_le_bytes(), &[0; 1000]].concat();
    for (len, kind) in [
        (u32::MAX, AnomalyKind::CorruptRecord),
        (1 << 31, AnomalyKind::CorruptRecord),
        (16 << 20, AnomalyKind::TruncatedFile),
    ] {
        check(MIB, 0, &[kind], Cursor::new([section(), claim(len)].concat()));
        check(MIB, 0, &[kind], Cursor::new([pcap(u32::MAX), record(len), vec![0; 1000]].concat()));
    }
    // Many records of the largest accepted size.
    let unit = [record(16 << 20), vec![0; 16 << 20]].concat();
    check(LARGEST_RECORDS, 5, &[AnomalyKind::MalformedHeader], Endless::new(&pcap(u32::MAX), &unit, 5));
}

#[test]
fn zeros_without_end() {
    let _alone = alone();
    // Sixteen zeros are a record of an empty packet.
    let file = Endless::new(&pcap(65_535), &[0; 16], 2_000_000);
    check(MIB, 2_000_000, &[AnomalyKind::MalformedHeader], file);
    let failed = CaptureReader::from_read(io::repeat(0), "test").err().unwrap();
    assert!(matches!(failed, CaptureError::Unknown { .. }), "{failed}");
    assert!(peak(|| CaptureReader::from_read(io::repeat(0), "test").is_err()).0 < MIB);
}

#[test]
fn what_decompresses_to_a_thousand_times_its_size() {
    let _alone = alone();
    let zeros = vec![0; 4 << 20];
    let mut gzip = flate2::read::GzEncoder::new(Cursor::new(&zeros), flate2::Compression::best());
    let mut member = Vec::new();
    gzip.read_to_end(&mut member).unwrap();
    let mut head = Vec::new();
    flate2::read::GzEncoder::new(Cursor::new(pcap(65_535)), flate2::Compression::fast())
        .read_to_end(&mut head)
        .unwrap();
    let packets = 4 * (4 << 20) / 16;
    check(MIB, packets, &[AnomalyKind::MalformedHeader], Endless::new(&head, &member, 4));
    let head = zstd::encode_all(&pcap(65_535)[..], 1).unwrap();
    let frame = zstd::encode_all(&zeros[..], 1).unwrap();
    drop(zeros);
    check(MIB, packets, &[AnomalyKind::MalformedHeader], Endless::new(&head, &frame, 4));
    // Empty members, and frames to be skipped.
    let mut empty = Vec::new();
    flate2::read::GzEncoder::new(io::empty(), flate2::Compression::fast()).read_to_end(&mut empty).unwrap();
    assert!(peak(|| CaptureReader::from_read(Endless::new(&[], &empty, 500_000), "test").is_err()).0 < MIB);
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
    assert!(peak(|| CaptureReader::from_read(Endless::new(&[], &skipped, 500_000), "test").is_err()).0 < MIB);
}

/// A zstd frame with a window of 2^`log` bytes, of one raw block.
fn zstd_frame(log: u8, content: &[u8]) -> Vec<u8> {
    let header = ((content.len() as u32) << 3 | 1).to_le_bytes();
    [&[0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3], &header[..3], content].concat()
}

#[test]
fn a_zstd_window_over_128_mib_is_refused() {
    let _alone = alone();
    let file = [pcap(65_535), record(4), vec![1; 4]].concat();
    assert_eq!(read(Cursor::new(zstd_frame(27, &file))).0, 1);
    for log in [28, 31, 41] {
        let failed = CaptureReader::from_read(Cursor::new(zstd_frame(log, &file)), "test").err().unwrap();
        assert!(matches!(failed, CaptureError::Compression { .. }), "{failed}");
        assert_eq!(failed.to_string().lines().count(), 1);
    }
}

#[test]
fn captures_that_wait_to_be_merged_hold_little() {
    let _alone = alone();
    let packet = [record(60), vec![0xff; 60]].concat();
    let open = || CaptureReader::from_read(Endless::new(&pcap(65_535), &packet, 10_000), "test").unwrap();
    let (used, merged) = peak(|| MergedReader::new((0..200).map(|_| open()).collect()));
    drop(merged);
    // `Endless` itself has 64 kB.
    assert!(used < 200 * (110 << 10), "{used}");
}
