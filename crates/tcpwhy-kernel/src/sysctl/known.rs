//! The sysctls that determine what a TCP connection may send and receive.

use crate::KernelVersion;

/// Unit of a sysctl's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SysctlUnit {
    /// Bytes.
    Bytes,
    /// Pages of memory, 4,096 bytes on most machines.
    Pages,
    /// Microseconds.
    Microseconds,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// A flag: 0 or 1.
    Flag,
    /// One of several numbered modes.
    Mode,
    /// An exponent of two.
    Shift,
    /// Segments.
    Segments,
    /// A number of other items.
    Count,
    /// A percentage.
    Percent,
    /// Names.
    Names,
}

/// Format of a sysctl's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SysctlShape {
    /// One number.
    Number,
    /// Minimum, default and maximum.
    Triple,
    /// One name or several.
    Words,
}

/// Scope of a sysctl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SysctlScope {
    /// The whole machine, containers included.
    Global,
    /// One network namespace: a container may have its own.
    Namespace,
}

impl SysctlScope {
    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Namespace => "namespace",
        }
    }
}

macro_rules! sysctls {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal, $shape:ident, $unit:ident, $scope:ident;)*) => {
        /// A sysctl that affects TCP buffers, windows or related behaviour.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Sysctl {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Sysctl {
            /// All sysctls, `net.core` first.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name, with dots.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Format of the value.
            pub const fn shape(self) -> SysctlShape {
                match self { $(Self::$variant => SysctlShape::$shape,)* }
            }

            /// Unit of the numbers.
            pub const fn unit(self) -> SysctlUnit {
                match self { $(Self::$variant => SysctlUnit::$unit,)* }
            }

            /// Scope of the sysctl.
            pub const fn scope(self) -> SysctlScope {
                match self { $(Self::$variant => SysctlScope::$scope,)* }
            }
        }
    };
}

