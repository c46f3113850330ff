//! Sizes of the peer's segments with payload, and whether they come before all sent data has arrived.

/// Number of sizes followed at the same time: window updates and block requests come alone or several
/// together.
const SIZES: usize = 8;

/// The peer's segments between turns of this side that are large enough for a window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WordSizes {
    sizes: [Size; SIZES],
    /// Segments with payload of the peer.
    words: u32,
    /// Segments with the size of an earlier one.
    alike: u32,
    /// Segments that came before all sent data had arrived.
    early: u32,
}

/// Segments of one size, less those of unknown sizes since (the algorithm of Misra and Gries).
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    bytes: u64,
    votes: u32,
}

/// The peer's segments that a direction received between its turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordsBetween {
    /// Segments with payload of the peer.
    pub(crate) words: u32,
    /// Segments with the size of an earlier one.
    pub(crate) alike: u32,
    /// Segments that came before all sent data had arrived.
    pub(crate) early: u32,
}

impl WordSizes {
    /// Records a segment of `bytes`.
    pub(super) fn note(&mut self, bytes: u64) {
        self.words = self.words.saturating_add(1);
        if let Some(size) = self.sizes.iter_mut().find(|size| size.votes > 0 && size.bytes == bytes) {
            size.votes = size.votes.saturating_add(1);
            self.alike = self.alike.saturating_add(1);
        } else if let Some(free) = self.sizes.iter_mut().find(|size| size.votes == 0) {
            *free = Size { bytes, votes: 1 };
        } else {
            self.sizes.iter_mut().for_each(|size| size.votes -= 1);
        }
    }

    /// Records a segment that shows that not all sent data has arrived.
    pub(super) fn note_early(&mut self) {
        self.early = self.early.saturating_add(1);
    }

    pub(super) const fn all(&self) -> WordsBetween {
        WordsBetween { words: self.words, alike: self.alike, early: self.early }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(sizes: impl IntoIterator<Item = u64>) -> WordsBetween {
        let mut all = WordSizes::default();
        sizes.into_iter().for_each(|bytes| all.note(bytes));
        all.all()
    }

    /// Two window updates come in one segment or in two.
    #[test]
    fn sizes_that_repeat_are_alike() {
        let grants = noted([13, 26, 26, 13, 39, 26, 13, 26]);
        assert_eq!((grants.words, grants.alike), (8, 5));
    }

    #[test]
    fn requests_of_many_sizes_are_not() {
        let requests = noted((0..100).map(|n| 200 + n * 37 % 90));
        assert_eq!(requests.words, 100);
        assert!(requests.alike < 25, "{requests:?}");
    }

    /// Other sizes at the beginning matter only briefly.
    #[test]
    fn early_words_make_room() {
        let words = noted((0..20).chain([36; 80]));
        assert!(words.alike >= 70, "{words:?}");
    }
}
