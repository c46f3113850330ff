//! Trains of segments, whose spacing shows the rate of the path.

use super::Half;
use super::spacing::Spacings;
use crate::sketch::Sketch;
use crate::thresholds::{
    PATH_RATE, SPACING_MOST, TRAIN_ARRIVALS, TRAIN_PAUSE, TRAIN_PAUSE_LEAST, TRAIN_PAUSE_MOST, TRAIN_RATE,
    TRAIN_RATE_FAST, TRAIN_RATE_SLOW, TRAIN_ROUND_TRIP_ASSUMED, TRAIN_SEGMENTS, TRAIN_SEGMENTS_MOST, TRAINS_ALIKE,
};

/// Fewest arrivals after the first, and fewest segments of payload, for an upper bound of the rate. A bound
/// needs fewer than a rate (`TRAIN_SEGMENTS`).
const CLOSE_ARRIVALS: u32 = 2;
const CLOSE_SEGMENTS: u64 = 3;

/// Rates of trains and distances between single segments.
#[derive(Clone, Debug, Default)]
pub(super) struct Rates {
    /// Rates of trains of ten or more segments, weighted by their bytes.
    pub(super) trains: Sketch,
    spacings: Spacings,
}

/// A train in progress.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Train {
    start: i64,
    last: i64,
    /// Bytes after the first arrival.
    bytes: u64,
    arrivals: u32,
    /// Bytes per second of the fastest train so far, short ones included; 0 before any.
    closest: f32,
}

impl Train {
    /// Rate of the fastest train, including the one in progress, bytes per second.
    fn closest_with(&self, mss: u64) -> f32 {
        let nanos = self.last - self.start;
        let is_train = self.arrivals >= CLOSE_ARRIVALS && self.bytes >= CLOSE_SEGMENTS * mss && nanos > 0;
        let rate = if is_train { self.bytes as f64 * 1e9 / nanos as f64 } else { 0.0 };
        self.closest.max(rate as f32)
    }
}

/// Nanoseconds between segments above which they belong to two trains.
pub(crate) fn train_pause(rtt: i64) -> i64 {
    TRAIN_PAUSE.of(rtt).clamp(TRAIN_PAUSE_LEAST.get(), TRAIN_PAUSE_MOST.get())
}

/// Rates of a direction's trains, weighted by their bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trains {
    /// Bytes per second that a quarter of the trains exceeded.
    pub(crate) rate: f64,
    /// Three quarters of the trains had nearly that rate, so something in the path spaces them. Without such
    /// a bottleneck, hosts and interfaces space the trains at random.
    pub(crate) are_alike: bool,
    /// Bytes per second that 5 % of the trains exceeded.
    pub(crate) fastest: f32,
}

impl Trains {
    /// Summarizes `rates`, bytes per second weighted by bytes; `None` without a train.
    pub(super) fn of(rates: &Sketch) -> Option<Self> {
        let quantile = |share| rates.quantile(share).map(|rate| rate as f64);
        let rate = quantile(TRAIN_RATE.get())?;
        Some(Self {
            rate,
            are_alike: quantile(TRAIN_RATE_SLOW.get()).is_some_and(|slow| slow >= rate * TRAINS_ALIKE.get()),
            fastest: quantile(TRAIN_RATE_FAST.get()).map_or(rate, |fast| fast.max(rate)) as f32,
        })
    }
}

impl Half {
    /// Rate of the path, bytes per second, as most trains of segments or ACKs show it; `None` without a
    /// train.
    pub(crate) fn path_rate(&self) -> Option<f64> {
        self.rates.as_ref()?.trains.quantile(PATH_RATE.get()).map(|rate| rate as f64)
    }

    /// Distances between segments within a round trip; `None` without any.
    pub(crate) fn spacings(&self) -> Option<&Spacings> {
        self.rates.as_ref().map(|rates| &rates.spacings)
    }

    /// Rates that 25 %, 50 %, 75 % and 95 % of the trains' bytes did not exceed, bytes per second; `None`
    /// without a train.
    pub(crate) fn train_quantiles(&self) -> Option<[f64; 4]> {
        let shares = [TRAIN_RATE_SLOW.get(), PATH_RATE.get(), TRAIN_RATE.get(), TRAIN_RATE_FAST.get()];
        let trains = &self.rates.as_ref()?.trains;
        let rates = shares.map(|share| trains.quantile(share).map(|rate| rate as f64));
        let [Some(slow), Some(middle), Some(rate), Some(fast)] = rates else { return None };
        Some([slow, middle, rate, fast])
    }

    /// Fastest rate at which segments, or data acknowledged by ACKs, arrived close together, bytes per
    /// second. 0 if they never did. Merged packets make it larger than the path's rate.
    pub(crate) fn closest(&self) -> f32 {
        self.train.closest_with(self.mss)
    }

    /// Converts `bytes` to the payload of full segments that would occupy a link for the same time, because
    /// each segment has headers.
    fn as_full_segments(&self, bytes: u64) -> u64 {
        /// Headers of Ethernet, IPv4 and TCP with timestamps, bytes.
        const HEADERS: u64 = 66;
        let (whole, rest) = (bytes / self.mss, bytes % self.mss);
        let last = if rest > 0 { (rest + HEADERS) * self.mss / (self.mss + HEADERS) } else { 0 };
        whole * self.mss + last
    }

