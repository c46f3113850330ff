use tcpwhy_model::Distribution;

/// A weighted distribution in bounded memory: sparse logarithmic buckets 1.6 % wide. A bucket keeps the mean of what fell
/// into it, so a constant comes back exactly.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sketch {
    buckets: Vec<Bucket>,
    /// The bucket of what was added last, that value, and the weight of it that is not in the bucket yet: most values come
    /// several times in a row.
    last: usize,
    repeated: u64,
    waiting: f64,
    min: u64,
    max: u64,
    weight: f64,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    index: u16,
    weight: f64,
    weighted_sum: f64,
}

impl Bucket {
    fn add(&mut self, value: u64, weight: f64) {
        self.weight += weight;
        self.weighted_sum += weight * value as f64;
    }
}

impl Sketch {
    /// Sub-buckets per power of two, as a shift.
    const PRECISION: u32 = 6;
    /// Buckets that most sketches fill.
    const USUAL: usize = 16;

    fn index(value: u64) -> u16 {
        if value < 1 << Self::PRECISION {
            return value as u16;
        }
        let exponent = value.ilog2();
        let mantissa = (value >> (exponent - Self::PRECISION)) & ((1 << Self::PRECISION) - 1);
        (((exponent - Self::PRECISION + 1) << Self::PRECISION) + mantissa as u32) as u16
    }

    /// Adds `value` with `weight`; weights that are not positive are ignored.
    #[inline]
    pub(crate) fn add(&mut self, value: u64, weight: f64) {
        if weight <= 0.0 {
            return;
        }
        self.weight += weight;
        if value == self.repeated && self.waiting > 0.0 {
            self.waiting += weight;
        } else {
            self.change_to(value, weight);
        }
    }

    /// Another value than the one that waits.
    #[inline(never)]
    fn change_to(&mut self, value: u64, weight: f64) {
        if let Some(bucket) = self.buckets.get_mut(self.last) {
            bucket.add(self.repeated, self.waiting);
            self.min = self.min.min(value);
            self.max = self.max.max(value);
        } else {
            (self.min, self.max) = (value, value);
        }
        self.last = self.place_of(Self::index(value));
        self.repeated = value;
        self.waiting = weight;
    }

    /// The place of a bucket, which is made if there is none.
    fn place_of(&mut self, index: u16) -> usize {
        match self.buckets.get(self.last) {
            Some(b) if b.index == index => return self.last,
            // Most values lie near the one before.
            Some(b) if b.index < index => match self.buckets.get(self.last + 1) {
                Some(next) if next.index == index => return self.last + 1,
                _ => {}
            },
            _ => {}
        }
        self.buckets.binary_search_by_key(&index, |b| b.index).unwrap_or_else(|at| {
            if self.buckets.is_empty() {
                self.buckets.reserve(Self::USUAL);
            }
            self.buckets.insert(at, Bucket { index, weight: 0.0, weighted_sum: 0.0 });
            at
        })
    }

    /// The value at or under which `share` of the weight lies.
    pub(crate) fn quantile(&self, share: f64) -> Option<u64> {
        let target = self.weight * share;
        let mut seen = 0.0;
        for (at, bucket) in self.buckets.iter().enumerate() {
            let mut bucket = *bucket;
            if at == self.last {
                bucket.add(self.repeated, self.waiting);
            }
            seen += bucket.weight;
            if seen >= target {
                return Some(((bucket.weighted_sum / bucket.weight).round() as u64).clamp(self.min, self.max));
            }
        }
        self.buckets.last().map(|_| self.max)
    }

    /// Five points of it; `None` when nothing was added.
    pub(crate) fn distribution(&self) -> Option<Distribution> {
        Some(Distribution {
            min: (self.weight > 0.0).then_some(self.min)?,
            median: self.quantile(0.5)?,
            p95: self.quantile(0.95)?,
            max: self.max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_exact_and_quantiles_are_within_two_percent() {
        let mut s = Sketch::default();
        s.add(16_384, 1.0);
        assert_eq!(s.distribution().map(|d| d.median), Some(16_384));
        let mut s = Sketch::default();
        for v in 1..=100_000_u64 {
            s.add(v, 1.0);
        }
        let d = s.distribution().unwrap();
        assert!((d.median as f64 / 50_000.0 - 1.0).abs() < 0.02, "{d:?}");
        assert!((d.p95 as f64 / 95_000.0 - 1.0).abs() < 0.02, "{d:?}");
        assert_eq!((d.min, d.max), (1, 100_000));
        assert!(s.buckets.len() < 900);
        s.add(u64::MAX, 1.0);
        assert_eq!(s.distribution().unwrap().max, u64::MAX);
    }
}
