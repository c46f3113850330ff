//! A cumulative histogram with fixed bounds.

/// Upper bounds of round-trip times in seconds. Loopback takes tens of microseconds, a satellite 0.5 s. Steps
/// of about 3 are fine enough to distinguish a queue from a longer path.
const BOUNDS: [f64; 10] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, f64::INFINITY];

/// Counts of values up to fixed bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// Number of values above the previous bound and at most this one.
    counts: [u64; BOUNDS.len()],
    sum: f64,
}

impl Histogram {
    /// Number of series of a histogram: its buckets, count and sum.
    pub(crate) const SERIES: usize = BOUNDS.len() + 2;

    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        let index = BOUNDS.iter().position(|bound| value <= *bound).unwrap_or(BOUNDS.len() - 1);
        self.counts[index] += 1;
        self.sum += value;
    }

    /// Adds `count` values of at most `bound`. Their sum is added by [`Self::add_sum`], because single values
    /// are unknown.
    pub fn add_many(&mut self, bound: f64, count: u64) {
        let index = BOUNDS.iter().position(|known| bound <= *known).unwrap_or(BOUNDS.len() - 1);
        self.counts[index] += count;
    }

    /// Adds the sum of values that were counted by [`Self::add_many`].
    pub fn add_sum(&mut self, sum: f64) {
        self.sum += sum;
    }

    /// Bounds, each with the number of values up to it.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        let mut so_far = 0;
        BOUNDS.iter().zip(self.counts).map(move |(bound, count)| {
            so_far += count;
            (*bound, so_far)
        })
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Sum of the values.
    pub const fn sum(&self) -> f64 {
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_add_up() {
        let mut histogram = Histogram::default();
        for value in [0.00005, 0.0001, 0.02, 7.0] {
            histogram.add(value);
        }
        let buckets: Vec<(f64, u64)> = histogram.buckets().collect();
        assert_eq!((buckets[0], buckets[5], buckets[8].1), ((0.0001, 2), (0.03, 3), 3));
        assert_eq!((buckets[9].1, histogram.count()), (4, 4));
        assert!(buckets[9].0.is_infinite() && (histogram.sum() - 7.02015).abs() < 1e-9);
    }
}
