//! A moment given on the command line.

use std::str::FromStr;

use tcpwhy_model::typed;

use crate::message::{Failure, failure};

/// A time from the first packet of a connection: `3.2s`, `3.2`, `150ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Nanoseconds.
    pub(crate) nanos: i64,
}

impl FromStr for Moment {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: Failure = failure("moment-expected");
        /// Longer than any connection, and far from what nanoseconds can count.
        const MOST: f64 = 1e9;
        let seconds = text.trim().parse().or_else(|_| typed::seconds(text)).map_err(|_| EXPECTED)?;
        if !(0.0..=MOST).contains(&seconds) {
            return Err(EXPECTED);
        }
        Ok(Self { nanos: (seconds * 1e9).round() as i64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        for (text, nanos) in
            [("3.2s", 3_200_000_000), ("3.2", 3_200_000_000), ("150ms", 150_000_000), ("20 us", 20_000), ("0", 0)]
        {
            assert_eq!(text.parse(), Ok(Moment { nanos }), "{text}");
        }
        for bad in ["", "s", "-1", "-1s", "1h", "nan", "inf", "1e300", "3,2s", "1.2-1.4"] {
            assert!(bad.parse::<Moment>().is_err(), "{bad}");
        }
    }
}
