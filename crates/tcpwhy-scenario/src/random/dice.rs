//! Random numbers that are always the same for the same seed.

use crate::splitmix::{GAMMA, mix};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// The stream of transfer `index` of `seed`.
    pub(super) fn new(seed: u64, index: u32) -> Self {
        let mut dice = Self(seed ^ u64::from(index).wrapping_mul(0xd1b5_4a32_d192_ed03));
        dice.next();
        dice
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        mix(self.0)
    }

    /// Draws from [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws uniformly between the two.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// Draws with a log-uniform distribution: as likely between 1 and 2 as between 10 and 20. The result has
    /// two digits, as people choose numbers, so that it survives being written to a file.
    pub(super) fn log(&mut self, low: f64, high: f64) -> f64 {
        let drawn = (self.between(low.ln(), high.ln())).exp();
        let digits = 10_f64.powf(drawn.log10().floor() - 1.0);
        ((drawn / digits).round() * digits).clamp(low, high)
    }

    /// Draws true in `percent` of 100 cases.
    pub(super) fn percent(&mut self, percent: u32) -> bool {
        self.unit() * 100.0 < f64::from(percent)
    }

    /// Draws one of these.
    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[(self.next() % of.len() as u64) as usize]
    }
}
