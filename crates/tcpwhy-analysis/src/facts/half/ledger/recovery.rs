//! Repair of losses: when it began, what it was, when it was over.

use super::Ledger;
use super::gap::Gap;
use super::when::When;
use super::window::Blocked;
use crate::facts::gap_fact::GapFact;
use crate::facts::half::event::{AckEvent, DataEvent};
use crate::facts::half::grains::Grains;
use crate::facts::half::signs::Repairs;
use crate::facts::slot::GapKind;
use crate::thresholds::{
    FLOOR_RESTS, LONGEST_TIMER, LOSS_LEAVES, TAIL_PROBE_BELOW, TIMER_LEAST, TIMER_ROUND_TRIP_ASSUMED, TIMER_ROUND_TRIPS,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Recovery {
    pub(super) since: i64,
    /// Over when everything sent before it is acknowledged.
    pub(super) high: u64,
    /// How data was sent again: [`GapFact::RepeatedFast`], `RepeatedByTimer`, `RepeatedByProbe` or `RepeatedNeedlessly`.
    pub(super) fact: GapFact,
    /// Segments sent again in it, and duplicates of them that the receiver reported (RFC 2883).
    pub(super) repeats: u32,
    pub(super) duplicates: u32,
    /// What was sent since it began was repeated as well: another follows at once.
    pub(super) has_next: bool,
}

impl Ledger {
    pub(super) fn on_retransmission(&mut self, time: i64, data: &DataEvent) {
        self.slots.current.retransmissions += 1;
        self.pacing.stop();
        self.nxt = self.nxt.max(data.end);
        self.repeated_end = self.repeated_end.max(data.end);
        let mut silence_from = self.last_event.max(self.gap.start);
        let is_open = self.flight() > 0 && self.gap.blocked.is_none_or(|b| b.until.is_some());
        if is_open && time - silence_from > LONGEST_TIMER {
            // The host slept, or what went on was not captured.
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
        }
        if let Some(r) = self.recovery {
            if is_timer && silence >= timer {
                self.emit(r.since, GapKind::AckClocked);
                self.emit(silence_from, GapKind::Fact(r.fact));
                self.emit(time, GapKind::Fact(GapFact::RepeatedByTimer));
                self.timeouts += 1;
                self.recovery =
                    Some(Recovery { since: time, fact: GapFact::RepeatedByTimer, repeats: r.repeats + 1, ..r });
            } else {
                self.recovery = Some(Recovery { repeats: r.repeats + 1, ..r });
            }
            return;
        }
        if is_timer && self.gap.blocked.is_some_and(|b| b.until.is_none()) {
            // A probe of a full window, not a sign of loss.
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
        self.recovery = Some(Recovery { since, high: self.nxt, fact, repeats: 1, duplicates: 0, has_next: false });
    }

    /// New data said that the sender had reduced its window for a mark: as after a loss (RFC 3168 §6.1.2), and while what is in
    /// flight shrinks to it, ACKs are left unanswered. Called before that data.
    #[cold]
    pub(crate) fn on_reduction(&mut self, time: i64) {
        self.slots.current.has_reduction = true;
        self.pacing.stop();
        self.cwnd_floor = LOSS_LEAVES.of(self.cwnd_floor);
        self.floor_from = self.floor_from.max(time + FLOOR_RESTS.of(self.rtt_recent.unwrap_or(0)));
    }

    pub(super) fn follow_recovery(&mut self, time: i64, ack: &AckEvent, bytes_acked: u64, was_overtaken: bool) {
        if let Some(recovery) = self.recovery {
            if self.una >= recovery.high {
                self.emit(recovery.since, GapKind::AckClocked);
                self.emit(time, GapKind::Fact(recovery.fact));
                self.ended_recovery = Some(recovery);
                let (nanos, rtt) = (time - recovery.since, self.rtt_min.unwrap_or(0));
                if Repairs::are_one_by_one(recovery.repeats, nanos, rtt) {
                    self.signs_mut().repairs.took(recovery.repeats, nanos);
                }
                // Data beyond the recovery point was lost, too: another congestion event (RFC 6675 §5).
                let next =
                    Recovery { since: time, high: self.nxt, repeats: 1, duplicates: 0, has_next: false, ..recovery };
                self.recovery = (recovery.has_next && recovery.fact == GapFact::RepeatedFast).then_some(next);
                self.hole_since = None;
                // What a loss leaves of the window is half of it at least (RFC 5681 §3.2); a timeout leaves nothing.
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
            let slot = &mut self.slots.current;
            slot.holes = slot.holes.saturating_add(1);
            self.hole_since.get_or_insert(time);
        } else if bytes_acked > 0
            && ack.sacked == 0
            && let Some(since) = self.hole_since.take()
            && was_overtaken
        {
            // Nothing of it was sent again: what was missing came late.
            let reordering = &mut self.signs_mut().reordering;
            reordering.holes += 1;
            reordering.longest = reordering.longest.max(time - since);
        }
    }

    /// The receiver had got a segment twice. When it got everything twice that a recovery repeated, nothing had been lost
    /// (RFC 3708 §3).
    pub(crate) fn on_duplicate_report(&mut self) {
        if let Some(r) = &mut self.recovery {
            r.duplicates += 1;
            if r.duplicates >= r.repeats {
                r.fact = GapFact::RepeatedNeedlessly;
            }
        } else if let Some(mut r) = self.ended_recovery.take() {
            r.duplicates += 1;
            if r.duplicates >= r.repeats {
                self.slots.withdraw(r.since, r.fact);
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

    /// The segment with this number, as new data or again.
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

    /// As what a repeat counts that follows the ACK that revealed a hole after this silence.
    fn repeated_after(rtt: i64, silence: i64) -> Option<GapFact> {
        let mut ledger = with_hole(rtt);
        ledger.on_data(&data(20 * MILLISECOND + silence, 0, DataKind::Retransmission));
        ledger.recovery()
    }

    /// `TIMER_ROUND_TRIPS` and `TIMER_LEAST`: a repeat after two round trips, and 10 ms at least, is a timer's.
    #[test]
    fn a_repeat_after_two_round_trips_is_a_timers() {
        assert_eq!(repeated_after(20 * MILLISECOND, 40 * MILLISECOND - 1), Some(GapFact::RepeatedFast));
        assert_eq!(repeated_after(20 * MILLISECOND, 40 * MILLISECOND), Some(GapFact::RepeatedByTimer));
        assert_eq!(repeated_after(MILLISECOND, 10 * MILLISECOND - 1), Some(GapFact::RepeatedFast));
        assert_eq!(repeated_after(MILLISECOND, 10 * MILLISECOND), Some(GapFact::RepeatedByTimer));
    }

    /// `TIMER_ROUND_TRIPS`: after two round trips without an ACK, a recovery goes on by its timer.
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

    /// `TAIL_PROBE_BELOW`: a timeout takes 200 ms at least, so a repeat of the newest data before that is a probe.
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
        // A probe repeats the newest data only (RFC 8985 §7.3).
        assert_eq!(fact(200 * MILLISECOND - 1, 0), Some(GapFact::RepeatedByTimer));
    }

    /// `LONGEST_TIMER`: no timer waits for more than 125 s.
    #[test]
    fn a_silence_of_more_than_125_s_is_no_timers() {
        let longest = |silence: i64| {
            let mut ledger = ledger(20 * MILLISECOND);
            ledger.on_data(&data(0, 0, DataKind::New));
            ledger.on_data(&data(silence, 0, DataKind::Retransmission));
            ledger.timeout_silence
        };
        assert_eq!(longest(125_000 * MILLISECOND), Grains::of(125_000 * MILLISECOND));
        assert_eq!(longest(125_000 * MILLISECOND + 1), Grains::default());
    }

    /// Eight segments are in flight; the first is lost and repeated by `repeat`, and all is acknowledged at 100 ms.
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

    /// `FLOOR_RESTS`: for one and a half round trips after a recovery the flight shows no congestion window.
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

    /// `TIMER_ROUND_TRIP_ASSUMED`: before there is a round trip, one counts as 1 ms.
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
}
