//! Tests for each hypothesis directions that it alone renames, and others that it does not rename.

use tcpwhy_model::{Cause, Detail, Limit, LimitTimeline, Measure, Reason, TimelineBuilder, Timestamp, Why};

use super::*;
use crate::facts::half::grains::Grains;
use crate::facts::half::ledger::{WholeTurns, WordsBetween};
use crate::facts::half::policing::{Burst, Policer, Sign};
use crate::infer::bottleneck::Bottleneck;
use crate::infer::direction::DirectionFacts;
use crate::infer::hypotheses::Words;
use crate::infer::hypotheses::registry::without;
use crate::infer::moved::Moved;

/// Seconds under each cause, in order of time.
type Seconds<'a> = &'a [(Cause, i64)];

const UNOBSERVED: Cause = Cause::plain(Limit::Unobserved);
const SEND_BUFFER: Cause = Cause::plain(Limit::SendBuffer);

/// A direction before renaming.
#[derive(Clone)]
struct Case<'a> {
    seconds: Seconds<'a>,
    /// Seconds of a full window over a queue.
    window_queued: i64,
    facts: DirectionFacts,
    bottleneck: Bottleneck,
}

fn case(seconds: Seconds<'_>) -> Case<'_> {
    Case { seconds, window_queued: 0, facts: DirectionFacts::default(), bottleneck: Bottleneck::Unknown }
}

fn policer() -> Bottleneck {
    let burst = Some(Burst { bytes: 50_000.0, chunks: 1, agreeing: 1 });
    let (sign, range) = (Sign::NothingFaster, None);
    let (losses, fitting, fitting_passes) = (20, 1.0, 0.1);
    let policer = Policer { rate: 1e6, packet: 1.04, range, burst, losses, sign, fitting, fitting_passes };
    Bottleneck::Policer(Box::new(policer))
}

impl Case<'_> {
    fn timeline(&self) -> LimitTimeline {
        let mut timeline = TimelineBuilder::new(Timestamp::from_nanos(0));
        let mut end = 0;
        for &(cause, seconds) in self.seconds {
            end += seconds * 1_000_000_000;
            let why = Why::new(Reason::WindowSmall, |measure| (measure == Measure::Window).then_some(64e3));
            timeline.push_decided(Timestamp::from_nanos(end), cause, 0.9, None, Some(why));
        }
        timeline.finish()
    }

    fn moved(&self) -> Moved {
        let mut moved = Moved::default();
        moved.window_queued = self.window_queued * 1_000_000_000;
        moved
    }

    fn conclude(&self) -> Concluded {
        let moved = self.moved();
        let find_bottleneck = |_: &LimitTimeline| self.bottleneck.clone();
        conclude(Direction::new(self.timeline(), moved, self.facts, &find_bottleneck))
    }

    /// Seconds under each cause that `reason` renamed.
    fn renamed(&self, reason: Reason) -> Vec<(Cause, i64)> {
        let limits = self.conclude().limits;
        let renamed = limits.decided().filter(|&(_, by, _)| by == Some(reason));
        let mut seconds: Vec<(Cause, i64)> = Vec::new();
        for (cause, _, nanos) in renamed {
            match seconds.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, sum)) => *sum += nanos / 1_000_000_000,
                None => seconds.push((cause, nanos / 1_000_000_000)),
            }
        }
        seconds
    }
}

fn of(detail: Detail) -> Cause {
    detail.into()
}

/// 150 turns of 65,571 bytes, each followed by 26 bytes of the peer after a round trip of 40 ms.
fn whole_turns() -> DirectionFacts {
    let turns = WholeTurns {
        size: 65_571,
        count: 150,
        resumed: 150,
        sent: 9_835_650,
        heard: 3_900,
        waited: 6_000_000_000,
        acknowledged: 6_000_000_000,
        waking: 1_000_000_000,
        count_in_all: 150,
        waited_in_all: 6_000_000_000,
        spoke_first: true,
        words: WordsBetween { words: 150, alike: 149, early: 0 },
    };
    DirectionFacts { whole_turns: Some(turns), opened: Some(true), rtt: Some(40_000_000), ..DirectionFacts::default() }
}

