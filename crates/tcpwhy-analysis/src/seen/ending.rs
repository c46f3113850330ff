//! How a connection ended, and what was still open.

use crate::side::Side;
use crate::thresholds::{LONG_REST, UNANSWERED_LONGER, UNANSWERED_OPEN};

/// The reset that ended a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResetFacts {
    pub(crate) side: Side,
    /// Time since the connection's first packet, nanoseconds.
    pub(crate) after: i64,
    /// Bytes of both directions that were acknowledged before the reset, and those that were not.
    pub(crate) delivered: u64,
    pub(crate) unacknowledged: u64,
    /// Bytes of the peer that were in flight when the reset's sender had closed.
    pub(crate) cut_off: u64,
    /// Only short final messages were in flight, of its sender or of the peer.
    pub(crate) is_goodbye: bool,
    /// A request was in flight when the reset's sender had closed the idle connection.
    pub(crate) met_close: Option<IdleClose>,
    /// Its sender had closed before, and the peer continued to send.
    pub(crate) had_closed: bool,
    /// Packets from its sender's address after the reset, and the nanoseconds until the last of them.
    pub(crate) outlived: Option<(u32, i64)>,
    /// Difference in the number of routers between the reset and the other packets of its address.
    pub(crate) hops_apart: Option<u8>,
}

/// A request that was lost because the other end closed the idle connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdleClose {
    /// Idle time of the connection, nanoseconds.
    pub(crate) idle: i64,
    /// Size of the request, bytes.
    pub(crate) bytes: u64,
}

/// A request that was acknowledged and never answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnansweredRequest {
    pub(crate) asker: Side,
    /// Time of its last data, and time until which it had no answer.
    pub(crate) since: i64,
    pub(crate) until: i64,
    pub(crate) bytes: u64,
    /// Number of earlier requests that were answered, and the longest wait for an answer, nanoseconds.
    pub(crate) answered: u32,
    pub(crate) longest: i64,
    pub(crate) end: UnansweredEnd,
    /// A reset answered the asker's close: the peer did not know the connection any more.
    pub(crate) met_reset: bool,
}

/// The event that ended the wait for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnansweredEnd {
    /// The asker closed or reset the connection.
    GivenUp,
    /// The peer closed it.
    Closed,
    /// The peer reset it.
    Reset,
    /// Nobody closed: the capture ends.
    Open,
}

/// A transfer that stopped: its last data was acknowledged, and its sender neither continued nor closed the
/// connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped {
    pub(crate) sender: Side,
    /// Time of its last data, and time until which no more came.
    pub(crate) since: i64,
    pub(crate) until: i64,
    /// Its bytes since the other end's last data.
    pub(crate) bytes: u64,
    /// Its last segment was full, and was not pushed: the sender had more to send.
    pub(crate) is_cut_short: bool,
    /// Its receiver closed or reset the connection; otherwise the capture ends.
    pub(crate) is_given_up: bool,
    /// The longest wait for an answer on the connection before, nanoseconds.
    pub(crate) longest: i64,
}

impl UnansweredRequest {
    /// Whether the wait was too long for an answer. A reset of the peer ends it at once, after any time.
    pub(crate) fn is_overdue(&self) -> bool {
        let is_closed = self.end != UnansweredEnd::Open;
        self.end == UnansweredEnd::Reset || is_overdue(self.until - self.since, self.longest, is_closed)
    }
}

impl Stopped {
    /// Whether the silence was too long for a pause. A receiver that gives up may only have waited for its
    /// usual time.
    pub(crate) fn is_overdue(&self) -> bool {
        is_overdue(self.until - self.since, self.longest, false)
    }
}

/// Data that an open connection waited for when its last packet passed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Awaited {
    /// The answer to a request.
    Answer(UnansweredRequest),
    /// The remaining data of a transfer.
    Rest(Stopped),
}

