//! What came behind a hole (`out_of_order_queue`).

use super::blocks::Blocks;
use crate::segment::{Range, SACK_BLOCKS};

/// Stretches that came behind a hole.
#[derive(Debug, Default)]
pub(super) struct Behind {
    stretches: Vec<(Range, u64)>,
    memory: u64,
    blocks: Blocks,
}

impl Behind {
    pub(super) const fn memory(&self) -> u64 {
        self.memory
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// Adds a stretch, joined to its neighbours; whether any of it is new.
    pub(super) fn add(&mut self, begin: u64, end: u64, memory: u64) -> bool {
        self.blocks.note((begin, end));
        let is_there = |&((from, to), _): &(Range, u64)| from <= begin && end <= to;
        if self.stretches.iter().any(is_there) {
            return false;
        }
        let (mut joined, mut all) = ((begin, end), memory);
        self.memory += memory;
        self.stretches.retain(|&((from, to), memory)| {
            let is_apart = to < joined.0 || from > joined.1;
            if !is_apart {
                joined = (joined.0.min(from), joined.1.max(to));
                all += memory;
            }
            is_apart
        });
        self.stretches.push((joined, all));
        true
    }

    /// A stretch that begins at `next` or before: its end, and its memory.
    pub(super) fn take_until(&mut self, next: u64) -> Option<(u64, u64)> {
        let Some(place) = self.stretches.iter().position(|&((from, _), _)| from <= next) else {
            self.blocks.forget_before(next);
            return None;
        };
        let ((_, end), memory) = self.stretches.remove(place);
        self.memory -= memory;
        Some((end, memory))
    }

    /// SACK blocks, the newest first.
    pub(super) fn newest(&self) -> [Range; SACK_BLOCKS] {
        self.blocks.newest()
    }

    /// The end of the stretch behind all others.
    pub(super) fn last_end(&self) -> Option<u64> {
        self.stretches.iter().map(|&((_, end), _)| end).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_join_and_the_newest_comes_first() {
        let mut behind = Behind::default();
        assert!(behind.add(300, 400, 10));
        assert!(behind.add(100, 200, 10));
        assert!(!behind.add(320, 380, 10));
        assert_eq!(behind.newest(), [(300, 400), (100, 200), (0, 0)]);
        assert!(behind.add(200, 300, 10));
        assert_eq!((behind.newest()[0], behind.memory(), behind.last_end()), ((100, 400), 30, Some(400)));
        assert_eq!(behind.take_until(99), None);
        assert_eq!(behind.take_until(100), Some((400, 30)));
        assert!(behind.is_empty() && behind.memory() == 0);
    }
}