/// For each hypothesis, a direction that it renames, and the seconds under the new cause.
fn needs<'a>() -> Vec<(Reason, Case<'a>, (Cause, i64))> {
    const WINDOW: Seconds<'_> = &[(Cause { limit: Limit::ReceiveWindow, detail: Some(Detail::SmallBuffer) }, 4)];
    const REPAIRED: Seconds<'_> = &[
        (Cause { limit: Limit::LossRecovery, detail: Some(Detail::Fast) }, 2),
        (Cause { limit: Limit::CongestionWindow, detail: Some(Detail::PostLoss) }, 5),
        (Cause { limit: Limit::LossRecovery, detail: Some(Detail::Rto) }, 1),
    ];
    const BUFFERED: Seconds<'_> = &[(SEND_BUFFER, 3)];
    const GRANTED: Seconds<'_> = &[
        (Cause { limit: Limit::Application, detail: Some(Detail::PeerWindow) }, 3),
        (Cause { limit: Limit::Application, detail: Some(Detail::PeerTurn) }, 2),
    ];
    const ACKNOWLEDGED: Seconds<'_> = &[
        (Cause { limit: Limit::Application, detail: Some(Detail::PeerTurn) }, 6),
        (Cause { limit: Limit::Application, detail: Some(Detail::Think) }, 1),
    ];
    const OPENING: Seconds<'_> = &[(Cause { limit: Limit::SlowStart, detail: None }, 3)];
    let acks_queued = DirectionFacts { acks_queued: Some((700_000_000, 800_000_000)), ..DirectionFacts::default() };
    let far = DirectionFacts { has_unknown_distance: true, ..DirectionFacts::default() };
    let missing = DirectionFacts { bytes: 1000, unseen_bytes: 1001, ..DirectionFacts::default() };
    let stamped = DirectionFacts { has_contradicted_clock: true, ..DirectionFacts::default() };
    vec![
        (Reason::ClockContradicted, Case { facts: stamped, ..case(REPAIRED) }, (UNOBSERVED, 8)),
        (Reason::WindowOverQueue, Case { window_queued: 3, ..case(WINDOW) }, (of(Detail::Queue), 4)),
        (Reason::SenderAtUnknownDistance, Case { facts: far, ..case(BUFFERED) }, (UNOBSERVED, 3)),
        (Reason::MoreMissingThanCaptured, Case { facts: missing, ..case(WINDOW) }, (UNOBSERVED, 4)),
        (
            Reason::PeerGrantsWholeTurns,
            Case { facts: whole_turns(), ..case(ACKNOWLEDGED) },
            (of(Detail::PeerWindow), 7),
        ),
        (Reason::PeerGrantsThroughout, case(GRANTED), (of(Detail::PeerWindow), 2)),
        (Reason::LostToPolicer, Case { bottleneck: policer(), ..case(REPAIRED) }, (of(Detail::Policer), 8)),
        (Reason::LostToFullQueue, Case { bottleneck: Bottleneck::Full(1e6), ..case(REPAIRED) }, (of(Detail::Queue), 7)),
        (Reason::RateOfFullPath, Case { bottleneck: Bottleneck::Held(1e6), ..case(BUFFERED) }, (of(Detail::Queue), 3)),
        (Reason::AcksQueued, Case { facts: acks_queued, ..case(OPENING) }, (of(Detail::AckQueue), 3)),
    ]
}

#[test]
fn each_hypothesis_renames_a_direction_and_nothing_else_does() {
    let names: Vec<_> = DIRECTION.iter().map(|judge| judge.name()).collect();
    assert_eq!(
        names,
        needs().iter().map(|(reason, ..)| reason.id()).collect::<Vec<_>>(),
        "one each, in the list's order"
    );
    for (reason, case, renamed) in needs() {
        assert_eq!(case.renamed(reason), [renamed], "{}", reason.id());
        let left = without(reason.id(), || case.conclude().limits);
        let kept = left.decided().all(|(_, by, _)| by == Some(Reason::WindowSmall));
        assert!(kept, "without {} another hypothesis renames", reason.id());
    }
}

