//! Transfers that were simulated, rebuilt from their packets: what a change brings is known exactly.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::io::Cursor;

use tcpwhy_analysis::{Analyzer, Connection};
use tcpwhy_capture::{CaptureReader, PcapngWriter, Section};
use tcpwhy_fit::{Candidates, Change, Fit, Unfit, settle};
use tcpwhy_model::{Claim, Method, Timestamp};
use tcpwhy_scenario::{End, Scenario, bundled};
use tcpwhy_sim::{Packet, Plan, World};

const EVENTS: u64 = 4_000_000;
const LINKTYPE_ETHERNET: u16 = 1;

/// A bundled scenario with some of its values replaced.
fn scenario(name: &str, settings: &[(&str, &str)]) -> Scenario {
    let scenario = bundled::get(name).unwrap_or_else(|| panic!("{name}"));
    settings.iter().fold(scenario, |scenario, (key, value)| scenario.with(key, value).unwrap())
}

/// The connection of `scenario` as a capture at `place` shows it, and how long it really took.
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

/// Causes that can be taken away, from both ends: the rebuilt transfer without its cause takes as long as the
/// real one without it.
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

/// The same connection gives the same prediction, and it replaces the formula's.
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

/// What fits a first window is nothing to rebuild, and few events rebuild nothing.
#[test]
fn what_cannot_be_rebuilt_says_why() {
    let small = scenario("sndbuf-16k", &[("work.stream.phases.0.bytes", "4kB")]);
    let (connection, _) = captured(&small, End::Sender);
    assert_eq!(Fit::of(&connection, largest(&connection), EVENTS).err(), Some(Unfit::Small));
    let (connection, _) = captured(&scenario("sndbuf-16k", &[]), End::Sender);
    assert_eq!(Fit::of(&connection, largest(&connection), 1).err(), Some(Unfit::Costly));
}

/// Connections with larger savings push others out, in whatever order they come.
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
