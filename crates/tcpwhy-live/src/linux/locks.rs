//! Buffers that applications have set: `SO_BUF_LOCK` (Linux 5.15) of a copy of the descriptor (`pidfd_getfd`,
//! Linux 5.6).

#![allow(unsafe_code, reason = "getsockopt of an option that no library knows")]

use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd};

use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};
use tcpwhy_model::host::{BufferLocks, SocketSample};

/// `include/uapi/asm-generic/socket.h`.
const SO_BUF_LOCK: libc::c_int = 72;

/// Reads the locks of every socket that a process has open. The locks of unreadable processes stay unknown.
///
/// The copy of a descriptor is closed at once, so its owner does not notice. A socket that the owner closes
/// at that moment lives a few microseconds longer.
pub(super) fn read(sockets: &mut [SocketSample]) {
    let mut order: Vec<usize> = (0..sockets.len()).collect();
    order.sort_by_key(|&i| sockets[i].processes.first().map(|p| p.pid));
    let mut process: Option<(u32, Option<OwnedFd>)> = None;
    for index in order {
        let socket = &mut sockets[index];
        // Sockets without a visible process are reported as another gap.
        let Some(holder) = socket.processes.first() else { continue };
        if process.as_ref().is_none_or(|(pid, _)| *pid != holder.pid) {
            let pid = i32::try_from(holder.pid).ok().and_then(Pid::from_raw);
            process = Some((holder.pid, pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())));
        }
        let copy = process.as_ref().and_then(|(_, fd)| {
            let fd = fd.as_ref()?;
            pidfd_getfd(fd, i32::try_from(holder.fd).ok()?, PidfdGetfdFlags::empty()).ok()
        });
        // The descriptor number may have been reused since for another socket; the inode shows it.
        let copy = copy.filter(|fd| inode(fd) == socket.inode);
        socket.locks = copy.and_then(|fd| buffer_locks(std::os::fd::AsFd::as_fd(&fd)));
    }
}

/// Buffers that process `pid` has set on its open socket with `inode`; `None` if that cannot be read.
pub fn locks_of(pid: u32, inode: u64) -> Option<BufferLocks> {
    let raw = Pid::from_raw(i32::try_from(pid).ok()?)?;
    let link = format!("socket:[{inode}]");
    let is_it = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path()).is_ok_and(|target| target.as_os_str() == link.as_str())
    };
    let entry = std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?.filter_map(Result::ok).find(is_it)?;
    let number = entry.file_name().to_str()?.parse().ok()?;
    let copy = pidfd_getfd(pidfd_open(raw, PidfdFlags::empty()).ok()?, number, PidfdGetfdFlags::empty()).ok()?;
    // The descriptor number may have been reused since for another socket.
    (self::inode(&copy) == Some(inode)).then_some(())?;
    buffer_locks(std::os::fd::AsFd::as_fd(&copy))
}

fn inode(fd: &OwnedFd) -> Option<u64> {
    let link = std::fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd())).ok()?;
    link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

/// The locks of a socket; `None` on kernels before 5.15.
fn buffer_locks(fd: BorrowedFd<'_>) -> Option<BufferLocks> {
    let mut value: libc::c_int = 0;
    let mut length = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: `value` and `length` live through the call, and `length` says how many bytes `value` has.
    let result = unsafe {
        libc::getsockopt(
            fd.as_raw_fd(),
            libc::SOL_SOCKET,
            SO_BUF_LOCK,
            std::ptr::from_mut(&mut value).cast(),
            &raw mut length,
        )
    };
    (result == 0 && length as usize == size_of::<libc::c_int>()).then(|| BufferLocks::from_bits(value as u32))
}