impl Awaited {
    /// The same wait, until `until`.
    pub(crate) fn until(self, until: i64) -> Self {
        match self {
            Self::Answer(request) => Self::Answer(UnansweredRequest { until, ..request }),
            Self::Rest(stopped) => Self::Rest(Stopped { until, ..stopped }),
        }
    }

    /// Whether the wait was too long.
    pub(crate) fn is_overdue(&self) -> bool {
        match self {
            Self::Answer(request) => request.is_overdue(),
            Self::Rest(stopped) => stopped.is_overdue(),
        }
    }
}

/// Whether a wait of `wait` nanoseconds is too long, compared with the `longest` one before: several times as
/// long, and at least 1 s. While nobody has closed, the data may still come, so the limit is higher.
fn is_overdue(wait: i64, longest: i64, is_closed: bool) -> bool {
    wait >= if is_closed { LONG_REST.get() } else { UNANSWERED_OPEN.get() }
        && wait >= longest.saturating_mul(UNANSWERED_LONGER.get())
}

/// Data that never arrived although later data did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HoleLeftOpen {
    pub(crate) bytes: u64,
    pub(crate) since: i64,
    pub(crate) until: i64,
    /// Largest payload of a segment that arrived, bytes.
    pub(crate) largest: u64,
    /// The receiver closed or reset the connection then; otherwise the capture ends.
    pub(crate) is_given_up: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    /// `LONG_REST`, `UNANSWERED_OPEN` and `UNANSWERED_LONGER`: 1 s if an end closed, 5 s if none did, and
    /// four times the longest wait before.
    #[test]
    fn what_is_awaited_is_overdue() {
        assert!(is_overdue(SECOND, 0, true) && !is_overdue(SECOND - 1, 0, true));
        assert!(is_overdue(5 * SECOND, 0, false) && !is_overdue(5 * SECOND - 1, 0, false));
        assert!(!is_overdue(28 * SECOND - 1, 7 * SECOND, true) && is_overdue(28 * SECOND, 7 * SECOND, true));
        assert!(!is_overdue(i64::MAX - 1, i64::MAX, true), "waits beyond any number");
        assert_eq!((UNANSWERED_OPEN.get(), UNANSWERED_LONGER.get()), (5 * SECOND, 4));
    }

    /// The limit of a wait depends on the event that ended it.
    #[test]
    fn a_reset_need_not_take_long() {
        let request = |end, until| UnansweredRequest {
            asker: Side::A,
            since: 0,
            until,
            bytes: 400,
            answered: 0,
            longest: 0,
            end,
            met_reset: false,
        };
        let is_overdue = |end, until| request(end, until).is_overdue();
        assert!(is_overdue(UnansweredEnd::Reset, 0));
        assert!(is_overdue(UnansweredEnd::Closed, SECOND) && !is_overdue(UnansweredEnd::Closed, SECOND - 1));
        assert!(is_overdue(UnansweredEnd::GivenUp, SECOND) && !is_overdue(UnansweredEnd::Open, SECOND));
        let answer = Awaited::Answer(request(UnansweredEnd::Open, 0));
        assert!(!answer.is_overdue() && answer.until(5 * SECOND).is_overdue());
    }

    #[test]
    fn a_transfer_stops_for_five_seconds() {
        let (is_cut_short, is_given_up) = (true, true);
        let stopped =
            Stopped { sender: Side::A, since: 0, until: 0, bytes: 117, is_cut_short, is_given_up, longest: SECOND };
        let rest = |until| Awaited::Rest(stopped).until(until).is_overdue();
        assert!(rest(5 * SECOND) && !rest(5 * SECOND - 1), "UNANSWERED_OPEN");
        let slow = Stopped { longest: 2 * SECOND, until: 8 * SECOND, ..stopped };
        assert!(slow.is_overdue() && !Stopped { until: 8 * SECOND - 1, ..slow }.is_overdue(), "UNANSWERED_LONGER");
    }
}
