//! Tests the sums under each limit, and the numbers that an interval keeps.

use tcpwhy_model::{Limit, LimitTimeline, Measure};
use tcpwhy_testkit::ms;

use super::super::account::Account;
use super::super::conditions::testing::{Scene, forcing};
use super::super::moved::Moved;
use super::{name, plain};
use crate::facts::bytes::Bytes;
use crate::facts::slot::{GapInterval, GapKind, Slot, SlotLog};

/// Duration of a slot in milliseconds, its only gap, and its other measures.
type Part = (i64, GapKind, fn(&mut Slot));

/// Consecutive slots with one gap each.
struct Slots(Vec<(Slot, GapKind)>);

impl Slots {
    fn of(slots: &[Part]) -> Self {
        let mut start = 0;
        let mut all = Vec::new();
        for &(millis, kind, fill) in slots {
            let mut slot = plain().slots.remove(0);
            (slot.start, slot.end, slot.intervals) = (start, start + ms(millis), 1);
            start = slot.end;
            fill(&mut slot);
            all.push((slot, kind));
        }
        Self(all)
    }

    fn account(&self, conditions: &[(&'static str, bool)]) -> (LimitTimeline, Moved) {
        let Scene { context, .. } = plain();
        let mut log = self.log();
        let accounted = forcing(conditions, || Account::new(0).finish(&mut log, &context));
        (accounted.limits, accounted.moved)
    }
}

/// 100 ms with 10 kB and 300 ms with 30 kB in flight under a full window.
fn windows() -> Slots {
    Slots::of(&[
        (100, GapKind::WindowFull, |s| {
            (s.peak_flight, s.sends, s.acked) = (Bytes::of(10_000), 1, Bytes::of(1_000));
        }),
        (300, GapKind::WindowFull, |s| {
            (s.peak_flight, s.sends, s.acked) = (Bytes::of(30_000), 1, Bytes::of(9_000));
            s.note_window(1_100_000);
        }),
    ])
}

#[test]
fn what_was_seen_is_weighed_by_time() {
    let (timeline, moved) = windows().account(&[("is_window_shrinking", false), ("is_queued", true)]);
    assert_eq!(timeline.nanos_of(Limit::ReceiveWindow), ms(400));
    assert_eq!(moved.bytes_under(Limit::ReceiveWindow).round() as u64, 10_000, "bytes acknowledged");
    assert_eq!(moved.window_queued, ms(400), "a full window over a queue");
    let seen = moved.seen_under(Limit::ReceiveWindow).unwrap();
    assert_eq!(seen.flight.value(), Some(25_000.0), "a quarter of the time 10 kB, else 30 kB");
    assert_eq!(seen.window, Some(1_100_000), "the largest");
    assert!(moved.seen_under(Limit::SendBuffer).is_none());
    let (_, moved) = windows().account(&[("is_window_shrinking", false), ("is_queued", false)]);
    assert_eq!(moved.window_queued, 0, "no queue");
}

#[test]
fn slots_without_a_send_say_nothing_of_the_flight() {
    let mut slots = windows();
    slots.0[1].0.sends = 0;
    let (_, moved) = slots.account(&[("is_window_shrinking", false)]);
    let seen = moved.seen_under(Limit::ReceiveWindow).unwrap();
    assert_eq!(seen.flight.value(), Some(10_000.0));
}

/// The means do not depend on the order of the stretches.
#[test]
fn the_numbers_of_an_interval_are_means_by_time() {
    let mut reversed = windows();
    reversed.0.reverse();
    (reversed.0[0].0.start, reversed.0[0].0.end) = (0, ms(300));
    (reversed.0[1].0.start, reversed.0[1].0.end) = (ms(300), ms(400));
    for (place, slots) in [("longer last", windows()), ("longer first", reversed)] {
        let (timeline, _) = slots.account(&[("is_window_shrinking", false)]);
        let [interval] = timeline.intervals() else { panic!("one interval: {:?}", timeline.intervals()) };
        let flight = interval.why.and_then(|why| why.value(Measure::Flight));
        assert_eq!(flight, Some(25_000.0), "10 kB for 100 ms, 30 kB for 300 ms, the {place}");
    }
}

#[test]
fn the_plateau_is_the_median_by_time() {
    let slots = Slots::of(&[
        (100, GapKind::AckClocked, |s| s.peak_flight = Bytes::of(90_000)),
        (300, GapKind::AckClocked, |s| s.peak_flight = Bytes::of(20_000)),
        (100, GapKind::AckClocked, |s| s.peak_flight = Bytes::of(10_000)),
    ]);
    let conditions = [("is_slow_start", false), ("leaves_room_unused", true), ("is_below_buffer", false)];
    let (timeline, moved) = slots.account(&conditions);
    assert_eq!(timeline.nanos_of(Limit::SendBuffer), ms(500));
    let plateau = moved.send_buffer_plateau().unwrap();
    assert!((19_600..=20_400).contains(&plateau), "20 kB for most of the time: {plateau}");
    assert!(windows().account(&[]).1.send_buffer_plateau().is_none());
}

/// Facts move with the larger share of the bytes.
#[test]
fn bytes_move_from_one_limit_to_another() {
    for (share, bytes, seen_under) in [(0.5, 5_000, Limit::Path), (0.49, 4_900, Limit::ReceiveWindow)] {
        let (_, mut moved) = windows().account(&[("is_window_shrinking", false)]);
        moved.reassign(Limit::ReceiveWindow, Limit::Path, share);
        assert_eq!(moved.bytes_under(Limit::Path).round() as u64, bytes);
        assert_eq!(moved.bytes_under(Limit::ReceiveWindow).round() as u64, 10_000 - bytes);
        for limit in [Limit::Path, Limit::ReceiveWindow] {
            let flight = moved.seen_under(limit).and_then(|seen| seen.flight.value());
            assert_eq!(flight, (limit == seen_under).then_some(25_000.0), "{limit:?} after {share}");
        }
    }
}

/// Earlier bytes in flight count until a loss or a long pause, and beyond a mark (RFC 3168 §6.1.2).
#[test]
fn slow_start_begins_anew_after_a_loss_and_not_after_a_mark() {
    let after = |cut: fn(&mut Slot)| {
        let few: fn(&mut Slot) = |s| s.peak_flight = Bytes::of(20_000);
        let mut slots = Slots::of(&[
            (10, GapKind::AckClocked, few),
            (10, GapKind::AckClocked, few),
            (10, GapKind::AckClocked, |s| s.peak_flight = Bytes::of(100_000)),
            (10, GapKind::AckClocked, cut),
            (10, GapKind::AckClocked, few),
            (10, GapKind::AckClocked, |s| s.peak_flight = Bytes::of(75_000)),
        ]);
        slots.0.iter_mut().for_each(|(slot, _)| slot.cwnd_floor = slot.peak_flight);
        let (timeline, _) = slots.account(&[]);
        name(timeline.intervals().last().unwrap().cause)
    };
    assert_eq!(after(|s| s.retransmissions = 1), "slow_start");
    assert_eq!(after(|s| s.definite = ms(6)), "slow_start");
    assert_eq!(after(|s| s.has_reduction = true), "congestion_window/post_mark");
    assert_eq!(after(|_| ()), "congestion_window/other");
}

/// 64 slots of 10 ms, after which slots are labelled and forgotten, and six more.
fn long(kind: GapKind, fill: impl Fn(usize, &mut Slot)) -> Slots {
    let nothing: fn(&mut Slot) = |_| ();
    let mut slots = Slots::of(&[(10, kind, nothing); 70]);
    (0..).zip(&mut slots.0).for_each(|(place, (slot, _))| fill(place, slot));
    slots
}

impl Slots {
    fn log(&self) -> SlotLog {
        let mut log = SlotLog::new(0);
        log.done = self.0.iter().map(|(slot, _)| slot.clone()).collect();
        log.intervals = self.0.iter().map(|&(ref slot, kind)| GapInterval { end: slot.end, kind }).collect();
        log
    }

    /// Cause of the last interval, if the first slots are forgotten before.
    fn last_of_forgotten(&self, conditions: &[(&'static str, bool)]) -> String {
        let Scene { context, .. } = plain();
        let (mut log, mut account) = (self.log(), Account::new(0));
        let timeline = forcing(conditions, || {
            account.settle(&mut log, &context);
            account.settle(&mut log, &context);
            account.finish(&mut log, &context).limits
        });
        name(timeline.intervals().last().unwrap().cause)
    }
}

#[test]
fn slots_are_labelled_and_forgotten_as_they_come() {
    let mut slots = long(GapKind::AckClocked, |_, _| ());
    slots.0.truncate(64);
    let (mut log, mut account) = (slots.log(), Account::new(0));
    assert!(Account::is_due(&log), "64 slots");
    account.settle(&mut log, &plain().context);
    assert_eq!(log.intervals.len(), 20, "slots that wait for the 20 after them");
    assert_eq!(log.done.len(), 20 + 20, "and as many labelled ones before these");
    assert!(!Account::is_due(&log));
    slots.0.truncate(63);
    assert!(!Account::is_due(&slots.log()), "63 slots");
}

#[test]
fn what_is_forgotten_still_counts() {
    let window = long(GapKind::WindowFull, |place, slot| {
        if place == 0 {
            slot.note_window(2_000_001);
        }
    });
    let not_late = [("is_reader_awaited", false)];
    assert_eq!(window.last_of_forgotten(&not_late), "receive_window/slow_reader", "half of the widest window");
    let opening = long(GapKind::AckClocked, |place, slot| {
        slot.peak_flight = match place {
            0 => Bytes::of(100_000),
            66 => Bytes::of(20_000),
            _ => Bytes::of(10_000),
        };
        slot.cwnd_floor = slot.peak_flight;
    });
    assert_ne!(opening.last_of_forgotten(&[]), "slow_start", "100 kB were in flight before 20 kB");
    let carried = long(GapKind::AckClocked, |place, slot| {
        slot.acked = if place == 0 { Bytes::of(10_000) } else { Bytes::of(7_999) };
        slot.retransmissions = u32::from(place == 3);
    });
    let paced = [("is_paced_throughout", true), ("is_inflated", false), ("is_slow_start", false), ("is_probing", true)];
    assert_eq!(carried.last_of_forgotten(&paced), "congestion_window/post_loss", "less than 80 % since a loss");
    let never = long(GapKind::AckClocked, |place, slot| {
        slot.acked = if place == 0 { Bytes::of(10_000) } else { Bytes::of(7_999) }
    });
    assert_eq!(never.last_of_forgotten(&paced), "congestion_window/paced", "nothing was lost");
}
