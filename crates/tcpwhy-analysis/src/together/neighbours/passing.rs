//! The directions of a capture's connections: the largest ones separately, smaller ones summed by receiver.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{ByteSlots, Crowd, Flow, Traffic, Transport};

use crate::outcome::{Connection, HalfConnection};

/// Number of directions that are kept separately, the same as for other protocols. Up to twice that number is
/// kept before the smaller half is removed.
const MOST_PASSAGES: usize = Traffic::FLOWS;
/// Number of hosts whose small directions are kept. The lowest in order stay, so the order of connections
/// does not matter.
const MOST_HOSTS: usize = Traffic::HOSTS;
/// A direction with less payload is ignored, bytes: a request of one packet, or a few messages.
const LEAST_PAYLOAD: u64 = 1_500;
/// Bytes of a TCP header without options.
const TCP_HEADER: u64 = 20;
/// Payload of a packet if nothing shows it, bytes: that of Ethernet.
const USUAL_MSS: u64 = 1_460;

/// Traffic of one direction of a connection, including headers.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    pub(super) flow: Flow,
    pub(super) first_packet: u64,
    pub(super) total: u64,
    pub(super) bytes: ByteSlots,
}

/// All directions.
#[derive(Debug, Default)]
pub(super) struct Passing {
    passages: Vec<Passage>,
    crowds: BTreeMap<IpAddr, Crowd>,
}

impl Passing {
    pub(super) fn add(&mut self, connection: &Connection, half: &HalfConnection) {
        if half.bytes < LEAST_PAYLOAD {
            return;
        }
        self.passages.push(passage_of(connection, half));
        if self.passages.len() >= 2 * MOST_PASSAGES {
            self.shed();
        }
    }

    /// Keeps only the largest ones. Each is complete, so the order of connections does not matter.
    pub(super) fn shed(&mut self) {
        if self.passages.len() <= MOST_PASSAGES {
            return;
        }
        let order = |passage: &Passage| (Reverse(passage.total), passage.first_packet, passage.flow);
        self.passages.select_nth_unstable_by_key(MOST_PASSAGES, order);
        for passage in self.passages.drain(MOST_PASSAGES..) {
            let crowd = self.crowds.entry(passage.flow.to.address).or_default();
            crowd.flows += 1;
            crowd.bytes.absorb(&passage.bytes);
            if self.crowds.len() > MOST_HOSTS {
                self.crowds.pop_last();
            }
        }
    }

    pub(super) fn passages(&self) -> impl Iterator<Item = &Passage> {
        self.passages.iter()
    }

    pub(super) fn crowds(&self) -> impl Iterator<Item = (Transport, IpAddr, &Crowd)> {
        self.crowds.iter().map(|(to, crowd)| (Transport::Tcp, *to, crowd))
    }
}

/// Returns the flow of `half` of `connection`.
pub(super) fn flow_of(connection: &Connection, half: &HalfConnection) -> Flow {
    let [from, to] = [half.sender, half.sender.peer()].map(|side| connection.endpoints[side.index()]);
    Flow { transport: Transport::Tcp, from, to }
}

/// Returns the traffic of `half`, including retransmissions.
pub(super) fn passage_of(connection: &Connection, half: &HalfConnection) -> Passage {
    let flow = flow_of(connection, half);
    let payload = half.bytes.saturating_add(half.retransmitted_bytes);
    let packets = payload.div_ceil(half.mss.unwrap_or(USUAL_MSS).max(1)).max(half.segments);
    let ip_header = if flow.to.address.is_ipv4() { 20 } else { 40 };
    let total = payload.saturating_add(packets.saturating_mul(ip_header + TCP_HEADER));
    let bytes = if let Some(progress) = &half.progress {
        progress.as_ref().clone().scaled_to(total)
    } else {
        ByteSlots::evenly(half.span, total)
    };
    Passage { flow, first_packet: connection.first_packet, total, bytes }
}
