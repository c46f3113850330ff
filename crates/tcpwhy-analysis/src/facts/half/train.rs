//! Trains of segments, which show the rate of the path.

use super::{Half, MILLISECOND};
use crate::sketch::Sketch;

/// Segments in close succession.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Train {
    start: i64,
    last: i64,
    /// After the first arrival.
    bytes: u64,
    arrivals: u32,
}

/// Segments further apart belong to two trains.
pub(crate) fn train_pause(rtt: i64) -> i64 {
    (rtt / 16).clamp(MILLISECOND / 10, 4 * MILLISECOND)
}

/// What the trains of a direction show, by the bytes in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trains {
    /// Bytes per second that a quarter of them exceeded.
    pub(crate) rate: f64,
    /// Three quarters of them came at nearly that: something on the way spaces them. Where nothing does, hosts and interfaces
    /// space each train as it happens.
    pub(crate) are_alike: bool,
}

impl Trains {
    /// What `rates` show, bytes per second weighted by bytes; `None` of no train.
    pub(super) fn of(rates: &Sketch) -> Option<Self> {
        const ALIKE: f64 = 0.85;
        let quantile = |share| rates.quantile(share).map(|rate| rate as f64);
        let rate = quantile(0.75)?;
        Some(Self { rate, are_alike: quantile(0.25).is_some_and(|slow| slow >= rate * ALIKE) })
    }
}

impl Half {
    /// Segments that arrive close behind each other came at the rate of the path.
    pub(super) fn lengthen_train(&mut self, time: i64, bytes: u64) {
        let pause = train_pause(self.ledger.rtt_min().unwrap_or(16 * MILLISECOND));
        let is_long = self.train.bytes >= 64 * self.mss;
        if time - self.train.last > pause || is_long {
            let nanos = self.train.last - self.train.start;
            if self.train.bytes >= 10 * self.mss && self.train.arrivals >= 4 && nanos > 0 {
                let rate = self.train.bytes as f64 * 1e9 / nanos as f64;
                self.train_rates.add(rate as u64, self.train.bytes as f64);
            }
            self.train = Train { start: time, last: time, bytes: 0, arrivals: 0 };
            return;
        }
        self.train.last = time;
        self.train.bytes += bytes;
        self.train.arrivals += 1;
    }
}

#[cfg(test)]
mod tests {
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
}
