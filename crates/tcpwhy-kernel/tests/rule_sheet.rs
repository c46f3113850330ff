//! Measurements on real kernels, compared with the model.
//!
//! Each window is the largest that a receiver with a fast reader advertised, on a veth pair with offloads;
//! kernels 6.1.192, 6.12.117, 6.18.44 and 7.3.4. They may miss the model's range by one segment.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use tcpwhy_kernel::{
    BufferKind, BufferRequest, Device, KernelVersion, Link, MIN_RCVBUF, MIN_SNDBUF, ReceiveLimits, ReceiveQuestion,
    SendLimits, SendQuestion, Sysctl, SysctlValue, Sysctls, When, Writing, receive_limits, reported_buffer,
    send_limits, window,
};

const V6_1: KernelVersion = KernelVersion::release(6, 1, 192);
const V6_12: KernelVersion = KernelVersion::release(6, 12, 117);
const V6_18: KernelVersion = KernelVersion::release(6, 18, 44);
const V7_3: KernelVersion = KernelVersion::release(7, 3, 4);

const K: i32 = 1024;
const M: i32 = 1024 * 1024;

/// The link of the measurements.
fn veth(version: KernelVersion, mtu: u32) -> Link {
    let overhead = if version == V6_1 {
        1280
    } else if version == V6_18 {
        832
    } else {
        896
    };
    Link { skb_overhead: Some(overhead), ..Link::new(mtu, Device::Local) }
}

/// Sysctls of `version` with room for every request.
fn roomy(version: KernelVersion) -> Sysctls {
    let mut sysctls = Sysctls::defaults(version);
    sysctls.set(Sysctl::RmemMax, SysctlValue::Number(64 << 20));
    sysctls.set(Sysctl::WmemMax, SysctlValue::Number(64 << 20));
    sysctls
}

fn receive(version: KernelVersion, mtu: u32, request: Option<BufferRequest>) -> ReceiveLimits {
    let link = veth(version, mtu);
    receive_limits(&ReceiveQuestion { version, sysctls: &roomy(version), request, link, window_clamp: None })
}

fn send(version: KernelVersion, sysctls: &Sysctls, request: Option<BufferRequest>, writing: Writing) -> SendLimits {
    send_limits(&SendQuestion {
        version,
        sysctls,
        request,
        link: veth(version, 1500),
        writing,
        is_bbr: false,
        peer_window: None,
        notsent_lowat: None,
    })
}

/// Requested `SO_RCVBUF`, windows advertised on 6.1, 6.12, 6.18, 7.3, `window_clamp` of 6.18, window on
/// loopback of 6.18.
const WINDOWS: [(i32, [u64; 4], u64, u64); 11] = [
    (4 * K, [2896, 2896, 2896, 2896], 5184, 4096),
    (8 * K, [5792, 8688, 10_136, 8688], 12_672, 8192),
    (16 * K, [14_480, 23_168, 26_064, 21_720], 29_312, 16_384),
    (32 * K, [30_408, 44_888, 53_576, 44_888], 58_624, 32_768),
    (64 * K, [64_088, 99_592, 104_696, 102_488], 117_248, 110_566),
    (100 * K, [96_812, 131_070, 131_070, 131_070], 183_200, 131_070),
    (128 * K, [117_696, 189_956, 232_336, 175_960], 234_496, 222_296),
    (200 * K, [198_544, 262_140, 262_140, 262_140], 366_400, 262_140),
    (256 * K, [230_456, 424_504, 443_288, 406_328], 468_992, 497_664),
    (M, [1_031_296, 1_741_312, 1_874_912, 1_815_520], 1_875_968, 2_062_336),
    (4 * M, [4_192_896, 7_411_072, 7_502_848, 6_342_400], 7_503_872, 8_256_640),
];

