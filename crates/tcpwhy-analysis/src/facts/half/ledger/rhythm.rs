//! Regularity of bursts of sends.

use super::{Ledger, MILLISECOND};
use crate::thresholds::{
    EVEN_PACE, LAG_SMOOTHING, PERIOD_OFFSET, PERIOD_OFFSET_LEAST, PERIODIC_TICKS, REST_PERIODS, STEADY_TICKS,
};

const MICROSECOND: i64 = 1_000;

impl Ledger {
    /// Records how regular sends are, and how often sends at random times would be close behind an ACK by
    /// chance.
    pub(super) fn note_rhythm(&mut self, time: i64, lag: Option<i64>, ticks: Option<i32>) {
        // Timestamps are truncated to milliseconds, so a constant period appears as two values that differ by
        // one.
        let (period, cut) = match ticks {
            Some(ticks) if self.has_fine_ticks() => (i64::from(ticks) * MILLISECOND, MILLISECOND),
            _ => (time - self.burst_start, 0),
        };
        let (sent, sends) = (self.burst_sent, self.burst_sends);
        self.burst_start = time;
        self.burst_sent = 0;
        self.burst_sends = 0;
        let slot = &mut self.slots.current;
        slot.bursts += 1;
        slot.multi_send_bursts += u32::from(sends > 1);
        let off = (period - self.last_period).abs();
        if period > REST_PERIODS.get() * self.last_period && self.gap.advancing_acks > 0 {
            slot.rests = slot.rests.saturating_add(1);
            slot.rests_released = slot.rests_released.saturating_add(lag.is_some().into());
        }
        if let Some(release) = self.gap.last_release.get()
            && self.gap.advancing_acks > 0
        {
            self.closeness.on_lag(time - release, off, self.rtt_min);
        }
        // A difference of one tick is too much for a short period.
        let allowed = |least_periods: i64| if cut * least_periods <= self.last_period { cut } else { 0 };
        let tolerance = PERIOD_OFFSET.of(self.last_period).max(PERIOD_OFFSET_LEAST.get());
        if off <= tolerance.max(allowed(PERIODIC_TICKS.get())) {
            slot.periodic_bursts += 1;
            slot.period_sum += period;
        }
        let is_steady = off <= tolerance.max(allowed(STEADY_TICKS.get()));
        slot.steady_bursts = slot.steady_bursts.saturating_add(is_steady.into());
        let rate = period.saturating_mul(MICROSECOND) / (sent.max(1) as i64);
        let is_even = (rate - self.last_rate).abs() <= EVEN_PACE.of(self.last_rate);
        slot.even_bursts = slot.even_bursts.saturating_add(is_even.into());
        self.last_period = period;
        self.last_rate = rate;
        if let Some(lag) = lag {
            let micros = u16::try_from(lag.max(0) / MICROSECOND).unwrap_or(u16::MAX);
            slot.least_lag = if slot.ack_released == 0 { micros } else { slot.least_lag.min(micros) };
            slot.ack_released += 1;
            let typical = i64::from(self.typical_lag);
            let step = (lag - typical) / if typical == 0 { 1 } else { LAG_SMOOTHING.get() };
            self.typical_lag = u32::try_from(typical + step).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bursts that count as periodic, as steady by the ticks, and as even. The first period is before the
    /// second.
    fn counted(periods: [i64; 2], by_ticks: bool) -> (u32, u16, u16) {
        let mut ledger = Ledger::new(0, 0, 1000);
        ledger.on_rtt(20 * MILLISECOND);
        let mut time = 0;
        for period in periods {
            time += period;
            let ticks = by_ticks.then_some((period / MILLISECOND) as i32);
            let slot = &mut ledger.slots.current;
            (slot.periodic_bursts, slot.steady_bursts, slot.even_bursts) = (0, 0, 0);
            ledger.note_rhythm(time, None, ticks);
        }
        let slot = &ledger.slots.current;
        (slot.periodic_bursts, slot.steady_bursts, slot.even_bursts)
    }

    /// `PERIOD_OFFSET` and `PERIOD_OFFSET_LEAST`: 2 % of the period, at least 50 µs.
    #[test]
    fn periods_within_a_fiftieth_are_one() {
        let is_periodic = |first: i64, second: i64| counted([first, second], false).0 == 1;
        assert!(is_periodic(10 * MILLISECOND, 10_200_000) && !is_periodic(10 * MILLISECOND, 10_200_001));
        assert!(is_periodic(MILLISECOND, 1_050_000) && !is_periodic(MILLISECOND, 1_050_001));
    }

    /// `PERIODIC_TICKS` and `STEADY_TICKS`: by timestamps, periods of 32 ticks and of 6 ticks may differ by
    /// one.
    #[test]
    fn ticks_cut_long_periods_down() {
        let by_ticks = |first: i64, second: i64| {
            let (periodic, steady, _) = counted([first * MILLISECOND, second * MILLISECOND], true);
            (periodic, steady)
        };
        assert_eq!(by_ticks(32, 33), (1, 1));
        assert_eq!(by_ticks(31, 32), (0, 1));
        assert_eq!(by_ticks(6, 7), (0, 1));
        assert_eq!(by_ticks(5, 6), (0, 0));
        assert_eq!(by_ticks(64, 66), (0, 0));
    }

    /// `EVEN_PACE`: paces within 10 % count as equal.
    #[test]
    fn paces_within_a_tenth_are_one() {
        let is_even = |second: i64| counted([10 * MILLISECOND, second], false).2 == 1;
        assert!(is_even(11 * MILLISECOND) && !is_even(11 * MILLISECOND + 1));
        assert!(is_even(9 * MILLISECOND) && !is_even(9 * MILLISECOND - 1));
    }

    /// `LAG_SMOOTHING`: the first lag behind an ACK counts fully, each later one changes it by 1/8.
    #[test]
    fn lags_are_smoothed_by_an_eighth() {
        let mut ledger = Ledger::new(0, 0, 1000);
        ledger.note_rhythm(0, Some(100 * MICROSECOND), None);
        assert_eq!(i64::from(ledger.typical_lag), 100 * MICROSECOND);
        ledger.note_rhythm(MILLISECOND, Some(900 * MICROSECOND), None);
        assert_eq!(i64::from(ledger.typical_lag), 200 * MICROSECOND);
    }
}
