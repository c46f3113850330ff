//! The time of day, and the CPU time used.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use tcpwhy_model::Timestamp;

/// The time of day at the start plus the time elapsed on the kernel's monotonic clock. A step of the system
/// clock has no effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// Offset from the monotonic clock to the time of day, ns.
    pub(crate) offset: i64,
}

impl Clock {
    /// Starts at the present system time.
    pub(crate) fn start() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { offset: since_epoch.as_nanos() as i64 - monotonic() }
    }

    pub(crate) fn now(self) -> Timestamp {
        Timestamp::from_nanos(monotonic() + self.offset)
    }
}

fn monotonic() -> i64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// The reading of a CPU-time clock.
pub(super) fn cpu_time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
