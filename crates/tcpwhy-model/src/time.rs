use std::fmt;

/// Nanoseconds since the Unix epoch on the capture's clock. The clock may step back, so timestamps may be out
/// of order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The epoch.
    pub const ZERO: Self = Self(0);

    /// From nanoseconds since the epoch.
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the epoch.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// Signed nanoseconds from `earlier` to `self`, saturating.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// This instant plus `nanos` (of either sign), saturating.
    #[must_use]
    pub const fn plus(self, nanos: i64) -> Self {
        Self(self.0.saturating_add(nanos))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:09}", self.0.div_euclid(1_000_000_000), self.0.rem_euclid(1_000_000_000))
    }
}

/// A half-open interval of time, `[start, end)`. Never negative: `end < start` is stored as empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    start: Timestamp,
    end: Timestamp,
}

impl Span {
    /// `[start, end)`; empty if `end` is before `start`.
    pub fn new(start: Timestamp, end: Timestamp) -> Self {
        Self { start, end: end.max(start) }
    }

    /// First instant.
    pub const fn start(self) -> Timestamp {
        self.start
    }

    /// First instant after the span.
    pub const fn end(self) -> Timestamp {
        self.end
    }

    /// Length in nanoseconds, never negative.
    pub const fn nanos(self) -> i64 {
        self.end.since(self.start)
    }

    /// Length in seconds.
    pub fn seconds(self) -> f64 {
        self.nanos() as f64 / 1e9
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_before_the_epoch_print_and_subtract() {
        let t = Timestamp::from_nanos(-1);
        assert_eq!(t.to_string(), "-1.999999999");
        assert_eq!(Timestamp::from_nanos(i64::MAX).since(Timestamp::from_nanos(i64::MIN)), i64::MAX);
    }

    #[test]
    fn a_span_is_never_negative() {
        let s = Span::new(Timestamp::from_nanos(5), Timestamp::from_nanos(3));
        assert_eq!(s.nanos(), 0);
        assert_eq!(s.end(), Timestamp::from_nanos(5));
    }
}
