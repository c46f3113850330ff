//! Connections for tests.

use std::net::IpAddr;

use tcpwhy_model::{Basis, Endpoint, Span, Timestamp};

use super::{Close, Connection, Ending, HalfConnection, Side, VantageEstimate};

/// Seconds after the start of all captures.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_nanos(seconds * 1_000_000_000)
}

pub(crate) fn end(host: u8, port: u16) -> Endpoint {
    Endpoint { address: IpAddr::from([10, 0, 0, host]), port }
}

/// A connection of `client` to `server`, from 0 s to 10 s, closed by both. The client sent the first packet.
pub(crate) fn connection(client: Endpoint, server: Endpoint, halves: Vec<HalfConnection>) -> Connection {
    Connection {
        id: 0,
        endpoints: [client, server],
        initiator: Some(Side::A),
        span: Span::new(at(0), at(10)),
        first_packet: 1,
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
