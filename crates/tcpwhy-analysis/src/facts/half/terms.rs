//! Tests of each condition for a direction's decisions about a packet: dropping one, or moving its boundary,
//! fails here.

use tcpwhy_model::{Ecn, Endpoint, IpHeader, Segment, TcpOptions, TcpTimestamps, Timestamp};

use super::ledger::Ledger;
use super::round_trip::Echo;
use std::num::NonZeroU16;

use tcpwhy_model::SeqNum;

use super::*;
use crate::facts::gap_fact::GapFact;
use crate::facts::slot::GapKind;

/// The change that a case makes.
type Change = fn(&mut Half);

/// Segments of 1000 bytes, a round trip of 20 ms, up to 2000 acknowledged and up to 5000 sent.
fn half(change: Change) -> Half {
    let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
    half.ledger.on_rtt(20 * MILLISECOND);
    (half.una, half.max_end) = (2000, 5000);
    change(&mut half);
    half
}

fn data(time: i64, seq: u32, len: u32) -> DataSegment {
    let (seq, ip_id) = (SeqNum(seq), NonZeroU16::new(7));
    DataSegment { time, seq, len, is_pushed: false, tsval: None, tsecr: None, ip_id }
}

/// A segment of the receiver with this acknowledgment and window.
fn segment(ack: u32, window: u16) -> Segment {
    let end = Endpoint { address: [10, 0, 0, 1].into(), port: 80 };
    Segment {
        number: 1,
        timestamp: Timestamp::ZERO,
        source: end,
        destination: end,
        seq: SeqNum(0),
        ack: SeqNum(ack),
        flags: TcpFlags::ACK,
        window: WindowField(window),
        payload_len: 0,
        options: TcpOptions::default(),
        ip: IpHeader::default(),
    }
}

fn unwrapper() -> Unwrapper {
    Unwrapper::from_isn(SeqNum(0))
}

fn acknowledge(half: &mut Half, time: i64, segment: &Segment) -> Option<i64> {
    half.on_ack(&AckSegment { time, scale: WindowScale::Shift(0), segment }, &mut unwrapper())
}

/// The recorded kinds of time, and the end of each in milliseconds.
fn kinds(ledger: &Ledger) -> Vec<(GapKind, i64)> {
    ledger.slots.intervals.iter().map(|interval| (interval.kind, interval.end / MILLISECOND)).collect()
}

#[test]
fn a_segment_is_new_a_repeat_reordered_or_a_probe() {
    use DataKind::{New, Probe, Reordered, Retransmission};
    let base: Change = |h| {
        h.una = 2000;
        h.holes.open(3000, 4000, 0);
    };
    let soon = 15 * MILLISECOND;
    for (what, time, start, end, expected) in [
        ("follows all before", 0, 5000, 6000, (New, 1000)),
        ("leaves a hole", 0, 6000, 7000, (New, 1000)),
        ("leaves a hole of the largest window", 0, 5000 + MAX_WINDOW, 6000 + MAX_WINDOW, (New, 1000)),
        ("lies beyond any window", 0, 5001 + MAX_WINDOW, 6001 + MAX_WINDOW, (Probe, 0)),
        ("a byte that was acknowledged", 0, 1999, 2000, (Probe, 0)),
        ("two bytes that were acknowledged", 0, 1998, 2000, (Retransmission, 0)),
        ("the next byte alone", 0, 2000, 2001, (Probe, 0)),
        ("the byte after it", 0, 2001, 2002, (Retransmission, 0)),
        ("fills a hole in three quarters of a round trip", soon, 3000, 4000, (Reordered, 1000)),
        ("fills it later", soon + 1, 3000, 4000, (Retransmission, 1000)),
        ("fills a part of it", soon, 3500, 4500, (Reordered, 500)),
        ("fills it and goes on", soon, 3000, 5500, (Reordered, 1500)),
        ("repeats and goes on", 0, 4500, 5500, (Retransmission, 500)),
    ] {
        let mut half = half(base);
        assert_eq!(half.kind_of(&data(time, start as u32, (end - start) as u32), start, end), expected, "{what}");
    }
}

