use std::io::{self, Cursor, Read};

use tcpwhy_capture::{CaptureError, CaptureReader, MergedReader};
use tcpwhy_model::AnomalyKind;

use crate::build::{Blocks, Magic, Order, Packet, frame, gzip, kinds, pcap, read, zstd};

fn packets() -> Vec<Packet> {
    (0..4).map(|second| Packet::new(second * 1_000_000_000, frame())).collect()
}

fn pcapng() -> Vec<u8> {
    let mut blocks = Blocks::new(Order::Little);
    blocks.interface(1, 0, &[]);
    for (tick, packet) in (0..).zip(packets()) {
        blocks.enhanced(0, tick * 1_000_000, &packet);
    }
    blocks.file
}

/// Every truncation of `file` yields the segments that are complete, and is reported as truncated unless it
/// is between two records, which happens at `boundaries` places.
#[track_caller]
fn check_every_cut(file: &[u8], header_len: usize, boundaries: usize) {
    let (all, summary) = read(file).unwrap();
    assert_eq!((all.len(), kinds(&summary)), (4, vec![]));
    let mut seen = 0;
    let mut sound = 0;
    for cut in 0..file.len() {
        let Ok((segments, summary)) = read(&file[..cut]) else {
            assert!(cut < header_len, "a cut at {cut} is an error");
            continue;
        };
        assert_eq!(segments, all[..segments.len()], "cut at {cut}");
        assert!(segments.len() >= seen, "cut at {cut}");
        seen = segments.len();
        match kinds(&summary)[..] {
            [] => sound += 1,
            [AnomalyKind::TruncatedFile] => {}
            ref others => panic!("cut at {cut}: {others:?}"),
        }
    }
    assert_eq!((seen, sound), (3, boundaries));
}

#[test]
fn cut_files_give_what_lies_before_the_cut() {
    check_every_cut(&pcap(Order::Little, Magic::Micros, 1, &packets()), 24, 4);
    check_every_cut(&pcap(Order::Big, Magic::Modified, 1, &packets()), 24, 4);
    check_every_cut(&pcapng(), 16, 5);
}

/// Nanoseconds in a microsecond file, or damage.
#[test]
fn fractions_of_a_second_or_more_are_counted() {
    for (magic, limit) in [(Magic::Micros, 1_000_000_u32), (Magic::Nanos, 1_000_000_000)] {
        for order in [Order::Little, Order::Big] {
            let with_fraction = |fraction: u32| {
                let mut file = pcap(order, magic, 1, &packets());
                let record = 16 + frame().len();
                let bytes =
                    if matches!(order, Order::Little) { fraction.to_le_bytes() } else { fraction.to_be_bytes() };
                // The second and the fourth packet.
                for number in [1, 3] {
                    let at = 24 + number * record + 4;
                    file[at..at + 4].copy_from_slice(&bytes);
                }
                read(&file).unwrap()
            };
            let (segments, summary) = with_fraction(limit);
            assert_eq!(segments.len(), 4);
            let told: Vec<_> = summary.anomalies.iter().map(|a| (a.kind, a.count, a.first_packet)).collect();
            assert_eq!(told, [(AnomalyKind::ImpossibleFraction, 2, 2)]);
            assert_eq!(kinds(&with_fraction(limit - 1).1), []);
        }
    }
}

#[test]
fn cut_compression_is_told() {
    let file = pcap(Order::Little, Magic::Micros, 1, &packets());
    let compressed = gzip(&file);
    let (segments, summary) = read(&compressed[..compressed.len() - 1]).unwrap();
    assert_eq!((segments.len(), kinds(&summary)), (4, vec![AnomalyKind::CorruptCompression]));
    for cut in 0..compressed.len() {
        if let Ok((segments, summary)) = read(&compressed[..cut]) {
            assert!(segments.len() <= 4);
            assert!(kinds(&summary).contains(&AnomalyKind::CorruptCompression), "cut at {cut}");
        }
    }
    let members = [gzip(&file[..200]), gzip(&file[200..])].concat();
    let (segments, _) = read(&members[..members.len() - 5]).unwrap();
    assert!(segments.len() >= 2, "what the first member holds is not lost");
    let compressed = zstd(&file);
    for cut in 0..compressed.len() {
        let outcome = read(&compressed[..cut]);
        assert!(outcome.is_err() || kinds(&outcome.unwrap().1).contains(&AnomalyKind::CorruptCompression));
    }
}