    /// Adds an arrival to the train: segments close behind each other come at the rate of the path.
    pub(super) fn lengthen_train(&mut self, time: i64, bytes: u64) {
        self.follow_service(time, time - self.train.last, bytes);
        let rtt = self.ledger.rtt_min().unwrap_or(TRAIN_ROUND_TRIP_ASSUMED.get());
        let apart = time - self.train.last;
        if apart < SPACING_MOST.of(rtt) {
            let (full, mss) = (self.as_full_segments(bytes), self.mss);
            self.rates.get_or_insert_default().spacings.note(apart, full, mss);
        }
        let pause = train_pause(rtt);
        let is_long = self.train.bytes >= TRAIN_SEGMENTS_MOST.get() * self.mss;
        if time - self.train.last > pause || is_long {
            let nanos = self.train.last - self.train.start;
            let is_train = self.train.bytes >= TRAIN_SEGMENTS.get() * self.mss && self.train.arrivals >= TRAIN_ARRIVALS;
            if is_train && nanos > 0 {
                let rate = self.train.bytes as f64 * 1e9 / nanos as f64;
                self.rates.get_or_insert_default().trains.add(rate as u64, self.train.bytes as f64);
            }
            let closest = self.train.closest_with(self.mss);
            self.train = Train { start: time, last: time, bytes: 0, arrivals: 0, closest };
            return;
        }
        self.train.last = time;
        self.train.bytes += bytes;
        self.train.arrivals += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HandshakeTimes, MILLISECOND, SynMss};
    use super::*;

    #[test]
    fn trains_are_alike_where_a_quarter_at_most_are_much_slower() {
        let trains = |rates: &[u64]| {
            let mut sketch = Sketch::default();
            for &rate in rates {
                sketch.add(rate, 1.0);
            }
            Trains::of(&sketch)
        };
        assert!(trains(&[]).is_none());
        let alike = trains(&[4_000_000, 9_500_000, 9_700_000, 9_800_000, 10_000_000, 20_000_000]).unwrap();
        assert!(alike.are_alike && (9.5e6..10.2e6).contains(&alike.rate), "{alike:?}");
        assert!(!trains(&[4_000_000, 5_000_000, 9_700_000, 9_800_000, 10_000_000, 10_000_000]).unwrap().are_alike);
    }

    /// `TRAIN_PAUSE`, `TRAIN_PAUSE_LEAST`, `TRAIN_PAUSE_MOST`: 1/16 of the round trip, from 0.1 to 4 ms.
    #[test]
    fn a_train_pauses_for_a_sixteenth_of_the_round_trip_at_most() {
        assert_eq!(
            [800, 1_600, 16_000, 64_000, 80_000].map(|micros| train_pause(micros * 1_000) / 1_000),
            [100, 100, 1_000, 4_000, 4_000]
        );
    }

    fn half() -> Half {
        let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
        half.ledger.on_rtt(20 * MILLISECOND);
        half
    }

    /// `TRAIN_SEGMENTS` and `TRAIN_ARRIVALS`: ten segments, in four arrivals after the first.
    #[test]
    fn a_train_is_ten_segments_in_four_arrivals() {
        for (what, arrivals, bytes, expected) in [
            ("ten segments in four arrivals", 4, 2500, Some(10.0)),
            ("less", 4, 2499, None),
            ("three arrivals", 3, 4000, None),
        ] {
            let mut half = half();
            // A pause of more than 1/16 of the round trip ends the train.
            for n in 1..=arrivals {
                half.lengthen_train(n * MILLISECOND / 4, bytes);
            }
            half.lengthen_train(arrivals * MILLISECOND / 4 + 1_250_001, 1);
            assert_eq!(half.trains().map(|trains| (trains.rate / 1e6).round()), expected, "{what}");
        }
    }

    /// `TRAIN_SEGMENTS_MOST` and `TRAIN_PAUSE`: a train ends after 64 segments. It also ends after a pause of
    /// more than 1.25 ms with a round trip of 20 ms.
    #[test]
    fn a_train_ends_after_64_segments_or_a_pause() {
        for (bytes, pause, arrivals) in [(63_999, 1, 5), (64_000, 1, 0), (63_999, 1_250_000, 5), (63_999, 1_250_001, 0)]
        {
            let mut half = half();
            half.train = Train { start: 0, last: 7, bytes, arrivals: 4, closest: 0.0 };
            half.lengthen_train(7 + pause, 1);
            assert_eq!(half.train.arrivals, arrivals, "{bytes} bytes, {pause} ns");
        }
    }

    /// `PATH_RATE`: half of the trains are no faster, whatever a few trains merged by hosts show.
    #[test]
    fn the_rate_of_the_path_is_that_of_trains_in_the_middle() {
        let mut half = half();
        for rate in [4_000_000, 10_000_000, 10_000_000, 10_000_000, 120_000_000, 150_000_000] {
            half.rates.get_or_insert_default().trains.add(rate, 1.0);
        }
        assert_eq!(half.path_rate().map(|rate| (rate / 1e6).round()), Some(10.0));
        assert_eq!(half.trains().map(|trains| (trains.fastest / 1e6).round()), Some(150.0));
    }

    /// `TRAIN_RATE` and `TRAINS_ALIKE`: a quarter of the trains exceed the rate, and three quarters reach 85
    /// % of it.
    #[test]
    fn the_rate_of_trains_is_what_a_quarter_exceeded() {
        for (slow, are_alike) in [(8_800_000, true), (8_100_000, false)] {
            let mut sketch = Sketch::default();
            for &rate in &[slow, slow, 10_000_000, 10_000_000, 10_000_000, 40_000_000] {
                sketch.add(rate, 1.0);
            }
            let trains = Trains::of(&sketch).unwrap();
            assert_eq!(((trains.rate / 1e6).round(), trains.are_alike), (10.0, are_alike), "{slow}");
        }
    }
}
