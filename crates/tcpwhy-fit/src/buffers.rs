//! From what was in flight, or offered, back to the buffer that a socket asked for.

use tcpwhy_kernel::{
    BufferRequest, Device, KernelVersion, Link, ReceiveLimits, ReceiveQuestion, SendQuestion, Sysctl, SysctlValue,
    Sysctls, When, Writing, receive_limits, send_limits, smallest,
};
use tcpwhy_scenario::End;

/// What the `sk_buff` of a frame takes besides the payload, so that 170/256 of it is window, as measured.
const SKB_OVERHEAD: u64 = 732;
/// No socket asks for more, bytes.
const MOST: u64 = 64 << 20;
/// Scales of set buffers differ by one between kernels: before 6.6 half of the buffer is window, since then
/// what `scaling_ratio` says (`tcp_win_from_space`).
const SCALE_SLACK: u8 = 1;

fn sysctls() -> Sysctls {
    let mut sysctls = Sysctls::new();
    for sysctl in [Sysctl::WmemMax, Sysctl::RmemMax] {
        sysctls.set(sysctl, SysctlValue::Number(MOST as i64));
    }
    sysctls
}

/// The `SO_SNDBUF` that lets nearest to `plateau` bytes be in flight when `write` bytes are written at a
/// time.
pub(crate) fn sndbuf_for(version: KernelVersion, plateau: u64, write: u64, mtu: u32) -> Option<u64> {
    let sysctls = sysctls();
    let flight = |asked: u64| {
        let question = SendQuestion {
            version,
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
    nearest(plateau, flight)
}

fn limits(version: KernelVersion, asked: u64, mtu: u32, opener: End) -> ReceiveLimits {
    let when = if opener == End::Receiver { When::BeforeConnect } else { When::OnListener };
    receive_limits(&ReceiveQuestion {
        version,
        sysctls: &sysctls(),
        request: Some(BufferRequest::new(i32::try_from(asked).unwrap_or(i32::MAX)).set(when)),
        link: Link { skb_overhead: Some(SKB_OVERHEAD), ..Link::new(mtu, Device::LocalSingle) },
        window_clamp: None,
    })
}

/// The `SO_RCVBUF` whose window is nearest to `window` bytes.
pub(crate) fn rcvbuf_for(version: KernelVersion, window: u64, mtu: u32, opener: End) -> Option<u64> {
    let asked = nearest(window, |asked| limits(version, asked, mtu, opener).largest_window.value)?;
    let least = smallest(MOST, |asked| limits(version, asked, mtu, opener).wire_cap >= window)?;
    Some(asked.max(least))
}

/// Whether a window of `window` bytes with `scale` comes from a buffer that a socket asked for: such a buffer
/// has the smallest scale that can express it. All others have the scale of `tcp_rmem[2]` or `rmem_max`
/// (`tcp_select_initial_window`).
pub(crate) fn is_asked_for(version: KernelVersion, window: u64, scale: u8, mtu: u32, opener: End) -> bool {
    rcvbuf_for(version, window, mtu, opener)
        .is_some_and(|asked| scale <= limits(version, asked, mtu, opener).window_scale + SCALE_SLACK)
}

/// The request that `comes_to` (which must be monotone) brings nearest to `wanted`.
fn nearest(wanted: u64, comes_to: impl Fn(u64) -> u64) -> Option<u64> {
    let enough = smallest(MOST, |asked| comes_to(asked) >= wanted)?;
    let under = enough.saturating_sub(1);
    let is_under_nearer = under > 0 && wanted.abs_diff(comes_to(under)) < comes_to(enough).abs_diff(wanted);
    Some(if is_under_nearer { under } else { enough })
}
