//! How a connection behaves: whether it may stay, and for how long.

use std::cell::Cell;

use tokio::time::Instant;

use super::limits::{ANSWER_TIME, HEAD_TIME, READING_TIME, STALL_TIME};

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

/// Shared by the connection's task, its requests and who accepts connections.
#[derive(Debug)]
pub(crate) struct Watch {
    usage: Cell<Use>,
    deadline: Cell<Instant>,
    /// When the answer that is sent must be through.
    answer_deadline: Cell<Instant>,
}

impl Watch {
    /// Of a connection that was accepted just now.
    pub(crate) fn new() -> Self {
        let deadline = Instant::now() + HEAD_TIME;
        Self { usage: Cell::new(Use::Stranger), deadline: Cell::new(deadline), answer_deadline: Cell::new(deadline) }
    }

    /// A request is one to be answered; the answer is looked for. Without this a connection lasts [`HEAD_TIME`] whatever it does.
    pub(crate) fn begin(&self) {
        self.usage.set(Use::Busy);
        self.deadline.set(Instant::now() + READING_TIME);
    }

    /// The answer to that request is there.
    pub(crate) fn answer(&self) {
        if self.usage.get() != Use::Stranger {
            self.answer_deadline.set(Instant::now() + ANSWER_TIME);
            self.progress();
        }
    }

    /// The connection took a piece of an answer.
    pub(crate) fn progress(&self) {
        if self.usage.get() != Use::Stranger {
            self.deadline.set((Instant::now() + STALL_TIME).min(self.answer_deadline.get()));
        }
    }

    /// The connection took the last piece.
    pub(crate) fn rest(&self) {
        if self.usage.get() != Use::Stranger {
            self.usage.set(Use::Resting);
        }
    }

    /// What it is doing.
    pub(crate) fn usage(&self) -> Use {
        self.usage.get()
    }

    /// When it has to end unless something happens.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline.get()
    }
}
