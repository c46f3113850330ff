//! Amount of data that the receiver has, and its growth rate.

use super::policing::{Point, rest};
use crate::sketch::Sketch;
use crate::thresholds::{
    STEADY_RATE, STRETCH_OF_DELIVERY, STRETCH_OF_DELIVERY_LEAST, STRETCH_ROUND_TRIPS_MOST, STRETCH_SEGMENTS,
    STRETCHES_BEST, STRETCHES_LEAST,
};

#[derive(Clone, Debug, Default)]
pub(crate) struct Delivery {
    /// The last increase.
    pub(crate) last: Point,
    /// With it, all sent data had arrived.
    is_complete: bool,
    /// Start of the stretch in progress.
    window: Option<Point>,
    /// All stretches up to now.
    stretches: Option<Box<Stretches>>,
}

/// Delivery rates, each over a few round trips.
#[derive(Clone, Debug, Default)]
struct Stretches {
    /// Bytes per second, weighted by time.
    rates: Sketch,
    fastest: f64,
    bytes: f64,
    seconds: f64,
    count: u32,
}

/// Result of an acknowledgment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Growth {
    pub(crate) is_after_rest: bool,
    /// Rate and duration of a stretch that ended.
    #[cfg(test)]
    stretch: Option<(f64, i64)>,
}

impl Delivery {
    /// Fastest delivery rate over a few round trips, bytes per second; `None` without a complete stretch.
    pub(crate) fn fastest(&self) -> Option<f64> {
        self.stretches.as_ref().map(|s| s.fastest)
    }

    /// Rate of the best stretches, bytes per second, if the average rate is nearly as high.
    pub(crate) fn steady_rate(&self) -> Option<f64> {
        let stretches = self.stretches.as_ref().filter(|s| s.count >= STRETCHES_LEAST)?;
        let best = stretches.rates.quantile(STRETCHES_BEST.get())? as f64;
        (stretches.bytes >= stretches.seconds * best * STEADY_RATE.get()).then_some(best)
    }

    /// Number of stretches up to now.
    pub(crate) fn stretches(&self) -> u32 {
        self.stretches.as_ref().map_or(0, |s| s.count)
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        self.stretches.as_ref().map_or(0, |s| size_of::<Stretches>() + s.rates.heap())
    }

    /// Records that the receiver has `delivered` bytes, more than before. `is_complete`: these are all sent
    /// bytes.
    #[inline]
    pub(crate) fn grow(&mut self, now: Point, is_complete: bool, rtt: i64, mss: u64) -> Growth {
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
        let bytes = now.delivered.saturating_sub(window.delivered);
        let is_long = bytes >= STRETCH_SEGMENTS.get() * mss || nanos >= STRETCH_ROUND_TRIPS_MOST.get() * rtt;
        let least = (STRETCH_OF_DELIVERY.get() * rtt).max(STRETCH_OF_DELIVERY_LEAST.get());
        if nanos >= least && is_long {
            let rate = bytes as f64 * 1e9 / nanos as f64;
            self.window = Some(now);
            self.stretches.get_or_insert_default().add(rate, nanos);
            #[cfg(test)]
            {
                growth.stretch = Some((rate, nanos));
            }
        }
        growth
    }
}

