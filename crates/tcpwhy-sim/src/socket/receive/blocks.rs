//! Which stretches SACK blocks report (`selective_acks`).

use crate::segment::{Range, SACK_BLOCKS};

/// `TCP_NUM_SACKS`.
const KEPT: usize = 4;

/// The last stretches that changed, the newest first. Those before them are forgotten: a stretch that grows
/// after that is reported by its new part only.
#[derive(Debug, Default)]
pub(super) struct Blocks(Vec<Range>);

impl Blocks {
    /// `tcp_sack_new_ofo_skb`: a segment came behind a hole.
    pub(super) fn note(&mut self, segment: Range) {
        if let Some(place) = self.0.iter().position(|&block| meets(block, segment)) {
            let mut grown = join(self.0.remove(place), segment);
            // `tcp_sack_maybe_coalesce`.
            self.0.retain(|&block| {
                let is_apart = !meets(grown, block);
                if !is_apart {
                    grown = join(grown, block);
                }
                is_apart
            });
            self.0.insert(0, grown);
            return;
        }
        self.0.truncate(KEPT - 1);
        self.0.insert(0, segment);
    }

    /// `tcp_sack_remove`: all before `next` has come.
    pub(super) fn forget_before(&mut self, next: u64) {
        self.0.retain(|&(begin, _)| begin > next);
    }

    /// What an ACK has room for.
    pub(super) fn newest(&self) -> [Range; SACK_BLOCKS] {
        let mut newest = [(0, 0); SACK_BLOCKS];
        for (one, &block) in newest.iter_mut().zip(&self.0) {
            *one = block;
        }
        newest
    }
}

/// `tcp_sack_extend`: they overlap, or one ends where the other begins.
const fn meets(one: Range, other: Range) -> bool {
    other.0 <= one.1 && one.0 <= other.1
}

fn join(one: Range, other: Range) -> Range {
    (one.0.min(other.0), one.1.max(other.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forgotten_stretch_is_reported_by_its_new_part() {
        let mut blocks = Blocks::default();
        for begin in [100, 300, 500, 700, 900] {
            blocks.note((begin, begin + 50));
        }
        assert_eq!(blocks.newest(), [(900, 950), (700, 750), (500, 550)]);
        // Four are known; 100 to 150 is not any more.
        blocks.note((350, 400));
        assert_eq!(blocks.newest()[0], (300, 400));
        blocks.note((150, 200));
        assert_eq!(blocks.newest(), [(150, 200), (300, 400), (900, 950)]);
    }

    #[test]
    fn blocks_join_where_the_gap_between_them_is_filled() {
        let mut blocks = Blocks::default();
        for begin in [100, 300, 500] {
            blocks.note((begin, begin + 100));
        }
        blocks.note((200, 300));
        assert_eq!(blocks.newest(), [(100, 400), (500, 600), (0, 0)]);
        blocks.forget_before(400);
        assert_eq!(blocks.newest(), [(500, 600), (0, 0), (0, 0)]);
    }
}
