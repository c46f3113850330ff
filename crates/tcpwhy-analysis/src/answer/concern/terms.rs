//! Tests that each concern prevents the all-clear, and that the all-clear comes without it.

use tcpwhy_model::{Cause, Detail, Limit, Severity};

use super::super::{Answer, AnswerKind, Fix, Ground, Leads, Why};
use super::*;
use crate::exchanges::Parts;
use crate::outcome::{Connection, HalfConnection, Role};
use crate::problems::testing::{connection, exchanges, finding, half};

const SECOND: i64 = 1_000_000_000;
const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
const POLICER: Detail = Detail::Policer;

/// A connection whose direction was limited by `cause` for this many of ten seconds.
fn held(cause: Cause, severity: Severity, seconds: i64) -> Connection {
    let parts = [(seconds, cause), (10 - seconds, Cause::plain(Limit::TailRtt))];
    let mut half = half(Role::Server, Some(severity), &parts, Vec::new());
    half.bytes = 1_000_000;
    half.verdict.seconds = seconds as f64;
    connection(vec![half])
}

fn ground(connection: &Connection) -> Option<Ground> {
    Concern::decide(connection).map(|decided| decided.ground)
}

fn found(severity: Severity, seconds: Option<f64>) -> Connection {
    let found = tcpwhy_model::Finding { seconds, ..finding("syn-meets-old-connection", severity, 1, None) };
    Connection { findings: vec![found], ..connection(Vec::new()) }
}

#[test]
fn a_finding_about_a_connection_that_cost_a_second() {
    use Severity::{Info, Warning};
    assert_eq!(ground(&found(Warning, Some(1.0))), Some(Ground::CostlyFinding), "CONCERN_LEAST");
    assert_eq!(ground(&found(Warning, Some(0.999))), None, "CONCERN_LEAST");
    assert_eq!(ground(&found(Info, Some(9.0))), None, "a note");
    assert_eq!(ground(&found(Warning, None)), None, "it cost no time");
}

#[test]
fn a_cause_without_which_it_would_be_a_third_faster() {
    use Severity::{Info, Warning};
    // 10 s less 2.4 s is 7.6 s.
    assert_eq!(ground(&held(BUFFER, Warning, 3)), Some(Ground::WorthRemoving), "CONCERN_GAIN");
    assert_eq!(ground(&held(BUFFER, Warning, 2)), None, "CONCERN_GAIN");
    assert_eq!(ground(&held(BUFFER, Info, 9)), None, "a note");
    assert_eq!(ground(&held(Cause::plain(Limit::Path), Warning, 9)), None, "nothing takes the path away");
    let short = HalfConnection { bytes: 1_000, ..half(Role::Server, Some(Warning), &[], Vec::new()) };
    assert_eq!(ground(&connection(vec![short])), None, "it took no time");
    assert_eq!(ground(&connection(Vec::new())), None, "it carried nothing");
}

#[test]
fn a_grave_limit_is_a_concern_though_nothing_promises_a_gain() {
    use Severity::{Critical, Warning};
    let policed = |severity, promised: f64| {
        let mut connection = held(POLICER.into(), severity, 8);
        connection.halves[0].findings = vec![finding("policer", severity, 1, Some(promised))];
        connection
    };
    assert_eq!(ground(&policed(Critical, 9.9)), Some(Ground::MostlyLimited));
    assert_eq!(ground(&policed(Critical, 5.0)), Some(Ground::WorthRemoving), "it promises a gain");
    assert_eq!(ground(&policed(Warning, 9.9)), None, "it is not the main reason");
    assert_eq!(ground(&held(Cause::plain(Limit::Path), Critical, 9)), None, "nothing takes the path away");
    let asked = |connection: Connection| Connection { exchanges: Some(exchanges(Parts::default())), ..connection };
    assert_eq!(ground(&asked(held(Detail::Think.into(), Critical, 8))), None, "the exchanges say whose time it was");
}

/// The most severe concern replaces the all-clear.
#[test]
fn an_all_clear_is_earned() {
    let numbered = |connection: Connection, packet| Connection { first_packet: packet, id: packet, ..connection };
    let clear = numbered(held(Cause::plain(Limit::Path), Severity::Info, 9), 1);
    let of = |others: &[Connection]| {
        let mut leads = Leads::default();
        std::iter::once(&clear).chain(others).for_each(|connection| leads.add(connection));
        let answer = Answer::of_capture(&leads, &[], &[]);
        let number = match answer.why() {
            Some(Why::Explained(subject, _)) => Some(subject.connection.id),
            Some(Why::Noticed(connection, _)) => Some(connection.id),
            _ => None,
        };
        let is_nothing = matches!(answer.fix(), Some(Fix::Nothing));
        (answer.kind(), number, is_nothing)
    };
    let slow = |severity, packet| numbered(held(BUFFER, severity, 5), packet);
    assert_eq!(of(std::slice::from_ref(&clear)), (AnswerKind::Nothing, None, true));
    assert_eq!(of(&[slow(Severity::Warning, 2)]), (AnswerKind::Limit, Some(2), false));
    let two = [slow(Severity::Warning, 2), slow(Severity::Critical, 3), slow(Severity::Critical, 4)];
    assert_eq!(of(&two), (AnswerKind::Limit, Some(3), false), "the gravest, and of those the first");
    let noticed = numbered(found(Severity::Warning, Some(1.0)), 5);
    assert_eq!(of(&[clear.clone(), noticed]), (AnswerKind::Limit, Some(5), false));
    // `CONCERN_PART`: 5 s are probably the reason for the capture while they are at least a twentieth of it.
    let later = |seconds: i64| {
        let mut last = numbered(held(Cause::plain(Limit::Path), Severity::Info, 9), 9);
        let shift = |time: tcpwhy_model::Timestamp| time.plus(seconds * SECOND);
        let span = last.halves[0].span;
        last.halves[0].span = tcpwhy_model::Span::new(shift(span.start()), shift(span.end()));
        last
    };
    assert_eq!(of(&[slow(Severity::Warning, 2), later(90)]), (AnswerKind::Limit, Some(2), false), "CONCERN_PART");
    assert_eq!(of(&[slow(Severity::Warning, 2), later(91)]), (AnswerKind::Nothing, None, false), "CONCERN_PART");
    let quick = Connection {
        exchanges: Some(exchanges(Parts { client: 9 * SECOND, ..Parts::default() })),
        ..numbered(held(Detail::Think.into(), Severity::Info, 5), 6)
    };
    assert_eq!(of(&[clear.clone(), quick]), (AnswerKind::Nothing, None, true), "a client that rests");
}
