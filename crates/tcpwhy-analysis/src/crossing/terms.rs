//! Tests of each condition that two captures show together: one of them fails if a condition is removed or a
//! boundary moves.

use tcpwhy_model::{IpHeader, TcpOptions, Undelivered, WindowField};

use super::*;

const SYN: TcpFlags = TcpFlags::SYN;
const ACK: TcpFlags = TcpFlags::ACK;

fn end(host: u8, port: u16) -> Endpoint {
    Endpoint { address: [10, 0, 0, host].into(), port }
}

fn at(nanos: i64) -> Timestamp {
    Timestamp::from_nanos(nanos)
}

/// A segment of host 1 (the lower address) to port 80 of host 2.
fn segment(number: u64, flags: TcpFlags, seq: u32, len: u32) -> Segment {
    Segment {
        number,
        timestamp: at(number as i64),
        source: end(1, 40_000),
        destination: end(2, 80),
        seq: SeqNum(seq),
        ack: SeqNum(0),
        flags,
        window: WindowField(0),
        payload_len: len,
        options: TcpOptions::default(),
        ip: IpHeader::default(),
    }
}

fn back(segment: Segment) -> Segment {
    Segment { source: segment.destination, destination: segment.source, ..segment }
}

fn recorded(segments: &[Segment]) -> Vec<FlowMarks> {
    let mut recorder = MarkRecorder::default();
    recorder.observe_all(segments);
    recorder.finish()
}

fn way(data: &[(i64, i64)]) -> WayMarks {
    let data = data.iter().enumerate().map(|(n, &(start, end))| (start, end, at(n as i64))).collect();
    WayMarks { marks: Some(Box::new(Marks { data, acks: Vec::new() })), ..WayMarks::default() }
}

#[test]
fn positions_go_on_where_sequence_numbers_wrap() {
    let mut way = WayMarks::default();
    let first = FIRST_POSITION + i64::from(u32::MAX);
    let found = [u32::MAX, 1, u32::MAX - 4].map(|seq| way.position(SeqNum(seq)) - first);
    assert_eq!(found, [0, 2, -4], "over the end, and back");
    assert_eq!(FIRST_POSITION, 8_589_934_592);
}

#[test]
fn bytes_between_two_positions() {
    let way = way(&[(0, 100), (100, 300), (100, 200)]);
    for (what, range, expected) in [
        ("all, a repeat twice", (0, 300), 400),
        ("a part of each", (50, 150), 50 + 50 + 50),
        ("beyond", (300, 400), 0),
        ("nothing", (0, 0), 0),
    ] {
        assert_eq!(way.bytes_within(range), expected, "{what}");
    }
    assert_eq!(WayMarks::default().bytes_within((0, 9)), 0, "no marks");
}

#[test]
fn data_that_passed_for_the_first_time() {
    for (what, data, first, repeated) in [
        ("one after the other", vec![(0, 10), (10, 20)], vec![(0, 10), (10, 20)], vec![]),
        ("a repeat", vec![(0, 10), (10, 20), (0, 10)], vec![(0, 10), (10, 20)], vec![(0, 10)]),
        ("a repeat with more", vec![(0, 10), (5, 20)], vec![(0, 10), (10, 20)], vec![(5, 10)]),
        ("a hole that is filled", vec![(0, 10), (20, 30), (10, 20)], vec![(0, 10), (20, 30)], vec![(10, 20)]),
        ("repeats in order", vec![(0, 30), (20, 30), (10, 20)], vec![(0, 30)], vec![(10, 20), (20, 30)]),
        ("a repeat of the end", vec![(0, 10), (9, 10)], vec![(0, 10)], vec![(9, 10)]),
    ] {
        let found = way(&data).first_and_repeated();
        let pairs: Vec<_> = found.0.iter().map(|mark| (mark.0, mark.1)).collect();
        assert_eq!((pairs, found.1), (first, repeated), "{what}");
    }
}

