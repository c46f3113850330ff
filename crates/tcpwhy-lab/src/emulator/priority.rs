//! Priority of the relay: it runs before ordinary threads as long as it leaves them time.

use crate::os::{Scheduling, schedule_this_thread};
use crate::wall;

/// A low real-time priority: before all ordinary threads, after those of the system.
const RAISED: Scheduling = Scheduling::RealTime(10);
/// Interval over which the load is judged, nanoseconds. It is longer than a burst, and shorter than the time
/// after which the kernel stops a real-time thread.
const STRETCH: u64 = 400_000_000;

/// Scheduling of the relay. A relay that is busy nearly all the time becomes an ordinary thread again.
/// Otherwise the kernel would stop it for 50 ms per second (`sched_rt_runtime_us`), and it would starve the
/// ends.
#[derive(Debug)]
pub(super) struct Priority {
    is_permitted: bool,
    is_raised: bool,
    since: u64,
    slept: u64,
}

impl Priority {
    /// Raises the priority of this thread, if the system permits it.
    pub(super) fn raise(now: u64) -> Self {
        // The precision matters after the thread has become an ordinary one again.
        wall::sleep_precisely();
        let is_permitted = schedule_this_thread(RAISED).is_ok();
        Self { is_permitted, is_raised: is_permitted, since: now, slept: 0 }
    }

    /// Records that the thread slept for `nanos` until `now`.
    pub(super) fn slept(&mut self, nanos: u64, now: u64) {
        self.slept += nanos;
        let stretch = now - self.since;
        if stretch < STRETCH {
            return;
        }
        let is_idle_enough = if self.is_raised { self.slept * 20 > stretch } else { self.slept * 5 > stretch };
        (self.since, self.slept) = (now, 0);
        if self.is_permitted && is_idle_enough != self.is_raised {
            let scheduling = if is_idle_enough { RAISED } else { Scheduling::Ordinary };
            if schedule_this_thread(scheduling).is_ok() {
                self.is_raised = is_idle_enough;
            }
        }
    }

    pub(super) const fn is_permitted(&self) -> bool {
        self.is_permitted
    }
}
