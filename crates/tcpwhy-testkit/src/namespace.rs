//! A network namespace for one test.

use std::process::Command;
use std::thread;

use nix::sched::{CloneFlags, unshare};

use crate::skip;

/// Runs `f` on a thread with a network namespace of its own, with loopback up. Programs that it starts are in
/// that namespace too, which ends with the thread. `None` if that is not permitted ([`skip`]).
///
/// # Panics
/// Panics if `f` does, or if namespaces were promised and are missing.
pub fn in_namespace<T: Send>(f: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let inside = scope.spawn(|| {
            if let Err(error) = unshare(CloneFlags::CLONE_NEWNET) {
                skip(format_args!("no network namespace ({error})"));
                return None;
            }
            if !ip("link set lo up") {
                skip("no `ip` (iproute2)");
                return None;
            }
            Some(f())
        });
        inside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs `ip` with these words; returns whether it succeeded.
pub fn ip(words: &str) -> bool {
    Command::new("ip").args(words.split(' ')).status().is_ok_and(|status| status.success())
}
