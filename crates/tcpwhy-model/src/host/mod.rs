//! State of a host as its kernel reports it: sockets, counters, TCP memory. Without interpretation.

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

/// Everything that was observed on a host at one moment, except its sysctls. Unreadable parts are `None`.
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
    /// Whether the network namespace is the initial one; `None` if unknown.
    pub is_initial_namespace: Option<bool>,
    /// `/proc/net/netstat` and `/proc/net/snmp`.
    pub counters: Option<Counters>,
    /// Counters now minus counters one interval ago, and the length of the interval in seconds.
    pub recent: Option<(Counters, f64)>,
    /// `/proc/net/sockstat` and `/proc/net/sockstat6`.
    pub sockstat: Option<SockStat>,
    /// The line `TCP` of `/proc/net/protocols`.
    pub tcp_protocol: Option<ProtocolUse>,
    /// TCP sockets, without `TIME-WAIT`.
    pub sockets: Option<Vec<SocketSample>>,
    /// Local ports in `TIME-WAIT` by destination, most used first; empty if there are few.
    pub time_wait: Vec<PortUse>,
    /// Threads of processes with a listener whose accept queue is full.
    pub threads: Vec<ProcessThreads>,
    /// Bonds among the network interfaces; `None` if they were not examined.
    pub bonds: Option<Vec<Bond>>,
    /// Whether a process has a BPF map of sockets open (sockmap, sockhash); `None` if not all processes could
    /// be examined.
    pub has_sockmap: Option<bool>,
    /// Parts that could not be observed.
    pub gaps: Vec<Gap>,
}

listed! {
    /// A part of a host that could not be observed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Gap {
        /// No socket of any kind could be read.
        Sockets = "sockets",
        /// The processes of some sockets belong to other users.
        Processes = "processes",
        /// Whether applications have set their buffers. This needs `pidfd_getfd` (Linux 5.6, with permission
        /// to trace the process) and `SO_BUF_LOCK` (Linux 5.15).
        Locks = "locks",
        /// Counters of the TCP stack.
        Counters = "counters",
        /// Memory of the TCP stack.
        SockStat = "sockstat",
        /// Time since boot, so there are no rates.
        Uptime = "uptime",
        /// Settings of the kernel.
        Sysctls = "sysctls",
        /// Kernel release.
        Kernel = "kernel",
        /// `struct tcp_info` of connections, which `ss` prints only with `-i`.
        Details = "details",
        /// Sockets of other network namespaces, if those have at least as many sockets as this one.
        Namespaces = "namespaces",
        /// Files, sockets or text of a saved host beyond the limits for reading.
        Rest = "rest",
    }
}
