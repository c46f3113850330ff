//! The range over programs with different writes. Measured programs are within it, and a program with known
//! writes has a part of it.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use tcpwhy_kernel::{
    AutotuningLevel, BufferRequest, Figure, KernelVersion, Link, Question, Sysctls, WriteMode, Writer, Writing,
    answer_send,
};

/// Rates of `tcpwhy buffers` are bytes in flight per round trip of this length, in seconds.
const ROUND_TRIP: f64 = 20e-3;

fn flight(version: KernelVersion, asked: i32, writer: Writer, is_bbr: bool, mtu: u32) -> Figure {
    let sysctls = Sysctls::defaults(version);
    let question = Question {
        version,
        sysctls: &sysctls,
        sndbuf: Some(BufferRequest::new(asked).forced()),
        rcvbuf: None,
        window_clamp: None,
        notsent_lowat: None,
        link: Link { mtu, ..Link::ETHERNET },
        writer,
        is_bbr,
        round_trip_seconds: Some(ROUND_TRIP),
        bandwidth: None,
        transfer_bytes: None,
        window: None,
        autotuning_level: AutotuningLevel::Normal,
    };
    answer_send(&question).flight
}

const fn given(bytes: u64, has_nodelay: bool, mode: WriteMode) -> Writer {
    Writer::Given(Writing { bytes, has_nodelay, mode })
}

/// Bytes per 20 ms of real programs with `SO_SNDBUF` 16 KiB on 6.18, over an emulated link of 20 ms and 100
/// Mbit/s. Each row has the known facts about the program's writes.
const MEASURED: [(&str, u64, bool, u64); 20] = [
    // (program, bytes of a write, TCP_NODELAY, bytes per 20 ms)
    ("C, 64 KiB", 65_536, false, 87_871),
    ("C, 64 KiB, again", 65_536, false, 99_595),
    ("C, 64 KiB, TCP_NODELAY", 65_536, true, 62_917),
    ("C, 64 KiB, TCP_NODELAY, again", 65_536, true, 84_277),
    ("C, 16 KiB", 16_384, false, 87_646),
    ("C, 16 KiB, TCP_NODELAY", 16_384, true, 30_034),
    ("C, 8 KiB, TCP_NODELAY", 8192, true, 30_466),
    ("C, 4 KiB", 4096, false, 107_923),
    ("C, 4 KiB, TCP_NODELAY", 4096, true, 23_900),
    ("C, 1,448 B", 1448, false, 20_194),
    ("C, 1,448 B, TCP_NODELAY", 1448, true, 17_591),
    ("C, 256 KiB, TCP_NODELAY", 262_144, true, 77_179),
    ("Java, OutputStream of 64 KiB", 65_536, false, 94_200),
    ("Java, BufferedOutputStream", 8192, false, 107_291),
    ("Go, io.Copy", 32_768, true, 30_319),
    ("Go, bufio", 4096, true, 21_821),
    ("Go, 64 KiB", 65_536, true, 57_174),
    ("Python, sendall", 65_536, false, 94_540),
    ("Python, sendall with a timeout", 65_536, false, 52_440),
    ("Python, sendall of 1 MB", 1_000_000, false, 79_360),
];
/// nginx 1.22 with `sndbuf=16k`; its writes are unknown.
const NGINX: u64 = 45_600;
/// C, 1,448 B, `TCP_NODELAY`, under BBR: pacing collects writes in larger skbs.
const PACED: u64 = 66_600;

const V6_18: KernelVersion = KernelVersion::series(6, 18);

#[test]
fn ordinary_writers_lie_in_the_range() {
    let any = flight(V6_18, 16 << 10, Writer::Any, false, 1500);
    for (program, bytes, has_nodelay, measured) in MEASURED {
        assert!(any.admits(measured, 0), "{program}: {measured}, {any:?}");
        let own = flight(V6_18, 16 << 10, given(bytes, has_nodelay, WriteMode::Blocking), false, 1500);
        assert!(own.admits(measured, 0), "{program}: {measured}, with its writes known {own:?}");
        if has_nodelay && bytes <= 65_536 {
            let any = flight(V6_18, 16 << 10, Writer::AnyWithNodelay, false, 1500);
            assert!(any.admits(measured, 0), "{program}: {measured}, TCP_NODELAY {any:?}");
        }
    }
    assert!(any.admits(NGINX, 0));
    let paced = flight(V6_18, 16 << 10, given(1448, true, WriteMode::Blocking), true, 1500);
    assert!(paced.admits(PACED, 0), "{paced:?}");
}

