use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use tcpwhy_capture::{CaptureError, CaptureReader, MergedReader};
use tcpwhy_model::Segment;

use crate::build::{Blocks, Drip, Magic, Order, Packet, frame, gzip, pcap, read};

/// A file that is deleted after the test.
pub(crate) struct Temporary(pub(crate) PathBuf);

impl Temporary {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("tcpwhy-capture-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A capture many times longer than one read.
fn long_capture() -> Vec<u8> {
    let packets: Vec<Packet> = (0..9000u64)
        .map(|number| {
            let mut captured = frame();
            captured.resize(1000 + (number * 37 % 500) as usize, number as u8);
            Packet::new(number * 1_000_000, captured)
        })
        .collect();
    pcap(Order::Little, Magic::Nanos, 1, &packets)
}

fn drain(reader: &mut CaptureReader, max: usize) -> Vec<Segment> {
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, max) {}
    segments
}

#[test]
fn a_file_reads_like_a_stream() {
    let bytes = long_capture();
    let (expected, _) = read(&bytes).unwrap();
    assert_eq!(expected.len(), 9000);
    let file = Temporary::new("file.pcap", &bytes);
    for max in [1, 1000, usize::MAX] {
        let mut reader = CaptureReader::open(&file.0).unwrap();
        assert_eq!(reader.bytes_total(), Some(bytes.len() as u64));
        assert!(drain(&mut reader, max) == expected, "batches of {max}");
        assert_eq!(reader.bytes_read(), bytes.len() as u64);
        assert!(reader.summary().anomalies.is_empty());
    }
    let dripping = Drip { bytes: Cursor::new(bytes), step: 700 };
    let mut reader = CaptureReader::from_read(dripping, "drip").unwrap();
    assert!(drain(&mut reader, 64) == expected);
    assert_eq!(reader.bytes_total(), None);
}

#[test]
fn a_block_longer_than_what_is_read_at_a_time_is_stepped_over() {
    let mut blocks = Blocks::new(Order::Little);
    blocks.interface(1, 0, &[]).block(0x0bad_beef, &vec![7; 9 << 20]).enhanced(0, 5, &Packet::new(0, frame()));
    let file = Temporary::new("long-block.pcapng", &blocks.file);
    let mut reader = CaptureReader::open(&file.0).unwrap();
    assert_eq!(reader.by_ref().count(), 1);
    assert!(reader.summary().anomalies.is_empty());
}

#[test]
fn progress_of_a_compressed_file_is_in_compressed_bytes() {
    let bytes = gzip(&long_capture());
    let file = Temporary::new("compressed.pcap.gz", &bytes);
    let mut reader = CaptureReader::open(&file.0).unwrap();
    assert_eq!(reader.bytes_total(), Some(bytes.len() as u64));
    assert_eq!(reader.by_ref().count(), 9000);
    assert_eq!(reader.bytes_read(), bytes.len() as u64);
}

#[test]
fn iterating_and_batches_mix() {
    let (expected, _) = read(&long_capture()).unwrap();
    let mut reader = CaptureReader::from_read(Cursor::new(long_capture()), "test").unwrap();
    let mut segments = vec![reader.next().unwrap()];
    assert!(reader.read_batch(&mut segments, 5));
    assert_eq!(segments.len(), 6);
    segments.extend(reader.by_ref());
    assert!(segments == expected);
    assert!(!reader.read_batch(&mut segments, 5));
}

#[test]
fn a_long_stretch_without_tcp_is_handed_over_in_turns() {
    let packets = vec![Packet::new(0, vec![0xff; 14]); 300_000];
    let mut reader =
        CaptureReader::from_read(Cursor::new(pcap(Order::Little, Magic::Nanos, 1, &packets)), "test").unwrap();
    let mut segments = Vec::new();
    assert!(reader.read_batch(&mut segments, 10));
    assert!(reader.summary().packets < 300_000);
    while reader.read_batch(&mut segments, 10) {}
    assert_eq!((segments.len(), reader.summary().packets), (0, 300_000));
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    let missing = CaptureReader::open(Path::new("/nonexistent/x.pcap")).err().unwrap().to_string();
    assert!(missing.starts_with("cannot open /nonexistent/x.pcap: "), "{missing}");
    let folder = CaptureReader::open(&std::env::temp_dir());
    assert!(matches!(folder, Err(CaptureError::Open { .. })));
    let empty = Temporary::new("empty.pcap", b"");
    assert!(matches!(CaptureReader::open(&empty.0), Err(CaptureError::Empty { .. })));
}

#[test]
fn readers_may_move_between_threads() {
    fn is_send<T: Send>() {}
    is_send::<CaptureReader>();
    is_send::<MergedReader>();
}

fn capture(times: &[u64]) -> CaptureReader {
    let packets: Vec<Packet> = times.iter().map(|seconds| Packet::new(seconds * 1_000_000_000, frame())).collect();
    let file = pcap(Order::Little, Magic::Nanos, 1, &packets);
    CaptureReader::from_read(Cursor::new(file), "test").unwrap()
}

#[track_caller]
fn check_merge(captures: &[&[u64]], merged: &[u64]) {
    for max in [1, 3, 1000] {
        let mut reader = MergedReader::new(captures.iter().map(|times| capture(times)).collect());
        let mut segments = Vec::new();
        while reader.read_batch(&mut segments, max) {}
        let times: Vec<u64> =
            segments.iter().map(|segment| segment.timestamp.as_nanos() as u64 / 1_000_000_000).collect();
        assert_eq!(times, merged, "batches of {max}");
        let packets: Vec<u64> = reader.summaries().iter().map(|summary| summary.packets).collect();
        assert_eq!(packets, captures.iter().map(|times| times.len() as u64).collect::<Vec<_>>());
    }
}

#[test]
fn captures_merge_by_time() {
    check_merge(&[&[1, 4, 7], &[2, 3, 8, 9], &[5]], &[1, 2, 3, 4, 5, 7, 8, 9]);
    check_merge(&[&[5, 6], &[1, 2, 3], &[]], &[1, 2, 3, 5, 6]);
    check_merge(&[&[1, 9, 2, 3], &[4, 5]], &[1, 4, 5, 9, 2, 3]);
    check_merge(&[], &[]);
    let even: Vec<u64> = (0..3000).map(|n| n * 2).collect();
    let odd: Vec<u64> = (0..3000).map(|n| n * 2 + 1).collect();
    check_merge(&[&even, &odd], &(0..6000).collect::<Vec<_>>());
}
