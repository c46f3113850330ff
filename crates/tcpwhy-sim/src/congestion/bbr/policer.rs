//! Detection of a policer and its rate (`bbr_lt_bw_sampling`).

use super::pace::bytes_per_second;
use super::units::{BW_UNIT, UNIT};
use crate::congestion::rate::{Connection, RateSample};

/// `bbr_lt_intvl_min_rtts`: minimum number of rounds in an interval; the maximum is four times as many.
const LEAST_ROUNDS: u64 = 4;
/// `bbr_lt_loss_thresh`, 256ths: minimum loss of an interval that indicates a policer.
const LOSS: u64 = 50;
/// `bbr_lt_bw_ratio`, 256ths: maximum relative difference of two intervals that agree.
const AGREES_WITHIN: u64 = UNIT / 8;
/// `bbr_lt_bw_diff`, bytes/s: or this maximum absolute difference.
const AGREES_WITHIN_RATE: u64 = 4_000 / 8;
/// `bbr_lt_bw_max_rtts`: number of rounds after which the path is probed again.
const USED_FOR: u64 = 48;

/// Result of the detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    Nothing,
    /// A policer, whose rate is used from now on.
    Policer,
    /// The policer's rate has been used long enough.
    Expired,
}

/// `struct bbr`, `lt_…`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Policer {
    /// `lt_bw`; 0 if unknown.
    bandwidth: u64,
    is_used: bool,
    is_sampling: bool,
    rounds: u64,
    /// State at the start of the interval: `delivered`, `lost`, milliseconds.
    delivered: u64,
    lost: u64,
    since: u64,
}

impl Policer {
    /// The policer's rate; `None` if it is not in use.
    pub(super) fn bandwidth(&self) -> Option<u64> {
        self.is_used.then_some(self.bandwidth)
    }

    /// `bbr_reset_lt_bw_sampling`.
    pub(super) fn reset(&mut self, seen: &Connection) {
        *self = Self::default();
        self.begin(seen);
    }

    /// `bbr_reset_lt_bw_sampling_interval`.
    const fn begin(&mut self, seen: &Connection) {
        self.since = seen.delivered_at / 1_000;
        (self.delivered, self.lost, self.rounds) = (seen.delivered, seen.lost, 0);
    }

    /// Updates the detector after an ACK or a timeout. `is_probing`: the gain cycles (`BBR_PROBE_BW`).
    pub(super) fn update(
        &mut self,
        seen: &Connection,
        sample: &RateSample,
        begins_round: bool,
        is_probing: bool,
    ) -> Finding {
        if self.is_used {
            if is_probing && begins_round {
                self.rounds += 1;
                if self.rounds >= USED_FOR {
                    self.reset(seen);
                    return Finding::Expired;
                }
            }
            return Finding::Nothing;
        }
        // At the first loss, the policer's tokens are used up.
        if !self.is_sampling {
            if sample.losses == 0 {
                return Finding::Nothing;
            }
            self.begin(seen);
            self.is_sampling = true;
        }
        if sample.is_app_limited {
            self.reset(seen);
            return Finding::Nothing;
        }
        self.rounds += u64::from(begins_round);
        if self.rounds < LEAST_ROUNDS {
            return Finding::Nothing;
        }
        if self.rounds > 4 * LEAST_ROUNDS {
            self.reset(seen);
            return Finding::Nothing;
        }
        // An interval starts and ends with a loss.
        if sample.losses == 0 {
            return Finding::Nothing;
        }
        let (lost, delivered) = (seen.lost - self.lost, seen.delivered - self.delivered);
        if delivered == 0 || lost * UNIT < LOSS * delivered {
            return Finding::Nothing;
        }
        let time = (seen.delivered_at / 1_000).saturating_sub(self.since);
        if time == 0 {
            return Finding::Nothing;
        }
        if time >= u64::from(u32::MAX) / 1_000 {
            self.reset(seen);
            return Finding::Nothing;
        }
        self.end(seen, delivered * BW_UNIT / (time * 1_000))
    }

    /// `bbr_lt_bw_interval_done`: two consecutive intervals with the same rate indicate a policer.
    fn end(&mut self, seen: &Connection, bandwidth: u64) -> Finding {
        if self.bandwidth > 0 {
            let apart = bandwidth.abs_diff(self.bandwidth);
            if apart * UNIT <= AGREES_WITHIN * self.bandwidth
                || bytes_per_second(apart, seen.mss, UNIT) <= AGREES_WITHIN_RATE
            {
                self.bandwidth = u64::midpoint(bandwidth, self.bandwidth);
                (self.is_used, self.rounds) = (true, 0);
                return Finding::Policer;
            }
        }
        self.bandwidth = bandwidth;
        self.begin(seen);
        Finding::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round of 40 ms with `delivered` segments delivered and `lost` segments lost.
    fn round(policer: &mut Policer, seen: &mut Connection, delivered: u64, lost: u64) -> Finding {
        seen.delivered += delivered;
        seen.lost += lost;
        seen.delivered_at += 40_000;
        seen.now = seen.delivered_at * 1_000;
        policer.update(seen, &RateSample { losses: lost, ..RateSample::default() }, true, true)
    }

    fn begin() -> (Policer, Connection) {
        let seen = Connection { mss: 1448, ..Connection::default() };
        (Policer::default(), seen)
    }

    #[test]
    fn a_steady_rate_with_many_losses_is_a_policer() {
        let (mut policer, mut seen) = begin();
        let found = (1..=20).find(|_| round(&mut policer, &mut seen, 100, 30) == Finding::Policer);
        // The first interval starts with the first round, which counts.
        assert_eq!(found, Some(8));
        // 100 segments per 40 ms.
        assert_eq!(policer.bandwidth(), Some(100 * BW_UNIT / 40_000));
        let expired = (1..=60).find(|_| round(&mut policer, &mut seen, 100, 0) == Finding::Expired);
        assert_eq!((expired, policer.bandwidth()), (Some(48), None));
    }

    #[test]
    fn few_losses_are_no_policer() {
        let (mut policer, mut seen) = begin();
        for _ in 0..100 {
            assert_eq!(round(&mut policer, &mut seen, 100, 15), Finding::Nothing);
        }
    }

    #[test]
    fn rates_that_differ_are_no_policer() {
        let (mut policer, mut seen) = begin();
        for n in 0..100 {
            assert_eq!(round(&mut policer, &mut seen, if n / 4 % 2 == 0 { 100 } else { 200 }, 60), Finding::Nothing);
        }
    }
}
