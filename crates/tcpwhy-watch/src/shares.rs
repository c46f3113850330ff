//! How far a share of time can be trusted that was sampled.

/// 95 % of a normal distribution lie within so many standard deviations.
const DEVIATIONS: f64 = 1.96;

/// The range in which a share of time lies with 95 % that `samples` looks came to (E. B. Wilson, "Probable
/// inference", 1927): right also at 0, at 1 and for a handful of samples.
pub fn share_range(share: f64, samples: u64) -> (f64, f64) {
    if samples == 0 {
        return (0.0, 1.0);
    }
    let (share, n) = (share.clamp(0.0, 1.0), samples as f64);
    let square = DEVIATIONS * DEVIATIONS;
    let centre = (share + square / (2.0 * n)) / (1.0 + square / n);
    let half = DEVIATIONS / (1.0 + square / n) * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    ((centre - half).clamp(0.0, share), (centre + half).clamp(share, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_samples_tell_more() {
        // Half of the time, looked at ten times: 30 points to either side; a hundred times: ten.
        let (low, high) = share_range(0.5, 10);
        assert!((low - 0.24).abs() < 0.01 && (high - 0.76).abs() < 0.01, "{low} {high}");
        let (low, high) = share_range(0.5, 100);
        assert!((low - 0.40).abs() < 0.01 && (high - 0.60).abs() < 0.01, "{low} {high}");
    }

    #[test]
    fn the_ends_are_never_certain() {
        assert_eq!(share_range(0.3, 0), (0.0, 1.0));
        let (low, high) = share_range(1.0, 5);
        assert!(low > 0.5 && low < 0.6 && (high - 1.0).abs() < 1e-12, "{low}");
        let (low, high) = share_range(0.0, 5);
        assert!(low.abs() < 1e-12 && high > 0.4, "{high}");
    }
}