/// The numbers of the reason are those that `--why` prints.
#[test]
fn reasons_have_their_numbers() {
    let values = |reason: Reason| {
        let (_, case, _) = needs().into_iter().find(|need| need.0 == reason).unwrap();
        let limits = case.conclude().limits;
        let why = limits.intervals().iter().filter_map(|i| i.why).find(|why| why.reason == reason).unwrap();
        why.values().collect::<Vec<_>>()
    };
    assert_eq!(values(Reason::WindowOverQueue), [(Measure::Window, 64e3)], "the interval's own");
    assert_eq!(values(Reason::PeerGrantsWholeTurns), [(Measure::Flight, 65_571.0)]);
    assert_eq!(values(Reason::LostToPolicer), [(Measure::PolicedRate, 8.32e6), (Measure::PolicedBurst, 52e3)]);
    assert_eq!(values(Reason::LostToFullQueue), [(Measure::Capacity, 8e6)]);
    assert_eq!(values(Reason::RateOfFullPath), [(Measure::Capacity, 8e6)]);
}

/// The queue must be there for more than half of the time under the receive window, including zero windows.
/// Zero windows and slow readers keep their causes.
#[test]
fn a_window_over_a_queue_is_the_paths_when_it_was_for_most_of_its_time() {
    let seconds = [(of(Detail::SmallBuffer), 4), (of(Detail::SlowReader), 1), (of(Detail::ZeroWindow), 1)];
    let case = case(&seconds);
    let renamed = |window_queued| Case { window_queued, ..case.clone() }.renamed(Reason::WindowOverQueue);
    assert_eq!(renamed(3), []);
    assert_eq!(renamed(4), [(of(Detail::Queue), 4)]);
}

/// A pause of more than a second is the application's, independent of the round trip.
#[test]
fn without_the_distance_only_what_needs_no_round_trip_keeps_its_cause() {
    let seconds =
        [(of(Detail::PacedWrites), 1), (of(Detail::Idle), 2), (of(Detail::Rto), 1), (of(Detail::SmallBuffer), 1)];
    let renamed = |pause_longest: i64| {
        let pause_longest = Grains::of(pause_longest * 1_000_000);
        let facts = DirectionFacts { has_unknown_distance: true, pause_longest, ..DirectionFacts::default() };
        Case { facts, ..case(&seconds) }.renamed(Reason::SenderAtUnknownDistance)
    };
    assert_eq!(renamed(1000), [(UNOBSERVED, 3)]);
    assert_eq!(renamed(1001), [(UNOBSERVED, 1)]);
}

/// An answer within a second may have been on the path all that time.
#[test]
fn without_the_distance_an_answer_may_have_been_under_way() {
    let renamed = |seconds: i64| {
        let facts = DirectionFacts { has_unknown_distance: true, ..DirectionFacts::default() };
        let seconds = [(of(Detail::Think), seconds)];
        Case { facts, ..case(&seconds) }.renamed(Reason::SenderAtUnknownDistance)
    };
    assert_eq!(renamed(1), [(UNOBSERVED, 1)]);
    assert_eq!(renamed(2), []);
}

#[test]
fn as_much_missing_as_captured_is_not_more() {
    let seconds = [(Cause::plain(Limit::Handshake), 1), (of(Detail::Idle), 2)];
    let renamed = |unseen_bytes| {
        let facts = DirectionFacts { bytes: 1000, unseen_bytes, ..DirectionFacts::default() };
        Case { facts, ..case(&seconds) }.renamed(Reason::MoreMissingThanCaptured)
    };
    assert_eq!(renamed(1000), []);
    assert_eq!(renamed(1001), [(UNOBSERVED, 2)], "all but the handshake");
}

#[test]
fn repair_is_a_full_queues_when_it_took_longer_than_the_path() {
    let renamed = |path| {
        let seconds = [(of(Detail::Fast), 2), (of(Detail::PostLoss), 5), (of(Detail::Queue), path)];
        Case { bottleneck: Bottleneck::Full(1e6), ..case(&seconds) }.renamed(Reason::LostToFullQueue)
    };
    assert_eq!(renamed(6), [(of(Detail::Queue), 7)]);
    assert_eq!(renamed(7), []);
}

