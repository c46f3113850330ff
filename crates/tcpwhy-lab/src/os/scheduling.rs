//! Scheduling of a thread before others.

use std::ffi::c_int;
use std::io;

/// How the kernel chooses a thread (sched(7)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheduling {
    /// `SCHED_OTHER`.
    Ordinary,
    /// `SCHED_FIFO` with a priority from 1 to 99: before all ordinary threads.
    RealTime(c_int),
}

/// Sets the scheduling of this thread. `sched_setscheduler(2)`; `RealTime` needs the `CAP_SYS_NICE`
/// capability or `RLIMIT_RTPRIO`.
pub(crate) fn schedule_this_thread(scheduling: Scheduling) -> io::Result<()> {
    // musl's own function refuses, because POSIX applies it to the process and Linux to the thread.
    const THIS_THREAD: libc::pid_t = 0;
    let (policy, priority) = match scheduling {
        Scheduling::Ordinary => (libc::SCHED_OTHER, 0),
        Scheduling::RealTime(priority) => (libc::SCHED_FIFO, priority),
    };
    // SAFETY: to the kernel `struct sched_param` is one int, which outlives the call that reads it.
    let result = unsafe { libc::syscall(libc::SYS_sched_setscheduler, THIS_THREAD, policy, &raw const priority) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
