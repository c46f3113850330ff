//! Simulated transfers, rebuilt from their packets, so that the exact effect of a change is known.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::io::Cursor;

use proptest::prelude::*;
use tcpwhy_analysis::{Analyzer, Connection, LossFacts, PathFacts, TransferFacts, WrittenFacts};
use tcpwhy_capture::{CaptureReader, PcapngWriter, Section};
use tcpwhy_fit::{Candidates, Change, Fit, Unfit, settle};
use tcpwhy_model::{Claim, Limit, Method, Timestamp};
use tcpwhy_scenario::{End, Scenario, bundled};
use tcpwhy_sim::{Packet, Plan, World};

const EVENTS: u64 = 4_000_000;
const LINKTYPE_ETHERNET: u16 = 1;

/// A bundled scenario with some of its values replaced.
fn scenario(name: &str, settings: &[(&str, &str)]) -> Scenario {
    let scenario = bundled::get(name).unwrap_or_else(|| panic!("{name}"));
    settings.iter().fold(scenario, |scenario, (key, value)| scenario.with(key, value).unwrap())
}

/// The connection of `scenario` as captured at `place`, and its real duration.
fn captured(scenario: &Scenario, place: End) -> (Connection, f64) {
    let plan = Plan::of_scenario(scenario, "6.18".parse().unwrap()).unwrap();
    let mut writer = PcapngWriter::with_section(Vec::new(), LINKTYPE_ETHERNET, 0, &Section::default()).unwrap();
    let outcome = World::new(&plan).run_watched(&mut |packet: &Packet| {
        if packet.place == place {
            let frame = packet.frame(plan.opener, scenario.ip_version == 6);
            let time = Timestamp::from_nanos(i64::try_from(packet.time).unwrap() + 1_000_000_000);
            writer.packet(time, &frame.headers, frame.len).unwrap();
        }
    });
    let bytes = writer.into_inner();
    let mut analyzer = Analyzer::new();
    let reader = CaptureReader::from_read(Cursor::new(bytes), "simulated").unwrap();
    reader.for_each(|segment| analyzer.observe(&segment));
    (analyzer.finish().remove(0), outcome.unwrap().duration as f64 / 1e9)
}

fn largest(connection: &Connection) -> &tcpwhy_analysis::HalfConnection {
    connection.halves.iter().max_by_key(|half| half.bytes).unwrap()
}

/// Removable causes, captured at both ends: the rebuilt transfer without its cause takes as long as the real
/// one without it.
#[test]
fn a_rebuilt_transfer_shows_what_a_change_brings() {
    for (name, settings, change, without) in [
        ("sndbuf-16k", &[][..], Change::SendBuffer, &[("sender.sndbuf", "auto")][..]),
        (
            "sndbuf-16k",
            &[("path.rate", "50mbit"), ("path.rtt", "40ms")],
            Change::SendBuffer,
            &[("sender.sndbuf", "auto")],
        ),
        (
            "sndbuf-16k",
            &[("sender.sndbuf", "auto"), ("receiver.rcvbuf", "64KiB")],
            Change::ReceiveBuffer,
            &[("receiver.rcvbuf", "auto")],
        ),
        ("slow-reader", &[], Change::Reader, &[("work.stream.phases.0.read", "auto")]),
    ] {
        let before = scenario(name, settings);
        let after = without.iter().fold(before.clone(), |scenario, (key, value)| scenario.with(key, value).unwrap());
        for end in End::BOTH {
            let (connection, now) = captured(&before, end);
            let (_, then) = captured(&after, end);
            let mut fit = Fit::of(&connection, largest(&connection), EVENTS).unwrap();
            assert!(
                (fit.as_it_was() / now - 1.0).abs() < 0.1,
                "{name} at the {end}: {} s, not {now} s",
                fit.as_it_was()
            );
            let outlook = fit.with(&[change]).unwrap();
            assert!((outlook.value / then - 1.0).abs() < 0.12, "{name} at the {end}: {outlook:?}, not {then} s");
            assert!((outlook.low..=outlook.high).contains(&then), "{name} at the {end}: {outlook:?} without {then} s");
            assert!(fit.is_rate_seen(), "{name} at the {end}");
        }
    }
}

/// The same connection gives the same prediction, which replaces that of the formula.
#[test]
fn predictions_of_candidates_are_simulated() {
    let predicted = || {
        let (connection, _) = captured(&scenario("sndbuf-16k", &[]), End::Sender);
        let mut candidates = Candidates::default();
        assert!(candidates.keep(connection, 7).is_none());
        let mut all = candidates.into_candidates();
        assert!(all[0].simulate() > 0);
        let (connection, tag) = settle(all).remove(0);
        assert_eq!(tag, 7);
        let finding = largest(&connection).findings.iter().find(|finding| finding.rule == "send-buffer-plateau");
        finding.unwrap().prediction.clone().unwrap()
    };
    let one = predicted();
    assert!(matches!(one.method, Method::Simulated { closeness, .. } if closeness > 0.9), "{one:?}");
    assert_eq!((one.claim, one.clone()), (Claim::Range, predicted()));
}

