//! What a host says of itself: its sockets, its counters, its TCP memory. Observed, never interpreted.

mod bond;
mod counters;
mod ports;
mod socket;
mod tcp_info;
mod threads;

pub use bond::{Bond, BondMode};
pub use counters::{CounterGroup, Counters, ProtocolUse, SockStat};
pub use ports::PortUse;
pub use socket::{
    BufferLocks, ProcessRef, SocketAddress, SocketMemory, SocketSample, SocketTimer, TcpState, TimerKind,
};
pub use tcp_info::TcpInfo;
pub use threads::{ProcessThreads, ThreadState};

use crate::listed::listed;

/// Everything that was observed of a host at one moment, except its sysctls. What could not be read is
/// `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostObservation {
    /// Kernel release (`uname -r`): `6.1.0-18-amd64`.
    pub kernel_release: Option<String>,
    /// Seconds since boot (`/proc/uptime`).
    pub uptime: Option<f64>,
    /// Bytes of a page of memory, the unit of `tcp_mem`.
    pub page_size: Option<u64>,
    /// Bytes of memory (`MemTotal` of `/proc/meminfo`).
    pub memory: Option<u64>,
    /// Whether the network namespace is the first one; `None` when that is not known.
    pub is_initial_namespace: Option<bool>,
    /// `/proc/net/netstat` and `/proc/net/snmp`.
    pub counters: Option<Counters>,
    /// Counters now minus counters one interval ago, and the length of the interval in seconds.
    pub recent: Option<(Counters, f64)>,
    /// `/proc/net/sockstat` and `/proc/net/sockstat6`.
    pub sockstat: Option<SockStat>,
    /// The line `TCP` of `/proc/net/protocols`.
    pub tcp_protocol: Option<ProtocolUse>,
    /// TCP sockets, `TIME-WAIT` left out.
    pub sockets: Option<Vec<SocketSample>>,
    /// Local ports in `TIME-WAIT` by destination, the most used first; empty where there are few.
    pub time_wait: Vec<PortUse>,
    /// Threads of processes with a listener whose accept queue is full.
    pub threads: Vec<ProcessThreads>,
    /// Bonds among its network interfaces; `None` where nobody looked.
    pub bonds: Option<Vec<Bond>>,
    /// Whether a process has a BPF map of sockets open (sockmap, sockhash); `None` where nobody looked, or
    /// not all processes could be looked into.
    pub has_sockmap: Option<bool>,
    /// What was not seen, and why.
    pub gaps: Vec<Gap>,
}

listed! {
    /// A part of a host that was not seen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Gap {
        /// No socket of any kind could be read.
        Sockets = "sockets",
        /// The processes of some sockets belong to other users.
        Processes = "processes",
        /// Which buffers are set by their applications: needs `pidfd_getfd` (Linux 5.6, the right to trace
        /// the process) and `SO_BUF_LOCK` (Linux 5.15).
        Locks = "locks",
        /// Counters of the TCP stack.
        Counters = "counters",
        /// Memory of the TCP stack.
        SockStat = "sockstat",
        /// Time since boot, so that there are no rates.
        Uptime = "uptime",
        /// Settings of the kernel.
        Sysctls = "sysctls",
        /// Which kernel it is.
        Kernel = "kernel",
        /// `struct tcp_info` of connections, as of `ss` without `-i`.
        Details = "details",
        /// Sockets of other network namespaces, where these have as many as the own one or more.
        Namespaces = "namespaces",
        /// What a saved host has beyond the bounds of reading: more files, sockets or text.
        Rest = "rest",
    }
}
