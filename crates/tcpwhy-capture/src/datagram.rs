//! Datagrams that are not TCP: only their flow and length are kept.

use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Flow, Transport};

use crate::bytes::Bytes;
use crate::network::Network;

/// A UDP datagram and its bytes including the IP header; `bytes` starts at the UDP header. `None` if too
/// little of it was captured.
pub(crate) fn udp(network: &Network, bytes: Bytes<'_>) -> Option<(Flow, u64)> {
    let [source, destination] = [bytes.u16_at(0).ok()?, bytes.u16_at(2).ok()?];
    let from = Endpoint { address: network.source, port: source };
    let to = Endpoint { address: network.destination, port: destination };
    // The first fragment has the length of the whole datagram; later ones have no ports and are not counted.
    let len = if network.is_whole { bytes.wire_len() as u64 } else { u64::from(bytes.u16_at(4).ok()?) };
    Some((Flow { transport: Transport::Udp, from, to }, len + ip_header(network)))
}

/// A datagram of a protocol that is not decoded, and its bytes including the IP header.
pub(crate) fn other(protocol: u8, network: &Network, bytes: Bytes<'_>) -> Option<(Flow, u64)> {
    let [from, to] = [network.source, network.destination].map(|address| Endpoint { address, port: 0 });
    let flow = Flow { transport: Transport::Other(protocol), from, to };
    // A fragment does not show the length of the whole datagram.
    network.is_whole.then(|| (flow, bytes.wire_len() as u64 + ip_header(network)))
}

/// Bytes of an IP header without options.
const fn ip_header(network: &Network) -> u64 {
    match network.source {
        IpAddr::V4(_) => 20,
        IpAddr::V6(_) => 40,
    }
}
