//! Connections for tests of answers.

use std::net::IpAddr;

use tcpwhy_analysis::{Close, Connection, Ending, HalfConnection, Side, VantageEstimate};
use tcpwhy_model::{Basis, Endpoint, Span, Timestamp};

pub(super) const SECOND: i64 = 1_000_000_000;

/// The timestamp `nanos` nanoseconds after the first packet.
pub(super) fn at(nanos: i64) -> Timestamp {
    Timestamp::from_nanos(nanos)
}

pub(super) fn end(host: u8, port: u16) -> Endpoint {
    Endpoint { address: IpAddr::from([10, 0, 0, host]), port }
}

/// A connection of host 1 to port 80 of host 2 from 0 s to 10 s, closed by both. Its number is 7, its first
/// packet 4.
pub(super) fn connection(halves: Vec<HalfConnection>) -> Connection {
    Connection {
        id: 7,
        endpoints: [end(1, 40_000), end(2, 80)],
        initiator: Some(Side::A),
        span: Span::new(at(0), at(10 * SECOND)),
        first_packet: 4,
        packets: [10, 10],
        vantage: VantageEstimate { near: None, is_middle: false, basis: Basis::WireInferred },
        ending: Ending::Closed,
        close: Close::default(),
        halves,
        exchanges: None,
        findings: Vec::new(),
        rtt_min: Some(20_000_000),
        kernel: None,
        server_name: None,
        served_by: None,
        has_wrong_clock: false,
        awaited: None,
    }
}
