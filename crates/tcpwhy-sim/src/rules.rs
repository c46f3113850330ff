//! Parameters of a socket.

mod version;

use tcpwhy_kernel::window::{WindowShare, initial_ratio, scale_for};
use tcpwhy_kernel::{
    BufferKind, BufferRequest, Device, KernelVersion, Link, Sysctl, Sysctls, grant, initial_autotuned_sndbuf,
};
use tcpwhy_scenario::{End, Flow};

use crate::path::Path;
use crate::segment::STAMPS;
use crate::socket::Stored;
use crate::ticks::Ticks;
use crate::time::{MICROSECOND, MILLISECOND, Time};
pub(crate) use version::{ConversationRules, Growth, HyStartRules, VersionRules};

/// `GSO_LEGACY_MAX_SIZE`, from which `MAX_TCP_HEADER` and one are subtracted (`sk_dst_gso_max_size`).
const LARGEST_BURST: u64 = 65_536;
/// `sysctl_tcp_limit_output_bytes`, if the version has no known default.
const QUEUE_LIMIT: u64 = 4 << 20;
/// Largest window field without a scale (`U16_MAX`).
const LARGEST_UNSCALED: u64 = 65_535;
/// `SKB_TRUESIZE(0)`: `sizeof(struct sk_buff)` and `struct skb_shared_info`.
const SKB_TRUESIZE: u64 = 256 + 320;
/// `TCP_RETR2`.
const RETRIES: u32 = 15;
/// `sysctl_tcp_syn_linear_timeouts`.
const LINEAR_SYNS: u32 = 4;

/// Algorithm of the congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Adds one segment per round trip.
    Reno,
    /// Linux's default.
    Cubic,
    /// Version 1, as in Linux's `tcp_bbr.c`.
    Bbr,
}

impl Algorithm {
    /// The algorithm with this name in `TCP_CONGESTION`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "cubic" => Some(Self::Cubic),
            "reno" => Some(Self::Reno),
            "bbr" => Some(Self::Bbr),
            _ => None,
        }
    }
}

/// Socket options that a program sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct SocketOptions {
    /// `SO_SNDBUF`, before the kernel doubles it.
    pub sndbuf: Option<u64>,
    /// `SO_RCVBUF`, before the kernel doubles it.
    pub rcvbuf: Option<u64>,
    /// `TCP_NODELAY`.
    pub has_nodelay: bool,
}

/// Parameters of a host.
#[derive(Clone, Debug)]
pub struct HostRules {
    /// Its kernel.
    pub version: KernelVersion,
    /// Its settings.
    pub sysctls: Sysctls,
    /// `CONFIG_HZ`.
    pub ticks_a_second: u64,
    /// Time from its boot to the start of the world; ticks and timestamps count from the boot.
    pub booted_for: Time,
    /// Initial congestion window in segments.
    pub initial_window: u64,
    /// Shortest retransmission timeout.
    pub rto_min: Time,
    /// Congestion control of the connection.
    pub algorithm: Algorithm,
}

impl HostRules {
    /// A host with default settings.
    pub fn defaults(version: KernelVersion) -> Self {
        Self {
            version,
            sysctls: Sysctls::defaults(version),
            ticks_a_second: 250,
            booted_for: 0,
            initial_window: 10,
            rto_min: 200 * MILLISECOND,
            algorithm: Algorithm::Cubic,
        }
    }
}

