//! Tests that results do not depend on threads, and that work can be stopped early.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod support;

use std::io::{self, Cursor, ErrorKind, Read};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use tcpwhy_capture::CaptureReader;
use tcpwhy_engine::{Delivery, Plan, Seams, Source, read, run};
use tcpwhy_model::Segment;
use tcpwhy_testkit::{HEADERS, pcap};

use support::{CONNECTIONS, capture, segments};

/// A stream, whose size is unknown, so that it is analysed in several parts.
fn source(capture: &[u8]) -> Source {
    Source::Single(Box::new(CaptureReader::from_read(Cursor::new(capture.to_vec()), "model").unwrap()))
}

fn plan(threads: usize) -> Plan<'static> {
    Plan { threads: NonZero::new(threads).unwrap(), ..Plan::default() }
}

/// All data about all connections, by their numbers.
fn explained(capture: &[u8], delivery: Delivery, threads: usize) -> Vec<String> {
    let all = explained_by(source(capture), delivery, &plan(threads));
    assert_eq!(all.len(), usize::from(CONNECTIONS));
    all
}

fn explained_by(source: Source, delivery: Delivery, plan: &Plan<'_>) -> Vec<String> {
    let mut connections = Vec::new();
    let mut present = |connection, number| {
        connections.push((connection, number));
        Ok(())
    };
    let outcome = run(source, delivery, plan, &mut |_| {}, &mut present).unwrap();
    assert_eq!(outcome.ending.summaries.len(), 1);
    assert!(outcome.ending.failures.is_empty());
    assert_eq!(outcome.connections, connections.len() as u64);
    for (connection, number) in &mut connections {
        let known = outcome.numbering.number(connection, 0);
        assert!(number.is_none_or(|number| number == known));
        connection.id = known;
    }
    connections.sort_by_key(|(connection, _)| connection.id);
    connections.into_iter().map(|(connection, _)| format!("{connection:?}")).collect()
}

#[test]
fn threads_and_parts_change_nothing() {
    let capture = capture();
    let alone = explained(&capture, Delivery::Bulk, 1);
    assert_eq!(alone.len(), usize::from(CONNECTIONS));
    for delivery in [Delivery::Bulk, Delivery::Numbered] {
        for threads in [1, 2, 5] {
            assert!(explained(&capture, delivery, threads) == alone, "{delivery:?} with {threads} threads");
        }
    }
}

const MILLISECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600_000 * MILLISECOND;

/// Errors in the times of a capture.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    /// One packet has a wrong time.
    One { place: usize, nanos: i64 },
    /// Every other connection was captured by a host with another clock.
    Host { nanos: i64 },
    /// The clock steps at this packet.
    Step { place: usize, nanos: i64 },
    /// Every packet of one end was written late, by up to 1 ms.
    Late { nanos: i64 },
    /// Neighbouring packets are swapped.
    Swapped { every: usize },
    /// A capture of other connections follows in the same file.
    Behind { nanos: i64 },
}

impl Wrong {
    fn apply(self, segments: &mut Vec<Segment>) {
        let late = |segment: &mut Segment, nanos| segment.timestamp = segment.timestamp.plus(nanos);
        let count = segments.len();
        match self {
            Self::One { place, nanos } => late(&mut segments[place % count], nanos),
            Self::Host { nanos } => {
                let is_other = |s: &&mut Segment| s.source.port.max(s.destination.port) % 2 == 1;
                segments.iter_mut().filter(is_other).for_each(|segment| late(segment, nanos));
            }
            Self::Step { place, nanos } => {
                segments[place % count..].iter_mut().for_each(|segment| late(segment, nanos));
            }
            // In the file, the packets keep their places.
            Self::Late { nanos } => {
                let is_server = |s: &&mut Segment| s.source.port < 1024;
                segments.iter_mut().filter(is_server).for_each(|segment| late(segment, -nanos));
            }
            Self::Behind { nanos } => {
                let moved = |segment: &Segment| {
                    let mut segment = *segment;
                    for end in [&mut segment.source, &mut segment.destination] {
                        end.port += if end.port > 1024 { CONNECTIONS } else { 0 };
                    }
                    segment.timestamp = segment.timestamp.plus(nanos);
                    segment
                };
                let others: Vec<_> = segments.iter().map(moved).collect();
                segments.extend(others);
            }
            Self::Swapped { every } => segments.chunks_exact_mut(every.max(2)).for_each(|some| some.swap(0, 1)),
        }
    }
}

