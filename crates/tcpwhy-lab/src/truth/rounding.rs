//! Numbers as the truth is written.

use tcpwhy_model::Timestamp;

/// A double holds the microseconds since the epoch, not the nanoseconds.
pub(super) fn seconds(time: Timestamp) -> f64 {
    rounded(time.as_nanos() as f64 / 1e9, 6)
}

pub(super) fn rounded(value: f64, digits: i32) -> f64 {
    let factor = 10_f64.powi(digits);
    (value * factor).round() / factor
}
