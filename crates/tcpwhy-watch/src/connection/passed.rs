//! What a connection did in a stretch of time.

use tcpwhy_model::ByteCount;

use super::live::LiveConnection;
use crate::main_cause::CauseTime;
use crate::sums::{Tally, Window};

impl LiveConnection {
    /// What it did within `window`. The time of a connection that began in it is exact. The time of an older
    /// one is exact to 0.1 s up to a minute, and to 10 s up to an hour.
    pub fn tally(&self, window: Window) -> Tally {
        let [first, last] = self.seen();
        if first >= window.start() && last <= window.until {
            return self.tally_in_all();
        }
        let watched = last.min(window.until).since(first.max(window.start()));
        let bytes = self.rates.moved(window, &self.last);
        Tally::new(watched, self.times(window.until, window.nanos), bytes)
    }

    /// What it did in all the time that it was watched.
    pub fn tally_in_all(&self) -> Tally {
        let [first, last] = self.seen();
        let times: Vec<CauseTime> =
            self.limits().totals().iter().map(|total| (total.cause, total.nanos, self.is_lost(total.cause))).collect();
        Tally::new(last.since(first), times, self.bytes())
    }

    fn bytes(&self) -> [ByteCount; 2] {
        [self.sent(), self.received()]
    }

    /// Whether it began while it was watched, and not before.
    pub fn began_here(&self) -> bool {
        self.began_here
    }
}
