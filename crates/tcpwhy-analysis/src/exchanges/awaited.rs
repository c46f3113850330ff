//! Distinguishes messages of the server that somebody waited for from news.

use super::exchange::Exchange;
use super::of_connection::Exchanges;
use super::parts::Parts;
use crate::thresholds::{ANSWER_MOST, AWAITED_MOST, LONG_REST, NEWS_HABIT, SMALL_MESSAGE};

impl Parts {
    /// Returns the time in which somebody waited: all time except the client's own, nanoseconds.
    pub const fn awaited(&self) -> i64 {
        self.all().saturating_sub(self.client)
    }
}

impl Exchanges {
    /// Whether the server's messages are news rather than answers: a few bytes each, most of them long after
    /// the client's last message.
    pub(crate) fn brings_news(&self) -> bool {
        let is_late =
            self.responses.distribution().is_some_and(|spread| spread.median >= LONG_REST.get().unsigned_abs());
        let is_little = self.answer_bytes <= SMALL_MESSAGE.get().saturating_mul(self.count);
        self.count >= NEWS_HABIT && is_late && is_little
    }

    /// Whether the server's time was mainly before its answers. Slow writing within an answer is a separate
    /// limit.
    pub(crate) const fn is_answering(&self) -> bool {
        self.parts.pauses <= self.parts.server
    }

    /// Returns the server's time that nobody waited for, from the exchanges that are kept one by one,
    /// nanoseconds.
    pub(crate) fn unawaited(&self) -> i64 {
        let news = self.slowest.iter().filter(|exchange| !exchange.is_awaited());
        news.map(|exchange| exchange.response).fold(0, i64::saturating_add)
    }
}

impl Exchange {
    /// Whether somebody waited for its answer. A few bytes that exceed a user's patience are a heartbeat, an
    /// alert or news. No program waits longer than its time-out.
    pub(crate) fn is_awaited(&self) -> bool {
        let is_news = self.response >= ANSWER_MOST.get() && self.answer_bytes <= SMALL_MESSAGE.get();
        self.response < AWAITED_MOST.get() && !is_news
    }
}
