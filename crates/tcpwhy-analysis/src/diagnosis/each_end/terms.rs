//! Tests each term of the comparison of both directions, above and below its threshold.

use tcpwhy_model::{Cause, Claim, Detail};

use super::*;
use crate::outcome::{Role, Side};
use crate::problems::testing;

const HELD: Cause = Cause { limit: Limit::AckDelay, detail: Some(Detail::DelayedAck) };
const RULE: &str = "nagle-delayed-ack";

fn waiting() -> Cause {
    Detail::PeerTurn.into()
}

/// A direction with these seconds under these causes. `stays` is its predicted duration without its own
/// cause, seconds.
fn half(sender: Side, parts: &[(i64, Cause)], severity: Severity, stays: Option<f64>) -> HalfConnection {
    let finding = testing::finding(RULE, severity, 1, stays);
    HalfConnection { sender, ..testing::half(Role::Client, Some(severity), parts, vec![finding]) }
}

/// Each end waits in turn, ten times, for the given seconds.
fn halves(own: i64, other: i64) -> [HalfConnection; 2] {
    let turns = |parts: [(i64, Cause); 2]| parts.repeat(10);
    [
        half(Side::A, &turns([(own, HELD), (other, waiting())]), Severity::Warning, Some(10.0 * other as f64 + 1.0)),
        half(Side::B, &turns([(own, waiting()), (other, HELD)]), Severity::Warning, Some(10.0 * own as f64 + 1.0)),
    ]
}

fn found(halves: &[HalfConnection]) -> Option<(Side, f64)> {
    EachEnd::of(halves, RULE, Limit::AckDelay).map(|ends| (ends.main.0.sender, ends.seconds()))
}

#[test]
fn both_directions_have_the_finding() {
    assert_eq!(found(&halves(5, 5)), Some((Side::A, 100.0)));
    for missing in [0, 1] {
        let mut one = halves(5, 5);
        one[missing].findings.clear();
        assert_eq!(found(&one), None);
        let mut small = halves(5, 5);
        small[missing].findings[0].severity = Severity::Info;
        assert_eq!(found(&small), None);
    }
    assert_eq!(found(&halves(5, 5)[..1]), None);
    assert_eq!(found(&[]), None);
}

/// `EACH_END_PART`: 1/10 of the time of both.
#[test]
fn each_took_a_good_part() {
    for (own, other, expected) in
        [(9, 1, Some(100.0)), (1, 9, Some(100.0)), (10, 1, None), (1, 10, None), (0, 10, None)]
    {
        assert_eq!(found(&halves(own, other)).map(|(_, seconds)| seconds), expected, "{own} and {other}");
    }
}

#[test]
fn the_longer_direction_is_told() {
    let mut halves = halves(5, 5);
    assert_eq!(longer(&halves).map(|half| half.sender), Some(Side::A));
    halves.reverse();
    assert_eq!(longer(&halves).map(|half| half.sender), Some(Side::B));
    halves[1] = half(Side::A, &[(101, HELD)], Severity::Warning, None);
    assert_eq!(longer(&halves).map(|half| half.sender), Some(Side::A));
}

/// Simultaneous waits do not add up: the change at one end would remove those of the other as well.
#[test]
fn waits_at_the_same_time_are_one() {
    let parts = [(50, HELD), (50, waiting())];
    let alike = [Side::A, Side::B].map(|side| half(side, &parts, Severity::Warning, Some(50.0)));
    assert_eq!(found(&alike), None);
}

#[test]
fn what_stays_without_both() {
    let ends = |halves: &[HalfConnection]| {
        EachEnd::of(halves, RULE, Limit::AckDelay).and_then(|ends| ends.without_both()).map(|all| all.seconds)
    };
    let both = ends(&halves(5, 5)).unwrap();
    assert!((both.value - 1.0).abs() < 1e-6 && both.low <= both.value && both.high >= both.value, "{both:?}");
    let mut unknown = halves(5, 5);
    unknown[0].findings[0].prediction = None;
    assert!(ends(&unknown).is_none());
    let mut less = halves(5, 5);
    less[0].findings[0].prediction.as_mut().unwrap().seconds.value = 40.0;
    assert!(ends(&less).is_some_and(|all| all.value == 0.0 && all.low == 0.0), "never less than nothing");
}

/// `BEST_TIME`, `WORST_KEPT`: the range shrinks by the uncertainty of the waits that disappear.
#[test]
fn what_goes_takes_its_doubt_along() {
    let mut halves = halves(5, 5);
    let alone = halves[0].findings[0].prediction.as_mut().unwrap();
    (alone.seconds.low, alone.seconds.high) = (51.0 * 0.9, 51.0 * 1.1);
    let all = EachEnd::of(&halves, RULE, Limit::AckDelay).unwrap().without_both().unwrap();
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
    near(all.seconds.low, 0.9);
    near(all.seconds.high, 1.1);
    assert_eq!(all.claim, Claim::Range);
    halves[0].findings[0].prediction.as_mut().unwrap().claim = Claim::AtBestUntried;
    let all = EachEnd::of(&halves, RULE, Limit::AckDelay).unwrap().without_both().unwrap();
    assert_eq!(all.claim, Claim::AtBestUntried, "what is not known stays unknown");
}

#[test]
fn time_together_is_where_both_hold() {
    let of = |parts: &[(i64, Cause)]| half(Side::A, parts, Severity::Warning, None).limits;
    let (one, other) = (of(&[(2, HELD), (3, waiting()), (4, HELD)]), of(&[(1, waiting()), (7, HELD), (1, waiting())]));
    let held = |interval: &Interval| interval.cause == HELD;
    let both = |one, other| together(one, held, other, held) / 1_000_000_000;
    assert_eq!([both(&one, &other), both(&other, &one)], [1 + 3; 2]);
    assert_eq!(together(&one, held, &other, |_| false), 0);
}

/// `EACH_END_ALIKE`, `EACH_END_MISTAKEN`: pauses of 3/4 to 4/3 of the mean wait, half as many as waits.
#[test]
fn few_pauses_as_long_as_the_waits_are_waits() {
    let paced = Cause::from(Detail::PacedWrites);
    for (what, waits, pauses, pause, expected) in [
        ("as long", 4, 2, 12, true),
        ("too many", 4, 3, 12, false),
        ("three quarters", 4, 1, 9, true),
        ("less", 4, 1, 8, false),
        ("four thirds", 4, 1, 16, true),
        ("more", 4, 1, 17, false),
    ] {
        // A wait has two intervals.
        let nagle = Cause::from(Detail::Nagle);
        let own =
            [[(5, nagle), (7, HELD), (12, waiting())].repeat(waits), [(pause, paced), (12, waiting())].repeat(pauses)];
        let others = [[(12, waiting()), (12, HELD)].repeat(waits), [(pause, waiting()), (12, HELD)].repeat(pauses)];
        let halves = [(Side::A, own.concat()), (Side::B, others.concat())]
            .map(|(side, parts)| half(side, &parts, Severity::Warning, Some(1.0)));
        let all = 24 * waits + 12 * pauses;
        let seconds = if expected { all + pause as usize * pauses } else { all };
        assert_eq!(found(&halves), Some((Side::A, seconds as f64)), "{what}");
    }
}
