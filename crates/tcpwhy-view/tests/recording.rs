//! Tests of charts against values computed by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod common;

use common::{connections, record, recorded};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tcpwhy_model::Segment;
use tcpwhy_testkit::Transfer;
use tcpwhy_view::chart::{Budget, Extent, LineKind, MarkKind, MarkRow, Recording, SegmentRow, ThroughputRow, lines};
use tcpwhy_view::{Gatherer, Wanted};

const LOSSY: &str = "
 0.000 > S 0:0(0) win 65535 <mss 1000,sackOK,wscale 7>
 0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK,wscale 7>
 0.020 > . 1:1(0) ack 1 win 512
 0.021 > . 1:1001(1000) ack 1 win 512
 0.021 > . 1001:2001(1000) ack 1 win 512
 0.021 > . 2001:3001(1000) ack 1 win 512
 0.021 > . 3001:4001(1000) ack 1 win 512
 0.041 < . 1:1(0) ack 1 win 512 <nop,nop,sack 1001:2001>
 0.042 < . 1:1(0) ack 1 win 512 <nop,nop,sack 1001:3001>
 0.043 < . 1:1(0) ack 1 win 512 <nop,nop,sack 1001:4001>
 0.043 > . 1:1001(1000) ack 1 win 512
 0.063 < . 1:1(0) ack 4001 win 0
 0.300 > . 4000:4000(0) ack 1 win 512
 0.320 < . 1:1(0) ack 4001 win 10
 0.330 > F. 4001:4001(0) ack 1 win 512
";

fn marks(recording: &Recording, kind: MarkKind) -> &[MarkRow] {
    &recording.halves[0].marks[kind as usize].1.rows
}

#[test]
fn every_event_is_where_it_happened() {
    let (connection, recording) = recorded(LOSSY, Budget::LARGE);
    let half = &recording.halves[0];
    assert_eq!(recording.packet_count, 15);
    assert_eq!(recording.packets.as_ref().unwrap().len(), 15);
    assert_eq!((half.base, half.extent.nxt, half.extent.flight), (1, 4001, 4000));
    assert_eq!(half.segments.rows.len(), 4, "new data only");
    let first = SegmentRow { time: 21_000_000, lo: 1, hi: 1001, packet: 4, count: 1 };
    assert_eq!((half.segments.rows[0], half.segments.bin), (first, 0));
    let mark = |time: i64, lo, hi, packet| MarkRow { time, end: time, lo, hi, packet, count: 1 };
    assert_eq!(marks(&recording, MarkKind::RetransmissionFast), [mark(43_000_000, 1, 1001, 11)]);
    assert_eq!(
        marks(&recording, MarkKind::Sack),
        [mark(41_000_000, 1001, 2001, 8), mark(42_000_000, 2001, 3001, 9), mark(43_000_000, 3001, 4001, 10)]
    );
    assert_eq!(marks(&recording, MarkKind::ZeroWindow), [mark(63_000_000, 4001, 4001, 12)]);
    assert_eq!(marks(&recording, MarkKind::Probe), [mark(300_000_000, 4000, 4000, 13)]);
    assert_eq!(marks(&recording, MarkKind::Fin), [mark(330_000_000, 4001, 4001, 15)]);
    assert_eq!(marks(&recording, MarkKind::Syn).len(), 1);
    let closed = half.states.rows.iter().find(|s| s.time == 63_000_000).unwrap();
    assert_eq!((closed.edge, closed.window, closed.flight), (of(4001), of(0), of(0)));
    let last = half.states.rows.last().unwrap();
    assert_eq!((last.time, last.edge), (320_000_000, of(4001 + 1280)), "the FIN changes nothing");
    let sum = |of: fn(&ThroughputRow) -> u64| half.throughput.rows.iter().map(of).sum::<u64>();
    assert_eq!((sum(|r| r.sent), sum(|r| r.resent), sum(|r| r.acked)), (5000, 1000, 4000));
    assert!(half.throughput.rows.iter().any(|r| r.time == 63_000_000 && r.acked == 4000));
    assert_eq!(connection.halves[0].bytes, 4000);
}

