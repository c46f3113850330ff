//! Tests of each condition that connections show together: one of them fails if a condition is removed or a
//! boundary moves.

use tcpwhy_model::{Basis, Cause, Estimate, Evidence, Limit, Severity};

use super::*;
use crate::facts::half::policing::sharing::tests::passing;
use crate::outcome::testing::{connection, end};
use crate::outcome::{Role, Side};
use crate::problems::testing::{finding, half};

/// A direction of 1 MB in 10 s, which the path did not limit.
fn direction(sender: Side, line: Option<LossLine>) -> HalfConnection {
    let mut half = half(Role::Server, None, &[(10, Cause::plain(Limit::SendBuffer))], Vec::new());
    (half.sender, half.loss_line) = (sender, line.map(Box::new));
    half
}

/// Data of host `from` to host `to` that arrived within `times`.
fn passing_between(from: u8, to: u8, times: (i64, i64)) -> Connection {
    let half = direction(Side::A, Some(passing(times.0, times.1, 1.0)));
    connection(end(from, 9), end(to, 80), vec![half])
}

fn groups(connections: &[Connection]) -> Vec<Vec<Place>> {
    let mut together = Together::default();
    for connection in connections {
        assert!(together.keep(connection.clone(), ()).is_none());
    }
    together.neighbours()
}

#[test]
fn neighbours_overlap_on_one_path() {
    let of = passing_between;
    for (what, connections, expected) in [
        ("at the same time", vec![of(1, 2, (0, 10)), of(1, 2, (5, 20))], vec![vec![(0, 0), (1, 0)]]),
        ("one right after the other", vec![of(1, 2, (0, 10)), of(1, 2, (10, 20))], vec![vec![(0, 0)], vec![(1, 0)]]),
        ("by a nanosecond", vec![of(1, 2, (0, 11)), of(1, 2, (10, 20))], vec![vec![(0, 0), (1, 0)]]),
        ("the later one was kept first", vec![of(1, 2, (5, 20)), of(1, 2, (0, 10))], vec![vec![(1, 0), (0, 0)]]),
        (
            "as long as one overlaps with the next",
            { vec![of(1, 2, (0, 10)), of(1, 2, (9, 20)), of(1, 2, (19, 30))] },
            vec![vec![(0, 0), (1, 0), (2, 0)]],
        ),
        (
            "a long one holds two together",
            { vec![of(1, 2, (0, 30)), of(1, 2, (1, 5)), of(1, 2, (20, 25))] },
            vec![vec![(0, 0), (1, 0), (2, 0)]],
        ),
        ("the other way", vec![of(1, 2, (0, 10)), of(2, 1, (0, 10))], vec![vec![(0, 0)], vec![(1, 0)]]),
        ("to another host", vec![of(1, 2, (0, 10)), of(1, 3, (0, 10))], vec![vec![(0, 0)], vec![(1, 0)]]),
    ] {
        assert_eq!(groups(&connections), expected, "{what}");
    }
    let mut both = of(1, 2, (0, 10));
    both.halves.insert(0, direction(Side::B, None));
    both.halves.push(direction(Side::B, Some(passing(0, 10, 1.0))));
    assert_eq!(groups(&[both]), [vec![(0, 1)], vec![(0, 2)]], "of one connection: those that have losses");
    let mut other_port = of(1, 2, (0, 10));
    other_port.endpoints[1].port = 443;
    assert_eq!(groups(&[of(1, 2, (0, 10)), other_port]).len(), 1, "ports do not matter");
}