/// A persistent queue delays a writer only if more was in flight.
#[test]
fn a_writer_with_a_pace_of_its_own_is_held_only_by_a_long_queue() {
    let details = [Detail::Other, Detail::DelayExit, Detail::PostMark, Detail::PostLoss, Detail::PacedWrites];
    let seconds: Vec<_> = details.into_iter().map(|detail| (of(detail), 1)).chain([(SEND_BUFFER, 1)]).collect();
    let renamed = |bottleneck| Case { bottleneck, ..case(&seconds) }.renamed(Reason::RateOfFullPath);
    assert_eq!(renamed(Bottleneck::Held(1e6)), [(of(Detail::Queue), 5)]);
    assert_eq!(renamed(Bottleneck::Kept(1e6)), [(of(Detail::Queue), 4)]);
}

/// A receive window can set the rate as well. Its time is the path's only if the path spaces segments.
#[test]
fn a_window_is_the_paths_only_where_that_spaces_segments() {
    let details = [Detail::SmallBuffer, Detail::NoWindowScale, Detail::Capped, Detail::SlowReader, Detail::ZeroWindow];
    let seconds: Vec<_> = details.map(|detail| (of(detail), 1)).to_vec();
    let renamed = |bottleneck, is_spaced_by_path| {
        let facts = DirectionFacts { is_spaced_by_path, ..DirectionFacts::default() };
        Case { facts, bottleneck, ..case(&seconds) }.renamed(Reason::RateOfFullPath)
    };
    for bottleneck in [Bottleneck::Held(1e6), Bottleneck::Kept(1e6)] {
        assert_eq!(renamed(bottleneck.clone(), true), [(of(Detail::Queue), 3)], "all but what a slow reader left");
        assert_eq!(renamed(bottleneck.clone(), false), []);
        let is_next = |is_spaced_by_path| {
            let facts = DirectionFacts { is_spaced_by_path, ..DirectionFacts::default() };
            Case { bottleneck: bottleneck.clone(), facts, ..case(&seconds) }.conclude().is_window_next
        };
        assert_eq!([true, false].map(is_next), [true, false]);
    }
    assert_eq!(renamed(Bottleneck::Unknown, true), []);
}

/// The same holds for the window of a protocol above TCP. The result keeps which of the two windows was full
/// as well.
#[test]
fn a_protocols_window_is_the_paths_only_where_that_spaces_segments() {
    let next = |detail: Detail, is_spaced_by_path, bottleneck| {
        let facts = DirectionFacts { is_spaced_by_path, ..DirectionFacts::default() };
        let concluded = Case { facts, bottleneck, ..case(&[(of(detail), 1)]) }.conclude();
        let queued = concluded.limits.nanos_of_cause(of(Detail::Queue)) > 0;
        (queued, concluded.is_window_next, concluded.is_grant_next)
    };
    for bottleneck in [Bottleneck::Held(1e6), Bottleneck::Kept(1e6)] {
        assert_eq!(next(Detail::PeerWindow, true, bottleneck.clone()), (true, false, true));
        assert_eq!(next(Detail::PeerWindow, false, bottleneck.clone()), (false, false, false));
        assert_eq!(next(Detail::SmallBuffer, true, bottleneck.clone()), (true, true, false));
        assert_eq!(next(Detail::PeerTurn, true, bottleneck), (false, false, false), "a peer that speaks later");
    }
    assert_eq!(next(Detail::PeerWindow, true, Bottleneck::Unknown), (false, false, false));
}

/// `ACKS_QUEUED_LEAST`, `ACKS_QUEUED`: 50 ms, and half of the round trip.
#[test]
fn acks_that_queue_take_the_time_of_round_trips() {
    let details = [Detail::Queue, Detail::Other, Detail::DelayExit, Detail::PostLoss, Detail::SmallBuffer];
    let seconds: Vec<_> = details.map(|detail| (of(detail), 1)).into_iter().chain([(SEND_BUFFER, 1)]).collect();
    let renamed = |acks_queued| {
        let facts = DirectionFacts { acks_queued, ..DirectionFacts::default() };
        Case { facts, ..case(&seconds) }.renamed(Reason::AcksQueued)
    };
    let millis = |queued: i64, rtt: i64| Some((queued * 1_000_000, rtt * 1_000_000));
    let all = [(of(Detail::AckQueue), 3)];
    assert_eq!(renamed(millis(500, 1_000)), all);
    assert_eq!(renamed(millis(499, 1_000)), [], "ACKS_QUEUED");
    assert_eq!(renamed(millis(50, 60)), all);
    assert_eq!(renamed(millis(49, 60)), [], "ACKS_QUEUED_LEAST");
    assert_eq!(renamed(None), []);
}

