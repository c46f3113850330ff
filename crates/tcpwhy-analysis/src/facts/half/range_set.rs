/// Disjoint, sorted byte ranges `[start, end)`.
///
/// **Bounded:** when the set is full, the nearest ranges are joined, so it may cover bytes that were never
/// inserted. Joining the nearest adds the fewest bytes to the data that the receiver reports.
#[derive(Clone, Debug, Default)]
pub(crate) struct RangeSet {
    ranges: Vec<(u64, u64)>,
    total: u64,
}

impl RangeSet {
    const MAX_RANGES: usize = 256;
    /// Number of pairs joined at once when there are more ranges.
    const JOINED: usize = 16;

    /// Adds `[start, end)`; returns how many bytes were new.
    pub(crate) fn insert(&mut self, start: u64, end: u64) -> u64 {
        if end <= start {
            return 0;
        }
        // The common case: a range that continues or follows the last one.
        if let Some(last) = self.ranges.last_mut()
            && start >= last.0
            && start <= last.1
        {
            let grown = end.saturating_sub(last.1);
            last.1 = last.1.max(end);
            self.total += grown;
            return grown;
        }
        let from = self.ranges.partition_point(|r| r.1 < start);
        let to = self.ranges.partition_point(|r| r.0 <= end);
        let joined = &self.ranges[from..to];
        let covered: u64 = joined.iter().map(|r| r.1 - r.0).sum();
        let low = joined.first().map_or(start, |r| r.0.min(start));
        let high = joined.last().map_or(end, |r| r.1.max(end));
        self.ranges.splice(from..to, [(low, high)]);
        let grown = (high - low) - covered;
        self.total += grown;
        if self.ranges.len() > Self::MAX_RANGES {
            self.join_nearest();
        }
        debug_assert!(self.ranges.len() <= Self::MAX_RANGES, "{} ranges", self.ranges.len());
        grown
    }

    /// Removes everything below `floor`.
    pub(crate) fn drop_below(&mut self, floor: u64) {
        let Some(first) = self.ranges.first() else { return };
        if first.0 >= floor {
            return;
        }
        let gone = self.ranges.partition_point(|r| r.1 <= floor);
        self.total -= self.ranges.drain(..gone).map(|r| r.1 - r.0).sum::<u64>();
        if let Some(first) = self.ranges.first_mut()
            && first.0 < floor
        {
            self.total -= floor - first.0;
            first.0 = floor;
        }
    }

    /// Bytes in all ranges.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether all of `[start, end)` is inside one range.
    pub(crate) fn contains(&self, start: u64, end: u64) -> bool {
        let at = self.ranges.partition_point(|r| r.1 <= start);
        self.ranges.get(at).is_some_and(|r| r.0 <= start && end <= r.1)
    }

    /// Highest byte end, if any.
    pub(crate) fn highest(&self) -> Option<u64> {
        self.ranges.last().map(|r| r.1)
    }

    /// Joins the nearest ranges, [`Self::JOINED`] pairs at once, so that a full set is not searched for every
    /// new range.
    #[cold]
    fn join_nearest(&mut self) {
        let mut gaps = [(0, 0); Self::MAX_RANGES];
        for ((i, pair), gap) in self.ranges.windows(2).enumerate().zip(&mut gaps) {
            *gap = (pair[1].0 - pair[0].1, i);
        }
        // There is one range more than there are gaps, so all gaps are set.
        let (_, &mut widest, _) = gaps.select_nth_unstable(Self::JOINED - 1);
        let mut at = 0;
        self.ranges.dedup_by(|right, left| {
            let gap = (right.0 - left.1, at);
            at += 1;
            let is_joined = gap <= widest;
            if is_joined {
                self.total += gap.0;
                left.1 = right.1;
            }
            is_joined
        });
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        self.ranges.capacity() * size_of::<(u64, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_counts_and_removes() {
        let mut s = RangeSet::default();
        assert_eq!(s.insert(10, 20), 10);
        assert_eq!(s.insert(30, 40), 10);
        assert_eq!(s.insert(15, 35), 10);
        assert_eq!(s.total(), 30);
        assert!(s.contains(10, 40));
        s.drop_below(12);
        assert_eq!(s.total(), 28);
        assert_eq!(s.highest(), Some(40));
        assert_eq!(s.insert(0, 5), 5);
        assert_eq!(s.total(), 33);
    }

    #[test]
    fn stays_bounded_and_consistent() {
        let mut s = RangeSet::default();
        for i in 0..10_000_u64 {
            s.insert((i * 7919) % 1_000_003 * 10, (i * 7919) % 1_000_003 * 10 + 3);
        }
        assert!(s.ranges.len() <= RangeSet::MAX_RANGES);
        assert_eq!(s.total(), s.ranges.iter().map(|r| r.1 - r.0).sum::<u64>());
        assert!(s.ranges.windows(2).all(|w| w[0].1 < w[1].0));
    }
}