#[test]
fn the_mss_grows_to_what_the_syns_allow() {
    for (len, mss, super_packets) in [(500, 500, 0), (600, 600, 0), (1000, 1000, 0), (1001, 500, 1)] {
        let mut half = half(|h| h.mss = 500);
        half.learn_mss(&data(0, 5000, len));
        assert_eq!(
            (half.mss, half.counts.super_packets, half.counts.largest_payload),
            (mss, super_packets, len.into())
        );
    }
}

/// An end with an MSS of 1000 in its SYN sends segments of one larger size to an end with 1400.
#[test]
fn equal_segments_above_the_own_mss_show_a_larger_one() {
    for (what, count, len, pushed, expected) in [
        ("three", 3, 1400, false, (1400, 0)),
        ("two", 2, 1400, false, (1000, 2)),
        ("each pushed", 3, 1400, true, (1000, 3)),
        ("larger than the receiver takes", 3, 1401, false, (1000, 3)),
    ] {
        let mut half = half(|h| h.receiver_mss = 1400);
        for time in 0..count {
            half.learn_mss(&DataSegment { is_pushed: pushed, ..data(time, 5000, len) });
            half.last_data = time;
        }
        assert_eq!((half.mss, half.counts.super_packets), expected, "{what}");
    }
    // As long as two full segments that offload merges.
    for (len, expected) in [(1999, 1999), (2000, 1000)] {
        let mut half = half(|h| h.receiver_mss = 9000);
        for time in 0..3 {
            half.learn_mss(&data(time, 5000, len));
            half.last_data = time;
        }
        assert_eq!(half.mss, expected);
    }
}

#[test]
fn equal_segments_show_the_mss_unless_each_was_a_write() {
    for (what, pushed, change, expected) in [
        ("in flight", false, (|_| ()) as Change, 700),
        ("each pushed", true, |_| (), 1000),
        ("nothing in flight, faster than a round trip", false, |h| h.una = 5000, 700),
        (
            "nothing in flight, no round trip known",
            false,
            |h| {
                h.una = 5000;
                h.ledger.forget_round_trips();
            },
            1000,
        ),
    ] {
        let mut half = half(change);
        for time in 0..3 {
            half.learn_mss(&DataSegment { is_pushed: pushed, ..data(time, 5000, 700) });
            half.last_data = time;
        }
        assert_eq!(half.mss, expected, "{what}");
    }
}

/// An answer shows a round trip if it acknowledges two segments, or comes at most one round trip and 40 ms
/// late.
#[test]
fn an_answer_times_a_round_trip_where_no_program_delayed_it() {
    for (what, payload, bytes, rtt, delay, expected) in [
        ("an ACK of its own", 0, 1, Some(20), 9_000_000, true),
        ("an answer, 40 ms late", 1, 1999, Some(20), 60_000, true),
        ("an answer, later", 1, 1999, Some(20), 60_001, false),
        ("an answer, a long round trip late", 1, 1999, Some(50), 100_000, true),
        ("an answer, later than that", 1, 1999, Some(50), 100_001, false),
        ("an answer to two segments", 1, 2000, Some(20), 9_000_000, true),
        ("no round trip known", 1, 1, None, 9_000_000, true),
    ] {
        let mut half = half(|h| h.ledger.forget_round_trips());
        if let Some(rtt) = rtt {
            half.ledger.on_rtt(rtt * MILLISECOND);
        }
        let segment = Segment { payload_len: payload, ..segment(3000, 100) };
        let ack = AckSegment { time: 0, scale: WindowScale::Shift(0), segment: &segment };
        assert_eq!(half.is_round_trip(&ack, bytes, delay * 1000), expected, "{what}");
    }
}

