//! Tests of each condition for the decisions about a gap: dropping one, or moving its boundary, fails here.

use std::num::NonZeroU32;

use super::*;
use crate::facts::half::event::DataKind;
use crate::facts::half::grains::Grains;
use crate::facts::half::ledger::recovery::Recovery;
use GapKind::{AckClocked, Burst, RoomUnused, Unreleased, WindowFull};

const MICROSECOND: i64 = MILLISECOND / 1000;
/// The end of the gap, nanoseconds.
const NOW: i64 = 20 * MILLISECOND;

/// The change that a case makes.
type Change = fn(&mut Ledger);

/// At the sender: segments of 1000 bytes, a round trip of 20 ms, and ten segments in flight since 0 ms. An
/// ACK releases a send up to 1 ms later, and a burst leaves within 1.25 ms.
fn ledger(change: Change) -> Ledger {
    let mut ledger = Ledger::new(0, 0, 1000);
    ledger.set_mss(1000);
    ledger.on_rtt(20 * MILLISECOND);
    (ledger.nxt, ledger.is_anything_sent) = (10_000, true);
    ledger.gap = Gap { flight: 10_000, room: u64::MAX, ..Gap::default() };
    change(&mut ledger);
    ledger
}

fn data(time: i64, bytes: u64) -> DataEvent {
    let (start, end, kind, is_partial) = (10_000, 10_000 + bytes, DataKind::New, bytes < 1000);
    DataEvent { time, start, end, kind, is_partial, tsval: None, lag_ticks: None }
}

/// The recorded kinds of time, and the end of each in microseconds.
fn kinds(ledger: &Ledger) -> Vec<(GapKind, i64)> {
    ledger.slots.intervals.iter().map(|interval| (interval.kind, interval.end / MICROSECOND)).collect()
}

/// Each case is a change of the first one, and whether the decision is still true.
fn check(decision: fn(&Ledger) -> bool, base: Change, cases: &[(&str, Change, bool)]) {
    for &(what, change, expected) in cases {
        let mut ledger = ledger(base);
        change(&mut ledger);
        assert_eq!(decision(&ledger), expected, "{what}");
    }
}

#[test]
fn a_drained_queue_takes_a_fragment_a_recent_one_and_both_windows_room() {
    let base: Change = |l| {
        (l.last_partial_end, l.nxt, l.drained_at) = (5000, 5000, When::at(-20 * MILLISECOND));
        (l.gap.flight, l.cwnd_floor, l.gap.room) = (3000, 4000, 1000);
    };
    check(
        |l| l.is_drained(NOW, &data(NOW, 999)),
        base,
        &[
            ("all of it, two round trips later", |_| (), true),
            ("the last segment was whole", |l| l.last_partial_end = 4000, false),
            ("no fragment had emptied the queue before", |l| l.drained_at = When::NEVER, false),
            ("more than two round trips before", |l| l.drained_at = When::at(-20 * MILLISECOND - 1), false),
            ("the congestion window has room for less than a segment", |l| l.cwnd_floor = 3999, false),
            ("the peer's window has room for less than a segment", |l| l.gap.room = 999, false),
        ],
    );
    check(|l| l.is_drained(NOW, &data(NOW, 1000)), base, &[("a whole segment follows", |_| (), false)]);
}

