//! Tests of each condition for decisions about silence, losses and windows: dropping one, or moving its
//! boundary, fails here.

use super::recovery::Recovery;
use super::*;

const NOW: i64 = 20 * MILLISECOND;

/// The change that a case makes.
type Change = fn(&mut Ledger);

/// At the sender: segments of 1000 bytes, a round trip of 20 ms, and eight segments in flight since 0 ms.
fn ledger(change: Change) -> Ledger {
    let mut ledger = Ledger::new(0, 0, 1000);
    ledger.set_mss(1000);
    (0..2).for_each(|_| ledger.on_rtt(20 * MILLISECOND));
    (ledger.nxt, ledger.is_anything_sent, ledger.cwnd_floor) = (8000, true, 8000);
    (ledger.gap.flight, ledger.is_heard) = (8000, true);
    change(&mut ledger);
    ledger
}

fn data(time: i64, start: u64, kind: DataKind) -> DataEvent {
    DataEvent { time, start, end: start + 1000, kind, is_partial: false, tsval: None, lag_ticks: None }
}

fn ack(time: i64, ack: u64) -> AckEvent {
    let (window, is_zero_window, reveals_hole, has_payload) = (None, false, false, false);
    AckEvent { time, passed: time, ack, window, is_zero_window, sacked: 0, reveals_hole, has_payload, tsval: None }
}

#[expect(clippy::unnecessary_wraps, reason = "as the ledger keeps it")]
fn recovery(since: i64, fact: GapFact) -> Option<Recovery> {
    Some(Recovery::new(since, 8000, fact))
}

#[expect(clippy::unnecessary_wraps, reason = "as the ledger keeps it")]
fn blocked(until: Option<i64>) -> Option<Blocked> {
    Some(Blocked { since: 5 * MILLISECOND, until })
}

/// The recorded kinds of time, and the end of each in milliseconds.
fn kinds(ledger: &Ledger) -> Vec<(GapKind, i64)> {
    ledger.slots.intervals.iter().map(|interval| (interval.kind, interval.end / MILLISECOND)).collect()
}

/// A wait counts if the path was silent for at least the time by which the echo was late.
#[test]
fn an_echo_waits_where_the_path_rested_all_that_time() {
    for (what, echoes, expected) in [
        ("the path rested as long", &[(3, 2, 3)][..], (2_001, 3_000)),
        ("longer", &[(3, 2, 4)], (2_001, 3_000)),
        ("for a part of it", &[(3, 2, 2)], (2_001, 0)),
        ("not at all", &[(3, 2, 0)], (2_001, 0)),
        ("the promptest counts", &[(5, 4, 5), (3, 2, 3), (4, 3, 4)], (2_001, 3_000)),
        ("one did not wait", &[(5, 4, 5), (7, 6, 2)], (4_001, 0)),
        ("one was not queued", &[(5, 4, 5), (7, -1, 7)], (1, 5_000)),
        ("on time", &[(0, 0, 0)], (1, 0)),
    ] {
        let mut ledger = ledger(|_| ());
        for &(excess, queued, silence) in echoes {
            ledger.on_echo(excess * MILLISECOND, queued * MILLISECOND, silence * MILLISECOND);
        }
        let slot = &ledger.slots.current;
        assert_eq!((slot.echo_queued, slot.echo_wait), expected, "{what}");
    }
}

/// After a second and eight round trips, one more nanosecond of silence, unless one of six things explains
/// it.
#[test]
fn a_late_ack_is_a_silence_that_nothing_explains() {
    const LATE: i64 = 1_000 * MILLISECOND + 1;
    let silent = [(GapKind::Fact(GapFact::SilentBeyondTimers), 1_000)];
    for (what, change, payload, acked, is_silent) in [
        ("nothing explains it", (|_| ()) as Change, false, 1000, true),
        ("nothing is in flight", |l| l.nxt = 0, false, 0, false),
        ("the capture began in mid-stream", |l| l.is_joining = true, false, 1000, false),
        ("a recovery", |l| l.recovery = recovery(0, GapFact::RepeatedFast), false, 1000, false),
        ("a hole", |l| l.hole_since = Some(0), false, 1000, false),
        ("a full window", |l| l.gap.blocked = blocked(None), false, 1000, false),
        ("a window that was full", |l| l.gap.blocked = blocked(Some(6)), false, 1000, false),
        ("the answer to all of it", |_| (), true, 8000, false),
        ("all of it without an answer", |_| (), false, 8000, true),
        ("an answer to a part of it", |_| (), true, 7999, true),
    ] {
        let mut ledger = ledger(change);
        ledger.on_late_ack(&AckEvent { has_payload: payload, ..ack(LATE, acked) });
        assert_eq!(kinds(&ledger), if is_silent { &silent[..] } else { &[] }, "{what}");
    }
    let mut ledger = ledger(|_| ());
    ledger.on_late_ack(&ack(LATE - 1, 1000));
    assert_eq!(kinds(&ledger), [], "a second");
}

