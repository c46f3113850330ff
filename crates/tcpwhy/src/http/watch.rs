//! The state of a connection, which decides whether and how long it may stay open.

use std::cell::Cell;
use std::time::Duration;

use tokio::time::Instant;

use super::limits::{ANSWER_TIME, CROWDED_ANSWER_TIME, CROWDED_STALL_TIME, HEAD_TIME, READING_TIME, STALL_TIME};

/// The use of a connection, from the first to close to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    /// Without a valid request so far (with `serve`: one with the token).
    Stranger,
    /// Idle after a complete response.
    Resting,
    /// A response is being prepared or sent.
    Busy,
}

/// The slowness of a client, the lesser first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slowness {
    /// The client reads, and its response has taken this long so far.
    Slow(Duration),
    /// The client has read nothing for this long.
    Stalled(Duration),
}

/// State shared by the connection's task, its requests and the accept loop.
#[derive(Debug)]
pub(crate) struct Watch {
    usage: Cell<Use>,
    deadline: Cell<Instant>,
    /// Deadline of the present response.
    answer_deadline: Cell<Instant>,
    sending: Cell<Option<Sending>>,
}

/// A response being sent.
#[derive(Clone, Copy, Debug)]
struct Sending {
    began: Instant,
    /// Time of the last piece that the connection accepted.
    moved: Instant,
}

impl Watch {
    /// Creates the state of a connection accepted now.
    pub(crate) fn new() -> Self {
        let deadline = Instant::now() + HEAD_TIME;
        Self {
            usage: Cell::new(Use::Stranger),
            deadline: Cell::new(deadline),
            answer_deadline: Cell::new(deadline),
            sending: Cell::new(None),
        }
    }

    /// Records a valid request, whose response is now prepared. Without this call, a connection lasts
    /// [`HEAD_TIME`] at most.
    pub(crate) fn begin(&self) {
        self.usage.set(Use::Busy);
        self.sending.set(None);
        self.deadline.set(Instant::now() + READING_TIME);
    }

    /// Records that the response is ready to send.
    pub(crate) fn answer(&self) {
        if self.usage.get() != Use::Stranger {
            let now = Instant::now();
            self.answer_deadline.set(now + ANSWER_TIME);
            self.sending.set(Some(Sending { began: now, moved: now }));
            self.progress();
        }
    }

    /// Records that the connection accepted a piece of a response.
    pub(crate) fn progress(&self) {
        if self.usage.get() != Use::Stranger {
            let now = Instant::now();
            self.deadline.set((now + STALL_TIME).min(self.answer_deadline.get()));
            self.sending.set(self.sending.get().map(|sending| Sending { moved: now, ..sending }));
        }
    }

    /// Records that the connection accepted the last piece.
    pub(crate) fn rest(&self) {
        if self.usage.get() != Use::Stranger {
            self.usage.set(Use::Resting);
            self.sending.set(None);
        }
    }

    /// The use of the connection.
    pub(crate) fn usage(&self) -> Use {
        self.usage.get()
    }

    /// The slowness that allows closing this connection when all are busy and another client waits. `None` if
    /// the client reads fast enough.
    pub(crate) fn slowness(&self, now: Instant) -> Option<Slowness> {
        let Sending { began, moved } = self.sending.get()?;
        let (stalled, sending) = (now.saturating_duration_since(moved), now.saturating_duration_since(began));
        if stalled >= CROWDED_STALL_TIME {
            Some(Slowness::Stalled(stalled))
        } else {
            (sending >= CROWDED_ANSWER_TIME).then_some(Slowness::Slow(sending))
        }
    }

    /// Deadline of the connection without further progress.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline.get()
    }
}
