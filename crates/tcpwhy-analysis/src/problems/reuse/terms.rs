//! Tests of each condition of reused ports: one of them fails if a condition is removed or a boundary moves.

use tcpwhy_model::{Cause, Detail, Family, Severity, Span, Timestamp};

use super::super::testing::{connection, finding, half};
use super::super::{Kind, Problem, Problems, Slow};
use super::*;
use crate::outcome::{Connection, Role};

const SECOND: i64 = 1_000_000_000;

/// A connection of client port `port` that begins at `start`, in seconds, and lasts two seconds. Its SYN was
/// repeated if `is_slow`.
fn used(port: u16, start: i64, is_slow: bool) -> Connection {
    let parts: &[(i64, Cause)] = if is_slow { &[(2, Detail::SynRto.into())] } else { &[] };
    let severity = is_slow.then_some(Severity::Critical);
    let found = finding("syn-retries", Severity::Critical, 1, None);
    let half = half(Role::Server, severity, parts, is_slow.then_some(found).into_iter().collect());
    let mut one = connection(vec![half]);
    one.endpoints[0].port = port;
    let at = |seconds: i64| Timestamp::from_nanos(seconds * SECOND);
    one.span = Span::new(at(start), at(start + 2));
    one.first_packet = start.unsigned_abs();
    one
}

fn ranked(all: impl IntoIterator<Item = Connection>) -> Vec<Problem> {
    let mut problems = Problems::default();
    all.into_iter().for_each(|one| problems.add(&one));
    problems.ranked()
}

/// Returns `count` first uses of ports, and the same number of reuses `rest` seconds later. `slow_first` and
/// `slow_again` of them were slow.
fn twice(count: u16, slow_first: u16, slow_again: u16, rest: i64) -> Vec<Connection> {
    let first = (0..count).map(|port| used(port, i64::from(port), port < slow_first));
    let again = (0..count).map(|port| used(port, i64::from(port) + 2 + rest, port < slow_again));
    first.chain(again).collect()
}

fn found(all: impl IntoIterator<Item = Connection>) -> Option<ReusedPorts> {
    ranked(all).first().and_then(|problem| problem.reused_ports)
}

#[test]
fn connections_of_reused_ports_are_slow() {
    assert_eq!((REUSED_LEAST.get(), TIME_WAIT.get()), (3, 60 * SECOND));
    let expected = ReusedPorts { again: 10, slow_again: 10, first: 10, slow_first: 0, longest: 60 * SECOND };
    assert_eq!(found(twice(10, 0, 10, 60)), Some(expected));
    for (what, all, holds) in [
        ("nine of ten", twice(10, 0, 9, 9), true),
        ("eight of ten", twice(10, 0, 8, 9), false),
        ("one of ten first uses, too", twice(10, 1, 10, 9), true),
        ("two of them", twice(10, 2, 10, 9), false),
        ("three", twice(3, 0, 3, 9), true),
        ("two are chance", twice(2, 0, 2, 9), false),
        ("later than a minute", twice(10, 0, 10, 61), false),
    ] {
        assert_eq!(found(all).is_some(), holds, "{what}");
    }
}

/// The order does not matter, but the opener must be known.
#[test]
fn order_does_not_matter() {
    let all = twice(10, 0, 10, 9);
    assert_eq!(found(all.clone()), found(all.iter().rev().cloned()));
    let unknown = all.into_iter().map(|one| Connection { initiator: None, ..one });
    assert_eq!(found(unknown), None);
}

/// The fix of the example is then about the ports, whatever a single connection shows.
#[test]
fn the_fix_is_about_ports() {
    let fix = |all: Vec<Connection>| {
        let problems = ranked(all);
        assert_eq!(problems[0].key.kind, Kind::Slow(Slow::Answers(Family::Handshake)));
        problems[0].example.halves[0].findings[0].fixes[0].id
    };
    assert_eq!(fix(twice(10, 0, 10, 9)), "let-kernel-choose-port");
    assert_eq!(fix(twice(10, 10, 10, 9)), "remove-so-sndbuf", "that of the connection");
}
