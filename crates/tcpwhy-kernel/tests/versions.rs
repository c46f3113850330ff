//! Each rule that changed with a version: the last release before, the first release with it, and its
//! backports to older series.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use tcpwhy_kernel::{
    BufferRequest, Device, KernelVersion, Link, ReceiveLimits, ReceiveQuestion, SendQuestion, Sysctl, SysctlValue,
    Sysctls, When, Writing, receive_limits, send_limits, window,
};

fn version(text: &str) -> KernelVersion {
    text.parse().unwrap()
}

/// Checks the result of `rule` for these versions.
#[track_caller]
fn hold<T: PartialEq + std::fmt::Debug>(name: &str, rule: impl Fn(KernelVersion) -> T, expected: &[(&str, T)]) {
    for (text, expected) in expected {
        assert_eq!(rule(version(text)), *expected, "{name} of {text}");
    }
}

#[test]
fn the_first_ratio() {
    hold(
        "initial_ratio",
        window::initial_ratio,
        &[
            ("6.5.13", None),
            ("6.6.0", Some(65)),
            ("6.6.32", Some(65)),
            ("6.6.33", Some(128)),
            ("6.6.34", Some(128)),
            ("6.6", Some(128)),
            ("6.7.12", Some(65)),
            ("6.8.12", Some(65)),
            ("6.9.3", Some(65)),
            ("6.9.4", Some(128)),
            ("6.10.0", Some(128)),
            ("7.3.4", Some(128)),
        ],
    );
}

#[test]
fn the_clamp_follows_the_ratio() {
    hold(
        "has_following_clamp",
        window::has_following_clamp,
        &[
            ("6.1.192", false),
            ("6.6.46", false),
            ("6.6.47", true),
            ("6.6.48", true),
            ("6.7.12", false),
            ("6.9.12", false),
            ("6.10.5", false),
            ("6.10.6", true),
            ("6.11.0", true),
        ],
    );
}

#[test]
fn a_late_buffer_recomputes_the_window() {
    hold("has_set_rcvbuf", window::has_set_rcvbuf, &[("7.0.99", false), ("7.1.0", true), ("7.3.4", true)]);
}

#[test]
fn the_first_window_may_be_large() {
    hold(
        "has_large_initial_window",
        window::has_large_initial_window,
        &[("6.6.99", false), ("6.8.12", false), ("6.9.3", false), ("6.9.4", true), ("6.10.0", true)],
    );
    let first = |text: &str| {
        let mut sysctls = Sysctls::defaults(version(text));
        sysctls.set(Sysctl::RmemMax, SysctlValue::Number(64 << 20));
        receive(text, &sysctls, Some(BufferRequest::new(4 << 20))).initial_window.value
    };
    assert_eq!(first("6.9.3"), 65_535);
    assert_eq!(first("6.9.4"), 4_194_304 - 1448, "half of 8 MiB, less a segment");
}

#[test]
fn what_an_skb_takes() {
    let overhead = |version| {
        let figure = Link::ETHERNET.skb_overhead(version);
        (figure.low, figure.value)
    };
    hold("skb_overhead", overhead, &[("6.2.16", (1280, 1280)), ("6.3.0", (832, 896)), ("6.18.44", (832, 896))]);
}

/// Small heads leave 576 bytes less for `MAX_TCP_HEADER`, and 64 less again with room for GRO: 46,080 bytes
/// instead of 87,040.
#[test]
fn small_heads_begin_and_grow() {
    let first_buffer = |overhead| {
        move |version| {
            let question = SendQuestion {
                version,
                sysctls: &Sysctls::defaults(version),
                request: None,
                link: Link { skb_overhead: Some(overhead), ..Link::ETHERNET },
                writing: Writing::BULK,
                is_bbr: false,
                peer_window: None,
                notsent_lowat: None,
            };
            send_limits(&question).initial_buffer.value
        }
    };
    hold("sk_sndbuf with 832 bytes of overhead", first_buffer(832), &[("6.2.16", 87_040), ("6.3.0", 46_080)]);
    hold(
        "sk_sndbuf with 896 bytes of overhead",
        first_buffer(896),
        &[
            ("6.6.78", 87_040),
            ("6.6.79", 46_080),
            ("6.7.12", 87_040),
            ("6.11.99", 87_040),
            ("6.12.15", 87_040),
            ("6.12.16", 46_080),
            ("6.13.3", 87_040),
            ("6.13.4", 46_080),
            ("6.14.0", 46_080),
        ],
    );
}

