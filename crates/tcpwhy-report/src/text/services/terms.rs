//! Tests of each column of the table of services: mixing two numbers up fails a test.

use tcpwhy_analysis::testing::half;
use tcpwhy_analysis::{
    Close, Connection, Ending, Exchanges, Known, Opening, Parts, Pattern, Role, Services, Side, VantageEstimate,
};
use tcpwhy_model::{Basis, Cause, Endpoint, Limit, Span, Timestamp};

use super::*;
use crate::{Catalogue, Language};

const SECOND: i64 = 1_000_000_000;

/// Twenty exchanges, most of which last 30 ms, the slowest two 90 ms.
fn exchanges() -> Exchanges {
    let (mut times, mut responses) = (Sketch::default(), Sketch::default());
    times.add(10_000_000, 2.0);
    times.add(30_000_000, 16.0);
    times.add(90_000_000, 2.0);
    responses.add(5_000_000, 20.0);
    Exchanges {
        client: Side::A,
        known: Known::Port,
        pattern: Pattern::RequestResponse,
        count: 20,
        request_bytes: 1,
        answer_bytes: 1,
        opening: Opening::default(),
        parts: Parts {
            client: SECOND,
            client_least: 100 * SECOND,
            server: 2 * SECOND,
            server_least: 100 * SECOND,
            pauses: 3 * SECOND,
            round_trips: 10 * SECOND,
            requests: 20 * SECOND,
            answers: 40 * SECOND,
            retransmission: 100 * SECOND,
        },
        times,
        responses,
        limits: Vec::new(),
        slowest: Vec::new(),
    }
}

fn connection(exchanges: Option<Exchanges>, ending: Ending) -> Connection {
    let mut answers = half(Role::Server, None, &[(9, Cause::plain(Limit::Path))], Vec::new());
    answers.sender = Side::B;
    let end = |host: u8, port| Endpoint { address: [10, 0, 0, host].into(), port };
    Connection {
        id: 1,
        endpoints: [end(1, 40_000), end(2, 80)],
        initiator: Some(Side::A),
        span: Span::new(Timestamp::ZERO, Timestamp::from_nanos(9 * SECOND)),
        first_packet: 1,
        packets: [5, 5],
        vantage: VantageEstimate { near: None, is_middle: false, basis: Basis::WireInferred },
        ending,
        close: Close::default(),
        halves: vec![answers],
        exchanges: exchanges.map(Box::new),
        findings: Vec::new(),
        rtt_min: None,
        kernel: None,
        server_name: None,
        served_by: None,
        has_wrong_clock: false,
        awaited: None,
    }
}

#[test]
fn columns_of_a_service() {
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    let row = |connections: &[Connection]| {
        let mut services = Services::default();
        for connection in connections {
            services.add(connection);
        }
        cells(wording, services.ranked()[0])
    };
    let units = wording.units();
    let found = row(&[
        connection(Some(exchanges()), Ending::Closed),
        connection(None, Ending::Reset(Side::A)),
        connection(None, Ending::Reset(Side::B)),
    ]);
    let expected = [
        ("service", "10.0.0.2:80".to_owned()),
        ("connections", units.count(3)),
        ("failed: none", String::new()),
        ("reset, by either end", units.count(2)),
        ("bytes", units.bytes(3_000_000)),
        ("requests", units.count(20)),
        ("the median of their times", units.nanos(30_000_000)),
        ("the time that 95 % are within", units.nanos(90_000_000)),
        ("the server, until and within its answers", units.nanos(5 * SECOND)),
        ("the network: round trips and both transfers", units.nanos(70 * SECOND)),
        ("the client", units.nanos(SECOND)),
    ];
    assert_eq!(found.len(), expected.len());
    for ((what, expected), found) in expected.into_iter().zip(found) {
        assert_eq!(found, expected, "{what}");
    }
    let empty = row(&[connection(None, Ending::Closed)]);
    assert_eq!(empty[5..], [const { String::new() }; 6], "no requests, no times");
}

#[test]
fn columns_that_go_first() {
    assert_eq!((MOST, EXPENDABLE), (10, [10, 9, 8, 5, 7]));
}

#[test]
fn a_wrong_clock_gives_no_times() {
    let catalogue = Catalogue::new(Language::English);
    let mut services = Services::default();
    let wrong = Connection { has_wrong_clock: true, ..connection(Some(exchanges()), Ending::Closed) };
    services.add(&wrong);
    let found = cells(Wording::new(&catalogue), services.ranked()[0]);
    assert_eq!((found[1].as_str(), found[5].as_str()), ("1", "20"));
    assert_eq!(found[6..], [const { String::new() }; 5]);
}
