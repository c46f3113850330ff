//! Initial receive buffer before a337531b942b (4.20, stable 4.19.86): it had room for the first segments,
//! instead of `tcp_rmem[1]`.
//!
//! Read in v3.10, v4.4, v4.14 and v4.19: `tcp_fixup_rcvbuf` (`net/ipv4/tcp_input.c`), `tcp_default_init_rwnd`
//! and `tcp_select_initial_window` (`net/ipv4/tcp_output.c`). The 3.10 of RHEL 7 contains the code of 3.13.

use tcpwhy_model::ByteCount;

use crate::link::SK_BUFF;
use crate::send::SHARED_INFO;
use crate::window::WindowShare;
use crate::{Figure, Ground, KernelVersion, Link};

/// Segments of 1,460 bytes in the first window (`TCP_INIT_CWND * 2`), since 85f16525a2eb (3.11).
const FIRST_SEGMENTS: ByteCount = 20;
/// Segments before 3.11 (`TCP_DEFAULT_INIT_RCVWND`, 356f039822b8).
const FIRST_SEGMENTS_UNTIL_3_10: ByteCount = 10;
/// Segment size of these counts. Larger segments are fewer, but at least two.
const USUAL_SEGMENT: ByteCount = 1460;
/// Step in which v3.10 raises the memory of a segment (`tcp_fixup_rcvbuf`).
const MEMORY_STEP: ByteCount = 128;

/// The rules of one kernel version.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstSegments {
    version: KernelVersion,
}

impl FirstSegments {
    /// Rules of `version`; `None` if the buffer starts with `tcp_rmem[1]`.
    pub(super) const fn of(version: KernelVersion) -> Option<Self> {
        if version.is_since(4, 20) || version.is_stable_since(4, 19, 86) { None } else { Some(Self { version }) }
    }

    /// Largest window in SYN or SYN-ACK for segments of `mss` bytes. It is limited to the first segments if
    /// the unit of the scale is smaller than a segment.
    pub(super) fn offered(self, space: ByteCount, mss: ByteCount, scale: u8) -> ByteCount {
        if mss > 1 << scale { space.min(self.count(mss) * mss) } else { space }
    }

    /// Number of the first segments.
    fn count(self, mss: ByteCount) -> ByteCount {
        let count = if self.has_twenty() { FIRST_SEGMENTS } else { FIRST_SEGMENTS_UNTIL_3_10 };
        if mss > USUAL_SEGMENT { (USUAL_SEGMENT * count / mss).max(2) } else { count }
    }

    const fn has_twenty(self) -> bool {
        self.version.is_since(3, 11) || self.version.is_rhel_7()
    }

    /// Since b0983d3c9b13 (3.13) an autotuned buffer has four times as much room.
    const fn has_cushion(self) -> bool {
        self.version.is_since(3, 13) || self.version.is_rhel_7()
    }

    /// `sk_rcvbuf` of an established connection whose buffer was not set: at least `rmem[1]`, at most
    /// `rmem[2]`.
    ///
    /// A server still counts timestamps as payload at that time (`tcp_rcv_state_process` subtracts them
    /// later), a client does not: 369,280 and 367,360 bytes on Ethernet. `MAX_TCP_HEADER` depends on the
    /// kernel's configuration.
    pub(super) fn buffer(
        self,
        is_client: bool,
        rmem: [ByteCount; 3],
        share: WindowShare,
        is_moderated: bool,
        link: &Link,
    ) -> Figure {
        let header = link.max_tcp_header(self.version);
        let of = |mss: ByteCount, header: ByteCount| {
            let memory = mss + header + SK_BUFF + SHARED_INFO;
            let wanted = if self.has_twenty() {
                2 * memory * self.count(mss) * if is_moderated && self.has_cushion() { 4 } else { 1 }
            } else {
                let steps = (0..).map(|n| memory + n * MEMORY_STEP);
                // At least half of a segment's memory is window, unless `tcp_adv_win_scale` makes the share
                // smaller.
                let enough = steps.take(1 << 16).find(|&memory| share.window(memory) >= mss).unwrap_or(memory);
                enough * self.count(mss)
            };
            rmem[1].max(wanted.min(rmem[2]))
        };
        let [client, server] = [link.mss(), link.announced_mss()];
        let own = if is_client { client } else { server };
        Figure::range(
            of(own, header.value),
            of(client.min(own), header.low),
            Some(of(server.max(own), header.high.unwrap_or(header.value))),
            Ground::Source,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Device;

    fn rules(version: &str) -> Option<FirstSegments> {
        FirstSegments::of(version.parse().unwrap())
    }

    #[test]
    fn they_ended_with_4_20_and_4_19_86() {
        for version in ["3.10", "3.10.108", "4.4", "4.18.0-513.el8", "4.19.85"] {
            assert!(rules(version).is_some(), "{version}");
        }
        for version in ["4.19.86", "4.19", "4.20", "5.4"] {
            assert!(rules(version).is_none(), "{version}");
        }
    }

    /// `tcp_default_init_rwnd`: 20 × 1,460 bytes in segments of that size or larger, at least two.
    #[test]
    fn the_first_window_is_twenty_segments() {
        let offered = |version: &str, mss| rules(version).unwrap().offered(1 << 20, mss, 7);
        assert_eq!(offered("4.4", 1460), 29_200);
        assert_eq!(offered("4.4", 1448), 28_960);
        assert_eq!(offered("3.10.0-1160.el7", 1460), 29_200);
        assert_eq!(offered("3.10.108", 1460), 14_600);
        assert_eq!(offered("4.4", 8960), 3 * 8960);
        assert_eq!(offered("4.4", 65_495), 2 * 65_495);
        assert_eq!(rules("4.4").unwrap().offered(1 << 20, 1460, 11), 1 << 20, "units of 2,048 bytes");
        assert_eq!(rules("4.4").unwrap().offered(4096, 1460, 7), 4096, "no more than there is");
    }

    /// `2 × SKB_TRUESIZE(mss + MAX_TCP_HEADER) × 20 × 4`: 1,460 or 1,448 + 272 + 576 bytes.
    #[test]
    fn the_buffer_of_a_fresh_connection() {
        let of = |version: &str, is_client, rmem, is_moderated| {
            let share = WindowShare::AdvWinScale(1);
            rules(version).unwrap().buffer(is_client, rmem, share, is_moderated, &Link::new(1500, Device::Nic))
        };
        let usual = [4096, 87_380, 6_291_456];
        let server = of("3.10.0", false, usual, true);
        assert_eq!((server.value, server.ground), (369_280, Ground::Source));
        assert!(server.admits(374_400, 0), "with the headers of mesh networks: {server:?}");
        assert_eq!(of("4.14", true, usual, true).value, 367_360);
        assert_eq!(of("4.14", false, usual, false).value, 92_320, "tcp_moderate_rcvbuf is off");
        assert_eq!(of("3.12.74", false, usual, true).value, 92_320, "before 3.13");
        assert_eq!(of("3.10.108", false, usual, true).value, 87_380, "ten segments of 2,948 bytes are less");
        assert_eq!(of("4.14", false, [4096, 4096, 4096], true).value, 4096, "no more than tcp_rmem[2]");
        assert_eq!(of("4.14", false, [4096, 1 << 20, 1 << 22], true).value, 1 << 20, "no less than tcp_rmem[1]");
    }
}