/// Before 4.17 the goal was one segment on a device without segmentation offload.
#[test]
fn the_smallest_goal() {
    let least = |version| {
        let question = SendQuestion {
            version,
            sysctls: &Sysctls::defaults(version),
            request: Some(BufferRequest::new(65_536)),
            link: Link::ETHERNET,
            writing: Writing { has_nodelay: true, ..Writing::BULK },
            is_bbr: false,
            peer_window: None,
            notsent_lowat: None,
        };
        send_limits(&question).largest_flight.low
    };
    hold("largest_flight.low", least, &[("4.16.18", 46_381), ("4.17.0", 60_597)]);
}

#[test]
fn defaults() {
    let number = |sysctl| move |version| Sysctls::defaults(version).number(sysctl);
    for sysctl in [Sysctl::RmemMax, Sysctl::WmemMax] {
        hold(sysctl.name(), number(sysctl), &[("6.17.13", Some(212_992)), ("6.18.0", Some(4_194_304))]);
    }
    for sysctl in [Sysctl::RmemDefault, Sysctl::WmemDefault] {
        hold(sysctl.name(), number(sysctl), &[("6.1", Some(212_992)), ("7.3.4", Some(212_992))]);
    }
    hold("tcp_shrink_window", number(Sysctl::TcpShrinkWindow), &[("6.0.19", None), ("6.1.0", Some(0))]);
    hold("tcp_rcvbuf_low_rtt", number(Sysctl::TcpRcvbufLowRtt), &[("6.18.44", None), ("6.19.0", Some(1000))]);
    hold(
        "tcp_limit_output_bytes",
        number(Sysctl::TcpLimitOutputBytes),
        &[("4.19.300", None), ("4.20.0", Some(1_048_576)), ("6.15.11", Some(1_048_576)), ("6.16.0", Some(4_194_304))],
    );
    hold("tcp_app_win", number(Sysctl::TcpAppWin), &[("5.15", Some(31))]);
    hold("tcp_notsent_lowat", number(Sysctl::TcpNotsentLowat), &[("5.15", Some(4_294_967_295))]);
    let triple = |sysctl| move |version| Sysctls::defaults(version).triple(sysctl);
    hold(
        "tcp_rmem",
        triple(Sysctl::TcpRmem),
        &[
            ("4.19.85", Some([4096, 87_380, 6_291_456])),
            ("4.19.86", Some([4096, 131_072, 6_291_456])),
            ("4.20.0", Some([4096, 131_072, 6_291_456])),
            ("6.15.11", Some([4096, 131_072, 6_291_456])),
            ("6.16.0", Some([4096, 131_072, 33_554_432])),
        ],
    );
    hold(
        "tcp_wmem",
        triple(Sysctl::TcpWmem),
        &[("4.19", Some([4096, 16_384, 4_194_304])), ("7.3.4", Some([4096, 16_384, 4_194_304]))],
    );
}

#[test]
fn what_namespaces_see_and_what_has_an_effect() {
    for sysctl in [Sysctl::RmemMax, Sysctl::WmemMax, Sysctl::RmemDefault, Sysctl::WmemDefault] {
        let is_visible = |version| sysctl.is_visible_in_namespace(version);
        hold(sysctl.name(), is_visible, &[("6.11.11", false), ("6.12.0", true)]);
    }
    assert!(!Sysctl::TcpMem.is_visible_in_namespace(version("7.3")));
    assert!(Sysctl::TcpRmem.is_visible_in_namespace(version("3.10")));
    let has_effect = |version| Sysctl::TcpAdvWinScale.has_effect(version);
    hold("tcp_adv_win_scale", has_effect, &[("6.5.13", true), ("6.6.0", false)]);
}

fn receive(text: &str, sysctls: &Sysctls, request: Option<BufferRequest>) -> ReceiveLimits {
    let link = Link { skb_overhead: Some(832), ..Link::new(1500, Device::Local) };
    receive_limits(&ReceiveQuestion { version: version(text), sysctls, request, link, window_clamp: None })
}

/// A client's first window reaches the server with the last segment of the handshake, a server's with its
/// unscaled SYN-ACK. So on loopback, where the first window limits the segments, a client's window is smaller
/// while segments are in the buffer.
#[test]
fn the_first_window_of_a_client_and_of_a_server() {
    let mut sysctls = Sysctls::defaults(version("6.18.44"));
    sysctls.set(Sysctl::RmemMax, SysctlValue::Number(64 << 20));
    let link = Link { skb_overhead: Some(832), ..Link::new(65_536, Device::Local) };
    let least = |when| {
        let request = Some(BufferRequest::new(1 << 20).set(when));
        let version = version("6.18.44");
        let question = ReceiveQuestion { version, sysctls: &sysctls, request, link, window_clamp: None };
        receive_limits(&question).largest_window.low
    };
    assert_eq!((least(When::BeforeConnect), least(When::OnListener)), (23 * 65_483, 47 * 32_767));
}

