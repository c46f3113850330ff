//! Whether a policer limits the path, and to what rate (`bbr_lt_bw_sampling`).

use super::pace::bytes_per_second;
use super::units::{BW_UNIT, UNIT};
use crate::congestion::rate::{Connection, RateSample};

/// `bbr_lt_intvl_min_rtts`: rounds of an interval at least; at most four times as many.
const LEAST_ROUNDS: u64 = 4;
/// `bbr_lt_loss_thresh`, 256ths: an interval with fewer losses is no policer's.
const LOSS: u64 = 50;
/// `bbr_lt_bw_ratio`, 256ths: two intervals agree where they differ no more.
const AGREES_WITHIN: u64 = UNIT / 8;
/// `bbr_lt_bw_diff`, bytes/s: or no more than this.
const AGREES_WITHIN_RATE: u64 = 4_000 / 8;
/// `bbr_lt_bw_max_rtts`: after so many rounds the path is probed again.
const USED_FOR: u64 = 48;

/// What the detector found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    Nothing,
    /// A policer: from now on its rate is used.
    Policer,
    /// Its rate has been used for long enough.
    Expired,
}

/// `struct bbr`, `lt_…`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Policer {
    /// `lt_bw`; 0 where none is known.
    bandwidth: u64,
    is_used: bool,
    is_sampling: bool,
    rounds: u64,
    /// The interval's begin: `delivered`, `lost`, milliseconds.
    delivered: u64,
    lost: u64,
    since: u64,
}

impl Policer {
    /// The policer's rate, where it is used.
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

    /// After an acknowledgement or a timeout. `is_probing`: the rate is probed in turns (`BBR_PROBE_BW`).
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
        // A policer has spent its tokens at the first loss.
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
        // An interval ends with a loss, as it began.
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

    /// `bbr_lt_bw_interval_done`: two intervals in a row that agree are a policer's.
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

    /// A round of 40 ms in which `delivered` segments arrive and `lost` are lost.
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
        // One round begins the first interval; its first round counts.
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
