use std::collections::BTreeMap;

/// Limit of extents, about 40 MB of memory. Members that follow one another are one extent.
const MOST: usize = 1 << 20;

/// Used parts of a file, which do not overlap.
#[derive(Debug)]
pub(crate) struct Extents {
    /// Ends of the parts, by their starts.
    ends: BTreeMap<u64, u64>,
    /// Minimum length of a part in bytes.
    shortest: u64,
}

impl Extents {
    /// Creates an empty set for parts of at least `shortest` bytes. Smaller gaps are closed, because they
    /// cannot contain a part.
    pub(crate) const fn with_gaps_below(shortest: u64) -> Self {
        Self { ends: BTreeMap::new(), shortest }
    }

    /// Adds the bytes from `start` to `end`. Returns false if some are used already, or if there are too many
    /// parts.
    pub(crate) fn add(&mut self, start: u64, end: u64) -> bool {
        let before = self.ends.range(..=start).next_back().map(|(&start, &end)| (start, end));
        let after = self.ends.range(start..).next().map(|(&start, &end)| (start, end));
        if before.is_some_and(|(_, taken)| taken > start) || after.is_some_and(|(taken, _)| taken < end) {
            return false;
        }
        let first = before.filter(|&(_, taken)| start - taken < self.shortest);
        let last = after.filter(|&(taken, _)| taken - end < self.shortest);
        if let Some((next, _)) = last {
            self.ends.remove(&next);
        }
        self.ends.insert(first.map_or(start, |(start, _)| start), last.map_or(end, |(_, end)| end));
        self.ends.len() <= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_is_one_extent() {
        let mut extents = Extents::with_gaps_below(30);
        for member in 0..1000 {
            // Each member is followed by a data descriptor of 16 bytes.
            assert!(extents.add(member * 100, member * 100 + 84));
        }
        assert_eq!(extents.ends.len(), 1);
        for (start, end) in [(0, 84), (50, 60), (83, 90), (99_900, 100_000)] {
            assert!(!extents.add(start, end), "{start} to {end}");
        }
    }

    #[test]
    fn any_order_gives_the_same() {
        // Whether two parts overlap does not depend on their order.
        let parts = [(0, 40), (40, 90), (200, 260), (100, 200), (39, 41), (150, 210), (0, 260), (89, 100)];
        for (a, first) in parts.iter().enumerate() {
            for (b, second) in parts.iter().enumerate().filter(|(b, _)| *b != a) {
                let mut extents = Extents::with_gaps_below(30);
                assert!(extents.add(first.0, first.1));
                let is_apart = first.1 <= second.0 || second.1 <= first.0;
                assert_eq!(extents.add(second.0, second.1), is_apart, "{a} and {b}");
            }
        }
    }
}
