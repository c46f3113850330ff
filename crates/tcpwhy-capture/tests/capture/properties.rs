use std::io::Cursor;

use proptest::prelude::*;
use tcpwhy_capture::{CaptureReader, decode_frame};
use tcpwhy_model::{Anomalies, Segment, Timestamp};

use crate::build::{
    Blocks, Drip, Magic, Order, PAYLOAD, Packet, ethernet, gzip, ipv4, ipv6, pcap, read, tcp_with, udp, zstd,
};

/// Frames of several kinds, cut anywhere, with times in whole nanoseconds below 2³² seconds.
fn packet() -> impl Strategy<Value = Packet> {
    let options = proptest::collection::vec(any::<u8>(), 0..=10)
        .prop_map(|words| words.into_iter().flat_map(|byte| [1, 1, byte, 2]).collect::<Vec<u8>>());
    let segment = (options, 0usize..1400)
        .prop_map(|(options, len)| tcp_with(5 + (options.len() / 4) as u8, &options, &PAYLOAD.repeat(300)[..len]));
    let captured = prop_oneof![
        4 => segment.clone().prop_map(|segment| ethernet(0x0800, &ipv4(6, &segment))),
        2 => segment.clone().prop_map(|segment| ethernet(0x86dd, &ipv6(6, &segment))),
        1 => segment.prop_map(|segment| ethernet(0x0800, &ipv4(17, &udp(4789, &[&[8, 0, 0, 0, 0, 0, 0, 0][..],
            &ethernet(0x0800, &ipv4(6, &segment))].concat())))),
        1 => proptest::collection::vec(any::<u8>(), 0..200),
    ];
    (0u64..4_000_000_000_000_000_000, captured, any::<prop::sample::Index>()).prop_map(|(nanos, captured, cut)| {
        let original_len = captured.len() as u32;
        let kept = cut.index(captured.len() + 1);
        Packet { nanos, captured: captured[..kept].to_vec(), original_len }
    })
}

fn packets() -> impl Strategy<Value = Vec<Packet>> {
    proptest::collection::vec(packet(), 0..20)
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::Little), Just(Order::Big)]
}

/// Ticks per second for a `tsresol`, by the specification, saturating.
fn ticks_per_second(tsresol: u8) -> u128 {
    let exponent = u32::from(tsresol & 0x7f);
    let per_second = if tsresol & 0x80 == 0 { 10u128.checked_pow(exponent) } else { 1u128.checked_shl(exponent) };
    per_second.unwrap_or(u128::MAX)
}

fn with_times(segments: &[Segment], time: impl Fn(&Segment) -> i64) -> Vec<Segment> {
    segments.iter().map(|segment| Segment { timestamp: Timestamp::from_nanos(time(segment)), ..*segment }).collect()
}

