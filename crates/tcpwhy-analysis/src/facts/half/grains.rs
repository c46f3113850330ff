//! Times in four bytes, for what every connection keeps.

/// A time that has passed, to the microsecond. What lasts longer than an hour is "an hour or more".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Grains(u32);

impl Grains {
    /// Nanoseconds in one.
    const SIZE: i64 = 1024;

    /// An hour or more.
    pub(crate) const MOST: Self = Self(u32::MAX);

    /// Rounded down.
    pub(crate) fn of(nanos: i64) -> Self {
        Self(u32::try_from(nanos.max(0) / Self::SIZE).unwrap_or(u32::MAX))
    }

    /// Nanoseconds; `None` for an hour or more.
    pub(crate) fn nanos(self) -> Option<i64> {
        (self != Self::MOST).then(|| i64::from(self.0) * Self::SIZE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