/// For each kind of recovery, the floor that it leaves of eight segments, and whether another may follow at
/// once.
#[test]
fn what_a_recovery_leaves_of_the_window() {
    use GapFact::{RepeatedByProbe, RepeatedByTimer, RepeatedFast, RepeatedNeedlessly};
    for (fact, floor, next) in [
        (RepeatedFast, 4000, Some(RepeatedFast)),
        (RepeatedByTimer, 0, None),
        (RepeatedByProbe, 0, None),
        (RepeatedNeedlessly, 0, None),
    ] {
        for has_next in [false, true] {
            let mut ledger = ledger(|_| ());
            ledger.recovery = recovery(5 * MILLISECOND, fact).map(|r| Recovery { has_next, ..r });
            ledger.on_ack(&ack(NOW, 8000));
            assert_eq!(ledger.cwnd_floor(), floor, "{fact:?}");
            assert_eq!(ledger.floor_from, 50 * MILLISECOND, "{fact:?}: one and a half round trips later");
            assert_eq!(ledger.recovery(), next.filter(|_| has_next), "{fact:?}");
            assert_eq!(kinds(&ledger), [(GapKind::AckClocked, 5), (GapKind::Fact(fact), 20)], "{fact:?}");
            assert_eq!(ledger.gap.emptied, Some((NOW, false)), "{fact:?}");
        }
    }
}

/// A recovery continues until everything sent before it is acknowledged. A zero window stays zero after it.
#[test]
fn a_recovery_ends_with_the_ack_of_everything_before_it() {
    for (what, acked, change, fact, block) in [
        ("a byte less", 7999, (|_| ()) as Change, Some(GapFact::RepeatedFast), None),
        ("all of it", 8000, |_| (), None, None),
        ("under a full window", 8000, |l| l.gap.blocked = blocked(None), None, Some((NOW, None))),
        ("under a window that opened", 8000, |l| l.gap.blocked = blocked(Some(6)), None, None),
    ] {
        let mut ledger = ledger(change);
        ledger.edge = Some(8000);
        ledger.recovery = recovery(5 * MILLISECOND, GapFact::RepeatedFast);
        ledger.on_ack(&ack(NOW, acked));
        assert_eq!(ledger.recovery(), fact, "{what}");
        assert_eq!(ledger.gap.blocked.map(|b| (b.since, b.until)), block, "{what}");
    }
}

/// Data was reordered only if a hole closes without a retransmission.
#[test]
fn what_closes_a_hole_without_a_repeat_was_overtaken() {
    for (what, change, acked, sacked, expected) in [
        ("all of it is acknowledged", (|_| ()) as Change, 2000, 0, (1, 15 * MILLISECOND)),
        ("nothing was held before", |l| l.sacked = 0, 2000, 0, (0, 0)),
        ("some is held still", |_| (), 1000, 1000, (0, 0)),
        ("no new byte is acknowledged", |_| (), 0, 0, (0, 0)),
        ("there was no hole", |l| l.hole_since = None, 2000, 0, (0, 0)),
        ("it had been sent again", |l| l.repeated_end = 1, 2000, 0, (0, 0)),
    ] {
        let mut ledger = ledger(|l| (l.hole_since, l.sacked) = (Some(5 * MILLISECOND), 1000));
        change(&mut ledger);
        ledger.on_ack(&AckEvent { sacked, ..ack(NOW, acked) });
        let found = ledger.signs().map_or((0, 0), |signs| (signs.reordering.holes, signs.reordering.longest));
        assert_eq!(found, expected, "{what}");
    }
}

