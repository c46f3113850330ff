//! Loss recoveries: their start, their kind, and their end.

use std::num::NonZeroU32;

use super::Ledger;
use super::gap::Gap;
use super::window::Blocked;
use crate::facts::gap_fact::GapFact;
use crate::facts::half::event::{AckEvent, DataEvent};
use crate::facts::half::grains::{Grains, Longest};
use crate::facts::half::signs::Repairs;
use crate::facts::half::when::When;
use crate::facts::slot::{GapKind, narrow};
use crate::thresholds::{
    ACK_TOO_SOON, FIRST_TIMER, FLOOR_RESTS, LONGEST_TIMER, LOSS_LEAVES, LOST_ACK_LEAST, LOST_ACK_ROUND_TRIPS,
    TAIL_PROBE_BELOW, TIMER_DOUBLES, TIMER_LEAST, TIMER_ROUND_TRIP_ASSUMED, TIMER_ROUND_TRIPS,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Recovery {
    pub(super) since: i64,
    /// The recovery ends when everything below this offset is acknowledged.
    pub(super) high: u64,
    /// Bytes from the start of its lowest retransmitted segment up to `high`; never more than 1 GiB are in
    /// flight (RFC 7323 §2.3).
    pub(super) reach: u32,
    /// The kind of retransmission: [`GapFact::RepeatedFast`], `RepeatedByTimer`, `RepeatedByProbe`,
    /// `RepeatedNeedlessly` or `RepeatedUnacknowledged`.
    pub(super) fact: GapFact,
    /// Retransmitted segments, and those of them that the receiver reported as duplicates (RFC 2883).
    pub(super) repeats: u32,
    pub(super) duplicates: u32,
    /// Retransmissions that other evidence shows to have been needless.
    pub(super) needless: u32,
    /// The acknowledgments of the retransmitted data were lost, not late.
    pub(super) has_lost_acks: bool,
    /// Time of the newest retransmission.
    pub(super) last: i64,
    /// Bytes from the end of the first retransmission up to `high`, plus one. `None` once another
    /// retransmission follows, or an ACK shows whether it was needed.
    pub(super) first: Option<NonZeroU32>,
    /// Timestamp value of the first retransmission.
    pub(super) tsval: Option<u32>,
    /// Data sent after the start of the recovery was retransmitted too, so another recovery follows.
    pub(super) has_next: bool,
}

impl Recovery {
    pub(super) fn new(since: i64, high: u64, fact: GapFact) -> Self {
        let (reach, duplicates, needless, first, tsval) = (0, 0, 0, None, None);
        let (has_lost_acks, has_next) = (false, false);
        Self {
            since,
            high,
            reach,
            fact,
            repeats: 1,
            duplicates,
            needless,
            has_lost_acks,
            last: since,
            first,
            tsval,
            has_next,
        }
    }

    /// Forgets the first retransmission if `ack` is the first ACK that covers it. Returns whether it is.
    fn has_first_ack(&mut self, ack: u64) -> bool {
        let high = self.high;
        self.first.take_if(|first| ack + u64::from(first.get()) > high).is_some()
    }

    /// Whether the receiver already had all of the retransmitted data.
    fn is_needless(&self) -> bool {
        self.duplicates.max(self.needless) >= self.repeats
    }

    /// The kind of the recovery once all of its retransmissions are known to be needless.
    fn known(&self) -> GapFact {
        if self.has_lost_acks { GapFact::RepeatedUnacknowledged } else { GapFact::RepeatedNeedlessly }
    }
}

impl Ledger {
    pub(super) fn on_retransmission(&mut self, time: i64, data: &DataEvent) {
        self.slots.current.retransmissions += 1;
        self.pacing.stop();
        self.nxt = self.nxt.max(data.end);
        self.repeated_end = self.repeated_end.max(data.end);
        let mut silence_from = self.last_event.max(self.gap.start);
        self.confirm_probe();
        let is_open = self.flight() > 0 && self.gap.blocked.is_none_or(|b| b.until.is_some());
        if is_open && time - silence_from > self.longest_timer() {
            // The host slept, or its packets were not captured.
            self.emit_open(silence_from, GapKind::AckClocked);
            self.account(time, GapFact::SilentBeyondTimers);
            silence_from = time;
        }
        let silence = time - silence_from;
        let timer = TIMER_ROUND_TRIPS.get() * self.rtt_recent.unwrap_or(TIMER_ROUND_TRIP_ASSUMED.get());
        let is_timer = silence >= timer.max(TIMER_LEAST.get()) || self.hole_since.is_none();
        if is_timer {
            self.timeout_silence = self.timeout_silence.max(Grains::of(silence));
        }
        if let Some(r) = &mut self.recovery {
            r.has_next |= data.start >= r.high;
            r.reach = r.reach.max(narrow(r.high.saturating_sub(data.start)));
        }
        if let Some(r) = self.recovery {
            if is_timer && silence >= timer {
                self.emit(r.since, GapKind::AckClocked);
                self.emit(silence_from, GapKind::Fact(r.fact));
                self.emit(time, GapKind::Fact(GapFact::RepeatedByTimer));
                self.timeouts += 1;
                self.note_first_timeout(silence);
                let fact = GapFact::RepeatedByTimer;
                let repeats = r.repeats.saturating_add(1);
                self.recovery = Some(Recovery { since: time, fact, repeats, last: time, first: None, ..r });
            } else {
                let is_one_of_all = r.needless == u32::MAX;
                if is_one_of_all {
                    self.count_needless();
                }
                // Otherwise this retransmission was needed, as far as is known.
                let was_needless = r.fact.is_of_duplicates() && !is_one_of_all;
                self.fast_recoveries += u32::from(was_needless);
                let fact = if was_needless { GapFact::RepeatedFast } else { r.fact };
                let repeats = r.repeats.saturating_add(1);
                self.recovery = Some(Recovery { fact, repeats, last: time, first: None, ..r });
            }
            self.settle_needless();
            return;
        }
        if is_timer && self.gap.blocked.is_some_and(|b| b.until.is_none()) && self.may_probe_window(data.end, silence) {
            // A probe of a full window is not a sign of loss.
            return;
        }
        let (since, fact) = match self.hole_since {
            Some(hole) if !is_timer => (hole, GapFact::RepeatedFast),
            None if silence < timer => (time, GapFact::RepeatedFast),
            _ => {
                let fact = if data.end >= self.nxt && silence < TAIL_PROBE_BELOW {
                    GapFact::RepeatedByProbe
                } else {
                    GapFact::RepeatedByTimer
                };
                (silence_from, fact)
            }
        };
        let since = since.max(self.slots.cursor());
        match fact {
            GapFact::RepeatedFast => self.fast_recoveries += 1,
            _ => self.timeouts += 1,
        }
        if fact == GapFact::RepeatedByTimer {
            self.note_first_timeout(silence);
        }
        let (reach, tsval) = (narrow(self.nxt - data.start), data.tsval);
        let first = NonZeroU32::new(narrow(self.nxt - data.end).saturating_add(1));
        self.recovery = Some(Recovery { reach, last: time, first, tsval, ..Recovery::new(since, self.nxt, fact) });
    }

    /// Whether a retransmission up to `end` after `silence` may be a window probe: the window is zero,
    /// unknown, or ends before `end`. A tail probe of the newest data may also fill the window and be
    /// acknowledged late by a busy reader. Other data inside a full window is retransmitted because it was
    /// lost.
    fn may_probe_window(&self, end: u64, silence: i64) -> bool {
        let is_tail_probe = end >= self.nxt && silence < TAIL_PROBE_BELOW.get();
        is_tail_probe || self.is_window_closed() || self.edge.is_none_or(|edge| end > edge)
    }

    /// Records a timeout after `silence`. A timer that was doubled does not show the sender's minimum.
    fn note_first_timeout(&mut self, silence: i64) {
        // Before the first data is timed, the timer may be the one of an unknown round trip (RFC 6298 §2.1).
        let is_of_round_trip = self.longest_ack > Longest::default();
        let first = &mut self.signs_mut().first_timeouts;
        if !first.begin_doubling() && is_of_round_trip {
            first.note(silence);
        }
    }

    /// Longest silence before a retransmission that this sender's timer can explain, nanoseconds.
    fn longest_timer(&self) -> i64 {
        if self.is_heard {
            return LONGEST_TIMER.get();
        }
        // Without a packet of the receiver, neither the round trip nor earlier acknowledgments are known.
        let before = self.timeout_silence.nanos().unwrap_or(0);
        TIMER_DOUBLES.of(before).clamp(FIRST_TIMER.get(), LONGEST_TIMER.get())
    }

    /// Ends a recovery at new data at `time` in a capture without any ACK: the recovery may have ended after
    /// its last retransmission.
    pub(super) fn leave_unheard_recovery(&mut self, time: i64) {
        if !self.is_heard
            && let Some(r) = self.recovery.take()
        {
            self.emit(r.since, GapKind::AckClocked);
            self.emit(r.last, GapKind::Fact(r.fact));
            self.emit(time, GapKind::AckClocked);
        }
    }

    /// Confirms that the previous send was a tail loss probe with new data (RFC 8985 §7.3): data in flight
    /// before it was lost.
    pub(super) fn confirm_probe(&mut self) {
        if std::mem::take(&mut self.is_probing) {
            self.emit(self.gap.start, GapKind::Fact(GapFact::RepeatedByProbe));
        }
    }

    /// Records, away from the sender, that the newest retransmission passed `ago` nanoseconds after its data
    /// had been acknowledged: the receiver had it. A recent acknowledgment crossed the retransmission on the
    /// path; an older one was lost.
    #[cold]
    pub(crate) fn on_needless_repeat(&mut self, ago: i64) {
        self.count_needless();
        let is_lost = self.outlasts_acks(ago);
        if is_lost {
            self.count_unacknowledged();
        }
        if let Some(r) = &mut self.recovery {
            r.needless = r.needless.saturating_add(1);
            r.first = None;
            r.has_lost_acks |= is_lost;
            self.settle_needless();
        }
    }

    /// Whether an acknowledgment that the sender should have had for `nanos` was lost, not only late.
    fn outlasts_acks(&self, nanos: i64) -> bool {
        let round_trips = LOST_ACK_ROUND_TRIPS.get() * self.rtt_recent.unwrap_or(TIMER_ROUND_TRIP_ASSUMED.get());
        nanos >= LOST_ACK_LEAST.get().max(round_trips)
    }

    #[cold]
    fn count_unacknowledged(&mut self) {
        let repairs = &mut self.signs_mut().repairs;
        repairs.unacknowledged = repairs.unacknowledged.saturating_add(1);
    }

    /// Retransmissions of data that had arrived and whose acknowledgments were lost.
    pub(crate) fn unacknowledged_repeats(&self) -> u32 {
        self.signs.as_ref().map_or(0, |signs| signs.repairs.unacknowledged)
    }

    /// Handles an ACK up to `ack` that echoes a timestamp of the sender. If the first ACK of a retransmission
    /// echoes an older timestamp than the retransmission carries, the original had arrived (Eifel, RFC 3522
    /// §3.2).
    pub(crate) fn on_timestamp_echo(&mut self, ack: u64, echo: u32) {
        let Some(r) = &mut self.recovery else { return };
        if let Some(sent) = r.tsval
            && r.has_first_ack(ack)
            && (echo.wrapping_sub(sent) as i32) < 0
        {
            self.find_first_needless();
        }
    }

    /// Detects a first ACK that came too soon to answer the retransmission, so it answers the original.
    fn time_first_repeat(&mut self, time: i64, ack: u64) {
        let Some(r) = &mut self.recovery else { return };
        let soonest = self.rtt_min.map_or(0, |rtt| ACK_TOO_SOON.of(rtt));
        if r.has_first_ack(ack) && !self.closeness.ack_times_inferred() && time - r.last < soonest {
            self.find_first_needless();
        }
    }

    fn find_first_needless(&mut self) {
        self.count_needless();
        if let Some(r) = &mut self.recovery {
            // After a timeout, everything in flight is retransmitted, for the same reason (RFC 5682).
            let is_of_timer = r.fact == GapFact::RepeatedByTimer;
            r.needless = if is_of_timer { u32::MAX } else { r.needless.saturating_add(1) };
            self.settle_needless();
        }
    }

    #[cold]
    fn count_needless(&mut self) {
        let repairs = &mut self.signs_mut().repairs;
        repairs.needless = repairs.needless.saturating_add(1);
    }

    /// Needless retransmissions, shown by acknowledgments other than D-SACK.
    pub(crate) fn needless(&self) -> u32 {
        self.signs.as_ref().map_or(0, |signs| signs.repairs.needless)
    }

    /// Withdraws a recovery from the loss counts once all of its retransmissions were needless.
    fn settle_needless(&mut self) {
        let Some(r) = &mut self.recovery else { return };
        if r.fact.is_of_duplicates() || !r.is_needless() {
            return;
        }
        let known = r.known();
        let before = std::mem::replace(&mut r.fact, known);
        // A recovery may begin with a second timer, right after the silence of the first one, which has to be
        // corrected too.
        let since = if known == GapFact::RepeatedUnacknowledged { r.since - 1 } else { r.since };
        self.withdraw(since, before, known);
    }

    /// Corrects the data retransmitted since `since`, which had not been lost. It was counted as `repeat` and
    /// is now `known` as something else.
    fn withdraw(&mut self, since: i64, repeat: GapFact, known: GapFact) {
        let is_fast = repeat == GapFact::RepeatedFast;
        let count = if is_fast { &mut self.fast_recoveries } else { &mut self.timeouts };
        // If acknowledgments were lost, the timer still ran out, so the timeout stays counted.
        if is_fast || known == GapFact::RepeatedNeedlessly {
            *count = count.saturating_sub(1);
        }
        self.slots.withdraw(since, repeat, known);
    }

    /// Handles new data that reports a reduced window (CWR) after an ECN mark. The window is cut as after a
    /// loss (RFC 3168 §6.1.2). While bytes in flight shrink to it, ACKs release no data. Called before that
    /// data.
    #[cold]
    pub(crate) fn on_reduction(&mut self, time: i64) {
        self.slots.current.has_reduction = true;
        self.pacing.stop();
        self.cwnd_floor = LOSS_LEAVES.of(self.cwnd_floor);
        self.floor_from = self.floor_from.max(time + FLOOR_RESTS.of(self.rtt_recent.unwrap_or(0)));
    }

    pub(super) fn follow_recovery(&mut self, time: i64, ack: &AckEvent, bytes_acked: u64, was_overtaken: bool) {
        self.time_first_repeat(time, ack.ack);
        if let Some(recovery) = self.recovery {
            if self.una >= recovery.high {
                self.emit(recovery.since, GapKind::AckClocked);
                self.emit(time, GapKind::Fact(recovery.fact));
                self.ended_recovery = Some(Box::new(recovery));
                let (nanos, rtt) = (time - recovery.since, self.rtt_min.unwrap_or(0));
                if Repairs::are_one_by_one(recovery.repeats, nanos, rtt) {
                    self.signs_mut().repairs.took(recovery.repeats, nanos);
                }
                // Data above the recovery point was lost too: this is another congestion event (RFC 6675 §5).
                let next = Recovery { reach: narrow(self.flight()), ..Recovery::new(time, self.nxt, recovery.fact) };
                self.recovery = (recovery.has_next && recovery.fact == GapFact::RepeatedFast).then_some(next);
                self.hole_since = None;
                // A loss leaves at least half of the window (RFC 5681 §3.2); after a timeout nothing of it is
                // certain.
                self.cwnd_floor =
                    if recovery.fact == GapFact::RepeatedFast { LOSS_LEAVES.of(self.cwnd_floor) } else { 0 };
                self.floor_from = time + FLOOR_RESTS.of(self.rtt_recent.unwrap_or(0));
                self.gap = Gap {
                    start: time,
                    flight: self.flight(),
                    last_release: When::at(time),
                    emptied: (self.una >= self.nxt).then_some((time, ack.has_payload)),
                    blocked: self.gap.blocked.filter(|b| b.until.is_none()).map(|b| Blocked { since: time, ..b }),
                    ..Gap::default()
                };
            }
        } else if ack.reveals_hole {
            self.confirm_probe();
            let slot = &mut self.slots.current;
            slot.holes = slot.holes.saturating_add(1);
            self.hole_since.get_or_insert(time);
        } else if bytes_acked > 0
            && ack.sacked == 0
            && let Some(since) = self.hole_since.take()
            && was_overtaken
        {
            // Nothing was retransmitted: the missing data was reordered.
            let reordering = &mut self.signs_mut().reordering;
            reordering.holes += 1;
            reordering.longest = reordering.longest.max(time - since);
        }
    }

    /// Handles a report that the receiver got a segment starting at `start` twice. If it got all
    /// retransmitted data of a recovery twice, nothing had been lost (RFC 3708 §3). Reports of other data are
    /// ignored, because a network may duplicate packets.
    pub(crate) fn on_duplicate_report(&mut self, start: u64) {
        let repeated = self.repeated_end;
        let is_of = |r: &Recovery| start + u64::from(r.reach) >= r.high && start < repeated;
        if let Some(r) = self.recovery.as_mut().filter(|r| is_of(r)) {
            r.duplicates += 1;
            // No acknowledgment came before the one that answers the retransmission: the original's
            // acknowledgment was lost.
            let is_first = r.first.is_some() && r.fact == GapFact::RepeatedByTimer;
            let silence = r.last - r.since;
            if is_first && self.outlasts_acks(silence) {
                self.count_unacknowledged();
                if let Some(r) = &mut self.recovery {
                    r.has_lost_acks = true;
                }
            }
            self.settle_needless();
        } else if let Some(mut r) = self.ended_recovery.take_if(|r| is_of(r)) {
            r.duplicates += 1;
            if r.fact.is_of_duplicates() {
                return;
            }
            if r.is_needless() {
                self.withdraw(r.since, r.fact, r.known());
            } else {
                self.ended_recovery = Some(r);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MILLISECOND;
    use super::*;
    use crate::facts::half::event::DataKind;

    /// A ledger at the sender, with segments of 1000 bytes and this round trip. Times are in nanoseconds.
    fn ledger(rtt: i64) -> Ledger {
        let mut ledger = Ledger::new(0, 0, 1000);
        ledger.set_mss(1000);
        ledger.on_rtt(rtt);
        ledger
    }

    /// The segment with this number, as new data or as a retransmission.
    fn data(time: i64, number: u64, kind: DataKind) -> DataEvent {
        let (start, end) = (number * 1000, number * 1000 + 1000);
        DataEvent { time, start, end, kind, is_partial: false, tsval: None, lag_ticks: None }
    }

    fn ack(time: i64, segments: u64, sacked: u64) -> AckEvent {
        let (window, is_zero_window, has_payload) = (None, false, false);
        let (ack, sacked, reveals_hole) = (segments * 1000, sacked * 1000, sacked > 0);
        AckEvent { time, passed: time, ack, window, is_zero_window, sacked, reveals_hole, has_payload, tsval: None }
    }

    /// Two segments leave at 0 ms, and the ACK of the second at 20 ms reveals that the first is missing.
    fn with_hole(rtt: i64) -> Ledger {
        let mut ledger = ledger(rtt);
        (0..2).for_each(|number| ledger.on_data(&data(0, number, DataKind::New)));
        ledger.on_ack(&ack(20 * MILLISECOND, 0, 1));
        ledger
    }

    /// The kind of a retransmission this long after the ACK that revealed a hole.
    fn repeated_after(rtt: i64, silence: i64) -> Option<GapFact> {
        let mut ledger = with_hole(rtt);
        ledger.on_data(&data(20 * MILLISECOND + silence, 0, DataKind::Retransmission));
        ledger.recovery()
    }

    /// `TIMER_ROUND_TRIPS` and `TIMER_LEAST`: a retransmission after two round trips, and at least 10 ms, was
    /// a timer's.
    #[test]
    fn a_repeat_after_two_round_trips_is_a_timers() {
        assert_eq!(repeated_after(20 * MILLISECOND, 40 * MILLISECOND - 1), Some(GapFact::RepeatedFast));
        assert_eq!(repeated_after(20 * MILLISECOND, 40 * MILLISECOND), Some(GapFact::RepeatedByTimer));
        assert_eq!(repeated_after(MILLISECOND, 10 * MILLISECOND - 1), Some(GapFact::RepeatedFast));
        assert_eq!(repeated_after(MILLISECOND, 10 * MILLISECOND), Some(GapFact::RepeatedByTimer));
    }

    /// `TIMER_ROUND_TRIPS`: after two round trips without an ACK, a recovery continues by its timer.
    #[test]
    fn two_silent_round_trips_in_a_recovery_are_a_timer() {
        let timeouts = |silence: i64| {
            let mut ledger = with_hole(20 * MILLISECOND);
            ledger.on_data(&data(21 * MILLISECOND, 0, DataKind::Retransmission));
            ledger.on_data(&data(21 * MILLISECOND + silence, 0, DataKind::Retransmission));
            (ledger.fast_recoveries, ledger.timeouts)
        };
        assert_eq!(timeouts(40 * MILLISECOND - 1), (1, 0));
        assert_eq!(timeouts(40 * MILLISECOND), (1, 1));
    }

    /// `TAIL_PROBE_BELOW`: a timeout takes at least 200 ms, so an earlier retransmission of the newest data
    /// is a probe.
    #[test]
    fn the_newest_data_again_before_200_ms_is_a_probe() {
        let fact = |silence: i64, number: u64| {
            let mut ledger = ledger(20 * MILLISECOND);
            (0..2).for_each(|number| ledger.on_data(&data(0, number, DataKind::New)));
            ledger.on_data(&data(silence, number, DataKind::Retransmission));
            ledger.recovery()
        };
        assert_eq!(fact(200 * MILLISECOND - 1, 1), Some(GapFact::RepeatedByProbe));
        assert_eq!(fact(200 * MILLISECOND, 1), Some(GapFact::RepeatedByTimer));
        // A probe repeats only the newest data (RFC 8985 §7.3).
        assert_eq!(fact(200 * MILLISECOND - 1, 0), Some(GapFact::RepeatedByTimer));
    }

    /// `LONGEST_TIMER`: no timer is longer than 125 s.
    #[test]
    fn a_silence_of_more_than_125_s_is_no_timers() {
        let longest = |silence: i64| {
            let mut ledger = ledger(20 * MILLISECOND);
            ledger.on_data(&data(0, 0, DataKind::New));
            ledger.on_ack(&ack(0, 0, 0));
            ledger.on_data(&data(silence, 0, DataKind::Retransmission));
            ledger.timeout_silence
        };
        assert_eq!(longest(125_000 * MILLISECOND), Grains::of(125_000 * MILLISECOND));
        assert_eq!(longest(125_000 * MILLISECOND + 1), Grains::default());
    }

    /// Eight segments are in flight; the first is lost and retransmitted at `repeat`, and all is acknowledged
    /// at 100 ms.
    fn recovered(repeat: i64) -> Ledger {
        let mut ledger = ledger(20 * MILLISECOND);
        (0..8).for_each(|number| ledger.on_data(&data(0, number, DataKind::New)));
        ledger.on_ack(&ack(20 * MILLISECOND, 0, 7));
        ledger.on_data(&data(repeat, 0, DataKind::Retransmission));
        ledger.on_ack(&ack(100 * MILLISECOND, 8, 0));
        ledger
    }

    /// `LOSS_LEAVES`: fast recovery and a mark leave half of the window, a timeout nothing.
    #[test]
    fn a_loss_leaves_half_of_the_window() {
        assert_eq!(recovered(21 * MILLISECOND).cwnd_floor(), 4000);
        assert_eq!(recovered(80 * MILLISECOND).cwnd_floor(), 0);
        let mut marked = ledger(20 * MILLISECOND);
        (0..8).for_each(|number| marked.on_data(&data(0, number, DataKind::New)));
        marked.on_reduction(MILLISECOND);
        assert_eq!(marked.cwnd_floor(), 4000);
    }

    /// `FLOOR_RESTS`: for 1.5 round trips after a recovery, bytes in flight do not raise the floor.
    #[test]
    fn the_flight_counts_one_and_a_half_round_trips_after_a_recovery() {
        let floor = |after: i64| {
            let mut ledger = recovered(21 * MILLISECOND);
            let time = 100 * MILLISECOND + after;
            (8..14).for_each(|number| ledger.on_data(&data(time, number, DataKind::New)));
            ledger.cwnd_floor()
        };
        assert_eq!(floor(30 * MILLISECOND - 1), 4000);
        assert_eq!(floor(30 * MILLISECOND), 6000);
    }

    /// `TIMER_ROUND_TRIP_ASSUMED`: before the first sample, the round trip is assumed to be 1 ms.
    #[test]
    fn without_a_round_trip_two_of_a_millisecond_are_a_timer() {
        let fact = |silence: i64| {
            let mut ledger = Ledger::new(0, 0, 1000);
            (0..2).for_each(|number| ledger.on_data(&data(0, number, DataKind::New)));
            ledger.on_data(&data(silence, 0, DataKind::Retransmission));
            ledger.recovery()
        };
        assert_eq!(fact(2 * MILLISECOND - 1), Some(GapFact::RepeatedFast));
        assert_eq!(fact(2 * MILLISECOND), Some(GapFact::RepeatedByTimer));
    }

    /// Data leaves at 0 ms and is retransmitted at `times`, in a capture without ACKs; new data follows at
    /// `after`. Returns the kind of each interval, and its end in milliseconds.
    fn unheard(times: &[i64], after: i64) -> Vec<(GapKind, i64)> {
        let mut ledger = Ledger::new(0, 0, 1000);
        ledger.on_data(&data(0, 0, DataKind::New));
        for time in times {
            ledger.on_data(&data(time * MILLISECOND, 0, DataKind::Retransmission));
        }
        ledger.on_data(&data(after * MILLISECOND, 1, DataKind::New));
        ledger.slots.intervals.iter().map(|i| (i.kind, i.end / MILLISECOND)).collect()
    }

    /// `FIRST_TIMER` and `TIMER_DOUBLES`: without ACKs, the first retransmission follows within 3 s. Later
    /// ones follow within 2.5 times the silence before the previous one. A retransmission explains only the
    /// time before it.
    #[test]
    fn without_acks_a_timer_is_as_long_as_the_one_before_allows() {
        let (timer, unknown) = (GapKind::Fact(GapFact::RepeatedByTimer), GapKind::Fact(GapFact::SilentBeyondTimers));
        assert_eq!(unheard(&[3_000], 90_000), [(timer, 3_000), (GapKind::AckClocked, 90_000)]);
        assert_eq!(unheard(&[3_001], 90_000), [(unknown, 3_001), (GapKind::AckClocked, 90_000)]);
        let both = [(timer, 3_000), (timer, 10_499), (GapKind::AckClocked, 90_000)];
        assert_eq!(unheard(&[3_000, 10_499], 90_000), both);
        let rest = [(timer, 3_000), (unknown, 10_502), (GapKind::AckClocked, 90_000)];
        assert_eq!(unheard(&[3_000, 10_502], 90_000), rest);
    }

    /// Two segments leave at 0 ms with a round trip of 20 ms. The first is retransmitted at 300 ms with the
    /// timestamp `sent`. Its ACK comes at `acked` and echoes `echo`.
    fn answered(sent: Option<u32>, acked: i64, echo: Option<u32>) -> (Option<GapFact>, u32, u32) {
        let mut ledger = ledger(20 * MILLISECOND);
        (0..2).for_each(|number| ledger.on_data(&data(0, number, DataKind::New)));
        ledger.on_data(&DataEvent { tsval: sent, ..data(300 * MILLISECOND, 0, DataKind::Retransmission) });
        if let Some(echo) = echo {
            ledger.on_timestamp_echo(1000, echo);
        }
        ledger.on_ack(&ack(acked, 1, 0));
        (ledger.recovery(), ledger.timeouts, ledger.needless())
    }

    /// `ACK_TOO_SOON`: the ACK of a retransmission takes at least half of a round trip.
    #[test]
    fn an_ack_sooner_than_half_of_a_round_trip_is_of_the_original() {
        let at = |acked| answered(None, 300 * MILLISECOND + acked, None);
        assert_eq!(at(10 * MILLISECOND - 1), (Some(GapFact::RepeatedNeedlessly), 0, 1));
        assert_eq!(at(10 * MILLISECOND), (Some(GapFact::RepeatedByTimer), 1, 0));
    }

    /// RFC 3522: an older echo answers the original; then nothing was lost, however late the ACK is.
    #[test]
    fn an_echo_older_than_the_repeat_is_of_the_original() {
        let at = |echo| answered(Some(7_000), 400 * MILLISECOND, Some(echo));
        assert_eq!(at(6_999), (Some(GapFact::RepeatedNeedlessly), 0, 1));
        assert_eq!(at(7_000), (Some(GapFact::RepeatedByTimer), 1, 0));
        // Timestamps wrap (RFC 7323 §5.2).
        assert_eq!(answered(Some(1), 400 * MILLISECOND, Some(u32::MAX)).2, 1);
    }

    /// After a needless timeout, everything in flight may be retransmitted needlessly. After a needless fast
    /// retransmission, the next one counts as needed.
    #[test]
    fn what_follows_a_needless_timeout_is_needless() {
        for (silence, expected) in
            [(300 * MILLISECOND, GapFact::RepeatedNeedlessly), (2 * MILLISECOND, GapFact::RepeatedFast)]
        {
            let mut ledger = with_hole(20 * MILLISECOND);
            (2..6).for_each(|number| ledger.on_data(&data(20 * MILLISECOND, number, DataKind::New)));
            let time = 20 * MILLISECOND + silence;
            ledger.on_data(&data(time, 0, DataKind::Retransmission));
            ledger.on_ack(&ack(time + MILLISECOND, 2, 0));
            assert_eq!(ledger.recovery(), Some(GapFact::RepeatedNeedlessly));
            ledger.on_data(&data(time + MILLISECOND, 2, DataKind::Retransmission));
            assert_eq!(ledger.recovery(), Some(expected));
        }
    }

    /// A retransmission passes after its own ACK, as a capture at the receiver shows it.
    #[test]
    fn a_repeat_of_acknowledged_data_is_needless() {
        let mut ledger = with_hole(20 * MILLISECOND);
        ledger.on_data(&data(21 * MILLISECOND, 0, DataKind::Retransmission));
        assert_eq!((ledger.recovery(), ledger.fast_recoveries), (Some(GapFact::RepeatedFast), 1));
        ledger.on_needless_repeat(0);
        assert_eq!((ledger.recovery(), ledger.fast_recoveries), (Some(GapFact::RepeatedNeedlessly), 0));
        assert_eq!(ledger.slots.current.retransmissions, 0);
    }

    /// `LOST_ACK_LEAST` and `LOST_ACK_ROUND_TRIPS`: an ACK that passed 150 ms and two round trips before the
    /// retransmission was lost. The timer still ran out.
    #[test]
    fn an_ack_that_passed_long_before_the_repeat_was_lost() {
        use GapFact::{RepeatedNeedlessly, RepeatedUnacknowledged};
        let after = |rtt: i64, ago: i64| {
            let mut ledger = ledger(rtt);
            ledger.on_data(&data(0, 0, DataKind::New));
            ledger.on_data(&data(600 * MILLISECOND, 0, DataKind::Retransmission));
            ledger.on_needless_repeat(ago);
            (ledger.recovery(), ledger.timeouts, ledger.unacknowledged_repeats())
        };
        let [needless, lost] = [(Some(RepeatedNeedlessly), 0, 0), (Some(RepeatedUnacknowledged), 1, 1)];
        for (rtt, least) in [(20, 150), (75, 150), (100, 200)] {
            let (rtt, least) = (rtt * MILLISECOND, least * MILLISECOND);
            assert_eq!([least - 1, least].map(|ago| after(rtt, ago)), [needless, lost], "{rtt} ns");
        }
    }

    /// If one timer follows another, the silence before it counts as well.
    #[test]
    fn each_timer_after_lost_acks_is_of_them() {
        let mut ledger = ledger(20 * MILLISECOND);
        ledger.on_data(&data(0, 0, DataKind::New));
        for time in [300, 900] {
            ledger.on_data(&data(time * MILLISECOND, 0, DataKind::Retransmission));
            ledger.on_needless_repeat(time * MILLISECOND);
        }
        ledger.on_ack(&ack(910 * MILLISECOND, 1, 0));
        let facts: Vec<_> = ledger.slots.intervals.iter().map(|interval| interval.kind).collect();
        assert!(facts.contains(&GapKind::Fact(GapFact::RepeatedUnacknowledged)), "{facts:?}");
        assert!(!facts.contains(&GapKind::Fact(GapFact::RepeatedByTimer)), "{facts:?}");
        assert_eq!((ledger.timeouts, ledger.unacknowledged_repeats()), (2, 2));
    }

    /// A D-SACK of a timer's retransmission shows lost ACKs if it is in the first ACK after it. The silence
    /// before must be so long that an ACK would have come.
    #[test]
    fn a_duplicate_report_in_the_first_ack_after_a_timeout_shows_lost_acks() {
        use GapFact::{RepeatedNeedlessly, RepeatedUnacknowledged};
        let reported = |silence: i64, is_acked_before: bool| {
            let mut ledger = ledger(20 * MILLISECOND);
            (0..2).for_each(|number| ledger.on_data(&data(0, number, DataKind::New)));
            ledger.on_data(&data(silence, 0, DataKind::Retransmission));
            if is_acked_before {
                ledger.on_ack(&ack(silence + 15 * MILLISECOND, 1, 0));
            }
            ledger.on_duplicate_report(0);
            ledger.recovery()
        };
        assert_eq!(reported(150 * MILLISECOND, false), Some(RepeatedUnacknowledged));
        assert_eq!(reported(150 * MILLISECOND - 1, false), Some(RepeatedNeedlessly));
        assert_eq!(reported(150 * MILLISECOND, true), Some(RepeatedNeedlessly));
    }

    /// A network that duplicates packets causes reports of data that no recovery retransmitted.
    #[test]
    fn duplicates_of_other_data_make_no_repeat_needless() {
        let mut ledger = with_hole(20 * MILLISECOND);
        ledger.on_data(&data(21 * MILLISECOND, 0, DataKind::Retransmission));
        ledger.on_duplicate_report(1000);
        assert_eq!(ledger.recovery(), Some(GapFact::RepeatedFast));
        ledger.on_duplicate_report(0);
        assert_eq!(ledger.recovery(), Some(GapFact::RepeatedNeedlessly));
    }

    /// Two segments leave at 0 ms with a round trip of 20 ms, and a third at `sent`. Its ACK reveals a hole,
    /// or not.
    fn probed(sent: i64, reveals_hole: bool) -> GapKind {
        let mut ledger = ledger(20 * MILLISECOND);
        (0..2).for_each(|number| ledger.on_data(&data(0, number, DataKind::New)));
        ledger.on_data(&data(sent, 2, DataKind::New));
        let (acked, sacked) = if reveals_hole { (0, 1) } else { (3, 0) };
        ledger.on_ack(&ack(sent + 20 * MILLISECOND, acked, sacked));
        ledger.on_data(&data(sent + 40 * MILLISECOND, 3, DataKind::New));
        ledger.slots.intervals[0].kind
    }

    /// New data after two round trips without an ACK was a tail loss probe if its ACK reveals a hole (RFC
    /// 8985 §7.3).
    #[test]
    fn new_data_after_two_silent_round_trips_may_be_a_probe() {
        assert_eq!(probed(40 * MILLISECOND, true), GapKind::Fact(GapFact::RepeatedByProbe));
        assert_eq!(probed(40 * MILLISECOND, false), GapKind::Unreleased);
        assert_eq!(probed(40 * MILLISECOND - 1, true), GapKind::Unreleased);
    }
}
