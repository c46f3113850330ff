//! A time range on the command line.

use std::str::FromStr;

use crate::message::{Failure, failure};

/// `FROM-TO` in seconds: `1.2-1.4`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    /// First instant.
    pub(crate) from: f64,
    /// Last instant.
    pub(crate) to: f64,
}

impl Stretch {
    /// Both ends in nanoseconds.
    pub(crate) fn nanos(self) -> (i64, i64) {
        ((self.from * 1e9) as i64, (self.to * 1e9) as i64)
    }
}

impl FromStr for Stretch {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: Failure = failure("stretch-expected");
        let (from, to) = text.split_once('-').ok_or(EXPECTED)?;
        let seconds = |word: &str| word.parse::<f64>().ok().filter(|s| (0.0..=1e9).contains(s)).ok_or(EXPECTED);
        let (from, to) = (seconds(from)?, seconds(to)?);
        if from < to { Ok(Self { from, to }) } else { Err(EXPECTED) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches() {
        assert_eq!("1.2-1.4".parse(), Ok(Stretch { from: 1.2, to: 1.4 }));
        assert_eq!("0-2".parse::<Stretch>().unwrap().nanos(), (0, 2_000_000_000));
        for bad in ["", "1", "2-1", "1-1", "-1-2", "a-b", "1-inf", "nan-1", "1-1e300"] {
            assert!(bad.parse::<Stretch>().is_err(), "{bad}");
        }
    }
}