/// The bottleneck is computed from the renamed timeline, here after all time became unobserved.
#[test]
fn the_bottleneck_is_found_in_what_is_left() {
    let facts = DirectionFacts { bytes: 1, unseen_bytes: 2, ..DirectionFacts::default() };
    let mut timeline = TimelineBuilder::new(Timestamp::from_nanos(0));
    timeline.push(Timestamp::from_nanos(1_000_000_000), of(Detail::Idle), 0.9, None);
    let find_bottleneck = |limits: &LimitTimeline| {
        assert_eq!(limits.nanos_of(Limit::Unobserved), 1_000_000_000, "after all time was renamed");
        Bottleneck::Held(1e6)
    };
    let concluded = conclude(Direction::new(timeline.finish(), Moved::default(), facts, &find_bottleneck));
    assert!(matches!(concluded.bottleneck, Bottleneck::Held(_)));
}

/// Predictions use the bytes moved under a limit, so these are reassigned in proportion to the renamed time.
#[test]
fn what_was_moved_goes_along() {
    let seconds = [(of(Detail::PostLoss), 3), (of(Detail::Paced), 1), (of(Detail::SmallBuffer), 1)];
    let moved_to_path = |case: Case<'_>| {
        let mut moved = case.moved();
        moved.add(Limit::CongestionWindow, 4000.0);
        moved.add(Limit::ReceiveWindow, 500.0);
        let find_bottleneck = |_: &LimitTimeline| case.bottleneck.clone();
        let concluded = conclude(Direction::new(case.timeline(), moved, case.facts, &find_bottleneck));
        concluded.moved.bytes_under(Limit::Path)
    };
    let same = |bytes: f64, expected: f64| (bytes - expected).abs() < 1e-6;
    assert!(same(moved_to_path(Case { bottleneck: Bottleneck::Full(1e6), ..case(&seconds) }), 3000.0));
    assert!(same(moved_to_path(Case { bottleneck: policer(), ..case(&seconds) }), 3000.0));
    assert!(same(moved_to_path(Case { window_queued: 1, ..case(&seconds) }), 500.0));
    let facts = DirectionFacts { bytes: 1, unseen_bytes: 2, ..DirectionFacts::default() };
    assert!(same(moved_to_path(Case { facts, ..case(&seconds) }), 0.0));
}

/// A peer that opened the connection may request or allow the next turn with its messages. Those longer than
/// `GRANT_MOST` do not allow it.
#[test]
fn words_that_allow_or_ask() {
    let words = |opened: bool, heard: u64| {
        let mut facts = DirectionFacts { opened: Some(opened), ..whole_turns() };
        facts.whole_turns.iter_mut().for_each(|turns| turns.heard = heard);
        Words::of(&facts)
    };
    assert_eq!(words(true, 70 * 150), Some(Words::Allow(65_571)));
    assert_eq!(words(false, 70 * 150), Some(Words::AllowOrAsk(65_571)));
    assert_eq!(words(false, 70 * 150 + 1), None);
    assert_eq!(Words::of(&DirectionFacts::default()), None);
}

