//! Rests of a connection: time that the kernel does not report while it lasts, and whose loss a rest is.

use tcpwhy_model::{Cause, Detail, Timestamp};

use super::live::LiveConnection;
use crate::baseline::Baseline;
use crate::direction::{Doubt, Part};
use crate::hypotheses::Held;
use crate::socket::has_peer_closed;
use crate::thresholds::{AT_ONCE, LARGEST_REQUEST, LEAST_ANSWERS, SHORTEST_REST, confidence};

impl LiveConnection {
    /// The kernel has reported every connection that was active up to `time`, and this one rested.
    pub(crate) fn rest(&mut self, time: Timestamp) {
        let nanos = time.since(self.last.time);
        let is_rest = self.instant.held == Some(Held::Idle) && self.last.socket.receive_queue == 0;
        let Some(account) = &mut self.account else { return };
        // The kernel itself decides what a shorter rest was, by who speaks next.
        if nanos < SHORTEST_REST || !is_rest {
            return;
        }
        account.ahead += nanos;
        self.last.time = time;
        let cause = self.instant.cause;
        let part = Part { cause, nanos, confidence: confidence::ACCOUNTED };
        self.sending.add(part, Doubt::of_sample(cause, false));
        let had_closed = has_peer_closed(&self.last.socket);
        self.reader.receive(&self.last.socket, time, had_closed, false, nanos, Some(0));
        self.rates.measure(&self.last, cause.limit, 0, nanos);
    }

    /// Whether this side answers again and again what the peer asks, by messages that one write could take.
    /// Then its answers matter.
    pub(crate) fn answers(&self) -> bool {
        self.turns().is_some_and(|[own, _]| {
            own.count >= LEAST_ANSWERS && self.received() <= own.count.saturating_mul(LARGEST_REQUEST)
        })
    }

    /// How long a client takes between its requests is its own affair. A server that answers within a
    /// millisecond could hardly be faster. Nothing shows that a program could write faster than it does. For
    /// a congestion window without a reason, and for a rate that nobody has set, no change is known.
    pub(crate) fn is_lost(&self, cause: Cause) -> bool {
        let has_reason = match cause.detail {
            Some(Detail::Think) => self.is_server && !self.answers_at_once(),
            Some(Detail::Other | Detail::PacedWrites) => false,
            Some(Detail::Paced) => self.last.socket.info.max_pacing_rate.is_some(),
            _ => true,
        };
        cause.is_removable() && has_reason
    }

    /// Samples do not see single answers, but how long the peer waited for all of them, and how many segments
    /// with requests came.
    fn answers_at_once(&self) -> bool {
        let (count, nanos) = match self.turns() {
            Some([own, _]) => (own.count, own.nanos),
            None => (Baseline::of(&self.last).requests_since(&self.first), self.thought),
        };
        count > 0 && nanos < count.cast_signed().saturating_mul(AT_ONCE)
    }
}