fn of(value: u64) -> Extent {
    Extent { lo: value, hi: value }
}

#[test]
fn a_stretch_begins_with_what_held_before() {
    let segments = tcpwhy_testkit::script(LOSSY).segments;
    let connection = connections(&segments).remove(0);
    let stretch = Some((50_000_000, 310_000_000));
    let whole = Wanted::whole(&connection, Budget::LARGE);
    let recording = record(&segments, Wanted { stretch, stop_at_end: true, ..whole });
    let half = &recording.halves[0];
    assert_eq!(recording.packet_count, 2);
    assert!(half.segments.rows.is_empty() && marks(&recording, MarkKind::Sack).is_empty());
    assert_eq!(marks(&recording, MarkKind::Probe).len(), 1);
    let first = half.states.rows[0];
    assert_eq!((first.time, first.una, first.flight), (50_000_000, of(1), of(4000)));
    assert_eq!((half.base, recording.from), (1, 50_000_000));
}

#[test]
fn going_on_from_a_snapshot_changes_nothing() {
    let segments = lossy(600_000);
    let connection = connections(&segments).remove(0);
    let span = connection.span.nanos();
    let whole = Wanted::whole(&connection, Budget::LARGE);
    let mut gatherer = Gatherer::new(&[whole]).with_snapshots(40);
    assert!(segments.iter().all(|s| gatherer.observe(s)));
    let snapshots = gatherer.finish().remove(0).unwrap().snapshots;
    assert!(snapshots.len() >= 4, "{}", snapshots.len());
    for snapshot in &snapshots {
        let from = snapshot.time() - connection.span.start().as_nanos();
        let wanted = Wanted { stretch: Some((from + 1, from + span / 4)), stop_at_end: true, ..whole };
        let mut resumed = Gatherer::resume(&wanted, snapshot);
        segments.iter().all(|s| resumed.observe(s));
        let resumed = resumed.finish().remove(0).unwrap().recording;
        let direct = record(&segments, wanted);
        for (a, b) in resumed.halves.iter().zip(&direct.halves) {
            assert_eq!((&a.segments.rows, &a.states.rows), (&b.segments.rows, &b.states.rows));
            assert_eq!((a.base, a.extent, &a.throughput.rows), (b.base, b.extent, &b.throughput.rows));
            assert_eq!(a.round_trips.rows, b.round_trips.rows);
            assert!(a.marks.iter().zip(&b.marks).all(|(a, b)| a.1.rows == b.1.rows));
        }
        assert_eq!((resumed.packets, resumed.packet_count), (direct.packets, direct.packet_count));
    }
}

/// There are few snapshots for any number of packets, and they are spread over all of them.
#[test]
fn snapshots_are_bounded() {
    let segments = lossy(3_000_000);
    let whole = Wanted::whole(&connections(&segments).remove(0), Budget::PICTURE);
    let mut gatherer = Gatherer::new(&[whole]).with_snapshots(5);
    assert!(segments.iter().all(|s| gatherer.observe(s)));
    let snapshots = gatherer.finish().remove(0).unwrap().snapshots;
    assert!(segments.len() / 5 > 256 && (32..=128).contains(&snapshots.len()), "{}", snapshots.len());
    let times: Vec<i64> = snapshots.iter().map(tcpwhy_view::Snapshot::time).collect();
    let (first, last) = (segments[0].timestamp.as_nanos(), segments[segments.len() - 1].timestamp.as_nanos());
    assert!(
        times.is_sorted()
            && times[0] < first + (last - first) / 4
            && times[times.len() - 1] > last - (last - first) / 4
    );
}

