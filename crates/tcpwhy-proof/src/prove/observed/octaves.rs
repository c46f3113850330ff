//! A weighted distribution over powers of two, and how far two of them are apart.

/// Steps per octave (a factor of two).
const STEPS: usize = 4;
/// 2⁴⁸ nanoseconds are three days, 2⁴⁸ bytes more than any transfer.
const BINS: usize = 48 * STEPS;

/// Weights of values by their logarithm, in quarters of an octave.
#[derive(Clone, Debug)]
pub(in crate::prove) struct Octaves {
    weights: Vec<f64>,
    total: f64,
    /// Smaller values count as this one: differences below it mean nothing.
    floor: u64,
}

impl Octaves {
    /// Values below `floor` (1 at least) are all alike.
    pub(super) fn above(floor: u64) -> Self {
        Self { weights: vec![0.0; BINS], total: 0.0, floor: floor.max(1) }
    }

    pub(super) fn add(&mut self, value: u64, weight: f64) {
        if weight > 0.0 {
            let octave = (value.max(self.floor) as f64).log2();
            let bin = ((octave * STEPS as f64) as usize).min(BINS - 1);
            self.weights[bin] += weight;
            self.total += weight;
        }
    }

    /// The value below which `share` of the weight lies: the middle of its bin.
    pub(in crate::prove) fn quantile(&self, share: f64) -> Option<f64> {
        if self.total <= 0.0 {
            return None;
        }
        let mut below = 0.0;
        let bin = self.weights.iter().position(|weight| {
            below += weight;
            below >= share * self.total
        })?;
        Some(((bin as f64 + 0.5) / STEPS as f64).exp2())
    }

    /// The same values, those over `most` counted as `most`.
    pub(in crate::prove) fn capped(&self, most: f64) -> Self {
        let last = ((most.max(1.0).log2() * STEPS as f64) as usize).min(BINS - 1);
        let mut capped = self.clone();
        let over: f64 = capped.weights.iter_mut().skip(last + 1).map(std::mem::take).sum();
        capped.weights[last] += over;
        capped
    }

    /// Mean factor by which values would have to change to become the other distribution, in octaves: the
    /// earth mover's distance of the logarithms. `None` where either has no value.
    pub(in crate::prove) fn distance(&self, other: &Self) -> Option<f64> {
        if self.total <= 0.0 || other.total <= 0.0 {
            return None;
        }
        let mut lead: f64 = 0.0;
        let moved: f64 = self
            .weights
            .iter()
            .zip(&other.weights)
            .map(|(mine, theirs)| {
                lead += mine / self.total - theirs / other.total;
                lead.abs()
            })
            .sum();
        Some(moved / STEPS as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[(u64, f64)]) -> Octaves {
        let mut octaves = Octaves::above(16);
        for &(value, weight) in values {
            octaves.add(value, weight);
        }
        octaves
    }

    /// A factor of two for all of the weight is an octave, for a quarter of it a quarter.
    #[test]
    fn distance_is_in_octaves() {
        let one = of(&[(1000, 3.0), (4000, 1.0)]);
        assert_eq!(one.distance(&one), Some(0.0));
        assert_eq!(one.distance(&of(&[(2000, 3.0), (8000, 1.0)])), Some(1.0));
        assert_eq!(one.distance(&of(&[(1000, 6.0), (8000, 2.0)])), Some(0.25));
        assert_eq!(one.distance(&of(&[])), None);
    }

    #[test]
    fn small_values_are_alike_and_large_ones_can_be_cut() {
        assert_eq!(of(&[(1, 1.0)]).distance(&of(&[(15, 1.0)])), Some(0.0));
        let wide = of(&[(1000, 1.0), (1 << 20, 1.0)]);
        assert_eq!(wide.capped(1000.0).distance(&of(&[(1000, 1.0)])), Some(0.0));
        let median = of(&[(100, 1.0), (1000, 8.0), (9000, 1.0)]).quantile(0.5).unwrap();
        assert!((900.0..1100.0).contains(&median), "{median}");
    }
}