#[test]
fn data_of_the_peers_own_says_what_was_said_before() {
    let said = Segment { payload_len: 1, ..segment(2000, 100) };
    let syn = TcpFlags(TcpFlags::ACK.0 | TcpFlags::SYN.0);
    let mut sacks = said;
    sacks.options.sack.push(SeqNum(3000), SeqNum(4000));
    for (what, segment, ack, expected) in [
        ("the same", said, 2000, true),
        ("without payload", Segment { payload_len: 0, ..said }, 2000, false),
        ("a zero window", Segment { window: WindowField(0), ..said }, 2000, false),
        ("another window", Segment { window: WindowField(101), ..said }, 2000, false),
        ("a SYN", Segment { flags: syn, ..said }, 2000, false),
        ("with SACK", sacks, 2000, false),
        ("another acknowledgment", said, 2001, false),
    ] {
        let half = half(|h| h.last_window = Some((WindowField(100), 2000)));
        let s = AckSegment { time: 0, scale: WindowScale::Shift(0), segment: &segment };
        assert_eq!(half.is_said_already(&s, ack), expected, "{what}");
    }
}

/// Each condition for a duplicate ACK, and the effect of the first one of a loss.
#[test]
fn a_duplicate_ack_says_nothing_new_while_data_is_in_flight() {
    for (what, change, ack, window, payload, expected) in [
        ("a duplicate", (|_| ()) as Change, 2000, 100, 0, (1, true, 5000)),
        ("it acknowledges", |_| (), 3000, 100, 0, (0, false, 0)),
        ("it is old", |_| (), 1000, 100, 0, (0, false, 0)),
        ("it has payload and another window", |_| (), 2000, 101, 1, (0, false, 0)),
        ("nothing is in flight", |h| h.max_end = 2000, 2000, 100, 0, (0, false, 0)),
        ("another window", |_| (), 2000, 101, 0, (0, false, 0)),
        ("what was sent again may be its reason", |h| h.repaired_up_to = 2001, 2000, 100, 0, (1, true, 2001)),
        ("something is held by SACK", |h| _ = h.sacked.insert(3000, 4000), 2000, 100, 0, (1, false, 0)),
    ] {
        let mut half = half(|h| h.last_window = Some((WindowField(100), 2000)));
        change(&mut half);
        let segment = Segment { payload_len: payload, ..segment(ack, window) };
        acknowledge(&mut half, 20 * MILLISECOND, &segment);
        let has_hole = half.ledger.slots.current.holes > 0;
        assert_eq!((half.duplicate_acks, has_hole, half.repaired_up_to), expected, "{what}");
    }
}

/// A round trip is measured from the newest acknowledged data, unless it had arrived before.
#[test]
fn an_ack_times_data_that_it_waited_for() {
    let rtt = Some(20 * MILLISECOND);
    for (what, change, ack, expected) in [
        ("new data", (|_| ()) as Change, 3000, rtt),
        ("nothing new", |_| (), 2000, None),
        ("after a duplicate", |h| h.duplicate_acks = 1, 3000, None),
        ("SACKed before", |h| _ = h.sacked.insert(2000, 3000), 3000, None),
        ("other data SACKed before", |h| _ = h.sacked.insert(4000, 5000), 3000, rtt),
    ] {
        let mut half = half(change);
        half.trips.data_passed(3000, 0);
        assert_eq!(acknowledge(&mut half, 20 * MILLISECOND, &segment(ack, 100)), expected, "{what}");
        assert_eq!(half.own_ack_least.nanos().is_some(), expected.is_some(), "{what}: an ACK of its own");
    }
}

/// A zero window counts, except in a SYN.
#[test]
fn zero_windows_are_counted_except_on_a_syn() {
    let syn = TcpFlags(TcpFlags::ACK.0 | TcpFlags::SYN.0);
    for (what, window, flags, expected) in
        [("zero", 0, TcpFlags::ACK, 1), ("one", 1, TcpFlags::ACK, 0), ("a SYN", 0, syn, 0)]
    {
        let mut half = half(|_| ());
        acknowledge(&mut half, 20 * MILLISECOND, &Segment { flags, ..segment(3000, window) });
        assert_eq!(half.counts.zero_windows, expected, "{what}");
    }
}

#[test]
fn an_ack_ahead_of_the_data_waits_or_shows_data_that_was_not_captured() {
    for (what, ack, is_kept, una) in
        [("all of it", 5000, false, 5000), ("the FIN", 5001, false, 5000), ("ahead of the data", 5002, true, 2000)]
    {
        let mut half = half(|_| ());
        acknowledge(&mut half, 0, &segment(ack, 100));
        assert_eq!((half.early.is_some(), half.una, half.counts.unseen_bytes), (is_kept, una, 0), "{what}");
    }
}