#[test]
fn largest_windows_as_measured() {
    for (asked, measured, _, _) in WINDOWS {
        for (version, measured) in [V6_1, V6_12, V6_18, V7_3].into_iter().zip(measured) {
            let limits = receive(version, 1500, Some(BufferRequest::new(asked)));
            let window = limits.largest_window;
            assert!(window.admits(measured, 128), "{version} {asked}: {window:?}, measured {measured}");
        }
    }
}

#[test]
fn largest_windows_on_loopback_as_measured() {
    for (asked, _, _, measured) in WINDOWS {
        let window = receive(V6_18, 65_536, Some(BufferRequest::new(asked))).largest_window;
        assert!(window.admits(measured, 512), "{asked}: {window:?}, measured {measured}");
    }
}

/// `window_clamp` is the window that the buffer would allow without the limit of the scale.
#[test]
fn window_clamps_as_measured() {
    for (asked, _, clamp, _) in WINDOWS {
        let limits = receive(V6_18, 1500, Some(BufferRequest::new(asked)));
        assert_eq!(limits.window_clamp.value, clamp, "{asked}");
        assert_eq!(limits.is_wire_capped, clamp > limits.wire_cap, "{asked}");
    }
}

#[test]
fn sizes_that_are_no_powers_of_two_lose_to_the_scale() {
    for (asked, cap) in [(100 * K, 131_070), (200 * K, 262_140)] {
        for version in [V6_12, V6_18, V7_3] {
            let limits = receive(version, 1500, Some(BufferRequest::new(asked)));
            assert!(limits.is_wire_capped, "{version} {asked}");
            assert_eq!(limits.largest_window.value, cap, "{version} {asked}");
        }
    }
}

/// One half of the doubled buffer determines the scale, independent of the later window; 208 measurements had
/// no mismatch.
#[test]
fn window_scales_of_set_buffers() {
    for (asked, scale) in [
        (K, 0),
        (32 * K, 0),
        (64 * K - 1, 0),
        (64 * K, 1),
        (100 * K, 1),
        (128 * K, 2),
        (200 * K, 2),
        (256 * K, 3),
        (M, 5),
        (4 * M, 7),
        (16 * M, 9),
    ] {
        for version in [V6_1, V6_12, V6_18, V7_3] {
            assert_eq!(
                receive(version, 1500, Some(BufferRequest::new(asked))).window_scale,
                scale,
                "{version} {asked}"
            );
        }
    }
}

#[test]
fn window_scales_of_autotuned_buffers() {
    let scale = |rmem: u64, rmem_max: i64| {
        let mut sysctls = Sysctls::defaults(V6_18);
        sysctls.set(Sysctl::TcpRmem, SysctlValue::Triple([4096, 131_072, rmem]));
        sysctls.set(Sysctl::RmemMax, SysctlValue::Number(rmem_max));
        let link = veth(V6_18, 1500);
        receive_limits(&ReceiveQuestion { version: V6_18, sysctls: &sysctls, request: None, link, window_clamp: None })
            .window_scale
    };
    assert_eq!(scale(6_291_456, 212_992), 7);
    assert_eq!(scale(15_400_000, 212_992), 8);
    assert_eq!(scale(33_554_432, 212_992), 10);
    assert_eq!(scale(33_554_432, 65_536), 10, "rmem_max does not limit it");
    assert_eq!(scale(6_291_456, 64 << 20), 11, "but can raise it");
}

#[test]
fn the_first_windows() {
    for version in [V6_1, V6_12, V6_18, V7_3] {
        let limits = receive(version, 1500, None);
        assert_eq!(limits.initial_buffer.value, 131_072);
        assert_eq!((limits.syn_window.value, limits.syn_ack_window.value), (64_240, 65_160), "{version}");
        assert_eq!(limits.initial_window.value, 64_088, "{version}");
    }
    // With a request of 4 MiB, the SYN advertises at most 65,535 bytes, the first ACK the full window.
    let first = |version| receive(version, 1500, Some(BufferRequest::new(4 * M)));
    assert_eq!(first(V6_18).syn_window.value, 65_535);
    assert!(first(V6_18).initial_window.value > 4_100_000, "{:?}", first(V6_18).initial_window);
    assert_eq!(first(V6_1).initial_window.value, 65_535);
}

