//! Amount of open requests, and of answers that the client has not read.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::Notify;

use super::super::bounds::MOST_WAITING;

/// Most bytes of answers that wait for the client. Above that, no request is accepted until it reads.
const MOST_UNREAD: usize = 4 << 20;
/// Memory per waiting answer besides its content, bytes.
const ANSWER_COST: usize = 256;
/// Most requests without an answer. It exceeds the number of calls that may wait, so that further calls are
/// refused at once.
const MOST_OPEN: usize = MOST_WAITING + 64;
/// Additional pings, which are answered even while all calls wait.
const MOST_PINGS: usize = 64;
/// Most bytes of requests without an answer.
const MOST_OPEN_BYTES: usize = 1 << 20;

/// State shared by the reader, the writer and the server.
#[derive(Default)]
pub(in super::super) struct Load {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// Bytes of answers that are not written yet.
    unread: usize,
    /// Requests without an answer, and the bytes of their lines.
    open: HashMap<RequestId, usize>,
    open_bytes: usize,
    /// Whether writing to the client has failed.
    is_broken: bool,
}

impl Load {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a ping may be accepted.
    pub(super) fn may_ping(&self) -> bool {
        let state = self.state();
        state.unread < MOST_UNREAD && state.open.len() < MOST_OPEN + MOST_PINGS
    }

    /// Whether more may be written, because the client reads.
    pub(in super::super) fn has_room(&self) -> bool {
        self.state().unread < MOST_UNREAD
    }

    /// Whether another request of this many bytes may be accepted.
    pub(super) fn may_open(&self, bytes: usize) -> bool {
        let state = self.state();
        let is_first = state.open.is_empty();
        state.unread < MOST_UNREAD
            && (is_first || state.open.len() < MOST_OPEN && state.open_bytes + bytes <= MOST_OPEN_BYTES)
    }

    /// Whether any request has no answer yet.
    pub(super) fn has_open(&self) -> bool {
        !self.state().open.is_empty()
    }

    /// Adds a request; false if another one with this id has no answer yet.
    pub(super) fn open(&self, id: RequestId, bytes: usize) -> bool {
        let mut state = self.state();
        if state.open.contains_key(&id) {
            return false;
        }
        state.open.insert(id, bytes);
        state.open_bytes += bytes;
        true
    }

    /// Removes request `id`: the answer being written, if any, is its last.
    pub(super) fn close(&self, id: &RequestId) {
        let mut state = self.state();
        if let Some(bytes) = state.open.remove(id) {
            state.open_bytes -= bytes;
            self.changed.notify_one();
        }
    }

    /// Adds an answer of this many bytes that waits to be written.
    pub(super) fn queued(&self, bytes: usize) {
        self.state().unread += bytes + ANSWER_COST;
    }

    /// Removes an answer of this many bytes that was written.
    pub(super) fn written(&self, bytes: usize) {
        self.state().unread -= bytes + ANSWER_COST;
        self.changed.notify_one();
    }

    /// Records that writing to the client has failed.
    pub(super) fn broke(&self) {
        self.state().is_broken = true;
        self.changed.notify_one();
    }

    pub(super) fn is_broken(&self) -> bool {
        self.state().is_broken
    }

    /// Waits until the load decreases or writing fails.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> RequestId {
        RequestId::Number(number as i64)
    }

    #[test]
    fn requests_are_bounded_by_count_and_bytes() {
        let load = Load::default();
        assert!(load.may_open(10 * MOST_OPEN_BYTES), "the first one always");
        for number in 0..MOST_OPEN {
            assert!(load.may_open(1) && load.open(id(number), 1), "{number}");
        }
        assert!(!load.may_open(1) && load.may_ping(), "one more");
        for number in MOST_OPEN..MOST_OPEN + MOST_PINGS {
            assert!(load.may_ping() && load.open(id(number), 0), "{number}");
        }
        assert!(!load.may_ping(), "one ping more");
        for number in MOST_OPEN..MOST_OPEN + MOST_PINGS {
            load.close(&id(number));
        }
        load.close(&id(3));
        assert!(load.may_open(1) && !load.open(id(4), 1), "an id that is in use");
        load.close(&id(4));
        assert!(load.open(id(4), MOST_OPEN_BYTES - MOST_OPEN + 2));
        assert!(!load.may_open(1), "as many bytes as there may be");
        load.close(&id(4));
        assert!(load.may_open(1));
    }

    #[test]
    fn answers_that_nobody_reads_hold_requests_back() {
        let load = Load::default();
        load.queued(MOST_UNREAD - 2 * ANSWER_COST - 1);
        assert!(load.has_room() && load.may_open(1) && load.may_ping());
        load.queued(1);
        assert!(!load.has_room() && !load.may_open(1) && !load.may_ping());
        load.written(1);
        assert!(load.has_room() && load.may_open(1));
    }
}
