use std::fmt;
use std::net::IpAddr;

use super::TcpInfo;

/// A TCP socket as reported by the kernel or by `ss`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SocketSample {
    /// State of the connection; `None` if `ss` was restricted to one state and so omits the column.
    pub state: Option<TcpState>,
    /// Bytes received and not read; for a listener: connections waiting to be accepted.
    pub receive_queue: u64,
    /// Bytes not yet acknowledged, sent or not; for a listener: the maximum length of its accept queue.
    pub send_queue: u64,
    /// This end.
    pub local: SocketAddress,
    /// The other end.
    pub peer: SocketAddress,
    /// Processes that have it open; empty if there are none or if they could not be read.
    pub processes: Vec<ProcessRef>,
    /// Inode of the socket; `None` if 0 or unknown.
    pub inode: Option<u64>,
    /// The kernel's cookie of the socket.
    pub cookie: Option<u64>,
    /// User id of its owner.
    pub user: Option<u32>,
    /// Running timer.
    pub timer: Option<SocketTimer>,
    /// Memory of the socket.
    pub memory: SocketMemory,
    /// Name of the congestion control.
    pub congestion_control: Option<String>,
    /// `struct tcp_info`.
    pub info: TcpInfo,
    /// Buffers that the application has set (`SO_BUF_LOCK`); `None` if the kernel was not queried.
    pub locks: Option<BufferLocks>,
    /// Unparsed words of the line of `ss`: fields of newer versions, `cgroup:…`, `bbr:(…)`.
    pub other: Vec<String>,
}

/// State of a connection, in the order of Linux's `enum` (`include/net/tcp_states.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "RFC 9293 §3.3.2 names them")]
pub enum TcpState {
    Established,
    SynSent,
    SynReceived,
    FinWait1,
    FinWait2,
    TimeWait,
    Close,
    CloseWait,
    LastAck,
    Listen,
    Closing,
}

impl TcpState {
    /// All states, in the kernel's order from 1 on.
    pub const ALL: [Self; 11] = [
        Self::Established,
        Self::SynSent,
        Self::SynReceived,
        Self::FinWait1,
        Self::FinWait2,
        Self::TimeWait,
        Self::Close,
        Self::CloseWait,
        Self::LastAck,
        Self::Listen,
        Self::Closing,
    ];

    /// State name that `ss` prints.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Established => "ESTAB",
            Self::SynSent => "SYN-SENT",
            Self::SynReceived => "SYN-RECV",
            Self::FinWait1 => "FIN-WAIT-1",
            Self::FinWait2 => "FIN-WAIT-2",
            Self::TimeWait => "TIME-WAIT",
            Self::Close => "UNCONN",
            Self::CloseWait => "CLOSE-WAIT",
            Self::LastAck => "LAST-ACK",
            Self::Listen => "LISTEN",
            Self::Closing => "CLOSING",
        }
    }

    /// The state with this name in `ss`.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.id() == id)
    }

    /// The kernel's number.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The state with the kernel's number. `TCP_NEW_SYN_RECV` (12) is reported as `SYN-RECV`.
    pub fn from_number(number: u8) -> Option<Self> {
        match number {
            12 => Some(Self::SynReceived),
            _ => Self::ALL.get(usize::from(number).checked_sub(1)?).copied(),
        }
    }

    /// Whether the connection is established, or was and is now closing.
    pub const fn is_connected(self) -> bool {
        !matches!(self, Self::Listen | Self::Close | Self::SynSent | Self::SynReceived | Self::TimeWait)
    }
}

/// One end of a socket; any part may be a wildcard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SocketAddress {
    /// IP address; `None` for any address, or for a host name (`ss` without `-n`).
    pub address: Option<IpAddr>,
    /// Interface that the address is bound to: `fe80::1%eth0`.
    pub zone: Option<String>,
    /// Port; `None` for any port.
    pub port: Option<u16>,
}

impl fmt::Display for SocketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            Some(IpAddr::V6(a)) => write!(f, "[{a}]")?,
            Some(IpAddr::V4(a)) => write!(f, "{a}")?,
            None => f.write_str("*")?,
        }
        if let Some(zone) = &self.zone {
            write!(f, "%{zone}")?;
        }
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => f.write_str(":*"),
        }
    }
}

/// A process that has the socket open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessRef {
    /// `comm`: the first 15 bytes of its name.
    pub name: String,
    /// Process id.
    pub pid: u32,
    /// File descriptor.
    pub fd: u32,
}

