//! Invariants of a socket at any moment.

use super::Socket;
use super::shown::State;

impl Socket {
    /// Compares the socket's counters with its contents.
    pub(crate) fn check(&self) {
        self.receiving.check();
        assert!(self.window.size > 0, "{:?}", self.window);
        if self.state == State::Broken {
            assert!(self.sent.is_empty() && self.queue.is_empty() && self.timer.is_none());
            return;
        }
        assert!(self.una <= self.nxt);
        self.queue.check(self.una, self.nxt);
        self.sent.check(self.una, self.nxt);
        let waits_for_answer = !self.sent.is_empty() && self.state == State::Established;
        assert!(!waits_for_answer || self.timer.is_some(), "what is lost is noticed: {:?}", self.recovery);
    }

    /// The first unacknowledged byte, the next byte to send, and the number of written bytes.
    pub(crate) const fn progress(&self) -> [u64; 3] {
        [self.una, self.nxt, self.queue.written()]
    }

    /// The next expected byte, and the number of read bytes.
    pub(crate) const fn received(&self) -> [u64; 2] {
        [self.receiving.next(), self.receiving.bytes_read()]
    }

    /// `sk_wmem_queued` and `sk_wmem_alloc` of sent data, `sk_rmem_alloc` of received data.
    pub(crate) const fn memory(&self) -> [u64; 3] {
        [self.queue.memory(), self.in_host, self.receiving.all_memory()]
    }

    /// Whether all received data was read.
    pub(crate) const fn is_drained(&self) -> bool {
        self.receiving.is_drained()
    }
}
