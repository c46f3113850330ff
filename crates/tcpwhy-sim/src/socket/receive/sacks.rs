//! Contents of SACK blocks (`selective_acks`): the four ranges that changed last.

use crate::segment::{Range, SACK_BLOCKS};

/// `TCP_NUM_SACKS`.
const BLOCKS: usize = 4;
/// `TCP_SACK_BLOCKS_EXPECTED`: number of blocks that fit even with a D-SACK.
const EXPECTED: usize = 2;

/// The blocks, newest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Sacks(Vec<Range>);

/// `tcp_sack_extend`.
fn extend(block: &mut Range, range: Range) -> bool {
    let touches = range.0 <= block.1 && block.0 <= range.1;
    if touches {
        *block = (block.0.min(range.0), block.1.max(range.1));
    }
    touches
}

impl Sacks {
    /// Whether a compressed ACK must be sent before this range is added, because it reports a block that may
    /// be dropped.
    pub(super) fn forgets_with(&self, range: Range) -> bool {
        self.place(range) >= EXPECTED
    }

    fn place(&self, (begin, end): Range) -> usize {
        self.0.iter().position(|block| begin <= block.1 && block.0 <= end).unwrap_or(self.0.len())
    }

    /// `tcp_sack_new_ofo_skb`.
    pub(super) fn add(&mut self, range: Range) {
        let place = self.place(range);
        if place < self.0.len() {
            let mut block = self.0.remove(place);
            extend(&mut block, range);
            // `tcp_sack_maybe_coalesce`.
            self.0.retain(|other| !extend(&mut block, *other));
            self.0.insert(0, block);
        } else {
            self.0.truncate(BLOCKS - 1);
            self.0.insert(0, range);
        }
    }

    /// `tcp_sack_remove`: all data before `next` is in order.
    pub(super) fn remove_before(&mut self, next: u64, has_holes: bool) {
        self.0.retain(|block| has_holes && block.0 > next);
    }

    /// The blocks of a segment with room for `room` blocks.
    pub(super) fn shown(&self, room: usize) -> [Range; SACK_BLOCKS] {
        let mut blocks = [(0, 0); SACK_BLOCKS];
        for (block, shown) in blocks.iter_mut().zip(self.0.iter().take(room)) {
            *block = *shown;
        }
        blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_shown_and_the_fifth_is_forgotten() {
        let mut sacks = Sacks::default();
        for n in 1..=5 {
            assert_eq!(sacks.forgets_with((100 * n, 100 * n + 10)), n > 2);
            sacks.add((100 * n, 100 * n + 10));
        }
        assert_eq!(sacks.shown(3), [(500, 510), (400, 410), (300, 310), (0, 0)]);
        assert_eq!(sacks.shown(2), [(500, 510), (400, 410), (0, 0), (0, 0)]);
        // The first block was dropped, so data after it is a block of its own.
        sacks.add((110, 120));
        assert_eq!(sacks.shown(3)[0], (110, 120));
        sacks.add((310, 400));
        assert_eq!(sacks.shown(3), [(300, 410), (110, 120), (500, 510), (0, 0)]);
        sacks.remove_before(410, true);
        assert_eq!(sacks.shown(3), [(500, 510), (0, 0), (0, 0), (0, 0)]);
    }
}
