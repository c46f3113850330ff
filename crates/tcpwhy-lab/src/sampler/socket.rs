//! The state of a socket, read through its descriptor.

use std::io;
use std::os::fd::AsFd;

use tcpwhy_model::host::{SocketMemory, TcpInfo};

use crate::os::{Queue, SocketOption, queued, socket_option};

/// The kernel's data about a TCP socket. Values that the kernel did not provide are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketState {
    /// `TCP_ESTABLISHED` … of `include/net/tcp_states.h`.
    pub state: Option<u8>,
    /// Bytes written and not acknowledged (`SIOCOUTQ`); a FIN counts as one.
    pub outq: Option<u64>,
    /// Bytes of `outq` that were not sent yet (`SIOCOUTQNSD`).
    pub unsent: Option<u64>,
    /// Bytes received and not read (`SIOCINQ`).
    pub inq: Option<u64>,
    /// `SO_MEMINFO`.
    pub memory: SocketMemory,
    /// `TCP_INFO`.
    pub info: TcpInfo,
}

impl SocketState {
    /// Reads the state from the kernel.
    pub fn read(socket: impl AsFd) -> io::Result<Self> {
        // Larger than the `struct tcp_info` of any kernel so far (280 bytes in Linux 6.18).
        let mut info = [0; 512];
        let mut memory = [0; 64];
        let fd = socket.as_fd();
        let info = socket_option(fd, SocketOption::TcpInfo, &mut info)?;
        let memory = socket_option(fd, SocketOption::Memory, &mut memory).unwrap_or_default();
        Ok(Self {
            state: info.first().copied(),
            outq: queued(fd, Queue::Unacknowledged),
            unsent: queued(fd, Queue::Unsent),
            inq: queued(fd, Queue::Unread),
            memory: tcpwhy_live::socket_memory(memory),
            info: tcpwhy_live::tcp_info::decode(info),
        })
    }
}
