//! Round trip time and retransmission timeout (`tcp_rtt_estimator`, `__tcp_set_rto`).

use std::collections::VecDeque;

use crate::ticks::Ticks;
use crate::time::{MICROSECOND, SECOND, Time, micros};

/// `TCP_RTO_MAX`.
pub(super) const RTO_MAX: Time = 120 * SECOND;
/// `TCP_TIMEOUT_INIT`.
pub(super) const RTO_INITIAL: Time = SECOND;
/// `TCP_TIMEOUT_FALLBACK`.
const RTO_FALLBACK: Time = 3 * SECOND;
/// `sysctl_tcp_min_rtt_wlen`: time over which the minimum round trip is taken.
const LEAST_WITHIN: Time = 300 * SECOND;

/// Smoothed round trip and its variation, in the kernel's integers: microseconds, `srtt` in eighths.
#[derive(Debug)]
pub(super) struct RoundTrip {
    srtt: i64,
    mdev: i64,
    mdev_max: i64,
    rttvar: i64,
    /// `rtt_seq`.
    round_ends: u64,
    rto_min: i64,
    /// Recent minima with their times; later ones are larger.
    least: VecDeque<(Time, u64)>,
    ticks: Ticks,
    /// `icsk_rto`, in whole ticks.
    rto: Time,
}

impl RoundTrip {
    pub(super) fn new(rto_min: Time, ticks: Ticks) -> Self {
        let rto_min = micros(rto_min).cast_signed();
        Self {
            srtt: 0,
            mdev: 0,
            mdev_max: 0,
            rttvar: 0,
            round_ends: 0,
            rto_min,
            least: VecDeque::new(),
            ticks,
            rto: RTO_INITIAL,
        }
    }

    /// Adds a round trip of `rtt`; `least` is that of the newest data (`ca_rtt_us`).
    pub(super) fn sample(&mut self, rtt: Time, least: Time, una: u64, nxt: u64, now: Time) {
        self.note_least(micros(least).max(1), now);
        self.estimate(micros(rtt).cast_signed(), una, nxt);
        self.reset_backoff();
    }

    fn note_least(&mut self, rtt: u64, now: Time) {
        while self.least.back().is_some_and(|&(_, known)| known >= rtt) {
            self.least.pop_back();
        }
        self.least.push_back((now, rtt));
        while self.least.front().is_some_and(|&(at, _)| now - at > LEAST_WITHIN) {
            self.least.pop_front();
        }
    }

    fn estimate(&mut self, rtt: i64, una: u64, nxt: u64) {
        if self.srtt == 0 {
            self.srtt = (rtt << 3).max(1);
            self.mdev = rtt << 1;
            self.rttvar = self.mdev.max(self.rto_min);
            self.mdev_max = self.rttvar;
            self.round_ends = nxt;
            return;
        }
        let error = rtt - (self.srtt >> 3);
        self.srtt = (self.srtt + error).max(1);
        let change = error.abs() - (self.mdev >> 2);
        // A decrease of the round trip counts less.
        self.mdev += if error < 0 && change > 0 { change >> 3 } else { change };
        if self.mdev > self.mdev_max {
            self.mdev_max = self.mdev;
            self.rttvar = self.rttvar.max(self.mdev_max);
        }
        if una > self.round_ends {
            if self.mdev_max < self.rttvar {
                self.rttvar -= (self.rttvar - self.mdev_max) >> 2;
            }
            self.round_ends = nxt;
            self.mdev_max = self.rto_min;
        }
    }

    /// `tcp_set_rto`.
    fn reset_backoff(&mut self) {
        let micros = ((self.srtt >> 3) + self.rttvar).unsigned_abs();
        self.rto = self.ticks.round_up(micros * MICROSECOND).min(RTO_MAX);
    }

    /// The handshake gave no round trip (`TCP_TIMEOUT_FALLBACK`).
    pub(super) const fn fall_back(&mut self) {
        self.rto = RTO_FALLBACK;
    }

    /// A timeout doubles the next one.
    pub(super) fn back_off(&mut self) {
        self.rto = (2 * self.rto).min(RTO_MAX);
    }

    pub(super) const fn rto(&self) -> Time {
        self.rto
    }

    /// Smoothed round trip; `None` before the first sample.
    pub(super) fn smoothed(&self) -> Option<Time> {
        (self.srtt > 0).then(|| (self.srtt >> 3).unsigned_abs() * MICROSECOND)
    }

    /// `srtt_us`: eighths of microseconds.
    pub(super) const fn eighths(&self) -> u64 {
        self.srtt.unsigned_abs()
    }

    /// `tcp_min_rtt`, microseconds.
    pub(super) fn least(&self) -> u64 {
        self.least.front().map_or(u64::from(u32::MAX), |&(_, rtt)| rtt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::MILLISECOND;

    /// RFC 6298 §2: on a steady path, the timeout approaches the round trip plus the minimum variation.
    #[test]
    fn a_steady_path() {
        let mut round_trip = RoundTrip::new(200 * MILLISECOND, Ticks::new(250, 0));
        assert_eq!(round_trip.rto(), SECOND);
        for n in 0..100 {
            round_trip.sample(40 * MILLISECOND, 40 * MILLISECOND, n + 1, n, n * MILLISECOND);
        }
        assert_eq!(round_trip.smoothed(), Some(40 * MILLISECOND));
        assert_eq!(round_trip.rto(), 240 * MILLISECOND);
        round_trip.back_off();
        assert_eq!(round_trip.rto(), 480 * MILLISECOND);
        round_trip.sample(40 * MILLISECOND, 40 * MILLISECOND, 101, 100, 100 * MILLISECOND);
        assert_eq!(round_trip.rto(), 240 * MILLISECOND);
    }

    #[test]
    fn the_least_one_is_forgotten() {
        let mut round_trip = RoundTrip::new(200 * MILLISECOND, Ticks::new(250, 0));
        for (rtt, at) in [(30, 0), (50, 100), (40, 200), (60, 301)] {
            round_trip.note_least(rtt, at * SECOND);
        }
        assert_eq!(round_trip.least(), 40);
    }
}
