//! Traffic patterns: whether the data of two ends consists of requests and answers.

use crate::thresholds::{ANSWERED_AT_ONCE, CROSSED, LONG_REST, PAUSES, SILENT, UNASKED, part};

/// Traffic pattern of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// One asks, the other answers, then the first asks again.
    RequestResponse,
    /// Requests are sent while answers are in flight, or both ends send independently. Nothing shows the end
    /// of an answer (HTTP/2, pipelining).
    Overlapping,
    /// A person types, and each keystroke is echoed.
    Interactive,
    /// The server delays each answer until it has news.
    LongPoll,
    /// One end sends repeatedly without requests: a stream, notifications. Or both ends send at their own
    /// pace.
    Unasked,
}

/// Turns of an exchange: a request and its answer.
const TURNS: u64 = 2;

/// Counts of a conversation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turns {
    /// Complete exchanges.
    pub(crate) exchanges: u64,
    /// Exchanges that were answered at once, or before an end had sent an unrequested message.
    pub(crate) certain: u64,
    /// Exchanges that were answered before an end had sent an unrequested message.
    pub(crate) early: u64,
    /// Times that an end began to send before all of the other's data had reached it.
    pub(crate) crossed: u64,
    /// Times that an end continued after a long silence although nobody had sent a request, and the sum of
    /// those silences, nanoseconds.
    pub(crate) pauses: u64,
    pub(crate) silence: i64,
    /// Messages without a request, or without an answer.
    pub(crate) unasked: u64,
    /// Whether the requesting end changed during the connection, or did not open it.
    pub(crate) is_torn: bool,
    /// Time from the first byte of each request to the last of its answer, nanoseconds.
    pub(crate) span: i64,
    /// Whether both ends send at their own pace.
    pub(crate) is_free: bool,
    /// Whether a person types at one end.
    pub(crate) is_echoed: bool,
    /// Whether the server delays answers until there is news.
    pub(crate) is_polled: bool,
    /// Whether messages of one end allow the other to send more. Then no turn shows the end of a request.
    pub(crate) is_granted: bool,
}

impl Turns {
    /// Counts an end that continues after `nanos`, with all of its earlier data acknowledged.
    pub(crate) fn note_pause(&mut self, nanos: i64) {
        if nanos >= LONG_REST.get() {
            self.pauses += 1;
            self.silence = self.silence.saturating_add(nanos);
        }
    }

    /// Returns the same counts, with those of the conversation as a whole.
    pub(crate) const fn with(self, whole: Self) -> Self {
        let Self { crossed, is_torn, is_free, is_echoed, is_polled, is_granted, .. } = whole;
        Self { crossed, is_torn, is_free, is_echoed, is_polled, is_granted, ..self }
    }

    /// Whether both ends often sent at the same time.
    fn is_crossed(&self) -> bool {
        self.crossed > 0 && self.crossed.saturating_mul(CROSSED.get()) >= self.exchanges.saturating_mul(TURNS)
    }

    pub(crate) fn pattern(self) -> Pattern {
        let is_silent = self.silence as f64 >= SILENT.get() * self.span as f64;
        let are_many = self.unasked >= PAUSES.get() && self.unasked.saturating_mul(UNASKED.get()) >= self.exchanges;
        let is_guess = self.exchanges == 0 || part(self.certain, self.exchanges) < ANSWERED_AT_ONCE;
        // Exchanges that were answered before the first unrequested message were requests, whatever came
        // later.
        let is_late = part(self.early, self.exchanges) < ANSWERED_AT_ONCE;
        let is_pushed = are_many && (is_guess || self.unasked > self.exchanges && is_late);
        if self.is_echoed {
            Pattern::Interactive
        } else if self.is_free {
            Pattern::Unasked
        } else if self.is_granted || self.is_crossed() {
            Pattern::Overlapping
        } else if self.is_torn || is_pushed || self.pauses >= PAUSES.get() && is_silent {
            Pattern::Unasked
        } else if self.is_polled {
            Pattern::LongPoll
        } else {
            Pattern::RequestResponse
        }
    }
}

impl Pattern {
    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::RequestResponse => "request_response",
            Self::Overlapping => "overlapping",
            Self::Interactive => "interactive",
            Self::LongPoll => "long_poll",
            Self::Unasked => "unasked",
        }
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_decide() {
        let turns = |exchanges, crossed| Turns { exchanges, crossed, ..Turns::default() };
        let paused = |pauses, silence| Turns { pauses, silence, span: 100, ..turns(10, 0) };
        for (what, turns, expected) in [
            ("requests and answers", turns(10, 0), Pattern::RequestResponse),
            ("CROSSED: four crossings in ten exchanges", turns(10, 4), Pattern::RequestResponse),
            ("CROSSED: five", turns(10, 5), Pattern::Overlapping),
            ("PAUSES: two long rests", paused(2, 90), Pattern::RequestResponse),
            ("PAUSES: three", paused(3, 90), Pattern::Unasked),
            ("SILENT: a fifth of the time", paused(3, 20), Pattern::Unasked),
            ("SILENT: less", paused(3, 19), Pattern::RequestResponse),
            ("a person", Turns { is_echoed: true, ..turns(10, 9) }, Pattern::Interactive),
            ("long polls", Turns { is_polled: true, ..turns(10, 0) }, Pattern::LongPoll),
            ("grants", Turns { is_granted: true, ..turns(10, 0) }, Pattern::Overlapping),
        ] {
            assert_eq!(turns.pattern(), expected, "{what}");
        }
    }
}