/// Data that fits into the first window is not rebuilt, and neither is anything with too few events.
#[test]
fn what_cannot_be_rebuilt_says_why() {
    let small = scenario("sndbuf-16k", &[("work.stream.phases.0.bytes", "4kB")]);
    let (connection, _) = captured(&small, End::Sender);
    assert_eq!(Fit::of(&connection, largest(&connection), EVENTS).err(), Some(Unfit::Small));
    let (connection, _) = captured(&scenario("sndbuf-16k", &[]), End::Sender);
    assert_eq!(Fit::of(&connection, largest(&connection), 1).err(), Some(Unfit::Costly));
}

/// Connections with larger savings replace others, in any order of arrival.
#[test]
fn the_largest_savings_are_kept() {
    let (connection, _) = captured(&scenario("sndbuf-16k", &[]), End::Sender);
    let of = |number: u64| Connection { first_packet: number, ..connection.clone() };
    let kept = |numbers: &mut dyn Iterator<Item = u64>| {
        let mut candidates = Candidates::default();
        let mut released: Vec<u64> =
            numbers.filter_map(|number| Some(candidates.keep(of(number), number)?.1)).collect();
        released.sort_unstable();
        (settle(candidates.into_candidates()).into_iter().map(|(_, number)| number).collect::<Vec<_>>(), released)
    };
    let (first, released) = kept(&mut (0..80));
    assert_eq!(first, (0..64).collect::<Vec<_>>());
    assert_eq!(released, (64..80).collect::<Vec<_>>());
    assert_eq!(kept(&mut (0..80).rev()), (first, released));
}

/// Rates and counts from broken, merged or hostile captures.
fn extreme() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(f64::MIN_POSITIVE),
        Just(1.0),
        Just(f64::MAX),
        Just(f64::INFINITY),
        (0.0..1e13_f64),
        (0.0..1e6_f64)
    ]
}

fn whole() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(1), Just(u64::from(u32::MAX)), Just(u64::MAX), any::<u64>(), 0..10_000_000_u64]
}

fn path() -> impl Strategy<Value = PathFacts> {
    let one = || proptest::option::of(extreme());
    let trains = proptest::option::of([extreme(), extreme(), extreme(), extreme()]);
    let spacings = proptest::collection::vec((extreme(), 0.0..1.0_f64), 0..4);
    let all = (trains, spacings, extreme(), one(), one(), one());
    all.prop_map(|(trains, spacings, closest, served, steady, full)| PathFacts {
        trains,
        spacings,
        closest,
        served,
        steady,
        full,
    })
}

fn losses() -> impl Strategy<Value = LossFacts> {
    let all = (whole(), any::<bool>(), proptest::option::of(extreme()));
    all.prop_map(|(segments, is_overflow, policed)| LossFacts { segments, is_overflow, policed })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// For any packets, a rebuilt transfer has usable times, or a reason is returned.
    #[test]
    fn whatever_packets_show_is_rebuilt_or_refused(
        name in prop_oneof![Just("sndbuf-16k"), Just("slow-reader")],
        odd in prop_oneof![(0..8_u32).prop_map(|group| 1 << group), any::<u8>()],
        path in path(),
        losses in losses(),
        (windows, plateau, handshake) in ([whole(), whole()], proptest::option::of(whole()), proptest::option::of(whole())),
        bytes_under in proptest::collection::vec(extreme(), Limit::ALL.len()),
        (bursts, bytes, silence) in (extreme(), extreme(), extreme()),
        (pauses, largest_packet, syn_mss) in (any::<u32>(), whole(), whole()),
        (mss, sent) in (proptest::option::of(whole()), whole()),
        (has_timestamps, is_pacing) in any::<(bool, bool)>(),
    ) {
        let (mut connection, _) = captured(&scenario(name, &[("work.stream.phases.0.bytes", "300kB")]), End::Sender);
        let half = connection.halves.iter_mut().max_by_key(|half| half.bytes).unwrap();
        let was = half.transfer.as_deref().unwrap().clone();
        let is = |group: u32| odd & 1 << group != 0;
        if is(0) {
            (half.mss, half.bytes) = (mss, sent);
        }
        if is(1) {
            half.rtt = None;
        }
        half.transfer = Some(Box::new(TransferFacts {
            path: if is(2) { path } else { was.path },
            losses: if is(3) { losses } else { was.losses },
            windows: if is(4) { windows } else { was.windows },
            handshake: if is(1) { handshake } else { was.handshake },
            plateau: if is(5) { plateau } else { was.plateau },
            bytes_under: if is(6) { bytes_under.try_into().unwrap() } else { was.bytes_under },
            written: if is(7) { WrittenFacts { bursts, bytes, silence } } else { was.written },
            pauses: if is(7) { pauses } else { was.pauses },
            largest_packet: if is(0) { largest_packet } else { was.largest_packet },
            syn_mss: if is(0) { syn_mss } else { was.syn_mss },
            has_timestamps,
            is_pacing,
            measured: was.measured,
        }));
        if let Ok(mut fit) = Fit::of(&connection, largest(&connection), 50_000) {
            prop_assert!(fit.as_it_was().is_finite());
            for id in Change::fixes() {
                let outlook = fit.with(Change::of_fix(id).unwrap());
                prop_assert!(outlook.is_none_or(|all| all.low <= all.value && all.value <= all.high), "{:?}", fit);
            }
        }
    }
}
