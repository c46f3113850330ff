//! Data after a hole (`out_of_order_queue`).

#[cfg(test)]
mod invariants;

use std::collections::VecDeque;

use super::stored::{Buffer, Stored};
use crate::segment::Range;

/// Contiguous data after a hole.
#[derive(Debug)]
struct Stretch {
    range: Range,
    buffers: VecDeque<Buffer>,
}

/// All ranges of data after a hole.
#[derive(Debug)]
pub(super) struct Behind {
    stretches: Vec<Stretch>,
    memory: u64,
    stored: Stored,
}

/// Result of adding data after a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// The data was there already.
    Again,
    /// The data was merged into the buffer before it.
    Joined,
    /// The data has its own buffer.
    Apart,
}

impl Behind {
    pub(super) const fn new(stored: Stored) -> Self {
        Self { stretches: Vec::new(), memory: 0, stored }
    }

    pub(super) const fn memory(&self) -> u64 {
        self.memory
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// `tcp_data_queue_ofo`: adds data and merges it with its neighbours.
    pub(super) fn add(&mut self, (begin, end): Range, memory: u64) -> Added {
        let is_there = |one: &Stretch| one.range.0 <= begin && end <= one.range.1;
        if self.stretches.iter().any(is_there) {
            return Added::Again;
        }
        let mut joined = Stretch { range: (begin, end), buffers: VecDeque::new() };
        if let Some(before) = self.take(|one| one.range.0 < begin && begin <= one.range.1) {
            joined = Stretch { range: (before.range.0, end), ..before };
        }
        let buffer = Buffer::new(self.stored, begin, end, memory);
        let more = joined.buffers.back_mut().and_then(|last| last.join(buffer, self.stored));
        self.memory += more.unwrap_or(memory);
        if more.is_none() {
            joined.buffers.push_back(buffer);
        }
        while let Some(after) = self.take(|one| begin <= one.range.0 && one.range.0 <= end) {
            joined.range.1 = joined.range.1.max(after.range.1);
            joined.buffers.extend(after.buffers);
        }
        self.stretches.push(joined);
        if more.is_some() { Added::Joined } else { Added::Apart }
    }

    fn take(&mut self, is_it: impl Fn(&Stretch) -> bool) -> Option<Stretch> {
        let place = self.stretches.iter().position(is_it)?;
        Some(self.stretches.remove(place))
    }

    /// Removes the buffers of a range that begins at or before `next` (`tcp_ofo_queue`).
    pub(super) fn take_until(&mut self, next: u64) -> Option<VecDeque<Buffer>> {
        let stretch = self.take(|one| one.range.0 <= next)?;
        self.memory -= stretch.buffers.iter().map(|buffer| buffer.memory).sum::<u64>();
        Some(stretch.buffers)
    }

    /// The end of the last range.
    pub(super) fn last_end(&self) -> Option<u64> {
        self.stretches.iter().map(|one| one.range.1).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_join() {
        let mut behind = Behind::new(Stored::AsSent(10));
        assert_eq!(behind.add((300, 400), 110), Added::Apart);
        assert_eq!(behind.add((100, 200), 110), Added::Apart);
        assert_eq!(behind.add((320, 380), 70), Added::Again);
        assert_eq!(behind.add((200, 300), 110), Added::Joined);
        assert_eq!((behind.memory(), behind.last_end()), (320, Some(400)));
        assert_eq!(behind.take_until(99), None);
        let buffers: Vec<_> = behind.take_until(100).unwrap().iter().map(|one| (one.end, one.memory)).collect();
        assert_eq!(buffers, [(300, 210), (400, 110)]);
        assert!(behind.is_empty() && behind.memory() == 0);
    }

    /// A buffer can have at most 17 pages.
    #[test]
    fn long_stretches_have_several_buffers() {
        let mut behind = Behind::new(Stored::AsSent(10));
        for n in 1..=18 {
            let added = behind.add((1_000 * n, 1_000 * (n + 1)), 1_010);
            assert_eq!(added == Added::Joined, n != 1 && n != 18, "{n}");
        }
        assert_eq!((behind.memory(), behind.take_until(1_000).unwrap().len()), (18_020, 2));
    }
}
