//! Doubts that are worth a sentence: limits that packets do not distinguish, and times that the path may
//! share.

use tcpwhy_model::{Decider, Limit, LimitTimeline};

use crate::exchanges::Parts;
use crate::thresholds::{DOUBT_NAMED, QUEUE_NAMED, RANGE_NAMED};

/// Returns pairs of limits that the packets do not distinguish, each with the deciding observation and its
/// nanoseconds. Only pairs with enough of the time are included, longest first.
pub fn named_doubts(limits: &LimitTimeline) -> Vec<(Limit, Limit, Decider, i64)> {
    let total = limits.span().nanos() as f64;
    let mut pairs = limits.ambiguous();
    pairs.retain(|&(.., nanos)| total > 0.0 && nanos as f64 / total >= DOUBT_NAMED.get());
    pairs
}

impl Parts {
    /// Returns the least and the most time of the server before its answers, ns; `None` if they are close.
    pub fn server_range(&self) -> Option<[i64; 2]> {
        self.range([self.server_least, self.server])
    }

    /// Returns the same for the client before its next requests.
    pub fn client_range(&self) -> Option<[i64; 2]> {
        self.range([self.client_least, self.client])
    }

    /// Returns the range, if its width is a considerable part of all time.
    fn range(&self, [low, high]: [i64; 2]) -> Option<[i64; 2]> {
        ((high - low) as f64 > RANGE_NAMED.get() * self.all() as f64).then_some([low, high])
    }
}

/// Whether a round trip was longer than the least one by a queue that is worth naming; both in nanoseconds.
pub fn is_queue_named(round_trip: u64, least: u64) -> bool {
    round_trip >= least + least / QUEUE_NAMED.get()
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, TimelineBuilder, Timestamp};

    use super::*;

    #[test]
    fn a_doubt_of_half_a_per_cent_is_named() {
        let named = |doubtful: i64, all: i64| {
            let mut timeline = TimelineBuilder::new(Timestamp::ZERO);
            let alternative = Some((Limit::Path, Decider::SenderCapture));
            timeline.push(Timestamp::from_nanos(doubtful), Cause::plain(Limit::SendBuffer), 1.0, alternative);
            timeline.push(Timestamp::from_nanos(all), Cause::plain(Limit::Path), 1.0, None);
            named_doubts(&timeline.finish())
        };
        assert_eq!(named(5, 1000), [(Limit::SendBuffer, Limit::Path, Decider::SenderCapture, 5)]);
        assert_eq!(named(4, 1000), []);
        assert_eq!(named(0, 0), []);
    }

    #[test]
    fn a_range_of_more_than_a_twentieth_is_named() {
        let parts = |server_least, client_least| Parts {
            server: 60,
            server_least,
            client: 40,
            client_least,
            ..Parts::default()
        };
        assert_eq!((parts(54, 40).server_range(), parts(54, 40).client_range()), (Some([54, 60]), None));
        assert_eq!((parts(55, 34).server_range(), parts(55, 34).client_range()), (None, Some([34, 40])));
        assert_eq!(parts(60, 35).client_range(), None);
        assert_eq!(Parts::default().server_range(), None);
    }

    #[test]
    fn a_queue_of_an_eighth_is_named() {
        assert!(is_queue_named(90, 80) && !is_queue_named(89, 80));
    }
}
