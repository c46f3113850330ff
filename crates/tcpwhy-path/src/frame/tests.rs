//! Cuts and merges frames, compared with independent computations.

use std::io::IoSlice;

use proptest::prelude::*;

use super::layout::{DATA_VALID, NEEDS_CSUM, flag};
use super::*;

/// A packet as the kernel delivers it.
#[derive(Clone, Debug)]
struct Made {
    is_six: bool,
    options: usize,
    payload: Vec<u8>,
    mss: u16,
    flags: u8,
    seq: u32,
    ident: u16,
}

impl Made {
    fn new(payload: usize, mss: u16) -> Self {
        let payload = (0..payload).map(|n| (n * 7 + n / 251) as u8).collect();
        Self { is_six: false, options: 12, payload, mss, flags: flag::ACK, seq: u32::MAX - 3000, ident: 0xfffe }
    }

    fn head(&self) -> usize {
        14 + if self.is_six { 40 } else { 20 } + 20 + self.options
    }

    /// The bytes with a `virtio_net_hdr`; the checksum is left to the device.
    fn bytes(&self) -> Vec<u8> {
        let is_gso = self.payload.len() > usize::from(self.mss);
        let tcp_at = (self.head() - 20 - self.options) as u16;
        let mut out = vec![NEEDS_CSUM, u8::from(is_gso) * if self.is_six { 4 } else { 1 }];
        for field in [self.head() as u16, if is_gso { self.mss } else { 0 }, tcp_at, 16] {
            out.extend(field.to_ne_bytes());
        }
        out.extend([2, 0, 0, 0, 0, 11, 2, 0, 0, 0, 0, 10]);
        let tcp_len = 20 + self.options + self.payload.len();
        if self.is_six {
            out.extend([0x86, 0xdd, 0x60, 0, 0, 0]);
            out.extend((tcp_len as u16).to_be_bytes());
            out.extend([6, 64]);
            out.extend((0..32).map(|n| n * 3));
        } else {
            out.extend([8, 0, 0x45, 0]);
            out.extend((20 + tcp_len as u16).to_be_bytes());
            out.extend(self.ident.to_be_bytes());
            out.extend([0x40, 0, 64, 6, 0, 0, 192, 0, 2, 10, 198, 51, 100, 20]);
            let sum = reference(&out[VNET + 14..VNET + 34]);
            out[VNET + 24..VNET + 26].copy_from_slice(&sum.to_be_bytes());
        }
        out.extend([0x13, 0x89, 0xc0, 0x01]);
        out.extend(self.seq.to_be_bytes());
        out.extend([0, 0, 0, 9, ((20 + self.options) / 4 * 16) as u8, self.flags, 1, 2]);
        // The sum of the pseudo-header, as stored by `tcp_v4_check(…, 0)`.
        let mut pseudo =
            if self.is_six { out[VNET + 22..VNET + 54].to_vec() } else { out[VNET + 26..VNET + 34].to_vec() };
        pseudo.extend([0, 6]);
        pseudo.extend((tcp_len as u16).to_be_bytes());
        out.extend((!reference(&pseudo)).to_be_bytes());
        out.extend([0, 0]);
        out.extend((0..self.options).map(|n| n as u8 + 1));
        out.extend(&self.payload);
        out
    }

    fn packet(&self) -> Packet {
        let bytes = self.bytes();
        let len = bytes.len();
        Packet::new(bytes, len).unwrap()
    }
}

/// RFC 1071 literally: 16-bit words in network order, with carries added at once.
fn reference(data: &[u8]) -> u16 {
    let mut sum: u16 = 0;
    for pair in data.chunks(2) {
        let word = u16::from_be_bytes([pair[0], *pair.get(1).unwrap_or(&0)]);
        let (next, carry) = sum.overflowing_add(word);
        sum = next + u16::from(carry);
    }
    !sum
}

/// Bytes of a run.
fn written(run: &Run) -> Vec<u8> {
    let mut space = Written::default();
    let mut slices: Vec<IoSlice<'_>> = Vec::new();
    run.write(&mut space, &mut slices);
    slices.iter().flat_map(|slice| slice.iter().copied()).collect()
}

/// Each segment as a separate frame.
fn cut(made: &Made) -> Vec<Vec<u8>> {
    Segment::all(made.packet()).map(|segment| written(&Run::new(segment))).collect()
}

/// As few runs as possible.
fn together(segments: impl Iterator<Item = Segment>) -> Vec<Vec<u8>> {
    let mut runs: Vec<Run> = Vec::new();
    for segment in segments {
        match runs.last_mut() {
            Some(run) => {
                if let Err(segment) = run.extend(segment) {
                    runs.push(Run::new(segment));
                }
            }
            None => runs.push(Run::new(segment)),
        }
    }
    runs.iter().map(written).collect()
}

