//! Network namespaces without names.

use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::thread;

use nix::sched::{CloneFlags, setns, unshare};

/// A network namespace that nothing outside of this process knows; it ends with its last user.
#[derive(Debug)]
pub struct Namespace(File);

impl Namespace {
    /// A new one; this thread stays where it is.
    ///
    /// # Errors
    /// Without `CAP_SYS_ADMIN` in the user namespace.
    pub fn new() -> io::Result<Self> {
        thread::scope(|scope| {
            let made = scope.spawn(|| {
                unshare(CloneFlags::CLONE_NEWNET)?;
                File::open("/proc/thread-self/ns/net").map(Self)
            });
            made.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Moves this thread into it for good. Threads and processes that it starts are there too.
    pub fn enter(&self) -> io::Result<()> {
        Ok(setns(self.0.as_fd(), CloneFlags::CLONE_NEWNET)?)
    }

    /// Runs `f` in it, on a thread of its own.
    pub fn run<T: Send>(&self, f: impl FnOnce() -> T + Send) -> io::Result<T> {
        thread::scope(|scope| {
            let inside = scope.spawn(|| self.enter().map(|()| f()));
            inside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}
