//! Moves ACKs to the times at which the sender had processed them.
//!
//! A capture away from the sender shows an ACK before the sender has it. The `TSecr` of a data segment names
//! the newest ACK that its sender had processed (RFC 7323 §4.3). So ACKs are held back until data echoes
//! them. Without echoes they are shifted by the delay between the capture point and the sender. This is the
//! time from an ACK to the first data that echoes it.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::event::AckEvent;
use crate::thresholds::ECHO_PATIENCE;

const MICROSECOND: i64 = 1000;

#[derive(Clone, Debug, Default)]
pub(crate) struct SenderClock {
    /// Delay from the capture point to the sender and back, nanoseconds; 0 at the sender.
    shift: i64,
    /// Uncertainty of the shift, µs; values above 16 bits saturate.
    jitter: u16,
    /// Number of held ACKs, from the first on, that must have reached the sender.
    due: u16,
    /// Correction to the times of the held ACKs, µs; negative if they reach the sender sooner.
    late: i32,
    /// Held ACKs, with the time at which each should have reached the sender, less `late`.
    held: VecDeque<AckEvent>,
    /// Highest acknowledgment among those that must have reached the sender.
    reached: u64,
}

impl SenderClock {
    /// Limit of held ACKs, to bound memory. Beyond it the oldest is released.
    const MAX_HELD: usize = 4096;

    pub(crate) fn shift(&self) -> i64 {
        self.shift
    }

    pub(crate) fn set_shift(&mut self, shift: i64, jitter: i64) {
        self.shift = shift.max(0);
        let jitter = if self.shift > 0 { jitter } else { 0 };
        self.jitter = (jitter / MICROSECOND).clamp(0, i64::from(u16::MAX)) as u16;
    }

    fn jitter(&self) -> i64 {
        i64::from(self.jitter) * MICROSECOND
    }

    /// Correction to the times of the held ACKs, nanoseconds.
    fn late(&self) -> i64 {
        i64::from(self.late) * MICROSECOND
    }

    /// Whether the sender has an ACK as soon as it is captured.
    pub(crate) fn is_immediate(&self) -> bool {
        self.shift == 0 && self.held.is_empty()
    }

    /// Holds a captured ACK that the sender does not have yet. Returns the oldest one if too many are held.
    pub(crate) fn hold(&mut self, ack: AckEvent) -> Option<AckEvent> {
        self.held.push_back(AckEvent { time: ack.time + self.shift - self.late(), ..ack });
        if self.held.len() > Self::MAX_HELD { self.let_go() } else { None }
    }

    /// Records that the first ACK with timestamp value `tsval` reached the sender `within` this time. All
    /// held ACKs are assumed to be early or late by the same time.
    pub(crate) fn has_reached(&mut self, tsval: u32, within: RangeInclusive<i64>) {
        let is_before = |a: &AckEvent| a.tsval.is_some_and(|t| (t.wrapping_sub(tsval) as i32) < 0);
        // Earlier ACKs are released next, so each is skipped only once.
        let Some(first) = self.held.iter().find(|a| !is_before(a)).filter(|a| a.tsval == Some(tsval)) else { return };
        let assumed = first.time + self.late();
        let late = assumed.clamp(*within.start(), *within.end()) - assumed;
        if late.abs() > self.jitter() {
            let late = self.late() + late;
            self.late = (late / MICROSECOND).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        }
    }

    /// Releases the next ACK that the sender had processed before it sent, at `time`, data that echoes
    /// `echo`.
    pub(crate) fn release(&mut self, time: i64, echo: Option<u32>) -> Option<AckEvent> {
        let first = self.held.front()?;
        let is_processed = match (first.tsval, echo) {
            (Some(tsval), Some(echo)) => {
                let ticks = tsval.wrapping_sub(echo) as i32;
                ticks < 0 || (ticks == 0 && first.time + self.late() <= time + self.jitter())
            }
            _ => first.time + self.late() <= time + self.jitter(),
        };
        if !is_processed {
            return None;
        }
        let mut ack = self.let_go()?;
        ack.time = ack.time.min(time);
        Some(ack)
    }

