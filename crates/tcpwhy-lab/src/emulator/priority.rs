//! Being on time: the relay goes before ordinary work while that starves nobody.

use crate::os::{Scheduling, schedule_this_thread};
use crate::wall;

/// A low priority among real-time threads: before all ordinary work, behind what the system itself needs.
const RAISED: Scheduling = Scheduling::RealTime(10);
/// Stretches over which load is judged, nanoseconds: longer than a burst, shorter than what the kernel stops.
const STRETCH: u64 = 400_000_000;

/// How the relay stands to other threads. A relay that is busy nearly all the time goes back among ordinary threads: the kernel
/// would stop a real-time one for 50 ms in every second (`sched_rt_runtime_us`), and it would starve the ends that it serves.
#[derive(Debug)]
pub(super) struct Priority {
    is_permitted: bool,
    is_raised: bool,
    since: u64,
    slept: u64,
}

impl Priority {
    /// For this thread.
    pub(super) fn raise(now: u64) -> Self {
        // For when it goes back among ordinary threads.
        wall::sleep_precisely();
        let is_permitted = schedule_this_thread(RAISED).is_ok();
        Self { is_permitted, is_raised: is_permitted, since: now, slept: 0 }
    }

    /// The thread has slept for this long, until now.
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
