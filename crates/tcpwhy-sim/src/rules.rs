//! The numbers that a socket goes by.

use tcpwhy_kernel::window::{initial_ratio, scale_for};
use tcpwhy_kernel::{BufferKind, BufferRequest, KernelVersion, Link, Sysctl, Sysctls, grant, initial_autotuned_sndbuf};

use crate::time::{MICROSECOND, MILLISECOND, SECOND, Time};

/// `sk_gso_max_size`: of the device's 65,536 bytes `MAX_TCP_HEADER` and one go (`sk_setup_caps`).
const LARGEST_BURST: u64 = 65_215;
/// `sysctl_tcp_limit_output_bytes`.
const QUEUE_LIMIT: u64 = 4 << 20;

/// Which algorithm moves the congestion window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// One segment each round trip.
    Reno,
    /// Linux's default.
    Cubic,
}

/// What a program asks of its socket.
#[derive(Clone, Copy, Debug, Default)]
pub struct SocketOptions {
    /// `SO_SNDBUF`, before the kernel doubles it.
    pub sndbuf: Option<u64>,
    /// `SO_RCVBUF`, likewise.
    pub rcvbuf: Option<u64>,
    /// `TCP_NODELAY`.
    pub has_nodelay: bool,
}

/// What a host decides.
#[derive(Clone, Debug)]
pub struct HostRules {
    /// Its kernel.
    pub version: KernelVersion,
    /// Its settings.
    pub sysctls: Sysctls,
    /// `net.ipv4.tcp_slow_start_after_idle`.
    pub has_slow_start_after_idle: bool,
    /// `CONFIG_HZ`.
    pub ticks_a_second: u64,
    /// Segments of the first congestion window.
    pub initial_window: u64,
    /// Shortest retransmission timeout.
    pub rto_min: Time,
    /// Congestion control of the connection.
    pub algorithm: Algorithm,
}

impl HostRules {
    /// A host on which nothing was changed.
    pub fn defaults(version: KernelVersion) -> Self {
        Self {
            version,
            sysctls: Sysctls::defaults(version),
            has_slow_start_after_idle: true,
            ticks_a_second: 250,
            initial_window: 10,
            rto_min: 200 * MILLISECOND,
            algorithm: Algorithm::Cubic,
        }
    }
}

/// All numbers of one socket, as kernel, settings and options make them.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Payload of a full segment.
    pub(crate) mss: u64,
    /// What its SYN announces (RFC 9293 §3.7.1): options take of it.
    pub(crate) announced_mss: u64,
    pub(crate) sndbuf: u64,
    pub(crate) is_sndbuf_set: bool,
    pub(crate) most_sndbuf: u64,
    pub(crate) rcvbuf: u64,
    pub(crate) is_rcvbuf_set: bool,
    pub(crate) most_rcvbuf: u64,
    /// Memory of a sent skb besides its payload.
    pub(crate) skb_overhead: u64,
    /// Memory that `tcp_sndbuf_expand` counts for a segment.
    pub(crate) memory_per_segment: u64,
    pub(crate) window_scale: u8,
    /// 256ths of the receive buffer that are window, before data has come.
    pub(crate) first_ratio: u64,
    pub(crate) has_nodelay: bool,
    pub(crate) has_slow_start_after_idle: bool,
    pub(crate) initial_window: u64,
    pub(crate) rto_min: Time,
    pub(crate) tick: Time,
    pub(crate) algorithm: Algorithm,
    pub(crate) largest_burst: u64,
    pub(crate) queue_limit: u64,
    /// A buffer takes bytes of the next one before it is sent (`tcp_grow_skb`, 6.10).
    pub(crate) fills_buffers: bool,
    /// `tcp_tso_should_defer` looks at when the next ACK is due rather than at when data was sent (6.18).
    pub(crate) defers_by_next_ack: bool,
}

impl Rules {
    pub(crate) fn new(host: &HostRules, options: &SocketOptions, link: &Link) -> Self {
        let HostRules { version, sysctls, .. } = host;
        let version = *version;
        let triple = |sysctl| sysctls.triple_or_default(sysctl, version).map_or([4096, 16_384, 4 << 20], |s| s.value);
        let (wmem, rmem) = (triple(Sysctl::TcpWmem), triple(Sysctl::TcpRmem));
        let asked = |kind, bytes: u64| {
            let request = BufferRequest::new(i32::try_from(bytes).unwrap_or(i32::MAX));
            grant(kind, request, sysctls, version).reported
        };
        let announced = link.mss() + if link.has_timestamps { 12 } else { 0 };
        let header = link.max_tcp_header(version).value;
        let automatic = initial_autotuned_sndbuf(announced, header, false);
        let sndbuf =
            options.sndbuf.map_or_else(|| wmem[1].max(automatic.min(wmem[2])), |bytes| asked(BufferKind::Send, bytes));
        let rcvbuf = options.rcvbuf.map_or(rmem[1].min(rmem[2]), |bytes| asked(BufferKind::Receive, bytes));
        let most_announced =
            sysctls.number(Sysctl::RmemMax).and_then(|most| u64::try_from(most).ok()).unwrap_or(212_992);
        let first_ratio = initial_ratio(version).unwrap_or(128);
        let space = if options.rcvbuf.is_some() { rcvbuf * first_ratio / 256 } else { rmem[2].max(most_announced) };
        Self {
            mss: link.mss(),
            announced_mss: announced,
            sndbuf,
            is_sndbuf_set: options.sndbuf.is_some(),
            most_sndbuf: wmem[2],
            rcvbuf,
            is_rcvbuf_set: options.rcvbuf.is_some(),
            most_rcvbuf: rmem[2],
            skb_overhead: link.skb_overhead(version).value,
            memory_per_segment: automatic / 20,
            window_scale: scale_for(space),
            first_ratio,
            has_nodelay: options.has_nodelay,
            has_slow_start_after_idle: host.has_slow_start_after_idle,
            initial_window: host.initial_window,
            rto_min: host.rto_min,
            tick: (SECOND / host.ticks_a_second.max(1)).max(MICROSECOND),
            algorithm: host.algorithm,
            largest_burst: LARGEST_BURST,
            queue_limit: QUEUE_LIMIT,
            fills_buffers: version.is_since(6, 10),
            defers_by_next_ack: version.is_since(6, 18),
        }
    }
}
