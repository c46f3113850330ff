//! The clock of the captures.

use rustix::time::{ClockId, clock_gettime};
use tcpwhy_model::Timestamp;

/// `CLOCK_REALTIME`, as the kernel stamps packets.
pub(crate) fn now() -> Timestamp {
    let now = clock_gettime(ClockId::Realtime);
    Timestamp::from_nanos(now.tv_sec * 1_000_000_000 + now.tv_nsec)
}

/// Lets this thread sleep to the microsecond; Linux rounds up by 50 µs otherwise.
pub(crate) fn sleep_precisely() {
    // Only precision is lost where this is refused.
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
}
