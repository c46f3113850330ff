//! How regular bursts of sends are.

use super::{Ledger, MILLISECOND};
use crate::thresholds::{EVEN_PACE, LAG_SMOOTHING, PERIOD_OFFSET, PERIOD_OFFSET_LEAST, PERIODIC_TICKS, STEADY_TICKS};

const MICROSECOND: i64 = 1_000;

impl Ledger {
    /// Notes how regular sends are, and how much of a coincidence with ACKs would be expected of sends at random times.
    pub(super) fn note_rhythm(&mut self, time: i64, lag: Option<i64>, ticks: Option<i32>) {
        // Timestamps are cut down to milliseconds, so a constant period shows as two that differ by one.
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
        // Of a short period that would be too much.
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
            self.typical_lag += (lag - self.typical_lag) / if self.typical_lag == 0 { 1 } else { LAG_SMOOTHING.get() };
        }
    }
}
