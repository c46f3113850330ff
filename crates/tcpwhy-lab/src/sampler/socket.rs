//! A socket at an instant, asked through its descriptor.

#![allow(unsafe_code, reason = "getsockopt and ioctl of what no library knows")]

use std::ffi::c_int;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd};

use tcpwhy_model::host::{SocketMemory, TcpInfo};

/// What the kernel says of a TCP socket. What it did not say is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketState {
    /// `TCP_ESTABLISHED` … of `include/net/tcp_states.h`.
    pub state: Option<u8>,
    /// Bytes written and not acknowledged (`SIOCOUTQ`); a FIN counts as one.
    pub outq: Option<u64>,
    /// Of those, bytes that were not sent yet (`SIOCOUTQNSD`).
    pub unsent: Option<u64>,
    /// Bytes received and not read (`SIOCINQ`).
    pub inq: Option<u64>,
    /// `SO_MEMINFO`.
    pub memory: SocketMemory,
    /// `TCP_INFO`.
    pub info: TcpInfo,
}

impl SocketState {
    /// Asks the kernel.
    pub fn read(socket: impl AsFd) -> io::Result<Self> {
        // include/uapi/asm-generic/socket.h
        const SO_MEMINFO: c_int = 55;
        // Larger than the `struct tcp_info` of any kernel so far (280 bytes in Linux 6.18).
        let mut info = [0; 512];
        let mut memory = [0; 64];
        let fd = socket.as_fd();
        let info = option(fd, libc::IPPROTO_TCP, libc::TCP_INFO, &mut info)?;
        let memory = option(fd, libc::SOL_SOCKET, SO_MEMINFO, &mut memory).unwrap_or_default();
        Ok(Self {
            state: info.first().copied(),
            outq: count(fd, libc::TIOCOUTQ),
            unsent: count(fd, libc::SIOCOUTQNSD as libc::Ioctl),
            inq: count(fd, libc::FIONREAD),
            memory: tcpwhy_live::socket_memory(memory),
            info: tcpwhy_live::tcp_info::decode(info),
        })
    }
}

/// As much of a socket option as the kernel gives.
fn option<'a>(fd: BorrowedFd<'_>, level: c_int, name: c_int, buffer: &'a mut [u8]) -> io::Result<&'a [u8]> {
    let mut length = buffer.len() as libc::socklen_t;
    // SAFETY: `buffer` and `length` live through the call, and `length` says how many bytes `buffer` has.
    let result = unsafe { libc::getsockopt(fd.as_raw_fd(), level, name, buffer.as_mut_ptr().cast(), &raw mut length) };
    if result == 0 { Ok(&buffer[..length as usize]) } else { Err(io::Error::last_os_error()) }
}

/// A count of bytes that an ioctl gives.
fn count(fd: BorrowedFd<'_>, request: libc::Ioctl) -> Option<u64> {
    let mut value: c_int = 0;
    // SAFETY: these requests write one `int`, to `value`.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), request, &raw mut value) };
    (result == 0).then(|| value.max(0).cast_unsigned().into())
}
