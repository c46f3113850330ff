//! The clock of the captures.

use rustix::time::{ClockId, clock_gettime};
use tcpwhy_model::Timestamp;

/// `CLOCK_REALTIME`, the clock of the kernel's packet timestamps.
pub(crate) fn now() -> Timestamp {
    let now = clock_gettime(ClockId::Realtime);
    Timestamp::from_nanos(now.tv_sec * 1_000_000_000 + now.tv_nsec)
}

/// Lets this thread sleep with a precision of 1 µs; Linux otherwise rounds up by 50 µs.
pub(crate) fn sleep_precisely() {
    // If the kernel refuses, only precision is lost.
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
}
