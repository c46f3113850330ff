//! How a connection behaves: whether it may stay, and for how long.

use std::cell::Cell;
use std::time::Duration;

use tokio::time::Instant;

use super::limits::{ANSWER_TIME, CROWDED_ANSWER_TIME, CROWDED_STALL_TIME, HEAD_TIME, READING_TIME, STALL_TIME};

/// What a connection is doing, from the one that can best be spared to the one that cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// No request on it is one to be answered; with `serve`: has named the token.
    Stranger,
    /// Such a request was answered, and the answer taken.
    Resting,
    /// An answer is made or sent.
    Busy,
}

/// How slow a client is, from the one that may rather stay on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slowness {
    /// It takes its answer, for so long already.
    Slow(Duration),
    /// It takes nothing, since so long.
    Stalled(Duration),
}

/// Shared by the connection's task, its requests and who accepts connections.
#[derive(Debug)]
pub(crate) struct Watch {
    usage: Cell<Use>,
    deadline: Cell<Instant>,
    /// When the answer that is sent must be through.
    answer_deadline: Cell<Instant>,
    sending: Cell<Option<Sending>>,
}

/// An answer on its way.
#[derive(Clone, Copy, Debug)]
struct Sending {
    began: Instant,
    /// When its client last took a piece.
    moved: Instant,
}

impl Watch {
    /// Of a connection that was accepted just now.
    pub(crate) fn new() -> Self {
        let deadline = Instant::now() + HEAD_TIME;
        Self {
            usage: Cell::new(Use::Stranger),
            deadline: Cell::new(deadline),
            answer_deadline: Cell::new(deadline),
            sending: Cell::new(None),
        }
    }

    /// A request is one to be answered; the answer is looked for. Without this a connection lasts [`HEAD_TIME`] whatever it does.
    pub(crate) fn begin(&self) {
        self.usage.set(Use::Busy);
        self.sending.set(None);
        self.deadline.set(Instant::now() + READING_TIME);
    }

    /// The answer to that request is there.
    pub(crate) fn answer(&self) {
        if self.usage.get() != Use::Stranger {
            let now = Instant::now();
            self.answer_deadline.set(now + ANSWER_TIME);
            self.sending.set(Some(Sending { began: now, moved: now }));
            self.progress();
        }
    }

    /// The connection took a piece of an answer.
    pub(crate) fn progress(&self) {
        if self.usage.get() != Use::Stranger {
            let now = Instant::now();
            self.deadline.set((now + STALL_TIME).min(self.answer_deadline.get()));
            self.sending.set(self.sending.get().map(|sending| Sending { moved: now, ..sending }));
        }
    }

    /// The connection took the last piece.
    pub(crate) fn rest(&self) {
        if self.usage.get() != Use::Stranger {
            self.usage.set(Use::Resting);
            self.sending.set(None);
        }
    }

    /// What it is doing.
    pub(crate) fn usage(&self) -> Use {
        self.usage.get()
    }

    /// How much it can be spared when all are busy and somebody else waits: for how long its client has taken nothing, or too little,
    /// of its answer. `None` if it cannot.
    pub(crate) fn slowness(&self, now: Instant) -> Option<Slowness> {
        let Sending { began, moved } = self.sending.get()?;
        let (stalled, sending) = (now.saturating_duration_since(moved), now.saturating_duration_since(began));
        if stalled >= CROWDED_STALL_TIME {
            Some(Slowness::Stalled(stalled))
        } else {
            (sending >= CROWDED_ANSWER_TIME).then_some(Slowness::Slow(sending))
        }
    }

    /// When it has to end unless something happens.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline.get()
    }
}