/// A hole is open since the first ACK that reports it; each ACK that reports another is counted.
#[test]
fn a_hole_is_open_since_it_was_shown_first() {
    let mut ledger = ledger(|_| ());
    for time in [5, 9] {
        ledger.on_ack(&AckEvent { sacked: 1000 * time, reveals_hole: true, ..ack(time as i64 * MILLISECOND, 0) });
    }
    assert_eq!((ledger.hole_since, ledger.slots.current.holes), (Some(5 * MILLISECOND), 2));
}

/// A recovery is needless if duplicates of all of its retransmissions are reported, even after its end.
#[test]
fn a_recovery_is_needless_once_all_its_repeats_are_duplicates() {
    use GapFact::{RepeatedFast, RepeatedNeedlessly};
    let two = |()| recovery(5 * MILLISECOND, RepeatedFast).map(|r| Recovery { repeats: 2, reach: 8000, ..r });
    for (reports, expected) in [(0, RepeatedFast), (1, RepeatedFast), (2, RepeatedNeedlessly)] {
        let mut open = ledger(|l| l.repeated_end = 1000);
        open.recovery = two(());
        (0..reports).for_each(|_| open.on_duplicate_report(0));
        assert_eq!(open.recovery(), Some(expected), "{reports} of 2 while it lasts");
        let mut over = ledger(|l| l.repeated_end = 1000);
        over.recovery = two(());
        over.on_ack(&ack(NOW, 8000));
        (0..reports).for_each(|_| over.on_duplicate_report(0));
        assert_eq!(kinds(&over)[1], (GapKind::Fact(expected), 20), "{reports} of 2 afterwards");
    }
}

/// The start and the kind of a retransmission, and its count.
#[test]
fn a_repeat_is_fast_a_timers_a_probe_or_none() {
    use GapFact::{RepeatedByProbe, RepeatedByTimer, RepeatedFast};
    for (what, change, start, expected, counted) in [
        ("of a hole that is known", (|l| l.hole_since = Some(MILLISECOND)) as Change, 0, Some(RepeatedFast), (1, 0)),
        ("of the newest data", |_| (), 7000, Some(RepeatedByProbe), (0, 1)),
        ("of the oldest data", |_| (), 0, Some(RepeatedByTimer), (0, 1)),
        ("soon, of no known hole", |l| l.last_event = NOW + 1, 0, Some(RepeatedFast), (1, 0)),
        ("of a full window", |l| l.gap.blocked = blocked(None), 7000, None, (0, 0)),
        (
            "of the oldest data inside a full window",
            |l| (l.gap.blocked, l.edge) = (blocked(None), Some(8000)),
            0,
            Some(RepeatedByTimer),
            (0, 1),
        ),
        (
            "of the newest data inside a full window",
            |l| (l.gap.blocked, l.edge) = (blocked(None), Some(8000)),
            7000,
            None,
            (0, 0),
        ),
        (
            "of a full window that closed",
            |l| (l.gap.blocked, l.edge, l.zero_window_since) = (blocked(None), Some(8000), When::at(6)),
            0,
            None,
            (0, 0),
        ),
        ("of a window that opened", |l| l.gap.blocked = blocked(Some(6)), 7000, Some(RepeatedByProbe), (0, 1)),
        (
            "of a full window with a known hole, soon",
            |l| (l.gap.blocked, l.hole_since, l.last_event) = (blocked(None), Some(MILLISECOND), NOW + 1),
            0,
            Some(RepeatedFast),
            (1, 0),
        ),
    ] {
        let mut ledger = ledger(change);
        // After two round trips at the latest, a timer runs out.
        let time = if ledger.hole_since.is_some() { 2 * NOW - 1 } else { 2 * NOW };
        ledger.on_data(&data(time, start, DataKind::Retransmission));
        assert_eq!(ledger.recovery(), expected, "{what}");
        assert_eq!((ledger.fast_recoveries, ledger.timeouts), counted, "{what}");
        assert_eq!((ledger.slots.current.retransmissions, ledger.repeated_end), (1, start + 1000), "{what}");
    }
}

/// If data from the recovery point on is retransmitted too, another recovery follows.
#[test]
fn a_repeat_beyond_the_recovery_point_asks_for_another() {
    for (start, has_next) in [(7000, false), (8000, true)] {
        let mut ledger = ledger(|_| ());
        (ledger.recovery, ledger.nxt) = (recovery(0, GapFact::RepeatedFast), 10_000);
        ledger.on_data(&data(NOW, start, DataKind::Retransmission));
        let recovery = ledger.recovery.unwrap();
        assert_eq!((recovery.has_next, recovery.repeats), (has_next, 2), "{start}");
    }
}

