//! The link of a connection: segment sizes, and the memory of segments in socket buffers.

use tcpwhy_model::ByteCount;

use crate::{Figure, Ground, KernelVersion};

/// IPv4 and TCP header without options.
const HEADERS: u32 = 40;
/// IPv6 and TCP header without options.
const HEADERS_V6: u32 = 60;
/// RFC 7323 timestamps with their padding.
const TIMESTAMPS: u32 = 12;
/// Maximum bytes per socket buffer due to `sk_gso_max_size`: 65,536 minus `MAX_TCP_HEADER` and one.
const GSO_MAX_SIZE: u32 = 65_215;
/// `SKB_DATA_ALIGN(sizeof(struct sk_buff))`.
pub(crate) const SK_BUFF: ByteCount = 256;

/// Device that delivers segments, which determines their memory at the receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// A network interface. Its driver uses between half a page and a page per segment.
    #[default]
    Nic,
    /// veth or loopback: the sender's own socket buffers arrive, with several segments each.
    Local,
    /// veth without offloads: the sender's own socket buffers arrive, one segment each.
    LocalSingle,
}

/// The link of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// Largest IP packet in bytes.
    pub mtu: u32,
    /// Device that delivers segments.
    pub device: Device,
    /// Whether packets are IPv6, with 20 bytes less payload.
    pub is_ipv6: bool,
    /// Whether segments have RFC 7323 timestamps.
    pub has_timestamps: bool,
    /// Memory of a socket buffer besides its payload, if measured on this host.
    pub skb_overhead: Option<ByteCount>,
}

impl Link {
    /// Ethernet with 1,500 bytes, received by a network interface.
    pub const ETHERNET: Self = Self::new(1500, Device::Nic);

    /// A link over IPv4 with timestamps, which is the usual case.
    pub const fn new(mtu: u32, device: Device) -> Self {
        Self { mtu, device, is_ipv6: false, has_timestamps: true, skb_overhead: None }
    }

    /// The same link over IPv6.
    #[must_use]
    pub const fn over_ipv6(self) -> Self {
        Self { is_ipv6: true, ..self }
    }

    /// Payload size in the MSS option (`ipv4_default_advmss`, `ip6_default_advmss`). The length field of IPv4
    /// includes its header, that of IPv6 does not.
    pub(crate) fn announced_mss(&self) -> ByteCount {
        let payload = if self.is_ipv6 {
            self.mtu.saturating_sub(HEADERS_V6).min(65_535 - 20)
        } else {
            self.mtu.min(65_535).saturating_sub(HEADERS)
        };
        ByteCount::from(payload.max(48))
    }

    /// Payload of a full segment.
    pub fn mss(&self) -> ByteCount {
        let options = if self.has_timestamps { TIMESTAMPS } else { 0 };
        self.announced_mss().saturating_sub(ByteCount::from(options)).max(36)
    }

    /// Maximum payload of one socket buffer (`tcp_xmit_size_goal`): whole segments, up to the limit of
    /// segmentation offload and half of the largest window that the peer has advertised.
    pub(crate) fn size_goal(&self, peer_window: Option<ByteCount>) -> ByteCount {
        let mss = self.sending_mss(peer_window);
        let room = ByteCount::from(GSO_MAX_SIZE).min(bound_to_half(peer_window));
        (room / mss).max(1) * mss
    }

    /// Payload of a full segment if the peer's largest window was `peer_window`: at most half of it if it
    /// exceeds 536 bytes (`tcp_bound_to_half_wnd`).
    pub(crate) fn sending_mss(&self, peer_window: Option<ByteCount>) -> ByteCount {
        self.mss().min(bound_to_half(peer_window)).max(1)
    }

    /// Memory of a sent socket buffer besides its payload, which depends on the kernel's configuration.
    /// Measured: 832 to 896 bytes since 6.3 with its separate small heads, 1,280 on 6.1.
    pub fn skb_overhead(&self, version: KernelVersion) -> Figure {
        match self.skb_overhead {
            Some(overhead) => Figure::exact(overhead),
            None if version.is_since(6, 3) => Figure::range(896, 832, Some(896), Ground::Measured),
            None if version.is_since(4, 9) => Figure::range(1280, 1280, Some(1280), Ground::Measured),
            // Until 3613b3dbd1ad (4.9), the head of 2,048 bytes also contained the first segment
            // (`select_size`, `sk_stream_alloc_skb`): 2,304 bytes for a segment of 1,448. Shorter writes
            // waste more of it.
            None => Figure::range(856, 848, Some(1280), Ground::Source),
        }
    }

    /// `MAX_TCP_HEADER`: room for headers, which depends on the kernel's configuration; 320 in most
    /// distributions. The overhead of an skb depends on it too: since 6.3 it is 576 bytes more
    /// (`SKB_SMALL_HEAD_CACHE_SIZE`).
    pub fn max_tcp_header(&self, version: KernelVersion) -> Figure {
        match self.skb_overhead {
            // Since 14ad6ed30a10 small heads are 64 bytes larger, to hold what GRO may need.
            Some(overhead) if has_larger_small_heads(version) => Figure::exact(overhead.saturating_sub(576 + GRO_PAD)),
            Some(overhead) if version.is_since(6, 3) => Figure::exact(overhead.saturating_sub(576)),
            _ if version.is_since(5, 7) => Figure::range(320, 192, Some(320), Ground::Measured),
            // 9bacd256f132 (5.7, later stable releases) rounds it up to 64 bytes. Before, it was 128 + 48 for
            // tunnels + 96 for WLAN (128 for mesh networks, 32 without both), in v4.14
            // `include/linux/netdevice.h`.
            _ => Figure::range(272, 160, Some(320), Ground::Source),
        }
    }