fn wrong() -> impl Strategy<Value = Wrong> {
    let nanos = prop_oneof![
        -1_500_000..1_500_000_i64,
        -100_000 * MILLISECOND..100_000 * MILLISECOND,
        (-50..50_i64).prop_map(|hours| hours * HOUR + 1),
        Just(i64::from(u32::MAX / 2) * 1_000 * MILLISECOND),
    ];
    let place = 0..100_000_usize;
    prop_oneof![
        (place.clone(), nanos.clone()).prop_map(|(place, nanos)| Wrong::One { place, nanos }),
        nanos.clone().prop_map(|nanos| Wrong::Host { nanos }),
        (place, nanos).prop_map(|(place, nanos)| Wrong::Step { place, nanos }),
        (1..MILLISECOND).prop_map(|nanos| Wrong::Late { nanos }),
        (2..50_usize).prop_map(|every| Wrong::Swapped { every }),
        (-50..50_i64).prop_map(|hours| Wrong::Behind { nanos: hours * HOUR + 1 }),
    ]
}

/// A capture with these errors in its times.
fn capture_with(wrong: &[Wrong]) -> Vec<u8> {
    let mut all = segments();
    for wrong in wrong {
        wrong.apply(&mut all);
    }
    pcap(&all)
}

/// A pipe that returns a limited number of bytes at a time.
struct Dribble {
    bytes: Cursor<Vec<u8>>,
    at_a_time: usize,
}

impl Read for Dribble {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(self.at_a_time);
        self.bytes.read(&mut out[..most])
    }
}

fn dribble(capture: &[u8], at_a_time: usize) -> Source {
    let bytes = Cursor::new(capture.to_vec());
    Source::Single(Box::new(CaptureReader::from_read(Dribble { bytes, at_a_time }, "model").unwrap()))
}