/// No timer is longer than 125 s: such a silence has no known cause.
#[test]
fn a_repeat_after_125_s_is_no_timers_unless_the_window_was_full() {
    let silent = GapKind::Fact(GapFact::SilentBeyondTimers);
    for (what, change, expected) in [
        ("something is in flight", (|_| ()) as Change, true),
        ("nothing is in flight", |l| l.una = 8000, false),
        ("the window is full", |l| l.gap.blocked = blocked(None), false),
        ("the window had opened", |l| l.gap.blocked = blocked(Some(6)), true),
    ] {
        let mut ledger = ledger(change);
        ledger.on_data(&data(125_000 * MILLISECOND + 1, 0, DataKind::Retransmission));
        assert_eq!(kinds(&ledger).iter().any(|(kind, _)| *kind == silent), expected, "{what}");
    }
}

/// A mark halves the window, keeps a later start of the floor, and ends the observation of pacing.
#[test]
fn a_mark_halves_the_window_for_one_and_a_half_round_trips() {
    for (before, from) in [(0, 50 * MILLISECOND), (60 * MILLISECOND, 60 * MILLISECOND)] {
        let mut ledger = ledger(|_| ());
        ledger.floor_from = before;
        ledger.on_reduction(NOW);
        assert_eq!((ledger.cwnd_floor(), ledger.floor_from, ledger.slots.current.has_reduction), (4000, from, true));
    }
}

/// Bytes in flight raise the floor if nothing is lost or missing, and no loss was repaired shortly before.
#[test]
fn the_flight_shows_the_window_where_nothing_is_lost() {
    for (what, change, floor) in [
        ("nothing is lost", (|_| ()) as Change, 9000),
        ("a recovery", |l| l.recovery = recovery(0, GapFact::RepeatedFast), 8000),
        ("something is sacked", |l| l.sacked = 1, 8000),
        ("a hole", |l| l.hole_since = Some(0), 8000),
        ("a recovery has just ended", |l| l.floor_from = NOW + 1, 8000),
        ("a recovery had ended", |l| l.floor_from = NOW, 9000),
    ] {
        let mut ledger = ledger(change);
        ledger.on_data(&data(NOW, 8000, DataKind::New));
        assert_eq!((ledger.cwnd_floor(), ledger.flight_max), (floor, 9000), "{what}");
    }
}

/// The window is full if less than a segment fits. An unknown window is never full.
#[test]
fn a_send_that_leaves_less_than_a_segment_fills_the_window() {
    for (edge, room, is_full) in [(Some(9999), 999, true), (Some(10_000), 1000, false), (None, u64::MAX, false)] {
        let mut ledger = ledger(|_| ());
        (ledger.edge, ledger.window_max) = (edge, 10_000);
        ledger.on_data(&data(NOW, 8000, DataKind::New));
        assert_eq!((ledger.gap.room, ledger.gap.blocked.is_some()), (room, is_full), "{edge:?}");
    }
}

/// Reordered data and probes neither end a gap nor count as sends.
#[test]
fn reordered_data_and_probes_end_no_gap() {
    for (kind, sends, repeats) in
        [(DataKind::New, 1, 0), (DataKind::Retransmission, 0, 1), (DataKind::Reordered, 0, 0), (DataKind::Probe, 0, 0)]
    {
        let mut ledger = ledger(|_| ());
        ledger.on_data(&data(NOW, 8000, kind));
        let slots = ledger.slots.done.iter().chain([&ledger.slots.current]);
        let counted = slots.fold((0, 0), |sum, slot| (sum.0 + slot.sends, sum.1 + slot.retransmissions));
        assert_eq!((counted, ledger.last_event), ((sends, repeats), NOW), "{kind:?}");
    }
}