/// `TCP_WINDOW_CLAMP` before the SYN fixes the scale; its later effect depends on the kernel (measured).
#[test]
fn a_window_clamp() {
    let of = |version, request| {
        let question = ReceiveQuestion {
            version,
            sysctls: &roomy(version),
            request,
            window_clamp: Some(20_000),
            link: veth(version, 1500),
        };
        receive_limits(&question)
    };
    let locked = Some(BufferRequest::new(M));
    let held = of(V6_1, locked).largest_window.value;
    assert!((18_000..=20_000).contains(&held), "it holds, in whole segments: {held}");
    for (version, request) in [(V6_1, None), (V6_18, None), (V6_18, locked)] {
        let limits = of(version, request);
        assert_eq!((limits.window_scale, limits.syn_window.value), (0, 18_980), "{version}");
        assert!(limits.largest_window.admits(65_535, 1448) && limits.largest_window.low <= 20_000, "{limits:?}");
    }
}

/// Unsent data is limited to the mark, rounded up to whole skbs; data in flight is not limited by it.
#[test]
fn notsent_lowat() {
    let sysctls = roomy(V6_18);
    let mut marked = sysctls.clone();
    marked.set(Sysctl::TcpNotsentLowat, SysctlValue::Number(131_072));
    let question = |sysctls, notsent_lowat| SendQuestion {
        version: V6_18,
        sysctls,
        request: None,
        link: veth(V6_18, 1500),
        writing: Writing { has_nodelay: true, ..Writing::BULK },
        is_bbr: false,
        peer_window: None,
        notsent_lowat,
    };
    assert_eq!(send_limits(&question(&sysctls, None)).largest_unsent, None);
    let by_option = send_limits(&question(&sysctls, Some(16_384)));
    assert_eq!(by_option.largest_unsent.map(|f| f.value), Some(65_160), "measured");
    let by_sysctl = send_limits(&question(&marked, Some(0)));
    assert_eq!(by_sysctl.largest_unsent.map(|f| f.value), Some(3 * 65_160));
    assert_eq!(by_sysctl.largest_flight, by_option.largest_flight);
}

/// `SO_RCVBUF` of 1 MiB: `R` = 2097152.
#[test]
fn a_receive_buffer_set_late() {
    let set = |version, when| receive(version, 1500, Some(BufferRequest::new(M).set(when)));
    // Frozen at establishment on 6.1, recomputed by the first full segment on 6.12, recomputed at once on
    // 7.3.
    assert_eq!(set(V6_1, When::AfterConnect).largest_window.value, 64_088);
    assert!(set(V6_1, When::AfterConnect).is_frozen);
    assert_eq!(set(V6_12, When::AfterConnect).window_clamp.value, 1_859_584);
    assert!(!set(V6_12, When::AfterConnect).is_frozen);
    // After data: frozen at the size that autotuning had reached, except since 7.1.
    let late = set(V6_18, When::AfterData);
    assert!(late.is_frozen && late.largest_window.value < 140_000, "{late:?}");
    assert!(late.largest_window.admits(135_168, 0), "{:?}", late.largest_window);
    assert!(!set(V7_3, When::AfterData).is_frozen);
    assert_eq!(set(V7_3, When::AfterData).window_clamp.value, 1_859_584);
    assert!(set(KernelVersion::release(7, 0, 13), When::AfterData).is_frozen);
    assert!(!set(KernelVersion::release(7, 1, 13), When::AfterData).is_frozen);
    // The scale comes from autotuning and is larger than the buffer would need.
    assert_eq!(set(V6_18, When::AfterConnect).window_scale, 11);
    assert_eq!(set(V6_18, When::BeforeConnect).window_scale, 5);
    let (own, inherited) = (set(V6_18, When::BeforeConnect), set(V6_18, When::OnListener));
    assert_eq!(own.largest_window, inherited.largest_window, "a listener's option is inherited");
}