#[test]
fn a_position_is_within_stretches() {
    let stretches = [(0, 10), (20, 30)];
    for (position, expected) in [(-1, false), (0, true), (9, true), (10, false), (20, true), (29, true), (30, false)] {
        assert_eq!(is_within(&stretches, position), expected, "{position}");
    }
    let mut many = vec![(0, 1000)];
    many.extend((1..64).map(|start| (start, start + 1)));
    assert!(is_within(&many, 500), "63 shorter ones after it");
    many.push((64, 65));
    assert!(!is_within(&many, 500), "64");
}

#[test]
fn connections_are_told_apart_by_their_syns() {
    let first = segment(1, SYN, 7, 0);
    for (what, more, expected) in [
        ("the SYN again", vec![segment(2, SYN, 7, 0)], 1),
        ("another SYN", vec![segment(2, SYN, 8, 0)], 2),
        ("its answer", vec![back(segment(2, SYN.union(ACK), 900, 0))], 1),
        ("another port", vec![Segment { source: end(1, 40_001), ..segment(2, ACK, 8, 0) }], 2),
        ("packets both ways", vec![segment(2, ACK, 8, 10), back(segment(3, ACK, 900, 10))], 1),
    ] {
        let all: Vec<_> = [first].into_iter().chain(more).collect();
        assert_eq!(recorded(&all).len(), expected, "{what}");
    }
    let flow = &recorded(&[back(segment(5, SYN, 7, 0))])[0];
    assert_eq!((flow.ends, flow.isn, flow.first_packet), ([end(2, 80), end(1, 40_000)], Some(SeqNum(7)), 5), "a SYN");
    let flow = &recorded(&[back(segment(5, ACK, 7, 0))])[0];
    assert_eq!((flow.ends, flow.isn), ([end(1, 40_000), end(2, 80)], None), "no SYN: in their order");
    let flow = &recorded(&[back(segment(5, SYN.union(ACK), 7, 0))])[0];
    assert_eq!((flow.ends, flow.isn), ([end(1, 40_000), end(2, 80)], None), "a SYN-ACK is no first packet");
    let quoted = Segment::quoted([end(1, 40_000), end(2, 80)], SeqNum(1), Undelivered::Unreachable, 1, at(0));
    assert!(recorded(&[quoted]).is_empty(), "an ICMP error is no packet that passed");
}

#[test]
fn what_is_marked_of_a_way() {
    let ack = |number, flags, ack| Segment { ack: SeqNum(ack), ..back(segment(number, flags, 900, 0)) };
    let flows = recorded(&[
        segment(1, SYN, 100, 5),
        segment(2, ACK, 106, 10),
        segment(3, ACK, 96, 4),
        ack(4, ACK, 111),
        ack(5, ACK, 111),
        ack(6, ACK, 110),
        ack(7, ACK.union(TcpFlags::RST), 116),
        ack(8, ACK, 116),
        ack(9, TcpFlags::RST, 120),
    ]);
    let way = &flows[0].ways[0];
    let data: Vec<_> = way.data().iter().map(|mark| (mark.0 - FIRST_POSITION, mark.1 - FIRST_POSITION)).collect();
    assert_eq!(data, [(101, 106), (106, 116), (96, 100)], "data of a SYN comes after it");
    assert_eq!(way.range.map(|range| (range.0 - FIRST_POSITION, range.1 - FIRST_POSITION)), Some((96, 116)));
    let acks: Vec<_> = way.acks().iter().map(|mark| (mark.0 - FIRST_POSITION, mark.1.as_nanos())).collect();
    assert_eq!(acks, [(111, 4), (116, 8)], "more than any before, and none of a reset");
    assert!(flows[0].ways[1].data().is_empty(), "the other end sent nothing");
}

#[test]
fn marks_of_the_wanted_connections() {
    let all = [segment(1, SYN, 7, 0), segment(2, ACK, 8, 10), Segment { source: end(1, 9), ..segment(3, ACK, 8, 10) }];
    let mut recorder = MarkRecorder::of(HashSet::from([3]));
    recorder.observe_all(&all);
    assert!(!recorder.is_whole());
    let marked: Vec<_> = recorder.finish().iter().map(|flow| flow.ways[0].data().len()).collect();
    assert_eq!(marked, [0, 1], "the one whose first packet was asked for");
    assert!(MarkRecorder::default().is_whole());
    let ranges: Vec<_> = recorded(&all).iter().map(|flow| flow.ways[0].range.is_some()).collect();
    assert_eq!(ranges, [true, true], "which they are is known of all");
}

