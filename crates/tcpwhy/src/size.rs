//! Quantities on the command line: `1500`, `64k`, `10MB`, `20ms`, `100mbit`.

use std::str::FromStr;

use tcpwhy_model::{Rate, typed};

use crate::message::Failure;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

impl FromStr for Size {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        Ok(Self(typed::bytes(text)?))
    }
}

/// A size for `setsockopt` or `write`, as [`Size`]: `16k` is 16,000 bytes, `16KiB` 16,384. `max` is the
/// largest `int`; `-1` is a common way to write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BufferSize(pub(crate) i32);

impl FromStr for BufferSize {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        Ok(Self(typed::buffer_size(text)?))
    }
}

/// A round-trip time in seconds: `20ms`, `350us`, `0.2s`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoundTrip(pub(crate) f64);

impl FromStr for RoundTrip {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        Ok(Self(typed::round_trip_seconds(text)?))
    }
}

/// A bandwidth: `100mbit`, `1gbit`, `12.5MB/s`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bandwidth(pub(crate) Rate);

impl FromStr for Bandwidth {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        Ok(Self(Rate::from_bits_per_sec(typed::bits_per_sec(text)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in
            [("1500", 1500), ("64k", 64_000), ("1.5MB", 1_500_000), ("1GiB", 1 << 30), ("10 kib", 10_240)]
        {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        assert!("".parse::<Size>().is_err());
        assert!("10x".parse::<Size>().is_err());
        assert!("-1".parse::<Size>().is_err());
    }

    #[test]
    fn buffer_sizes_are_read_as_other_sizes_are() {
        for (text, bytes) in [
            ("16k", 16_000),
            ("16K", 16_000),
            ("16KiB", 16_384),
            ("4MiB", 4 << 20),
            ("1.5m", 1_500_000),
            ("100kB", 100_000),
            ("212992", 212_992),
            ("0", 0),
            ("max", i32::MAX),
            ("-1", -1),
        ] {
            assert_eq!(text.parse(), Ok(BufferSize(bytes)), "{text}");
        }
        for text in ["", "k", "-2", "3g", "2GiB", "16x", "1e9", "nan", "inf"] {
            assert!(text.parse::<BufferSize>().is_err(), "{text}");
        }
    }

    #[test]
    fn times_and_rates_need_units() {
        for (text, seconds) in [("20ms", 0.02), ("350us", 0.000_35), ("0.2s", 0.2)] {
            assert_eq!(text.parse(), Ok(RoundTrip(seconds)), "{text}");
        }
        for text in ["20", "0ms", "-1ms", "1h", "", "nanms"] {
            assert!(text.parse::<RoundTrip>().is_err(), "{text}");
        }
        for (text, bits) in [("100mbit", 1e8), ("1Gbit/s", 1e9), ("12.5MB/s", 1e8), ("64 kbit", 64e3)] {
            assert_eq!(text.parse(), Ok(Bandwidth(Rate::from_bits_per_sec(bits))), "{text}");
        }
        for text in ["100", "100M", "100mbps", "0mbit", "12.5MB", ""] {
            assert!(text.parse::<Bandwidth>().is_err(), "{text}");
        }
    }
}
