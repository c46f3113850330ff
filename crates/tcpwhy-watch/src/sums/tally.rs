//! The seconds and bytes of one connection in a stretch of time.

use tcpwhy_model::{ByteCount, Cause, Limit, Timestamp};

use crate::main_cause::{CauseTime, main_cause};
use crate::thresholds::LOST_NAMED;

/// The newest part of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its end.
    pub until: Timestamp,
    /// Its length, nanoseconds.
    pub nanos: i64,
}

impl Window {
    /// The last `nanos` before `until`, or all time since `began` where that is less.
    pub fn since(began: Timestamp, until: Timestamp, nanos: i64) -> Self {
        Self { until, nanos: nanos.min(until.since(began)).max(1) }
    }

    /// Its beginning.
    pub fn start(self) -> Timestamp {
        self.until.plus(-self.nanos)
    }
}

/// What a connection did in a stretch of time. All numbers are of the same stretch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    watched: i64,
    times: Vec<CauseTime>,
    sent: ByteCount,
    received: ByteCount,
}

impl Tally {
    /// A connection that was watched for `watched` nanoseconds of the stretch. Where `times` are longer, each
    /// is shortened in proportion: the last cell of a history is longer than its connection lived.
    pub fn new(watched: i64, mut times: Vec<CauseTime>, [sent, received]: [ByteCount; 2]) -> Self {
        let watched = watched.max(0);
        let all: i128 = times.iter().map(|time| i128::from(time.1)).sum();
        if all > i128::from(watched) {
            for (_, nanos, _) in &mut times {
                *nanos = i64::try_from(i128::from(*nanos) * i128::from(watched) / all).unwrap_or_default();
            }
        }
        times.retain(|time| time.1 > 0);
        Self { watched, times, sent, received }
    }

    /// Nanoseconds in which it was watched.
    pub fn watched(&self) -> i64 {
        self.watched
    }

    /// Nanoseconds under each cause, and whether a change could have saved them. They are at most
    /// [`Self::watched`] in all.
    pub fn times(&self) -> &[CauseTime] {
        &self.times
    }

    /// Bytes of this side that were acknowledged, and bytes of the peer that arrived.
    pub fn bytes(&self) -> [ByteCount; 2] {
        [self.sent, self.received]
    }

    /// Nanoseconds that a change could have saved.
    pub fn lost(&self) -> i64 {
        self.times.iter().filter(|time| time.2).map(|time| time.1).sum()
    }

    /// Nanoseconds under causes that `is_mine` picks.
    pub fn under(&self, is_mine: impl Fn(Cause) -> bool) -> i64 {
        self.times.iter().filter(|time| is_mine(time.0)).map(|time| time.1).sum()
    }

    /// Nanoseconds under all forms of `limit` that a change could have saved.
    pub fn lost_under(&self, limit: Limit) -> i64 {
        self.times.iter().filter(|time| time.2 && time.0.limit == limit).map(|time| time.1).sum()
    }

    /// The cause to name, see [`main_cause`].
    pub fn cause(&self) -> Option<Cause> {
        main_cause(&self.times)
    }

    /// Whether a change could have saved a part of the time that is worth naming.
    pub fn loses_time(&self) -> bool {
        let lost = self.lost();
        lost > 0 && LOST_NAMED.is_reached(lost.unsigned_abs(), self.watched.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
    const IDLE: Cause = Cause::plain(Limit::Application);

    #[test]
    fn times_are_no_longer_than_what_was_watched() {
        let tally = Tally::new(50, vec![(BUFFER, 100, true), (IDLE, 100, false), (IDLE, 0, false)], [7, 8]);
        assert_eq!(tally.times(), [(BUFFER, 25, true), (IDLE, 25, false)]);
        assert_eq!((tally.watched(), tally.lost(), tally.bytes()), (50, 25, [7, 8]));
        assert_eq!(Tally::new(-3, vec![(BUFFER, 1, true)], [0, 0]), Tally::default());
        let short = Tally::new(50, vec![(BUFFER, 3, true)], [0, 0]);
        assert_eq!((short.lost(), short.under(|cause| cause == BUFFER), short.cause()), (3, 3, Some(BUFFER)));
    }

    /// `LOST_NAMED`: a twentieth.
    #[test]
    fn a_twentieth_lost_is_worth_naming() {
        let loses = |lost| Tally::new(1000, vec![(BUFFER, lost, true)], [0, 0]).loses_time();
        assert!(loses(50) && !loses(49) && !Tally::default().loses_time());
    }

    #[test]
    fn a_window_is_no_longer_than_the_watching() {
        let at = Timestamp::from_nanos;
        let window = Window::since(at(100), at(160), 60);
        assert_eq!((window.nanos, window.start()), (60, at(100)));
        assert_eq!(Window::since(at(130), at(160), 60).start(), at(130));
        assert_eq!(Window::since(at(160), at(160), 60).nanos, 1, "a rate can be made of it");
    }
}
