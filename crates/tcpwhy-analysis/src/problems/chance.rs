//! Probability that chance alone divides connections like this.

/// Connections by whether they failed and whether they have a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parted {
    pub(super) failed_with: u64,
    pub(super) with: u64,
    pub(super) failed_without: u64,
    pub(super) without: u64,
}

impl Parted {
    /// Returns the probability that this many failures or more have the property, if it is independent of
    /// failing. This is Fisher's exact test, one-sided.
    pub(super) fn chance(self) -> f64 {
        let failed = self.failed_with + self.failed_without;
        let all = self.with + self.without;
        let most = failed.min(self.with);
        let ways = ln_choose(all, failed);
        let of = |count: u64| (ln_choose(self.with, count) + ln_choose(self.without, failed - count) - ways).exp();
        (self.failed_with..=most).map(of).sum()
    }
}

/// Returns the logarithm of the number of ways to choose `count` of `all`. It is minus infinity if `all` is
/// smaller.
fn ln_choose(all: u64, count: u64) -> f64 {
    if count > all {
        return f64::NEG_INFINITY;
    }
    // The shorter of both products has fewer factors.
    let count = count.min(all - count);
    (1..=count).map(|factor| ((all - count + factor) as f64 / factor as f64).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(failed_with: u64, with: u64, failed_without: u64, without: u64) -> f64 {
        Parted { failed_with, with, failed_without, without }.chance()
    }

    /// Fisher, "The design of experiments", 1935, §5: eight cups of tea, four with the milk first.
    #[test]
    fn a_lady_tastes_tea() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        near(chance(4, 4, 0, 4), 1.0 / 70.0);
        near(chance(3, 4, 1, 4), 17.0 / 70.0);
        near(chance(2, 4, 2, 4), 53.0 / 70.0);
        near(chance(0, 4, 4, 4), 1.0);
    }

    #[test]
    fn what_has_no_alternative_is_no_surprise() {
        assert!((chance(12, 12, 0, 0) - 1.0).abs() < 1e-9, "all have the property");
        assert!((chance(0, 0, 3, 9) - 1.0).abs() < 1e-9, "none has it");
        assert!((chance(5, 5, 80, 80) - 1.0).abs() < 1e-9, "all fail");
        assert!(chance(12, 12, 0, 80) < 1e-14);
        let large = chance(40, 2_000, 40, 6_000);
        assert!(large > 1e-7 && large < 1e-5, "{large}");
    }
}
