//! The receiving half of a connection: whether its program reads.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{Cause, Detail, Limit, Timestamp};

use crate::direction::{Direction, Part, Retention};
use crate::socket::is_reader_slow;
use crate::thresholds::{SIDES, confidence};

/// The receiving half of a connection: its program's reading is all that it shows.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    /// Once the peer has sent something, or something waits that nobody reads. Boxed: most connections of a
    /// host rest, or speak in one direction only.
    pub(crate) receiving: Option<Box<Direction>>,
    is_slow: bool,
    keep: Retention,
}

impl Reader {
    pub(super) fn new(socket: &SocketSample, keep: Retention) -> Self {
        Self { receiving: None, is_slow: is_reader_slow(socket), keep }
    }

    /// Whether the last sample shows that the program does not read what waits.
    pub(super) fn is_slow(&self) -> bool {
        self.is_slow
    }

    /// The limit that the last sample shows.
    pub(super) fn limit_now(&self) -> Cause {
        limit(self.is_slow)
    }

    /// The time of what the peer sends, of `nanos` from `since` on; `counted` of it was the own program's,
    /// where that is known.
    pub(super) fn receive(
        &mut self,
        socket: &SocketSample,
        since: Timestamp,
        had_closed: bool,
        has_received: bool,
        nanos: i64,
        counted: Option<i64>,
    ) {
        let is_slow = is_reader_slow(socket);
        let was_slow = std::mem::replace(&mut self.is_slow, is_slow);
        if self.receiving.is_none() && (has_received || is_slow) {
            self.receiving = Some(Box::new(Direction::new(since, self.keep)));
        }
        let Some(receiving) = &mut self.receiving else { return };
        if had_closed {
            return;
        }
        let (halves, confidence) = match counted {
            Some(slow) => ([(true, slow), (false, nanos - slow)], confidence::ACCOUNTED),
            None if is_slow == was_slow => ([(is_slow, nanos), (is_slow, 0)], confidence::AGREED),
            None => ([(was_slow, nanos / SIDES), (is_slow, nanos - nanos / SIDES)], confidence::HALVED),
        };
        for (is_slow, nanos) in halves {
            receiving.add(Part { cause: limit(is_slow), nanos, confidence }, None);
        }
    }
}

/// A receiver shows nothing else of its peer.
fn limit(is_slow: bool) -> Cause {
    if is_slow { Detail::SlowReader.into() } else { Cause::plain(Limit::Unobserved) }
}
