//! The rules, each with its source. Their texts are in the message catalogues under `buffers-rule-ID`.

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $variant:ident = $id:literal, $source:literal;)*) => {
        /// A rule by which a figure is computed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Stable kebab-case id.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// Function and file of the kernel, change, or measurement.
            pub const fn source(self) -> &'static str {
                match self { $(Self::$variant => $source,)* }
            }
        }
    };
}

rules! {
    /// `SO_SNDBUF` and `SO_RCVBUF` are capped by `wmem_max` and `rmem_max`.
    ClampByMax = "clamp-by-max", "sk_setsockopt, net/core/sock.c; measured on 6.1 to 7.3";
    /// `SO_SNDBUFFORCE` and `SO_RCVBUFFORCE` ignore these caps, with `CAP_NET_ADMIN`.
    ForceSkipsMax = "force-skips-max", "sk_setsockopt, net/core/sock.c; measured on 6.18";
    /// The value is doubled for the kernel's own bookkeeping, and raised to a floor.
    Doubled = "doubled", "__sock_set_rcvbuf, sk_setsockopt, net/core/sock.c; SOCK_MIN_SNDBUF, SOCK_MIN_RCVBUF, include/net/sock.h";
    /// A set buffer is no longer autotuned.
    Locked = "locked", "sk_userlocks, net/core/sock.c";
    /// Autotuning starts the receive buffer with `tcp_rmem[1]`.
    RcvbufStart = "rcvbuf-start", "tcp_init_sock, net/ipv4/tcp.c";
    /// Before 4.20 an established connection had room for its first segments.
    FirstBuffer = "first-buffer", "tcp_fixup_rcvbuf, net/ipv4/tcp_input.c, until 4.19.85; read in v3.10, v4.4, v4.14";
    /// Before 4.20, SYN and SYN-ACK advertised no more than the first segments.
    FirstSegments = "first-segments", "tcp_default_init_rwnd, tcp_select_initial_window, net/ipv4/tcp_output.c, until 4.19.85; read in v3.10, v4.4, v4.14";
    /// Autotuning grows the receive buffer up to `tcp_rmem[2]`, independent of `rmem_max`.
    RcvbufGrowth = "rcvbuf-growth", "tcp_rcv_space_adjust, tcp_rcvbuf_grow, net/ipv4/tcp_input.c; measured on 6.1 and 6.18";
    /// Autotuning of the receive buffer is off.
    RcvbufFixed = "rcvbuf-fixed", "tcp_rcv_space_adjust, net/ipv4/tcp_input.c";
    /// Autotuning starts the send buffer from the initial congestion window.
    SndbufStart = "sndbuf-start", "tcp_init_buffer_space, tcp_sndbuf_expand, net/ipv4/tcp_input.c; measured on 6.18";
    /// Autotuning grows the send buffer up to `tcp_wmem[2]`, independent of `wmem_max`.
    SndbufGrowth = "sndbuf-growth", "tcp_sndbuf_expand, tcp_new_space, net/ipv4/tcp_input.c; measured on 6.18";
    /// Payload of a full segment.
    SegmentSize = "segment-size", "tcp_sync_mss, net/ipv4/tcp_output.c; RFC 7323 appendix A";
    /// Payload that one socket buffer may collect before segmentation.
    SizeGoal = "size-goal", "tcp_xmit_size_goal, net/ipv4/tcp.c; tcp_bound_to_half_wnd, include/net/tcp.h";
    /// Memory of a socket buffer besides its payload.
    SkbOverhead = "skb-overhead", "tcp_stream_alloc_skb, net/ipv4/tcp.c; measured: 1280 on 6.1, 896 on Debian's 6.12 and 7.3, 832 on a 6.18 with a small configuration";
    /// The send buffer is tested only when a new skb begins, so more bytes may be in flight.
    InFlightFill = "in-flight-fill", "tcp_sendmsg_locked, sk_stream_memory_free; 99 transfers at 50 ms on 6.18: mean error -2.4 %";
    /// A polling writer wakes when one third is free.
    InFlightPoll = "in-flight-poll", "sk_stream_write_space, sk_stream_is_writeable, tcp_poll; measured on 6.18";
    /// With Nagle's algorithm and writes that are not whole segments, the last skb accepts more data without
    /// a test of the buffer.
    NagleTail = "nagle-tail", "tcp_sendmsg_locked, tcp_nagle_check; measured on 6.1, 6.12, 6.18, 7.3: up to 22 times the buffer";
    /// Until 6.5 the window is a fixed share of the buffer.
    AdvWinScale = "adv-win-scale", "tcp_win_from_space, include/net/tcp.h, until 6.5";
    /// Since 6.6 the window is a share of the buffer: the payload per memory of the largest received
    /// segments.
    ScalingRatio = "scaling-ratio", "tcp_measure_rcv_mss, net/ipv4/tcp_input.c, since 6.6 (dfa2f0483360)";
    /// Before the first full segment arrives, the kernel uses a default for that share.
    InitialRatio = "initial-ratio", "TCP_DEFAULT_SCALING_RATIO, since 6.6; 697a6c8cec03 made it one half (6.10, stable 6.6.33, 6.9.4)";
    /// One segment is reserved when the connection is established.
    SegmentReserve = "segment-reserve", "tcp_init_buffer_space, net/ipv4/tcp_input.c";
    /// A set buffer keeps its share from the time of establishment.
    ClampFrozen = "clamp-frozen", "tp->window_clamp; before 05f76b2d634e and a2cbb1603943 (6.11, stable 6.6.47); measured on 6.1";
    /// Setting a buffer after data was received freezes the window at its current size.
    WindowFrozen = "window-frozen", "tp->window_clamp is not recomputed; measured on 6.18: 16 MiB after 60 ms left 135168 bytes";
    /// Since 7.1, setting the buffer recomputes the window at any time.
    ClampFollows = "clamp-follows", "tcp_set_rcvbuf, tcp_set_window_clamp, since 7.1; measured: 7.0.13 not, 7.1.13 yes";
    /// The window scale is chosen once, when SYN or SYN-ACK is built.
    WindowScale = "window-scale", "tcp_select_initial_window, net/ipv4/tcp_output.c; no mismatch in 208 measurements on 6.1, 6.12, 6.18, 7.3";
    /// `TCP_WINDOW_CLAMP` limits the window in SYN or SYN-ACK, and so the scale; later it is overwritten.
    WindowClampOption = "window-clamp-option", "tcp_set_window_clamp, tcp_select_initial_window, tcp_measure_rcv_mss; measured: held on 6.1 with SO_RCVBUF set, written over on 6.12 and 6.18";
    /// Limit of unsent data before a write is refused.
    NotsentLowat = "notsent-lowat", "tcp_stream_memory_free, include/net/tcp.h; measured on 6.18: 65160 unsent with a mark of 16384";
    /// Largest window that 16 bits and the scale can encode.
    WireCap = "wire-cap", "RFC 7323 section 2.2; tcp_select_window, net/ipv4/tcp_output.c";
    /// Window advertised in SYN or SYN-ACK.
    SynWindow = "syn-window", "tcp_select_initial_window, net/ipv4/tcp_output.c";
    /// Window advertised before it has grown.
    InitialWindow = "initial-window", "tcp_select_initial_window; over 65535 since 378979e94e95 (6.10)";
    /// An ACK leaves while the segment that caused it is still in the buffer.
    AckQueued = "ack-queued", "__tcp_ack_snd_check, __tcp_select_window; measured on 6.18: window_clamp less (segment + overhead) × ratio, to the byte";
    /// Window advertised while the application reads everything.
    LargestWindow = "largest-window", "__tcp_select_window, net/ipv4/tcp_output.c; measured on 6.1, 6.12, 6.18, 7.3";
    /// Only whole segments are sent into a small window.
    WholeSegments = "whole-segments", "tcp_snd_wnd_test, tcp_bound_to_half_wnd; measured on 6.18: 2896 bytes in a window of 3456";
    /// Windows accepts the value unchanged.
    WindowsRequest = "windows-request", "SOL_SOCKET socket options, Microsoft's documentation";
    /// Initial buffer of Windows.
    WindowsDefault = "windows-default", "getsockopt: 8,192 bytes up to Windows 7 and Server 2008 R2, 65,536 since Windows 8 and Server 2012";
    /// Windows accepts a write while less data than the buffer is waiting.
    WindowsSend = "windows-send", "Design issues: sending small data segments over TCP with Winsock, Microsoft's documentation (KB 214397)";
    /// Windows follows the path's ideal send backlog.
    WindowsBacklog = "windows-backlog", "SIO_IDEAL_SEND_BACKLOG_QUERY, Microsoft's documentation; FileZilla's authors found that programs must do it themselves";
    /// The autotuning level of Windows determines its window scale.
    WindowsAutotuning = "windows-autotuning", "Performance tuning network adapters, autotuning levels, Microsoft's documentation";
    /// One window per round trip.
    WindowPerRtt = "window-per-rtt", "one window is sent and acknowledged in one round trip";
    /// Bandwidth times round-trip time.
    BandwidthDelay = "bandwidth-delay", "what fills the path: bandwidth times round-trip time";
}
