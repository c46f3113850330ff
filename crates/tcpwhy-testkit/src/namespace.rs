//! A network of a test's own.

use std::process::Command;
use std::thread;

use nix::sched::{CloneFlags, unshare};

use crate::skip;

/// Runs `f` on a thread with a network namespace of its own, loopback up; programs that it starts are there too, and with the
/// thread all of it ends. `None` where that may not be ([`skip`]).
///
/// # Panics
/// When `f` does, and where namespaces were promised and there are none.
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

/// Runs `ip` with these words; whether it did as it was told.
pub fn ip(words: &str) -> bool {
    Command::new("ip").args(words.split(' ')).status().is_ok_and(|status| status.success())
}
