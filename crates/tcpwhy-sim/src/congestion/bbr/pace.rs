//! Pacing rate of BBR (`bbr_set_pacing_rate`).

use super::Bbr;
use super::units::{BW_SCALE, BW_UNIT, HIGH_GAIN, SCALE};
use crate::congestion::rate::Connection;

/// `bbr_pacing_margin_percent`: BBR sends 1 % slower than its estimate, so that queues drain.
const MARGIN: u64 = 1;
const MICROSECONDS_OF_A_SECOND: u64 = 1_000_000;
/// Without a measured round trip, 1 ms is assumed (`bbr_init_pacing_rate_from_rtt`).
const ASSUMED_ROUND_TRIP: u64 = 1_000;
/// `bbr_min_tso_rate`, bytes/s: below this rate, bursts are single segments.
const LEAST_BURST_RATE: u64 = 1_200_000 >> 3;
/// `sk_pacing_shift`: a burst has the bytes of 1/1024 s.
const BURST_SHIFT: u32 = 10;
/// `GSO_LEGACY_MAX_SIZE` minus `MAX_TCP_HEADER` and one.
const LARGEST_BURST: u64 = 65_215;
/// `bbr_tso_segs_goal`: maximum number of segments per burst.
const MOST_SEGMENTS: u64 = 0x7f;

/// `bbr_rate_bytes_per_sec`.
pub(super) fn bytes_per_second(bandwidth: u64, mss: u64, gain: u64) -> u64 {
    let rate = (u128::from(bandwidth) * u128::from(mss) * u128::from(gain)) >> SCALE;
    let rate = rate * u128::from(MICROSECONDS_OF_A_SECOND / 100 * (100 - MARGIN));
    u64::try_from(rate >> BW_SCALE).unwrap_or(u64::MAX)
}

impl Bbr {
    /// `sk_pacing_rate`, bytes/s.
    pub(crate) const fn rate(&self) -> u64 {
        self.rate
    }

    /// `bbr_init_pacing_rate_from_rtt`: one window per round trip, times the startup gain.
    pub(super) fn begin_rate(&mut self, seen: &Connection, window: u64) {
        self.has_seen_round_trip = seen.smoothed.is_some();
        let round_trip = seen.smoothed.map_or(ASSUMED_ROUND_TRIP, |smoothed| smoothed.max(1));
        self.rate = bytes_per_second(window * BW_UNIT / round_trip, seen.mss, HIGH_GAIN);
    }

    /// `bbr_set_pacing_rate`: until the path is full, the rate only grows.
    pub(super) fn set_rate(&mut self, seen: &Connection, window: u64, gain: u64) {
        if !self.has_seen_round_trip && seen.smoothed.is_some() {
            self.begin_rate(seen, window);
        }
        let rate = bytes_per_second(self.bandwidth(), seen.mss, gain);
        if self.pipe.is_full() || rate > self.rate {
            self.rate = rate;
        }
    }

    /// `bbr_min_tso_segs`.
    pub(crate) const fn least_burst(&self) -> u64 {
        if self.rate < LEAST_BURST_RATE { 1 } else { 2 }
    }

    /// `bbr_tso_segs_goal`: segments per burst, without the limit of the device.
    pub(super) fn burst(&self, mss: u64) -> u64 {
        let bytes = (self.rate >> BURST_SHIFT).min(LARGEST_BURST);
        (bytes / mss.max(1)).max(self.least_burst()).min(MOST_SEGMENTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_one_per_cent_below_what_is_measured() {
        // One segment of 1448 bytes per 100 µs is 14.48 MB/s.
        let rate = bytes_per_second(BW_UNIT / 100, 1448, 256);
        assert!((14_335_000..14_335_300).contains(&rate), "{rate}");
    }

    /// Ten segments per 20 ms, times 2.89.
    #[test]
    fn the_first_rate_is_the_first_window_in_a_round_trip() {
        let mut bbr = Bbr::new(4_000_000, 0);
        let seen = Connection { mss: 1448, smoothed: Some(20_000), ..Connection::default() };
        bbr.begin_rate(&seen, 10);
        let wanted = 10.0 * 1448.0 / 0.02 * 2.887 * 0.99;
        assert!((bbr.rate() as f64 / wanted - 1.0).abs() < 0.001, "{} of {wanted}", bbr.rate());
    }

    #[test]
    fn slow_paths_get_single_segments() {
        let mut bbr = Bbr::new(4_000_000, 0);
        bbr.rate = LEAST_BURST_RATE - 1;
        assert_eq!((bbr.least_burst(), bbr.burst(1448)), (1, 1));
        bbr.rate = LEAST_BURST_RATE;
        assert_eq!((bbr.least_burst(), bbr.burst(1448)), (2, 2));
        bbr.rate = 12_500_000;
        assert_eq!(bbr.burst(1448), 8);
    }
}
