use tcpwhy_capture::{CaptureFormat, CaptureReader, PcapngWriter, SIMULATED, Section, begins_like_capture};
use tcpwhy_model::{AnomalyKind, Span};

use crate::build::{
    Blocks, Magic, Order, Packet, at, frame, gzip, ipv4, kinds, pcap, read, read_sound, tcp, udp, zstd,
};

const T: u64 = 1_700_000_000_123_456_789;

fn packets() -> Vec<Packet> {
    vec![Packet::new(T, frame()), Packet::new(T + 1_000_001, frame())]
}

#[test]
fn pcap_in_all_its_forms() {
    for order in [Order::Little, Order::Big] {
        for (magic, format, unit) in [
            (Magic::Micros, CaptureFormat::Pcap, 1000),
            (Magic::Nanos, CaptureFormat::PcapNanos, 1),
            (Magic::Modified, CaptureFormat::PcapModified, 1000),
        ] {
            let (segments, summary) = read(&pcap(order, magic, 1, &packets())).unwrap();
            let times: Vec<i64> = segments.iter().map(|segment| segment.timestamp.as_nanos()).collect();
            assert_eq!(times, [T, T + 1_000_001].map(|nanos| (nanos / unit * unit) as i64));
            assert_eq!(segments.iter().map(|segment| segment.number).collect::<Vec<_>>(), [1, 2]);
            assert_eq!((summary.format, summary.packets, summary.segments, summary.skipped), (format, 2, 2, 0));
            assert_eq!(summary.link_types, [1]);
            assert_eq!(kinds(&summary), []);
        }
    }
}

/// The first bytes alone show the format of a file.
#[test]
fn a_capture_is_known_by_its_beginning() {
    let whole = pcap(Order::Big, Magic::Nanos, 1, &packets());
    let ng = Blocks::new(Order::Little).file;
    for (what, file, expected) in [
        ("pcap", whole.clone(), true),
        ("its header alone", whole[..24].to_vec(), true),
        ("pcapng", ng, true),
        ("gzip", gzip(&whole), true),
        ("zstd", zstd(&whole), true),
        ("gzip that is cut", gzip(&whole)[..40].to_vec(), true),
        ("half a header", whole[..20].to_vec(), false),
        ("text", b"# Captures\n".to_vec(), false),
        ("text in gzip", gzip(b"# Captures\n"), false),
        ("nothing", Vec::new(), false),
        ("nothing in gzip", gzip(b""), false),
        ("zeros", vec![0; 4096], false),
    ] {
        assert_eq!(begins_like_capture(std::io::Cursor::new(file)), expected, "{what}");
    }
}

#[test]
fn the_summary_counts_what_is_not_tcp_too() {
    let arp = Packet { nanos: T - 500, captured: vec![0xff; 42], original_len: 60 };
    let file = pcap(Order::Little, Magic::Nanos, 1, &[vec![arp], packets()].concat());
    let (segments, summary) = read(&file).unwrap();
    assert_eq!(segments[0].number, 2, "numbers count every packet");
    assert_eq!((summary.packets, summary.segments, summary.skipped), (3, 2, 1));
    assert_eq!(summary.captured_bytes, 42 + 2 * frame().len() as u64);
    assert_eq!(summary.original_bytes, 60 + 2 * frame().len() as u64);
    assert_eq!(summary.span, Some(Span::new(at(T as i64 - 500), at(T as i64 + 1_000_001))));
}

#[test]
fn a_frame_check_sequence_in_the_link_type_field_does_not_count() {
    // A super-packet, whose length comes from the frame: with the check sequence it would be four bytes too
    // long.
    let mut captured = crate::build::ethernet(0x0800, &crate::build::ipv4_with(6, 0, 0x4000, &tcp()));
    captured.extend([0xfc; 4]);
    let file = pcap(Order::Big, Magic::Nanos, 0x2400_0001, &[Packet::new(T, captured)]);
    let (segments, summary) = read(&file).unwrap();
    assert_eq!(summary.link_types, [1]);
    assert_eq!(segments[0].payload_len, 5);
}

#[test]
fn pcap_of_old_versions_has_lengths_the_other_way_round() {
    let packet = Packet { nanos: T, captured: frame(), original_len: 1500 };
    for minor in [2, 3] {
        let mut file = pcap(Order::Little, Magic::Micros, 1, std::slice::from_ref(&packet));
        file[6] = minor;
        let (first, second) = (32..36, 36..40);
        let captured_len = file[first.clone()].to_vec();
        file.copy_within(second.clone(), first.start);
        file[second].copy_from_slice(&captured_len);
        let (segments, summary) = read(&file).unwrap();
        assert_eq!((segments.len(), summary.original_bytes), (1, 1500), "version 2.{minor}");
    }
}