/// Parses a cut frame, whose checksum is complete.
fn again(frame: Vec<u8>) -> Packet {
    let len = frame.len();
    Packet::new(frame, len).unwrap()
}

/// Checks the checksums of a single frame.
fn check(frame: &[u8], is_six: bool) {
    let frame = &frame[VNET..];
    let (tcp, addresses) = if is_six { (54, &frame[22..54]) } else { (34, &frame[26..34]) };
    if !is_six {
        assert_eq!(reference(&frame[14..34]), 0, "IP header");
    }
    let mut all = addresses.to_vec();
    all.extend([0, 6]);
    all.extend(((frame.len() - tcp) as u16).to_be_bytes());
    all.extend(&frame[tcp..]);
    assert_eq!(reference(&all), 0, "TCP");
}

#[test]
fn a_super_packet_is_cut_as_a_card_would() {
    let made = Made { flags: flag::ACK | flag::PSH | flag::CWR, ..Made::new(3000, 1448) };
    let frames = cut(&made);
    assert_eq!(frames.iter().map(|frame| frame.len() - VNET).collect::<Vec<_>>(), [1514, 1514, 170]);
    for (index, frame) in frames.iter().enumerate() {
        check(frame, false);
        assert_eq!(frame[..2], [DATA_VALID, 0]);
        let field = |at: usize| u16::from_be_bytes([frame[VNET + at], frame[VNET + at + 1]]);
        assert_eq!(field(18), 0xfffe_u16.wrapping_add(index as u16), "identification");
        assert_eq!(usize::from(field(16)), frame.len() - VNET - 14, "total length");
        let seq = u32::from_be_bytes(frame[VNET + 38..VNET + 42].try_into().unwrap());
        assert_eq!(seq, made.seq.wrapping_add(1448 * index as u32), "sequence number");
    }
    let flags: Vec<u8> = frames.iter().map(|frame| frame[VNET + 47]).collect();
    assert_eq!(flags, [flag::ACK | flag::CWR, flag::ACK, flag::ACK | flag::PSH]);
    let payload: Vec<u8> = frames.iter().flat_map(|frame| frame[VNET + 66..].to_vec()).collect();
    assert_eq!(payload, made.payload);
}

#[test]
fn what_is_on_the_wire() {
    let wires: Vec<Wire> = Segment::all(Made::new(3000, 1448).packet()).map(|segment| segment.wire()).collect();
    let data = |bytes| Wire { bytes, kind: FrameKind::Data, is_ecn_capable: false };
    assert_eq!(wires, [data(1514), data(1514), data(170)]);
    let kind = |flags| Segment::all(Made { flags, ..Made::new(0, 1448) }.packet()).next().unwrap().wire().kind;
    assert_eq!(kind(flag::SYN), FrameKind::Syn);
    assert_eq!(kind(flag::SYN | flag::ACK), FrameKind::Syn);
    assert_eq!(kind(flag::ACK), FrameKind::Other);
}

#[test]
fn a_part_of_a_super_packet_is_one_itself() {
    let made = Made::new(5 * 1448, 1448);
    let some = Segment::all(made.packet()).skip(1).take(3);
    let runs = together(some);
    let part = Made {
        payload: made.payload[1448..4 * 1448].to_vec(),
        seq: made.seq.wrapping_add(1448),
        ident: made.ident.wrapping_add(1),
        ..made
    };
    assert_eq!(runs, [part.bytes()]);
}

#[test]
fn neighbours_of_different_packets_go_together() {
    let first = Made::new(2 * 1448, 1448);
    let next =
        Made { seq: first.seq.wrapping_add(2 * 1448), ident: 7, flags: flag::ACK | flag::PSH, ..Made::new(2000, 1448) };
    let runs = together(Segment::all(first.packet()).chain(Segment::all(next.packet())));
    let whole = Made { payload: [first.payload.clone(), next.payload.clone()].concat(), flags: next.flags, ..first };
    assert_eq!(runs, [whole.bytes()]);
}

#[test]
fn strangers_stay_apart() {
    let first = Made::new(1448, 1448);
    let seq = first.seq.wrapping_add(1448);
    let follows = Made { seq, ..first.clone() };
    let count = |next: &Made| together(Segment::all(first.packet()).chain(Segment::all(next.packet()))).len();
    assert_eq!(count(&follows), 1);
    assert_eq!(count(&Made { seq: seq.wrapping_add(1), ..follows.clone() }), 2, "a hole");
    assert_eq!(count(&Made { flags: flag::ACK | flag::SYN, ..follows.clone() }), 2, "another flag");
    assert_eq!(count(&Made { options: 24, ..follows.clone() }), 2, "other options");
    assert_eq!(count(&Made { payload: vec![0; 1500], mss: 1500, ..follows.clone() }), 2, "a larger segment");
    assert_eq!(count(&Made { payload: vec![], ..follows.clone() }), 2, "no data");
    assert_eq!(count(&Made { is_six: true, ..follows }), 2, "another protocol");
    let pushed = Made { flags: flag::ACK | flag::PSH, ..first.clone() };
    let follows = Made { seq, ..first };
    assert_eq!(together(Segment::all(pushed.packet()).chain(Segment::all(follows.packet()))).len(), 2, "a push");
}

