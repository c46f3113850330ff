//! How much the receiver holds, and how fast that grew at best.

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
    /// Bytes per second.
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
    /// "A few round trips" of which the best rate is taken, and a time that clocks and batches do not matter in.
    const ROUND_TRIPS: i64 = 4;
    const LEAST: i64 = 20 * MILLISECOND;

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
            self.best = self.best.max(rate);
            self.window = Some(now);
            growth.stretch = Some((rate, nanos));
        }
        growth
    }

    /// The best over a few round trips, bytes per second; `None` if nothing lasted that long.
    pub(crate) fn best(&self) -> Option<f64> {
        (self.best > 0.0).then_some(self.best)
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
    fn the_best_of_a_few_round_trips() {
        let mut delivery = Delivery::default();
        for i in 0..100 {
            let is_fast = (40..60).contains(&i);
            let more = if is_fast { 20_000 } else { 10_000 };
            let delivered = delivery.last.delivered + more;
            delivery.grow(point(10 * i, delivered), false, RTT);
        }
        assert!(delivery.best().is_some_and(|b| (b / 2e6 - 1.0).abs() < 0.15), "{:?}", delivery.best());
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
