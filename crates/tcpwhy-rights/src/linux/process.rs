//! A process of its own for what needs other rights than the rest.
#![allow(unsafe_code, reason = "fork(2) has no safe wrapper")]

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

use nix::unistd::{ForkResult, fork};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, WaitOptions, WaitStatus, waitpid};

/// fork(2) of a process with one thread, whose child may do whatever its parent might. After a fork of several, locks that the
/// others held are never given back, and almost nothing may be called (signal-safety(7)).
///
/// # Errors
/// Those of the kernel, and [`io::ErrorKind::Unsupported`] if this process has more threads.
pub fn fork_alone() -> io::Result<ForkResult> {
    let tasks = fs::read_dir("/proc/self/task").map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(io::ErrorKind::Unsupported, "/proc is not mounted"),
        _ => error,
    })?;
    if tasks.count() != 1 {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "this process has several threads"));
    }
    // SAFETY: this process has one thread, this one, so nobody starts another meanwhile.
    Ok(unsafe { fork() }?)
}

/// A process that serves this one. It ends by itself when the connection between the two is closed.
#[derive(Debug)]
pub struct Child(Pid);

impl Child {
    /// Starts one, as [`fork_alone`]: `None` is returned there. Ctrl-C and a polite end, which a terminal or a service manager
    /// sends to all processes of a group, do not end it, and it neither reads standard input nor writes to standard output.
    ///
    /// # Errors
    /// As [`fork_alone`]; in the child, if it could not be prepared.
    pub fn start() -> io::Result<Option<Self>> {
        match fork_alone()? {
            ForkResult::Parent { child } => Self::of(child).map(Some),
            ForkResult::Child => settle().map(|()| None),
        }
    }

    /// The same in a process that was itself started so: its streams lead nowhere already, and it may have no
    /// right to open any.
    ///
    /// # Errors As [`fork_alone`].
    pub fn start_another() -> io::Result<Option<Self>> {
        match fork_alone()? {
            ForkResult::Parent { child } => Self::of(child).map(Some),
            ForkResult::Child => Ok(None),
        }
    }

    fn of(child: nix::unistd::Pid) -> io::Result<Self> {
        Pid::from_raw(child.as_raw()).map(Self).ok_or_else(|| io::Error::other("fork(2) gave no process"))
    }

    /// Whether it has ended by now.
    ///
    /// # Errors
    /// If somebody else has waited for it.
    pub fn has_ended(&self) -> io::Result<bool> {
        let ended = rustix::io::retry_on_intr(|| waitpid(Some(self.0), WaitOptions::NOHANG))?;
        Ok(ended.is_some())
    }

    /// Ends it, whatever it does.
    ///
    /// # Errors
    /// If somebody else has waited for it.
    pub fn end(self) -> io::Result<()> {
        // It may have ended by itself; it is this process's own until it was waited for.
        let _ = rustix::process::kill_process(self.0, rustix::process::Signal::KILL);
        self.wait().map(|_| ())
    }

    /// Waits until it has ended, and returns its status; `None` if a signal ended it.
    ///
    /// # Errors
    /// If somebody else has waited for it.
    pub fn wait(self) -> io::Result<Option<i32>> {
        let ended = rustix::io::retry_on_intr(|| waitpid(Some(self.0), WaitOptions::empty()))?;
        Ok(ended.and_then(|(_, status): (Pid, WaitStatus)| status.exit_status()))
    }
}

/// Closes all open files but standard error, the two streams that lead nowhere, and `kept`. For a child that ends without running
/// what its parent has set up to close files: nothing else of these may be used from then on.
///
/// # Errors
/// If `/proc/self/fd` cannot be read.
pub fn close_all_but(kept: &[BorrowedFd<'_>]) -> io::Result<()> {
    let kept: Vec<RawFd> = kept.iter().map(AsRawFd::as_raw_fd).collect();
    let others: Vec<RawFd> = fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|number| *number > libc::STDERR_FILENO && !kept.contains(number))
        .collect();
    for number in others {
        // SAFETY: the child was forked with copies of its parent's files. By contract nobody in it uses or closes these any more; a
        // number that is closed already (of the folder that was read) is refused.
        unsafe { libc::close(number) };
    }
    Ok(())
}

fn settle() -> io::Result<()> {
    for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP, libc::SIGPIPE] {
        // SAFETY: to ignore a signal runs no code.
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
