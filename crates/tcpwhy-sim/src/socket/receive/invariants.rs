//! Invariants of the receiving side at any moment.

use super::Receiving;
use crate::segment::SACK_BLOCKS;

impl Receiving {
    /// Checks the order of read and received data, and its memory.
    pub(crate) fn check(&self) {
        assert!(self.read <= self.next, "{self:?}");
        let end = self.fin.filter(|&fin| self.next > fin).unwrap_or(self.next);
        assert!(self.read <= end, "nothing is read behind the end: {self:?}");
        self.queue.check(self.read, self.next);
        assert!(self.offered_at <= self.next, "{self:?}");
        self.behind.check(self.next);
        for block in self.sacks.shown(SACK_BLOCKS) {
            assert!(block == (0, 0) || (self.next < block.0 && block.0 < block.1), "{self:?}");
        }
    }

    /// `copied_seq`.
    pub(crate) const fn bytes_read(&self) -> u64 {
        self.read
    }

    /// `sk_rmem_alloc`.
    pub(crate) const fn all_memory(&self) -> u64 {
        self.taken()
    }

    /// Whether all received data was read.
    pub(crate) const fn is_drained(&self) -> bool {
        self.readable() == 0 && self.behind.is_empty()
    }
}
