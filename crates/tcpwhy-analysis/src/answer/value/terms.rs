//! Tests of each field of the answer, in both cases.

use tcpwhy_model::{Cause, Detail, Endpoint, Limit, Severity};

use super::super::*;
use crate::exchanges::{Parts, Party};
use crate::outcome::{Connection, Ending, HalfConnection, Role, Side};
use crate::problems::testing::{connection, exchanges, finding, half};
use crate::problems::{Failure, Kind, Problem, ProblemKey, Slow, Target, testing};

const SECOND: i64 = 1_000_000_000;
const BUFFER: Cause = Cause::plain(Limit::SendBuffer);

fn limited(cause: Cause, severity: Option<Severity>) -> HalfConnection {
    let mut half = half(Role::Server, severity, &[(10, cause)], Vec::new());
    (half.bytes, half.verdict.seconds) = (1_000_000, 10.0);
    half
}

/// A connection with requests that no limit slowed.
fn asked(parts: Parts) -> Connection {
    Connection { exchanges: Some(exchanges(parts)), ..connection(vec![limited(BUFFER, None)]) }
}

fn plain() -> Connection {
    connection(vec![limited(BUFFER, Some(Severity::Warning))])
}

fn problem(target: Target, kind: Kind, example: &Connection) -> Problem {
    testing::problem(ProblemKey { target, kind }, None, 1, example)
}

fn service() -> Target {
    Target::Service(Endpoint { address: [10, 0, 0, 2].into(), port: 80 })
}

#[test]
fn a_connection_has_the_answer_of_its_capture() {
    let with_requests = asked(Parts { server: 9 * SECOND, client: SECOND, ..Parts::default() });
    let silent = Connection {
        ending: Ending::Unanswered,
        findings: vec![finding("syn-unanswered", Severity::Critical, 1, None)],
        ..connection(Vec::new())
    };
    let failed = Connection {
        ending: Ending::Reset(Side::B),
        findings: vec![finding("reset-mid-transfer", Severity::Warning, 0, None)],
        ..plain()
    };
    let wrong_clock =
        Connection { findings: vec![finding("clock-contradicted", Severity::Warning, 0, None)], ..plain() };
    for connection in [plain(), with_requests, silent, failed, wrong_clock, connection(Vec::new())] {
        let (mut leads, mut problems) = (Leads::default(), crate::Problems::default());
        leads.add(&connection);
        problems.add(&connection);
        let ranked = problems.ranked();
        let (of_capture, alone) = (Answer::of_capture(&leads, &ranked, &[]), Answer::of_connection(&connection));
        assert_eq!(of_capture.grounds(), alone.grounds());
        assert_eq!((of_capture.kind(), of_capture.outcome()), (alone.kind(), alone.outcome()));
        assert_eq!((of_capture.cost(), of_capture.severity()), (alone.cost(), alone.severity()));
        assert_eq!(of_capture.confidence(), alone.confidence());
    }
}

#[test]
fn each_answer_has_its_kind() {
    let kind = |connection: &Connection| Answer::of_connection(connection).kind();
    let with = |cause, severity| connection(vec![limited(cause, severity)]);
    let warning = Some(Severity::Warning);
    assert_eq!(kind(&plain()), AnswerKind::Limit);
    assert_eq!(kind(&with(BUFFER, None)), AnswerKind::Nothing, "it held nothing back");
    assert_eq!(kind(&with(Cause::plain(Limit::Unobserved), warning)), AnswerKind::CannotTell);
    assert_eq!(kind(&asked(Parts { server: SECOND, ..Parts::default() })), AnswerKind::Party);
    let clock = vec![finding("clock-contradicted", Severity::Warning, 0, None)];
    assert_eq!(kind(&Connection { findings: clock, ..plain() }), AnswerKind::Clock);
    assert_eq!(kind(&Connection { ending: Ending::Unanswered, ..connection(Vec::new()) }), AnswerKind::Failure);
    assert_eq!(kind(&connection(Vec::new())), AnswerKind::Nothing);

    let scan = Target::Scan { host: [10, 0, 0, 2].into(), client: [10, 0, 0, 1].into() };
    for (target, kind, expected) in [
        (scan, Kind::Failed(Failure::Refused), AnswerKind::Probe),
        (service(), Kind::Failed(Failure::Refused), AnswerKind::Failure),
        (service(), Kind::Slow(Slow::Server), AnswerKind::Party),
        (service(), Kind::Slow(Slow::RoundTrips), AnswerKind::Party),
        (service(), Kind::Slow(Slow::Answers(tcpwhy_model::Family::Loss)), AnswerKind::Limit),
    ] {
        assert_eq!(
            Answer::of_problem(&problem(target, kind, &plain()), Totals::default()).kind(),
            expected,
            "{kind:?}"
        );
    }
}

