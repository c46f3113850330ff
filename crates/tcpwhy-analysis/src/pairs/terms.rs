//! Tests of each condition of a pair's pattern: one of them fails if a condition is removed or a boundary
//! moves.

use tcpwhy_model::{Cause, Limit, Severity, Span};

use super::*;
use crate::outcome::testing::{at, connection, end};
use crate::outcome::{HalfConnection, Role, Side};
use crate::problems::testing::{finding, half};

const SECOND: u64 = 1_000_000_000;

/// A direction whose data ends after `seconds` seconds.
fn direction(sender: Side, bytes: u64, seconds: i64) -> HalfConnection {
    let mut half = half(Role::Client, None, &[(seconds, Cause::plain(Limit::Path))], Vec::new());
    (half.sender, half.bytes, half.mss) = (sender, bytes, Some(1000));
    half
}

/// A connection that lasted for 10 s, with ten segments in each direction in 2 s and 3 s.
fn short() -> Connection {
    connection(end(1, 40_000), end(2, 80), vec![direction(Side::A, 10_000, 2), direction(Side::B, 10_000, 3)])
}

fn facts(connections: &[Connection]) -> PairFacts {
    let mut pairs = Pairs::default();
    for connection in connections {
        pairs.add(connection);
    }
    let ((client, server), sums) = pairs.found.iter().next().unwrap();
    sums.facts(*client, *server)
}

#[test]
fn a_short_connection_has_an_initial_window_of_data_each_way() {
    let with = |change: fn(&mut Connection)| {
        let mut connection = short();
        change(&mut connection);
        is_short(&connection)
    };
    for (what, change, expected) in [
        ("ten segments each way", (|_| ()) as fn(&mut Connection), true),
        ("a byte more of the client", |c| c.halves[0].bytes += 1, false),
        ("a byte more of the server", |c| c.halves[1].bytes += 1, false),
        ("no size of segments", |c| c.halves[0].mss = None, false),
        ("it is open", |c| c.ending = Ending::Open, false),
        ("one end closed it", |c| c.ending = Ending::HalfClosed, true),
        ("it was reset", |c| c.ending = Ending::Reset(Side::A), true),
        ("one direction only", |c| c.halves.truncate(1), false),
    ] {
        assert_eq!(with(change), expected, "{what}");
    }
    assert_eq!(REQUEST_SEGMENTS.get(), 10);
}

#[test]
fn sums_of_a_pair() {
    let mut second = short();
    second.span = Span::new(at(20), at(30));
    for half in &mut second.halves {
        half.span = Span::new(at(20), at(21));
    }
    second.rtt_min = Some(5_000_000);
    let mut long = short();
    (long.halves[0].bytes, long.span) = (99_000, Span::new(at(-9), at(99)));
    let found = facts(&[short(), second, long]);
    assert_eq!((found.connections, found.short), (3, 2));
    assert_eq!((found.setup, found.setup_round_trips), (25_000_000, 1), "a round trip of each short one");
    assert_eq!(found.spent, 3 * SECOND + SECOND, "until the last data of either direction");
    assert_eq!(found.extent, 21 * SECOND, "from the first to the last data of short ones");
    assert_eq!((found.bytes, found.client, found.server), (40_000, end(1, 0).address, end(2, 80)));
    let mut later = short();
    later.span = Span::new(at(5), at(30));
    assert_eq!(facts(&[later, short()]).extent, 3 * SECOND, "the first of them is not the first that came");
    let mut untimed = short();
    untimed.rtt_min = None;
    assert_eq!((facts(std::slice::from_ref(&untimed)).connections, facts(&[untimed]).short), (1, 0), "no round trip");
}

/// TLS needs a second round trip before the first request.
#[test]
fn tls_ports_take_two_round_trips() {
    let setup = |port| {
        let mut connection = short();
        connection.endpoints[1].port = port;
        let found = facts(&[connection]);
        (found.setup_round_trips, found.setup / 1_000_000)
    };
    for port in [443, 465, 563, 636, 853, 989, 990, 992, 993, 995, 5061, 5671, 8883] {
        assert_eq!(setup(port), (2, 40), "port {port}");
    }
    for port in [80, 442, 444, 8443] {
        assert_eq!(setup(port), (1, 20), "port {port}");
    }
}

