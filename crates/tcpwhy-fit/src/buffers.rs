//! Computes the requested buffer of a socket from the bytes in flight, or from the advertised window.

use tcpwhy_kernel::{
    BufferRequest, Device, KernelVersion, Link, ReceiveLimits, ReceiveQuestion, SendQuestion, Sysctl, SysctlValue,
    Sysctls, When, Writing, receive_limits, send_limits, smallest,
};
use tcpwhy_scenario::End;

/// Memory of a frame from a TAP device in addition to its payload, which makes the window 170/256 of the
/// buffer, as measured.
const TAP_OVERHEAD: u64 = 732;

/// Source of a socket's buffer size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// `SO_RCVBUF` or `SO_SNDBUF`, before the connection was opened.
    Socket,
    /// The third value of `tcp_rmem` or `tcp_wmem`.
    Sysctl,
}

impl Setting {
    /// The other setting.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Socket => Self::Sysctl,
            Self::Sysctl => Self::Socket,
        }
    }
}

/// Tolerance of the window scale. Scales of set buffers differ by one between kernels: before 6.6 half of the
/// buffer is window, later the share of `scaling_ratio` (`tcp_win_from_space`).
const SCALE_SLACK: u8 = 1;

/// The kernel of the rebuilt hosts.
#[derive(Clone, Debug)]
pub struct Host {
    /// Kernel version.
    pub version: KernelVersion,
    /// `net.core.wmem_max`: maximum send buffer that a socket may request, bytes.
    pub wmem_max: u64,
    /// `net.core.rmem_max`: maximum receive buffer that a socket may request, bytes.
    pub rmem_max: u64,
}

impl Host {
    fn sysctls(&self) -> Sysctls {
        let mut sysctls = Sysctls::new();
        sysctls.set(Sysctl::WmemMax, SysctlValue::Number(self.wmem_max as i64));
        sysctls.set(Sysctl::RmemMax, SysctlValue::Number(self.rmem_max as i64));
        sysctls
    }

    /// The `SO_SNDBUF` whose maximum bytes in flight are nearest to `plateau`, with writes of `write` bytes.
    /// `None` if a socket may not request enough.
    pub fn sndbuf_for(&self, plateau: u64, write: u64, mtu: u32) -> Option<u64> {
        let sysctls = self.sysctls();
        let flight = |asked: u64| {
            let question = SendQuestion {
                version: self.version,
                sysctls: &sysctls,
                request: Some(BufferRequest::new(i32::try_from(asked).unwrap_or(i32::MAX))),
                link: Link::new(mtu, Device::Nic),
                writing: Writing { bytes: write, has_nodelay: true, ..Writing::BULK },
                is_bbr: false,
                peer_window: None,
                notsent_lowat: None,
            };
            send_limits(&question).largest_flight.value
        };
        nearest(self.wmem_max, plateau, flight)
    }

    /// The setting that causes windows of up to `window` bytes, judged by the scale in the receiver's SYN. A
    /// set buffer has the smallest scale that can encode it. All others have the scale of `tcp_rmem[2]` or
    /// `rmem_max` (`tcp_select_initial_window`, Linux 6.18). Without a scale, a set buffer is the usual
    /// reason.
    pub fn receive_setting(&self, window: u64, scale: Option<u8>, mtu: u32, opener: End) -> Setting {
        let set =
            self.rcvbuf_for(window, mtu, opener).map(|(asked, _)| self.receive_limits(asked, mtu, opener).window_scale);
        match (scale, set) {
            (Some(scale), Some(set)) if scale > set + SCALE_SLACK => Setting::Sysctl,
            (_, None) => Setting::Sysctl,
            _ => Setting::Socket,
        }
    }

    fn receive_limits(&self, asked: u64, mtu: u32, opener: End) -> ReceiveLimits {
        let when = if opener == End::Receiver { When::BeforeConnect } else { When::OnListener };
        receive_limits(&ReceiveQuestion {
            version: self.version,
            sysctls: &self.sysctls(),
            request: Some(BufferRequest::new(i32::try_from(asked).unwrap_or(i32::MAX)).set(when)),
            link: Link { skb_overhead: Some(TAP_OVERHEAD), ..Link::new(mtu, Device::LocalSingle) },
            window_clamp: None,
        })
    }