/// For every order of packets, tables stay within their budget, and every packet is counted.
#[test]
fn no_order_of_packets_exceeds_the_budget() {
    let budget = Budget { packets: 500, rows: 400, marks: 300 };
    for order in tcpwhy_testkit::Order::ALL {
        let segments = order.segments(6000, 3);
        let connection = connections(&segments).remove(0);
        let recording = record(&segments, Wanted::whole(&connection, budget));
        assert_eq!(recording.packet_count, segments.len() as u64, "{order:?}");
        assert!(recording.packets.is_none(), "{order:?}");
        for half in &recording.halves {
            let rows = [half.segments.rows.len(), half.states.rows.len(), half.round_trips.rows.len()];
            assert!(rows.iter().all(|&n| n <= budget.rows), "{order:?}: {rows:?}");
            let marks: usize = half.marks.iter().map(|m| m.1.rows.len()).sum();
            assert!(marks <= budget.marks, "{order:?}: {marks} marks");
        }
    }
}

#[test]
fn without_the_syn_the_lowest_position_is_zero() {
    let (_, recording) = recorded(
        "
 0.000 > . 5001:6001(1000) ack 901 win 512
 0.010 < . 901:901(0) ack 6001 win 512
 0.011 > . 4001:5001(1000) ack 901 win 512
",
        Budget::LARGE,
    );
    let half = &recording.halves[0];
    assert_eq!(half.segments.rows[0].lo - half.base, 1000, "data before the first seen still has a place");
}

fn lossy(bytes: u64) -> Vec<Segment> {
    Transfer { bytes, lost_every: Some(37), ..Transfer::default() }.run()
}

#[test]
fn the_path_holds_what_the_best_round_trip_moved() {
    // The path has 20 Mbit/s and 20.13 ms, so its bandwidth-delay product is 50 kB, regardless of the queue.
    let path = Transfer { bytes: 6_000_000, rate: Some(2_500_000), queue: 400_000, ..Transfer::default() };
    let bdp = |segments: &[Segment]| {
        let connection = connections(segments).remove(0);
        let recording = record(segments, Wanted::whole(&connection, Budget::LARGE));
        let half = &connection.halves[0];
        let all = lines(half, &recording.halves[half.sender.index()]);
        all.into_iter().find(|l| l.kind == LineKind::BandwidthDelay).map(|l| l.bytes)
    };
    let bytes = bdp(&path.run()).expect("a line");
    assert!((40_000..55_000).contains(&bytes), "{bytes}");
    // The rate of an application-limited transfer does not show the path.
    let writer = tcpwhy_testkit::Writer::Paced { bytes: 5000, every: 10_000_000 };
    assert_eq!(bdp(&Transfer { bytes: 500_000, writer, ..Transfer::default() }.run()), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    /// Merging keeps sums, extremes and the number of events.
    #[test]
    fn merging_loses_nothing(rows in 64_usize..2000, most_marks in 50_usize..400) {
        let segments = lossy(800_000);
        let connection = connections(&segments).remove(0);
        let exact = record(&segments, Wanted::whole(&connection, Budget::LARGE));
        let small = Budget { packets: 1, rows, marks: most_marks };
        let merged = record(&segments, Wanted::whole(&connection, small));
        prop_assert!(merged.packets.is_none() && exact.packets.is_some());
        let sender = connection.halves[0].sender.index();
        let (a, b) = (&exact.halves[sender], &merged.halves[sender]);
        prop_assert!(b.segments.rows.len() <= rows && b.states.rows.len() <= rows);
        prop_assert!(b.marks.iter().map(|m| m.1.rows.len()).sum::<usize>() <= most_marks);
        prop_assert_eq!(a.segments.rows.len() as u64, b.segments.rows.iter().map(|s| s.count).sum::<u64>());
        prop_assert_eq!(a.extent, b.extent);
        for (kind, table) in &a.marks {
            let others = &b.marks[*kind as usize].1.rows;
            prop_assert_eq!(table.rows.len() as u64, others.iter().map(|m| m.count).sum::<u64>());
            // Each event is inside a mark of its kind.
            for m in &table.rows {
                prop_assert!(others.iter().any(|o| o.time <= m.time && m.end <= o.end && o.lo <= m.lo && m.hi <= o.hi));
            }
        }
        let highest = |r: &Recording| r.halves[sender].states.rows.iter().map(|s| s.flight.hi).max();
        prop_assert_eq!(highest(&exact), highest(&merged));
        prop_assert_eq!(&a.throughput.rows, &b.throughput.rows);
    }
}
