//! `tcp_info` of a socket that this process has open.

#![allow(unsafe_code, reason = "getsockopt of an option that no library knows")]

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd};

use tcpwhy_model::host::TcpInfo;

use crate::tcp_info::decode;

/// Most bytes of `struct tcp_info` that are read; Linux 6.18 has 280.
const MOST: usize = 1024;

/// The kernel's numbers about `socket` (`getsockopt` of `TCP_INFO`).
pub(crate) fn tcp_info(socket: BorrowedFd<'_>) -> io::Result<TcpInfo> {
    let mut bytes = [0_u8; MOST];
    let mut length = MOST as libc::socklen_t;
    // SAFETY: `bytes` and `length` live through the call, and `length` says how many bytes `bytes` has.
    let result = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            bytes.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(decode(bytes.get(..length as usize).unwrap_or_default()))
}