#[test]
fn connections_are_kept_for_their_losses() {
    let keep = |halves| Together::default().keep(connection(end(1, 9), end(2, 80), halves), 7).map(|kept| kept.1);
    let (without, with) = (direction(Side::A, None), direction(Side::B, Some(passing(0, 10, 1.0))));
    assert_eq!(keep(vec![without.clone()]), Some(7), "none");
    assert_eq!(keep(vec![without, with]), None, "of one direction");
    assert_eq!(keep(Vec::new()), Some(7), "no data");
    let mut together = Together::default();
    for first_packet in [5, 2, 9] {
        let connection = passing_between(1, 2, (0, 10));
        assert!(together.keep(Connection { first_packet, ..connection }, first_packet).is_none());
    }
    let finished = together.finish();
    assert_eq!(finished.iter().map(|kept| kept.1).collect::<Vec<_>>(), [2, 5, 9], "in order of the first packets");
    assert!(finished.iter().all(|kept| kept.0.halves[0].loss_line.is_none()), "nobody needs the losses any more");
}

/// 1 MB at 500 kB/s takes 2 s, and no prediction is below that.
#[test]
fn a_shared_rate_promises_nothing_faster() {
    let told = |value: f64, low: f64, high: f64, rate: f64, packet: Option<f64>| {
        let mut half = direction(Side::A, packet.map(|packet| passing(0, 10, packet)));
        let mut found = finding(RULE, Severity::Warning, 1, Some(value));
        let prediction = found.prediction.as_mut().unwrap();
        prediction.seconds = Estimate { value, low, high, basis: Basis::WireInferred };
        half.findings = vec![found];
        tell(&mut half, rate, 2);
        let prediction = half.findings[0].prediction.as_ref().unwrap();
        let seconds = prediction.seconds;
        ([seconds.value, seconds.low, seconds.high].map(|seconds| (seconds * 1000.0).round() as i64), prediction.claim)
    };
    let rate = 500_000.0;
    for (what, found, expected) in [
        ("sooner than the rate allows", told(1.0, 0.5, 1.5, rate, None), [2000, 2000, 2000]),
        ("later", told(3.0, 2.5, 3.5, rate, None), [3000, 2500, 3500]),
        ("its low end is sooner", told(3.0, 1.0, 3.5, rate, None), [3000, 2000, 3500]),
        ("no longer than it took", told(1.0, 0.5, 1.5, 50_000.0, None), [10_000, 10_000, 10_000]),
        ("it was predicted to take longer", told(12.0, 1.0, 13.0, 50_000.0, None), [12_000, 12_000, 13_000]),
        ("headers take a part of the rate", told(1.0, 0.5, 1.5, rate, Some(1.1)), [2200, 2200, 2200]),
    ] {
        assert_eq!(found.0, expected, "{what}: milliseconds");
        assert_eq!(found.1, Claim::Range, "{what}");
    }
    assert_eq!(told(9.0, 1.0, 9.5, rate, None).1, Claim::AtBest, "a range too wide");
}

#[test]
fn a_policer_that_is_shared_has_one_rate() {
    let mut half = direction(Side::A, None);
    let mut found = finding(RULE, Severity::Warning, 0, None);
    found.evidence =
        vec![Evidence { key: EvidenceKey::RateBitsPerS, value: Value::from(1_000_000.0), basis: Basis::WireInferred }];
    found.fixes = vec![tcpwhy_advice::shape_below_policer(1_000_000.0), tcpwhy_advice::reuse_connection()];
    let other = tcpwhy_model::Finding { rule: "loss-recovery", ..found.clone() };
    half.findings = vec![other.clone(), found];
    tell(&mut half, 500_000.0, 3);
    assert_eq!(half.findings[0], other, "no other finding says so");
    let evidence: Vec<_> = half.findings[1].evidence.iter().map(|e| (e.key, e.value.clone())).collect();
    assert_eq!(
        evidence,
        [
            (EvidenceKey::RateBitsPerS, Value::from(4_000_000.0)),
            (EvidenceKey::ShareBitsPerS, Value::from(1_000_000.0)),
            (EvidenceKey::SharingCount, Value::from(3_u64)),
        ],
        "the rate of all in bits, what this one got, and how many they are"
    );
    let expected = [tcpwhy_advice::shape_below_policer(4_000_000.0), tcpwhy_advice::reuse_connection()];
    assert_eq!(half.findings[1].fixes, expected, "the line names the shared rate, other fixes stay");
    assert_eq!(RULE, "policer");
}
