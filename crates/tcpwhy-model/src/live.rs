//! What is observed of a running host, connection by connection and again and again.

use crate::Timestamp;
use crate::host::SocketSample;

/// Which socket, as long as the host runs: the kernel never gives a cookie again (`sock_gen_cookie`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SocketKey {
    /// Inode of its network namespace (`/proc/PID/ns/net`).
    pub namespace: u64,
    /// The kernel's cookie.
    pub cookie: u64,
}

/// A socket at an instant, as the kernel gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSample {
    /// When it was asked.
    pub time: Timestamp,
    /// Which socket.
    pub key: SocketKey,
    /// What the kernel said.
    pub socket: SocketSample,
}

/// A process that has a socket open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Process {
    /// Process id, in the namespace of whoever looked.
    pub pid: u32,
    /// `comm`: the first 15 bytes of its name.
    pub name: String,
    /// Its control group (v2), `/` for the root; `None` when it could not be read.
    pub cgroup: Option<String>,
}
