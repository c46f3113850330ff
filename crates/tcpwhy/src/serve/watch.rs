//! How a connection behaves: whether it may stay, and for how long.

use std::cell::Cell;

use tokio::time::Instant;

use super::limits::{ANSWER_TIME, HEAD_TIME, READING_TIME, STALL_TIME};

/// What a connection is doing, from the one that can best be spared to the one that cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// No request on it has named the token.
    Stranger,
    /// A request with the token was answered, and the answer taken.
    Resting,
    /// An answer is made or sent.
    Busy,
}

/// Shared by the connection's task, its requests and who accepts connections.
#[derive(Debug)]
pub(super) struct Watch {
    usage: Cell<Use>,
    deadline: Cell<Instant>,
    /// When the answer that is sent must be through.
    answer_deadline: Cell<Instant>,
}

impl Watch {
    /// Of a connection that was accepted just now.
    pub(super) fn new() -> Self {
        let deadline = Instant::now() + HEAD_TIME;
        Self { usage: Cell::new(Use::Stranger), deadline: Cell::new(deadline), answer_deadline: Cell::new(deadline) }
    }

    /// A request named the token; an answer is looked for. Without this a connection lasts [`HEAD_TIME`] whatever it does.
    pub(super) fn begin(&self) {
        self.usage.set(Use::Busy);
        self.deadline.set(Instant::now() + READING_TIME);
    }

    /// The answer to that request is there.
    pub(super) fn answer(&self) {
        if self.usage.get() != Use::Stranger {
            self.answer_deadline.set(Instant::now() + ANSWER_TIME);
            self.progress();
        }
    }

    /// The connection took a piece of an answer.
    pub(super) fn progress(&self) {
        if self.usage.get() != Use::Stranger {
            self.deadline.set((Instant::now() + STALL_TIME).min(self.answer_deadline.get()));
        }
    }

    /// The connection took the last piece.
    pub(super) fn rest(&self) {
        if self.usage.get() != Use::Stranger {
            self.usage.set(Use::Resting);
        }
    }

    /// What it is doing.
    pub(super) fn usage(&self) -> Use {
        self.usage.get()
    }

    /// When it has to end unless something happens.
    pub(super) fn deadline(&self) -> Instant {
        self.deadline.get()
    }
}
