//! The hash of an input covers all its bytes, which are read once.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::io::{Cursor, Write as _};

use sha2::{Digest as _, Sha256};
use tcpwhy_capture::CaptureReader;

const PACKETS: u32 = 40_000;

/// A pcap file of `packets` packets of 60 bytes, little-endian.
fn pcap(packets: u32) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 65_535, 1] {
        file.extend(word.to_le_bytes());
    }
    for second in 0..packets {
        for word in [second, 0, 60, 60] {
            file.extend(word.to_le_bytes());
        }
        file.extend([second.to_le_bytes()[0]; 60]);
    }
    file
}

/// The reader's hash after reading all of `bytes`, and before.
fn hashed(bytes: &[u8]) -> [Option<String>; 2] {
    let mut reader = CaptureReader::from_read_of(Cursor::new(bytes.to_vec()), bytes.len() as u64, "file").unwrap();
    let hash = reader.hash_content();
    let mut segments = Vec::new();
    let early = hash.hex();
    while reader.read_batch(&mut segments, 1000) {}
    [hash.hex(), early]
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

#[test]
fn the_hash_is_that_of_all_bytes() {
    for packets in [0, 1, PACKETS] {
        let file = pcap(packets);
        assert_eq!(hashed(&file)[0], Some(sha256(&file)), "{packets} packets");
    }
    let long = pcap(PACKETS);
    assert_eq!(hashed(&long)[1], None, "not read yet");
    // A compressed file is hashed as stored.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&long).unwrap();
    let gzip = gzip.finish().unwrap();
    assert_eq!(hashed(&gzip)[0], Some(sha256(&gzip)));
    let zstd = zstd::encode_all(&long[..], 1).unwrap();
    assert_eq!(hashed(&zstd)[0], Some(sha256(&zstd)));
    // The file ends within a packet, and all bytes were read.
    let cut = &long[..long.len() - 7];
    assert_eq!(hashed(cut)[0], Some(sha256(cut)));
}

/// If reading ended early, a partial hash would be wrong.
#[test]
fn damage_that_ends_reading_has_no_hash() {
    let mut file = pcap(PACKETS);
    let at = 24 + 76 * 10;
    file[at..at + 4000].fill(0xff);
    assert_ne!(hashed(&file)[0], Some(sha256(&pcap(PACKETS))));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&pcap(PACKETS)).unwrap();
    let mut gzip = gzip.finish().unwrap();
    let middle = gzip.len() / 2;
    gzip[middle..middle + 64].fill(0xaa);
    let [found, _] = hashed(&gzip);
    assert!(found.is_none() || found == Some(sha256(&gzip)), "{found:?}");
}

/// The first bytes are no longer available after reading began.
#[test]
fn who_asks_late_gets_none() {
    let file = pcap(PACKETS);
    let mut reader = CaptureReader::from_read(Cursor::new(file), "file").unwrap();
    let mut segments = Vec::new();
    reader.read_batch(&mut segments, 1);
    let hash = reader.hash_content();
    while reader.read_batch(&mut segments, 1000) {}
    assert_eq!(hash.hex(), None);
}