/// Numbers above the kernel's maximum, below its minimum, and those that it rounds.
#[test]
fn sysctls_are_rounded_as_the_kernel_does() {
    let with = |assignments: &[&str]| {
        let mut sysctls = Sysctls::defaults(version("6.18.44"));
        for assignment in assignments {
            sysctls.assign(assignment).unwrap();
        }
        sysctls
    };
    let autotuned = |assignment: &str| receive("6.18.44", &with(&[assignment]), None);
    let huge = autotuned("net.ipv4.tcp_rmem=4096 131072 99999999999");
    assert_eq!(huge.largest_buffer.value, 2_147_483_647, "tcp_rmem[2] is an int");
    assert_eq!(huge.window_scale, 14);
    assert_eq!(
        autotuned("net.ipv4.tcp_rmem=4096 131072 65536").largest_buffer.value,
        131_072,
        "never less than at first"
    );
    let fixed = autotuned("net.ipv4.tcp_moderate_rcvbuf=0");
    assert_eq!((fixed.largest_buffer.value, fixed.growth_round_trips), (131_072, None));
    let unscaled = autotuned("net.ipv4.tcp_window_scaling=0");
    assert_eq!((unscaled.window_scale, unscaled.wire_cap), (0, 65_535));
    assert_eq!(autotuned("net.core.rmem_max=-1").window_scale, 10, "no more than tcp_rmem[2] needs");
    for (clamp, scale) in [(1, 0), (1_152, 0), (65_535, 0), (65_536, 1)] {
        let question = ReceiveQuestion {
            version: version("6.1.192"),
            sysctls: &with(&[]),
            request: Some(BufferRequest::new(1 << 20)),
            link: Link::ETHERNET,
            window_clamp: Some(clamp),
        };
        let limits = receive_limits(&question);
        assert_eq!(limits.window_scale, scale, "TCP_WINDOW_CLAMP of {clamp}");
        if clamp <= 1_152 {
            assert_eq!(limits.window_clamp.value, 1_152, "half of the smallest buffer, asked for {clamp}");
        }
    }
    let unsent = |assignment: &str, option| {
        let question = SendQuestion {
            version: version("6.18.44"),
            sysctls: &with(&[assignment]),
            request: None,
            link: Link::ETHERNET,
            writing: Writing::BULK,
            is_bbr: false,
            peer_window: None,
            notsent_lowat: option,
        };
        send_limits(&question).largest_unsent.map(|figure| figure.value)
    };
    assert_eq!(unsent("net.ipv4.tcp_notsent_lowat=1", None), Some(65_160), "a whole skb");
    assert_eq!(unsent("net.ipv4.tcp_notsent_lowat=65160", None), Some(65_160), "a whole skb");
    assert_eq!(unsent("net.ipv4.tcp_notsent_lowat=65161", None), Some(130_320), "two");
    assert_eq!(unsent("net.ipv4.tcp_notsent_lowat=4294967295", None), None, "the largest number is none");
    assert_eq!(unsent("net.ipv4.tcp_notsent_lowat=65161", Some(1)), Some(65_160), "the option goes first");
    assert_eq!(unsent("net.ipv4.tcp_notsent_lowat=65161", Some(0)), Some(130_320), "0 leaves it to the sysctl");
}

#[test]
fn windows_at_the_edges_of_their_rules() {
    use window::{WindowShare, established_clamp, scale_for, usable, wire_cap};
    assert_eq!([131_071, 131_072].map(scale_for), [1, 2]);
    assert_eq!([0, 1, 14].map(wire_cap), [65_535, 131_070, 1_073_725_440]);
    assert_eq!(WindowShare::Ratio(65).window(4096), 1040);
    assert_eq!(WindowShare::Ratio(128).window(131_073), 65_536);
    // More than four segments reserve one, or the share of tcp_app_win; fewer keep at least two.
    assert_eq!(established_clamp(5_792, 31, 1448), 4_344, "four segments keep one");
    assert_eq!(established_clamp(4_344, 31, 1448), 2_896, "three segments keep one");
    assert_eq!(established_clamp(2_897, 31, 1448), 2_896, "two at least");
    assert_eq!(established_clamp(2_896, 31, 1448), 2_896, "two are left alone");
    assert_eq!(established_clamp(65_536, 2, 1448), 49_152, "a quarter by tcp_app_win");
    assert_eq!(established_clamp(65_536, -1, 1448), 65_536, "no tcp_app_win");
    assert_eq!([537, 536].map(|window| usable(window, 1448)), [536, 536], "halves over 536 bytes");
}
