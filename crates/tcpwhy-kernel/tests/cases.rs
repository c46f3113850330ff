//! Published case stories about socket buffers, as numbers.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use tcpwhy_kernel::{
    BufferRequest, Change, Coverage, KernelVersion, Link, Path, ReceiveLimits, ReceiveQuestion, SendLimits,
    SendQuestion, Sysctl, Sysctls, When, Writing, receive_limits, receive_remedies, send_limits, send_remedies,
};
use tcpwhy_model::Rate;

const V5_15: KernelVersion = KernelVersion::series(5, 15);
const V6_18: KernelVersion = KernelVersion::series(6, 18);

fn path(milliseconds: f64, megabits: f64) -> Path {
    Path { round_trip_seconds: milliseconds / 1e3, bandwidth: Rate::from_bits_per_sec(megabits * 1e6) }
}

/// Seconds for `bytes` at `flight` bytes per round trip, without slow start.
fn seconds(bytes: f64, flight: u64, path: Path) -> f64 {
    bytes / path.rate(flight).bytes_per_sec()
}

fn sysctls(version: KernelVersion, assignments: &[&str]) -> Sysctls {
    let mut sysctls = Sysctls::defaults(version);
    for assignment in assignments {
        sysctls.assign(assignment).unwrap();
    }
    sysctls
}

fn question(version: KernelVersion, sysctls: &Sysctls, sndbuf: Option<i32>) -> SendQuestion<'_> {
    SendQuestion {
        version,
        sysctls,
        request: sndbuf.map(BufferRequest::new),
        link: Link::ETHERNET,
        writing: Writing::BULK,
        is_bbr: false,
        peer_window: None,
        notsent_lowat: None,
    }
}

fn send(version: KernelVersion, sysctls: &Sysctls, sndbuf: Option<i32>) -> SendLimits {
    send_limits(&question(version, sysctls, sndbuf))
}

fn receive(version: KernelVersion, sysctls: &Sysctls, request: Option<BufferRequest>) -> ReceiveLimits {
    receive_limits(&ReceiveQuestion { version, sysctls, request, link: Link::ETHERNET, window_clamp: None })
}

/// A request of 256 KiB with a `wmem_max` of 130 kB; 22 MB took about 4 s over 100 Mbit/s and 20 ms.
#[test]
fn case_2_sndbuf_256k_clamped() {
    let sysctls = sysctls(V5_15, &["net.core.wmem_max=130000"]);
    let limits = send(V5_15, &sysctls, Some(256 << 10));
    let granted = limits.granted.unwrap();
    assert!(granted.is_clamped());
    assert_eq!((granted.clamped, granted.reported), (130_000, 260_000));
    let path = path(20.0, 100.0);
    assert_eq!(path.bandwidth_delay_product(), 250_000);
    // The buffer allows about the product and no more, so the writer's pauses leave no reserve.
    assert_eq!(Coverage::of(&limits.largest_flight, 250_000), Coverage::Doubtful);
    let fastest = seconds(22e6, limits.largest_flight.high.unwrap(), path);
    assert!((1.7..4.0).contains(&fastest), "{fastest}");
    assert!(
        send_remedies(&question(V5_15, &sysctls, Some(64 << 10)), 250_000)
            .contains(&vec![Change::Unset(tcpwhy_kernel::BufferKind::Send)])
    );
}

/// `tcp_rmem` of one page: 2 GB in 138 s at 0.2 ms, in 29 h at 100 ms.
#[test]
fn case_9_rmem_4k() {
    let sysctls = sysctls(V5_15, &["net.ipv4.tcp_rmem=4096 4096 4096"]);
    let limits = receive(V5_15, &sysctls, None);
    assert_eq!(limits.largest_window.value, 2048);
    assert_eq!(limits.largest_flight.value, 2048, "two segments of half a window");
    let hours = seconds(f64::from(1_u32 << 31), limits.largest_flight.value, path(100.0, 1000.0)) / 3600.0;
    assert!((28.0..30.0).contains(&hours), "{hours} h");
    // 0.2 ms is rounded: 138 s are 0.13 ms per window.
    let lan = seconds(f64::from(1_u32 << 31), limits.largest_flight.value, path(0.13, 1000.0));
    assert!((130.0..145.0).contains(&lan), "{lan} s");
    let question =
        ReceiveQuestion { version: V5_15, sysctls: &sysctls, request: None, link: Link::ETHERNET, window_clamp: None };
    let remedies = receive_remedies(&question, path(100.0, 1000.0).bandwidth_delay_product());
    assert!(matches!(remedies[0][..], [Change::Raise(Sysctl::TcpRmem, bytes)] if bytes > 25_000_000), "{remedies:?}");
}