/// Window share of a set buffer by version: half, a quarter, half again, then the payload's share of memory.
#[test]
fn the_share_of_a_set_buffer_by_version() {
    let share = |version: &str| {
        let limits = receive(version.parse().unwrap(), 1500, Some(BufferRequest::new(M)));
        100 * limits.largest_window.value / limits.initial_buffer.value
    };
    for (version, percent) in [
        ("3.10", 49),
        ("5.15", 49),
        ("6.5", 49),
        ("6.6.10", 25),
        ("6.6.40", 49),
        ("6.6.47", 88),
        ("6.9.1", 25),
        ("6.9.12", 49),
        ("6.10.2", 49),
        ("6.11", 88),
        ("6.18", 88),
        ("7.3", 88),
    ] {
        assert_eq!(share(version), percent, "{version}");
    }
}

#[test]
fn getsockopt_on_any_version() {
    let of = |kind, bytes, cap| reported_buffer(kind, bytes, cap).1;
    for (kind, floor) in [(BufferKind::Send, MIN_SNDBUF), (BufferKind::Receive, MIN_RCVBUF)] {
        assert_eq!(of(kind, 0, Some(212_992)), floor);
        assert_eq!(of(kind, 1, Some(212_992)), floor);
        assert_eq!(of(kind, 65_536, Some(212_992)), 131_072);
        assert_eq!(of(kind, 212_993, Some(212_992)), 425_984);
        assert_eq!(of(kind, i32::MAX, Some(212_992)), 425_984);
        assert_eq!(of(kind, -1, Some(212_992)), 425_984, "-1 is a large unsigned number");
        assert_eq!(of(kind, -1, None), floor, "but FORCE takes it for nothing");
        assert_eq!(of(kind, i32::MAX, None), 2_147_483_646);
        assert_eq!(of(kind, 16 << 20, None), 32 << 20);
    }
    assert_eq!((MIN_SNDBUF, MIN_RCVBUF), (4608, 2304));
}

#[test]
fn autotuning_ignores_the_maxima_of_requests() {
    for (version, rmem, wmem) in [(V6_1, 6_291_456, 4_194_304), (V6_18, 33_554_432, 4_194_304)] {
        let mut sysctls = Sysctls::defaults(version);
        sysctls.set(Sysctl::RmemMax, SysctlValue::Number(65_536));
        sysctls.set(Sysctl::WmemMax, SysctlValue::Number(65_536));
        let link = veth(version, 1500);
        let received =
            receive_limits(&ReceiveQuestion { version, sysctls: &sysctls, request: None, link, window_clamp: None });
        assert_eq!(received.largest_buffer.value, rmem, "{version}");
        assert_eq!(send(version, &sysctls, None, Writing::BULK).largest_buffer.value, wmem, "{version}");
    }
}

/// `tcp_rmem[2]` of 1 MiB gave a window of 693,504 bytes with a measured ratio of 170/256.
#[test]
fn the_window_of_an_autotuned_buffer_is_a_share_of_tcp_rmem() {
    let mut sysctls = Sysctls::defaults(V6_18);
    sysctls.set(Sysctl::TcpRmem, SysctlValue::Triple([4096, 131_072, 1 << 20]));
    let question =
        ReceiveQuestion { version: V6_18, sysctls: &sysctls, request: None, link: Link::ETHERNET, window_clamp: None };
    let window = receive_limits(&question).largest_window;
    assert!(window.admits(693_504, 0), "{window:?}");
    assert!(window::WindowShare::Ratio(170).window(1 << 20).abs_diff(693_504) <= 2 * 1448);
    sysctls.set(Sysctl::TcpModerateRcvbuf, SysctlValue::Number(0));
    let question =
        ReceiveQuestion { version: V6_18, sysctls: &sysctls, request: None, link: Link::ETHERNET, window_clamp: None };
    assert!(receive_limits(&question).largest_window.value < 131_072, "nothing grows when nothing may");
}

