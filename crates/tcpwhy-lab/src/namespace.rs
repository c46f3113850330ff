//! Network namespaces without names.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::thread;

use nix::sched::{CloneFlags, setns, unshare};

use crate::LabError;

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

    /// A path by which programs that this process starts may name it.
    pub(crate) fn path(&self) -> Result<String, LabError> {
        // This process by the number that /proc has for it, which may be another namespace's.
        let number = fs::read_link("/proc/self").map_err(|error| LabError::io("reading /proc/self", error))?;
        Ok(format!("/proc/{}/fd/{}", number.display(), self.0.as_raw_fd()))
    }

    /// Runs `f` in it, on a thread of its own.
    pub fn run<T: Send>(&self, f: impl FnOnce() -> T + Send) -> io::Result<T> {
        thread::scope(|scope| {
            let inside = scope.spawn(|| self.enter().map(|()| f()));
            inside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}