/// The path was down if the peer retransmitted while nothing was in flight and no recovery was in progress.
#[test]
fn an_outage_ends_where_the_peer_had_repeated_itself() {
    let base: Change = |l| {
        (l.gap.peer_repeats, l.gap.emptied) = (1, Some((0, false)));
        l.gap.peer_spoke = Some((5 * MILLISECOND, 6 * MILLISECOND));
    };
    for (what, change, expected) in [
        ("it had", (|_| ()) as Change, true),
        ("it had not", |l| l.gap.peer_repeats = 0, false),
        ("something was in flight", |l| l.gap.emptied = None, false),
        ("a recovery", |l| l.recovery = recovery(0, GapFact::RepeatedFast), false),
    ] {
        let mut ledger = ledger(base);
        change(&mut ledger);
        ledger.end_outage(NOW, true);
        let silent =
            [(GapKind::Fact(GapFact::PeerDataAwaited), 5), (GapKind::Fact(GapFact::PeerRepeatedUnanswered), 20)];
        assert_eq!(kinds(&ledger), if expected { &silent[..] } else { &[] }, "{what}");
        if expected {
            assert_eq!((ledger.gap.peer_spoke, ledger.gap.peer_repeats), (Some((NOW, NOW)), 0), "{what}");
        }
    }
}

/// The reader waited if the window was full, and data had been acknowledged at least 1 ms before.
#[test]
fn a_reader_waited_where_the_window_was_full() {
    let base: Change = |l| (l.edge, l.window_max, l.last_ack) = (Some(8999), 8999, 1);
    for (what, change, wait, expected) in [
        ("1 ms", (|_| ()) as Change, MILLISECOND, 1_000),
        ("less", |_| (), MILLISECOND - 1, 0),
        ("there was room for a segment", |l| l.edge = Some(9000), MILLISECOND, 0),
        ("the window is unknown", |l| l.edge = None, MILLISECOND, 0),
        ("nothing had been acknowledged", |l| l.last_ack = 0, MILLISECOND, 0),
    ] {
        let mut ledger = ledger(base);
        change(&mut ledger);
        ledger.note_reader_wait(ledger.last_ack + wait);
        assert_eq!(ledger.slots.current.reader_wait, expected, "{what}");
    }
}

/// The reader's wait is recorded if the edge moves and nothing is acknowledged.
#[test]
fn only_a_window_update_shows_a_reader_that_waited() {
    for (what, acked, window, expected) in
        [("an update", 0, 9000, 19_000), ("nothing moves", 0, 8000, 0), ("it acknowledges as well", 1000, 9000, 0)]
    {
        let mut ledger = ledger(|l| (l.edge, l.window_max, l.last_ack) = (Some(8000), 8000, MILLISECOND));
        ledger.on_ack(&AckEvent { window: Some(window), ..ack(NOW, acked) });
        assert_eq!(ledger.slots.current.reader_wait, expected, "{what}");
    }
}

/// A window is full from a zero window until a segment fits.
#[test]
fn a_window_is_full_until_a_segment_fits() {
    let full = Some((5 * MILLISECOND, None));
    let opened = |at| Some((5 * MILLISECOND, Some(at)));
    for (what, before, edge, is_zero, expected) in [
        ("a segment fits", blocked(None), Some(9000), false, opened(NOW)),
        ("a segment fits for longer", blocked(Some(9)), Some(9000), false, opened(9)),
        ("less fits", blocked(None), Some(8999), false, full),
        ("the window is unknown and not zero", blocked(None), None, false, opened(NOW)),
        ("the window is unknown and zero", blocked(None), None, true, full),
        ("a zero window closes", None, Some(8000), true, Some((NOW, None))),
        ("a zero window, and a segment fits all the same", None, Some(9000), true, None),
        ("full without a zero window", None, Some(8000), false, None),
    ] {
        let mut ledger = ledger(|_| ());
        (ledger.gap.blocked, ledger.edge) = (before, edge);
        ledger.update_blocked(NOW, &AckEvent { is_zero_window: is_zero, ..ack(NOW, 0) });
        assert_eq!(ledger.gap.blocked.map(|b| (b.since, b.until)), expected, "{what}");
    }
}

/// A zero window is one stall however often it is advertised; the longest counts.
#[test]
fn zero_windows_in_a_row_are_one_stall() {
    let mut ledger = ledger(|_| ());
    for (time, is_zero, stalls, longest, is_closed) in [
        (1, false, 0, 0, false),
        (2, true, 1, 0, true),
        (5, true, 1, 3, true),
        (6, false, 1, 4, false),
        (9, true, 2, 4, true),
        (10, false, 2, 4, false),
    ] {
        ledger.follow_zero_window(time, is_zero);
        let found = (ledger.zero_window_stalls, ledger.zero_window_longest, ledger.is_window_closed());
        assert_eq!(found, (stalls, longest, is_closed), "at {time}");
    }
    assert_eq!([9, 10].map(|last_data| ledger.is_stuck_in_closed_window(last_data)), [true, false]);
    ledger.follow_zero_window(11, true);
    assert!(ledger.is_stuck_in_closed_window(100), "closed still");
    ledger.finish(20);
    assert_eq!(ledger.zero_window_longest, 9, "until the end");
}

