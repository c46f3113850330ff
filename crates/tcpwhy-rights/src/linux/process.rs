//! Child processes for tasks that need other rights than the rest.
#![allow(unsafe_code, reason = "fork(2) has no safe wrapper")]

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

use nix::unistd::{ForkResult, fork};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, WaitOptions, WaitStatus, waitpid};

/// Calls fork(2) in a process with one thread, whose child may call any function. After a fork of several
/// threads, locks of the other threads are never released, and the child may call almost nothing
/// (signal-safety(7)).
///
/// # Errors
/// Fails if the kernel does, and with [`io::ErrorKind::Unsupported`] if this process has more threads.
pub fn fork_alone() -> io::Result<ForkResult> {
    let tasks = fs::read_dir("/proc/self/task").map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(io::ErrorKind::Unsupported, "/proc is not mounted"),
        _ => error,
    })?;
    if tasks.count() != 1 {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "this process has several threads"));
    }
    // SAFETY: this process has only the calling thread, so no other thread can start one before the fork.
    Ok(unsafe { fork() }?)
}

/// A process that serves this one. It ends by itself when the connection between the two is closed.
#[derive(Debug)]
pub struct Child(Pid);

impl Child {
    /// Starts a child with [`fork_alone`], in which it returns `None`. A terminal or a service manager sends
    /// SIGINT and SIGTERM to all processes of a group; the child ignores them. It neither reads standard
    /// input nor writes to standard output.
    ///
    /// # Errors
    /// Fails as [`fork_alone`] does; in the child, if it could not be prepared.
    pub fn start() -> io::Result<Option<Self>> {
        match fork_alone()? {
            ForkResult::Parent { child } => Self::of(child).map(Some),
            ForkResult::Child => settle().map(|()| None),
        }
    }

    /// Does the same in a process that was itself started so. Its standard streams lead to `/dev/null`
    /// already, and it may have no right to open that.
    ///
    /// # Errors
    /// Fails as [`fork_alone`] does.
    pub fn start_another() -> io::Result<Option<Self>> {
        match fork_alone()? {
            ForkResult::Parent { child } => Self::of(child).map(Some),
            ForkResult::Child => Ok(None),
        }
    }

    fn of(child: nix::unistd::Pid) -> io::Result<Self> {
        Pid::from_raw(child.as_raw()).map(Self).ok_or_else(|| io::Error::other("fork(2) gave no process"))
    }

    /// Whether it has ended.
    ///
    /// # Errors
    /// Fails if another caller has already waited for it.
    pub fn has_ended(&self) -> io::Result<bool> {
        let ended = rustix::io::retry_on_intr(|| waitpid(Some(self.0), WaitOptions::NOHANG))?;
        Ok(ended.is_some())
    }

    /// Kills it, whatever it does.
    ///
    /// # Errors
    /// Fails if another caller has already waited for it.
    pub fn end(self) -> io::Result<()> {
        // It may have ended by itself; its id cannot be reused before the wait.
        let _ = rustix::process::kill_process(self.0, rustix::process::Signal::KILL);
        self.wait().map(|_| ())
    }

    /// Waits until it has ended, and returns its status; `None` if a signal ended it.
    ///
    /// # Errors
    /// Fails if another caller has already waited for it.
    pub fn wait(self) -> io::Result<Option<i32>> {
        let ended = rustix::io::retry_on_intr(|| waitpid(Some(self.0), WaitOptions::empty()))?;
        Ok(ended.and_then(|(_, status): (Pid, WaitStatus)| status.exit_status()))
    }
}

/// Closes all open files except standard error, the two streams to `/dev/null`, and `kept`. It serves a child
/// that ends without running its parent's destructors. No closed file may be used from then on.
///
/// # Errors
/// Fails if `/proc/self/fd` cannot be read.
pub fn close_all_but(kept: &[BorrowedFd<'_>]) -> io::Result<()> {
    let kept: Vec<RawFd> = kept.iter().map(AsRawFd::as_raw_fd).collect();
    let others: Vec<RawFd> = fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|number| *number > libc::STDERR_FILENO && !kept.contains(number))
        .collect();
    for number in others {
        // SAFETY: the child was forked with copies of its parent's files. By contract it no longer uses or
        // closes them. A number that is already closed (of the folder that was read) gives an error.
        unsafe { libc::close(number) };
    }
    Ok(())
}

fn settle() -> io::Result<()> {
    for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP, libc::SIGPIPE] {
        // SAFETY: ignoring a signal runs no code.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    let nowhere = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&nowhere)?;
    Ok(rustix::stdio::dup2_stdout(&nowhere)?)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_process_with_several_threads_is_not_forked() {
        // The test's own thread and this one are two.
        let refused = thread::spawn(fork_alone).join().unwrap().unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::Unsupported);
    }
}