#[test]
fn unused_room_takes_two_acks_of_two_segments_and_two_ninths_of_the_flight() {
    let base: Change = |l| {
        (l.floor_from, l.gap.first_free, l.gap.advancing_acks) = (NOW, When::at(NOW - 1), 2);
        (l.gap.bytes_acked, l.gap.flight) = (4000, 18_000);
    };
    check(
        |l| l.is_room_unused(NOW),
        base,
        &[
            ("all of it", |_| (), true),
            ("a recovery has just ended", |l| l.floor_from = NOW + 1, false),
            ("a hole is open", |l| l.hole_since = Some(0), false),
            ("one ACK", |l| l.gap.advancing_acks = 1, false),
            ("less than two ninths", |l| l.gap.bytes_acked = 3999, false),
            ("two segments of a small flight", |l| (l.gap.bytes_acked, l.gap.flight) = (2000, 8000), true),
            ("less than two segments", |l| (l.gap.bytes_acked, l.gap.flight) = (1999, 8000), false),
            ("the first ACK came right now", |l| l.gap.first_free = When::at(NOW), false),
            ("no ACK freed anything", |l| l.gap.first_free = When::NEVER, false),
            (
                "inferred times, within 1 ms",
                |l| {
                    l.set_ack_times_inferred(true);
                    l.gap.first_free = When::at(NOW - MILLISECOND);
                },
                false,
            ),
            (
                "inferred times, more than 1 ms",
                |l| {
                    l.set_ack_times_inferred(true);
                    l.gap.first_free = When::at(NOW - MILLISECOND - 1);
                },
                true,
            ),
        ],
    );
}

#[test]
fn data_follows_the_peers_last_payload_at_once() {
    let base: Change = |l| {
        (l.gap.first_room, l.gap.last_room) = (When::at(NOW - MILLISECOND - 1), When::at(NOW));
        (l.gap.advancing_acks, l.gap.bytes_acked) = (2, 2000);
        l.on_peer_payload(NOW - MILLISECOND, 1, 0);
        l.hear(NOW);
    };
    for (what, change, expected) in [
        ("room before", (|_| ()) as Change, Some(After::Room)),
        ("a later word", |l| (l.on_peer_payload(NOW, 1, 0), l.hear(NOW)).1, Some(After::Room)),
        ("room only since the word", |l| l.gap.first_room = When::at(NOW - MILLISECOND), None),
        ("one ACK", |l| l.gap.advancing_acks = 1, None),
        ("less than two segments", |l| l.gap.bytes_acked = 1999, None),
        ("a hole is open", |l| l.hole_since = Some(0), None),
        ("no ACK", |l| (l.gap.first_room, l.gap.last_room) = (When::NEVER, When::NEVER), Some(After::Nothing)),
        (
            "no ACK after the word",
            |l| (l.gap.advancing_acks, l.gap.last_room) = (1, When::at(NOW - MILLISECOND)),
            Some(After::Nothing),
        ),
        ("the peer repeats itself", |l| l.gap.peer_repeats = 1, None),
    ] {
        let mut ledger = ledger(base);
        change(&mut ledger);
        assert_eq!(ledger.follows_word(NOW), expected, "{what}");
    }
    assert_eq!(ledger(base).follows_word(NOW + 1), None, "more than 1 ms before");
    assert_eq!(ledger(|_| ()).follows_word(NOW), None, "never");
}

/// `CLOCKED_SHARE`, `BRIM`, `CLOCKED_SMOOTHING`: 7/8 of the recent bursts, and of the largest number of bytes
/// in flight.
#[test]
fn a_fragment_at_the_brim_may_have_more_behind_it() {
    let base: Change = |l| {
        (l.clocked, l.cwnd_floor, l.nxt, l.una) = (Ledger::ALL_CLOCKED / 8 * 7, 8000, 10_000, 3100);
    };
    check(
        |l| l.is_at_brim(&data(NOW, 100)),
        base,
        &[
            ("seven eighths of both", |_| (), true),
            ("fewer bursts followed ACKs", |l| l.clocked -= 1, false),
            ("less in flight", |l| l.una = 3101, false),
            ("less than the smallest buffer", |l| (l.cwnd_floor, l.una) = (4607, 5493), false),
            ("the smallest buffer", |l| (l.cwnd_floor, l.una) = (4608, 5492), true),
        ],
    );
    let mut ledger = ledger(|l| l.clocked = 0);
    ledger.note_clocking(true, GapKind::AckClocked);
    assert_eq!(ledger.clocked, Ledger::ALL_CLOCKED / 16);
    ledger.note_clocking(false, GapKind::Burst);
    assert_eq!(ledger.clocked, Ledger::ALL_CLOCKED / 16, "within a burst nothing is released");
    ledger.note_clocking(false, GapKind::Unreleased);
    assert_eq!(ledger.clocked, Ledger::ALL_CLOCKED / 16 * 15 / 16);
}