#[test]
fn send_buffers_start_as_measured() {
    let start = |mtu, is_bbr| {
        let question = SendQuestion {
            version: V6_18,
            sysctls: &Sysctls::defaults(V6_18),
            request: None,
            link: veth(V6_18, mtu),
            writing: Writing::BULK,
            is_bbr,
            peer_window: None,
            notsent_lowat: None,
        };
        send_limits(&question).initial_buffer.value
    };
    assert_eq!([start(1500, false), start(1500, true)], [46_080, 69_120]);
    assert_eq!([start(65_536, false), start(65_536, true)], [2_626_560, 3_939_840]);
    let question = SendQuestion {
        version: V6_12,
        sysctls: &Sysctls::defaults(V6_12),
        request: None,
        link: Link::ETHERNET,
        writing: Writing::BULK,
        is_bbr: false,
        peer_window: None,
        notsent_lowat: None,
    };
    assert_eq!(send_limits(&question).initial_buffer.value, 87_040, "as distributions are built");
}

/// Bytes accepted while no ACK arrived, with 64 KiB writes, when only the window of the SYN-ACK was known.
/// One skb (31,856) more or less, because the initial congestion window of ten segments splits the first.
#[test]
fn taken_while_acknowledgements_are_blocked() {
    for (sndbuf, measured) in [
        (4608, 47_784_u64),
        (8192, 47_784),
        (16_384, 47_784),
        (32_768, 46_336),
        (65_536, 97_391),
        (131_072, 129_247),
        (262_144, 256_671),
        (524_288, 511_519),
    ] {
        let question = SendQuestion {
            version: V6_18,
            sysctls: &roomy(V6_18),
            request: Some(BufferRequest::new(sndbuf / 2)),
            link: veth(V6_18, 1500),
            writing: Writing { has_nodelay: true, ..Writing::BULK },
            is_bbr: false,
            peer_window: Some(65_535),
            notsent_lowat: None,
        };
        let flight = send_limits(&question).largest_flight;
        assert!(measured.abs_diff(flight.value) <= 31_856_u64, "{sndbuf}: {flight:?}, {measured}");
    }
}

/// `tcp_wmem` = 4096 4096 4096 still allowed one skb of 64 KB per round trip, 37 to 48 KB at once.
#[test]
fn a_send_buffer_of_one_page_is_no_hard_limit() {
    let mut sysctls = roomy(V6_18);
    sysctls.set(Sysctl::TcpWmem, SysctlValue::Triple([4096, 4096, 4096]));
    let flight = send(V6_18, &sysctls, None, Writing::BULK).largest_flight;
    for measured in [37_000, 48_000, 65_160] {
        assert!(flight.admits(measured, 0), "{flight:?}");
    }
}

/// B = 8192 with writes of 1,000 bytes: 178 KB in flight; B = 65536 with writes of 8 KB: 1.41 MB. Neither
/// happens with `TCP_NODELAY`.
#[test]
fn an_open_tail_takes_more_than_the_buffer() {
    for (asked, bytes, measured) in [(4096, 1000, 178_000), (32_768, 8192, 1_410_000)] {
        let flight = |has_nodelay| {
            let writing = Writing { bytes, has_nodelay, ..Writing::BULK };
            send(V6_18, &roomy(V6_18), Some(BufferRequest::new(asked)), writing).largest_flight
        };
        assert!(flight(false).high.is_none() && flight(false).admits(measured, 0));
        assert!(!flight(true).admits(measured, 0));
    }
}
