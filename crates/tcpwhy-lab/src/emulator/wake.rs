//! When to wake up: on time, but not for every frame. Each wake-up costs 10 to 30 µs of a processor in a virtual machine.

/// Frames that follow each other closely are delivered together, the first of them at most this much late: what a network card
/// does to spare its host interrupts (`rx-usecs`). Nanoseconds; on short links a quarter of their delay.
const MODERATION: std::ops::RangeInclusive<u64> = 10_000..=80_000;

/// How much later than it is due a frame may be delivered, on a link with this delay.
pub(super) fn patience(delay: u64) -> u64 {
    (delay / 4).clamp(*MODERATION.start(), *MODERATION.end())
}

/// How much before its time a sleep has to end, so that frames are on time: sleeps end late, by a few microseconds on a busy
/// processor and by far more on one that had gone to sleep itself.
#[derive(Debug)]
pub(super) struct WakeLead {
    early: u64,
}

/// Bounds, nanoseconds.
const EARLIEST: u64 = 150_000;
const LATEST: u64 = 4_000;

impl WakeLead {
    pub(super) const fn new() -> Self {
        Self { early: LATEST }
    }

    pub(super) const fn early(&self) -> u64 {
        self.early
    }

    /// A sleep ended this much late. Follows the mean of late ones, a few of which tell of an idle processor.
    pub(super) fn woken(&mut self, late: u64) {
        self.early = ((self.early * 7 + late.min(EARLIEST)) / 8).max(LATEST);
    }
}

/// With this many frames in a millisecond, devices are looked at from time to time instead of whenever they have one.
const DENSE: u64 = 40;
const COUNTED_OVER: u64 = 1_000_000;
/// The time between, nanoseconds; on short links a part of their delay, and none where that is too short to sleep.
const REST: u64 = 60_000;
const SHORTEST_REST: u64 = 20_000;
const REST_OF_DELAY: u64 = 32;

/// Resting between frames that come thick and fast.
#[derive(Debug, Default)]
pub(super) struct Rest {
    since: u64,
    frames: u64,
    is_dense: bool,
}

impl Rest {
    /// So many frames came or went in one turn.
    pub(super) const fn moved(&mut self, frames: u64, now: u64) {
        self.frames += frames;
        let elapsed = now - self.since;
        if elapsed >= COUNTED_OVER {
            self.is_dense = self.frames * COUNTED_OVER > DENSE * elapsed;
            (self.since, self.frames) = (now, 0);
        }
    }

    /// How long to sleep before devices are looked at again; `None`: until they have something.
    pub(super) fn pause(&self, delay: u64) -> Option<u64> {
        let rest = (delay / REST_OF_DELAY).min(REST);
        (self.is_dense && rest >= SHORTEST_REST).then_some(rest)
    }
}
