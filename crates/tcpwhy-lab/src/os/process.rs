//! Files that a process passes to the programs it starts.

use std::fs;
use std::io;
use std::os::fd::RawFd;

/// Marks all inherited files except the standard streams as close-on-exec, so that programs cannot use them.
/// fcntl(2), `FD_CLOEXEC`.
///
/// # Errors
/// If `/proc/self/fd` cannot be read.
pub(crate) fn close_others_on_exec() -> io::Result<()> {
    let numbers: Vec<RawFd> = fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&number| number > libc::STDERR_FILENO)
        .collect();
    for number in numbers {
        // SAFETY: F_SETFD takes its argument by value. FD_CLOEXEC changes nothing for this process, whichever
        // code owns the descriptor. The kernel refuses a number that is no longer a file.
        let _ = unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};

    use super::*;

    #[test]
    fn what_was_open_is_closed_on_exec() {
        let file = File::open("/dev/null").unwrap();
        // SAFETY: dup(2) gives a new descriptor, without FD_CLOEXEC, that no other code owns.
        let inherited = unsafe { OwnedFd::from_raw_fd(libc::dup(file.as_raw_fd())) };
        let flags = || rustix::io::fcntl_getfd(&inherited).unwrap();
        assert!(!flags().contains(rustix::io::FdFlags::CLOEXEC));
        close_others_on_exec().unwrap();
        assert!(flags().contains(rustix::io::FdFlags::CLOEXEC));
    }
}