impl Stretches {
    fn add(&mut self, rate: f64, nanos: i64) {
        let seconds = nanos as f64 / 1e9;
        self.rates.add(rate as u64, seconds);
        self.fastest = self.fastest.max(rate);
        self.bytes += rate * seconds;
        self.seconds += seconds;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::MILLISECOND;
    use super::*;

    const RTT: i64 = 20 * MILLISECOND;

    fn point(millis: i64, delivered: u64) -> Point {
        Point { time: millis * MILLISECOND, delivered }
    }

    #[test]
    fn a_stretch_is_a_few_round_trips() {
        let mut delivery = Delivery::default();
        let stretches: Vec<_> =
            (0..100).filter_map(|i| delivery.grow(point(10 * i, 10_000 * i as u64), false, RTT, 100).stretch).collect();
        assert!(
            stretches.len() >= 12 && stretches.iter().all(|s| (s.0 - 1e6).abs() < 1.0 && s.1 == 4 * RTT),
            "{stretches:?}"
        );
    }

    #[test]
    fn what_varies_is_not_steady() {
        for (slow, is_steady) in [(9_000, true), (4_000, false)] {
            let mut delivery = Delivery::default();
            let mut delivered = 0;
            for i in 0..400 {
                delivered += if i % 100 < 50 { 10_000 } else { slow };
                delivery.grow(point(10 * i, delivered), false, RTT, 100);
            }
            let steady = delivery.steady_rate();
            assert_eq!(steady.is_some(), is_steady, "{steady:?}");
            assert!(steady.is_none_or(|rate| (rate / 1e6 - 1.0).abs() < 0.02), "{steady:?}");
            assert!(delivery.fastest().is_some_and(|rate| (rate / 1e6 - 1.0).abs() < 0.02));
        }
    }

    #[test]
    fn a_rest_ends_a_stretch_and_silence_in_flight_does_not() {
        for (is_complete, is_rest) in [(true, true), (false, false)] {
            let mut delivery = Delivery::default();
            delivery.grow(point(0, 1000), false, RTT, 100);
            delivery.grow(point(1, 2000), is_complete, RTT, 100);
            let growth = delivery.grow(point(1001, 3000), false, RTT, 100);
            assert_eq!((growth.is_after_rest, growth.stretch.is_none()), (is_rest, is_rest));
        }
    }

    /// `STRETCHES_LEAST` and `STEADY_RATE`: eight stretches, at 85 % of the best on average.
    #[test]
    fn eight_stretches_show_a_steady_rate() {
        let is_steady = |fast: u32, slow: u32, rate: f64| {
            let mut stretches = Stretches::default();
            (0..fast).for_each(|_| stretches.add(1e6, 1_000_000_000));
            (0..slow).for_each(|_| stretches.add(rate, 1_000_000_000));
            Delivery { stretches: Some(Box::new(stretches)), ..Delivery::default() }.steady_rate().is_some()
        };
        assert!(is_steady(8, 0, 0.0) && !is_steady(7, 0, 0.0));
        assert!(is_steady(50, 50, 0.705e6) && !is_steady(50, 50, 0.695e6));
    }

    /// `STRETCH_OF_DELIVERY`, `…_LEAST`, `STRETCH_SEGMENTS` and `STRETCH_ROUND_TRIPS_MOST`: four round trips
    /// and 20 ms, with 64 segments or 32 round trips.
    #[test]
    fn a_stretch_is_four_round_trips_of_64_segments_or_32_round_trips() {
        for (what, rtt, nanos, bytes, expected) in [
            ("four round trips and 64 segments", 20, 80_000_000, 64_000, 1),
            ("less time", 20, 79_999_999, 64_000, 0),
            ("less data", 20, 80_000_000, 63_999, 0),
            ("32 round trips", 20, 640_000_000, 1, 1),
            ("less", 20, 639_999_999, 1, 0),
            ("20 ms of short round trips", 1, 20_000_000, 64_000, 1),
            ("less than 20 ms", 1, 19_999_999, 64_000, 0),
        ] {
            let mut delivery = Delivery::default();
            delivery.grow(Point { time: 1, delivered: 1000 }, false, rtt * MILLISECOND, 1000);
            delivery.grow(Point { time: 1 + nanos, delivered: 1000 + bytes }, false, rtt * MILLISECOND, 1000);
            assert_eq!(delivery.stretches(), expected, "{what}");
        }
    }

    /// `REST`: 200 ms after all data had arrived, a new stretch begins.
    #[test]
    fn a_rest_of_200_ms_ends_a_stretch() {
        for (what, is_complete, silence, expected) in [
            ("a rest", true, 200 * MILLISECOND + 1, true),
            ("shorter", true, 200 * MILLISECOND, false),
            ("something was missing", false, 900 * MILLISECOND, false),
        ] {
            let mut delivery = Delivery::default();
            delivery.grow(Point { time: 1, delivered: 1 }, is_complete, RTT, 1000);
            let growth = delivery.grow(Point { time: 1 + silence, delivered: 2 }, false, RTT, 1000);
            assert_eq!(growth.is_after_rest, expected, "{what}");
        }
    }
}
