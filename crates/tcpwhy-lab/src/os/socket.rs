//! The kernel's data about a socket.

use std::ffi::c_int;
use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd};

use super::check;

/// Options whose value is plain bytes. For others, such as `TCP_ZEROCOPY_RECEIVE`, the kernel reads addresses
/// from the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SocketOption {
    /// `TCP_INFO`: `struct tcp_info` (`linux/tcp.h`, tcp(7)).
    TcpInfo,
    /// `SO_MEMINFO`: counts of 32 bits (`SK_MEMINFO_VARS` of `linux/sock_diag.h`).
    Memory,
}

impl SocketOption {
    const fn level_and_name(self) -> (c_int, c_int) {
        // include/uapi/asm-generic/socket.h
        const SO_MEMINFO: c_int = 55;
        match self {
            Self::TcpInfo => (libc::IPPROTO_TCP, libc::TCP_INFO),
            Self::Memory => (libc::SOL_SOCKET, SO_MEMINFO),
        }
    }
}

/// A queue of a TCP socket (tcp(7)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queue {
    /// Bytes written and not acknowledged: `SIOCOUTQ`.
    Unacknowledged,
    /// Bytes written and not sent: `SIOCOUTQNSD`.
    Unsent,
    /// Bytes received and not read: `SIOCINQ`.
    Unread,
}

impl Queue {
    const fn request(self) -> libc::Ioctl {
        match self {
            Self::Unacknowledged => libc::TIOCOUTQ,
            Self::Unsent => libc::SIOCOUTQNSD as libc::Ioctl,
            Self::Unread => libc::FIONREAD,
        }
    }
}

/// Reads a socket option, as far as the kernel provides it and `buffer` has room. getsockopt(2).
pub(crate) fn socket_option<'a>(
    socket: BorrowedFd<'_>,
    option: SocketOption,
    buffer: &'a mut [u8],
) -> io::Result<&'a [u8]> {
    let (level, name) = option.level_and_name();
    let mut length = buffer.len() as libc::socklen_t;
    // SAFETY: `buffer` and `length` live through the call, and `length` says how many bytes `buffer` has.
    check(unsafe { libc::getsockopt(socket.as_raw_fd(), level, name, buffer.as_mut_ptr().cast(), &raw mut length) })?;
    let given = (length as usize).min(buffer.len());
    Ok(&buffer[..given])
}

/// Bytes in a queue, by ioctl(2); `None` if the kernel does not provide it.
pub(crate) fn queued(socket: BorrowedFd<'_>, queue: Queue) -> Option<u64> {
    let mut value: c_int = 0;
    // SAFETY: these requests write one int, to `value`.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), queue.request(), &raw mut value) }).ok()?;
    Some(value.max(0).cast_unsigned().into())
}
