//! Window of BBR (`bbr_set_cwnd`).

use super::Bbr;
use super::units::{BW_SCALE, BW_UNIT, CYCLE_GAINS, LEAST_WINDOW, Mode, SCALE, UNIT};
use crate::congestion::Window;
use crate::congestion::rate::{Connection, RateSample, Repair};

/// `TCP_INIT_CWND`.
const FIRST_WINDOW: u64 = 10;
/// Bursts in flight at the ends: one in the queue, one in the device, one at the receiver
/// (`bbr_quantization_budget`).
const BURSTS: u64 = 3;
/// Additional segments while the rate is probed.
const PROBING: u64 = 2;

impl Bbr {
    /// `bbr_bdp`: bandwidth-delay product in segments, rounded up.
    fn product(&self, bandwidth: u64, gain: u64) -> u64 {
        let Some(least) = self.round_trip.least() else { return FIRST_WINDOW };
        let product = (u128::from(bandwidth) * u128::from(least) * u128::from(gain)) >> SCALE;
        u64::try_from((product + u128::from(BW_UNIT) - 1) >> BW_SCALE).unwrap_or(u64::MAX >> 1)
    }

    /// `bbr_quantization_budget`.
    fn with_bursts(&self, segments: u64, mss: u64) -> u64 {
        // An even number causes fewer delayed ACKs.
        let even = (segments + BURSTS * self.burst(mss)).next_multiple_of(2);
        let is_probing = self.mode == Mode::ProbeBandwidth && CYCLE_GAINS[self.phase] > UNIT;
        even + if is_probing { PROBING } else { 0 }
    }

    /// `bbr_inflight`.
    pub(super) fn wanted_in_flight(&self, mss: u64, gain: u64) -> u64 {
        self.with_bursts(self.product(self.max_bandwidth.get(), gain), mss)
    }

    /// `bbr_packets_in_net_at_edt`: segments on the path at the time of the next paced burst.
    pub(super) fn in_network(&self, seen: &Connection, in_flight: u64) -> u64 {
        let wait = seen.write_stamp.saturating_sub(seen.now) / 1_000;
        let delivered = (u128::from(self.bandwidth()) * u128::from(wait)) >> BW_SCALE;
        let next = if self.pacing_gain > UNIT { self.burst(seen.mss) } else { 0 };
        (in_flight + next).saturating_sub(u64::try_from(delivered).unwrap_or(u64::MAX))
    }

    /// `bbr_save_cwnd`: saves the window to restore after a loss or after the probe of the round trip.
    pub(super) fn save_window(&mut self, window: &Window) {
        self.prior_window = if self.prior_repair < Repair::Recovery && self.mode != Mode::ProbeRoundTrip {
            window.size
        } else {
            self.prior_window.max(window.size)
        };
    }

    /// `bbr_set_cwnd_to_recover_or_restore`: the window without growth, and whether packets are conserved.
    fn recovered(&mut self, seen: &Connection, sample: &RateSample, size: u64) -> (u64, bool) {
        let mut size = if sample.losses > 0 { size.saturating_sub(sample.losses).max(1) } else { size };
        let prior = std::mem::replace(&mut self.prior_repair, seen.repair);
        if seen.repair == Repair::Recovery && prior != Repair::Recovery {
            // In the first round, only as many segments are sent as are delivered.
            self.conserves = true;
            self.rounds.begin(seen.delivered);
            size = seen.in_flight + sample.acked;
        } else if prior >= Repair::Recovery && seen.repair < Repair::Recovery {
            size = size.max(self.prior_window);
            self.conserves = false;
        }
        if self.conserves {
            size = size.max(seen.in_flight + sample.acked);
        }
        (size, self.conserves)
    }

    /// `bbr_set_cwnd`.
    pub(super) fn set_window(&mut self, seen: &Connection, sample: &RateSample, window: &mut Window) {
        if sample.acked > 0 {
            let (size, conserves) = self.recovered(seen, sample, window.size);
            window.size = if conserves { size } else { self.grown(seen, sample.acked, size) };
        }
        if self.mode == Mode::ProbeRoundTrip {
            window.size = window.size.min(LEAST_WINDOW);
        }
    }

    /// Grows the window towards the target for path and ends.
    fn grown(&self, seen: &Connection, acked: u64, size: u64) -> u64 {
        let mut target = self.product(self.bandwidth(), self.window_gain);
        if self.pipe.is_full() {
            target += self.aggregation.allowance(self.bandwidth());
        }
        let target = self.with_bursts(target, seen.mss);
        let size = if self.pipe.is_full() {
            (size + acked).min(target)
        } else if size < target || seen.delivered < FIRST_WINDOW {
            size + acked
        } else {
            size
        };
        size.max(LEAST_WINDOW)
    }
}
