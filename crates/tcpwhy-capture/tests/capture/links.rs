use tcpwhy_capture::decode_frame;
use tcpwhy_model::{Anomalies, AnomalyKind, Segment, TcpTimestamps};

use crate::build::{PAYLOAD, at, ethernet, ipv4, ipv6, tcp, udp};

/// Decodes a whole frame.
pub(crate) fn decode(link_type: u32, frame: &[u8]) -> (Option<Segment>, Vec<AnomalyKind>) {
    decode_cut(link_type, frame, frame.len())
}

pub(crate) fn decode_cut(link_type: u32, frame: &[u8], captured: usize) -> (Option<Segment>, Vec<AnomalyKind>) {
    let mut anomalies = Anomalies::default();
    let segment = decode_frame(link_type, &frame[..captured], frame.len() as u32, 9, at(77), &mut anomalies);
    (segment, anomalies.iter().map(|anomaly| anomaly.kind).collect())
}

/// A SYN shows whether its options were captured completely, in any encapsulation.
#[test]
fn a_syn_with_cut_options_says_so() {
    let mut syn = tcp();
    syn[13] = 0x02;
    for frame in [ethernet(0x0800, &ipv4(6, &syn)), ethernet(0x86dd, &ipv6(6, &syn))] {
        let options_end = frame.len() - PAYLOAD.len();
        for (captured, is_cut) in [(frame.len(), false), (options_end, false), (options_end - 1, true)] {
            let (segment, _) = decode_cut(1, &frame, captured);
            assert_eq!(segment.expect("a segment").ip.has_cut_options(), is_cut, "{captured} bytes");
        }
    }
}

/// The reported snap length is enough for the next capture, in a tunnel too.
#[test]
fn a_cut_header_names_a_larger_snap_length() {
    let plain = ethernet(0x0800, &v4());
    let vxlan = udp(4789, &prefixed(&[8, 0, 0, 0, 0, 0, 7, 0], &ethernet(0x86dd, &v6())));
    let tunnel = ethernet(0x0800, &ipv4(17, &vxlan));
    // Destination options of 240 bytes.
    let options = [&[6, 29], &[0; 238][..], &tcp()].concat();
    let long = ethernet(0x86dd, &ipv6(60, &options));
    // The bytes up to the outer IP header do not show the tunnel.
    for (frame, captured, enough) in [
        (&plain, 20, 128),
        (&plain, 54, 128),
        (&tunnel, 30, 128),
        (&tunnel, 44, 256),
        (&tunnel, 128, 256),
        (&long, 130, 256),
        (&long, 260, 262_144),
    ] {
        let mut anomalies = Anomalies::default();
        decode_frame(1, &frame[..captured], frame.len() as u32, 9, at(77), &mut anomalies);
        let noted: Vec<_> = anomalies.iter().map(|anomaly| (anomaly.kind, anomaly.detail)).collect();
        assert_eq!(noted, [(AnomalyKind::TruncatedHeader, enough)], "{captured} bytes");
    }
}

/// The frame contains [`tcp`] at every snap length that includes the whole TCP header; shorter ones are
/// reported.
#[track_caller]
pub(crate) fn check(link_type: u32, frame: &[u8]) {
    let (segment, anomalies) = decode(link_type, frame);
    let segment = segment.expect("a segment");
    assert_eq!(anomalies, []);
    assert_eq!((segment.number, segment.timestamp), (9, at(77)));
    assert_eq!((segment.source.port, segment.destination.port), (1234, 80));
    assert_eq!((segment.seq.0, segment.ack.0), (0x0102_0304, 0x0506_0708));
    assert_eq!((segment.flags.0, segment.window.0), (0x18, 512));
    assert_eq!(segment.payload_len as usize, PAYLOAD.len());
    assert_eq!(segment.options.timestamps, Some(TcpTimestamps { value: 42, echo_reply: 41 }));
    let Some(payload_at) = frame.windows(PAYLOAD.len()).rposition(|window| window == PAYLOAD) else {
        panic!("no payload in the frame")
    };
    for captured in 0..=frame.len() {
        let (cut, anomalies) = decode_cut(link_type, frame, captured);
        if captured >= payload_at {
            assert_eq!((cut, anomalies), (Some(segment), vec![]), "{captured} bytes");
            continue;
        }
        assert_eq!(anomalies, [AnomalyKind::TruncatedHeader], "{captured} bytes");
        if let Some(cut) = cut {
            assert!(captured >= payload_at - 16, "{captured} bytes");
            assert_eq!((cut.seq, cut.window, cut.payload_len), (segment.seq, segment.window, segment.payload_len));
        }
    }
}

