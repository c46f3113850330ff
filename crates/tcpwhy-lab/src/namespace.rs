//! Network namespaces without names.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

use nix::sched::{CloneFlags, setns, unshare};

use crate::LabError;
use tcpwhy_rights::{Capability, Identity};

/// A network namespace without a name, so no other process knows it. It ends with its last user.
#[derive(Debug)]
pub struct Namespace(File);

impl Namespace {
    /// Creates a namespace; this thread does not enter it.
    ///
    /// # Errors
    /// Without `CAP_SYS_ADMIN` in the user namespace.
    pub fn new() -> io::Result<Self> {
        thread::scope(|scope| {
            let made = spawn(scope, || {
                unshare(CloneFlags::CLONE_NEWNET)?;
                File::open("/proc/thread-self/ns/net").map(Self)
            })?;
            made.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Moves this thread into the namespace permanently, with the threads and processes that it starts later.
    pub fn enter(&self) -> io::Result<()> {
        Ok(setns(self.0.as_fd(), CloneFlags::CLONE_NEWNET)?)
    }

    /// A path of the namespace for programs that this process starts.
    pub(crate) fn path(&self) -> Result<String, LabError> {
        // `/proc` may belong to another PID namespace, so this process's number comes from `/proc` itself.
        let number = fs::read_link("/proc/self").map_err(|error| LabError::io("reading /proc/self", error))?;
        Ok(format!("/proc/{}/fd/{}", number.display(), self.0.as_raw_fd()))
    }

    /// Runs `f` in the namespace, on a thread of its own.
    pub fn run<T: Send>(&self, f: impl FnOnce() -> T + Send) -> io::Result<T> {
        thread::scope(|scope| {
            let inside = spawn(scope, || self.enter().map(|()| f()))?;
            inside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Starts a thread that stays in the namespace as `identity` with the capabilities `kept`. It can work
    /// there after this process has dropped the capability to enter.
    ///
    /// # Errors
    /// Without that capability, or if the thread cannot be started.
    pub(crate) fn resident(&self, identity: Identity, kept: &'static [Capability]) -> io::Result<Resident> {
        let namespace = self.0.try_clone().map(Self)?;
        let (jobs, asked) = channel::<Job>();
        let (tell, told) = channel();
        Builder::new().name("resident".to_owned()).spawn(move || {
            let settle =
                || namespace.enter().and_then(|()| identity.assume()).and_then(|()| tcpwhy_rights::keep_only(kept));
            let settled = settle();
            let is_settled = settled.is_ok();
            // The caller waits for this message, so an error cannot matter.
            let _ = tell.send(settled);
            if is_settled {
                for job in asked {
                    job();
                }
            }
        })?;
        told.recv().map_err(|_| gone())??;
        Ok(Resident(jobs))
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread in a namespace with no capabilities but those it was given. It ends when this is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Resident(Sender<Job>);

impl Resident {
    /// Runs `f` on this thread. Threads and processes that `f` starts have the same namespace and
    /// capabilities.
    pub(crate) fn call<T: Send + 'static>(&self, f: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        let (tell, told) = channel();
        let job = Box::new(move || {
            // The caller waits for this message, so an error cannot matter.
            let _ = tell.send(f());
        });
        self.0.send(job).map_err(|_| gone())?;
        told.recv().map_err(|_| gone())
    }
}

/// The error if a job of the thread panicked.
fn gone() -> io::Error {
    io::Error::other("a thread of the run has ended")
}

/// As `Scope::spawn`, but with an error instead of a panic if the thread cannot be started.
fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    f: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, f)
}