/// Each condition of a window above TCP, just met and just missed. `WORDS_ALIKE`, `TURN_HEARD`,
/// `GRANTED_TIMES`, `WORDS_EARLY`, `WORDS_BETWEEN`, `TURNS_WAITED`, `TURNS_RESUMED`, `TURN_ROUND_TRIPS`,
/// `TURNS_TIME`.
#[test]
fn turns_of_whole_windows() {
    const SECOND: i64 = 1_000_000_000;
    let waiting: Seconds<'_> = &[(of(Detail::PeerTurn), 6)];
    let renames = |seconds: Seconds<'_>, facts: DirectionFacts| {
        !Case { facts, ..case(seconds) }.renamed(Reason::PeerGrantsWholeTurns).is_empty()
    };
    let with = |change: &dyn Fn(&mut WholeTurns)| {
        let mut facts = whole_turns();
        facts.whole_turns.iter_mut().for_each(change);
        facts
    };
    let check = |what: &str, facts: DirectionFacts, expected: bool| {
        assert_eq!(renames(waiting, facts), expected, "{what}");
    };
    check("three quarters of the words alike", with(&|turns| turns.words.alike = 113), true);
    check("fewer of them", with(&|turns| turns.words.alike = 112), false);
    check("words of 90 bytes", with(&|turns| turns.heard = 90 * 150), true);
    check("one byte more", with(&|turns| turns.heard = 90 * 150 + 1), false);
    check("twenty times what was heard", with(&|turns| turns.sent = 20 * turns.heard), true);
    check("less", with(&|turns| turns.sent = 20 * turns.heard - 1), false);
    check("half of all waits", with(&|turns| turns.waited_in_all = 12 * SECOND), true);
    check("less than half of them", with(&|turns| turns.waited_in_all = 12 * SECOND + 10), false);
    check("two thirds went on at once", with(&|turns| turns.resumed = 100), true);
    check("fewer", with(&|turns| turns.resumed = 99), false);
    check("waits of three round trips", DirectionFacts { rtt: Some(13_333_334), ..whole_turns() }, true);
    check("longer ones", DirectionFacts { rtt: Some(13_333_333), ..whole_turns() }, false);
    let slow = |rate| DirectionFacts { rtt: Some(6_666_667), served: Some(rate), ..whole_turns() };
    check("round trips for half, and a link that takes as long for the bytes", slow(3_278_550.0), true);
    check("and a faster link", slow(3_278_600.0), false);
    check("no round trip", DirectionFacts { rtt: None, ..whole_turns() }, false);
    check("whoever was asked", DirectionFacts { opened: Some(false), ..whole_turns() }, false);
    check("no handshake, spoke first", DirectionFacts { opened: None, ..whole_turns() }, true);
    let asked = |change: &dyn Fn(&mut WholeTurns)| DirectionFacts { opened: Some(false), ..with(change) };
    check("words before all has arrived", asked(&|turns| turns.words.early = 19), true);
    check("fewer such words", asked(&|turns| turns.words.early = 18), false);
    check("three words to two turns", asked(&|turns| turns.count_in_all = 100), true);
    check("fewer words", asked(&|turns| turns.count_in_all = 101), false);
    let answers = with(&|turns| turns.spoke_first = false);
    check("no handshake, was asked", DirectionFacts { opened: None, ..answers }, false);
    check("half of the time in which nothing was in flight", with(&|turns| turns.acknowledged = 3 * SECOND), true);
    check("less of it", with(&|turns| turns.acknowledged = 3 * SECOND - 10), false);
    let renamed = |seconds: i64, facts: DirectionFacts| {
        let seconds = [(of(Detail::PeerTurn), 6), (of(Detail::Think), seconds)];
        Case { facts, ..case(&seconds) }.renamed(Reason::PeerGrantsWholeTurns)
    };
    let wakes = |waking: i64| with(&|turns| turns.waking = waking);
    assert_eq!(renamed(6, wakes(3 * SECOND)), [(of(Detail::PeerWindow), 12)], "TURN_WAKING");
    assert_eq!(renamed(3, wakes(3 * SECOND + 10)), [(of(Detail::PeerWindow), 6)], "TURN_WAKING");
    assert_eq!(renamed(7, wakes(3 * SECOND)), [(of(Detail::PeerWindow), 6)], "a program that computes");
    let flying = with(&|turns| turns.acknowledged = 0);
    assert!(renames(&[(of(Detail::PacedWrites), 12)], flying), "half of the sender's own pace");
    assert!(!renames(&[(of(Detail::PacedWrites), 13)], flying), "less than half of it");
    assert!(!renames(&[(SEND_BUFFER, 6)], flying), "another limit");
}