#[test]
fn pcapng_enhanced_and_obsolete_packets() {
    for order in [Order::Little, Order::Big] {
        let mut blocks = Blocks::new(order);
        blocks.interface(1, 0, &[]);
        blocks.enhanced(0, T / 1000, &packets()[0]);
        blocks.block(5, &[0; 20]).block(0x0bad_beef, b"odd length");
        blocks.obsolete(0, T / 1000 + 7, &packets()[1]);
        let segments = read_sound(&blocks.file);
        assert_eq!(segments.len(), 2);
        assert_eq!(segments[0].timestamp, at((T / 1000 * 1000) as i64), "microseconds where nothing else is said");
        assert_eq!(segments[1].timestamp.since(segments[0].timestamp), 7000);
    }
}

/// Interface, drops, time (high, low), captured and original length, each with a distinct value.
#[test]
fn pcapng_packet_blocks_field_by_field() {
    for order in [Order::Little, Order::Big] {
        let cut = Packet { nanos: 0, captured: frame(), original_len: 1514 };
        // 2^32 + 7 microseconds, more than the low word can represent.
        let ticks = (1 << 32) + 7;
        for is_obsolete in [false, true] {
            let mut blocks = Blocks::new(order);
            blocks.interface(147, 0, &[]).interface(1, 0, &[]);
            if is_obsolete {
                blocks.obsolete(1, ticks, &cut)
            } else {
                blocks.enhanced(1, ticks, &cut)
            };
            let (segments, summary) = read(&blocks.file).unwrap();
            assert_eq!(segments.len(), 1, "{order:?}");
            assert_eq!(summary.link_types, [1], "the second interface's");
            assert_eq!(segments[0].timestamp, at(4_294_967_303_000), "the high word of the time first");
            assert_eq!(summary.captured_bytes, frame().len() as u64, "captured length");
            assert_eq!(summary.original_bytes, 1514, "original length");
        }
    }
}

#[test]
fn pcapng_interfaces_count_time_each_their_own_way() {
    let mut blocks = Blocks::new(Order::Big);
    let resolution = |blocks: &Blocks, tsresol: u8| blocks.option(9, &[tsresol]);
    let nanos = [blocks.option(2, b"eth0"), resolution(&blocks, 9), blocks.option(0, b"")];
    let shifted = [blocks.option(14, &(-5i64).to_be_bytes()), resolution(&blocks, 0x80 | 1)];
    blocks.interface(1, 0, &nanos).interface(101, 0, &shifted);
    blocks.enhanced(1, 21, &Packet::new(0, ipv4(6, &tcp())));
    blocks.enhanced(0, 5_600_000_001, &Packet::new(0, frame()));
    let (segments, summary) = read(&blocks.file).unwrap();
    assert_eq!(segments[0].timestamp, at(21 * 500_000_000 - 5_000_000_000));
    assert_eq!(segments[1].timestamp, at(5_600_000_001));
    assert_eq!(summary.link_types, [101, 1]);
}

#[test]
fn block_lengths_without_the_padding_are_understood() {
    let mut blocks = Blocks::new(Order::Little);
    blocks.interface(1, 0, &[]);
    let at = blocks.file.len();
    blocks.block(0x0bad_beef, b"odd").enhanced(0, 5, &packets()[0]);
    for len_at in [at + 4, at + 12] {
        blocks.file[len_at] = 15;
    }
    assert_eq!(read_sound(&blocks.file).len(), 1);
}

#[test]
fn options_after_the_end_of_options_do_not_count() {
    let mut blocks = Blocks::new(Order::Little);
    let options = [blocks.option(0, b""), blocks.option(9, &[9])];
    blocks.interface(1, 0, &options).enhanced(0, 5, &packets()[0]);
    assert_eq!(read_sound(&blocks.file)[0].timestamp, at(5000));
}

#[test]
fn pcapng_sections_begin_anew() {
    let mut blocks = Blocks::new(Order::Little);
    blocks.interface(1, 0, &[]).enhanced(0, T / 1000, &packets()[0]);
    blocks.section(Order::Big).interface(101, 0, &[]);
    blocks.enhanced(0, T / 1000, &Packet::new(0, ipv4(6, &tcp())));
    let (segments, summary) = read(&blocks.file).unwrap();
    assert_eq!((segments.len(), kinds(&summary)), (2, vec![]));

    blocks.section(Order::Little).enhanced(0, T / 1000, &packets()[0]);
    let (segments, summary) = read(&blocks.file).unwrap();
    assert_eq!((segments.len(), summary.packets), (2, 3), "the third section describes no interface");
    assert_eq!(kinds(&summary), [AnomalyKind::UnknownInterface]);
}

