//! Invariants of a send queue at any moment.

use super::SendQueue;

impl SendQueue {
    /// Checks the queue of a socket whose peer has acknowledged all data before `una`, and whose next byte to
    /// send is `nxt`.
    pub(crate) fn check(&self, una: u64, nxt: u64) {
        let fin = self.fin.unwrap_or(u64::MAX);
        assert!(self.fin.is_none_or(|fin| fin == self.written), "nothing is written behind the end: {self:?}");
        // Waiting data begins at the next byte to send, and has no gaps.
        let mut at = nxt.min(fin);
        let mut memory = 0;
        for one in &self.waiting {
            assert_eq!(one.seq, at, "{self:?}");
            at += one.len;
            memory += one.len + self.overhead;
        }
        assert_eq!(at, self.written, "{self:?}");
        let mut at = None;
        for &(seq, end) in &self.sent {
            assert!(at.is_none_or(|at| at == seq) && seq < end && end > una, "{una}: {self:?}");
            memory += end.min(fin) - seq.max(una).min(fin) + self.overhead;
            at = Some(end);
        }
        assert_eq!(at.unwrap_or(nxt), nxt, "{self:?}");
        assert_eq!(self.sent.front().is_none(), una == nxt, "{una}: {self:?}");
        assert_eq!(self.memory, memory, "each byte that is not acknowledged, and each buffer: {self:?}");
    }

    /// `sk_wmem_queued`.
    pub(crate) const fn memory(&self) -> u64 {
        self.memory
    }
}