#[test]
fn data_is_surely_unreleased_where_the_order_is_known_or_it_is_very_late() {
    let away: Change = |l| l.set_ack_times_inferred(true);
    for (what, change, wait, lag, tsval, expected) in [
        ("at the sender", (|_| ()) as Change, 1, Some(0), None, true),
        ("away, with ticks", away, 1, Some(0), Some(7), true),
        ("away, without timestamps", away, 1, Some(0), None, false),
        (
            "ticks are too coarse",
            |l| {
                l.set_ack_times_inferred(true);
                l.on_rtt(2 * MILLISECOND - 1);
            },
            1,
            Some(0),
            Some(7),
            false,
        ),
        ("three eighths of the round trip late", away, 7500, Some(7500), None, true),
        ("less", away, 7500, Some(7499), None, false),
        ("other data came less long before", away, 7499, Some(7500), None, false),
        ("no ACK, three eighths after other data", away, 7500, None, None, true),
        ("no ACK, less", away, 7499, None, None, false),
        (
            "no round trip",
            |l| {
                l.set_ack_times_inferred(true);
                l.forget_round_trips();
            },
            900_000,
            None,
            None,
            false,
        ),
    ] {
        let data = DataEvent { tsval, ..data(NOW, 1000) };
        let (wait, lag) = (wait * MICROSECOND, lag.map(|lag| lag * MICROSECOND));
        assert_eq!(ledger(change).is_surely_unreleased(wait, lag, &data), expected, "{what}");
    }
}

#[test]
fn a_nagle_tail_is_a_fragment_on_the_ack_of_a_fragment_or_of_everything() {
    let base: Change = |l| (l.gap.una_before_release, l.last_partial_end, l.una) = (0, 100, 100);
    for (what, change, bytes, is_partial, expected) in [
        ("a fragment on the ACK of one", (|_| ()) as Change, 999, true, true),
        ("its last wire segment is whole", |_| (), 999, false, false),
        ("as long as a segment", |_| (), 1000, true, false),
        ("the fragment had been acknowledged before", |l| l.gap.una_before_release = 100, 999, true, false),
        ("the fragment is not acknowledged", |l| l.una = 99, 999, true, false),
        ("everything is acknowledged", |l| (l.una, l.gap.emptied) = (99, Some((NOW, false))), 999, true, true),
        ("everything, and it is whole", |l| l.gap.emptied = Some((NOW, false)), 1000, true, false),
    ] {
        let mut ledger = ledger(base);
        change(&mut ledger);
        assert_eq!(ledger.is_nagle_tail(&DataEvent { is_partial, ..data(NOW, bytes) }), expected, "{what}");
    }
}

#[test]
fn an_ack_is_delayed_15_ms_and_half_a_round_trip_for_small_data() {
    let base: Change = |l| (l.gap.flight, l.gap.emptied) = (3000, Some((35 * MILLISECOND, false)));
    let unknown: Change = |l| (l.is_mss_known, l.turns, l.gap.advancing_acks) = (false, 1, 1);
    for (what, change, bytes, expected) in [
        ("three segments and a fragment, 15 ms late", (|_| ()) as Change, 999, true),
        ("less than 15 ms late", |l| l.gap.emptied = Some((35 * MILLISECOND - 1, false)), 999, false),
        ("nothing emptied it", |l| l.gap.emptied = None, 999, false),
        ("more than three segments before", |l| l.gap.flight = 3001, 999, false),
        ("a whole segment", |_| (), 1000, false),
        ("the MSS is unknown, and one ACK in turns", unknown, 5000, true),
        ("one way only", |l| (l.is_mss_known, l.turns, l.gap.advancing_acks) = (false, 0, 1), 5000, false),
        ("two ACKs", |l| (l.is_mss_known, l.turns, l.gap.advancing_acks) = (false, 1, 2), 5000, false),
        ("the MSS is known", |l| (l.turns, l.gap.advancing_acks) = (1, 1), 5000, false),
    ] {
        let mut ledger = ledger(base);
        change(&mut ledger);
        assert_eq!(ledger.is_ack_delayed(&data(NOW, bytes)), expected, "{what}");
    }
}