#[test]
fn a_record_of_impossible_length_ends_the_capture() {
    let mut file = pcap(Order::Little, Magic::Micros, 1, &packets());
    let third = 24 + 2 * (16 + frame().len());
    file[third + 8..third + 12].copy_from_slice(&0x7fff_ffffu32.to_le_bytes());
    let (segments, summary) = read(&file).unwrap();
    let anomaly = summary.anomalies.iter().next().unwrap();
    assert_eq!((segments.len(), anomaly.kind, anomaly.first_packet), (2, AnomalyKind::CorruptRecord, 3));

    for len in [0u32, 8, 0x7fff_fffc] {
        let mut blocks = Blocks::new(Order::Little);
        blocks.interface(1, 0, &[]).enhanced(0, 0, &packets()[0]);
        let at = blocks.file.len();
        blocks.enhanced(0, 1, &packets()[1]);
        blocks.file[at + 4..at + 8].copy_from_slice(&len.to_le_bytes());
        let (segments, summary) = read(&blocks.file).unwrap();
        assert_eq!((segments.len(), kinds(&summary)), (1, vec![AnomalyKind::CorruptRecord]), "{len}");
    }
}

#[test]
fn block_lengths_that_disagree_end_the_capture() {
    let mut file = pcapng();
    let last = file.len() - 4;
    file[last] ^= 4;
    let (segments, summary) = read(&file).unwrap();
    assert_eq!((segments.len(), kinds(&summary)), (3, vec![AnomalyKind::CorruptRecord]));
}

#[test]
fn a_packet_longer_than_its_block_costs_only_itself() {
    let mut blocks = Blocks::new(Order::Little);
    blocks.interface(1, 0, &[]);
    let at = blocks.file.len();
    blocks.enhanced(0, 0, &packets()[0]).enhanced(0, 1, &packets()[1]);
    blocks.file[at + 20..at + 24].copy_from_slice(&9999u32.to_le_bytes());
    let (segments, summary) = read(&blocks.file).unwrap();
    assert_eq!((segments.len(), kinds(&summary)), (1, vec![AnomalyKind::CorruptRecord]));
}

#[track_caller]
fn check_refused(file: &[u8], message: &str) {
    assert_eq!(read(file).unwrap_err().to_string(), message);
}

#[test]
fn what_is_no_capture_is_refused_in_one_line() {
    check_refused(b"", "not a capture file: test is empty");
    check_refused(&gzip(b""), "not a capture file: test is empty");
    check_refused(&[1, 2, 3, 4, 5], "not a capture file: test (neither pcap nor pcapng; begins with 01 02 03 04)");
    check_refused(b"0.000 > S 0:0(0)\n", "not a pcap or pcapng file: test looks like plain text");
    check_refused(b"snoop\0\0\0\0\0\0\x02", "not a pcap or pcapng file: test looks like a Sun snoop capture");
    check_refused(
        b"\xfd7zXZ\0....",
        "not a pcap or pcapng file: test looks like an xz-compressed file; decompress it first",
    );
    check_refused(
        &pcap(Order::Little, Magic::Micros, 1, &[])[..20],
        "not a readable capture file: test ends within its file header, after 20 bytes",
    );
    let mut old = pcap(Order::Little, Magic::Micros, 1, &[]);
    old[4] = 1;
    check_refused(&old, "not a readable capture file: test is pcap version 1.4");
    let mut section = Blocks::new(Order::Little).file;
    section[8] = 0;
    check_refused(&section, "not a readable capture file: test has a corrupt file header");
}