    /// The `SO_RCVBUF` whose window is nearest to `window` bytes, and the smallest one whose window scale can
    /// encode it. `None` if a socket may not request enough.
    pub fn rcvbuf_for(&self, window: u64, mtu: u32, opener: End) -> Option<(u64, u64)> {
        let limits = |asked: u64| self.receive_limits(asked, mtu, opener);
        let asked = nearest(self.rmem_max, window, |asked| limits(asked).largest_window.value)?;
        let least = smallest(self.rmem_max, |asked| limits(asked).wire_cap >= window)?;
        Some((asked, least))
    }
}

/// The request, at most `most`, for which `comes_to` (which must be monotone) is nearest to `wanted`. `None`
/// if `most` is too small.
fn nearest(most: u64, wanted: u64, comes_to: impl Fn(u64) -> u64) -> Option<u64> {
    let enough = smallest(most, |asked| comes_to(asked) >= wanted)?;
    let under = enough.saturating_sub(1);
    let is_under_nearer = under > 0 && wanted.abs_diff(comes_to(under)) < comes_to(enough).abs_diff(wanted);
    Some(if is_under_nearer { under } else { enough })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> Host {
        Host { version: KernelVersion::series(6, 18), wmem_max: 4_194_304, rmem_max: 4_194_304 }
    }

    #[test]
    fn a_plateau_leads_back_to_the_buffer_that_made_it() {
        // Measured with SO_SNDBUF 16,384 (32,768 doubled), TCP_NODELAY and writes of 8,192: 32,378 bytes in
        // flight.
        let asked = host().sndbuf_for(32_378, 8192, 1500).unwrap();
        assert!((13_000..=16_500).contains(&asked), "{asked}");
        let larger = host().sndbuf_for(457_817, 8192, 1500).unwrap();
        assert!((220_000..=270_000).contains(&larger), "{larger}");
    }

    #[test]
    fn a_window_leads_back_to_the_buffer_that_offered_it() {
        for opener in End::BOTH {
            // 32,768 doubled; 170/256 of that is window, minus the segment that is acknowledged first.
            let (asked, least) = host().rcvbuf_for(42_000, 1500, opener).unwrap();
            assert!((31_000..=34_500).contains(&asked), "{asked}");
            assert!(least <= asked, "{least}");
        }
    }

    /// Windows over 262,140 need a scale of 3, and so a buffer with a first window of 262,144 (65,535 << 2 is
    /// too small).
    #[test]
    fn the_scale_sets_a_floor() {
        let (_, least) = host().rcvbuf_for(414_072, 1500, End::Receiver).unwrap();
        assert_eq!(least, 262_144);
    }

    /// `tcp_select_initial_window`, Linux 6.18: a set buffer of 64 KiB has `full_space` 64 KiB and scale 1.
    /// Unset, 6 MiB have ilog2(6291456) - 15 = 7.
    #[test]
    fn the_scale_shows_what_made_the_window() {
        let setting = |window, scale| host().receive_setting(window, scale, 1500, End::Receiver);
        assert_eq!(setting(80_000, Some(1)), Setting::Socket);
        assert_eq!(setting(80_000, Some(7)), Setting::Sysctl);
        assert_eq!(setting(80_000, None), Setting::Socket);
        // A set buffer of 4 MiB has ilog2(4194304) - 15 = 7 itself.
        assert_eq!(setting(5_000_000, Some(7)), Setting::Socket);
    }

    #[test]
    fn more_than_may_be_asked_for_is_said() {
        assert_eq!(host().sndbuf_for(64 << 20, 65_536, 1500), None);
    }

    #[test]
    fn the_nearer_neighbour_is_taken() {
        let steps = |asked: u64| asked / 10 * 10;
        assert_eq!(nearest(100, 42, steps), Some(49));
        assert_eq!(nearest(100, 48, steps), Some(50));
    }
}
