//! Rounding of the numbers in `truth.json`.

use tcpwhy_model::Timestamp;

/// Rounded to microseconds, because a double cannot represent the nanoseconds since the epoch.
pub(super) fn seconds(time: Timestamp) -> f64 {
    rounded(time.as_nanos() as f64 / 1e9, 6)
}

pub(super) fn rounded(value: f64, digits: i32) -> f64 {
    let factor = 10_f64.powi(digits);
    (value * factor).round() / factor
}
