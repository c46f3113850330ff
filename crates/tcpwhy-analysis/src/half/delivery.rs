//! How much the receiver holds, and how fast that grows.

use super::MILLISECOND;
use super::policing::{Point, rest};

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Delivery {
    /// The last growth.
    pub(crate) last: Point,
    /// All that had been sent had arrived with it.
    is_complete: bool,
    /// Where the stretch in progress began.
    window: Option<Point>,
    /// The fastest stretch so far, bytes per second; 0 before there was one.
    best: f64,
}

/// What came of following an acknowledgment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Growth {
    pub(crate) is_after_rest: bool,
    /// A stretch that came to its end: bytes per second, and how long it was.
    pub(crate) stretch: Option<(f64, i64)>,
}

impl Delivery {
    /// A few round trips, and a time that clocks and batches do not matter in.
    const ROUND_TRIPS: i64 = 4;
    const LEAST: i64 = 20 * MILLISECOND;

    /// The fastest that it grew over a few round trips, bytes per second; `None` where it never did for as long.
    pub(crate) fn best(&self) -> Option<f64> {
        Some(self.best).filter(|&rate| rate > 0.0)
    }

    /// The receiver holds `delivered` bytes, more than before; `is_complete`: that is all that was sent.
    #[inline]
    pub(crate) fn grow(&mut self, now: Point, is_complete: bool, rtt: i64) -> Growth {
        let silence = now.time - self.last.time;
        let mut growth = Growth::default();
        let was_complete = std::mem::replace(&mut self.is_complete, is_complete);
        let before = std::mem::replace(&mut self.last, now);
        let Some(window) = self.window.filter(|_| !was_complete || silence <= rest(rtt)) else {
            growth.is_after_rest = self.window.is_some();
            self.window = Some(Point { delivered: now.delivered.max(before.delivered), ..now });
            return growth;
        };
        let nanos = now.time - window.time;
        if nanos >= (Self::ROUND_TRIPS * rtt).max(Self::LEAST) {
            let rate = now.delivered.saturating_sub(window.delivered) as f64 * 1e9 / nanos as f64;
            self.window = Some(now);
            growth.stretch = Some((rate, nanos));
            self.best = self.best.max(rate);
        }
        growth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: i64 = 20 * MILLISECOND;

    fn point(millis: i64, delivered: u64) -> Point {
        Point { time: millis * MILLISECOND, delivered }
    }

    #[test]
    fn a_stretch_is_a_few_round_trips() {
        let mut delivery = Delivery::default();
        let stretches: Vec<_> =
            (0..100).filter_map(|i| delivery.grow(point(10 * i, 10_000 * i as u64), false, RTT).stretch).collect();
        assert!(
            stretches.len() >= 12 && stretches.iter().all(|s| (s.0 - 1e6).abs() < 1.0 && s.1 == 4 * RTT),
            "{stretches:?}"
        );
    }

    #[test]
    fn a_rest_ends_a_stretch_and_silence_in_flight_does_not() {
        for (is_complete, is_rest) in [(true, true), (false, false)] {
            let mut delivery = Delivery::default();
            delivery.grow(point(0, 1000), false, RTT);
            delivery.grow(point(1, 2000), is_complete, RTT);
            let growth = delivery.grow(point(1001, 3000), false, RTT);
            assert_eq!((growth.is_after_rest, growth.stretch.is_none()), (is_rest, is_rest));
        }
    }
}
