//! Durations in four bytes and in one byte, for values that every connection keeps.

/// A duration in units of about 1 µs. Durations above an hour saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Grains(u32);

impl Grains {
    /// Nanoseconds per unit.
    const SIZE: i64 = 1024;

    /// The largest value: more than an hour.
    pub(crate) const MOST: Self = Self(u32::MAX);

    /// Converts nanoseconds, rounded down.
    pub(crate) fn of(nanos: i64) -> Self {
        Self(u32::try_from(nanos.max(0) / Self::SIZE).unwrap_or(u32::MAX))
    }

    /// Nanoseconds; `None` for the largest value.
    pub(crate) fn nanos(self) -> Option<i64> {
        (self != Self::MOST).then(|| i64::from(self.0) * Self::SIZE)
    }
}

/// The longest of several durations, rounded up to 10 ms. Durations above 2.5 s saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Longest(u8);

impl Longest {
    /// Nanoseconds per unit.
    const SIZE: i64 = 10_000_000;

    /// Converts nanoseconds, rounded up, so that 0 means no duration.
    pub(crate) fn of(nanos: i64) -> Self {
        Self(u8::try_from(nanos.max(0) / Self::SIZE + 1).unwrap_or(u8::MAX))
    }

    /// Nanoseconds; 0 without any duration.
    pub(crate) fn nanos(self) -> i64 {
        i64::from(self.0) * Self::SIZE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_to_ten_milliseconds_upwards() {
        assert_eq!(Longest::default().nanos(), 0);
        for (nanos, expected) in [(0, 10), (9_999_999, 10), (10_000_000, 20), (2_539_999_999, 2_540), (i64::MAX, 2_550)]
        {
            assert_eq!(Longest::of(nanos).nanos(), expected * 1_000_000, "{nanos}");
        }
    }

    #[test]
    fn to_the_microsecond_up_to_an_hour() {
        for nanos in [0, 1, 1023, 1024, 1_000_000, 3_600_000_000_000] {
            let back = Grains::of(nanos).nanos().unwrap();
            assert!((0..Grains::SIZE).contains(&(nanos - back)), "{nanos} {back}");
        }
        assert_eq!(Grains::of(-1).nanos(), Some(0));
        assert_eq!(Grains::of(i64::MAX).nanos(), None);
    }
}
