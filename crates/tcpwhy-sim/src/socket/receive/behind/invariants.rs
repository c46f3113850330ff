//! Invariants of data after a hole at any moment.

use super::Behind;

impl Behind {
    /// Checks that the ranges are after `next` and separate, and their memory.
    pub(crate) fn check(&self, next: u64) {
        let mut ranges: Vec<_> = self.stretches.iter().map(|one| one.range).collect();
        ranges.sort_unstable();
        for &(from, to) in &ranges {
            assert!(next < from && from < to, "{next}: {self:?}");
        }
        for pair in ranges.windows(2) {
            assert!(pair[0].1 < pair[1].0, "{self:?}");
        }
        let mut memory = 0;
        for stretch in &self.stretches {
            memory += stretch.buffers.iter().map(|buffer| buffer.memory).sum::<u64>();
            let last = stretch.buffers.iter().map(|buffer| buffer.end).max();
            assert_eq!(last, Some(stretch.range.1), "{self:?}");
        }
        assert_eq!(self.memory, memory, "{self:?}");
    }
}