#[test]
fn a_run_is_an_ip_packet_at_most() {
    let first = Made::new(44 * 1448, 1448);
    let next = Made { seq: first.seq.wrapping_add(44 * 1448), ..Made::new(3 * 1448, 1448) };
    let lengths: Vec<usize> =
        together(Segment::all(first.packet()).chain(Segment::all(next.packet()))).iter().map(Vec::len).collect();
    assert_eq!(lengths, [45 * 1448 + 66 + VNET, 2 * 1448 + 66 + VNET]);
}

#[test]
fn what_is_not_tcp_passes_as_it_is() {
    let mut arp = vec![0; VNET + 42];
    arp[VNET + 12..VNET + 14].copy_from_slice(&[8, 6]);
    let packet = again(arp.clone());
    assert!(!packet.is_tcp());
    assert_eq!(Segment::all(packet).map(|segment| written(&Run::new(segment))).collect::<Vec<_>>(), [arp]);
    let mut fragment = Made::new(100, 1448).bytes();
    fragment[VNET + 20] = 0x20;
    assert!(!again(fragment).is_tcp());
    assert!(Packet::new(vec![0; 100], 23).is_none());
    assert!(Packet::new(vec![0; 100], 101).is_none());
}

/// The packet of an ECN-capable sender: the ECN bits of the IP header are 2, ECT(0).
fn ecn_capable(made: &Made) -> Packet {
    let mut bytes = made.bytes();
    if made.is_six {
        bytes[VNET + 15] |= 2 << 4;
    } else {
        bytes[VNET + 15] |= 2;
        bytes[VNET + 24..VNET + 26].fill(0);
        let sum = reference(&bytes[VNET + 14..VNET + 34]);
        bytes[VNET + 24..VNET + 26].copy_from_slice(&sum.to_be_bytes());
    }
    again(bytes)
}

/// The two ECN bits.
fn ecn(frame: &[u8], is_six: bool) -> u8 {
    if is_six { frame[VNET + 15] >> 4 & 3 } else { frame[VNET + 15] & 3 }
}

#[test]
fn marked_frames_say_so_and_their_checksums_are_right() {
    for is_six in [false, true] {
        let made = Made { is_six, ..Made::new(4 * 1448, 1448) };
        assert!(Segment::all(made.packet()).all(|segment| !segment.wire().is_ecn_capable));
        let mut segments: Vec<Segment> = Segment::all(ecn_capable(&made)).collect();
        assert!(segments.iter().all(|segment| segment.wire().is_ecn_capable));
        segments[1].mark();
        segments[2].mark();
        let frames: Vec<Vec<u8>> = segments.iter().cloned().map(|segment| written(&Run::new(segment))).collect();
        for (frame, expected) in frames.iter().zip([2, 3, 3, 2]) {
            check(frame, is_six);
            assert_eq!(ecn(frame, is_six), expected);
        }
        // Marked segments form a separate run.
        let runs = together(segments.into_iter());
        assert_eq!(runs.iter().map(|run| ecn(run, is_six)).collect::<Vec<_>>(), [2, 3, 2]);
        assert_eq!(runs[1].len() - VNET, made.head() + 2 * 1448);
        if !is_six {
            assert_eq!(reference(&runs[1][VNET + 14..VNET + 34]), 0, "IP header");
        }
    }
}

#[test]
fn a_single_marked_frame_has_a_right_checksum() {
    for is_six in [false, true] {
        let mut only = Segment::all(ecn_capable(&Made { is_six, ..Made::new(100, 1448) })).next().unwrap();
        only.mark();
        let frame = written(&Run::new(only));
        check(&frame, is_six);
        assert_eq!(ecn(&frame, is_six), 3);
    }
}

/// A SYN with these option bytes, its checksum left to the device.
fn syn(is_six: bool, options: &[u8]) -> Packet {
    let made = Made { is_six, flags: flag::SYN, options: options.len(), ..Made::new(0, 1448) };
    let mut bytes = made.bytes();
    let at = VNET + made.head() - options.len();
    bytes[at..at + options.len()].copy_from_slice(options);
    again(bytes)
}

