//! Retransmissions at doubling intervals: a retransmission timer that no acknowledgment stops (RFC 6298
//! §5.5).

use crate::seen::Silence;
use crate::thresholds::{DOUBLED_LEAST, DOUBLED_MOST, LARGEST_INTERVAL, ONE_TIMEOUT, SILENT_REPEATS, part};

/// The retransmissions since the other end was last heard.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Backoff {
    /// Time of the first packet without an answer, which identifies the period.
    since: i64,
    /// Time at which the retransmitted data was first sent.
    first: i64,
    last: i64,
    /// Time between the last two retransmissions, nanoseconds.
    interval: i64,
    repeats: u32,
    /// Number of consecutive intervals that were about twice the previous one.
    doublings: u32,
}

impl Backoff {
    /// Records a retransmission at `time`. `previous` is the time of the previous data, `since` that of the
    /// first packet without an answer.
    pub(super) fn repeated(&mut self, since: i64, time: i64, previous: i64) {
        if self.repeats == 0 || self.since != since {
            *self = Self { since, first: previous, last: previous, ..Self::default() };
        }
        let interval = time - self.last;
        if self.repeats > 0 && interval <= ONE_TIMEOUT.of(self.interval) {
            return;
        }
        let is_double =
            part(interval, self.interval) >= DOUBLED_LEAST && interval <= self.interval * DOUBLED_MOST.get();
        let is_largest = interval.min(self.interval) >= LARGEST_INTERVAL;
        self.doublings = if self.repeats > 0 && (is_double || is_largest) { self.doublings + 1 } else { 0 };
        (self.repeats, self.last, self.interval) = (self.repeats + 1, time, interval);
    }

    /// The period without an answer that began at `since`, if a timer doubled in it.
    pub(super) fn silence(&self, since: i64) -> Option<Silence> {
        let is_known = self.repeats > 0 && self.since == since && self.doublings + 1 >= SILENT_REPEATS.get();
        is_known.then_some(Silence { repeats: self.repeats, nanos: self.last - self.first, interval: self.interval })
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    fn after(times: &[i64]) -> Option<Silence> {
        let mut backoff = Backoff::default();
        for pair in times.windows(2) {
            backoff.repeated(0, pair[1] * 1_000_000, pair[0] * 1_000_000);
        }
        backoff.silence(0)
    }

    #[test]
    fn three_repeats_of_a_timer_that_doubles() {
        assert_eq!(
            after(&[0, 200, 600, 1400]),
            Some(Silence { repeats: 3, nanos: 1_400_000_000, interval: 800_000_000 })
        );
        // A tail loss probe comes first, after a shorter time.
        assert_eq!(after(&[0, 40, 240, 640, 1440]).map(|s| s.repeats), Some(4));
        // Segments that one timeout retransmits together.
        assert_eq!(after(&[0, 200, 201, 600, 601, 1400]).map(|s| s.repeats), Some(3));
        assert_eq!(after(&[0, 1_000, 61_000, 121_000, 181_000]).map(|s| s.repeats), Some(4));
    }

    #[test]
    fn fewer_or_at_another_pace() {
        assert_eq!(after(&[0, 200, 600]), None);
        assert_eq!(after(&[0, 200, 400, 600, 800]), None);
        assert_eq!(after(&[0, 200, 600, 700, 900]), None);
        let mut backoff = Backoff::default();
        for (time, previous) in [(2, 0), (6, 2), (14, 6)] {
            backoff.repeated(0, time, previous);
        }
        assert!(backoff.silence(0).is_some() && backoff.silence(1).is_none());
    }
}
