//! Intentional losses of a link.

use serde::{Deserialize, Serialize};

use super::random::{Dice, Effect};
use super::wire::{FrameKind, Wire};
use tcpwhy_scenario::{DirectionSpec, Policer, Share};

/// Dropped frames by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Drops {
    /// Independent random loss.
    pub random: u64,
    /// Burst losses.
    pub burst: u64,
    /// Lost merged packets, counted in frames.
    pub merged: u64,
    /// Every n-th data frame, and frames selected by number.
    pub counted: u64,
    /// SYN and SYN-ACK.
    pub syn: u64,
    /// Larger than the path's MTU.
    pub too_big: u64,
    /// Over the policer's rate.
    pub policer: u64,
    /// Queue full.
    pub queue: u64,
    /// Emulator memory full; not intended.
    pub memory: u64,
    /// Refused by the receiving device; not intended.
    pub refused: u64,
}

impl Drops {
    /// Sum of all drops.
    pub const fn total(&self) -> u64 {
        self.imposed() + self.queue + self.memory + self.refused
    }

    /// Drops that the scenario configures explicitly, without those of the queue.
    pub const fn imposed(&self) -> u64 {
        self.random + self.burst + self.merged + self.counted + self.syn + self.too_big + self.policer
    }
}

/// Maximum distance of frames that are merged, nanoseconds. Cards delay interrupts by about this time
/// (`rx-usecs` of Linux's drivers: 3 to 50 µs), and GRO merges the frames of one interrupt.
const BACK_TO_BACK: u64 = 50_000;

/// Loss before the queue.
#[derive(Debug)]
pub(super) struct Loss {
    in_burst: bool,
    train: Option<Train>,
    data_frames: u64,
    syns_left: u64,
}

/// Consecutive data frames without a gap.
#[derive(Clone, Copy, Debug)]
struct Train {
    /// Arrival of the newest frame.
    last: u64,
    /// Index of the newest frame, from 0.
    place: u32,
    /// Whether its merged packet is lost.
    is_lost: bool,
}

impl Loss {
    pub(super) fn new(spec: &DirectionSpec) -> Self {
        Self { in_burst: false, train: None, data_frames: 0, syns_left: spec.lose_syns.unwrap_or(0) }
    }

    pub(super) fn change(&mut self, to: &DirectionSpec) {
        self.syns_left = to.lose_syns.unwrap_or(self.syns_left);
    }

    /// Counts frame `number`, which arrives at `now`, and returns whether it is lost. Every effect processes
    /// every frame, so that effects are independent.
    pub(super) fn takes(
        &mut self,
        spec: &DirectionSpec,
        dice: Dice,
        (number, now): (u64, u64),
        wire: Wire,
        drops: &mut Drops,
    ) -> bool {
        let is_data = wire.kind == FrameKind::Data;
        self.data_frames += u64::from(is_data);
        let is_counted = is_data
            && (spec.lose_every.is_some_and(|n| self.data_frames.is_multiple_of(n))
                || spec.lose_data.contains(&self.data_frames));
        let is_syn = wire.kind == FrameKind::Syn && self.syns_left > 0;
        self.syns_left -= u64::from(is_syn);
        let is_burst = self.burst(spec, dice, number);
        let is_merged = is_data && self.merged(spec, dice, number, now);
        let is_random = spec.loss.is_some_and(|loss| dice.hits(Effect::Loss, number, loss));
        let reason = match () {
            () if is_syn => &mut drops.syn,
            () if is_counted => &mut drops.counted,
            () if is_burst => &mut drops.burst,
            () if is_merged => &mut drops.merged,
            () if is_random => &mut drops.random,
            () => return false,
        };
        *reason += 1;
        true
    }

    fn burst(&mut self, spec: &DirectionSpec, dice: Dice, number: u64) -> bool {
        let Some(burst) = spec.burst else { return false };
        self.in_burst = if self.in_burst {
            dice.hits(Effect::BurstGoesOn, number, Share(1.0 - 1.0 / burst.mean))
        } else {
            dice.hits(Effect::BurstBegins, number, burst.chance)
        };
        self.in_burst
    }

    /// Whether the frame belongs to a lost merged packet, decided at its first frame. The first merged packet
    /// of a train is never lost, because it finds room in any queue.
    fn merged(&mut self, spec: &DirectionSpec, dice: Dice, number: u64, now: u64) -> bool {
        let Some(merged) = spec.lose_merged else { return false };
        let before = self.train.filter(|train| now.saturating_sub(train.last) <= BACK_TO_BACK);
        let place = before.map_or(0, |train| train.place + 1);
        let is_lost = match before {
            Some(train) if !place.is_multiple_of(merged.frames) => train.is_lost,
            Some(_) => dice.hits(Effect::Merged, number, merged.chance),
            None => false,
        };
        self.train = Some(Train { last: now, place, is_lost });
        is_lost
    }
}

/// A token bucket; a frame with too few tokens is dropped.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    /// A byte costs 8·10⁹ tokens, so one bit per second adds one token per nanosecond.
    tokens: u128,
    /// Time of the last fill; `None` if there was no policer before.
    filled_at: Option<u64>,
}

const TOKENS_A_BYTE: u128 = 8_000_000_000;

impl Bucket {
    /// Adds tokens for the elapsed time, then takes those of the frame if there are enough.
    pub(super) fn admits(&mut self, policer: Option<Policer>, now: u64, bytes: u32) -> bool {
        let Some(policer) = policer else {
            self.filled_at = None;
            return true;
        };
        let size = u128::from(policer.burst.0) * TOKENS_A_BYTE;
        self.tokens = self.filled_at.map_or(size, |before| {
            let fresh = u128::from(now.saturating_sub(before)) * u128::from(policer.rate.0);
            (self.tokens + fresh).min(size)
        });
        self.filled_at = Some(now);
        let needed = u128::from(bytes) * TOKENS_A_BYTE;
        let admits = self.tokens >= needed;
        if admits {
            self.tokens -= needed;
        }
        admits
    }
}