#[test]
fn idle_time_is_whose_turn_it_was() {
    use GapFact::{AnswerAwaited, NothingInFlight, PeerDataAwaited, PeerRepeatedUnanswered};
    for (what, spoke, repeats, had_sent, expected, pauses) in [
        ("nobody spoke", None, 0, false, vec![(NothingInFlight, 20_000)], 1),
        ("nobody spoke, repeats of before", None, 3, true, vec![(NothingInFlight, 20_000)], 1),
        (
            "the peer spoke until 12 ms",
            Some((5, 12)),
            0,
            true,
            vec![(PeerDataAwaited, 12_000), (AnswerAwaited, 20_000)],
            0,
        ),
        (
            "the peer repeated itself, and nothing else was lost",
            Some((5, 12)),
            1,
            false,
            vec![(PeerDataAwaited, 20_000)],
            0,
        ),
        (
            "the peer repeated itself from 5 ms on",
            Some((5, 12)),
            1,
            true,
            vec![(PeerDataAwaited, 5_000), (PeerRepeatedUnanswered, 20_000)],
            0,
        ),
    ] {
        let mut ledger = ledger(|_| ());
        ledger.gap.peer_spoke = spoke.map(|(first, last)| (first * MILLISECOND, last * MILLISECOND));
        ledger.gap.peer_repeats = repeats;
        ledger.emit_idle(NOW, true, had_sent);
        let expected: Vec<_> = expected.into_iter().map(|(fact, end)| (GapKind::Fact(fact), end)).collect();
        assert_eq!((kinds(&ledger), ledger.pauses), (expected, pauses), "{what}");
    }
}

#[test]
fn before_the_first_data_a_closed_window_or_the_peer_was_awaited() {
    use GapFact::{AnswerAwaited, NothingInFlight, PeerDataAwaited, WindowClosedBeforeData};
    let closed = |until| Some(Blocked { since: 5 * MILLISECOND, until: Some(until) });
    for (what, blocked, spoke, expected) in [
        ("nobody spoke", None, None, vec![(NothingInFlight, 20_000)]),
        ("the peer spoke", None, Some((2, 12)), vec![(PeerDataAwaited, 12_000), (AnswerAwaited, 20_000)]),
        (
            "the window opened 1 ms before",
            closed(NOW - MILLISECOND),
            None,
            vec![(NothingInFlight, 5_000), (WindowClosedBeforeData, 19_000), (NothingInFlight, 20_000)],
        ),
        ("the window opened long before", closed(NOW - MILLISECOND - 1), None, vec![(NothingInFlight, 20_000)]),
        (
            "the window is closed still",
            Some(Blocked { since: 5 * MILLISECOND, until: None }),
            None,
            vec![(NothingInFlight, 20_000)],
        ),
    ] {
        let mut ledger = ledger(|l| (l.nxt, l.is_anything_sent, l.gap) = (0, false, Gap::default()));
        ledger.gap.blocked = blocked;
        ledger.gap.peer_spoke = spoke.map(|(first, last)| (first * MILLISECOND, last * MILLISECOND));
        ledger.open_stream(NOW, &data(NOW, 1000));
        let expected: Vec<_> = expected.into_iter().map(|(fact, end)| (GapKind::Fact(fact), end)).collect();
        assert_eq!((kinds(&ledger), ledger.una, ledger.nxt), (expected, 10_000, 10_000), "{what}");
    }
}