/// All parameters of one socket, from kernel, settings and options.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Rules of the kernel's version.
    pub(crate) version: VersionRules,
    /// Whether it sends the SYN.
    pub(crate) is_opener: bool,
    /// Payload of a full segment.
    pub(crate) mss: u64,
    /// Payload of a received full segment (`advmss`), and the value of its MSS option.
    pub(crate) advertised_mss: u64,
    pub(crate) announced_mss: u64,
    pub(crate) sndbuf: u64,
    pub(crate) is_sndbuf_set: bool,
    pub(crate) most_sndbuf: u64,
    pub(crate) rcvbuf: u64,
    pub(crate) is_rcvbuf_set: bool,
    pub(crate) most_rcvbuf: u64,
    /// `wmem_max`, `rmem_max`: maximum requests of a program.
    pub(crate) most_asked: [u64; 2],
    /// `tcp_moderate_rcvbuf`.
    pub(crate) moderates_rcvbuf: bool,
    /// `tcp_rcvbuf_low_rtt`.
    pub(crate) low_round_trip: Time,
    /// `tcp_app_win`.
    pub(crate) app_win: i64,
    /// Memory of a sent skb besides its payload.
    pub(crate) skb_overhead: u64,
    /// Memory that `tcp_sndbuf_expand` counts for a segment.
    pub(crate) memory_per_segment: u64,
    /// Memory that `tcp_rcv_space_adjust` counted for a segment (until 6.5).
    pub(crate) memory_per_received: u64,
    /// `None` if windows are not scaled.
    pub(crate) window_scale: Option<u8>,
    /// Whether segments have timestamps.
    pub(crate) has_stamps: bool,
    /// Whether both ends use SACK.
    pub(crate) has_sack: bool,
    /// Behaviour for ECN, and whether both ends use it.
    pub(crate) ecn: EcnRules,
    /// Share of the receive buffer that is window, before data has arrived.
    pub(crate) share: WindowShare,
    pub(crate) has_nodelay: bool,
    /// `TCP_CORK`.
    pub(crate) is_corked: bool,
    pub(crate) has_slow_start_after_idle: bool,
    pub(crate) has_autocorking: bool,
    pub(crate) initial_window: u64,
    pub(crate) rto_min: Time,
    /// `tcp_retries2`.
    pub(crate) retries: u32,
    /// Tail loss probes (`tcp_early_retrans`).
    pub(crate) has_tail_probes: bool,
    /// SYN timeouts before the wait doubles; 0 before 6.5.
    pub(crate) linear_syns: u32,
    pub(crate) ticks: Ticks,
    pub(crate) algorithm: Algorithm,
    /// Seed for the kernel's random decisions.
    pub(crate) seed: u64,
    pub(crate) largest_burst: u64,
    pub(crate) stored: Stored,
    /// `tcp_min_tso_segs`.
    pub(crate) least_burst: u64,
    /// `tcp_tso_rtt_log`; `None` if bursts do not grow on short paths.
    pub(crate) burst_round_trip_shift: Option<u32>,
    /// `tcp_tso_win_divisor`.
    pub(crate) window_divisor: u64,
    pub(crate) queue_limit: u64,
    /// `tcp_notsent_lowat`.
    pub(crate) most_unsent: u64,
    /// `tcp_pacing_ss_ratio`, `tcp_pacing_ca_ratio`.
    pub(crate) pacing: [u64; 2],
    pub(crate) conversation: ConversationRules,
    /// Delay of ACKs for data after a hole.
    pub(crate) compression: Compression,
}

/// A host's behaviour for explicit congestion notification (`tcp_ecn`, RFC 3168).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EcnRules {
    /// Whether it requests ECN when it opens a connection.
    pub(crate) asks: bool,
    /// Whether it accepts ECN when asked.
    pub(crate) agrees: bool,
    /// Whether both ends use it.
    pub(crate) is_used: bool,
}

/// The default of `tcp_ecn`: accepts.
const AGREES: u64 = 2;

impl EcnRules {
    const fn of(setting: u64) -> Self {
        Self { asks: setting == 1, agrees: setting != 0, is_used: false }
    }
}

/// `tcp_comp_sack_rtt_percent` and `tcp_comp_sack_slack_ns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Compression {
    /// Share of a round trip in percent.
    pub(crate) percent: u64,
    pub(crate) slack: Time,
}

impl Compression {
    /// 5 % of a round trip until 6.18, 33 % since 6.19.
    fn of(version: KernelVersion) -> Self {
        if version.is_since(6, 19) {
            Self { percent: 33, slack: 10 * MICROSECOND }
        } else {
            Self { percent: 5, slack: 100 * MICROSECOND }
        }
    }
}