/// `MOST_WHOLE` and `MOST_MARKS`.
#[test]
fn no_more_is_kept_than_fits() {
    assert_eq!((MOST_MARKS, MOST_WHOLE), (20_000_000, 20_000));
    let mut recorder = MarkRecorder::default();
    let of_port = |n: u32| Segment { source: end(1, n as u16), ..segment(u64::from(n), ACK, 8, 10) };
    (1..=20_000).for_each(|n| recorder.observe(&of_port(n)));
    assert!(recorder.is_whole(), "as many as are kept whole");
    assert_eq!(recorder.marks, 20_000 * (MARKS_PER_FLOW + 2), "each with data and an ACK");
    recorder.observe(&of_port(20_001));
    assert!(!recorder.is_whole(), "one more");
    assert_eq!(recorder.marks, 20_001 * MARKS_PER_FLOW, "marks are given back");
    assert!(recorder.flows.iter().all(|flow| flow.ways.iter().all(|way| way.marks.is_none())));
    assert!(!recorder.is_full());
    recorder.marks = MOST_MARKS - 1;
    assert!(!recorder.is_full());
    recorder.marks = MOST_MARKS;
    assert!(recorder.is_full());
    recorder.observe(&of_port(20_002));
    assert_eq!(recorder.flows.len(), 20_001, "nothing more is taken");
}

#[test]
fn the_same_connection_in_two_captures() {
    let flow = |isn: Option<u32>, ends: [Endpoint; 2], ranges: [Option<(i64, i64)>; 2]| FlowMarks {
        ends,
        isn: isn.map(SeqNum),
        first_packet: 1,
        opening: SeenHandshake::default(),
        ways: ranges.map(|range| WayMarks { range, ..WayMarks::default() }),
    };
    let (ends, swapped) = ([end(1, 9), end(2, 80)], [end(2, 80), end(1, 9)]);
    let translated = [end(7, 1), end(8, 80)];
    let other_port = [end(1, 9), end(2, 81)];
    let (none, data) = ([None; 2], [Some((0, 10)), Some((500, 510))]);
    let syn = flow(Some(7), ends, none);
    let middle = flow(None, ends, data);
    for (what, one, other, expected) in [
        ("one number, one port", &syn, flow(Some(7), translated, none), true),
        ("another number", &syn, flow(Some(8), ends, data), false),
        ("another port", &syn, flow(Some(7), other_port, none), false),
        ("a SYN is missing: the same numbers", &middle, flow(Some(7), ends, data), true),
        ("the second way overlaps", &middle, flow(None, ends, [Some((900, 910)), Some((509, 600))]), true),
        ("neither does", &middle, flow(None, ends, [Some((10, 20)), Some((510, 600))]), false),
        ("the first way overlaps by a byte", &middle, flow(None, ends, [Some((9, 20)), None]), true),
        ("it ends where the other begins", &middle, flow(None, ends, [Some((-9, 0)), None]), false),
        ("other ends", &middle, flow(None, other_port, data), false),
        ("ends the other way round", &middle, flow(None, swapped, [data[1], data[0]]), true),
        ("and numbers that are not", &middle, flow(None, swapped, data), false),
        ("no data", &middle, flow(None, ends, none), false),
    ] {
        assert_eq!((one.is_same(&other), other.is_same(one)), (expected, expected), "{what}");
    }
}

/// Delays above the least: their median, 95 % quantile, and maximum with its time.
#[test]
fn how_a_delay_changed() {
    let above: Vec<_> = (0..=100).rev().map(|n| (n, at(1000 + n))).collect();
    let found = change(above).unwrap();
    assert_eq!((found.samples, found.median, found.p95), (101, 50, 95));
    assert_eq!((found.max, found.max_at), (100, at(1100)));
    let one = change(vec![(7, at(3))]).unwrap();
    assert_eq!((one.samples, one.median, one.p95, one.max), (1, 7, 7, 7));
    assert_eq!(change(Vec::new()), None);
}

