//! The kernel's coarse clocks: ticks (`jiffies`), its timers, and the timestamps of segments.

use crate::time::{MICROSECOND, MILLISECOND, SECOND, Time};

/// Buckets per level of the timer wheel (`LVL_SIZE`), and log2 of the granularity ratio of two levels
/// (`LVL_CLK_SHIFT`).
const BUCKETS: u64 = 64;
const LEVEL_SHIFT: u32 = 3;
/// `LVL_DEPTH` for more than 100 ticks per second. One less makes no difference for timers of days.
const LEVELS: u32 = 9;

/// The clocks of one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticks {
    length: Time,
    booted_for: Time,
}

impl Ticks {
    /// The clocks for `CONFIG_HZ`, on a host that booted `booted_for` before the start of the world.
    pub(crate) fn new(a_second: u64, booted_for: Time) -> Self {
        Self { length: (SECOND / a_second.max(1)).max(MICROSECOND), booted_for }
    }

    /// `HZ`.
    pub(crate) const fn in_a_second(self) -> u64 {
        SECOND / self.length
    }

    /// `jiffies`.
    pub(crate) const fn at(self, now: Time) -> u64 {
        (now + self.booted_for) / self.length
    }

    /// `usecs_to_jiffies`: rounded up.
    pub(crate) const fn of(self, time: Time) -> u64 {
        time.div_ceil(self.length)
    }

    /// The time rounded up to whole ticks.
    pub(crate) const fn round_up(self, time: Time) -> Time {
        self.of(time) * self.length
    }

    /// Time when a timer set to `ticks` from now fires. It fires only after the last tick is complete, and
    /// long timers are coarser (`calc_wheel_index`).
    pub(crate) fn fires(self, now: Time, ticks: u64) -> Time {
        let level = (0..LEVELS - 1).find(|level| ticks < (BUCKETS - 1) << (LEVEL_SHIFT * level)).unwrap_or(LEVELS - 1);
        let shift = LEVEL_SHIFT * level;
        let expires = (((self.at(now) + ticks) >> shift) + 1) << shift;
        (expires * self.length).saturating_sub(self.booted_for)
    }

    /// The timestamp of a segment (`tcp_time_stamp_ms`).
    pub(crate) const fn stamp(self, time: Time) -> u64 {
        (time + self.booted_for) / MILLISECOND
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fire_late_and_coarsely() {
        let ticks = Ticks::new(100, 0);
        let tick = ticks.length;
        // 40 ms take 40 to 50 ms.
        assert_eq!(ticks.fires(0, 4), 5 * tick);
        assert_eq!(ticks.fires(tick - 1, 4), 5 * tick);
        assert_eq!(ticks.fires(0, 62), 63 * tick);
        // From 63 ticks on, buckets have eight ticks.
        assert_eq!(ticks.fires(0, 63), 64 * tick);
        assert_eq!(ticks.fires(0, 64), 72 * tick);
        assert_eq!(ticks.fires(0, 100), 104 * tick);
        assert_eq!(ticks.fires(0, 504), 512 * tick);
    }

    #[test]
    fn ticks_count_from_the_boot() {
        let ticks = Ticks::new(100, 8 * MILLISECOND);
        assert_eq!((ticks.at(0), ticks.at(2 * MILLISECOND)), (0, 1));
        assert_eq!(ticks.fires(0, 4), 42 * MILLISECOND);
        assert_eq!((ticks.of(0), ticks.of(1), ticks.of(10 * MILLISECOND)), (0, 1, 1));
        assert_eq!(ticks.stamp(MILLISECOND - 1), 8);
    }
}
