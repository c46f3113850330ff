//! Kernels before 4.20. Their rules were read in the source, so expected numbers come from published captures
//! and `ss` outputs of such kernels, and from the source's formulas.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use tcpwhy_kernel::{
    BufferRequest, Ground, KernelVersion, Link, ReceiveLimits, ReceiveQuestion, SendQuestion, Sysctls, When, Writing,
    receive_limits, send_limits,
};

fn receive(version: &str, assignments: &[&str], request: Option<BufferRequest>) -> ReceiveLimits {
    let version: KernelVersion = version.parse().unwrap();
    let mut sysctls = Sysctls::defaults(version);
    for assignment in assignments {
        sysctls.assign(assignment).unwrap();
    }
    receive_limits(&ReceiveQuestion { version, sysctls: &sysctls, request, window_clamp: None, link: Link::ETHERNET })
}

fn values(limits: &ReceiveLimits) -> [u64; 5] {
    [
        limits.syn_window.value,
        limits.syn_ack_window.value,
        limits.window_scale.into(),
        limits.initial_buffer.value,
        limits.largest_window.value,
    ]
}

/// Captures of RHEL 7 show `win 29200 … wscale 7`, SYN-ACKs 28960, and `ss -m` of an accepted socket
/// `rb369280`. The largest window is half of 6 MiB minus the reserved segment.
#[test]
fn what_centos_7_shows() {
    for version in ["3.10", "3.10.0-1160.el7.x86_64", "4.4", "4.9.337", "4.14", "4.18.0-513.el8", "4.19.85"] {
        let limits = receive(version, &[], None);
        assert_eq!(values(&limits), [29_200, 28_960, 7, 369_280, 3_145_728 - 1448], "{version}");
        assert_eq!(limits.initial_buffer.ground, Ground::Source, "{version}");
        assert!(limits.steps.iter().all(|step| step.ground >= Ground::Source), "{version}: {:?}", limits.steps);
        assert_eq!(limits.initial_window.value, 28_960, "{version}");
    }
    // The headers of mesh networks make it 374,400 (Ubuntu); a client has 367,360.
    let buffer = receive("4.4", &[], None).initial_buffer;
    assert!(buffer.admits(374_400, 0) && buffer.admits(367_360, 0), "{buffer:?}");
}

/// Mainline's 3.10 advertised ten segments, and kept the buffer at `tcp_rmem[1]`.
#[test]
fn mainline_3_10_is_not_centos_7() {
    assert_eq!(values(&receive("3.10.108", &[], None))[..4], [14_600, 14_480, 7, 87_380]);
    assert_eq!(values(&receive("3.12.74", &[], None))[..4], [29_200, 28_960, 7, 92_320]);
}

/// `tcp_rmem[1]` and half of it, since a337531b942b (4.20, stable 4.19.86): 64,240 and 65,160 bytes.
#[test]
fn from_4_19_86_on_the_buffer_is_what_the_sysctl_says() {
    for version in ["4.19.86", "4.19", "4.20", "5.4"] {
        assert_eq!(values(&receive(version, &[], None))[..4], [64_240, 65_160, 7, 131_072], "{version}");
    }
    assert_eq!(receive("5.4", &[], None).initial_buffer.ground, Ground::Source);
    assert_eq!(receive("5.10", &[], None).initial_buffer.ground, Ground::Exact);
}

/// Go's `SetReadBuffer` after `Dial`: the window stays at (367,360 / 2) - 1,448 bytes for any request.
#[test]
fn a_late_buffer_leaves_the_window_at_182_kb() {
    let wide = ["net.core.rmem_max=16777216"];
    for bytes in [256 << 10, 1 << 20, 8 << 20] {
        let request = BufferRequest::new(bytes).set(When::AfterConnect);
        let limits = receive("3.10", &wide, Some(request));
        // The window field encodes multiples of the scale's unit.
        assert!(limits.largest_window.value.abs_diff(182_232) < 256, "{bytes}: {:?}", limits.largest_window);
        assert!(limits.is_frozen, "{bytes}");
        assert_eq!(limits.syn_window.value, 29_200, "{bytes}");
    }
    let small = receive("3.10", &wide, Some(BufferRequest::new(64 << 10).set(When::AfterConnect)));
    assert_eq!(small.largest_window.value, 65_536, "half of its own buffer is less");
    assert!(!small.is_frozen);
}

/// A buffer that is set before `connect()` is not raised: twenty segments in the SYN, later half of the
/// buffer.
#[test]
fn an_early_buffer_is_half_of_the_window() {
    let limits = receive("3.10", &["net.core.rmem_max=16777216"], Some(BufferRequest::new(4 << 20)));
    assert_eq!(values(&limits), [29_200, 28_960, 7, 8 << 20, (4 << 20) - 1448]);
    let small = receive("3.10", &[], Some(BufferRequest::new(8192)));
    assert_eq!(values(&small)[..4], [7300, 7240, 0, 16_384], "whole segments of 8,192 bytes");
}

/// The window is 8 MiB, half of `tcp_rmem[2]`, with `tcp_adv_win_scale` 1.
#[test]
fn sixteen_mebibytes_are_a_window_of_eight() {
    let limits = receive("4.14", &["net.ipv4.tcp_rmem=4096 87380 16777216"], None);
    assert!(limits.largest_window.value.abs_diff(8 << 20) <= 1448 && limits.window_scale == 9, "{limits:?}");
    // All three values 4096: the first segments do not raise the buffer either.
    let tiny = receive("4.14", &["net.ipv4.tcp_rmem=4096 4096 4096"], None);
    assert_eq!((tiny.initial_buffer.value, tiny.largest_window.value), (4096, 2048));
}

/// `ss -m` of RHEL 7 shows `tb87040`: 2 × 10 × (4,096 + 256). Mainline before 3.13: 10 × 2,308.
#[test]
fn send_buffers_start_with_two_congestion_windows() {
    let start = |text: &str| {
        let version: KernelVersion = text.parse().unwrap();
        let sysctls = Sysctls::defaults(version);
        let question = SendQuestion {
            version,
            sysctls: &sysctls,
            request: None,
            link: Link::ETHERNET,
            writing: Writing::BULK,
            is_bbr: false,
            peer_window: None,
            notsent_lowat: None,
        };
        let limits = send_limits(&question);
        assert!(limits.largest_flight.ground >= Ground::Source, "{text}");
        limits.initial_buffer.value
    };
    assert_eq!(["3.10", "4.4", "4.14", "5.4"].map(start), [87_040; 4]);
    assert_eq!(["3.10.108", "3.12"].map(start), [23_080; 2]);
}
