//! The CPU share for watching, parsed from the command line.

use std::str::FromStr;

use crate::message::{Failure, failure};

/// A share of one processor, over 0 and at most 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CpuShare(pub(crate) f64);

impl FromStr for CpuShare {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let share = match text.strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
            None => text.parse(),
        };
        match share {
            // A share below 0.001 would not pay for any scan.
            Ok(share) if (0.001..=1.0).contains(&share) => Ok(Self(share)),
            _ => Err(failure("cpu-share-expected")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_processor() {
        assert_eq!("1%".parse(), Ok(CpuShare(0.01)));
        assert_eq!("0.5".parse(), Ok(CpuShare(0.5)));
        for bad in ["", "0", "0.01%", "200%", "-1%", "nan", "x"] {
            assert!(bad.parse::<CpuShare>().is_err(), "{bad}");
        }
    }
}