/// A gap that ends at `time` with a full segment.
#[test]
fn a_gap_is_what_released_the_send() {
    use GapFact::{AnswerAwaited, HoleLeftOpen, NothingInFlight, PeerDataAwaited, RepeatedFast};
    let fact = GapKind::Fact;
    #[expect(clippy::type_complexity, reason = "a row of the table")]
    let cases: [(&str, Change, i64, Vec<(GapKind, i64)>); 23] = [
        ("no ACK", |_| (), 20_000, vec![(Unreleased, 20_000)]),
        ("an ACK 1 ms before", |l| l.gap.last_release = When::at(19 * MILLISECOND), 20_000, vec![(AckClocked, 20_000)]),
        ("an ACK earlier", |l| l.gap.last_release = When::at(19 * MILLISECOND - 1), 20_000, vec![(Unreleased, 20_000)]),
        ("1.25 ms after another send", |_| (), 1_250, vec![(Burst, 1_250)]),
        ("later", |_| (), 1_251, vec![(Unreleased, 1_251)]),
        (
            "the second of two ACKs, of two ninths",
            |l| {
                (l.gap.last_release, l.gap.first_free) = (When::at(NOW), When::at(NOW - 1));
                (l.gap.advancing_acks, l.gap.bytes_acked) = (2, 2_500);
            },
            20_000,
            vec![(RoomUnused, 20_000)],
        ),
        (
            "the window is full from 5 ms on",
            |l| l.gap.blocked = Some(Blocked { since: 5 * MILLISECOND, until: None }),
            20_000,
            vec![(AckClocked, 5_000), (WindowFull, 20_000)],
        ),
        (
            "… and nothing is in flight",
            |l| (l.una, l.gap.blocked) = (10_000, Some(Blocked { since: 5 * MILLISECOND, until: None })),
            20_000,
            vec![(fact(NothingInFlight), 5_000), (WindowFull, 20_000)],
        ),
        (
            "the window opened 1 ms before",
            |l| l.gap.blocked = Some(Blocked { since: 5 * MILLISECOND, until: Some(19 * MILLISECOND) }),
            20_000,
            vec![(AckClocked, 5_000), (WindowFull, 20_000)],
        ),
        (
            "the window opened long before",
            |l| l.gap.blocked = Some(Blocked { since: 5 * MILLISECOND, until: Some(10 * MILLISECOND) }),
            20_000,
            vec![(AckClocked, 5_000), (WindowFull, 10_000), (Unreleased, 20_000)],
        ),
        (
            "the window opened long before, and an ACK released it",
            |l| {
                l.gap.blocked = Some(Blocked { since: 5 * MILLISECOND, until: Some(10 * MILLISECOND) });
                l.gap.last_release = When::at(NOW);
            },
            20_000,
            vec![(AckClocked, 5_000), (WindowFull, 20_000)],
        ),
        (
            "a burst after a window that opened",
            |l| l.gap.blocked = Some(Blocked { since: 5 * MILLISECOND, until: Some(18_750 * MICROSECOND) }),
            20_000,
            vec![(AckClocked, 5_000), (WindowFull, 18_750), (Burst, 20_000)],
        ),
        (
            "everything was acknowledged long before",
            |l| l.gap.emptied = Some((18 * MILLISECOND, false)),
            20_000,
            vec![(fact(NothingInFlight), 20_000)],
        ),
        (
            "everything was acknowledged 1 ms before",
            |l| (l.gap.last_release, l.gap.emptied) = (When::at(19 * MILLISECOND), Some((19 * MILLISECOND, false))),
            20_000,
            vec![(AckClocked, 20_000)],
        ),
        (
            "… with payload",
            |l| (l.gap.last_release, l.gap.emptied) = (When::at(19 * MILLISECOND), Some((19 * MILLISECOND, true))),
            20_000,
            vec![(fact(NothingInFlight), 20_000)],
        ),
        (
            "… and the peer spoke",
            |l| {
                (l.gap.last_release, l.gap.emptied) = (When::at(19 * MILLISECOND), Some((19 * MILLISECOND, false)));
                l.gap.peer_spoke = Some((15 * MILLISECOND, 15 * MILLISECOND));
            },
            20_000,
            vec![(fact(PeerDataAwaited), 15_000), (fact(AnswerAwaited), 20_000)],
        ),
        (
            "a recovery since 12 ms",
            |l| {
                l.recovery = Some(Recovery::new(12 * MILLISECOND, 10_000, RepeatedFast));
            },
            20_000,
            vec![(AckClocked, 12_000), (fact(RepeatedFast), 20_000)],
        ),
        (
            "a hole open for 1 s",
            |l| {
                (l.hole_since, l.rtt_before) = (Some(5 * MILLISECOND), Grains::of(NOW));
                l.gap.advancing_acks = 1;
            },
            1_005_000,
            vec![(Unreleased, 1_005_000)],
        ),
        ("data after two round trips without an ACK: whether it is a probe shows later", |_| (), 40_000, vec![]),
        ("… and data a little sooner", |_| (), 39_999, vec![(Unreleased, 39_999)]),
        (
            "a hole open for more",
            |l| (l.hole_since, l.rtt_before) = (Some(5 * MILLISECOND), Grains::of(NOW)),
            1_005_001,
            vec![(AckClocked, 5_000), (fact(HoleLeftOpen), 1_005_001)],
        ),
        (
            "offload waits for room: a third of the window",
            |l| (l.window_max, l.gap.room) = (30_000, 9_999),
            20_000,
            vec![(WindowFull, 20_000)],
        ),
        (
            "… and not away from the sender",
            |l| {
                l.set_ack_times_inferred(true);
                (l.window_max, l.gap.room) = (30_000, 9_999);
            },
            20_000,
            vec![(Unreleased, 20_000)],
        ),
    ];
    for (what, change, time, expected) in cases {
        let mut ledger = ledger(change);
        ledger.close_gap(time * MICROSECOND, &data(time * MICROSECOND, 1000));
        assert_eq!(kinds(&ledger), expected, "{what}");
    }
}

