//! The division of a program's data into portions with pauses between them.

use crate::splitmix::{GAMMA, mix};
use crate::{Calls, End, Varies};

/// The division of data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Not divided.
    Free,
    /// The data of one period at a rate, at multiples of that period.
    Rate {
        /// Bits/s.
        bits: u64,
        /// The period, nanoseconds.
        every: u64,
    },
    /// A portion, then a pause.
    Rests {
        /// Size of a portion, bytes, or its mean.
        portion: u64,
        /// Pause, or its mean, nanoseconds.
        rest: u64,
        /// Distribution of both around their means.
        varies: Option<Varies>,
    },
}

impl Pace {
    /// The pace of a scenario's calls.
    pub fn of<const SIZE: u64>(calls: &Calls<SIZE>) -> Self {
        match (calls.rate, calls.every, calls.portion) {
            (Some(rate), Some(every), _) => Self::Rate { bits: rate.0, every: every.0 },
            (None, Some(every), Some(portion)) => {
                Self::Rests { portion: portion.0, rest: every.0, varies: calls.varies }
            }
            _ => Self::Free,
        }
    }

    /// Number of empty portions from this one on: at a low rate one byte may need many periods.
    pub fn empty_portions(self, number: u64) -> u64 {
        let Self::Rate { bits, every } = self else { return 0 };
        let a_period = u128::from(bits) * u128::from(every);
        if a_period == 0 {
            return u64::MAX;
        }
        // The last period before the one that completes the next byte.
        let next = (made(bits, every, number) + 1).saturating_mul(BYTE);
        u64::try_from(next.div_ceil(a_period) - 1).unwrap_or(u64::MAX).saturating_sub(number)
    }

    /// Bytes of the portion with this number, from 0 on.
    pub fn portion(self, number: u64, draws: &mut Draws) -> u64 {
        match self {
            Self::Free => u64::MAX,
            Self::Rate { bits, every } => {
                u64::try_from(made(bits, every, number.saturating_add(1)) - made(bits, every, number))
                    .unwrap_or(u64::MAX)
            }
            Self::Rests { portion, varies, .. } => draws.around(portion, varies).max(1),
        }
    }
}

/// Bits per byte times nanoseconds per second: the number of bit-nanoseconds per byte.
const BYTE: u128 = 8_000_000_000;

/// Bytes that a rate gives in `periods` periods. Only the sum is rounded down, so that the rate is exact
/// however small a portion is.
fn made(bits: u64, every: u64, periods: u64) -> u128 {
    (u128::from(bits) * u128::from(every)).saturating_mul(periods.into()) / BYTE
}

/// Uniform random numbers in [0, 1), the same for the same seed and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draws(u64);

impl Draws {
    /// Random numbers of the program at `end`.
    pub const fn new(seed: u64, end: End) -> Self {
        Self(mix(seed.wrapping_add(mix(end as u64 + 1))))
    }

    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(GAMMA);
        // An `f64` represents 53 bits exactly.
        (mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns `mean`, or a random number around it.
    pub fn around(&mut self, mean: u64, varies: Option<Varies>) -> u64 {
        varies.map_or(mean, |varies| (mean as f64 * varies.factor(self.unit())).round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitRate, Bytes, Nanos, Writer};

    #[test]
    fn portions_keep_the_rate() {
        let pace =
            Pace::of(&Writer { rate: Some(BitRate(1_000_001)), every: Some(Nanos(5_000_000)), ..Writer::default() });
        let mut draws = Draws::new(1, End::Sender);
        let total: u64 = (0..200).map(|number| pace.portion(number, &mut draws)).sum();
        assert_eq!(total, 125_000, "a second of a Mbit/s and a bit");
        assert_eq!(pace.portion(0, &mut draws), 625);
    }

    #[test]
    fn nothing_asked_is_no_pace() {
        assert_eq!(Pace::of(&Writer::default()), Pace::Free);
        let portions = Writer { every: Some(Nanos(1000)), portion: Some(Bytes(7)), ..Writer::default() };
        assert_eq!(Pace::of(&portions), Pace::Rests { portion: 7, rest: 1000, varies: None });
    }

    /// The same seed gives the same numbers, and other ones at the other end. A mean without variation is
    /// kept (`SplitMix64`: Steele, Lea, Flood 2014).
    #[test]
    fn what_varies_is_drawn_by_the_seed() {
        let pace = Pace::Rests { portion: 10_000, rest: 5_000_000, varies: Some(Varies::Log) };
        let portions = |seed, end| {
            let mut draws = Draws::new(seed, end);
            (0..1000).map(|number| pace.portion(number, &mut draws)).collect::<Vec<_>>()
        };
        let drawn = portions(7, End::Sender);
        assert_eq!(drawn, portions(7, End::Sender));
        assert!(drawn != portions(8, End::Sender) && drawn != portions(7, End::Receiver));
        let mean = drawn.iter().sum::<u64>() as f64 / 1000.0;
        assert!((9_000.0..11_000.0).contains(&mean), "{mean}");
        assert_eq!(Draws::new(7, End::Sender).around(10_000, None), 10_000);
    }
}