/// The receiver acknowledges data that was not captured.
#[test]
fn an_ack_beyond_what_was_sent_shows_data_that_was_not_captured() {
    let missing = GapKind::Fact(GapFact::DataNotCaptured);
    for (what, change, acked, expected) in [
        ("all that was sent", (|_| ()) as Change, 8000, vec![]),
        ("a byte more", |l| l.last_event = 5 * MILLISECOND, 8001, vec![(GapKind::AckClocked, 5), (missing, 20)]),
        ("nothing was sent", |l| l.is_anything_sent = false, 8001, vec![(missing, 20)]),
    ] {
        let mut ledger = ledger(change);
        ledger.on_ack(&ack(NOW, acked));
        assert_eq!((kinds(&ledger), ledger.nxt), (expected, acked), "{what}");
    }
}

/// The first ACK of new bytes ends the time with unknown bytes in flight from before the capture.
#[test]
fn joining_ends_with_the_first_new_ack() {
    for (what, is_joining, acked, expected) in
        [("an ACK", true, 1000, 1), ("a duplicate", true, 0, 0), ("not joining", false, 1000, 0)]
    {
        let mut ledger = ledger(|_| ());
        ledger.is_joining = is_joining;
        ledger.on_ack(&ack(NOW, acked));
        let joined = kinds(&ledger).iter().filter(|k| k.0 == GapKind::Fact(GapFact::JoinedMidStream)).count();
        assert_eq!((joined, ledger.is_joining), (expected, is_joining && expected == 0), "{what}");
    }
}

/// An ACK adds its delivered bytes to the gap, cumulatively or by SACK, and the time at which nothing is in
/// flight.
#[test]
fn an_ack_frees_what_it_delivers() {
    let released = When::at(NOW);
    for (what, acked, sacked, window, expected) in [
        ("new bytes", 1000, 0, None, (1, 1000, released, None)),
        ("new SACKed bytes", 0, 2000, None, (1, 2000, released, None)),
        ("a duplicate", 0, 0, None, (0, 0, When::NEVER, None)),
        ("more window", 0, 0, Some(9000), (0, 0, released, None)),
        ("as much window", 0, 0, Some(8000), (0, 0, When::NEVER, None)),
        ("everything", 8000, 0, None, (1, 8000, released, Some((NOW, false)))),
        ("a byte less", 7999, 0, None, (1, 7999, released, None)),
    ] {
        let mut ledger = ledger(|l| l.edge = Some(8000));
        ledger.on_ack(&AckEvent { window, sacked, ..ack(NOW, acked) });
        let gap = &ledger.gap;
        assert_eq!((gap.advancing_acks, gap.bytes_acked, gap.last_release, gap.emptied), expected, "{what}");
        assert_eq!(ledger.slots.current.advancing_acks, expected.0, "{what}");
    }
}

/// The first window for data is the first one that is not zero.
#[test]
fn the_first_and_the_largest_window_are_kept() {
    let mut ledger = ledger(|_| ());
    for (window, first, largest) in [(0, 0, 0), (3000, 3000, 3000), (9000, 3000, 9000), (2000, 3000, 9000)] {
        ledger.on_ack(&AckEvent { window: Some(window), ..ack(NOW, 0) });
        assert_eq!((ledger.window_first(), ledger.window_max()), (first, largest), "{window}");
    }
}

