//! Reads bytes as a capture, whole and in pieces, and compares the results.

use std::io::{Cursor, Read};

use tcpwhy_capture::CaptureReader;
use tcpwhy_model::Segment;

pub fn check(file: &[u8]) {
    // The number of bytes that a decompressor returns before damage depends on the size of the reads.
    let is_compressed =
        matches!(file, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    let whole = read(Cursor::new(file.to_vec()), 1 << 20);
    let drip = read(Drip { bytes: Cursor::new(file.to_vec()), step: 1 + file.len() % 97 }, 1 + file.len() % 5);
    match (whole, drip) {
        _ if is_compressed => {}
        (Some(whole), Some(drip)) => assert_eq!(whole, drip),
        (whole, drip) => assert_eq!(whole.is_none(), drip.is_none()),
    }
}

fn read(source: impl Read + Send + 'static, max: usize) -> Option<Vec<Segment>> {
    let mut reader = CaptureReader::from_read(source, "fuzz").ok()?;
    reader.hear_kernel(Box::new(|list| assert!(list.len() <= 4 << 20)));
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, max) {}
    let summary = reader.summary();
    assert_eq!(summary.segments, segments.len() as u64);
    assert_eq!(summary.packets, summary.segments + summary.skipped);
    assert!(reader.error().is_none());
    assert!(segments.is_sorted_by_key(|segment| segment.number));
    Some(segments)
}

struct Drip {
    bytes: Cursor<Vec<u8>>,
    step: usize,
}

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(self.step);
        self.bytes.read(&mut buffer[..len])
    }
}