    /// Highest acknowledgment that must have reached the sender by `time`, even if no data has echoed it yet;
    /// 0 if none has. Each held ACK is visited only once.
    pub(crate) fn reached(&mut self, time: i64) -> u64 {
        let patience = self.patience();
        while let Some(ack) = self.held.get(self.due as usize).filter(|a| a.time + patience <= time) {
            self.reached = self.reached.max(ack.ack);
            self.due += 1;
        }
        self.reached
    }

    /// Time at which the last held ACK must have reached the sender, and its acknowledgment.
    pub(crate) fn last_due(&self) -> Option<(i64, u64)> {
        self.held.back().map(|ack| (ack.time + self.patience(), ack.ack))
    }

    /// Time after which a held ACK counts as received without an echo, nanoseconds.
    fn patience(&self) -> i64 {
        ECHO_PATIENCE.of(self.shift) + self.jitter() + self.late()
    }

    /// Releases the oldest held ACK at the end of the capture.
    pub(crate) fn release_rest(&mut self) -> Option<AckEvent> {
        self.let_go()
    }

    fn let_go(&mut self) -> Option<AckEvent> {
        self.due = self.due.saturating_sub(1);
        let ack = self.held.pop_front()?;
        Some(AckEvent { time: ack.time + self.late(), ..ack })
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        self.held.capacity() * size_of::<AckEvent>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: i64 = 1_000_000;

    /// An acknowledgment up to `ack` that passed the capture at `time` with this timestamp value.
    fn ack(time: i64, ack: u64, tsval: Option<u32>) -> AckEvent {
        let (is_zero_window, reveals_hole, has_payload) = (false, false, false);
        let (window, sacked) = (None, 0);
        AckEvent { time, passed: time, ack, window, is_zero_window, sacked, reveals_hole, has_payload, tsval }
    }

    /// The sender is 10 ms away, known to 1 ms, and an ACK passed at 0 ms.
    fn holding(tsval: Option<u32>) -> SenderClock {
        let mut clock = SenderClock::default();
        clock.set_shift(10 * MILLISECOND, MILLISECOND);
        assert!(clock.hold(ack(0, 1000, tsval)).is_none());
        clock
    }

    #[test]
    fn without_timestamps_an_ack_arrives_after_the_way_and_its_jitter() {
        assert!(holding(None).release(9 * MILLISECOND - 1, None).is_none());
        let released = holding(None).release(9 * MILLISECOND, None).unwrap();
        assert_eq!(released.time, 9 * MILLISECOND, "no later than the data that it released");
        assert_eq!(holding(None).release(20 * MILLISECOND, None).unwrap().time, 10 * MILLISECOND);
    }

    #[test]
    fn an_echo_of_a_later_ack_shows_that_it_arrived() {
        assert!(holding(Some(7)).release(MILLISECOND, Some(6)).is_none());
        assert!(holding(Some(7)).release(MILLISECOND, Some(7)).is_none());
        assert!(holding(Some(7)).release(9 * MILLISECOND, Some(7)).is_some());
        assert_eq!(holding(Some(7)).release(MILLISECOND, Some(8)).unwrap().time, MILLISECOND);
    }

    /// `ECHO_PATIENCE`: an ACK without echo counts as received after 1.5 times the way plus the jitter.
    #[test]
    fn an_ack_that_no_data_echoes_has_arrived_after_half_of_the_way_more() {
        assert_eq!(holding(Some(7)).reached(16 * MILLISECOND - 1), 0);
        assert_eq!(holding(Some(7)).reached(16 * MILLISECOND), 1000);
    }

    /// An echo moves the held ACKs earlier or later, if it differs by more than the jitter.
    #[test]
    fn an_echo_corrects_the_way_beyond_its_jitter() {
        for (arrived, time) in [(14, 14), (11, 10), (5, 5)] {
            let mut clock = holding(Some(7));
            let at = arrived * MILLISECOND;
            clock.has_reached(7, at..=at);
            assert_eq!(clock.release_rest().unwrap().time, time * MILLISECOND, "{arrived}");
        }
    }

    #[test]
    fn what_is_held_is_bounded() {
        let mut clock = holding(None);
        let let_go = (1..=SenderClock::MAX_HELD as u64).filter_map(|n| clock.hold(ack(0, 1000 + n, None))).count();
        assert_eq!(let_go, 1);
    }

    /// An ACK is released by its echo or by its time, not by an echo of an earlier ACK.
    #[test]
    fn an_ack_is_released_by_an_echo_or_by_its_time() {
        for (what, tsval, millis, echo, released) in [
            ("its echo, when it can have arrived", Some(7), 9, Some(7), Some(9)),
            ("its echo, later", Some(7), 12, Some(7), Some(10)),
            ("its echo, too soon", Some(7), 8, Some(7), None),
            ("an echo of an earlier one, late", Some(7), 90, Some(6), None),
            ("an echo of a later one, soon", Some(7), 1, Some(8), Some(1)),
            ("an echo across zero", Some(u32::MAX), 1, Some(0), Some(1)),
            ("data without an echo", Some(7), 9, None, Some(9)),
            ("data without an echo, too soon", Some(7), 8, None, None),
            ("an ACK without a timestamp", None, 9, Some(7), Some(9)),
            ("an ACK without a timestamp, too soon", None, 8, Some(7), None),
        ] {
            let found = holding(tsval).release(millis * MILLISECOND, echo).map(|ack| ack.time / MILLISECOND);
            assert_eq!(found, released, "{what}");
        }
    }

    /// An echo corrects the times of all held ACKs if it names one of them.
    #[test]
    fn only_the_echo_of_a_held_ack_corrects_its_time() {
        for (what, tsval, echoed, within, time) in [
            ("within what was reached", 7, 7, 5..=15, 10),
            ("reached later at least", 7, 7, 14..=20, 14),
            ("reached sooner at most", 7, 7, 2..=6, 6),
            ("a millisecond later", 7, 7, 11..=11, 10),
            ("a later one", 7, 8, 14..=20, 10),
            ("an earlier one", 7, 6, 14..=20, 10),
        ] {
            let mut clock = holding(Some(tsval));
            clock.has_reached(echoed, within.start() * MILLISECOND..=within.end() * MILLISECOND);
            assert_eq!(clock.release_rest().unwrap().time, time * MILLISECOND, "{what}");
        }
    }

    /// A shift and its jitter apply only away from the sender.
    #[test]
    fn at_the_sender_an_ack_is_there_when_it_is_captured() {
        for (shift, jitter, expected) in
            [(10, 3_000, (10, 3_000)), (0, 3_000, (0, 0)), (-1, 3_000, (0, 0)), (10, 99_000_000, (10, 65_535_000))]
        {
            let mut clock = SenderClock::default();
            clock.set_shift(shift, jitter);
            assert_eq!((clock.shift(), clock.jitter()), expected, "{shift} {jitter}");
        }
        let mut clock = SenderClock::default();
        assert!(clock.is_immediate() && !holding(None).is_immediate());
        clock.set_shift(10, 0);
        assert!(!clock.is_immediate(), "on its way");
        _ = clock.hold(ack(0, 1, None));
        clock.set_shift(0, 0);
        assert!(!clock.is_immediate(), "others are held");
        assert!(clock.release_rest().is_some() && clock.is_immediate());
    }

    /// The highest acknowledgment of those that must have arrived counts.
    #[test]
    fn the_highest_ack_that_must_have_arrived_counts() {
        let mut clock = holding(None);
        for (time, number) in [(1, 3000), (2, 2000), (3, 4000)] {
            _ = clock.hold(ack(time * MILLISECOND, number, None));
        }
        for (millis, reached) in [(15, 0), (16, 1000), (17, 3000), (18, 3000), (19, 4000)] {
            assert_eq!(clock.reached(millis * MILLISECOND), reached, "at {millis} ms");
        }
    }
}
