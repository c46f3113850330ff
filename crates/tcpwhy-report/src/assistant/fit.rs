//! Shortening of answers: the least important parts are left out until an answer is small enough.

use serde::Serialize;

/// Largest size of an answer, bytes.
pub const MOST_BYTES: usize = 4000;

/// An answer that can be shortened.
pub trait Fit: Serialize {
    /// Leaves out the least important part; false if nothing more can be left out.
    fn shorten(&mut self) -> bool;
}

/// `answer` as JSON of at most `most` bytes, or as short as it can be made.
pub fn fit(mut answer: impl Fit, most: usize) -> String {
    loop {
        let text = serde_json::to_string(&answer).unwrap_or_default();
        if text.len() <= most || !answer.shorten() {
            return text;
        }
    }
}

/// Removes the last entry while more than `least` are left; false if no more may go.
pub(super) fn pop<T>(list: &mut Vec<T>, least: usize) -> bool {
    let can = list.len() > least;
    if can {
        list.pop();
    }
    can
}

/// The sentences that exist, each on one line without the columns of a table.
pub(super) fn sentences(all: [Option<String>; 4]) -> Vec<String> {
    let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    all.into_iter().flatten().filter(|text| !text.is_empty()).map(one_line).collect()
}

/// Rounds to four significant digits: the other digits of a measured value are noise.
pub(super) fn short(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let digits = 3 - value.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.unsigned_abs().min(12) as i32);
    if digits < 0 { (value / scale).round() * scale } else { (value * scale).round() / scale }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_are_left() {
        for (value, expected) in [(0.0, 0.0), (1.234_56, 1.235), (0.000_123_456, 0.000_123_5), (98_765.4, 98_770.0)] {
            assert!((short(value) - expected).abs() < 1e-12, "{value}");
        }
        assert_eq!(serde_json::to_string(&short(24.899_999)).unwrap(), "24.9");
        assert_eq!(serde_json::to_string(&short(791_412_345.0)).unwrap(), "791400000.0");
    }
}
