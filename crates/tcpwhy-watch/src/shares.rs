//! How far a share of time can be trusted that was sampled.

use super::thresholds::DEVIATIONS;

/// The range that contains a share of time with 95 %, if it was sampled as often as `samples`. Source: E. B.
/// Wilson, "Probable inference", 1927. It is right also at 0, at 1 and for a handful of samples.
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

    /// Wilson's range of 3 in 10 and of 30 in 100, and shares that are none.
    #[test]
    fn a_range_is_wilsons() {
        for (share, samples, expected) in [
            (0.3, 10, (0.1078, 0.6032)),
            (0.3, 100, (0.2189, 0.3959)),
            (0.0, 1, (0.0, 0.7935)),
            (1.0, 1, (0.2065, 1.0)),
            (1.5, 10, (0.7225, 1.0)),
            (-0.5, 10, (0.0, 0.2775)),
        ] {
            let (low, high) = share_range(share, samples);
            assert!((low - expected.0).abs() < 1e-4 && (high - expected.1).abs() < 1e-4, "{share}: {low} {high}");
        }
    }
}
