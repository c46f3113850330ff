//! Tests of each condition of a correlation: one of them fails if a condition is removed or a boundary moves.

use tcpwhy_model::{Cause, Limit, Severity, Span, Timestamp};

use super::super::testing::{connection, finding, half};
use super::super::{Problem, Problems};
use super::*;
use crate::outcome::{Close, Connection, Ending, HalfConnection, Role, Side};
use Toward::{Client, Server};

const SECOND: i64 = 1_000_000_000;
/// Requests of a few bytes with a large answer.
const DOWNLOAD: [u64; 2] = [300, 200_000];
const UPLOAD: [u64; 2] = [200_000, 300];

/// A connection of `10.0.1.client` to port 80 of `10.0.0.server`.
#[derive(Clone, Copy)]
struct Tried {
    client: u8,
    server: u8,
    /// Start, seconds.
    start: i64,
    bytes: [u64; 2],
    ending: Ending,
    rule: Option<&'static str>,
}

const WELL: Tried = Tried { client: 1, server: 2, start: 5, bytes: DOWNLOAD, ending: Ending::Closed, rule: None };
const FAILED: Tried = Tried { rule: Some("peer-silent"), ending: Ending::Open, ..WELL };

impl Tried {
    fn connection(self, number: u64) -> Connection {
        let of = |sender: Side, role| HalfConnection {
            sender,
            bytes: self.bytes[sender.index()],
            ..half(role, None, &[(1, Cause::plain(Limit::Path))], Vec::new())
        };
        let halves = vec![of(Side::A, Role::Client), of(Side::B, Role::Server)];
        let mut one = connection(halves.into_iter().filter(|half| half.bytes > 0).collect());
        one.endpoints[0].address = [10, 0, 1, self.client].into();
        one.endpoints[1].address = [10, 0, 0, self.server].into();
        let at = |seconds: i64| Timestamp::from_nanos(seconds * SECOND);
        one.span = Span::new(at(self.start), at(self.start + 1));
        (one.first_packet, one.ending) = (number, self.ending);
        one.findings = self.rule.map(|rule| finding(rule, Severity::Warning, 0, None)).into_iter().collect();
        one
    }
}

fn ranked(all: &[Tried]) -> Vec<Problem> {
    let mut problems = Problems::default();
    for (number, tried) in (1..).zip(all) {
        problems.add(&tried.connection(number));
    }
    problems.ranked()
}

/// A property, with failed and all connections, first with the property and then without.
type Found = (Property, (u64, u64), (u64, u64));

/// Returns the properties that the first problem correlates with.
fn found(all: &[&[Tried]]) -> Vec<Found> {
    let problems = ranked(&all.concat());
    problems[0].goes_with.iter().map(|found| (found.property, found.with, found.without)).collect()
}

fn properties(all: &[&[Tried]]) -> Vec<Property> {
    found(all).into_iter().map(|found| found.0).collect()
}

/// Returns `count` similar connections, spread over ten seconds and over `clients`.
fn spread(tried: Tried, count: u8, clients: u8) -> Vec<Tried> {
    let seconds = |n: u8| if count == 1 { 5 } else { i64::from(n) * 10 / i64::from(count - 1) };
    (0..count).map(|n| Tried { client: tried.client + n % clients, start: seconds(n), ..tried }).collect()
}

#[test]
fn failures_of_one_client() {
    let well = spread(Tried { client: 100, ..WELL }, 80, 8);
    let failed = spread(FAILED, 12, 1);
    let client = Property::Client([10, 0, 1, 1].into());
    assert_eq!(found(&[&failed, &well]), [(client, (12, 12), (0, 80))]);
    // The order does not matter, and some connections of the client may succeed.
    let own = spread(WELL, 30, 1);
    assert_eq!(found(&[&well, &own, &failed]), [(client, (12, 42), (0, 80))]);
    let all_alike = spread(FAILED, 12, 4);
    assert_eq!(properties(&[&all_alike, &spread(WELL, 80, 8)]), [], "clients fail alike");
    for (what, others, expected) in [
        ("GOES_WITH: 12 of 13", spread(Tried { client: 50, ..FAILED }, 1, 1), 1),
        ("GOES_WITH: 12 of 14", spread(Tried { client: 50, ..FAILED }, 2, 2), 0),
    ] {
        assert_eq!(properties(&[&failed, &others, &well]).len(), expected, "{what}");
    }
    assert_eq!(properties(&[&failed]), [], "nobody else was there");
}