#[test]
fn a_cost_names_its_whole() {
    let cost =
        |answer: &Answer<'_>| answer.cost().map(|cost| (cost.seconds.round(), cost.whole, cost.of_seconds.round()));
    assert_eq!(cost(&Answer::of_connection(&plain())), Some((10.0, Whole::Transfer, 10.0)));
    let asked = asked(Parts { client: SECOND, server: 3 * SECOND, pauses: SECOND, ..Parts::default() });
    let party = Answer::of_connection(&asked).only().map(|(_, explanation, _)| explanation);
    assert!(matches!(party, Some(Explanation::Took(Party::Server, _))));
    assert_eq!(cost(&Answer::of_connection(&asked)), Some((4.0, Whole::Requests, 5.0)));
    let slow = problem(service(), Kind::Slow(Slow::Server), &plain());
    assert_eq!(
        cost(&Answer::of_problem(&slow, Totals { nanos: 60 * SECOND, ..Totals::default() })),
        Some((1.0, Whole::Connections, 60.0))
    );
    assert_eq!(cost(&Answer::of_connection(&connection(Vec::new()))), None);
    assert!((Cost { seconds: 1.0, whole: Whole::Requests, of_seconds: 4.0 }.share() - 0.25).abs() < 1e-9);
    assert!(Cost { seconds: 1.0, whole: Whole::Requests, of_seconds: 0.0 }.share().abs() < 1e-9);
}

#[test]
fn a_cost_is_of_the_family_where_that_is_named() {
    let two = |first: Cause, second: Cause| {
        let mut half = half(Role::Server, Some(Severity::Warning), &[(6, first), (4, second)], Vec::new());
        half.verdict.seconds = 6.0;
        connection(vec![half])
    };
    let seconds = |connection: &Connection| Answer::of_connection(connection).cost().map(|cost| cost.seconds.round());
    assert_eq!(seconds(&two(Detail::Rto.into(), Detail::Fast.into())), Some(10.0));
    assert_eq!(seconds(&two(Detail::Idle.into(), Detail::Think.into())), Some(6.0), "each names its own");
}

#[test]
fn an_outcome_is_how_it_ended() {
    let outcome = |ending| Outcome::of(&Connection { ending, ..plain() });
    assert_eq!(outcome(Ending::Closed), Outcome::Complete);
    assert_eq!(outcome(Ending::Reset(Side::A)), Outcome::Complete, "nothing was lost");
    assert_eq!((outcome(Ending::Open), outcome(Ending::HalfClosed)), (Outcome::Open, Outcome::Open));
    assert_eq!(outcome(Ending::Refused), Outcome::Failed(Failure::Refused));
    let empty = connection(Vec::new());
    let all = [plain(), empty];
    let mut leads = Leads::default();
    for connection in &all {
        leads.add(connection);
    }
    assert_eq!(Answer::of_capture(&leads, &[], &[]).outcome(), Some(Outcome::Complete), "of the one with data");
    leads.add(&Connection { first_packet: 9, ..plain() });
    assert_eq!(Answer::of_capture(&leads, &[], &[]).outcome(), None, "of several");
}

#[test]
fn a_confidence_is_that_of_the_cause() {
    let confidence = |connection: &Connection| Answer::of_connection(connection).confidence();
    let mut connection = plain();
    connection.halves[0].verdict.confidence = 0.25;
    assert_eq!(confidence(&connection), Some(0.25));
    connection.halves[0].verdict.severity = None;
    assert_eq!(confidence(&connection), None, "nothing held it back");
    assert!(is_hedged(0.49) && !is_hedged(0.5), "HEDGED_BELOW");
}