#[test]
fn pairs_are_of_a_client_and_a_server() {
    let pairs = |connections: &[Connection]| {
        let mut pairs = Pairs::default();
        for connection in connections {
            pairs.add(connection);
        }
        pairs.found.into_keys().collect::<Vec<_>>()
    };
    let mut other_port = short();
    other_port.endpoints[0].port = 40_001;
    assert_eq!(pairs(&[short(), other_port]), [(end(1, 0).address, end(2, 80))], "ports of a client are one pair");
    let turned = Connection { initiator: Some(Side::B), endpoints: [end(2, 80), end(1, 40_000)], ..short() };
    assert_eq!(pairs(&[turned]), [(end(1, 0).address, end(2, 80))], "the server sent the first packet");
    assert_eq!(pairs(&[Connection { initiator: None, ..short() }]), [], "nobody is known to have opened it");
    assert_eq!(pairs(&[Connection { halves: Vec::new(), ..short() }]), [], "nothing was carried");
}

/// Connections that failed in the same way, by rule.
#[test]
fn cuts_of_a_pair() {
    let cut = |rule, bytes, seconds, first_packet, fixes| {
        let mut connection = short();
        let found = tcpwhy_model::Finding { seconds, ..finding(rule, Severity::Warning, fixes, None) };
        (connection.findings, connection.first_packet) = (vec![found], first_packet);
        connection.halves[0].bytes = bytes;
        connection
    };
    let found = facts(&[
        cut("peer-silent", 500, Some(2.0), 9, 0),
        cut("peer-silent", 100, Some(1.0), 3, 1),
        cut("peer-silent", 900, None, 5, 0),
        cut("idle-timeout", 7, Some(-1.0), 2, 0),
        short(),
    ]);
    let cuts: Vec<_> = found.cuts.iter().map(|cut| (cut.rule, cut.count, cut.least, cut.most, cut.nanos)).collect();
    assert_eq!(
        cuts,
        [("idle-timeout", 1, 10_007, 10_007, 0), ("peer-silent", 3, 10_100, 10_900, 3 * SECOND),],
        "both directions' bytes: the least and the most"
    );
    let first: Vec<_> = found.cuts.iter().map(|cut| (cut.first_packet, cut.fix.is_some())).collect();
    assert_eq!(first, [(2, false), (3, true)], "what the first of them proposes");
}

/// `MOST_FINDINGS`, most severe first, then by time.
#[test]
fn twenty_findings_of_pairs() {
    let of_pair = |client: u8, count: u16, rtt: u64| {
        (0..count).map(move |n| {
            let mut connection = short();
            connection.endpoints[0] = end(client, 40_000 + n);
            connection.span = Span::new(at(i64::from(n)), at(i64::from(n) + 1));
            for half in &mut connection.halves {
                half.span = Span::new(at(i64::from(n)), at(i64::from(n) + 1));
            }
            connection.rtt_min = Some(rtt);
            connection
        })
    };
    let mut pairs = Pairs::default();
    for client in 1..=21 {
        for connection in of_pair(client, 12, 500_000_000 + u64::from(client)) {
            pairs.add(&connection);
        }
    }
    let (findings, more) = pairs.findings();
    assert_eq!((findings.len(), more, MOST_FINDINGS), (20, 1, 20));
    let seconds: Vec<_> = findings.iter().filter_map(|finding| finding.seconds).collect();
    assert!(seconds.is_sorted_by(|a, b| a >= b) && seconds.len() == 20, "most time first: {seconds:?}");
    for connection in of_pair(30, 12, 500_000_000) {
        let cut = tcpwhy_model::Finding { seconds: Some(0.0), ..finding("peer-silent", Severity::Critical, 0, None) };
        pairs.add(&Connection { findings: vec![cut], ..connection });
    }
    let (findings, _) = pairs.findings();
    let gravest = (findings[0].rule, findings[0].seconds, findings[1].severity);
    assert_eq!(gravest, ("cut-alike", Some(0.0), Severity::Info), "gravest first, however little time it took");
}

/// `MOST_PAIRS`: the lowest stay.
#[test]
fn no_more_pairs_are_kept() {
    let mut pairs = Pairs::default();
    for n in 0..=MOST_PAIRS as u16 {
        let mut connection = connection(end(1, 9), end(2, n), vec![direction(Side::A, 10, 1)]);
        connection.first_packet = u64::from(n);
        pairs.add(&connection);
    }
    assert_eq!((pairs.found.len(), MOST_PAIRS), (10_000, 10_000));
    assert!(pairs.found.keys().all(|(_, server)| server.port < 10_000), "the highest is dropped");
}