/// `FAILED_ALIKE`, `CHANCE`.
#[test]
fn chance_explains_few() {
    assert_eq!(FAILED_ALIKE.get(), 3);
    let well = |count| spread(Tried { client: 100, ..WELL }, count, 1);
    assert_eq!(properties(&[&spread(FAILED, 3, 1), &well(40)]).len(), 1);
    assert_eq!(properties(&[&spread(FAILED, 2, 1), &well(200)]), [], "two are chance");
    // For each of two clients: 1 / C(3 + n, 3).
    assert_eq!(properties(&[&spread(FAILED, 3, 1), &well(21)]).len(), 1, "1 in 1,012");
    assert_eq!(properties(&[&spread(FAILED, 3, 1), &well(20)]), [], "1 in 885");
    // Any of the twelve clients might have matched by chance.
    let many = spread(Tried { client: 100, ..WELL }, 22, 11);
    assert_eq!(properties(&[&spread(FAILED, 3, 1), &many]), [], "of twelve clients");
}

/// `GOES_WITHOUT`: a property does not matter if connections without it fail as well.
#[test]
fn others_that_fail_as_well() {
    let parted = |failed_without| Parted { failed_with: 200, with: 200, failed_without, without: 100 };
    let holds = |failed_without| named(Property::Direction(Server), parted(failed_without), 1).is_some();
    assert_eq!([holds(0), holds(10), holds(11)], [true, true, false]);
}

/// Only connections of the time of the failures are compared.
#[test]
fn connections_of_other_times_prove_nothing() {
    let failed = spread(FAILED, 12, 1);
    let at = |start: i64| vec![Tried { client: 100, start, ..WELL }; 80];
    assert_eq!([at(0), at(10)].map(|well| properties(&[&failed, &well]).len()), [1, 1]);
    assert_eq!([at(-1), at(11)].map(|well| properties(&[&failed, &well]).len()), [0, 0]);
}

#[test]
fn probes_and_other_failures_are_not_compared() {
    let failed = spread(FAILED, 12, 1);
    let other = Tried { client: 100, rule: Some("request-unanswered"), ..WELL };
    let problems = ranked(&[failed.clone(), spread(other, 11, 1)].concat());
    assert!(problems.iter().all(|problem| problem.goes_with.is_empty()), "{problems:?}");
    let empty = |number: u64| {
        let fins = [Some(Timestamp::ZERO), None];
        let close = Close { fins, unacknowledged: 0 };
        Connection { close, ..Tried { client: 100, bytes: [0, 0], ..WELL }.connection(number) }
    };
    for (is_probe, expected) in [(true, 0), (false, 1)] {
        let mut problems = Problems::default();
        (1..).zip(&failed).for_each(|(number, one)| problems.add(&one.connection(number)));
        for number in 100..180 {
            let one = if is_probe { empty(number) } else { Connection { close: Close::default(), ..empty(number) } };
            problems.add(&one);
        }
        assert_eq!(problems.ranked()[0].goes_with.len(), expected, "{is_probe}");
    }
}

#[test]
fn failures_of_one_server_of_several() {
    let others: Vec<_> = (3..6).flat_map(|server| spread(Tried { server, ..WELL }, 30, 8)).collect();
    let failed = spread(FAILED, 12, 8);
    let server = Endpoint { address: [10, 0, 0, 2].into(), port: 80 };
    assert_eq!(found(&[&failed, &others]), [(Property::Server(server, 4), (12, 12), (0, 90))]);
    let fail_too: Vec<_> = others.iter().map(|one| Tried { rule: FAILED.rule, ..*one }).collect();
    assert_eq!(properties(&[&failed, &fail_too]), [], "all of them do");
}