/// In-order data within 0.1 ms after its ACK may have been captured late: then nothing is missing.
#[test]
fn an_ack_waits_a_tenth_of_a_millisecond_for_its_data() {
    for (what, after, start, unseen) in [
        ("0.1 ms", 100_000, 5000, 0),
        ("later", 100_001, 5000, 1000),
        ("before", -1, 5000, 1000),
        ("other data", 0, 6000, 1000),
    ] {
        let mut half = half(|_| ());
        acknowledge(&mut half, MILLISECOND, &segment(6000, 100));
        half.on_data(&data(MILLISECOND + after, start, 1000), &mut unwrapper());
        assert_eq!(half.counts.unseen_bytes, unseen, "{what}");
    }
}

#[test]
fn segments_are_counted_as_what_they_are() {
    for (what, start, len, expected) in [
        ("new", 5000, 1000, [1, 1000, 0, 0, 0, 0]),
        ("a repeat", 2000, 1000, [1, 0, 1, 1000, 0, 0]),
        ("a repeat that goes on", 4000, 1500, [1, 500, 1, 1000, 0, 0]),
        ("overtaken", 3000, 500, [1, 500, 0, 0, 1, 0]),
        ("a probe", 1999, 1, [1, 0, 0, 0, 0, 1]),
    ] {
        let mut half = half(|h| h.holes.open(3000, 3500, 0));
        let is_repeat = half.on_data(&data(MILLISECOND, start, len), &mut unwrapper());
        let c = &half.counts;
        let found =
            [c.segments, c.bytes, c.retransmitted_segments, c.retransmitted_bytes, c.reordered_segments, c.probes];
        assert_eq!(found, expected, "{what}");
        assert_eq!(is_repeat, expected[2] == 1, "{what}");
        assert_eq!(half.last_probe.get().is_some(), expected[5] == 1, "{what}");
    }
}

/// The handshake shows the delays to both ends, and the time in which a SYN was retransmitted.
#[test]
fn a_handshake_shows_the_delays_to_both_ends() {
    use GapFact::{HandshakeUnderWay, SynRepeated};
    let (once, fact) = ([0, 0, 15, 15, 40], GapKind::Fact);
    let steps = [(fact(SynRepeated), 5), (fact(SynRepeated), 30), (fact(HandshakeUnderWay), 40)];
    for (what, [first, last, syn_ack, last_syn_ack, established], is_initiator, handshake, expected) in [
        ("the client sends", once, true, Some((15, 25)), &steps[2..]),
        ("the server sends", once, false, Some((25, 15)), &steps[2..]),
        ("the SYN was repeated", [0, 5, 15, 15, 40], true, Some((10, 25)), &[steps[0], steps[2]]),
        ("the SYN-ACK was repeated", [0, 0, 15, 30, 40], true, Some((15, 10)), &steps[1..]),
        ("clocks went back", [0, 20, 15, 15, 40], true, None, &[(fact(SynRepeated), 20), steps[2]]),
    ] {
        let at = |millis: i64| Some(millis * MILLISECOND);
        let times = HandshakeTimes {
            first_syn: at(first),
            last_syn: at(last),
            syn_ack: at(syn_ack),
            last_syn_ack: at(last_syn_ack),
            established: at(established),
        };
        let half = Half::new(0, 1, &times, is_initiator, Some(SynMss::same(1000)), 50 * MILLISECOND);
        let found = half.handshake.map(|(receiver, sender)| (receiver / MILLISECOND, sender / MILLISECOND));
        assert_eq!((found, &kinds(&half.ledger)[..]), (handshake, expected), "{what}");
    }
}

/// A direction begins with its SYN, with the first packet after a SYN-ACK, or else with its data.
#[test]
fn a_direction_begins_with_its_handshake() {
    for (what, first_syn, syn_ack, start) in
        [("a SYN", Some(3), Some(4), 3), ("a SYN-ACK", None, Some(4), 2), ("neither", None, None, 9)]
    {
        let times = HandshakeTimes { first_syn, syn_ack, ..HandshakeTimes::default() };
        let half = Half::new(2, 1, &times, true, None, 9);
        assert_eq!((half.start, half.mss), (start, 1460), "{what}");
    }
}