#[test]
fn simple_packets_have_no_time_and_a_length_by_the_snap_length() {
    let long = [frame(), vec![0; 100]].concat();
    let mut blocks = Blocks::new(Order::Little);
    blocks.interface(1, 70, &[]).enhanced(0, 9, &packets()[0]);
    blocks.simple(&long[..70], long.len() as u32);
    blocks.simple(&long[..66], 66);
    let (segments, summary) = read(&blocks.file).unwrap();
    assert_eq!(segments.len(), 3);
    assert_eq!(segments[1].timestamp, at(9000), "the time of the packet before");
    assert_eq!(summary.captured_bytes, frame().len() as u64 + 70 + 66);
    assert_eq!(kinds(&summary), [AnomalyKind::MissingTimestamp, AnomalyKind::LengthFromFrame]);
    assert_eq!(summary.span, Some(Span::new(at(9000), at(9000))));
}

/// A snap length of 0 means no limit; padding beyond the snap length or the packet does not belong to the
/// packet.
#[test]
fn a_simple_packet_is_as_long_as_its_snap_length() {
    let long = [frame(), vec![0; 100]].concat();
    for (what, snaplen, block, original, captured) in [
        ("no snap length", 0, 120, 160, 120),
        ("no snap length, with padding", 0, 68, 66, 66),
        ("a snap length of 60", 60, 60, 160, 60),
        ("a snap length of 60, with more in the block", 60, 64, 160, 60),
        ("a snap length of more", 200, 120, 160, 120),
    ] {
        let mut blocks = Blocks::new(Order::Little);
        blocks.interface(1, snaplen, &[]).simple(&long[..block], original);
        let (_, summary) = read(&blocks.file).unwrap();
        assert_eq!((summary.packets, summary.captured_bytes), (1, captured), "{what}");
    }
}

#[test]
fn a_capture_without_packets_is_readable() {
    for file in [Blocks::new(Order::Big).file, pcap(Order::Little, Magic::Micros, 1, &[])] {
        let (segments, summary) = read(&file).unwrap();
        assert_eq!((segments.len(), summary.packets, summary.span, kinds(&summary)), (0, 0, None, vec![]));
    }
}

#[test]
fn compression_is_seen_through() {
    let file = pcap(Order::Little, Magic::Nanos, 1, &packets());
    let plain = read_sound(&file);
    assert_eq!(read_sound(&gzip(&file)), plain);
    assert_eq!(read_sound(&zstd(&file)), plain);
    let (begin, end) = file.split_at(50);
    assert_eq!(read_sound(&[gzip(begin), gzip(end)].concat()), plain, "several members");
    assert_eq!(read_sound(&[zstd(begin), zstd(end)].concat()), plain, "several frames");
}

#[test]
fn a_clock_that_steps_back_is_noted_once() {
    let times = [T, T + 10, T - 900_000_000, T - 2_000_000_000, T - 1_999_999_999, T];
    let packets: Vec<Packet> = times.map(|nanos| Packet::new(nanos, frame())).into();
    let (segments, summary) = read(&pcap(Order::Little, Magic::Nanos, 1, &packets)).unwrap();
    assert_eq!(segments.len(), 6, "all are kept, in the order of the file");
    let anomaly = summary.anomalies.iter().next().unwrap();
    assert_eq!((anomaly.kind, anomaly.count, anomaly.first_packet), (AnomalyKind::ClockStep, 1, 4));
    assert_eq!(anomaly.detail, 1_100_000_000);
}

#[test]
fn what_the_writer_writes_the_reader_reads() {
    let mut writer = PcapngWriter::new(Vec::new(), 1, 96).unwrap();
    writer.packet(at(T as i64), &frame(), 1514).unwrap();
    writer.packet(at(T as i64 + 1), &crate::build::ethernet(0x0800, &ipv4(17, &udp(53, b"?"))), 0).unwrap();
    writer.flush().unwrap();
    let (segments, summary) = read(&writer.into_inner()).unwrap();
    assert_eq!((segments.len(), segments[0].timestamp, summary.packets), (1, at(T as i64), 2));
    assert_eq!(summary.original_bytes, 1514 + 43, "a length on the wire under the captured one is raised to it");
    assert_eq!(kinds(&summary), []);
}

