//! How often values were at most so large.

/// Bounds of round trips in seconds: a loopback takes tens of microseconds, a satellite half a second; three
/// steps a power of ten tell a queue from a path.
const BOUNDS: [f64; 10] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, f64::INFINITY];

/// Counts of values up to fixed bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// Values over the bound before and at most this one.
    counts: [u64; BOUNDS.len()],
    sum: f64,
}

impl Histogram {
    /// Series that one has: its buckets, count and sum.
    pub(crate) const SERIES: usize = BOUNDS.len() + 2;

    /// Takes in a value.
    pub fn add(&mut self, value: f64) {
        let index = BOUNDS.iter().position(|bound| value <= *bound).unwrap_or(BOUNDS.len() - 1);
        self.counts[index] += 1;
        self.sum += value;
    }

    /// Takes in so many values of at most `bound`, of which nobody knows more than their sum: that is added
    /// by [`Self::add_sum`].
    pub fn add_many(&mut self, bound: f64, count: u64) {
        let index = BOUNDS.iter().position(|known| bound <= *known).unwrap_or(BOUNDS.len() - 1);
        self.counts[index] += count;
    }

    /// What values that were counted by [`Self::add_many`] add up to.
    pub fn add_sum(&mut self, sum: f64) {
        self.sum += sum;
    }

    /// Bounds, each with how many values were at most so large.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        let mut so_far = 0;
        BOUNDS.iter().zip(self.counts).map(move |(bound, count)| {
            so_far += count;
            (*bound, so_far)
        })
    }

    /// How many values there were.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// What they add up to.
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