/// Marks of data and of ACKs that both captures have, with the time at the first.
#[test]
fn what_both_captures_saw_is_compared() {
    let with = |data: &[(i64, i64, i64)], acks: &[(i64, i64)]| {
        let range = data.first().zip(data.last()).map(|(first, last)| (first.0, last.1));
        let data = data.iter().map(|&(start, end, time)| (start, end, at(time))).collect();
        let acks = acks.iter().map(|&(position, time)| (position, at(time))).collect();
        WayMarks { range, marks: Some(Box::new(Marks { data, acks })), ..WayMarks::default() }
    };
    let nanos =
        |deltas: Vec<(Timestamp, i64)>| deltas.iter().map(|delta| (delta.0.as_nanos(), delta.1)).collect::<Vec<_>>();
    let a = with(&[(0, 20, 100), (20, 40, 200)], &[(10, 1), (20, 2), (30, 3)]);
    for (what, b, expected) in [
        ("cut otherwise", vec![(0, 10, 150), (10, 20, 151), (20, 40, 260)], vec![(100, 50), (100, 51), (200, 60)]),
        ("a repeat in the second", vec![(0, 20, 150), (20, 40, 260), (0, 20, 300)], vec![(200, 60)]),
        ("more than the first has", vec![(40, 60, 400)], vec![]),
        ("before the first begins", vec![(-20, 0, 50), (0, 20, 150)], vec![(100, 50)]),
    ] {
        assert_eq!(nanos(data_deltas(&a, &with(&b, &[]))), expected, "{what}");
    }
    let repeated = with(&[(0, 20, 100), (20, 40, 200), (20, 40, 250)], &[]);
    let whole = with(&[(0, 20, 150), (20, 40, 260)], &[]);
    assert_eq!(nanos(data_deltas(&repeated, &whole)), [(100, 50)], "a repeat in the first");
    let gap = with(&[(0, 20, 100), (40, 60, 200)], &[]);
    let filled = with(&[(0, 20, 150), (20, 40, 250), (40, 60, 251)], &[]);
    assert_eq!(nanos(data_deltas(&gap, &filled)), [(100, 50), (200, 51)], "the first misses a segment");
    let acks = with(&[], &[(10, 7), (20, 8), (25, 9), (30, 10)]);
    assert_eq!(nanos(ack_deltas(&a, &acks)), [(2, 6), (3, 7)], "the same numbers, without the first one");
    assert_eq!(nanos(data_deltas(&WayMarks::default(), &whole)), [], "no data");
}

/// The first capture sees four segments pass, the second one the two in the middle: 30 ns later.
#[test]
fn bytes_count_where_both_captures_have_data() {
    let data = |n: u32, time: i64| Segment { timestamp: at(time), ..back(segment(1, ACK, 1000 * n, 1000)) };
    let ack = |n: u32, time: i64| Segment { timestamp: at(time), ack: SeqNum(1000 * n), ..segment(1, ACK, 500, 0) };
    let first = [data(1, 100), data(2, 110), data(3, 120), data(4, 130), ack(3, 200), ack(4, 210), ack(5, 220)];
    let second = [data(2, 140), data(3, 150), ack(3, 170), ack(4, 180), ack(5, 190)];
    let [first, second] = [&first[..], &second[..]].map(|segments| recorded(segments).remove(0));
    let crossing = first.crossing(&second).unwrap();
    assert_eq!((crossing.first_near, crossing.round_trip, crossing.clock_offset), (1, 60, 0));
    assert_eq!((crossing.ways[1].sent, crossing.ways[1].arrived), (2000, 2000), "of four and two segments");
    let delay = |way: usize| crossing.ways[way].delay.map(|delay| (delay.samples, delay.max));
    assert_eq!((delay(0), delay(1)), (Some((2, 0)), Some((2, 0))));
}
