//! What time it is, and what was spent of the processor.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use tcpwhy_model::Timestamp;

/// The time: that of the system when watching began, and what has passed since by the monotonic clock, which is the kernel's own,
/// so that no step of the clock is seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// What the monotonic clock lacks, ns.
    pub(crate) offset: i64,
}

impl Clock {
    /// Set by the system's time.
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

/// What a clock of the processor says.
pub(super) fn cpu_time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