/// Another port is another service.
#[test]
fn servers_of_another_port_are_not_compared() {
    let mut problems = Problems::default();
    let failed = spread(FAILED, 12, 8);
    let others: Vec<_> = (3..6).flat_map(|server| spread(Tried { server, ..WELL }, 30, 8)).collect();
    (1..).zip(&failed).for_each(|(number, one)| problems.add(&one.connection(number)));
    for (number, one) in (100..).zip(&others) {
        let mut one = one.connection(number);
        one.endpoints[1].port = 81;
        problems.add(&one);
    }
    assert!(problems.ranked()[0].goes_with.is_empty());
}

#[test]
fn failures_of_one_direction() {
    let down = spread(WELL, 80, 8);
    let up = spread(Tried { bytes: UPLOAD, ..FAILED }, 12, 8);
    let uploads = Property::Direction(Server);
    assert!(properties(&[&up, &down]).contains(&uploads));
    let turned: Vec<_> = down.iter().map(|one| Tried { rule: FAILED.rule, ..*one }).collect();
    let well_up: Vec<_> = up.iter().map(|one| Tried { rule: None, ..*one }).collect();
    assert!(properties(&[&turned, &well_up]).contains(&Property::Direction(Client)));
    // One in ten uploads arrives, or two.
    let well = |count| spread(Tried { bytes: UPLOAD, ..WELL }, count, 1);
    assert!(properties(&[&up, &down, &well(1)]).contains(&uploads), "GOES_WITH");
    assert!(!properties(&[&up, &down, &well(2)]).contains(&uploads), "GOES_WITH");
    // A failure before the answer is not an upload.
    let cut = spread(Tried { bytes: [300, 0], ..FAILED }, 12, 8);
    assert_eq!(properties(&[&cut, &down]), []);
    let of_size = |bytes| spread(Tried { bytes: [bytes, 300], ..FAILED }, 12, 8);
    let least = crate::thresholds::BULK.get();
    let is_upload = |bytes| properties(&[&of_size(bytes), &down]).contains(&uploads);
    assert!(is_upload(least) && !is_upload(least - 1), "BULK");
    let even = spread(Tried { bytes: [300, 300], ..FAILED }, 12, 8);
    assert_eq!(properties(&[&even, &down]), [], "as much each way");
}

#[test]
fn failures_of_a_size() {
    let small = spread(Tried { bytes: [999, 50_000], ..WELL }, 80, 8);
    let large = |count| spread(Tried { bytes: [1_000, 50_000], ..FAILED }, count, 8);
    let size = (Property::Size(Server, 1_000), (12, 12), (0, 80));
    assert_eq!(found(&[&large(12), &small]), [size]);
    let also = |count| spread(Tried { bytes: [5_000, 50_000], ..WELL }, count, 1);
    assert_eq!(properties(&[&large(12), &small, &also(1)]).len(), 1, "GOES_WITH");
    assert_eq!(properties(&[&large(12), &small, &also(2)]), [], "GOES_WITH");
    let answers = spread(Tried { bytes: [300, 200_001], ..FAILED }, 12, 8);
    assert_eq!(properties(&[&answers, &spread(WELL, 80, 8)]), [Property::Size(Client, 200_001)]);
    // A client without data is not one with less data.
    let silent = spread(Tried { bytes: [0, 50_000], ..WELL }, 80, 8);
    assert_eq!(properties(&[&large(12), &silent]), []);
    let nothing = spread(Tried { bytes: [0, 0], ..FAILED }, 12, 8);
    assert_eq!(properties(&[&nothing, &small]), [], "failures without data have no size");
}

/// The least likely property comes first, and at most two are named.
#[test]
fn two_are_named_at_most() {
    let down = spread(Tried { client: 100, ..WELL }, 80, 8);
    let up = spread(Tried { bytes: UPLOAD, ..FAILED }, 12, 1);
    let named = properties(&[&up, &down]);
    assert_eq!(named.len(), MOST_NAMED);
    assert!(named.iter().all(|one| !matches!(one, Property::Client(_))), "one of nine clients is likelier: {named:?}");
}

#[test]
fn ids_are_stable() {
    assert_eq!([Server, Client].map(Toward::id), ["to_server", "to_client"]);
}