/// The wrong clock of one host ends neither its own connections nor others.
#[test]
fn wrong_times_make_no_connections() {
    let once = CONNECTIONS;
    for (wrong, connections) in [
        (Wrong::One { place: 5_000, nanos: 3 * HOUR }, once),
        (Wrong::One { place: 5_000, nanos: 24 * HOUR }, once),
        (Wrong::One { place: 5_000, nanos: -24 * HOUR }, once),
        (Wrong::Host { nanos: 3 * HOUR }, once),
        (Wrong::Host { nanos: -3 * HOUR }, once),
        (Wrong::Step { place: 5_000, nanos: -3 * HOUR }, once),
        (Wrong::Late { nanos: 300_000 }, once),
        (Wrong::Behind { nanos: -30 * HOUR }, 2 * once),
        (Wrong::Behind { nanos: 30 * HOUR }, 2 * once),
    ] {
        let capture = capture_with(&[wrong]);
        // Simulation does not change the number of connections.
        let plain = Plan { simulates: false, ..plan(2) };
        for delivery in [Delivery::Bulk, Delivery::Numbered, Delivery::Prompt] {
            let all = explained_by(source(&capture), delivery, &plain);
            assert_eq!(all.len(), usize::from(connections), "{wrong:?}, {delivery:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    /// A capture with clock steps and late packets has one result, for any threads, parts, batch sizes, hash
    /// keys and kinds of input.
    #[test]
    fn one_capture_has_one_answer(
        wrong in prop::collection::vec(wrong(), 0..3),
        keys in any::<[u64; 2]>(),
        batch in prop_oneof![1..40_usize, 40..5_000_usize],
        at_a_time in prop_oneof![1..100_usize, 100..100_000_usize],
    ) {
        let capture = capture_with(&wrong);
        let with = |threads, key, batch| Plan {
            seams: Seams { flow_key: Some(key), batch: NonZero::new(batch) },
            // Simulated predictions depend only on connections; `threads_and_parts_change_nothing` tests
            // them.
            simulates: false,
            ..plan(threads)
        };
        let alone = explained_by(source(&capture), Delivery::Bulk, &with(1, keys[0], 4096));
        for (delivery, threads, key, batch, at_a_time) in [
            (Delivery::Bulk, 2, keys[1], 4096, None),
            (Delivery::Bulk, 5, keys[1], batch, None),
            (Delivery::Bulk, 2, keys[0], batch, Some(at_a_time)),
            (Delivery::Numbered, 1, keys[1], batch, Some(at_a_time)),
        ] {
            let source = at_a_time.map_or_else(|| source(&capture), |n| dribble(&capture, n));
            let other = explained_by(source, delivery, &with(threads, key, batch));
            prop_assert_eq!(other.len(), alone.len(), "{:?} {} {:?}", delivery, threads, at_a_time);
            prop_assert!(other == alone, "{:?} {} {} {:?}", delivery, threads, batch, at_a_time);
        }
        // Prompt delivery gives the same result too, except for packets after the end of a connection.
        let [one, other] = [(keys[0], 4096, None), (keys[1], batch, Some(at_a_time))].map(|(key, batch, at_a_time)| {
            let source = at_a_time.map_or_else(|| source(&capture), |n| dribble(&capture, n));
            explained_by(source, Delivery::Prompt, &with(2, key, batch))
        });
        prop_assert!(one == other);
    }
}

#[test]
fn a_flag_ends_the_work_within_a_batch() {
    let capture = capture();
    for threads in [1, 2, 5] {
        let stop = AtomicBool::new(true);
        let plan = Plan { stop: &stop, ..plan(threads) };
        let mut seen = 0;
        let outcome = run(source(&capture), Delivery::Bulk, &plan, &mut |_| {}, &mut |_, _| {
            seen += 1;
            Ok(())
        });
        assert_eq!(outcome.err().map(|error| error.kind()), Some(ErrorKind::Interrupted), "{threads} threads");
        assert_eq!(seen, 0, "{threads} threads");
        // The flag is set at the first connection; only connections that were already under way follow.
        stop.store(false, Ordering::Relaxed);
        let outcome = run(source(&capture), Delivery::Bulk, &plan, &mut |_| {}, &mut |_, _| {
            stop.store(true, Ordering::Relaxed);
            seen += 1;
            Ok(())
        });
        assert_eq!(outcome.err().map(|error| error.kind()), Some(ErrorKind::Interrupted), "{threads} threads");
        assert!(0 < seen && seen < usize::from(CONNECTIONS), "{seen} with {threads} threads");
    }
}

#[test]
fn a_failed_presentation_ends_the_work() {
    let capture = capture();
    for threads in [1, 2, 5] {
        let mut full = |_, _| Err(io::ErrorKind::StorageFull.into());
        let outcome = run(source(&capture), Delivery::Bulk, &plan(threads), &mut |_| {}, &mut full);
        assert_eq!(outcome.err().map(|error| error.kind()), Some(ErrorKind::StorageFull), "{threads} threads");
    }
}

#[test]
fn every_packet_comes_in_order_again() {
    let capture = capture();
    let packets = (capture.len() - 24) / (16 + HEADERS);
    for threads in [1, 2] {
        let (mut numbers, mut last) = (Vec::new(), 0);
        let mut progress = |read, _| {
            assert!(last <= read);
            last = read;
        };
        let failures = read(source(&capture), &plan(threads), &mut progress, &mut |batch| {
            numbers.extend(batch.iter().map(|segment| segment.number));
            true
        });
        assert!(failures.unwrap().is_empty());
        assert!(numbers.into_iter().eq(1..=packets as u64));
        assert_eq!(last, capture.len() as u64);
        // An observer that returns false is not called again.
        let mut batches = 0;
        let mut enough = |_: &[Segment]| {
            batches += 1;
            false
        };
        assert!(read(source(&capture), &plan(threads), &mut |_, _| {}, &mut enough).unwrap().is_empty());
        assert_eq!(batches, 1);
        let stop = AtomicBool::new(true);
        let plan = Plan { stop: &stop, ..plan(threads) };
        let stopped = read(source(&capture), &plan, &mut |_, _| {}, &mut |_| true);
        assert_eq!(stopped.err().map(|error| error.kind()), Some(ErrorKind::Interrupted));
    }
}
