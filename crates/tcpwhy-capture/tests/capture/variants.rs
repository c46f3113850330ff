//! Variants of pcap that share a magic number.

use proptest::prelude::*;
use tcpwhy_capture::CaptureFormat;
use tcpwhy_model::{AnomalyKind, CaptureStatus};

use crate::build::{Magic, Order, Packet, frame, kinds, pcap, read};

/// Times are 0.25 s apart, so fractions are below and above the largest packet length.
fn packets(count: u64) -> Vec<Packet> {
    (0..count).map(|n| Packet::new(1_700_000_000_100_000_000 + n * 250_000_000, frame())).collect()
}

/// `file` with `extra` bytes after the 16 bytes of each record header.
fn with_longer_headers(file: &[u8], order: Order, extra: &[u8]) -> Vec<u8> {
    let mut longer = file[..24].to_vec();
    let mut rest = &file[24..];
    while let Some((header, more)) = rest.split_first_chunk::<16>() {
        let len = [header[8], header[9], header[10], header[11]];
        let len = if order == Order::Little { u32::from_le_bytes(len) } else { u32::from_be_bytes(len) };
        let (packet, more) = more.split_at((len as usize).min(more.len()));
        longer.extend([&header[..], extra, packet].concat());
        rest = more;
    }
    longer
}

const NOKIA: &[u8] = &[0, 1, 0, 2];
const MODIFIED: &[u8] = &[1, 0, 0, 0, 8, 0, 4, 0];
const SEPTEMBER: &[u8] = &[0, 0, 0, 0];

#[test]
fn records_show_the_variant() {
    for order in [Order::Little, Order::Big] {
        for (magic, extra, format) in [
            (Magic::Micros, NOKIA, CaptureFormat::PcapNokia),
            (Magic::Micros, MODIFIED, CaptureFormat::PcapModified),
            (Magic::Modified, SEPTEMBER, CaptureFormat::PcapModified),
        ] {
            let plain = pcap(order, Magic::Micros, 1, &packets(20));
            let (expected, _) = read(&plain).unwrap();
            let file = if magic == Magic::Modified {
                let mut file = with_longer_headers(&plain, order, &[MODIFIED, extra].concat());
                file[..4].copy_from_slice(&pcap(order, magic, 1, &[])[..4]);
                file
            } else {
                with_longer_headers(&plain, order, extra)
            };
            let (segments, summary) = read(&file).unwrap();
            assert_eq!((segments, summary.format, kinds(&summary)), (expected, format, vec![]));
        }
    }
}

/// Two records are enough if the file ends after them, one is not.
#[test]
fn short_files_are_read_too() {
    for count in [2, 3] {
        let file = with_longer_headers(&pcap(Order::Little, Magic::Micros, 1, &packets(count)), Order::Little, NOKIA);
        let (segments, summary) = read(&file).unwrap();
        assert_eq!((segments.len() as u64, summary.format), (count, CaptureFormat::PcapNokia));
    }
}

#[test]
fn ixia_files_have_a_longer_header() {
    for order in [Order::Little, Order::Big] {
        for (number, magic) in [(0x1c00_01ab, Magic::Micros), (0x1c00_01ac, Magic::Nanos)] {
            let plain = pcap(order, magic, 1, &packets(5));
            let records = (plain.len() - 24) as u32;
            let file = [&order.u32(number)[..], &plain[4..24], &order.u32(records), &plain[24..]].concat();
            let (segments, summary) = read(&file).unwrap();
            assert_eq!((segments, kinds(&summary)), (read(&plain).unwrap().0, vec![]));
        }
    }
}

#[test]
fn records_that_fit_no_variant_are_said() {
    // Twelve more bytes per record, which no known variant has.
    let file = with_longer_headers(&pcap(Order::Little, Magic::Micros, 1, &packets(20)), Order::Little, &[7; 12]);
    let (segments, summary) = read(&file).unwrap();
    assert!(segments.is_empty(), "{segments:?}");
    assert!(kinds(&summary).contains(&AnomalyKind::UnknownRecords), "{:?}", summary.anomalies);
    assert_eq!(summary.status(), CaptureStatus::Failed);
    // A single mistake of a writer, or an incomplete second record, does not count as unknown.
    let mut nanos = pcap(Order::Little, Magic::Micros, 1, &packets(4));
    let second = 24 + 16 + frame().len();
    nanos[second + 4..second + 8].copy_from_slice(&1_000_000u32.to_le_bytes());
    assert_eq!(kinds(&read(&nanos).unwrap().1), [AnomalyKind::ImpossibleFraction]);
    assert_eq!(kinds(&read(&nanos[..second + 10]).unwrap().1), [AnomalyKind::TruncatedFile]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Arbitrary lengths, times and snap lengths. A standard file is never read as a variant.
    #[test]
    fn each_file_is_its_own_variant(
        lens in proptest::collection::vec((1usize..3000, 0u64..40_000_000_000), 3..10),
        variant in 0usize..3,
        order in prop_oneof![Just(Order::Little), Just(Order::Big)],
        filler in any::<u8>(),
    ) {
        let mut nanos = 1_000_000_000_000_000_000;
        let packets: Vec<Packet> = lens.into_iter().map(|(len, step)| {
            nanos += step;
            Packet { nanos, captured: vec![filler; len], original_len: len as u32 + 40 }
        }).collect();
        let plain = pcap(order, Magic::Micros, 1, &packets);
        let (extra, format) = [
            (&[][..], CaptureFormat::Pcap), (NOKIA, CaptureFormat::PcapNokia), (MODIFIED, CaptureFormat::PcapModified),
        ][variant];
        let (_, summary) = read(&with_longer_headers(&plain, order, extra)).unwrap();
        prop_assert_eq!((summary.format, summary.packets), (format, packets.len() as u64));
        prop_assert!(!kinds(&summary).contains(&AnomalyKind::UnknownRecords));
    }
}
