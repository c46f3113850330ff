//! What does not depend on threads, and how work ends before its time.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod support;

use std::io::{self, Cursor, ErrorKind};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use tcpwhy_capture::CaptureReader;
use tcpwhy_engine::{Delivery, Plan, Source, read, run};
use tcpwhy_model::Segment;

use support::{CONNECTIONS, HEADERS, capture};

/// A stream, of which nobody knows how little it is: it is analysed in parts.
fn source(capture: &[u8]) -> Source {
    Source::Single(Box::new(CaptureReader::from_read(Cursor::new(capture.to_vec()), "model").unwrap()))
}

fn plan(threads: usize) -> Plan<'static> {
    Plan { threads: NonZero::new(threads).unwrap(), ..Plan::default() }
}

/// All that is known of all connections, by their numbers.
fn explained(capture: &[u8], delivery: Delivery, threads: usize) -> Vec<String> {
    let mut connections = Vec::new();
    let mut present = |connection, number| {
        connections.push((connection, number));
        Ok(())
    };
    let outcome = run(source(capture), delivery, &plan(threads), &mut |_| {}, &mut present).unwrap();
    assert_eq!(outcome.ending.summaries.len(), 1);
    assert!(outcome.ending.failures.is_empty());
    assert_eq!(outcome.connections, u64::from(CONNECTIONS));
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
        // Set when the first connections are there: no more than what was on its way comes.
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
        // One that has seen enough is asked no more.
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
