//! Durations in bins of a logarithmic scale, for the histograms of the overview.

use tcpwhy_analysis::Sketch;

/// Number of bins of a histogram. A set of bins must fit the 53 exact bits of a number in JavaScript.
pub(crate) const BINS: usize = 50;
/// Number of bins per decade.
pub(crate) const PER_DECADE: u32 = 5;
/// Start of the second bin, seconds. The first bin has all shorter durations; no exchange over a network is
/// so short.
pub(crate) const LEAST_S: f64 = 1e-5;

/// Number of durations in each bin.
pub(crate) type Counts = [u32; BINS];

/// The bin of a duration in nanoseconds; the last bin has all longer ones.
pub(crate) fn bin_of(nanos: u64) -> usize {
    let decades = (nanos as f64 / 1e9 / LEAST_S).log10();
    if decades < 0.0 || nanos == 0 {
        return 0;
    }
    // A boundary belongs to the bin that it begins, so the rounding of its logarithm must not matter.
    ((decades * f64::from(PER_DECADE) + 1e-9) as usize + 1).min(BINS - 1)
}

/// Adds the durations of `sketch` to `counts`, and returns a set of bits, one per bin that has some.
pub(crate) fn add(counts: &mut Counts, sketch: &Sketch) -> u64 {
    let mut bits = 0;
    sketch.each(|nanos, weight| {
        let bin = bin_of(nanos);
        counts[bin] = counts[bin].saturating_add(weight.round() as u32);
        bits |= 1 << bin;
    });
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_is_a_fifth_of_a_decade() {
        assert_eq!([0, 9_999].map(bin_of), [0, 0]);
        // Durations of 10 µs, 15.9 µs, 100 µs, 1 ms and 1 s.
        assert_eq!([10_000, 15_900, 100_000, 1_000_000, 1_000_000_000].map(bin_of), [1, 2, 6, 11, 26]);
        assert_eq!(bin_of(u64::MAX), BINS - 1);
        const { assert!(BINS < 53) };
    }

    #[test]
    fn a_sketch_is_counted_whole() {
        let mut sketch = Sketch::default();
        sketch.add(1_000_000, 3.0);
        sketch.add(40_000_000, 1.0);
        let mut counts = [0; BINS];
        let bits = add(&mut counts, &sketch);
        assert_eq!(counts.iter().sum::<u32>(), 4);
        assert_eq!((counts[11], counts[19], bits), (3, 1, 1 << 11 | 1 << 19));
    }
}