/// At one end, the measured delay is the whole round trip; in the middle, the sum of both delays is.
#[test]
fn round_trips_are_the_sum_of_both_ways_in_the_middle() {
    use Vantage::{Middle, Receiver, Sender, Unknown};
    let rtt = |half: &Half| half.last_rtt.get();
    for (vantage, to_receiver, to_sender) in
        [(Sender, Some(7), None), (Unknown, Some(7), None), (Middle, Some(10), Some(11)), (Receiver, None, Some(7))]
    {
        let of = |change: fn(&mut Half)| {
            let mut half = half(|_| ());
            half.vantage = vantage;
            (half.last_rtt, half.trips.to_receiver_min) = (When::NEVER, Some(4));
            half.clock.set_shift(3, 0);
            change(&mut half);
            rtt(&half)
        };
        assert_eq!(of(|h| h.on_to_receiver(7, 0, false)), to_receiver, "{vantage:?} to the receiver");
        let echo = of(|h| {
            h.trips.to_sender_min = Some(7);
            h.on_echo(1, Echo { delay: 7, least: 7, waited_at_most: None, since_next: 0 }, 100, 0);
        });
        assert_eq!(echo, to_sender, "{vantage:?} to the sender");
        let sooner = if vantage == Middle { Some(6) } else { Some(2) };
        assert_eq!(of(|h| h.on_sender_answered(2, 0)), sooner, "{vantage:?} sooner");
        assert_eq!(of(|h| h.on_sender_answered(3, 0)), None, "{vantage:?} as assumed");
    }
}

/// The position by the routers on the path, and the knowledge of the delay that follows.
#[test]
fn the_side_without_routers_is_where_the_capture_stands() {
    use Vantage::{Receiver, Sender, Unknown};
    for (what, is_sender, to_sender, vantage, is_anywhere) in [
        ("at the sender", true, None, Sender, false),
        ("at the receiver", false, Some(5), Receiver, false),
        ("at the receiver, no distance", false, None, Unknown, true),
    ] {
        let mut half = half(|_| ());
        half.trips.to_sender_min = to_sender;
        half.stand_by_hops(is_sender);
        assert_eq!((half.vantage, half.has_unknown_distance()), (vantage, is_anywhere), "{what}");
    }
    for (what, vantage, expected) in [("unlocated", Unknown, Some(5)), ("located", Sender, None)] {
        let mut other = half(|_| ());
        other.own_ack_least = Grains::of(5 * 1024);
        let mut half = half(|_| ());
        half.vantage = vantage;
        half.follow_answers(&other);
        assert_eq!(half.trips.to_sender_min.map(|nanos| nanos / 1024), expected, "{what}");
    }
}

/// Forty segments locate a capture if timestamps show the delays to both ends.
#[test]
fn a_late_location_takes_timestamps_and_both_delays() {
    let base: Change = |h| {
        (h.has_timestamps, h.counts.segments) = (true, 40);
        (h.trips.to_receiver_min, h.trips.to_sender_min) = (Some(20 * MILLISECOND), Some(10_000));
    };
    for (what, change, expected) in [
        ("all of it", (|_| ()) as Change, Vantage::Sender),
        ("no timestamps", |h| h.has_timestamps = false, Vantage::Unknown),
        ("39 segments", |h| h.counts.segments = 39, Vantage::Unknown),
        ("no way to the receiver", |h| h.trips.to_receiver_min = None, Vantage::Unknown),
        ("no way to the sender", |h| h.trips.to_sender_min = None, Vantage::Unknown),
    ] {
        let mut half = half(base);
        change(&mut half);
        half.locate_late();
        assert_eq!(half.vantage, expected, "{what}");
    }
}

