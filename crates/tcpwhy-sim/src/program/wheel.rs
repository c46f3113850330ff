//! When a system call times out: by the kernel's timer wheel (`kernel/time/timer.c`).

use crate::time::Time;

/// Buckets of a level, of which the last one is not used (`LVL_SIZE`).
const BUCKETS: u64 = 64;
/// Buckets of the next level are so many times as long, as a power of two (`LVL_CLK_SHIFT`).
const SHIFT: u32 = 3;
/// `LVL_DEPTH`.
const LEVELS: u32 = 9;

/// When a wait that begins at `now` ends: with the bucket behind its last tick, and buckets are the longer the
/// longer the wait is (`calc_wheel_index`). Ticks are counted from the world's begin.
pub(crate) fn ends(now: Time, wait: Time, tick: Time) -> Time {
    let tick = tick.max(1);
    let ticks = wait.div_ceil(tick);
    let level = (0..LEVELS).find(|&level| ticks < (BUCKETS - 1) << (SHIFT * level)).unwrap_or(LEVELS - 1);
    let shift = SHIFT * level;
    let last = now / tick + ticks;
    (((last >> shift) + 1) << shift).saturating_mul(tick)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{MILLISECOND, SECOND};

    /// The comment in `kernel/time/timer.c`, at 250 Hz: up to 252 ms to a tick, up to 2 s to 32 ms, up to 16 s
    /// to 256 ms.
    #[test]
    fn long_waits_end_late() {
        let tick = 4 * MILLISECOND;
        assert_eq!(ends(0, 200 * MILLISECOND, tick), 204 * MILLISECOND);
        assert_eq!(ends(1, 200 * MILLISECOND, tick), 204 * MILLISECOND);
        assert_eq!(ends(0, SECOND, tick), 1024 * MILLISECOND);
        assert_eq!(ends(0, 3 * SECOND, tick), 3072 * MILLISECOND);
        assert_eq!(ends(80 * MILLISECOND, 3 * SECOND, tick), 3328 * MILLISECOND);
    }
}