/// `SO_MEMINFO`, `skmem:(…)`: memory of a socket in bytes, with the kernel's overhead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketMemory {
    /// `r`: memory of data received and not read (`sk_rmem_alloc`).
    pub receive_allocated: Option<u64>,
    /// `rb`: the receive buffer (`sk_rcvbuf`), what `getsockopt(SO_RCVBUF)` returns.
    pub receive_buffer: Option<u64>,
    /// `t`: memory handed to the queues below TCP (`sk_wmem_alloc`).
    pub transmit_allocated: Option<u64>,
    /// `tb`: the send buffer (`sk_sndbuf`), what `getsockopt(SO_SNDBUF)` returns.
    pub send_buffer: Option<u64>,
    /// `f`: memory reserved and unused (`sk_forward_alloc`).
    pub forward_allocated: Option<u64>,
    /// `w`: memory of data not yet sent or not yet acknowledged (`sk_wmem_queued`).
    pub send_queued: Option<u64>,
    /// `o`: options and filters (`sk_omem_alloc`).
    pub options: Option<u64>,
    /// `bl`: received while the process had the socket locked; Linux 3.6.
    pub backlog: Option<u64>,
    /// `d`: packets dropped at this socket; newer kernels.
    pub drops: Option<u64>,
}

/// `SO_BUF_LOCK` (Linux 5.15): the buffers that the application has set. The kernel does not autotune these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BufferLocks {
    /// `SOCK_SNDBUF_LOCK`.
    pub send: bool,
    /// `SOCK_RCVBUF_LOCK`.
    pub receive: bool,
}

impl BufferLocks {
    /// From the option's value.
    pub const fn from_bits(bits: u32) -> Self {
        Self { send: bits & 1 != 0, receive: bits & 2 != 0 }
    }

    /// The option's value.
    pub const fn bits(self) -> u32 {
        self.send as u32 | (self.receive as u32) << 1
    }
}

/// A running timer of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SocketTimer {
    /// Purpose of the timer.
    pub kind: TimerKind,
    /// Milliseconds until it expires; `ss` rounds to seconds from 10 s on.
    pub expires: Option<u64>,
    /// Retransmissions or probes so far.
    pub retransmissions: Option<u64>,
}

/// Purpose of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimerKind {
    /// Retransmission, tail loss probe or reordering.
    Retransmission,
    /// Keep-alive, or the SYN-ACK of a connection being opened.
    KeepAlive,
    /// End of `TIME-WAIT`.
    TimeWait,
    /// Zero window probe: the peer advertises a zero window.
    Persist,
    /// Another purpose.
    Unknown,
}

impl TimerKind {
    /// All kinds, in the order of the kernel's numbers from 1 on.
    pub const ALL: [Self; 5] = [Self::Retransmission, Self::KeepAlive, Self::TimeWait, Self::Persist, Self::Unknown];

    /// Timer name that `ss` prints.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Retransmission => "on",
            Self::KeepAlive => "keepalive",
            Self::TimeWait => "timewait",
            Self::Persist => "persist",
            Self::Unknown => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_as_ss_writes_them() {
        let text = |address: Option<&str>, zone: Option<&str>, port| {
            SocketAddress { address: address.and_then(|a| a.parse().ok()), zone: zone.map(Into::into), port }
                .to_string()
        };
        assert_eq!(text(Some("192.0.2.1"), None, Some(80)), "192.0.2.1:80");
        assert_eq!(text(Some("::1"), None, None), "[::1]:*");
        assert_eq!(text(Some("fe80::1"), Some("eth0"), Some(22)), "[fe80::1]%eth0:22");
        assert_eq!(text(None, None, None), "*:*");
    }

    #[test]
    fn states_by_number() {
        assert_eq!(TcpState::from_number(1), Some(TcpState::Established));
        assert_eq!(TcpState::from_number(10), Some(TcpState::Listen));
        assert_eq!(TcpState::from_number(12), Some(TcpState::SynReceived));
        assert!(TcpState::ALL.into_iter().all(|state| TcpState::from_number(state.number()) == Some(state)));
        assert_eq!((TcpState::from_number(0), TcpState::from_number(13)), (None, None));
    }

    #[test]
    fn locks_are_two_bits() {
        for bits in 0..4 {
            assert_eq!(BufferLocks::from_bits(bits).bits(), bits);
        }
        assert!(BufferLocks::from_bits(1).send && !BufferLocks::from_bits(1).receive);
    }
}
