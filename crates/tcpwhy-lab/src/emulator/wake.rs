//! Times at which the relay wakes: in time for the frames, but not for each one. A wake-up costs 10 to 30 µs
//! of CPU time in a virtual machine.

/// Longest delay of a frame that is delivered together with later ones, nanoseconds. It is a quarter of the
/// link's delay within these bounds. Network cards moderate interrupts in the same way (`rx-usecs`).
const MODERATION: std::ops::RangeInclusive<u64> = 10_000..=80_000;

/// Longest delay of a frame after its due time, on a link with this delay. Nanoseconds.
pub(super) fn patience(delay: u64) -> u64 {
    (delay / 4).clamp(*MODERATION.start(), *MODERATION.end())
}

/// Time by which a sleep must end before a frame is due. Sleeps end late: by a few microseconds on a busy
/// processor, and by far more on one in an idle state.
#[derive(Debug)]
pub(super) struct WakeLead {
    early: u64,
}

/// Bounds of this time, nanoseconds.
const EARLIEST: u64 = 150_000;
const LATEST: u64 = 4_000;

impl WakeLead {
    pub(super) const fn new() -> Self {
        Self { early: LATEST }
    }

    pub(super) const fn early(&self) -> u64 {
        self.early
    }

    /// Records that a sleep ended this much late, nanoseconds. The time follows the mean, so a few late
    /// wake-ups show an idle processor.
    pub(super) fn woken(&mut self, late: u64) {
        self.early = ((self.early * 7 + late.min(EARLIEST)) / 8).max(LATEST);
    }
}

/// Frames per millisecond from which the relay polls the devices at intervals, not at each frame.
const DENSE: u64 = 40;
const COUNTED_OVER: u64 = 1_000_000;
/// Interval between polls, nanoseconds. On short links it is a part of their delay, and there is no pause if
/// that is too short to sleep.
const REST: u64 = 60_000;
const SHORTEST_REST: u64 = 20_000;
const REST_OF_DELAY: u64 = 32;

/// Pauses of the relay while frames arrive at a high rate.
#[derive(Debug, Default)]
pub(super) struct Rest {
    since: u64,
    frames: u64,
    is_dense: bool,
}

impl Rest {
    /// Records that this number of frames moved in one turn.
    pub(super) const fn moved(&mut self, frames: u64, now: u64) {
        self.frames += frames;
        let elapsed = now - self.since;
        if elapsed >= COUNTED_OVER {
            self.is_dense = self.frames * COUNTED_OVER > DENSE * elapsed;
            (self.since, self.frames) = (now, 0);
        }
    }

    /// Time to sleep before the devices are polled; `None` if the relay must wake at each frame.
    pub(super) fn pause(&self, delay: u64) -> Option<u64> {
        let rest = (delay / REST_OF_DELAY).min(REST);
        (self.is_dense && rest >= SHORTEST_REST).then_some(rest)
    }
}
