//! Excess of acknowledged data over the delivery rate, due to ACK aggregation (`bbr_update_ack_aggregation`).

use super::units::BW_UNIT;
use crate::congestion::rate::{Connection, RateSample};
use crate::time::micros;

/// `bbr_extra_acked_win_rtts`: number of rounds in each of two windows.
const WINDOW: u64 = 5;
/// `bbr_ack_epoch_acked_reset_thresh`, segments.
const LONGEST_EPOCH: u64 = 1 << 20;
/// `bbr_extra_acked_max_us`: the window grows at most by the bytes that the path delivers in this time.
const MOST: u64 = 100_000;

/// State of the aggregation estimate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aggregation {
    /// `ack_epoch_mstamp`, microseconds.
    since: u64,
    /// `ack_epoch_acked`, segments.
    acked: u64,
    /// `extra_acked`: the maximum in each of two windows of rounds.
    extra: [u64; 2],
    current: usize,
    rounds: u64,
}

impl Aggregation {
    /// Begins a new epoch.
    pub(super) const fn begin(&mut self, seen: &Connection) {
        (self.since, self.acked) = (micros(seen.now), 0);
    }

    /// Updates the estimate after an ACK, with `bandwidth` as the path's rate and a window of `window`
    /// segments.
    pub(super) fn update(
        &mut self,
        seen: &Connection,
        sample: &RateSample,
        begins_round: bool,
        bandwidth: u64,
        window: u64,
    ) {
        if sample.acked == 0 || sample.rate().is_none() {
            return;
        }
        if begins_round {
            self.rounds += 1;
            if self.rounds >= WINDOW {
                self.rounds = 0;
                self.current = 1 - self.current;
                self.extra[self.current] = 0;
            }
        }
        let time = seen.delivered_at.saturating_sub(self.since);
        let mut expected = bandwidth.saturating_mul(time) / BW_UNIT;
        if self.acked <= expected || self.acked + sample.acked >= LONGEST_EPOCH {
            (self.acked, self.since, expected) = (0, seen.delivered_at, 0);
        }
        self.acked += sample.acked;
        let extra = (self.acked - expected).min(window);
        self.extra[self.current] = self.extra[self.current].max(extra);
    }

    /// `bbr_ack_aggregation_cwnd`: additional segments of the window.
    pub(super) fn allowance(&self, bandwidth: u64) -> u64 {
        let most = bandwidth.saturating_mul(MOST) / BW_UNIT;
        self.extra[0].max(self.extra[1]).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path with one segment per 100 µs. ACKs first arrive in groups of eight, later one by one at half the
    /// rate.
    #[test]
    fn bunches_are_allowed_for_until_they_are_old() {
        let bandwidth = BW_UNIT / 100 + 1;
        let mut aggregation = Aggregation::default();
        let sample = |acked| RateSample { delivered: Some(acked), interval: Some(100), acked, ..RateSample::default() };
        let mut at = 0;
        let mut bunch = |aggregation: &mut Aggregation, acked: u64, begins_round: bool| {
            at += 100 * acked.max(2);
            let seen = Connection { now: at * 1_000, delivered_at: at, ..Connection::default() };
            aggregation.update(&seen, &sample(acked), begins_round, bandwidth, 1_000);
        };
        for _ in 0..20 {
            bunch(&mut aggregation, 8, false);
        }
        assert_eq!(aggregation.allowance(bandwidth), 8);
        for _ in 0..4 * WINDOW {
            bunch(&mut aggregation, 1, true);
        }
        assert!(aggregation.allowance(bandwidth) <= 1, "{}", aggregation.allowance(bandwidth));
    }

    #[test]
    fn a_slow_path_allows_little() {
        let aggregation = Aggregation { extra: [500, 0], ..Aggregation::default() };
        // One segment per 10 ms, so ten in 100 ms.
        assert_eq!(aggregation.allowance(BW_UNIT / 10_000 + 1), 10);
    }
}
