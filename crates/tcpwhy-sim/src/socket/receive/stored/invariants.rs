//! Invariants of a receive queue at any moment.

use super::Queue;

impl Queue {
    /// Checks that the buffers are contiguous from `read` to `next`, and their memory.
    pub(crate) fn check(&self, read: u64, next: u64) {
        let mut at = read;
        for buffer in &self.all {
            assert!(buffer.end > at, "{self:?}");
            at = buffer.end;
        }
        // The buffer of a bare FIN may be freed with the data before it.
        assert!(at == next || self.all.is_empty(), "{next}: {self:?}");
        assert_eq!(self.memory, self.all.iter().map(|buffer| buffer.memory).sum::<u64>(), "{self:?}");
    }
}