#[test]
fn the_mss_of_a_syn_is_cut_and_its_checksum_is_right() {
    // The window scale precedes the MSS of 1460.
    let options = [3, 3, 7, 1, 2, 4, 0x05, 0xb4];
    for (is_six, largest, expected) in
        [(false, 1360, 1360), (true, 1360, 1360), (false, 1460, 1460), (true, 9000, 1460)]
    {
        let says = |frame: &[u8]| u16::from_be_bytes(frame[frame.len() - 2..].try_into().unwrap());
        let mut packet = syn(is_six, &options);
        packet.clamp_mss(largest);
        let frame = written(&Run::new(Segment::all(packet).next().unwrap()));
        check(&frame, is_six);
        assert_eq!(says(&frame), expected);
        // Again, with a complete checksum.
        let mut packet = again(frame);
        packet.clamp_mss(1000);
        let frame = written(&Run::new(Segment::all(packet).next().unwrap()));
        check(&frame, is_six);
        assert_eq!(says(&frame), 1000);
    }
}

#[test]
fn only_the_mss_of_syns_is_cut() {
    let same = |packet: fn() -> Packet| {
        let mut cut = packet();
        cut.clamp_mss(500);
        assert_eq!(cut.bytes(), packet().bytes());
    };
    // The same bytes inside another option, after the end of options, after an invalid length, or past the
    // end.
    same(|| syn(false, &[254, 6, 2, 4, 0x05, 0xb4, 1, 1]));
    same(|| syn(false, &[0, 0, 0, 0, 2, 4, 0x05, 0xb4]));
    same(|| syn(false, &[3, 0, 0, 0, 2, 4, 0x05, 0xb4]));
    same(|| syn(false, &[1, 1, 1, 1, 1, 1, 2, 4]));
    let options = [2, 4, 0x05, 0xb4];
    let mut bytes = Made { options: 4, ..Made::new(100, 1448) }.bytes();
    let at = VNET + 14 + 20 + 20;
    bytes[at..at + 4].copy_from_slice(&options);
    let mut data = again(bytes.clone());
    data.clamp_mss(500);
    assert_eq!(data.bytes(), bytes);
}

fn made() -> impl Strategy<Value = Made> {
    (any::<bool>(), 0_usize..=10, 0_usize..60_000, 1_u16..9000, any::<u32>(), any::<u16>(), any::<bool>()).prop_map(
        |(is_six, options, payload, mss, seq, ident, is_pushed)| Made {
            is_six,
            options: options * 4,
            // At most 100 segments keep the test fast.
            payload: Made::new(payload.min(usize::from(mss) * 100), mss).payload,
            flags: if is_pushed { flag::ACK | flag::PSH } else { flag::ACK },
            seq,
            ident,
            mss,
        },
    )
}

proptest! {
    #[test]
    fn cut_and_put_together_is_the_same(made in made()) {
        let frames = cut(&made);
        for frame in &frames {
            check(frame, made.is_six);
        }
        let runs = together(frames.into_iter().flat_map(|frame| Segment::all(again(frame))));
        prop_assert_eq!(runs.len(), 1);
        if made.payload.len() > usize::from(made.mss) {
            prop_assert_eq!(&runs[0], &made.bytes());
        } else {
            check(&runs[0], made.is_six);
            prop_assert_eq!(&runs[0][VNET + made.head()..], &made.payload);
        }
    }

    #[test]
    fn any_bytes_are_a_frame(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..300),
        kind in 0_usize..3,
        others in proptest::collection::vec(any::<u8>(), 24..200),
    ) {
        // Otherwise most inputs would not be IP.
        if bytes.len() > 50 && kind < 2 {
            let start: &[u8] = if kind == 0 { &[8, 0, 0x45] } else { &[0x86, 0xdd, 0x60] };
            bytes[VNET + 12..VNET + 15].copy_from_slice(start);
            bytes[VNET + if kind == 0 { 23 } else { 20 }] = 6;
            bytes[VNET + if kind == 0 { 20 } else { 30 }] = 0;
            bytes[VNET + if kind == 0 { 21 } else { 30 }] = 0;
            bytes[VNET + if kind == 0 { 16 } else { 18 }] = 0;
        }
        let len = bytes.len();
        if let Some(mut packet) = Packet::new(bytes, len) {
            packet.clamp_mss(500);
            for segment in Segment::all(packet) {
                let _ = segment.wire();
                let mut run = Run::new(segment.clone());
                for other in Segment::all(again(others.clone())).chain([segment.clone()]) {
                    let _ = run.extend(other);
                }
                let _ = written(&run);
                let mut marked = segment;
                marked.mark();
                let _ = written(&Run::new(marked));
            }
        }
    }
}