impl Rules {
    pub(crate) fn new(host: &HostRules, options: &SocketOptions, link: &Link) -> Self {
        let HostRules { version, sysctls, .. } = host;
        let version = *version;
        let triple = |sysctl| sysctls.triple_or_default(sysctl, version).map_or([4096, 16_384, 4 << 20], |s| s.value);
        let (wmem, rmem) = (triple(Sysctl::TcpWmem), triple(Sysctl::TcpRmem));
        let number = |sysctl, otherwise: u64| {
            sysctls.number(sysctl).map_or(otherwise, |value| u64::try_from(value).unwrap_or_default())
        };
        let is_on = |sysctl| number(sysctl, 1) != 0;
        let asked = |kind, bytes: u64| {
            let request = BufferRequest::new(i32::try_from(bytes).unwrap_or(i32::MAX));
            grant(kind, request, sysctls, version).reported
        };
        let announced_mss = link.mss() + if link.has_timestamps { STAMPS } else { 0 };
        let header = link.max_tcp_header(version).value;
        let is_bbr = host.algorithm == Algorithm::Bbr;
        let automatic = initial_autotuned_sndbuf(announced_mss, header, is_bbr);
        // `tcp_sndbuf_expand` never lowers it.
        let expanded = if wmem[1] < automatic { automatic.min(wmem[2]) } else { wmem[1] };
        let sndbuf = options.sndbuf.map_or(expanded, |bytes| asked(BufferKind::Send, bytes));
        let rcvbuf = options.rcvbuf.map_or(rmem[1], |bytes| asked(BufferKind::Receive, bytes));
        let share = match initial_ratio(version) {
            Some(ratio) => WindowShare::Ratio(ratio),
            None => WindowShare::AdvWinScale(sysctls.number(Sysctl::TcpAdvWinScale).unwrap_or(1)),
        };
        let least_asked = VersionRules::largest_request(version);
        let most_asked = [Sysctl::WmemMax, Sysctl::RmemMax].map(|sysctl| number(sysctl, least_asked));
        // `tcp_select_initial_window`: the scale must encode the largest possible window.
        let full = share.window(rcvbuf);
        let most_offered = if options.rcvbuf.is_some() { full } else { u64::MAX };
        let scaled = full.max(rmem[2]).max(most_asked[1]).min(most_offered);
        let has_burst_round_trip = version.is_since(5, 18);
        let received = link.mss() + header + SKB_TRUESIZE;
        Self {
            version: VersionRules::new(version),
            is_opener: true,
            mss: link.mss(),
            advertised_mss: link.mss(),
            announced_mss,
            sndbuf,
            is_sndbuf_set: options.sndbuf.is_some(),
            most_sndbuf: wmem[2],
            rcvbuf,
            is_rcvbuf_set: options.rcvbuf.is_some(),
            most_rcvbuf: rmem[2],
            most_asked,
            moderates_rcvbuf: is_on(Sysctl::TcpModerateRcvbuf),
            low_round_trip: number(Sysctl::TcpRcvbufLowRtt, 1000) * MICROSECOND,
            app_win: sysctls.number(Sysctl::TcpAppWin).unwrap_or(31),
            skb_overhead: link.skb_overhead(version).value,
            memory_per_segment: initial_autotuned_sndbuf(announced_mss, header, false) / 20,
            memory_per_received: fitting_memory(share, received, link.mss()),
            window_scale: is_on(Sysctl::TcpWindowScaling).then(|| scale_for(scaled)),
            has_stamps: link.has_timestamps,
            has_sack: is_on(Sysctl::TcpSack),
            ecn: EcnRules::of(number(Sysctl::TcpEcn, AGREES)),
            share,
            has_nodelay: options.has_nodelay,
            is_corked: false,
            has_slow_start_after_idle: is_on(Sysctl::TcpSlowStartAfterIdle),
            has_autocorking: is_on(Sysctl::TcpAutocorking),
            initial_window: host.initial_window,
            rto_min: host.rto_min,
            retries: u32::try_from(number(Sysctl::TcpRetries2, RETRIES.into())).unwrap_or(RETRIES),
            has_tail_probes: matches!(number(Sysctl::TcpEarlyRetrans, 3), 3 | 4),
            linear_syns: if version.is_since(6, 5) { LINEAR_SYNS } else { 0 },
            ticks: Ticks::new(host.ticks_a_second, host.booted_for),
            algorithm: host.algorithm,
            seed: 0,
            largest_burst: LARGEST_BURST.saturating_sub(header + 1),
            least_burst: number(Sysctl::TcpMinTsoSegs, 2),
            burst_round_trip_shift: has_burst_round_trip
                .then(|| u32::try_from(number(Sysctl::TcpTsoRttLog, 9)).unwrap_or(0))
                .filter(|&shift| shift > 0),
            window_divisor: number(Sysctl::TcpTsoWinDivisor, 3),
            stored: match link.device {
                Device::Nic => Stored::InPages,
                Device::Local | Device::LocalSingle => Stored::AsSent(link.skb_overhead(version).value),
            },
            queue_limit: number(Sysctl::TcpLimitOutputBytes, QUEUE_LIMIT),
            most_unsent: number(Sysctl::TcpNotsentLowat, u64::from(u32::MAX)),
            pacing: [number(Sysctl::TcpPacingSsRatio, 200), number(Sysctl::TcpPacingCaRatio, 120)],
            conversation: sysctls
                .number(Sysctl::TcpPingpongThresh)
                .and_then(|turns| u32::try_from(turns).ok())
                .map_or_else(|| ConversationRules::new(version), ConversationRules::after),
            compression: Compression::of(version),
        }
    }

