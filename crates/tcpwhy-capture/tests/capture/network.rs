use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU16;

use tcpwhy_model::{AnomalyKind, Ecn, IpHeader, Segment, Undelivered};

use crate::build::{
    Magic, Order, PAYLOAD, Packet, ethernet, ipv4, ipv4_with, ipv6, ipv6_with, kinds, pcap, read, tcp, tcp_with,
};
use crate::links::{check, decode, decode_cut};

#[track_caller]
fn segment(packet: &[u8]) -> Segment {
    let (segment, anomalies) = decode(101, packet);
    assert_eq!(anomalies, []);
    segment.expect("a segment")
}

#[track_caller]
fn check_skipped(packet: &[u8], anomaly: AnomalyKind) {
    assert_eq!(decode(101, packet), (None, vec![anomaly]));
}

#[test]
fn ipv4_fields() {
    for found in [segment(&ipv4(6, &tcp())), decode(1, &ethernet(0x0800, &ipv4(6, &tcp()))).0.unwrap()] {
        assert_eq!(found.source.address, IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)));
        assert_eq!(found.destination.address, IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)));
        let header = IpHeader::new(NonZeroU16::new(0x1234), 64, Ecn::Capable0);
        assert_eq!(found.ip, header);
    }
}

#[test]
fn ipv6_fields() {
    let found = segment(&ipv6(6, &tcp()));
    assert_eq!(found.source.address, IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)));
    assert_eq!(found.destination.address, IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 2)));
    let header = IpHeader::new(None, 63, Ecn::Capable1);
    assert_eq!(found.ip, header);
}

#[test]
fn ipv4_options_are_stepped_over() {
    let mut packet = ipv4_with(6, 24 + tcp().len(), 0, &[1, 1, 1, 0]);
    packet[0] = 0x46;
    packet.extend(tcp());
    check(101, &packet);
}

