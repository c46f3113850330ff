//! Rows in the order of time, which are merged if there are too many.

/// A row that can represent a stretch of time.
pub(crate) trait Row {
    /// Start of the row, nanoseconds.
    fn time(&self) -> i64;

    /// Merges a later row into this one.
    fn merge(&mut self, later: &Self);
}

/// Rows in the order of their arrival. If there are more than `max`, time is divided into bins, and the rows
/// of a bin are merged. The width of the bins doubles until the rows fit, so the span need not be known, and
/// stretches without rows cost nothing.
#[derive(Clone, Debug)]
pub(crate) struct Binned<R> {
    rows: Vec<R>,
    max: usize,
    /// Width of the bins in nanoseconds; 0 while no row has been merged.
    width: i64,
}

impl<R: Row> Binned<R> {
    /// Rows that are merged only if there are more than `max`.
    pub(crate) fn new(max: usize) -> Self {
        Self { rows: Vec::new(), max: max.max(2), width: 0 }
    }

    /// Rows in bins of at least `width` nanoseconds.
    pub(crate) fn with_width(max: usize, width: i64) -> Self {
        Self { width, ..Self::new(max) }
    }

    /// Adds the next row.
    pub(crate) fn push(&mut self, row: R) {
        if self.width > 0
            && let Some(last) = self.rows.last_mut()
            && row.time().div_euclid(self.width) <= last.time().div_euclid(self.width)
        {
            last.merge(&row);
            return;
        }
        self.rows.push(row);
        if self.rows.len() > self.max {
            self.coarsen();
        }
    }

    /// Reduces the maximum number of rows to `max`.
    pub(crate) fn limit(&mut self, max: usize) {
        self.max = max.max(2);
        if self.rows.len() > self.max {
            self.coarsen();
        }
    }

    /// Doubles the width of the bins until at most three quarters of the rows are left.
    pub(crate) fn coarsen(&mut self) {
        let goal = (self.rows.len().min(self.max) * 3 / 4).max(1);
        if self.width == 0 {
            self.rows.sort_by_key(Row::time);
            let span = match (self.rows.first(), self.rows.last()) {
                (Some(first), Some(last)) => last.time() - first.time(),
                _ => 0,
            };
            self.width =
                (span / self.rows.len().max(1) as i64).max(1).cast_unsigned().next_power_of_two().cast_signed() / 2;
            self.width = self.width.max(1);
        }
        loop {
            let width = self.width;
            self.rows.dedup_by(|later, first| {
                let is_same = later.time().div_euclid(width) == first.time().div_euclid(width);
                if is_same {
                    first.merge(later);
                }
                is_same
            });
            if self.rows.len() <= goal || self.width > i64::MAX / 4 {
                return;
            }
            self.width *= 2;
        }
    }

    /// The rows in the order of time, and the width of their bins (0: none was merged).
    pub(crate) fn finish(mut self) -> (Vec<R>, i64) {
        self.rows.sort_by_key(Row::time);
        (self.rows, self.width)
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn last(&self) -> Option<&R> {
        self.rows.last()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Sum(i64, u64);

    impl Row for Sum {
        fn time(&self) -> i64 {
            self.0
        }

        fn merge(&mut self, later: &Self) {
            self.1 += later.1;
        }
    }

    #[test]
    fn few_rows_stay_as_they_are() {
        let mut b = Binned::new(4);
        for t in [3, 1, 7, 9] {
            b.push(Sum(t, 1));
        }
        assert_eq!(b.finish(), (vec![Sum(1, 1), Sum(3, 1), Sum(7, 1), Sum(9, 1)], 0));
    }

    #[test]
    fn a_fifth_row_cuts_time_into_bins() {
        let mut b = Binned::new(4);
        for t in [0, 1, 2, 9, 100] {
            b.push(Sum(t, 1));
        }
        // 100 / 5 = 20, and half of the next power of two is 16.
        assert_eq!(b.finish(), (vec![Sum(0, 4), Sum(100, 1)], 16));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_memory_is_bounded(
            steps in prop::collection::vec(0_i64..1_000_000, 1..2000),
            max in 2_usize..64,
        ) {
            let mut b = Binned::new(max);
            let mut t = 0;
            for step in &steps {
                t += step;
                b.push(Sum(t, 1));
                prop_assert!(b.len() <= max);
            }
            let (rows, width) = b.finish();
            prop_assert_eq!(rows.iter().map(|r| r.1).sum::<u64>(), steps.len() as u64);
            prop_assert!(rows.windows(2).all(|w| w[0].0 <= w[1].0));
            prop_assert!(width > 0 || rows.len() == steps.len());
            prop_assert!(width == 0 || rows.windows(2).all(|w| w[0].0 / width < w[1].0 / width));
        }
    }
}