    /// `scaling_ratio`: payload in 256ths of memory, from the first full segments after `initial_window` was
    /// advertised. On veth and loopback they arrive as sent: at most half of that window, and half of the
    /// initial congestion window of ten (`tcp_bound_to_half_wnd`, `tcp_cwnd_test`).
    ///
    /// Measured (in 256ths): veth with offloads 162, 198, 229 for windows of 4, 8, 16 kB or more. Without
    /// offloads: 162 (MTU 1500), 234 (9000), 152 (1280). Loopback: 252, tun: 170. The ratio of a network
    /// interface depends on its driver, and only a connection shows it (`window_clamp` over `SO_RCVBUF`).
    pub(crate) fn scaling_ratio(&self, version: KernelVersion, initial_window: ByteCount) -> Figure {
        let overhead = self.skb_overhead(version);
        let mss = self.sending_mss(Some(initial_window));
        let merged = mss * (self.size_goal(Some(initial_window)) / mss).clamp(1, 5);
        let of = |payload: ByteCount, memory: ByteCount| (256 * payload / memory.max(1)).clamp(1, 255);
        let local = |payload: ByteCount| Figure {
            value: of(payload, payload + overhead.value),
            low: of(payload, payload + overhead.high.unwrap_or(overhead.value)),
            high: Some(of(payload, payload + overhead.low)),
            ground: Ground::Measured,
        };
        // If the congestion window grew before the first full segment arrived, the segment has the largest
        // size.
        let goal = self.size_goal(None).max(merged);
        let largest = of(goal, goal + overhead.low);
        match self.device {
            Device::LocalSingle => local(mss),
            Device::Local => Figure { high: Some(largest), ..local(merged) },
            Device::Nic => {
                let frame = ByteCount::from(self.mtu) + 18;
                let halves = frame.next_multiple_of(2048) + SK_BUFF;
                let pages = frame.next_multiple_of(4096) + SK_BUFF;
                Figure::range(of(mss, halves), of(mss, pages), Some(largest), Ground::Assumed)
            }
        }
    }
}

/// `NET_SKB_PAD`, the difference between `GRO_MAX_HEAD_PAD` and `MAX_TCP_HEADER`.
const GRO_PAD: ByteCount = 64;

/// Whether small heads are large enough for GRO: since 14ad6ed30a10 (6.14, stable 6.6.79, 6.12.16 and
/// 6.13.4).
const fn has_larger_small_heads(version: KernelVersion) -> bool {
    version.is_since(6, 14)
        || version.is_stable_since(6, 6, 79)
        || version.is_stable_since(6, 12, 16)
        || version.is_stable_since(6, 13, 4)
}

/// Half of the largest advertised window, if that exceeds 536 bytes; otherwise all of it.
fn bound_to_half(peer_window: Option<ByteCount>) -> ByteCount {
    match peer_window {
        None => ByteCount::MAX,
        Some(window) if window > 536 => window / 2,
        Some(window) => window.max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V6_18: KernelVersion = KernelVersion::release(6, 18, 44);

    fn measured_here(mtu: u32, device: Device) -> Link {
        Link { skb_overhead: Some(832), ..Link::new(mtu, device) }
    }

    #[test]
    fn segments_and_goals() {
        for (mtu, mss, goal) in
            [(1500, 1448, 65_160), (9000, 8948, 62_636), (65_536, 65_483, 65_483), (1280, 1228, 65_084)]
        {
            let link = Link::new(mtu, Device::Nic);
            assert_eq!((link.mss(), link.size_goal(None)), (mss, goal), "{mtu}");
        }
        assert_eq!(Link::ETHERNET.size_goal(Some(65_535)), 31_856, "as long as only the SYN-ACK's window is known");
        assert_eq!(Link::ETHERNET.sending_mss(Some(2048)), 1024);
        assert_eq!(Link::ETHERNET.sending_mss(Some(3456)), 1448);
        assert!(Link::new(0, Device::Nic).size_goal(Some(0)) > 0);
        assert_eq!(Link::ETHERNET.over_ipv6().mss(), 1428);
        assert_eq!(Link::new(65_536, Device::Local).over_ipv6().announced_mss(), 65_476);
    }

    #[test]
    fn ratios_as_measured() {
        for (mtu, device, window, ratio) in [
            (1500, Device::LocalSingle, 65_160, 162),
            (9000, Device::LocalSingle, 65_160, 234),
            (1280, Device::LocalSingle, 65_160, 152),
            (1500, Device::Local, 65_160, 229),
            (1500, Device::Local, 15_928, 229),
            (1500, Device::Local, 7240, 198),
            (1500, Device::Local, 2896, 162),
            (65_536, Device::Local, 1_000_000, 252),
        ] {
            let found = measured_here(mtu, device).scaling_ratio(V6_18, window).value;
            assert_eq!(found, ratio, "{mtu} {device:?} {window}");
        }
        let debian = Link { skb_overhead: Some(896), ..Link::new(1500, Device::LocalSingle) };
        assert_eq!(debian.scaling_ratio(V6_18, 65_160).value, 158);
        for mtu in [68, 1280, 1500, 9000, 65_536] {
            for window in [0, 500, 65_160] {
                let ratio = Link::new(mtu, Device::Nic).scaling_ratio(V6_18, window);
                assert!(ratio.low <= ratio.value && ratio.high.is_some_and(|high| ratio.value <= high), "{ratio:?}");
            }
        }
        assert!(Link::ETHERNET.scaling_ratio(V6_18, 65_160).admits(170, 0), "tun");
    }
}