#[test]
fn ipv6_extension_headers_are_stepped_over() {
    let hop_by_hop = [60, 0, 5, 2, 0, 0, 1, 0];
    let destination_options = [43, 1, 1, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let routing = [51, 0, 0, 0, 0, 0, 0, 0];
    let authentication = [6, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let chain = [&hop_by_hop[..], &destination_options, &routing, &authentication, &tcp()].concat();
    check(101, &ipv6(0, &chain));
    check(101, &ipv4(51, &[&authentication[..], &tcp()].concat()));
    assert_eq!(decode(101, &ipv6(59, &[])), (None, vec![]));
    assert_eq!(decode(101, &ipv6(58, &[128, 0, 0, 0])), (None, vec![]));
}

/// Each header alone, with and without options in it. Over IPv4 these numbers are other protocols.
#[test]
fn each_ipv6_extension_header_has_its_number_and_its_length() {
    for number in [0, 43, 60, 135, 139, 140] {
        for more in 0..3_u8 {
            let mut header = vec![0; 8 + 8 * usize::from(more)];
            (header[0], header[1]) = (6, more);
            let chain = [header, tcp()].concat();
            let is_stepped_over = decode(101, &ipv6(number, &chain)).0.is_some();
            assert!(is_stepped_over, "extension header {number} of {} bytes", 8 + 8 * u32::from(more));
            check(101, &ipv6(number, &chain));
            assert_eq!(decode(101, &ipv4(number, &chain)).0, None, "{number} over IPv4");
        }
    }
    // The length of the authentication header counts words of four bytes, minus two.
    for more in 1..4_u8 {
        let mut header = vec![0; 8 + 4 * usize::from(more)];
        (header[0], header[1]) = (6, more);
        let is_stepped_over = decode(101, &ipv6(51, &[header.clone(), tcp()].concat())).0.is_some();
        assert!(is_stepped_over, "authentication header of {} bytes", header.len());
        check(101, &ipv6(51, &[header.clone(), tcp()].concat()));
        check(101, &ipv4(51, &[header, tcp()].concat()));
    }
    // The fragment header: next, reserved, offset and flags, identification.
    let fragment = |high: u8, low: u8| ipv6(44, &[&[6, 9, high, low, 1, 2, 3, 4][..], &tcp()].concat());
    check(101, &fragment(0, 0));
    check(101, &fragment(0, 6));
    check_skipped(&fragment(0, 8), AnomalyKind::IpFragment);
    check_skipped(&fragment(1, 0), AnomalyKind::IpFragment);
    for other in [1, 42, 61, 138] {
        assert_eq!(decode(101, &ipv6(other, &[&[6, 0, 0, 0, 0, 0, 0, 0][..], &tcp()].concat())).0, None, "{other}");
    }
}

/// The low two bits of the second byte; in IPv6 they are four bits later.
#[test]
fn ecn_is_two_bits() {
    for (bits, ecn) in [(0, Ecn::NotCapable), (1, Ecn::Capable1), (2, Ecn::Capable0), (3, Ecn::CongestionExperienced)] {
        let (mut v4, mut v6) = (ipv4(6, &tcp()), ipv6(6, &tcp()));
        v4[1] = 0xb8 | bits;
        (v6[0], v6[1]) = (0x6b, 0x8f | bits << 4);
        assert_eq!(segment(&v4).ip.ecn(), ecn, "IPv4");
        assert_eq!(segment(&v6).ip.ecn(), ecn, "IPv6");
        assert_eq!(decode(1, &ethernet(0x0800, &v4)).0.unwrap().ip.ecn(), ecn, "IPv4 in a plain frame");
    }
}

#[test]
fn first_fragments_count_with_what_they_carry() {
    let first = ipv4_with(6, 20 + tcp().len(), 0x2000, &tcp());
    assert_eq!(segment(&first).payload_len as usize, PAYLOAD.len());
    assert_eq!(decode(1, &ethernet(0x0800, &first)).0.unwrap().payload_len as usize, PAYLOAD.len());
    let first = ipv6(44, &[&[6, 0, 0, 1, 0, 0, 0, 9][..], &tcp()].concat());
    assert_eq!(segment(&first).payload_len as usize, PAYLOAD.len());
}

#[test]
fn later_fragments_are_noted() {
    check_skipped(&ipv4_with(6, 40, 0x2001, &[0; 20]), AnomalyKind::IpFragment);
    check_skipped(&ipv4_with(6, 40, 0x0001, &[0; 20]), AnomalyKind::IpFragment);
    check_skipped(&ipv6(44, &[6, 0, 0, 8, 0, 0, 0, 9, 1, 2, 3, 4]), AnomalyKind::IpFragment);
    for offset in [0x00ff, 0x0100, 0x1000] {
        let frame = ethernet(0x0800, &ipv4_with(6, 20 + tcp().len(), offset, &tcp()));
        assert_eq!(decode(1, &frame), (None, vec![AnomalyKind::IpFragment]), "{offset:#x}");
    }
}

/// Bytes beyond the inner length do not count as payload.
#[track_caller]
fn check_cut(packet: &[u8], what: &str) {
    let (found, anomalies) = decode(101, packet);
    let found = found.map(|segment| segment.payload_len as usize);
    assert_eq!((found, anomalies), (Some(PAYLOAD.len()), vec![AnomalyKind::LengthFromFrame]), "{what}");
}

#[test]
fn a_fragmented_tunnel_keeps_the_inner_length() {
    let inner = ipv4_with(6, 1400, 0x4000, &tcp());
    let outer = ipv4_with(4, 20 + inner.len(), 0x2000, &inner);
    assert_eq!(segment(&outer).payload_len, 1400 - 20 - 32, "more fragments of IPv4");
    let of_v6 = |flags| ipv6(44, &[&[4, 0, 0, flags, 0, 0, 0, 9][..], &inner].concat());
    assert_eq!(segment(&of_v6(1)).payload_len, 1400 - 20 - 32, "more fragments of IPv6");
    check_cut(&of_v6(2), "a reserved flag of IPv6");
    check_cut(&of_v6(0), "no fragment of IPv6");
    check_cut(&ipv4_with(4, 20 + inner.len(), 0x4000, &inner), "no fragment of IPv4");
}

/// Offload produces packets of more than 64 KiB, which the length field cannot represent.
#[test]
fn super_packets_take_their_length_from_the_frame() {
    let original_len = 200_000;
    for packet in [ipv4_with(6, 0, 0x4000, &tcp()), ipv6_with(6, 0, &tcp())] {
        let ip_len = packet.len() - tcp().len();
        let mut frame = packet;
        frame.resize(original_len, 0);
        let (found, anomalies) = decode_cut(101, &frame, 96);
        let found = found.unwrap();
        assert_eq!(anomalies, [AnomalyKind::LengthFromFrame]);
        assert!(found.ip.is_length_from_frame());
        assert_eq!(found.payload_len as usize, original_len - ip_len - 32);
    }
}

#[test]
fn a_jumbo_payload_option_is_believed() {
    let jumbo_len: u32 = 8 + 32 + 100_000;
    let hop_by_hop = [&[6, 0, 0xc2, 4][..], &jumbo_len.to_be_bytes()].concat();
    let mut frame = ipv6_with(0, 0, &[hop_by_hop, tcp()].concat());
    frame.resize(40 + jumbo_len as usize + 30, 0);
    let (found, anomalies) = decode_cut(101, &frame, 120);
    assert_eq!((found.unwrap().payload_len, anomalies), (100_000, vec![]));
}

#[test]
fn a_length_beyond_the_frame_is_cut_to_it() {
    let (found, anomalies) = decode(101, &ipv4_with(6, 1500, 0x4000, &tcp()));
    let found = found.unwrap();
    assert_eq!(anomalies, [AnomalyKind::LengthFromFrame]);
    assert_eq!((found.payload_len as usize, found.ip.is_length_from_frame()), (PAYLOAD.len(), true));
}

#[test]
fn headers_that_contradict_themselves() {
    let mut short_header = ipv4(6, &tcp());
    short_header[0] = 0x44;
    check_skipped(&short_header, AnomalyKind::MalformedHeader);
    check_skipped(&ipv4_with(6, 19, 0, &tcp()), AnomalyKind::MalformedHeader);
    check_skipped(&[0x50; 40], AnomalyKind::MalformedHeader);
    check_skipped(&ipv4(6, &tcp_with(0, &[], b"")), AnomalyKind::MalformedHeader);
    check_skipped(&ipv4(6, &tcp_with(4, &[], b"")), AnomalyKind::MalformedHeader);
    check_skipped(&ipv4(6, &tcp_with(8, &[1, 1, 1, 1], b"")), AnomalyKind::MalformedHeader);
    check_skipped(&ipv4(6, &tcp()[..12]), AnomalyKind::MalformedHeader);
}

#[test]
fn odd_but_real_segments_are_shown() {
    let mut odd = tcp();
    odd[0..4].fill(0);
    odd[12] |= 0x0f;
    odd[13] = 0xff;
    let found = segment(&ipv4(6, &odd));
    assert_eq!((found.source.port, found.destination.port, found.flags.0), (0, 0, 0x1ff));
}

#[test]
fn a_malformed_option_is_noted_and_the_segment_kept() {
    let (found, anomalies) = decode(101, &ipv4(6, &tcp_with(7, &[3, 3, 7, 99, 0, 0, 0, 0], PAYLOAD)));
    assert_eq!(found.unwrap().options.window_scale, Some(7));
    assert_eq!(anomalies, [AnomalyKind::MalformedOption]);
}

/// The segments of a file with one raw IP packet, including those quoted by ICMP errors, and the summary's
/// count.
fn in_file(packet: &[u8]) -> (Vec<Segment>, u64) {
    let packets = [Packet::new(5_000, packet.to_vec())];
    let (segments, summary) = read(&pcap(Order::Little, Magic::Micros, 101, &packets)).unwrap();
    assert_eq!(kinds(&summary), []);
    (segments, summary.segments)
}

#[test]
fn icmp_errors_quote_segments() {
    let too_big = [&[3, 4, 0, 0, 0, 0, 5, 0x78][..], &ipv4(6, &tcp())[..28]].concat();
    let unreachable = [&[3, 13, 0, 0, 0, 0, 0, 0][..], &ipv4(6, &tcp())[..28]].concat();
    let too_big_v6 = [&[2, 0, 0, 0, 0, 0, 5, 0][..], &ipv6(6, &tcp())[..48]].concat();
    let plain = segment(&ipv4(6, &tcp()));
    for (packet, expected) in [
        (ipv4(1, &too_big), Undelivered::TooBig { mtu: 1400 }),
        (ipv4(1, &unreachable), Undelivered::Unreachable),
        (ipv6(58, &too_big_v6), Undelivered::TooBig { mtu: 1280 }),
    ] {
        let (segments, counted) = in_file(&packet);
        assert_eq!((segments.len(), counted, segments[0].undelivered()), (1, 0, Some(expected)));
        assert_eq!((segments[0].source.port, segments[0].seq), (plain.source.port, plain.seq));
        assert_eq!(decode(101, &packet), (None, vec![]), "it is no segment that passed");
    }
    assert_eq!(in_file(&ipv4(1, &too_big)).0[0].source, plain.source);
}

#[test]
fn other_icmp_is_skipped() {
    let cut = [&[3, 4, 0, 0, 0, 0, 5, 0x78][..], &ipv4(6, &tcp())[..24]].concat();
    let of_udp = [&[3, 3, 0, 0, 0, 0, 0, 0][..], &ipv4(17, &[0; 8])].concat();
    let echo = [&[8, 0, 0, 0, 0, 0, 0, 0][..], &ipv4(6, &tcp())].concat();
    // An impossibly short header, and a fragment that does not begin with TCP's header.
    let [mut short, mut later] = [ipv4(6, &tcp()), ipv4(6, &tcp())];
    short[0] = 0x44;
    later[7] = 100;
    let [short, later] = [short, later].map(|quoted| [&[3, 4, 0, 0, 0, 0, 5, 0x78][..], &quoted[..28]].concat());
    let quoting = [cut, of_udp, short, later, echo, vec![3]].map(|message| ipv4(1, &message));
    for packet in quoting.into_iter().chain([ipv6(58, &[2, 0])]) {
        assert_eq!(in_file(&packet), (vec![], 0));
    }
}
