//! How a program writes or reads.

use serde::{Deserialize, Serialize};
use tcpwhy_model::Message;

use super::call_size::check_call;
use super::link::check_rate;
use super::refusal::{Checked, Refusal};
use super::{BitRate, Bytes, Nanos};

/// How data is written: 64 KiB at a time unless said otherwise.
pub type Writer = Calls<{ 64 * 1024 }>;

/// How data is read: at most 256 KiB at a time unless said otherwise.
pub type Reader = Calls<{ 256 * 1024 }>;

/// One `send()` or `recv()` after the other, of `SIZE` bytes unless `size` says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Calls<const SIZE: u64> {
    /// Bytes of one call, at most; 64KiB where it writes and 256KiB where it reads unless said otherwise.
    #[serde(default = "usual::<SIZE>")]
    #[cfg_attr(test, schemars(extend("x-range" = "1B to 64MiB")))]
    pub size: Bytes,
    /// Rest before the first.
    #[serde(default)]
    pub delay: Nanos,
    /// Bits per second at which data is produced or taken, in portions, one each `every`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "8kbit to 100gbit")))]
    pub rate: Option<BitRate>,
    /// With `rate`: the time between portions; with `portion`: the rest after each, when it has been moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "more than 0")))]
    pub every: Option<Nanos>,
    /// Moves so much, then rests for `every`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "more than 0")))]
    pub portion: Option<Bytes>,
    /// With `portion`: each portion and each rest is drawn, and `portion` and `every` are their means.
    /// `uniform`: evenly from 0 to twice the mean. `log`: over a factor of 16, small ones as often as large
    /// ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub varies: Option<Varies>,
    /// Where the program waits until the socket takes or has data: in the call itself, or in `poll()` as
    /// forwarders do.
    #[serde(default)]
    pub waits: Waits,
}

/// How portions and rests spread around their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Varies {
    /// Evenly from 0 to twice the mean.
    Uniform,
    /// As likely in each octave of the four around the mean.
    Log,
}

/// Where a program waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Waits {
    /// In `send()` or `recv()`.
    #[default]
    Call,
    /// In `poll()`, as forwarders do; the call then moves as much as it can without blocking.
    Poll,
}

/// Octaves of [`Varies::Log`].
const OCTAVES: f64 = 4.0;

impl Varies {
    /// A factor for the mean, from a number that is even in [0, 1).
    pub fn factor(self, unit: f64) -> f64 {
        match self {
            Self::Uniform => 2.0 * unit,
            Self::Log => (OCTAVES * (unit - 0.5)).exp2() / Self::mean_of_log(),
        }
    }

    /// The mean of 2^x where x is even over the octaves.
    pub fn mean_of_log() -> f64 {
        let half = OCTAVES / 2.0;
        (half.exp2() - (-half).exp2()) / (OCTAVES * std::f64::consts::LN_2)
    }
}

const fn usual<const SIZE: u64>() -> Bytes {
    Bytes(SIZE)
}

impl<const SIZE: u64> Default for Calls<SIZE> {
    fn default() -> Self {
        Self {
            size: usual::<SIZE>(),
            delay: Nanos(0),
            rate: None,
            every: None,
            portion: None,
            varies: None,
            waits: Waits::Call,
        }
    }
}

impl<const SIZE: u64> Calls<SIZE> {
    pub(super) fn check(&self) -> Checked {
        check_call("size", self.size)?;
        check_rate("rate", self.rate)?;
        for (key, is_none) in [("every", self.every == Some(Nanos(0))), ("portion", self.portion == Some(Bytes(0)))] {
            if is_none {
                return Err(Refusal::of(key, Message::new("scenario-zero-every")));
            }
        }
        if self.rate.is_some() && self.portion.is_some() {
            return Err(Refusal::of("portion", Message::new("scenario-rate-and-portion")));
        }
        if (self.rate.is_some() || self.portion.is_some()) != self.every.is_some() {
            return Err(Refusal::of("every", Message::new("scenario-every")));
        }
        if self.varies.is_some() && self.portion.is_none() {
            return Err(Refusal::of("varies", Message::new("scenario-varies")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both keep the mean, so that a formula knows the rate.
    #[test]
    fn what_varies_keeps_its_mean() {
        const COUNT: u32 = 100_000;
        for varies in [Varies::Uniform, Varies::Log] {
            let factors: Vec<f64> =
                (0..COUNT).map(|n| varies.factor((f64::from(n) + 0.5) / f64::from(COUNT))).collect();
            let mean = factors.iter().sum::<f64>() / f64::from(COUNT);
            assert!((mean - 1.0).abs() < 1e-4, "{varies:?}: {mean}");
            assert!(factors.is_sorted());
        }
        let [least, most] = [0.0, 1.0].map(|unit| Varies::Log.factor(unit));
        assert!((most / least - 16.0).abs() < 1e-9);
    }
}