/// Away from the sender, its timestamps show which ACK released a send, and which data left with it.
#[test]
fn timestamps_show_what_released_a_send() {
    let away: Change = |l| (l.last_tsval, l.gap.last_release) = (Some(100), When::at(5 * MILLISECOND));
    for (what, change, tsval, lag_ticks, expected) in [
        ("a tick after the ACK", away, Some(120), Some(1), AckClocked),
        ("two ticks after the ACK", away, Some(120), Some(2), Unreleased),
        ("a tick, but no ACK", |l| l.last_tsval = Some(100), Some(120), Some(1), Unreleased),
        ("one tick after other data", away, Some(101), None, Burst),
        ("two ticks after other data", away, Some(102), None, Unreleased),
        ("no timestamps, 15 ms after the ACK", away, None, None, Unreleased),
        (
            "no timestamps, 7 ms after the ACK",
            |l| l.gap.last_release = When::at(13 * MILLISECOND),
            None,
            None,
            AckClocked,
        ),
    ] {
        let mut ledger = ledger(change);
        ledger.set_ack_times_inferred(true);
        ledger.close_gap(NOW, &DataEvent { tsval, lag_ticks, ..data(NOW, 1000) });
        assert_eq!(kinds(&ledger), [(expected, 20_000)], "{what}");
    }
}