/// The time after the last send: the final round trip, a recovery, a full window, an open hole, or the peer's
/// answer.
#[test]
fn the_end_is_the_last_flight_unless_something_else_shows() {
    use GapFact::{HoleLeftOpen, PeerDataAwaited, RepeatedFast};
    let fact = GapKind::Fact;
    #[expect(clippy::type_complexity, reason = "a row of the table")]
    let cases: [(&str, Change, i64, Vec<(GapKind, i64)>); 11] = [
        ("the last flight", |_| (), 20, vec![(GapKind::Tail, 20)]),
        (
            "nothing was sent",
            |l| (l.is_anything_sent, l.gap.blocked) = (false, blocked(None)),
            20,
            vec![(GapKind::Tail, 20)],
        ),
        (
            "a recovery",
            |l| l.recovery = recovery(5 * MILLISECOND, RepeatedFast),
            20,
            vec![(GapKind::AckClocked, 5), (fact(RepeatedFast), 20)],
        ),
        ("a full window", |l| l.gap.blocked = blocked(None), 20, vec![(GapKind::Tail, 5), (GapKind::WindowFull, 20)]),
        (
            "a window that opens after the end",
            |l| l.gap.blocked = blocked(Some(NOW + 1)),
            20,
            vec![(GapKind::Tail, 5), (GapKind::WindowFull, 20)],
        ),
        ("a window that opens at the end", |l| l.gap.blocked = blocked(Some(NOW)), 20, vec![(GapKind::Tail, 20)]),
        ("a hole for a second", |l| l.hole_since = Some(5 * MILLISECOND), 1_005, vec![(GapKind::Tail, 1_005)]),
        (
            "a hole for more",
            |l| l.hole_since = Some(5 * MILLISECOND),
            1_006,
            vec![(GapKind::Tail, 5), (fact(HoleLeftOpen), 1_006)],
        ),
        (
            "the peer's answer after more than a second",
            |l| l.gap.emptied = Some((1_001 * MILLISECOND, true)),
            1_100,
            vec![(GapKind::Tail, 20), (fact(PeerDataAwaited), 1_001), (GapKind::Tail, 1_100)],
        ),
        (
            "… without payload",
            |l| l.gap.emptied = Some((1_001 * MILLISECOND, false)),
            1_100,
            vec![(GapKind::Tail, 1_100)],
        ),
        (
            "… after a second",
            |l| l.gap.emptied = Some((1_000 * MILLISECOND, true)),
            1_100,
            vec![(GapKind::Tail, 1_100)],
        ),
    ];
    for (what, change, end, expected) in cases {
        let mut ledger = ledger(change);
        ledger.finish(end * MILLISECOND);
        let mut found = kinds(&ledger);
        found.dedup_by(|later, before| {
            later.0 == before.0 && {
                before.1 = later.1;
                true
            }
        });
        assert_eq!(found, expected, "{what}");
    }
}

/// After the end, a side that holds the connection open has nothing to send until its peer closes.
#[test]
fn after_the_end_the_peer_had_closed() {
    use GapFact::{NothingInFlight, PeerHadClosed};
    let fact = GapKind::Fact;
    let mut open = ledger(|_| ());
    open.hold_open(5 * MILLISECOND, NOW);
    assert_eq!(kinds(&open), [(fact(NothingInFlight), 5), (fact(PeerHadClosed), 20)]);
}

/// A round trip of no time is ignored. The smallest, the smoothed one and the slot's are kept.
#[test]
fn round_trips_are_kept_as_least_smoothed_and_by_slot() {
    let mut ledger = Ledger::new(0, 0, 1000);
    for (sample, least, recent, count) in
        [(0, None, None, 0), (-1, None, None, 0), (80, Some(80), Some(80), 1), (160, Some(80), Some(90), 2)]
    {
        ledger.on_rtt(sample);
        let found = (ledger.rtt_min(), ledger.rtt_recent(), ledger.slots.current.rtt_count);
        assert_eq!(found, (least, recent, count), "{sample}");
    }
    assert_eq!((ledger.slots.current.rtt_min, ledger.slots.current.rtt_sum), (Some(80), 240));
    ledger.forget_round_trips();
    assert_eq!((ledger.rtt_min(), ledger.rtt_recent(), ledger.slots.current.rtt_count), (None, None, 0));
}

/// The times of the peer's first and last payload are kept, and the number of its retransmissions.
#[test]
fn the_peers_first_and_last_word_are_kept() {
    let mut ledger = ledger(|_| ());
    for time in [3, 5, 9] {
        ledger.on_peer_payload(time, 100, 0);
    }
    (0..2).for_each(|_| ledger.on_peer_retransmission());
    assert_eq!((ledger.gap.peer_spoke, ledger.gap.heard, ledger.gap.peer_repeats), (Some((3, 9)), 300, 2));
    ledger.forgive_peer_retransmissions();
    assert_eq!(ledger.gap.peer_repeats, 0);
}