/// The lower end exceeds two thirds of the smallest measurement, so the range is narrow enough to be useful.
#[test]
fn the_range_is_not_everything() {
    let least = MEASURED.iter().map(|row| row.3).min().unwrap();
    let any = flight(V6_18, 16 << 10, Writer::Any, false, 1500);
    assert!(3 * any.low > 2 * least, "{any:?}, measured {least}");
    let most = MEASURED.iter().filter(|row| row.2 && row.1 <= 65_536).map(|row| row.3).max().unwrap();
    let nodelay = flight(V6_18, 16 << 10, Writer::AnyWithNodelay, false, 1500);
    assert!(nodelay.high.is_some_and(|high| high < most + most / 10), "{nodelay:?}, measured {most}");
}

/// A blocked writer wakes when a third is free, like a polling one: both may have two thirds in flight.
#[test]
fn a_blocked_writer_waits_for_a_third() {
    for asked in [16 << 10, 128 << 10, 1 << 20] {
        let of = |mode| flight(V6_18, asked, given(1448, true, mode), false, 1500);
        let (blocking, polling) = (of(WriteMode::Blocking), of(WriteMode::Polling));
        assert_eq!(blocking.low, polling.low);
        // 896 bytes of each skb are not payload.
        let two_thirds = f64::from(2 * asked) * 2.0 / 3.0 * 1448.0 / (1448.0 + 896.0);
        assert!((blocking.low as f64 / two_thirds - 1.0).abs() < 0.01, "{blocking:?}, {two_thirds}");
        assert!(blocking.value > polling.value, "{blocking:?} {polling:?}");
    }
}

fn is_within(part: Figure, whole: Figure) -> bool {
    part.low >= whole.low && whole.high.is_none_or(|most| part.high.is_some_and(|high| high <= most))
}

proptest! {
    /// Writes smaller than a segment count only under Nagle's algorithm: no program that transfers much data
    /// has them with `TCP_NODELAY`.
    #[test]
    fn a_known_writer_has_a_part_of_the_range(
        asked in prop_oneof![0..64 << 10, 0..16 << 20, any::<i32>()],
        bytes in prop_oneof![1_u64..70_000, 1_u64..4_000_000],
        has_nodelay in any::<bool>(), polls in any::<bool>(), is_bbr in any::<bool>(),
        version in prop::sample::select(vec!["3.10.108", "4.4", "4.15", "5.15", "6.1", "6.18", "7.3"]),
        mtu in prop::sample::select(vec![1280_u32, 1500, 9000, 65_536]),
    ) {
        let version: KernelVersion = version.parse().unwrap();
        let mode = if polls { WriteMode::Polling } else { WriteMode::Blocking };
        let segment = Link { mtu, ..Link::ETHERNET }.mss();
        let bytes = if has_nodelay { bytes.max(segment) } else { bytes };
        let known = flight(version, asked, given(bytes, has_nodelay, mode), is_bbr, mtu);
        let any = flight(version, asked, Writer::Any, is_bbr, mtu);
        prop_assert!(is_within(known, any), "{known:?}, any writer {any:?}");
        let nodelay = flight(version, asked, Writer::AnyWithNodelay, is_bbr, mtu);
        prop_assert!(is_within(nodelay, any), "{nodelay:?}, any writer {any:?}");
        if has_nodelay && bytes <= (64 << 10).max(segment) {
            prop_assert!(is_within(known, nodelay), "{known:?}, any writer with TCP_NODELAY {nodelay:?}");
        }
    }

    #[test]
    fn a_larger_buffer_has_no_lower_range(
        asked in 0..16 << 20, more in 0..1 << 20, bytes in 1_u64..300_000, has_nodelay in any::<bool>(),
        polls in any::<bool>(), is_bbr in any::<bool>(),
    ) {
        let mode = if polls { WriteMode::Polling } else { WriteMode::Blocking };
        let of = |asked| flight(V6_18, asked, given(bytes, has_nodelay, mode), is_bbr, 1500);
        let (less, larger) = (of(asked), of(asked + more));
        prop_assert!(larger.low >= less.low, "{less:?} {larger:?}");
        prop_assert!(larger.high.is_none_or(|high| less.high.is_some_and(|less| high >= less)), "{less:?} {larger:?}");
    }
}