/// A fragment is the end of a blocked writer's data if more follows within 0.2 ms; away from the sender,
/// within a burst.
#[test]
fn more_follows_a_fragment_at_once() {
    let unused = (RoomUnused, false);
    let drained = (GapKind::Fact(GapFact::FragmentLeftQueueEmpty), true);
    for (what, is_away, after, expected) in [
        ("0.2 ms", false, 200, unused),
        ("more", false, 201, drained),
        ("away, 1.25 ms", true, 1_250, unused),
        ("away, more", true, 1_251, drained),
    ] {
        let mut ledger = ledger(|_| ());
        ledger.set_ack_times_inferred(is_away);
        let tail = NOW - after * MICROSECOND;
        (ledger.tail, ledger.gap.start) = (When::at(tail), tail);
        ledger.close_gap(NOW, &data(NOW, 1000));
        let (kind, end) = kinds(&ledger)[0];
        assert_eq!(end, tail / MICROSECOND, "{what}");
        assert_eq!((kind, ledger.drained_at == When::at(tail)), expected, "{what}");
    }
}

/// All data was acknowledged 12 ms after the last send, and the next came 8 ms later: too late for a learnt
/// wake-up. If pauses often end right after an ACK, the writer had waited for its buffer until then.
#[test]
fn a_late_wake_is_idle_only_since_all_was_acknowledged() {
    let idle = (GapKind::Fact(GapFact::NothingInFlight), 20_000);
    for (what, lags, change, expected) in [
        ("rests end at once", [100; 8], (|_| ()) as Change, vec![(RoomUnused, 12_000), idle]),
        ("rests end late", [8_000; 8], |_| (), vec![idle]),
        ("the peer spoke", [100; 8], |l| l.gap.emptied = Some((12 * MILLISECOND, true)), vec![idle]),
        ("nobody knows", [0; 8], |l| l.wakes = None, vec![idle]),
    ] {
        let mut ledger = ledger(|l| (l.nxt, l.una, l.gap.emptied) = (8000, 8000, Some((12 * MILLISECOND, false))));
        let wakes = ledger.wakes.get_or_insert_default();
        for lag in lags {
            wakes.on_ack(20 * MILLISECOND);
            wakes.on_rest(lag * MICROSECOND);
        }
        change(&mut ledger);
        ledger.close_gap(NOW, &data(NOW, 1000));
        assert_eq!(kinds(&ledger), expected, "{what}");
    }
}

/// A turn is a send after payload of the peer.
#[test]
fn sends_after_the_peers_word_are_turns() {
    for (spoke, turns) in [(None, 0), (Some((1, 1)), 1)] {
        let mut ledger = ledger(|_| ());
        ledger.gap.peer_spoke = spoke;
        ledger.close_gap(NOW, &data(NOW, 1000));
        assert_eq!(ledger.turns, turns, "{spoke:?}");
    }
}

/// After more than 1 ms without an answer, bytes in flight are recorded as unanswered.
#[test]
fn a_silence_of_more_than_a_millisecond_is_unanswered() {
    for (after, unanswered, mark) in
        [(MILLISECOND, None, (0, 5000)), (MILLISECOND + 1, NonZeroU32::new(5000), (MILLISECOND + 1, 3000))]
    {
        let mut ledger = ledger(|l| l.gap.mark = (0, 5000));
        ledger.follow_silence(after, 3000);
        assert_eq!((ledger.gap.unanswered, ledger.gap.mark), (unanswered, mark), "{after}");
    }
}

/// A burst into unused room begins with the bytes in flight; any other begins with 0.
#[test]
fn a_burst_begins_with_what_is_in_flight() {
    for (what, acks, partial_end, expected) in [
        ("room was left", 2, 0, (10_000, 0)),
        ("no room was left", 1, 0, (0, 0)),
        ("behind a fragment", 1, 10_000, (0, 1)),
        ("behind an earlier fragment", 1, 9_999, (0, 0)),
    ] {
        let mut ledger = ledger(|l| (l.gap.first_free, l.gap.bytes_acked) = (When::at(0), 4000));
        (ledger.gap.advancing_acks, ledger.last_partial_end) = (acks, partial_end);
        ledger.note_start(NOW);
        let slot = &ledger.slots.current;
        assert_eq!((slot.begun_at, slot.partial_ends), expected, "{what}");
    }
}