/// The order at the sender is known in a capture there, and elsewhere from timestamps.
#[test]
fn the_senders_order_is_known_at_the_sender_or_from_timestamps() {
    use Vantage::{Middle, Receiver, Sender, Unknown};
    for (vantage, without, inferred) in
        [(Sender, true, false), (Unknown, true, false), (Middle, false, true), (Receiver, false, true)]
    {
        let mut half = half(|_| ());
        (half.vantage, half.handshake, half.trips.to_sender_min) = (vantage, Some((1, 5)), Some(7));
        for (has_timestamps, expected) in [(false, without), (true, true)] {
            half.has_timestamps = has_timestamps;
            let context = half.context();
            assert_eq!(context.has_sender_order, expected, "{vantage:?}, timestamps {has_timestamps}");
            assert_eq!((context.ack_times_inferred, context.excess_ack_to_data_delay), (inferred, 2), "{vantage:?}");
        }
        assert!(half.context().is_one_sided, "no ACK");
        half.last_ack = Some(0);
        assert!(!half.context().is_one_sided, "an ACK");
    }
}

/// SACK blocks: new data in them, a hole before it, and reports of duplicates (RFC 2883).
#[test]
fn sack_blocks_report_new_data_or_duplicates() {
    let none: &[(u64, u64)] = &[];
    for (what, before, blocks, expected) in [
        ("with a hole before", none, &[(4000, 5000)][..], (true, true, 0, 1000)),
        ("right behind the acknowledgment", none, &[(2000, 3000)], (true, false, 0, 1000)),
        ("across the acknowledgment", none, &[(1500, 3000)], (false, false, 0, 0)),
        ("beyond what was sent", none, &[(4000, 5001)], (false, false, 0, 0)),
        ("backwards", none, &[(4000, 3000)], (false, false, 0, 0)),
        ("a duplicate below the acknowledgment", none, &[(1000, 2000)], (false, false, 1, 0)),
        ("a duplicate within what is held", &[(3000, 5000)], &[(3000, 4000)], (false, false, 0, 2000)),
        ("a second block below", none, &[(4000, 5000), (1000, 2000)], (true, true, 0, 1000)),
        ("next to what is held", &[(3000, 4000)], &[(4000, 5000)], (true, false, 0, 2000)),
        ("apart from what is held", &[(3000, 3500)], &[(4000, 5000)], (true, true, 0, 1500)),
        ("below what is held", &[(4000, 5000)], &[(3000, 3500)], (true, false, 0, 1500)),
    ] {
        let mut half = half(|_| ());
        for &(left, right) in before {
            _ = half.sacked.insert(left, right);
        }
        let mut segment = segment(2000, 100);
        for &(left, right) in blocks {
            segment.options.sack.push(SeqNum(left as u32), SeqNum(right as u32));
        }
        let s = AckSegment { time: 0, scale: WindowScale::Shift(0), segment: &segment };
        let told = half.read_sack(&s, 2000, &mut unwrapper());
        let found = (told.more, told.beyond_a_hole, half.counts.dsacks, half.sacked.total());
        assert_eq!(found, expected, "{what}");
    }
}

/// Without SACK, each duplicate ACK counts as one segment, up to all sent data but the missing segment.
#[test]
fn duplicate_acks_stand_for_a_segment_each() {
    for (duplicates, counts, delivered) in [(1, true, 3000), (2, true, 4000), (3, true, 4000), (2, false, 2000)] {
        let mut half = half(|_| ());
        half.duplicate_acks = duplicates;
        half.follow_delivery(0, counts, false);
        assert_eq!(half.delivery.last.delivered, delivered, "{duplicates} duplicates");
    }
}

/// CWR counts if the SYNs agreed on ECN, or if they were not captured and the receiver had echoed a mark.
#[test]
fn a_reduction_counts_where_ecn_is_in_use() {
    for (is_agreed, echoes, expected) in
        [(Some(true), 0, true), (Some(false), 1, false), (None, 1, true), (None, 0, false)]
    {
        let mut half = half(|_| ());
        (0..echoes).for_each(|_| half.on_congestion_echo());
        half.on_reduction(0, is_agreed);
        assert_eq!(half.ledger.slots.current.has_reduction, expected, "{is_agreed:?}, {echoes}");
    }
}

