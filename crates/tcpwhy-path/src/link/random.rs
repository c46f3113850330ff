//! Random numbers that depend on the frame, not on the history.
//!
//! Number n of a stream is a function of the seed, the effect and n alone. So enabling an effect, or the loss
//! of a frame by an earlier effect, does not change the numbers of any other frame.

use tcpwhy_scenario::Share;
use tcpwhy_scenario::splitmix::{GAMMA, mix};

/// Purpose of a random number; each has its own stream.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    Loss = 1,
    BurstBegins,
    BurstGoesOn,
    Duplicate,
    Jitter,
    JitterOfCopy,
    Reorder,
    Merged,
}

/// The streams of one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice {
    seed: u64,
}

impl Dice {
    pub(super) const fn new(seed: u64, direction: u64) -> Self {
        Self { seed: mix(seed.wrapping_add(mix(direction.wrapping_add(GAMMA)))) }
    }

    /// The random number of this effect for frame `frame`.
    const fn number(self, effect: Effect, frame: u64) -> u64 {
        let stream = mix(self.seed ^ mix((effect as u64).wrapping_mul(GAMMA)));
        mix(stream.wrapping_add(frame.wrapping_add(1).wrapping_mul(GAMMA)))
    }

    /// Returns true with this probability.
    pub(super) fn hits(self, effect: Effect, frame: u64, chance: Share) -> bool {
        // An f64 represents 53 bits exactly.
        ((self.number(effect, frame) >> 11) as f64) < chance.0 * (1_u64 << 53) as f64
    }

    /// Uniform in `0..=most`.
    pub(super) fn up_to(self, effect: Effect, frame: u64, most: u64) -> u64 {
        ((u128::from(self.number(effect, frame)) * (u128::from(most) + 1)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_met_and_streams_differ() {
        let dice = Dice::new(7, 0);
        let count = |effect, share| (0..100_000).filter(|&n| dice.hits(effect, n, Share(share))).count();
        assert!((4_700..5_300).contains(&count(Effect::Loss, 0.05)));
        assert_eq!(count(Effect::Loss, 0.0), 0);
        assert_eq!(count(Effect::Loss, 1.0), 100_000);
        let both = (0..100_000)
            .filter(|&n| dice.hits(Effect::Loss, n, Share(0.5)) == dice.hits(Effect::Reorder, n, Share(0.5)))
            .count();
        assert!((49_000..51_000).contains(&both));
        assert!((0..10_000).all(|n| dice.up_to(Effect::Jitter, n, 3) <= 3));
        assert!((0..4).all(|value| (0..10_000).any(|n| dice.up_to(Effect::Jitter, n, 3) == value)));
    }
}
