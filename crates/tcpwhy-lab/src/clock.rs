//! The clock of the emulator.

use rustix::time::{ClockId, clock_gettime};

/// `CLOCK_MONOTONIC`, nanoseconds.
pub(crate) fn now() -> u64 {
    nanos(ClockId::Monotonic)
}

/// CPU time of this thread, nanoseconds.
pub(crate) fn thread_cpu() -> u64 {
    nanos(ClockId::ThreadCPUTime)
}

fn nanos(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    // Neither clock is negative.
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