#[test]
fn congestion_signs_are_marks_and_reductions() {
    for (ecn, flags, expected) in [
        (Ecn::CongestionExperienced, TcpFlags::ACK, (1, 0)),
        (Ecn::Capable0, TcpFlags::CWR, (0, 1)),
        (Ecn::CongestionExperienced, TcpFlags::CWR, (1, 1)),
        (Ecn::NotCapable, TcpFlags::ACK, (0, 0)),
    ] {
        let mut half = half(|_| ());
        let mut segment = Segment { flags, ..segment(0, 0) };
        segment.ip = IpHeader::new(None, 64, ecn);
        half.on_congestion_sign(&segment);
        let found = half.ledger.signs().map_or((0, 0), |s| (s.congestion.marked, s.congestion.reductions));
        assert_eq!(found, expected, "{ecn:?} {flags:?}");
    }
}

/// The window shrinks if the edge moves back by more than a segment and a rounding unit, and data was using
/// it.
#[test]
fn a_window_shrinks_by_more_than_a_segment() {
    let syn = TcpFlags(TcpFlags::ACK.0 | TcpFlags::SYN.0);
    for (what, scale, flags, before, edge, expected) in [
        ("more than a segment", 0, TcpFlags::ACK, 5002, 4000, 1),
        ("a segment", 0, TcpFlags::ACK, 5000, 4000, 0),
        ("a segment, and a coarse scale", 11, TcpFlags::ACK, 4048, 2000, 0),
        ("more than the scale cuts off", 11, TcpFlags::ACK, 4049, 2000, 1),
        ("nothing was using it", 0, TcpFlags::ACK, 9000, 5000, 0),
        ("a SYN", 0, syn, 9000, 4000, 0),
        ("no edge before", 0, TcpFlags::ACK, u64::MAX, 4000, 0),
    ] {
        let mut half = half(|_| ());
        half.edge = before;
        let segment = Segment { flags, ..segment(2000, 100) };
        half.follow_edge(&AckSegment { time: 0, scale: WindowScale::Shift(scale), segment: &segment }, edge);
        let shrinks = half.ledger.signs().map_or(0, |signs| signs.beyond.shrinks);
        assert_eq!(shrinks, expected, "{what}");
    }
}

/// A guessed scale proves nothing; a negotiated scale, or an agreed absence of scaling, does.
#[test]
fn an_edge_is_followed_where_the_scale_is_known() {
    for (scale, edge) in
        [(WindowScale::Unknown, 9000), (WindowScale::NotNegotiated, 4000), (WindowScale::Shift(2), 4000)]
    {
        let mut half = half(|h| h.edge = 9000);
        half.follow_edge(&AckSegment { time: 0, scale, segment: &segment(2000, 100) }, 4000);
        assert_eq!(half.edge, edge, "{scale:?}");
    }
}

/// Data is beyond the window if it exceeds the edge by more than the rounding unit of the scale.
#[test]
fn data_lies_beyond_the_window_by_more_than_its_scale() {
    for (scale, end, expected) in [
        (WindowScale::NotNegotiated, 5001, 0),
        (WindowScale::NotNegotiated, 5002, 1),
        (WindowScale::Shift(7), 5128, 0),
        (WindowScale::Shift(7), 5129, 1),
        (WindowScale::Unknown, 5001, 0),
        (WindowScale::Unknown, 5002, 1),
    ] {
        let mut half = half(|h| h.edge = 5000);
        half.window_scale = scale;
        half.watch_new_data(&data(0, 5000, 100), 5000, end);
        let beyond = half.ledger.signs().map_or(0, |signs| signs.beyond.segments);
        assert_eq!(beyond, expected, "{scale:?} up to {end}");
    }
}

