//! Quantiles of many numbers in little memory.

/// Counts of numbers by size, with an error of at most 1/32.
#[derive(Clone, Debug)]
pub(super) struct Histogram {
    counts: Vec<u64>,
    count: u64,
    max: u64,
}

const STEPS: u32 = 5;

impl Histogram {
    pub(super) fn new() -> Self {
        Self { counts: vec![0; bucket(u64::MAX) + 1], count: 0, max: 0 }
    }

    pub(super) fn add(&mut self, value: u64, times: u64) {
        self.counts[bucket(value)] += times;
        self.count += times;
        self.max = self.max.max(value);
    }

    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    pub(super) const fn max(&self) -> u64 {
        self.max
    }

    /// The smallest bound that at least this share of the numbers does not exceed; 0 if there are none.
    pub(super) fn quantile(&self, share: f64) -> u64 {
        let wanted = (self.count as f64 * share).ceil() as u64;
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted && seen > 0 {
                return upper(index).min(self.max);
            }
        }
        0
    }
}

/// Bucket of a value, by its exponent and the five bits after its leading bit.
const fn bucket(value: u64) -> usize {
    if value < 1 << STEPS {
        return value as usize;
    }
    let exponent = value.ilog2() - STEPS;
    ((exponent as usize) << STEPS) + (value >> exponent) as usize
}

/// Largest number of a bucket.
const fn upper(bucket: usize) -> u64 {
    if bucket < 1 << STEPS {
        return bucket as u64;
    }
    let exponent = (bucket >> STEPS) - 1;
    let head = (bucket - (exponent << STEPS)) as u128;
    (((head + 1) << exponent) - 1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_its_bucket() {
        for value in
            (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + (1 << bit) / 3]).chain([u64::MAX])
        {
            assert!(upper(bucket(value)) >= value, "{value}");
            assert!(upper(bucket(value)) - value <= value / 32, "{value}");
            assert!(bucket(value) == 0 || upper(bucket(value) - 1) < value, "{value}");
        }
    }

    #[test]
    fn quantiles() {
        let mut histogram = Histogram::new();
        assert_eq!(histogram.quantile(0.99), 0);
        for value in 1..=1000 {
            histogram.add(value * 1000, 1);
        }
        assert!((500_000..520_000).contains(&histogram.quantile(0.5)));
        assert!((990_000..=1_000_000).contains(&histogram.quantile(0.99)));
        assert_eq!(histogram.max(), 1_000_000);
    }
}