#[test]
fn endace_captures_are_recognised_without_a_magic_number() {
    let record = [0, 0, 0, 0x80, 0x10, 0x20, 0x30, 0x5a, 2, 4, 0, 78, 0, 0, 0, 60, 0, 0];
    let mut file = record.to_vec();
    file.resize(78, 0);
    let unknown = "not a capture file: test (neither pcap nor pcapng; begins with 00 00 00 80)";
    check_refused(&file, unknown);
    check_refused(&file.repeat(2), "not a pcap or pcapng file: test looks like an Endace ERF capture");
}

/// A reader that fails after its bytes, like a failing disk.
struct Failing(Cursor<Vec<u8>>);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            len => Ok(len),
        }
    }
}

/// A capture longer than the part examined at opening, and cut within the last packet.
fn cut_capture() -> Vec<u8> {
    let many: Vec<Packet> = (0..20).map(|second| Packet::new(second * 1_000_000_000, frame())).collect();
    let mut file = pcap(Order::Little, Magic::Micros, 1, &many);
    file.truncate(file.len() - 1);
    file
}

#[track_caller]
fn check_fails(reader: CaptureReader, packets: u64, message: &str) {
    let mut reader = reader;
    assert_eq!(reader.by_ref().count() as u64, packets);
    let summary = reader.summary();
    assert_eq!((summary.packets, kinds(&summary)), (packets, vec![AnomalyKind::ReadError]));
    assert_eq!(summary.anomalies.iter().next().unwrap().first_packet, packets + 1);
    assert_eq!(reader.error().unwrap().to_string(), message);
    assert_eq!(reader.into_error().unwrap().to_string(), message);
}

#[test]
fn a_failure_to_read_on_is_told_beside_what_was_read() {
    let file = cut_capture();
    let offset = file.len() - (16 + frame().len() - 1);
    let message = format!("cannot read test beyond byte {offset} (after packet 19): the disk is gone");
    let failing = CaptureReader::from_read(Failing(Cursor::new(file)), "test").unwrap();
    check_fails(failing, 19, &message);
}

#[test]
fn a_failure_between_packets_is_told_too() {
    let file = pcap(Order::Little, Magic::Micros, 1, &packets());
    let message = format!("cannot read test beyond byte {} (after packet 4): the disk is gone", file.len());
    // The failure occurs at opening, and earlier bytes are still delivered.
    let failing = CaptureReader::from_read(Failing(Cursor::new(file)), "test").unwrap();
    check_fails(failing, 4, &message);
}

#[test]
fn a_failing_disk_is_told_from_damaged_compression() {
    // Flushed in the middle, so that the bytes before the failure can be decompressed.
    let file = cut_capture();
    let compressed = [gzip(&file[..1000]), gzip(&file[1000..])].concat();
    let disk = Failing(Cursor::new(compressed[..compressed.len() - 20].to_vec()));
    let mut reader = CaptureReader::from_read(disk, "test").unwrap();
    let packets = reader.by_ref().count() as u64;
    assert!(packets > 0);
    assert_eq!(kinds(&reader.summary()), [AnomalyKind::ReadError]);
    let message = reader.into_error().unwrap().to_string();
    assert!(message.ends_with(&format!("(after packet {packets}): the disk is gone")), "{message}");
}

#[test]
fn a_failure_before_anything_was_read_is_an_error() {
    for begin in [&b""[..], b"\xd4\xc3\xb2\xa1\x02\0", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"] {
        let failed = CaptureReader::from_read(Failing(Cursor::new(begin.to_vec())), "test").err().unwrap();
        assert!(matches!(failed, CaptureError::Read { packets: 0, .. }), "{failed}");
        assert!(failed.to_string().ends_with(": the disk is gone"), "{failed}");
    }
}