/// `tcp_wmem` of one page: 12 s on the LAN, 97 min at 100 ms. More than 4,096 bytes are in flight, because
/// one skb is always sent.
#[test]
fn case_10_wmem_4k() {
    let sysctls = sysctls(V5_15, &["net.ipv4.tcp_wmem=4096 4096 4096"]);
    let limits = send(V5_15, &sysctls, None);
    assert_eq!(limits.largest_buffer.value, 4096);
    assert_eq!(limits.largest_flight.value, 65_160);
    let minutes = |flight| seconds(f64::from(1_u32 << 31), flight, path(100.0, 1000.0)) / 60.0;
    let (fastest, slowest) = (minutes(limits.largest_flight.value), minutes(limits.largest_flight.low));
    assert!(fastest > 50.0 && slowest > 97.0 && fastest < 97.0, "{fastest} to {slowest} min");
    let lan = seconds(f64::from(1_u32 << 31), limits.largest_flight.low, path(0.2, 1500.0));
    assert!(lan < 13.0, "hardly slower than the link: {lan} s");
}

/// 500 Mbit/s and 10 ms, buffers of 100, 200, 700 KB (as returned by `getsockopt`): 56, 24 and 8 to 9 s for
/// 512 MB.
#[test]
fn case_13_bdp() {
    let path = path(10.0, 500.0);
    assert_eq!(path.bandwidth_delay_product(), 625_000);
    let sysctls = sysctls(V5_15, &["net.core.wmem_max=536870912"]);
    let writing = Writing { bytes: 16_384, has_nodelay: true, ..Writing::BULK };
    for (buffer, measured, is_enough) in
        [(100_000, 56.0, false), (200_000, 24.0, false), (700_000, 8.5, true), (512_000_000, 8.5, true)]
    {
        let question = SendQuestion { writing, ..question(V5_15, &sysctls, Some(buffer / 2)) };
        let limits = send_limits(&question);
        assert_eq!(limits.largest_buffer.value, u64::try_from(buffer).unwrap());
        let error = seconds(512e6, limits.largest_flight.value, path) / measured - 1.0;
        assert!(error.abs() < 0.1, "{buffer}: {:?}, {error}", limits.largest_flight);
        let coverage = Coverage::of(&limits.largest_flight, 625_000);
        assert_eq!(coverage != Coverage::TooSmall, is_enough, "{buffer}: {:?}", limits.largest_flight);
    }
}

/// 13 MB with a send buffer of 32 KB (request of 16 KB): at most 200 × 32 KB/s at 5 ms. It took 3.1 s there
/// and 0.84 s at 1 ms. A larger receive buffer changes nothing.
#[test]
fn case_14_sql_13mb() {
    let sysctls = sysctls(V5_15, &[]);
    let writing = Writing { bytes: 16_384, has_nodelay: true, ..Writing::BULK };
    let ask = |peer_window| {
        let question = SendQuestion { writing, peer_window, ..question(V5_15, &sysctls, Some(16 << 10)) };
        send_limits(&question)
    };
    let limits = ask(None);
    assert_eq!(limits.largest_buffer.value, 32_768);
    assert_eq!(limits.largest_flight.value, 32_768);
    assert_eq!(ask(Some(8 << 20)).largest_flight, ask(Some(1 << 20)).largest_flight);
    for (rtt, measured) in [(5.0, 3.1), (1.0, 0.84)] {
        let bound = seconds(13e6, limits.largest_flight.value, path(rtt, 1000.0));
        assert!(bound < measured && measured < 2.5 * bound, "{rtt} ms: at least {bound} s, {measured} s measured");
    }
}

