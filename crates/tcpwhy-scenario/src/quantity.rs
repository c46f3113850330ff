//! Quantities of scenarios: strings with units in TOML, plain numbers in the code.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tcpwhy_model::{Message, typed};

/// A number of bytes: `"64KiB"`, `"22MB"`; k and M are powers of 1000, Ki and Mi of 1024.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, schemars(with = "String", extend("pattern" = pattern::BYTES, "x-unit" = "bytes")))]
pub struct Bytes(pub u64);

/// A length of time in nanoseconds: `"20ms"`, `"2s"`, `"100us"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, schemars(with = "String", extend("pattern" = pattern::TIME, "x-unit" = "time")))]
pub struct Nanos(pub u64);

/// A rate in bits per second: `"100mbit"`, `"1gbit"`, `"12.5MB/s"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, schemars(with = "String", extend("pattern" = pattern::RATE, "x-unit" = "bits per second")))]
pub struct BitRate(pub u64);

/// A share between 0 and 1: `"1%"`, `"0.5%"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, schemars(with = "String", extend("pattern" = pattern::SHARE, "x-unit" = "share")))]
pub struct Share(pub f64);

impl Nanos {
    /// Whole seconds.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds * 1_000_000_000)
    }

    /// Seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl From<Nanos> for Duration {
    fn from(nanos: Nanos) -> Self {
        Self::from_nanos(nanos.0)
    }
}

impl BitRate {
    /// How long `bytes` take at this rate, nanoseconds.
    pub fn nanos_for(self, bytes: u64) -> u64 {
        (u128::from(bytes) * 8_000_000_000 / u128::from(self.0.max(1))) as u64
    }
}

impl FromStr for Bytes {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        typed::bytes(text).map(Self)
    }
}

impl FromStr for Nanos {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let seconds = typed::seconds(text)?;
        if seconds > 1e6 {
            return Err(Message::new("scenario-time"));
        }
        Ok(Self((seconds * 1e9).round() as u64))
    }
}

impl FromStr for BitRate {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        typed::bits_per_sec(text).map(|bits| Self(bits.round() as u64))
    }
}

impl FromStr for Share {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let percent = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
        match percent {
            Some(percent) if (0.0..=100.0).contains(&percent) => Ok(Self(percent / 100.0)),
            _ => Err(Message::new("scenario-share")),
        }
    }
}

/// The largest unit that leaves a whole number, so that what is written reads back as the same.
fn in_units(f: &mut fmt::Formatter<'_>, value: u64, units: &[(u64, &str)]) -> fmt::Result {
    let (factor, unit) =
        units.iter().find(|(factor, _)| value.is_multiple_of(*factor) && value > 0).unwrap_or(&units[units.len() - 1]);
    write!(f, "{}{unit}", value / factor)
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [
            (1_000_000_000, "GB"),
            (1_000_000, "MB"),
            (1 << 40, "TiB"),
            (1 << 30, "GiB"),
            (1 << 20, "MiB"),
            (1024, "KiB"),
            (1000, "kB"),
            (1, "B"),
        ];
        in_units(f, self.0, &units)
    }
}

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.is_multiple_of(1000) {
            return write!(f, "{}us", self.0 as f64 / 1e3);
        }
        in_units(f, self.0, &[(1_000_000_000, "s"), (1_000_000, "ms"), (1000, "us")])
    }
}

impl fmt::Display for BitRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        in_units(
            f,
            self.0,
            &[(1_000_000_000_000, "tbit"), (1_000_000_000, "gbit"), (1_000_000, "mbit"), (1000, "kbit"), (1, "bit")],
        )
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Ten decimals: what is left behind them is not the share but the way it is held.
        write!(f, "{}%", (self.0 * 1e12).round() / 1e10)
    }
}

macro_rules! as_text {
    ($($name:ident),*) => {$(
        impl TryFrom<String> for $name {
            type Error = Message;

            fn try_from(text: String) -> Result<Self, Message> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }
    )*};
}

as_text!(Bytes, Nanos, BitRate, Share);

/// What editors check as it is typed: the units of `tcpwhy_model::typed`.
#[cfg(test)]
mod pattern {
    pub(super) const BYTES: &str = r"^\s*[0-9]*\.?[0-9]*\s*([kKmMgGtT][iI]?)?[bB]?\s*$";
    pub(super) const TIME: &str = r"^\s*[0-9]*\.?[0-9]*\s*([mMuUµ]?[sS])\s*$";
    pub(super) const RATE: &str = r"^\s*[0-9]*\.?[0-9]*\s*([kKmMgGtT]?[bB][iI][tT](/[sS])?|[kKmMgG][bB]/[sS])\s*$";
    pub(super) const SHARE: &str = r"^\s*[0-9]*\.?[0-9]*\s*%\s*$";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for value in [0, 1, 999, 1000, 1024, 16_384, 22_000_000, 1 << 20, 123_456_789, 1 << 40, 3_000_000_000_000] {
            assert_eq!(Bytes(value).to_string().parse(), Ok(Bytes(value)));
            assert_eq!(Nanos(value).to_string().parse(), Ok(Nanos(value)));
            assert_eq!(BitRate(value.max(1)).to_string().parse(), Ok(BitRate(value.max(1))));
        }
        for (bytes, shown) in [(1 << 40, "1TiB"), (3 << 30, "3GiB"), (2_000_000_000, "2GB"), (64 << 10, "64KiB")] {
            assert_eq!(Bytes(bytes).to_string(), shown);
        }
        assert_eq!(BitRate(900_000_000_000_000).to_string(), "900tbit");
        assert_eq!("0.05%".parse(), Ok(Share(0.0005)));
        assert!("1".parse::<Share>().is_err());
        assert!("101%".parse::<Share>().is_err());
    }

    #[test]
    fn serialisation_takes_bits() {
        assert_eq!("100mbit".parse::<BitRate>().unwrap().nanos_for(1250), 100_000);
    }
}
