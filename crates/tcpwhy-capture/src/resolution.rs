use tcpwhy_model::Timestamp;

/// Nanoseconds in a second.
const NANOS: u64 = 1_000_000_000;

/// Clock of an interface: `if_tsresol` and `if_tsoffset` (draft-ietf-opsawg-pcapng §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resolution {
    unit: Unit,
    /// Added to every timestamp, in nanoseconds.
    offset: i128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Nanoseconds per tick.
    Nanos(u64),
    /// Ticks per nanosecond.
    PerNano(u128),
    /// 2ⁿ ticks per second.
    PowerOfTwo(u32),
}

impl Default for Resolution {
    /// Microseconds since the epoch, the default without these options.
    fn default() -> Self {
        Self { unit: Unit::Nanos(1000), offset: 0 }
    }
}

impl Resolution {
    /// `tsresol` as written: 10⁻ⁿ seconds, or 2⁻ⁿ with the top bit set.
    pub(crate) fn with_tsresol(self, tsresol: u8) -> Self {
        let exponent = u32::from(tsresol & 0x7f);
        let unit = if tsresol & 0x80 != 0 {
            Unit::PowerOfTwo(exponent)
        } else if exponent <= 9 {
            Unit::Nanos(10u64.pow(9 - exponent))
        } else {
            // With more than 10³⁸ ticks per nanosecond, every 64-bit count is below 1 ns.
            Unit::PerNano(10u128.checked_pow(exponent - 9).unwrap_or(u128::MAX))
        };
        Self { unit, ..self }
    }

    /// `tsoffset` as written: seconds, of either sign.
    pub(crate) fn with_tsoffset(self, seconds: i64) -> Self {
        Self { offset: i128::from(seconds) * i128::from(NANOS), ..self }
    }

    /// The instant of a tick count. Fractions of a nanosecond are truncated; instants outside the years 1677
    /// to 2262 saturate.
    #[inline]
    pub(crate) fn timestamp(self, ticks: u64) -> Timestamp {
        if let Unit::Nanos(tick) = self.unit
            && self.offset == 0
            && let Some(nanos) = ticks.checked_mul(tick).and_then(|nanos| i64::try_from(nanos).ok())
        {
            return Timestamp::from_nanos(nanos);
        }
        self.wide_timestamp(ticks)
    }

    #[cold]
    fn wide_timestamp(self, ticks: u64) -> Timestamp {
        let ticks = u128::from(ticks);
        let nanos = match self.unit {
            Unit::Nanos(tick) => ticks * u128::from(tick),
            Unit::PerNano(ticks_per_nano) => ticks / ticks_per_nano,
            Unit::PowerOfTwo(exponent) => (ticks * u128::from(NANOS)) >> exponent,
        };
        let nanos = nanos as i128 + self.offset;
        Timestamp::from_nanos(nanos.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tsresol: u8, tsoffset: i64, ticks: u64, nanos: i64) {
        let resolution = Resolution::default().with_tsresol(tsresol).with_tsoffset(tsoffset);
        assert_eq!(resolution.timestamp(ticks).as_nanos(), nanos);
    }

    #[test]
    fn powers_of_ten() {
        assert_eq!(Resolution::default().timestamp(1_500_000).as_nanos(), 1_500_000_000);
        check(0, 0, 7, 7_000_000_000);
        check(3, 0, 7, 7_000_000);
        check(6, 0, 7, 7_000);
        check(9, 0, 1_700_000_000_123_456_789, 1_700_000_000_123_456_789);
        check(12, 0, 1_700_000_000_123_456_789, 1_700_000_000_123_456);
        check(12, 0, 999, 0);
        check(28, 0, u64::MAX, 1);
        check(127, 0, u64::MAX, 0);
    }

    #[test]
    fn powers_of_two() {
        check(0x80, 0, 3, 3_000_000_000);
        check(0x8a, 0, 1024 + 512, 1_500_000_000);
        check(0xa0, 0, (1_700_000_000 << 32) | 0x8000_0000, 1_700_000_000_500_000_000);
        check(0xff, 0, u64::MAX, 0);
    }

    #[test]
    fn offsets_of_either_sign() {
        check(6, 1_000_000_000, 1, 1_000_000_000_000_001_000);
        check(9, -10, 3_000_000_001, -6_999_999_999);
        check(6, i64::MIN, 5, i64::MIN);
        check(0, i64::MAX, u64::MAX, i64::MAX);
    }

    #[test]
    fn counts_beyond_the_clock_saturate() {
        check(6, 0, u64::MAX, i64::MAX);
        check(9, 0, u64::MAX, i64::MAX);
        check(9, -9_223_372_037, i64::MAX as u64 + 1, -145_224_192);
    }
}