#[track_caller]
fn check_none(link_type: u32, frame: &[u8], anomaly: Option<AnomalyKind>) {
    assert_eq!(decode(link_type, frame), (None, Vec::from_iter(anomaly)));
}

fn v4() -> Vec<u8> {
    ipv4(6, &tcp())
}

fn v6() -> Vec<u8> {
    ipv6(6, &tcp())
}

fn prefixed(header: &[u8], rest: &[u8]) -> Vec<u8> {
    [header, rest].concat()
}

const ARP: &[u8] = &[0, 1, 8, 0, 6, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

#[test]
fn ethernet_carries_either_version() {
    check(1, &ethernet(0x0800, &v4()));
    check(1, &ethernet(0x86dd, &v6()));
    check_none(1, &ethernet(0x0806, ARP), None);
}

#[test]
fn ethernet_padding_and_trailers_do_not_count() {
    let mut frame = ethernet(0x0800, &v4());
    frame.extend([0xcc; 21]);
    check(1, &frame);
}

#[test]
fn vlan_tags_stack() {
    check(1, &ethernet(0x8100, &prefixed(&[0, 5, 8, 0], &v4())));
    check(1, &ethernet(0x88a8, &prefixed(&[0, 5, 0x81, 0, 0, 6, 0x86, 0xdd], &v6())));
    check(1, &ethernet(0x9100, &prefixed(&[0, 5, 0x91, 0, 0, 6, 0x81, 0, 0, 7, 8, 0], &v4())));
}

/// Two bytes of tag and two of type, except the E-tag (IEEE 802.1BR) with six and two.
#[test]
fn each_tag_has_its_number_and_its_length() {
    for number in [0x8100, 0x88a8, 0x9100, 0x9101, 0x9102, 0x9103, 0x9200] {
        let frame = ethernet(number, &prefixed(&[0x2f, 0xff, 8, 0], &v4()));
        assert!(decode(1, &frame).0.is_some(), "tag of type {number:#x}");
        check(1, &frame);
    }
    for other in [0x8101, 0x88a9, 0x90ff, 0x9104, 0x9201] {
        check_none(1, &ethernet(other, &prefixed(&[0x2f, 0xff, 8, 0], &v4())), None);
    }
    check(1, &ethernet(0x893f, &prefixed(&[1, 2, 3, 4, 5, 6, 8, 0], &v4())));
}

#[test]
fn provider_backbone_and_fabric_path() {
    check(1, &ethernet(0x88e7, &prefixed(&[0, 0, 0, 9], &ethernet(0x0800, &v4()))));
    check(1, &ethernet(0x8903, &prefixed(&[0, 1], &ethernet(0x0800, &v4()))));
}

#[test]
fn ieee_802_3_with_snap() {
    let snap = prefixed(&[0xaa, 0xaa, 3, 0, 0, 0, 8, 0], &v4());
    check(1, &ethernet(snap.len() as u16, &snap));
    let raw_ip = prefixed(&[6, 6, 3], &v4());
    check(1, &ethernet(raw_ip.len() as u16, &raw_ip));
    check_none(1, &ethernet(38, &prefixed(&[0x42, 0x42, 3], &[0; 35])), None);
}

#[test]
fn raw_ip_under_all_its_numbers() {
    for link_type in [12, 14, 101, 228, 229] {
        check(link_type, &v4());
        check(link_type, &v6());
    }
}

#[test]
fn linux_cooked() {
    let v1 = [0, 4, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0];
    check(113, &[&v1[..], &[8, 0], &v4()].concat());
    check(113, &[&v1[..], &[0x81, 0, 0, 5, 0x86, 0xdd], &v6()].concat());
    check(113, &[&v1[..], &[0, 4, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0], &v4()].concat());
    let v2 = [0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0];
    check(276, &[&[8, 0][..], &v2, &v4()].concat());
    check(276, &[&[0x86, 0xdd][..], &v2, &v6()].concat());
    let netlink = [0, 4, 3, 56, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0];
    check_none(113, &prefixed(&netlink, &v4()), None);
}

#[test]
fn bsd_loopback_in_either_order() {
    for family in [2u32, 24, 28, 30] {
        let packet = if family == 2 { v4() } else { v6() };
        check(0, &prefixed(&family.to_le_bytes(), &packet));
        check(0, &prefixed(&family.to_be_bytes(), &packet));
        check(108, &prefixed(&family.to_be_bytes(), &packet));
    }
    check_none(0, &prefixed(&7u32.to_le_bytes(), &v4()), None);
}

#[test]
fn ppp() {
    for link_type in [9, 50] {
        check(link_type, &prefixed(&[0xff, 3, 0, 0x21], &v4()));
        check(link_type, &prefixed(&[0, 0x57], &v6()));
        check(link_type, &prefixed(&[0xff, 3, 0x21], &v4()));
        check(link_type, &prefixed(&[0x0f, 0, 8, 0], &v4()));
    }
    check(204, &prefixed(&[1, 0xff, 3, 0, 0x21], &v4()));
    check(51, &prefixed(&[0x11, 0, 0, 1, 0, 0, 0, 0x21], &v4()));
    check_none(9, &[0xff, 3, 0xc0, 0x21, 1, 1, 0, 4], None);
}

#[test]
fn ppp_over_ethernet() {
    let ppp = prefixed(&[0, 0x21], &v4());
    let [l0, l1] = (ppp.len() as u16).to_be_bytes();
    check(1, &ethernet(0x8864, &prefixed(&[0x11, 0, 0, 1, l0, l1], &ppp)));
    check_none(1, &ethernet(0x8864, &prefixed(&[0x11, 9, 0, 1, l0, l1], &ppp)), None);
    // The length of a super-packet is not filled in.
    check(1, &ethernet(0x8864, &prefixed(&[0x11, 0, 0, 1, 0, 0], &ppp)));
    // Bytes beyond the session's length are padding, although the IP header counts them.
    let [l0, l1] = (ppp.len() as u16 - PAYLOAD.len() as u16).to_be_bytes();
    let (segment, anomalies) = decode(1, &ethernet(0x8864, &prefixed(&[0x11, 0, 0, 1, l0, l1], &ppp)));
    assert_eq!(segment.map(|s| s.payload_len), Some(0));
    assert_eq!(anomalies, [AnomalyKind::LengthFromFrame]);
}

#[test]
fn cisco_hdlc() {
    check(104, &prefixed(&[0x0f, 0, 8, 0], &v4()));
    check(104, &prefixed(&[0x8f, 0, 0x86, 0xdd], &v6()));
    check_none(104, &[0x8f, 0, 0x80, 0x35, 0, 0, 0, 2], None);
}

/// A data frame without optional fields except those in `control` and `extra`.
fn wifi(control: [u8; 2], extra: &[u8]) -> Vec<u8> {
    [&control[..], &[0; 22], extra, &[0xaa, 0xaa, 3, 0, 0, 0, 8, 0], &v4()].concat()
}

#[test]
fn wifi_data_frames() {
    check(105, &wifi([0x08, 0x01], &[]));
    check(105, &wifi([0x08, 0x03], &[0; 6]));
    check(105, &wifi([0x88, 0x02], &[0; 2]));
    check(105, &wifi([0x88, 0x03], &[0; 8]));
    check(105, &wifi([0x88, 0x82], &[0; 6]));
    check_none(105, &wifi([0x80, 0x00], &[]), None);
    check_none(105, &wifi([0x48, 0x01], &[]), None);
}

#[test]
fn wifi_frames_that_cannot_be_looked_into_are_noted() {
    let undecoded = Some(AnomalyKind::UndecodedFrame);
    check_none(105, &wifi([0x08, 0x41], &[]), undecoded);
    check_none(105, &wifi([0x88, 0x01], &[0x80, 0]), undecoded);
    let mut later_fragment = wifi([0x08, 0x01], &[]);
    later_fragment[22] = 1;
    check_none(105, &later_fragment, undecoded);
    let damaged = [&[0, 0, 9, 0, 2, 0, 0, 0, 0x50][..], &wifi([0x08, 0x01], &[])].concat();
    check_none(127, &damaged, undecoded);
}

#[test]
fn wifi_monitoring_headers() {
    let frame = wifi([0x88, 0x02], &[0; 2]);
    check(127, &prefixed(&[0, 0, 8, 0, 0, 0, 0, 0], &frame));
    check(127, &prefixed(&[0, 0, 9, 0, 2, 0, 0, 0, 0x10], &frame));
    let padded = wifi([0x88, 0x02], &[0; 4]);
    check(127, &prefixed(&[0, 0, 9, 0, 2, 0, 0, 0, 0x20], &padded));
    // Two presence words and a timestamp precede the flags, and the timestamp is aligned.
    let flags_at_24 = [&[0, 0, 25, 0, 3, 0, 0, 0x80, 0, 0, 0, 0], &[0; 12][..], &[0x20]].concat();
    check(127, &prefixed(&flags_at_24, &padded));

    let mut prism = vec![0x44, 0, 0, 0, 144, 0, 0, 0];
    prism.resize(144, 0);
    check(119, &prefixed(&prism, &frame));
    prism[..8].copy_from_slice(&[0, 0, 0, 0x44, 0, 0, 0, 144]);
    check(119, &prefixed(&prism, &frame));

    let mut avs = vec![0x80, 0x21, 0x10, 1, 0, 0, 0, 64];
    avs.resize(64, 0);
    check(163, &prefixed(&avs, &frame));
    check(119, &prefixed(&avs, &frame));
}

#[test]
fn nflog_in_either_order() {
    let mut little = vec![2, 0, 0, 0, 8, 0, 1, 0, 0, 0, 1, 0, 5, 0, 10, 0, b'x', 0, 0, 0];
    little.extend((v4().len() as u16 + 4).to_le_bytes());
    little.extend([9, 0]);
    check(239, &[little, v4()].concat());
    let mut big = vec![2, 0, 0, 0, 0, 5, 0, 10, b'x', 0, 0, 0];
    big.extend((v4().len() as u16 + 4).to_be_bytes());
    big.extend([0, 9]);
    check(239, &[big, v4()].concat());
}

#[test]
fn mpls() {
    check(219, &prefixed(&[0, 1, 0x21, 64], &v4()));
    check(219, &prefixed(&[0, 1, 0x20, 64, 0, 2, 0x21, 64], &v6()));
    check(1, &ethernet(0x8847, &prefixed(&[0, 1, 0x21, 64], &v4())));
    check(1, &ethernet(0x8848, &prefixed(&[0, 1, 0x21, 64], &v4())));
    let pseudowire = prefixed(&[0, 1, 0x21, 64, 0, 0, 0, 0], &ethernet(0x0800, &v4()));
    check(1, &ethernet(0x8847, &pseudowire));
    let mut without_control_word = prefixed(&[0, 1, 0x21, 64], &ethernet(0x0800, &v4()));
    without_control_word[4] = 0xf2;
    check(219, &without_control_word);
}

#[test]
fn headers_of_the_capture_itself() {
    check(192, &prefixed(&[0, 0, 8, 0, 1, 0, 0, 0], &ethernet(0x0800, &v4())));
    check(192, &prefixed(&[0, 0, 12, 0, 101, 0, 0, 0, 9, 9, 9, 9], &v4()));
    check(258, &prefixed(&[16, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 9, 9, 9], &ethernet(0x0800, &v4())));
    check(117, &[&[61, 2][..], &[0; 62], &v4()].concat());
    check(178, &prefixed(b"MGC\x01", &ethernet(0x0800, &v4())));
    check(178, &prefixed(b"MGC\x81\x00\x02\x09\x09", &ethernet(0x0800, &v4())));
}

#[test]
fn old_local_networks() {
    let snap = prefixed(&[0xaa, 0xaa, 3, 0, 0, 0, 8, 0], &v4());
    check(10, &[&[0x50][..], &[0; 12], &snap].concat());
    check(100, &snap);
    check(129, &prefixed(&[1, 2, 0, 0, 0xf0], &v4()));
    check(129, &prefixed(&[1, 2, 0, 0, 0xd4, 0, 0, 1], &v4()));
}

#[test]
fn tunnels_over_ip() {
    check(1, &ethernet(0x0800, &ipv4(4, &v4())));
    check(1, &ethernet(0x0800, &ipv4(41, &v6())));
    check(1, &ethernet(0x86dd, &ipv6(4, &v4())));
    check(1, &ethernet(0x86dd, &ipv6(41, &v6())));
    check(101, &ipv4(137, &prefixed(&[0, 1, 0x21, 64], &v4())));
    check(101, &ipv4(97, &prefixed(&[0x30, 0], &ethernet(0x0800, &v4()))));
}

#[test]
fn gre() {
    check(101, &ipv4(47, &prefixed(&[0, 0, 8, 0], &v4())));
    check(101, &ipv4(47, &prefixed(&[0xb0, 0, 0x86, 0xdd, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2], &v6())));
    check(101, &ipv4(47, &prefixed(&[0x20, 0, 0x65, 0x58, 0, 0, 0, 1], &ethernet(0x0800, &v4()))));
    check(101, &ipv4(47, &prefixed(&[0, 0, 0x88, 0xbe], &ethernet(0x0800, &v4()))));
    let erspan_2 = [0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 0, 0, 0, 0, 0, 0, 0];
    check(101, &ipv4(47, &prefixed(&erspan_2, &ethernet(0x0800, &v4()))));
    let erspan_3 = [0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    check(101, &ipv4(47, &prefixed(&erspan_3, &ethernet(0x0800, &v4()))));
    let pptp = [0x30, 0x81, 0x88, 0x0b, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0xff, 3, 0, 0x21];
    check(101, &ipv4(47, &prefixed(&pptp, &v4())));
    check(101, &ipv4(47, &prefixed(&[0, 0, 0x88, 0x3e, 0, 0, 0, 0], &v4())));
    check(101, &ipv4(47, &prefixed(&[0, 0, 0x88, 0x3e], &v4())));
    check(101, &ipv4(47, &prefixed(&[0, 0, 0x82, 0x10], &wifi([0x08, 0x01], &[]))));
}

#[test]
fn tunnels_over_udp() {
    let inner = ethernet(0x0800, &v4());
    for port in [4789, 8472] {
        check(101, &ipv4(17, &udp(port, &prefixed(&[8, 0, 0, 0, 0, 0, 1, 0], &inner))));
    }
    check_none(101, &ipv4(17, &udp(4789, &prefixed(&[0, 0, 0, 0, 0, 0, 1, 0], &inner))), None);
    check(101, &ipv4(17, &udp(6081, &prefixed(&[0, 0, 0x65, 0x58, 0, 0, 1, 0], &inner))));
    check(101, &ipv4(17, &udp(6081, &prefixed(&[1, 0, 8, 0, 0, 0, 1, 0, 9, 9, 9, 9], &v4()))));
    check(101, &ipv4(17, &udp(2152, &prefixed(&[0x30, 255, 0, 0, 0, 0, 0, 1], &v4()))));
    let extended = [0x34, 255, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x85, 1, 0x10, 1, 0];
    check(101, &ipv4(17, &udp(2152, &prefixed(&extended, &v6()))));
    check_none(101, &ipv4(17, &udp(53, b"not a tunnel")), None);
}

#[test]
fn tunnels_within_tunnels_end_somewhere() {
    let mut packet = v4();
    for _ in 0..10 {
        packet = ipv4(4, &packet);
    }
    check(101, &packet);
    for _ in 0..40 {
        packet = ipv4(4, &packet);
    }
    check_none(101, &packet, Some(AnomalyKind::UndecodedFrame));
}

#[test]
fn unknown_link_types_are_named() {
    let mut anomalies = Anomalies::default();
    assert_eq!(decode_frame(147, &[0; 60], 60, 3, at(0), &mut anomalies), None);
    let anomaly = anomalies.iter().next().unwrap();
    assert_eq!((anomaly.kind, anomaly.first_packet, anomaly.detail), (AnomalyKind::UnsupportedLinkType, 3, 147));
}
