//! How far runs of one transfer differ.

/// Runs of one situation differ by as much.
pub(super) const NOISE: f64 = 0.05;