/// Blocks of 5 MB over 26 ms: 800 ms with `SetReadBuffer` and a window of about 200 KB, 100 ms without.
#[test]
fn case_15_rcvbuf_set_crossdc() {
    let sysctls = sysctls(V5_15, &[]);
    let path = path(26.0, 1000.0);
    let set = receive(V5_15, &sysctls, Some(BufferRequest::new(4 << 20)));
    assert!(set.granted.unwrap().is_clamped());
    assert!((195_000..=213_000).contains(&set.largest_window.value), "{:?}", set.largest_window);
    let stuck = seconds(5e6, set.largest_flight.value, path);
    assert!((0.5..0.8).contains(&stuck), "{stuck} s and slow start");
    let auto = receive(V5_15, &sysctls, None);
    assert!(auto.largest_window.value > 3_000_000);
    assert!(seconds(5e6, auto.largest_flight.value, path) < 0.1);
    // Set on the established socket, as by Go's SetReadBuffer, it is worse: the window keeps its initial
    // size.
    let late = receive(V5_15, &sysctls, Some(BufferRequest::new(4 << 20).set(When::AfterConnect)));
    assert!(late.is_frozen);
    assert_eq!(late.largest_window.value, 64_088);
    let question = ReceiveQuestion {
        version: V5_15,
        sysctls: &sysctls,
        request: Some(BufferRequest::new(4 << 20)),
        link: Link::ETHERNET,
        window_clamp: None,
    };
    let first = &receive_remedies(&question, path.bandwidth_delay_product())[0];
    assert_eq!(first[0], Change::Unset(tcpwhy_kernel::BufferKind::Receive), "the fix is not to set it");
}

/// `TCP_WINDOW_CLAMP` determines the window scale permanently, so only its removal helps, not a larger
/// buffer.
#[test]
fn a_clamped_window_is_mended_by_not_clamping_it() {
    let version = KernelVersion::series(6, 18);
    let sysctls = Sysctls::defaults(version);
    let question =
        ReceiveQuestion { version, sysctls: &sysctls, request: None, link: Link::ETHERNET, window_clamp: Some(64_000) };
    assert_eq!(receive_remedies(&question, 2_500_000), [vec![Change::Unclamp]]);
    // If autotuning still gives too little, its limit is raised too.
    let far = receive_remedies(&question, 25_000_000);
    assert!(matches!(far[0][..], [Change::Unclamp, Change::Raise(Sysctl::TcpRmem, _)]), "{far:?}");
    // A clamp that does not limit stays.
    let wide = ReceiveQuestion { window_clamp: Some(1 << 30), ..question };
    assert!(!receive_remedies(&wide, 25_000_000).concat().contains(&Change::Unclamp));
    // If buffer and clamp are both small, neither change helps alone.
    let both = ReceiveQuestion { request: Some(BufferRequest::new(64_000)), window_clamp: Some(10_000), ..question };
    let first = &receive_remedies(&both, 250_000)[0];
    assert_eq!(first[..], [Change::Unclamp, Change::Unset(tcpwhy_kernel::BufferKind::Receive)]);
}

/// The same `SO_RCVBUF` before and after 6.6: half the window, until the stable releases of summer 2024 fixed
/// it.
#[test]
fn case_16_window_halved() {
    let window = |version: &str| {
        let version = version.parse().unwrap();
        receive(version, &sysctls(version, &[]), Some(BufferRequest::new(128 << 10))).largest_window.value
    };
    let (before, after, mended) = (window("6.5"), window("6.6.10"), window("6.6.40"));
    let share = after as f64 / before as f64;
    assert!((0.45..0.55).contains(&share), "{before} -> {after}: {share}");
    assert_eq!(mended, before);
    assert!(window("6.18") > before);
}

#[test]
fn default_buffers_fill_a_gigabit_at_20_ms_but_not_at_100_ms() {
    let sysctls = sysctls(V6_18, &[]);
    let flight = send(V6_18, &sysctls, None).largest_flight;
    assert_eq!(Coverage::of(&flight, path(20.0, 1000.0).bandwidth_delay_product()), Coverage::Covered);
    let long = path(100.0, 1000.0).bandwidth_delay_product();
    assert_eq!(Coverage::of(&flight, long), Coverage::TooSmall);
    let remedies = send_remedies(&question(V6_18, &sysctls, None), long);
    assert!(matches!(remedies[0][..], [Change::Raise(Sysctl::TcpWmem, bytes)] if bytes > long), "{remedies:?}");
}
