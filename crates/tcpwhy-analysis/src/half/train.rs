//! Trains of segments, which show the rate of the path.

use super::{Half, MILLISECOND};

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