/// The expected segments, with the times of `packets`.
fn expected(packets: &[Packet]) -> Vec<Segment> {
    let mut anomalies = Anomalies::default();
    (1..)
        .zip(packets)
        .filter_map(|(number, packet)| {
            let time = Timestamp::from_nanos(packet.nanos as i64);
            decode_frame(1, &packet.captured, packet.original_len, number, time, &mut anomalies)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn all_forms_of_pcap_say_the_same(packets in packets(), order in order()) {
        let exact = expected(&packets);
        let (nanos, _) = read(&pcap(order, Magic::Nanos, 1, &packets)).unwrap();
        prop_assert_eq!(&nanos, &exact);
        let micros = with_times(&exact, |segment| segment.timestamp.as_nanos() / 1000 * 1000);
        for magic in [Magic::Micros, Magic::Modified] {
            let (segments, summary) = read(&pcap(order, magic, 1, &packets)).unwrap();
            prop_assert_eq!(&segments, &micros);
            prop_assert_eq!(summary.packets, packets.len() as u64);
        }
    }

    #[test]
    fn pcapng_says_the_same_at_any_resolution(packets in packets(), order in order(), tsresol: u8, is_obsolete: bool) {
        let per_second = ticks_per_second(tsresol);
        let largest = (u128::from(u64::MAX) * 1_000_000_000 / per_second).clamp(1, u128::from(u64::MAX)) as u64;
        let packets: Vec<Packet> =
            packets.into_iter().map(|packet| Packet { nanos: packet.nanos % largest, ..packet }).collect();
        let ticks: Vec<u128> = packets
            .iter()
            .map(|packet| if packet.nanos == 0 { 0 } else { u128::from(packet.nanos) * per_second / 1_000_000_000 })
            .collect();
        let mut blocks = Blocks::new(order);
        let options = [blocks.option(9, &[tsresol])];
        blocks.interface(1, 0, &options);
        for (packet, &ticks) in packets.iter().zip(&ticks) {
            let ticks = ticks as u64;
            if is_obsolete { blocks.obsolete(0, ticks, packet) } else { blocks.enhanced(0, ticks, packet) };
        }
        let (segments, summary) = read(&blocks.file).unwrap();
        let rounded = with_times(&expected(&packets), |segment| {
            let ticks = ticks[segment.number as usize - 1];
            if ticks == 0 { 0 } else { (ticks * 1_000_000_000 / per_second) as i64 }
        });
        prop_assert_eq!(segments, rounded);
        prop_assert_eq!(summary.packets, packets.len() as u64);
    }

    #[test]
    fn an_offset_moves_every_time(packets in packets(), order in order(), seconds in -2_000_000_000i64..2_000_000_000) {
        let mut blocks = Blocks::new(order);
        let options = [blocks.option(9, &[9]), blocks.option(14, &order.u64(seconds as u64))];
        blocks.interface(1, 0, &options);
        for packet in &packets {
            blocks.enhanced(0, packet.nanos, packet);
        }
        let (segments, _) = read(&blocks.file).unwrap();
        let moved = with_times(&expected(&packets), |segment| segment.timestamp.as_nanos() + seconds * 1_000_000_000);
        prop_assert_eq!(segments, moved);
    }

    #[test]
    fn neither_compression_nor_pieces_change_anything(
        packets in packets(), order in order(), step in 1usize..100, split: prop::sample::Index,
    ) {
        let file = pcap(order, Magic::Nanos, 1, &packets);
        let (plain, _) = read(&file).unwrap();
        let (first, second) = file.split_at(split.index(file.len()));
        for encoded in [
            file.clone(),
            gzip(&file),
            zstd(&file),
            [gzip(first), gzip(second)].concat(),
            [zstd(first), zstd(second)].concat(),
        ] {
            let drip = Drip { bytes: Cursor::new(encoded), step };
            let segments: Vec<Segment> = CaptureReader::from_read(drip, "drip").unwrap().collect();
            prop_assert_eq!(&segments, &plain);
        }
    }

    #[test]
    fn a_cut_anywhere_leaves_a_prefix(packets in packets(), order in order(), cut: prop::sample::Index) {
        let mut blocks = Blocks::new(order);
        blocks.interface(1, 0, &[]);
        for packet in &packets {
            blocks.enhanced(0, packet.nanos / 1000, packet);
        }
        for file in [pcap(order, Magic::Nanos, 1, &packets), blocks.file] {
            let (all, _) = read(&file).unwrap();
            for encoded in [file.clone(), gzip(&file), zstd(&file)] {
                if let Ok((segments, _)) = read(&encoded[..cut.index(encoded.len())]) {
                    prop_assert_eq!(&segments[..], &all[..segments.len()]);
                }
            }
        }
    }

    #[test]
    fn flipped_bytes_do_no_harm(
        packets in packets(), order in order(), flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut blocks = Blocks::new(order);
        blocks.interface(1, 0, &[]);
        for packet in &packets {
            blocks.enhanced(0, packet.nanos / 1000, packet);
        }
        for mut file in [pcap(order, Magic::Nanos, 1, &packets), gzip(&blocks.file), blocks.file] {
            for (at, mask) in &flips {
                let at = at.index(file.len());
                file[at] ^= mask;
            }
            if let Ok((segments, summary)) = read(&file) {
                prop_assert_eq!(summary.segments, segments.len() as u64);
                prop_assert!(segments.iter().zip(segments.iter().skip(1)).all(|(a, b)| a.number < b.number));
            }
        }
    }

    #[test]
    fn any_bytes_after_a_magic_number_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        for magic in [&b"\xd4\xc3\xb2\xa1\x02\0\x04\0"[..], b"\xa1\xb2\x3c\x4d\0\x02\0\x04", b"\x34\xcd\xb2\xa1\x02\0\x04\0",
            b"\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b""] {
            if let Ok((segments, summary)) = read(&[magic, &bytes].concat()) {
                prop_assert!(summary.packets >= segments.len() as u64);
            }
        }
    }

    #[test]
    fn any_bytes_of_any_link_type_do_no_harm(link_type in 0u32..300, bytes in proptest::collection::vec(any::<u8>(), 0..300), more in 0u32..3000) {
        let mut anomalies = Anomalies::default();
        let original_len = bytes.len() as u32 + more;
        if let Some(segment) = decode_frame(link_type, &bytes, original_len, 1, Timestamp::ZERO, &mut anomalies) {
            prop_assert!(segment.payload_len <= original_len.max(65_535));
        }
    }
}