sysctls! {
    /// Largest size that `SO_RCVBUF` may request. It does not limit autotuning.
    RmemMax = "net.core.rmem_max", Number, Bytes, Global;
    /// Largest size that `SO_SNDBUF` may request. It does not limit autotuning.
    WmemMax = "net.core.wmem_max", Number, Bytes, Global;
    /// Receive buffer of non-TCP sockets (`tcp_init_sock` overwrites it).
    RmemDefault = "net.core.rmem_default", Number, Bytes, Global;
    /// Send buffer of non-TCP sockets (`tcp_init_sock` overwrites it).
    WmemDefault = "net.core.wmem_default", Number, Bytes, Global;
    /// Maximum number of packets queued between a device and the protocols, per CPU.
    NetdevMaxBacklog = "net.core.netdev_max_backlog", Number, Count, Global;
    /// Maximum number of connections that may wait for `accept()`.
    Somaxconn = "net.core.somaxconn", Number, Count, Namespace;
    /// Queueing discipline of new devices.
    DefaultQdisc = "net.core.default_qdisc", Words, Names, Global;
    /// Memory of all TCP sockets: end of unrestricted growth, start of pressure, maximum.
    TcpMem = "net.ipv4.tcp_mem", Triple, Pages, Global;
    /// Receive buffer: guaranteed under pressure, initial, maximum of autotuning.
    TcpRmem = "net.ipv4.tcp_rmem", Triple, Bytes, Namespace;
    /// Send buffer: guaranteed under pressure, initial, maximum of autotuning.
    TcpWmem = "net.ipv4.tcp_wmem", Triple, Bytes, Namespace;
    /// Whether the receive buffer is autotuned.
    TcpModerateRcvbuf = "net.ipv4.tcp_moderate_rcvbuf", Number, Flag, Namespace;
    /// Round-trip time below which the receive buffer grows more slowly (6.19 or later).
    TcpRcvbufLowRtt = "net.ipv4.tcp_rcvbuf_low_rtt", Number, Microseconds, Namespace;
    /// Share of the receive buffer that is advertised as window; without effect since 6.6.
    TcpAdvWinScale = "net.ipv4.tcp_adv_win_scale", Number, Shift, Namespace;
    /// Share of the window that is reserved for the application.
    TcpAppWin = "net.ipv4.tcp_app_win", Number, Shift, Namespace;
    /// Whether windows over 65,535 bytes are negotiated.
    TcpWindowScaling = "net.ipv4.tcp_window_scaling", Number, Flag, Namespace;
    /// Whether an advertised window may be withdrawn.
    TcpShrinkWindow = "net.ipv4.tcp_shrink_window", Number, Flag, Namespace;
    /// Maximum bytes of one socket in queueing discipline and driver.
    TcpLimitOutputBytes = "net.ipv4.tcp_limit_output_bytes", Number, Bytes, Namespace;
    /// Unsent bytes below which a socket is writable.
    TcpNotsentLowat = "net.ipv4.tcp_notsent_lowat", Number, Bytes, Namespace;
    /// Congestion control of new sockets.
    TcpCongestionControl = "net.ipv4.tcp_congestion_control", Words, Names, Namespace;
    /// Loaded congestion controls.
    TcpAvailableCongestionControl = "net.ipv4.tcp_available_congestion_control", Words, Names, Global;
    /// Congestion controls that unprivileged users may choose, and the only ones in other namespaces.
    TcpAllowedCongestionControl = "net.ipv4.tcp_allowed_congestion_control", Words, Names, Global;
    /// Whether the congestion window shrinks while the connection is idle.
    TcpSlowStartAfterIdle = "net.ipv4.tcp_slow_start_after_idle", Number, Flag, Namespace;
    /// Whether the metrics that a connection learnt about its path are discarded.
    TcpNoMetricsSave = "net.ipv4.tcp_no_metrics_save", Number, Flag, Namespace;
    /// RFC 7323 timestamps.
    TcpTimestamps = "net.ipv4.tcp_timestamps", Number, Mode, Namespace;
    /// Selective acknowledgements.
    TcpSack = "net.ipv4.tcp_sack", Number, Flag, Namespace;
    /// Duplicate SACK.
    TcpDsack = "net.ipv4.tcp_dsack", Number, Flag, Namespace;
    /// Explicit congestion notification.
    TcpEcn = "net.ipv4.tcp_ecn", Number, Mode, Namespace;
    /// Loss detection: RACK's bits.
    TcpRecovery = "net.ipv4.tcp_recovery", Number, Mode, Namespace;
    /// Tail loss probe.
    TcpEarlyRetrans = "net.ipv4.tcp_early_retrans", Number, Mode, Namespace;
    /// Retransmissions of data before a connection is given up.
    TcpRetries2 = "net.ipv4.tcp_retries2", Number, Count, Namespace;
    /// Smallest retransmission timeout (6.11 or later).
    TcpRtoMinUs = "net.ipv4.tcp_rto_min_us", Number, Microseconds, Namespace;
    /// Largest retransmission timeout (6.15 or later).
    TcpRtoMaxMs = "net.ipv4.tcp_rto_max_ms", Number, Milliseconds, Namespace;
    /// Minimum number of segments of a segmentation-offload packet.
    TcpMinTsoSegs = "net.ipv4.tcp_min_tso_segs", Number, Segments, Namespace;
    /// Share of the window that one segmentation-offload packet may use.
    TcpTsoWinDivisor = "net.ipv4.tcp_tso_win_divisor", Number, Count, Namespace;
    /// Round-trip time below which segmentation-offload packets grow, as a power of two in microseconds.
    TcpTsoRttLog = "net.ipv4.tcp_tso_rtt_log", Number, Shift, Namespace;
    /// Whether small writes wait until earlier ones have left the machine.
    TcpAutocorking = "net.ipv4.tcp_autocorking", Number, Flag, Namespace;
    /// Pacing rate in slow start, as a percentage of congestion window over round-trip time.
    TcpPacingSsRatio = "net.ipv4.tcp_pacing_ss_ratio", Number, Percent, Namespace;
    /// Pacing rate after slow start, as a percentage of congestion window over round-trip time.
    TcpPacingCaRatio = "net.ipv4.tcp_pacing_ca_ratio", Number, Percent, Namespace;
    /// Number of request–response turns after which acknowledgments are delayed.
    TcpPingpongThresh = "net.ipv4.tcp_pingpong_thresh", Number, Count, Namespace;
    /// Probing for the largest segment that the path supports.
    TcpMtuProbing = "net.ipv4.tcp_mtu_probing", Number, Mode, Namespace;
    /// Initial segment size of MTU probing.
    TcpBaseMss = "net.ipv4.tcp_base_mss", Number, Bytes, Namespace;
    /// SYN cookies, which lose TCP options if timestamps are off.
    TcpSyncookies = "net.ipv4.tcp_syncookies", Number, Mode, Namespace;
    /// Maximum number of half-open connections of a listener.
    TcpMaxSynBacklog = "net.ipv4.tcp_max_syn_backlog", Number, Count, Namespace;
    /// Maximum number of sockets without a process.
    TcpMaxOrphans = "net.ipv4.tcp_max_orphans", Number, Count, Global;
    /// Idle time before the first keep-alive probe.
    TcpKeepaliveTime = "net.ipv4.tcp_keepalive_time", Number, Seconds, Namespace;
    /// Whether ports in `TIME-WAIT` are reused for outgoing connections: 1 yes, 2 over loopback only.
    TcpTwReuse = "net.ipv4.tcp_tw_reuse", Number, Mode, Namespace;
    /// First and last local port of outgoing connections.
    IpLocalPortRange = "net.ipv4.ip_local_port_range", Words, Count, Namespace;
    /// Whether windows over 32,767 bytes count as negative if scaling is off.
    TcpWorkaroundSignedWindows = "net.ipv4.tcp_workaround_signed_windows", Number, Flag, Namespace;
}

impl Sysctl {
    /// The sysctl with this name, written with dots or slashes.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().replace('/', ".");
        let name = name.strip_prefix(".proc.sys.").unwrap_or(&name);
        Self::ALL.iter().copied().find(|sysctl| sysctl.name() == name)
    }

    /// Whether a child network namespace can read it. `tcp_mem` and `tcp_max_orphans` are never readable
    /// there. The buffers of `net.core` are at least since 6.12 (measured: hidden on 6.1, read-only on 6.12).
    pub const fn is_visible_in_namespace(self, version: KernelVersion) -> bool {
        match (self, self.scope()) {
            (_, SysctlScope::Namespace) => true,
            (Self::RmemMax | Self::WmemMax | Self::RmemDefault | Self::WmemDefault, _) => version.is_since(6, 12),
            _ => false,
        }
    }

    /// Whether it has any effect in `version`.
    pub const fn has_effect(self, version: KernelVersion) -> bool {
        match self {
            // Obsolete since dfa2f0483360 (6.6): still accepted, but ignored.
            Self::TcpAdvWinScale => !version.is_since(6, 6),
            _ => true,
        }
    }
}
