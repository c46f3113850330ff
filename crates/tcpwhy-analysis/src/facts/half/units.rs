//! Units of time.

/// Nanoseconds.
pub(crate) const MILLISECOND: i64 = 1_000_000;
