use tcpwhy_model::Distribution;

/// A weighted distribution with sparse logarithmic buckets 1.6 % wide. A bucket stores the mean of its
/// values, so a constant is returned exactly.
///
/// **Bounded:** beyond `MAX_BUCKETS` buckets, they become twice as wide. This needs values spread over more
/// than fifteen powers of two.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    buckets: Vec<Bucket>,
    /// Bucket of the last value, the value, and its weight that is not yet in the bucket. Most values come
    /// several times in a row.
    last: u32,
    /// Number of times that buckets became twice as wide.
    coarsened: u32,
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
    /// Largest number of buckets. More would be slow to shift if values come in descending order.
    const MAX_BUCKETS: usize = 1024;
    /// Buckets that most sketches fill.
    const USUAL: usize = 16;

    /// Frees unused memory, if few or no values will follow.
    pub fn shrink(&mut self) {
        self.buckets.shrink_to_fit();
    }

    fn index(&self, value: u64) -> u16 {
        Self::fine_index(value) >> self.coarsened
    }

    fn fine_index(value: u64) -> u16 {
        if value < 1 << Self::PRECISION {
            return value as u16;
        }
        let exponent = value.ilog2();
        let mantissa = (value >> (exponent - Self::PRECISION)) & ((1 << Self::PRECISION) - 1);
        (((exponent - Self::PRECISION + 1) << Self::PRECISION) + mantissa as u32) as u16
    }

    /// Adds `value` with `weight`; weights that are not positive are ignored.
    #[inline]
    pub fn add(&mut self, value: u64, weight: f64) {
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

    /// Stores the pending weight, and begins another value.
    #[inline(never)]
    fn change_to(&mut self, value: u64, weight: f64) {
        if let Some(bucket) = self.buckets.get_mut(self.last as usize) {
            bucket.add(self.repeated, self.waiting);
            self.min = self.min.min(value);
            self.max = self.max.max(value);
        } else {
            (self.min, self.max) = (value, value);
        }
        if self.buckets.len() >= Self::MAX_BUCKETS {
            self.coarsen();
        }
        self.last = self.place_of(self.index(value)) as u32;
        debug_assert!(self.buckets.len() <= Self::MAX_BUCKETS, "{} buckets", self.buckets.len());
        self.repeated = value;
        self.waiting = weight;
    }

    /// Returns the place of a bucket, which is created if needed. Most values are close to the one before.
    fn place_of(&mut self, index: u16) -> usize {
        let last = self.last as usize;
        let at = |place: usize| self.buckets.get(place).map(|b| b.index);
        let found = match at(last) {
            Some(here) if here == index => Ok(last),
            Some(here) if here < index => match at(last + 1) {
                Some(next) if next == index => Ok(last + 1),
                Some(next) if next < index => self.search(index),
                _ => Err(last + 1),
            },
            _ => self.search(index),
        };
        found.unwrap_or_else(|at| {
            self.make(at, index);
            at
        })
    }

    /// Returns the place of the bucket, or the place to insert it.
    #[inline(never)]
    fn search(&self, index: u16) -> Result<usize, usize> {
        self.buckets.binary_search_by_key(&index, |b| b.index)
    }

    #[inline(never)]
    fn make(&mut self, at: usize, index: u16) {
        if self.buckets.is_empty() {
            self.buckets.reserve(Self::USUAL);
        }
        self.buckets.insert(at, Bucket { index, weight: 0.0, weighted_sum: 0.0 });
    }

    /// Merges pairs of buckets until half of them are free. No weight may be pending for the last bucket.
    #[cold]
    fn coarsen(&mut self) {
        while self.buckets.len() > Self::MAX_BUCKETS / 2 && self.coarsened < u16::BITS {
            self.coarsened += 1;
            self.buckets.iter_mut().for_each(|b| b.index >>= 1);
            self.buckets.dedup_by(|later, kept| {
                let is_one = later.index == kept.index;
                if is_one {
                    kept.weight += later.weight;
                    kept.weighted_sum += later.weighted_sum;
                }
                is_one
            });
        }
        self.last = 0;
    }

    /// Returns the same values, each larger by `more`, but none below 0.
    #[must_use]
    pub fn moved(&self, more: i64) -> Self {
        let mut moved = Self::default();
        self.each(|value, weight| moved.add(value.saturating_add_signed(more), weight));
        if self.weight > 0.0 {
            (moved.min, moved.max) = (self.min.saturating_add_signed(more), self.max.saturating_add_signed(more));
        }
        moved.shrink();
        moved
    }

    /// Returns the sum of all values.
    pub fn sum(&self) -> i64 {
        let mut sum = 0.0;
        self.each(|value, weight| sum += value as f64 * weight);
        sum as i64
    }

    /// Passes the mean of each bucket with its weight to `take`, the smallest first.
    pub fn each(&self, mut take: impl FnMut(u64, f64)) {
        for (at, bucket) in self.buckets.iter().enumerate() {
            let mut bucket = *bucket;
            if at == self.last as usize {
                bucket.add(self.repeated, self.waiting);
            }
            if bucket.weight > 0.0 {
                take((bucket.weighted_sum / bucket.weight).round() as u64, bucket.weight);
            }
        }
    }

    /// Adds a value of one connection, for sums over connections: they may come in any order.
    pub fn count(&mut self, value: u64) {
        self.add(Self::summable(value), 1.0);
    }

    /// Rounds `value` to 33 significant bits, one part in 10¹⁰. A bucket's values have nearly the same
    /// leading bit. So the `f64` sum of a million of them is exact, and does not depend on their order.
    fn summable(value: u64) -> u64 {
        const BITS: u32 = 33;
        let lost = (u64::BITS - value.leading_zeros()).saturating_sub(BITS);
        value >> lost << lost
    }

    /// Adds each bucket's mean of `other`, with its weight. If weights are counts, the sums of several do not
    /// depend on their order.
    pub fn merge(&mut self, other: &Self) {
        other.each(|value, weight| self.add(Self::summable(value), weight));
        if other.weight > 0.0 {
            (self.min, self.max) = (self.min.min(other.min), self.max.max(other.max));
        }
    }

    /// Returns the bytes of memory beyond the value's own size.
    pub fn heap(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    /// Returns the value at or below which `share` of the weight is.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let target = self.weight * share;
        let mut seen = 0.0;
        for (at, bucket) in self.buckets.iter().enumerate() {
            let mut bucket = *bucket;
            if at == self.last as usize {
                bucket.add(self.repeated, self.waiting);
            }
            seen += bucket.weight;
            if seen >= target {
                return Some(((bucket.weighted_sum / bucket.weight).round() as u64).clamp(self.min, self.max));
            }
        }
        self.buckets.last().map(|_| self.max)
    }

    /// Returns the minimum, median, 95 % quantile and maximum; `None` if nothing was added.
    pub fn distribution(&self) -> Option<Distribution> {
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
    use proptest::prelude::*;

    use super::*;

    /// Connections of weeks, whose sums in nanoseconds exceed the integers that `f64` represents exactly.
    #[test]
    fn sums_over_connections_do_not_depend_on_their_order() {
        let values: Vec<u64> = (0..2_000_u64).map(|n| 1_404_000_000_000_000 + n * n * 7_919 % 999_983).collect();
        let sum = |values: &mut dyn Iterator<Item = &u64>| {
            let (mut counted, mut merged) = (Sketch::default(), Sketch::default());
            values.for_each(|&value| {
                counted.count(value);
                let mut one = Sketch::default();
                one.add(value, 1.0);
                merged.merge(&one);
            });
            [counted, merged].map(|sketch| sketch.distribution().map(|d| (d.median, d.p95)))
        };
        assert_eq!(sum(&mut values.iter()), sum(&mut values.iter().rev()));
        assert_eq!(Sketch::summable(8_000_000_001), 8_000_000_001);
        assert_eq!(Sketch::summable(u64::MAX), u64::MAX >> 31 << 31);
    }

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

    /// Returns the value at or below which `share` of the weight is, from all values themselves.
    fn exact(items: &[(u64, u32)], share: f64) -> u64 {
        let mut sorted = items.to_vec();
        sorted.sort_unstable();
        let target = sorted.iter().map(|i| f64::from(i.1)).sum::<f64>() * share;
        let mut seen = 0.0;
        sorted
            .iter()
            .find(|i| {
                seen += f64::from(i.1);
                seen >= target
            })
            .map_or(0, |i| i.0)
    }

    fn sketch(items: &[(u64, u32)]) -> Sketch {
        let mut sketch = Sketch::default();
        for &(value, weight) in items {
            sketch.add(value, f64::from(weight));
        }
        sketch
    }

    fn quantiles(sketch: &Sketch) -> Vec<Option<u64>> {
        (0..=20).map(|i| sketch.quantile(f64::from(i) / 20.0)).collect()
    }

    /// Values with weights: of every size, close together, and repeated. The weights are whole, so sums are
    /// exact.
    fn items() -> impl Strategy<Value = Vec<(u64, u32)>> {
        let value = prop_oneof![0_u64..300, 20_000_u64..22_000, 0_u64..1 << 30, Just(0), Just(65_535), Just(21_000)];
        prop::collection::vec((value, 1_u32..50), 1..200)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn quantiles_are_within_a_bucket(items in items()) {
            let sketch = sketch(&items);
            for i in 0..=20 {
                let share = f64::from(i) / 20.0;
                let (found, exact) = (sketch.quantile(share).unwrap(), exact(&items, share));
                prop_assert!(found.abs_diff(exact) <= exact / 64, "{} of the weight: {}, not {}", share, found, exact);
            }
            let told = sketch.distribution().unwrap();
            prop_assert_eq!(Some(told.min), items.iter().map(|i| i.0).min());
            prop_assert_eq!(Some(told.max), items.iter().map(|i| i.0).max());
        }

        #[test]
        fn order_does_not_matter(items in items(), turn in 0_usize..200) {
            let expected = quantiles(&sketch(&items));
            let mut other = items.clone();
            other.rotate_left(turn % items.len());
            prop_assert_eq!(&quantiles(&sketch(&other)), &expected);
            other.reverse();
            prop_assert_eq!(&quantiles(&sketch(&other)), &expected);
            other.sort_unstable();
            prop_assert_eq!(&quantiles(&sketch(&other)), &expected);
        }

        /// A weight that is added at once, in consecutive parts, or in parts with others between them.
        #[test]
        fn repeats_do_not_matter(items in items(), parts in 1_u32..5) {
            let expected = quantiles(&sketch(&items));
            let split = |&(value, weight): &(u64, u32)| {
                (0..parts).map(move |i| (value, (weight + i) / parts)).filter(|i| i.1 > 0)
            };
            let mut row: Vec<_> = items.iter().flat_map(split).collect();
            prop_assert_eq!(&quantiles(&sketch(&row)), &expected);
            let half = row.len() / 2;
            row.rotate_left(half);
            row.sort_by_key(|i| i.1);
            prop_assert_eq!(&quantiles(&sketch(&row)), &expected);
        }
    }

    #[test]
    fn a_repeated_value_counts_before_another_comes() {
        let mut s = sketch(&[(10, 3), (1000, 1)]);
        assert_eq!(s.quantile(0.5), Some(10));
        for _ in 0..4 {
            s.add(1000, 1.0);
        }
        assert_eq!(s.quantile(0.5), Some(1000));
        s.add(7, 0.0);
        s.add(7, -1.0);
        assert_eq!(s.distribution().map(|d| (d.min, d.max)), Some((10, 1000)));
        assert_eq!(Sketch::default().distribution(), None);
    }
}
