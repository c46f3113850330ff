//! Files that change while they are read.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::time::{Duration, SystemTime};

use tcpwhy_capture::{CaptureReader, CaptureSummary};
use tcpwhy_model::{AnomalyKind, Segment};

use crate::build::{Magic, Order, Packet, frame, gzip, kinds, pcap, read};
use crate::files::Temporary;

const PACKETS: usize = 3000;
const RECORD: usize = 16 + 1000;

/// A capture many times longer than one read, of incompressible random bytes, with times from `seconds` on.
fn capture(seconds: u64) -> Vec<u8> {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let packets: Vec<Packet> = (0..PACKETS as u64)
        .map(|number| {
            let mut captured = frame();
            captured.resize_with(1000, || {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                random as u8
            });
            Packet::new(seconds * 1_000_000_000 + number * 1_000_000, captured)
        })
        .collect();
    pcap(Order::Little, Magic::Nanos, 1, &packets)
}

/// Reads a file of `bytes`; `change` modifies it after a part was read.
fn changed(name: &str, bytes: &[u8], change: impl FnOnce(&mut File)) -> (Vec<Segment>, CaptureSummary) {
    let file = Temporary::new(name, bytes);
    let mut writer = OpenOptions::new().read(true).write(true).open(&file.0).unwrap();
    // File systems have coarse clocks, so the file is dated one minute back.
    writer.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    let mut reader = CaptureReader::open(&file.0).unwrap();
    let mut segments = Vec::new();
    assert!(reader.read_batch(&mut segments, 100));
    assert!(reader.bytes_read() < bytes.len() as u64 / 4);
    change(&mut writer);
    while reader.read_batch(&mut segments, 1000) {}
    assert!(reader.error().is_none());
    (segments, reader.summary())
}

#[track_caller]
fn check_is_cut(segments: &[Segment], summary: &CaptureSummary, all: &[Segment], packets: usize) {
    assert_eq!(kinds(summary), [AnomalyKind::ShrunkFile]);
    let anomaly = summary.anomalies.iter().next().unwrap();
    assert_eq!((summary.packets, anomaly.first_packet), (packets as u64, packets as u64 + 1));
    assert_eq!(segments, &all[..packets]);
}

#[test]
fn a_file_that_is_cut_gives_what_lies_before_the_cut() {
    let bytes = capture(5);
    let (all, _) = read(&bytes).unwrap();
    let kept = 24 + 2000 * RECORD;
    for more in [0, 1, 700] {
        let (segments, summary) = changed("cut.pcap", &bytes, |file| file.set_len((kept + more) as u64).unwrap());
        check_is_cut(&segments, &summary, &all, 2000);
    }
}

#[test]
fn a_file_that_is_cut_before_the_place_that_was_reached_ends_there() {
    let bytes = capture(5);
    let (all, _) = read(&bytes).unwrap();
    for len in [0, 24, 1000, 50_000] {
        let (segments, summary) = changed("emptied.pcap", &bytes, |file| file.set_len(len).unwrap());
        check_is_cut(&segments, &summary, &all, segments.len());
        assert!((100..1000).contains(&segments.len()), "{}", segments.len());
    }
}

#[test]
fn a_compressed_file_that_is_cut_is_told_from_a_damaged_one() {
    let bytes = capture(5);
    let (all, _) = read(&bytes).unwrap();
    for compressed in [gzip(&bytes), crate::build::zstd(&bytes)] {
        let half = compressed.len() as u64 / 2;
        let (segments, summary) = changed("cut.compressed", &compressed, |file| file.set_len(half).unwrap());
        check_is_cut(&segments, &summary, &all, segments.len());
        assert!((1000..1800).contains(&segments.len()), "{}", segments.len());
    }
}

#[test]
fn a_capture_that_is_begun_anew_does_not_mix_with_the_old_one() {
    let (old, new) = (capture(5), capture(70));
    let (all, _) = read(&old).unwrap();
    for len in [5000, 1_000_000, new.len()] {
        let (segments, summary) = changed("anew.pcap", &old, |file| {
            file.set_len(0).unwrap();
            file.write_all(&new[..len]).unwrap();
        });
        assert_eq!(kinds(&summary), [AnomalyKind::RewrittenFile], "{len}");
        assert!((100..1000).contains(&segments.len()), "{}", segments.len());
        assert_eq!(segments, &all[..segments.len()]);
    }
    let (segments, summary) = changed("anew.pcap.gz", &gzip(&old), |file| {
        file.set_len(0).unwrap();
        file.write_all(&gzip(&new)).unwrap();
    });
    assert_eq!(kinds(&summary), [AnomalyKind::RewrittenFile]);
    assert_eq!(segments, &all[..segments.len()]);
}

#[test]
fn what_is_written_over_is_told() {
    let bytes = capture(5);
    let (segments, summary) = changed("over.pcap", &bytes, |file| {
        file.seek(SeekFrom::Start((24 + 2000 * RECORD) as u64)).unwrap();
        file.write_all(&[0xff; 4 * RECORD]).unwrap();
    });
    assert_eq!(kinds(&summary), [AnomalyKind::RewrittenFile, AnomalyKind::CorruptRecord]);
    assert_eq!(segments.len(), 2000);
}

#[test]
fn a_capture_that_goes_on_is_read_as_far_as_it_was() {
    let bytes = capture(5);
    let (all, _) = read(&bytes).unwrap();
    let (segments, summary) = changed("growing.pcap", &bytes, |file| {
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(&bytes[24..24 + 10 * RECORD]).unwrap();
    });
    assert_eq!(kinds(&summary), []);
    assert_eq!(segments, all);
}

#[test]
fn a_file_that_another_takes_the_place_of_is_read_on() {
    let bytes = capture(5);
    let (all, _) = read(&bytes).unwrap();
    let file = Temporary::new("rotated.pcap", &bytes);
    let other = Temporary::new("rotated.pcap.new", &capture(70));
    let mut reader = CaptureReader::open(&file.0).unwrap();
    let mut segments = Vec::new();
    assert!(reader.read_batch(&mut segments, 100));
    fs::rename(&other.0, &file.0).unwrap();
    while reader.read_batch(&mut segments, 1000) {}
    assert_eq!(kinds(&reader.summary()), []);
    assert_eq!(segments, all);
}

/// The reader keeps its own position in the file.
#[test]
fn looking_at_a_growing_file_does_not_lose_the_place() {
    let bytes = capture(5);
    let (all, _) = read(&bytes).unwrap();
    let file = Temporary::new("busy.pcap", &bytes);
    let mut writer = OpenOptions::new().append(true).open(&file.0).unwrap();
    let mut reader = CaptureReader::open(&file.0).unwrap();
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, 50) {
        writer.write_all(&bytes[24..24 + RECORD]).unwrap();
    }
    assert_eq!(kinds(&reader.summary()), []);
    assert_eq!(segments, all);
    let mut grown = Vec::new();
    File::open(&file.0).unwrap().read_to_end(&mut grown).unwrap();
    assert!(grown.len() > bytes.len());
}