#[test]
fn a_failing_capture_does_not_end_those_merged_with_it() {
    let whole = CaptureReader::from_read(Cursor::new(pcap(Order::Little, Magic::Micros, 1, &packets())), "a").unwrap();
    let failing = CaptureReader::from_read(Failing(Cursor::new(cut_capture())), "b").unwrap();
    let mut merged = MergedReader::new(vec![failing, whole]);
    let mut segments = Vec::new();
    while merged.read_batch(&mut segments, 10) {}
    assert_eq!(segments.len(), 19 + 4);
    let kinds: Vec<_> = merged.summaries().iter().map(kinds).collect();
    assert_eq!(kinds, [vec![AnomalyKind::ReadError], vec![]]);
    let errors = merged.into_errors();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().starts_with("cannot read b beyond byte "), "{}", errors[0]);
}

/// The kernel refuses to read this process's memory at address 0.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let failed = CaptureReader::open("/proc/self/mem".as_ref()).err().unwrap();
    let message = failed.to_string();
    assert!(message.starts_with("cannot read /proc/self/mem beyond byte 0 "), "{message}");
}

/// Endless devices are examined and refused.
#[cfg(target_os = "linux")]
#[test]
fn endless_devices_are_refused() {
    for device in ["/dev/zero", "/dev/full"] {
        let failed = CaptureReader::open(device.as_ref()).err().unwrap();
        let message = format!("not a capture file: {device} (neither pcap nor pcapng; begins with 00 00 00 00)");
        assert_eq!(failed.to_string(), message);
    }
}

/// A capture of packets, then zeros: gigabytes of records of empty packets. It compresses by a factor of a
/// thousand or more.
fn growing(zeros: usize, compress: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    const PIECE: usize = 4 << 20;
    let begin = pcap(Order::Little, Magic::Micros, 1, &packets());
    [compress(&begin), compress(&vec![0; PIECE]).repeat(zeros / PIECE)].concat()
}

#[track_caller]
fn check_growth(file: &[u8], free: u64, expected: &[AnomalyKind]) -> u64 {
    let mut reader = CaptureReader::from_read(Cursor::new(file.to_vec()), "test").unwrap();
    reader.may_grow(free);
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, 1 << 20) {}
    let summary = reader.summary();
    let of_zeros = [AnomalyKind::MalformedHeader, AnomalyKind::ClockStep];
    let noted: Vec<_> = kinds(&summary).into_iter().filter(|kind| !of_zeros.contains(kind)).collect();
    assert_eq!((segments.len(), &noted[..]), (4, expected));
    assert!(reader.error().is_none());
    summary.packets
}

#[test]
fn compressed_bytes_grow_to_a_bound() {
    const ZEROS: usize = 64 << 20;
    let growth = [AnomalyKind::ExcessiveGrowth];
    let file = growing(ZEROS, zstd);
    let always = 1000 * file.len() as u64;
    assert!(always < ZEROS as u64 / 4, "{} bytes", file.len());
    // The bytes before count too. Records of zeros have 16 bytes.
    for free in [0, 8 << 20] {
        let packets = check_growth(&file, free, &growth);
        let least = (always / 2).max(free) / 16;
        assert!((least..=(always + free) / 16).contains(&packets), "{packets} of {free}");
    }
    assert_eq!(check_growth(&file, ZEROS as u64, &[]), 4 + ZEROS as u64 / 16);
    // A smaller ratio never stops the reading, at any size.
    let packets: Vec<Packet> = (0..4).map(|second| Packet::new(second * 1_000_000_000, frame())).collect();
    let small = pcap(Order::Little, Magic::Micros, 1, &packets);
    for file in [zstd(&small), gzip(&small)] {
        assert_eq!(check_growth(&file, 0, &[]), 4);
    }
}

/// Identical packets compress by more than a factor of 1000, and small attacks cost little, so 256 MiB are
/// read.
#[test]
fn a_monotone_capture_is_read() {
    const ZEROS: usize = 256 << 20;
    let file = growing(ZEROS, zstd);
    assert!(file.len() * 5000 < ZEROS, "{} bytes", file.len());
    let mut reader = CaptureReader::from_read(Cursor::new(file), "test").unwrap();
    while reader.read_batch(&mut Vec::new(), 1 << 20) {}
    assert_eq!(reader.summary().packets, 4 + ZEROS as u64 / 16);
}