    /// Applies the results of SYN and SYN-ACK: opener, window scaling and segment size. A path may lower the
    /// MSS that one end announces, which limits the other end.
    pub(crate) fn agree([sender, receiver]: [&mut Self; 2], opener: End, path: &Path) {
        sender.is_opener = opener == End::Sender;
        receiver.is_opener = opener == End::Receiver;
        let has_sack = sender.has_sack && receiver.has_sack;
        (sender.has_sack, receiver.has_sack) = (has_sack, has_sack);
        let (asking, answering) = if opener == End::Sender { (&*sender, &*receiver) } else { (&*receiver, &*sender) };
        let uses_ecn = asking.ecn.asks && answering.ecn.agrees;
        (sender.ecn.is_used, receiver.ecn.is_used) = (uses_ecn, uses_ecn);
        if sender.window_scale.is_none() || receiver.window_scale.is_none() {
            (sender.window_scale, receiver.window_scale) = (None, None);
        }
        for (end, flow) in [(&mut *sender, Flow::Back), (&mut *receiver, Flow::Forward)] {
            if let Path::Frames(path) = path
                && let Some(most) = path.direction(flow).clamp_mss
            {
                let options = end.announced_mss - end.mss;
                end.mss = end.mss.min(u64::from(most).saturating_sub(options).max(1));
            }
        }
    }

    /// Initial `window_clamp` and `rcv_wnd` (`tcp_select_initial_window`, `tcp_init_buffer_space`).
    pub(crate) fn first_window(&self) -> u64 {
        let full = self.share.window(self.rcvbuf);
        // The opener does not know yet whether there will be timestamps.
        let segment = if self.is_opener { self.announced_mss } else { self.advertised_mss };
        let whole = if full > segment { full / segment * segment } else { full };
        match self.window_scale {
            Some(scale) if self.version.has_large_first_window => whole.min(LARGEST_UNSCALED << scale),
            _ => whole.min(LARGEST_UNSCALED),
        }
    }
}

/// Memory whose window holds a segment's payload (`tcp_rcv_space_adjust` until 6.5).
fn fitting_memory(share: WindowShare, mut memory: u64, segment: u64) -> u64 {
    /// Step of the search.
    const STEP: u64 = 128;
    // A setting may allow no window for any amount of memory.
    while share.window(memory) < segment && memory < 64 * segment {
        memory += STEP;
    }
    memory
}