/// An answer before a timeout forgives the peer's retransmissions. After a timeout, it shows that the path
/// was down.
#[test]
fn an_answer_forgives_repeats_unless_it_took_a_timeout() {
    for (what, una, silence, had_sent, is_down) in [
        ("within 200 ms", 5000, 199, true, false),
        ("within two round trips more", 5000, 239, true, false),
        ("after a timeout", 5000, 240, true, true),
        ("after a timeout, with nothing to repeat", 5000, 240, false, false),
        ("after a timeout, with data in flight", 4999, 240, true, false),
    ] {
        let mut half = half(|_| ());
        half.una = una;
        let (kind, is_partial) = (DataKind::New, false);
        let data = DataEvent { time: 0, start: 0, end: 5000, kind, is_partial, tsval: None, lag_ticks: None };
        half.ledger.on_data(&data);
        half.ledger.on_ack(&AckEvent {
            time: 20 * MILLISECOND,
            passed: 20 * MILLISECOND,
            ack: 5000,
            window: None,
            is_zero_window: false,
            sacked: 0,
            reveals_hole: false,
            has_payload: true,
            tsval: None,
        });
        half.ledger.on_peer_payload(20 * MILLISECOND, 1, 0);
        half.on_peer_retransmission();
        half.on_answer(1_000 * MILLISECOND, silence * MILLISECOND, had_sent);
        let down = GapKind::Fact(GapFact::PeerRepeatedUnanswered);
        assert_eq!(kinds(&half.ledger).iter().any(|(kind, _)| *kind == down), is_down, "{what}");
    }
}

/// Timestamps show a lag if both ends tick in milliseconds.
#[test]
fn a_lag_takes_two_clocks_of_milliseconds() {
    for (what, sender, receiver, echo, expected) in [
        ("both", 100, 100, Some(5), Some(0)),
        ("not the sender's", 200, 100, Some(5), None),
        ("not the receiver's", 100, 200, Some(5), None),
        ("no echo", 100, 100, None, None),
    ] {
        let mut half = half(|_| ());
        half.sender_ticks.note(0, 0);
        half.receiver_ticks.note(0, 0);
        half.receiver_ticks.note(receiver, 100 * MILLISECOND);
        let s = DataSegment { tsval: Some(sender), tsecr: echo, ..data(100 * MILLISECOND, 5000, 1000) };
        assert_eq!(half.lag_ticks(&s), expected, "{what}");
    }
}

/// The timestamps of ACKs are followed only away from the sender.
#[test]
fn ticks_of_the_receiver_are_followed_away_from_the_sender() {
    for (vantage, expected) in [(Vantage::Sender, false), (Vantage::Receiver, true)] {
        let mut half = half(|_| ());
        half.vantage = vantage;
        for (time, value) in [(0, 0), (100, 100)] {
            let mut segment = segment(2000, 100);
            segment.options.timestamps = Some(TcpTimestamps { value, echo_reply: 0 });
            let scale = WindowScale::Shift(0);
            half.follow_ticks(&AckSegment { time: time * MILLISECOND, scale, segment: &segment });
        }
        assert_eq!(half.receiver_ticks.is_milliseconds(), expected, "{vantage:?}");
    }
}

/// The end is the ACK of everything, or the direction's last packet. The time after that ACK belongs to the
/// peer's close, or to no direction.
#[test]
fn a_direction_ends_with_the_last_ack() {
    use GapFact::{NothingInFlight, PeerHadClosed};
    let fact = GapKind::Fact;
    for (what, una, last_data, held_open, expected) in [
        ("all is acknowledged", 5000, 40, None, vec![(GapKind::Tail, 30)]),
        ("something is in flight", 4999, 40, None, vec![(GapKind::Tail, 40)]),
        ("the ACK is the last packet", 5000, 20, None, vec![(GapKind::Tail, 30)]),
        (
            "the peer closed",
            5000,
            20,
            Some((35, 50)),
            vec![(GapKind::Tail, 30), (fact(NothingInFlight), 35), (fact(PeerHadClosed), 50)],
        ),
    ] {
        let mut half = half(|_| ());
        (half.una, half.last_ack, half.last_data) = (una, Some(30 * MILLISECOND), last_data * MILLISECOND);
        let held_open = held_open.map(|(since, until)| (since * MILLISECOND, until * MILLISECOND));
        half.finish(60 * MILLISECOND, None, After { held_open, ..After::default() });
        let mut found = kinds(&half.ledger);
        found.dedup_by(|later, before| {
            let is_same = later.0 == before.0;
            if is_same {
                before.1 = later.1;
            }
            is_same
        });
        assert_eq!(found, expected, "{what}");
    }
}