#[test]
fn a_simulated_capture_says_so() {
    for (description, expected) in [(SIMULATED, &[AnomalyKind::Simulated][..]), ("veth0, simulated by nobody", &[])] {
        let about = Section { description, ..Section::default() };
        let mut writer = PcapngWriter::with_section(Vec::new(), 1, 96, &about).unwrap();
        writer.packet(at(T as i64), &frame(), 1514).unwrap();
        let (segments, summary) = read(&writer.into_inner()).unwrap();
        assert_eq!((segments.len(), kinds(&summary)), (1, expected.to_vec()), "{description}");
    }
}

/// A recording of three packets and two lists, and the ends of its blocks.
fn recording() -> (Vec<u8>, Vec<usize>) {
    let about = Section { system: "Linux 6.18", application: "tcpwhy", interface: "eth0", ..Section::default() };
    let mut writer = PcapngWriter::with_section(Vec::new(), 1, 96, &about).unwrap();
    let mut ends = vec![writer.get_ref().len()];
    let mut add = |writer: &mut PcapngWriter<Vec<u8>>| ends.push(writer.get_ref().len());
    writer.kernel_list(b"first list").unwrap();
    add(&mut writer);
    for packet in 0..3 {
        writer.packet(at(T as i64 + packet), &frame(), 1514).unwrap();
        add(&mut writer);
    }
    writer.kernel_list(&vec![9; 70_001]).unwrap();
    add(&mut writer);
    writer.statistics(at(T as i64 + 4), 5, 2).unwrap();
    add(&mut writer);
    (writer.into_inner(), ends)
}

/// Packets, lengths of lists, and whether the file ended within a block.
fn replay(file: &[u8]) -> (u64, Vec<usize>, bool) {
    let heard = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut reader = CaptureReader::from_read(std::io::Cursor::new(file.to_vec()), "recording").unwrap();
    reader.hear_kernel({
        let heard = std::sync::Arc::clone(&heard);
        Box::new(move |list| heard.lock().unwrap().push(list.len()))
    });
    let segments = reader.by_ref().count() as u64;
    let summary = reader.summary();
    assert_eq!(summary.packets, segments);
    let lists = heard.lock().unwrap().clone();
    (segments, lists, kinds(&summary) == [AnomalyKind::TruncatedFile])
}

#[test]
fn what_a_kernel_said_is_no_packet() {
    let (file, _) = recording();
    assert_eq!(replay(&file), (3, vec![10, 70_001], false));
    // A reader without a hearer ignores the lists.
    assert_eq!(read_sound(&file).len(), 3);
    // The file compressed as a whole, and repeated as a second section.
    assert_eq!(replay(&zstd(&file)), (3, vec![10, 70_001], false));
    assert_eq!(replay(&[&file[..], &file].concat()), (6, vec![10, 70_001, 10, 70_001], false));
}

#[test]
fn a_recording_that_was_cut_reads_to_its_last_block() {
    let (file, ends) = recording();
    for len in ends[0]..=file.len() {
        let blocks = ends.iter().filter(|&&end| end <= len).count() - 1;
        let lists = [10, 70_001];
        let known = usize::from(blocks >= 1) + usize::from(blocks >= 5);
        let packets = blocks.saturating_sub(1).min(3) as u64;
        assert_eq!(replay(&file[..len]), (packets, lists[..known].to_vec(), !ends.contains(&len)), "{len}");
    }
}

#[test]
fn damaged_lists_are_noted_and_others_secrets_are_not_ours() {
    let (mut file, ends) = recording();
    let magic = b"tcpw".iter().rev().copied().collect::<Vec<u8>>();
    let first = file.windows(4).position(|window| window == magic).unwrap();
    // Damages the compressed bytes.
    file[first + 10] ^= 0xff;
    let (segments, summary) = read(&file).unwrap();
    assert_eq!((segments.len(), kinds(&summary)), (3, vec![]), "nobody listens");
    let mut reader = CaptureReader::from_read(std::io::Cursor::new(file.clone()), "recording").unwrap();
    reader.hear_kernel(Box::new(|list| assert_eq!(list.len(), 70_001)));
    assert_eq!((reader.by_ref().count(), kinds(&reader.summary())), (3, vec![AnomalyKind::CorruptRecord]));
    // The type of a TLS key log.
    file[first..first + 4].copy_from_slice(&0x544c_534b_u32.to_le_bytes());
    assert_eq!(replay(&file[..ends[4]]).1, Vec::<usize>::new());
}
