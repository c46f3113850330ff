//! Neighbours: other traffic on the path while it limited a transfer. These are other connections, UDP and
//! other protocols of the capture.
//!
//! Flows to the host that receives the transfer share its last link. Flows from the host that sends it share
//! its first link. Bytes count only while the path limited the transfer. A common bottleneck is claimed only
//! if the rates show it (`sharing.rs`).

mod passing;
mod sharing;

use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{ByteSlots, Cause, Detail, Family, Finding, Flow, Span, Traffic, Transport};

use crate::diagnosis::diagnose_neighbours;
use crate::diagnosis::neighbour_facts::{Neighbour, NeighbourFacts, SharedEnd};
use crate::outcome::{Connection, HalfConnection};
use crate::thresholds::{BULK, NEIGHBOUR_TIME};
use passing::{Passage, Passing, flow_of, passage_of};
use sharing::{is_link_empty, shares_link};

/// Number of transfers whose neighbours are searched: those that the path limited longest.
const MOST_TRANSFERS: usize = 1_000;

/// Traffic that passed during connections.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    passing: Passing,
}

/// A unit of traffic: a direction of a connection, a flow of another protocol, or many small ones.
#[derive(Clone, Copy)]
struct Passed<'a> {
    transport: Transport,
    /// `None` for many small flows, whose bytes have one receiver.
    flow: Option<Flow>,
    to: IpAddr,
    /// Number of the first packet of a connection; 0 for other flows.
    first_packet: u64,
    flows: u64,
    bytes: &'a ByteSlots,
}

impl Neighbours {
    /// Records the data of `connection`.
    pub(super) fn note(&mut self, connection: &Connection) {
        for half in &connection.halves {
            self.passing.add(connection, half);
        }
    }

    /// Adds findings about neighbours to the transfers among `connections` that the path limited. `traffic`
    /// is the traffic other than TCP.
    pub(super) fn settle(mut self, connections: &mut [&mut Connection], traffic: &Traffic) {
        self.passing.shed();
        let passed = self.passed(traffic);
        let (mut by_receiver, mut by_sender) = (BTreeMap::new(), BTreeMap::new());
        for one in &passed {
            by_receiver.entry(one.to).or_insert_with(Vec::new).push(*one);
            if let Some(flow) = one.flow {
                by_sender.entry(flow.from.address).or_insert_with(Vec::new).push(*one);
            }
        }
        let mut transfers: Vec<_> = (0..connections.len())
            .flat_map(|at| connections[at].halves.iter().enumerate().map(move |(index, half)| (at, index, half)))
            .filter(|(_, _, half)| is_held(half))
            .map(|(at, index, half)| (held_nanos(half), at, index))
            .collect();
        transfers.sort_unstable_by_key(|&(nanos, at, index)| (std::cmp::Reverse(nanos), at, index));
        transfers.truncate(MOST_TRANSFERS);
        for (_, at, index) in transfers {
            let connection = &*connections[at];
            let half = &connection.halves[index];
            let flow = flow_of(connection, half);
            // On loopback, both directions go from one address to itself, and there is no link in between.
            if flow.from.address == flow.to.address {
                continue;
            }
            let transfer = Transfer { connection, half, flow, own: passage_of(connection, half), held: held(half) };
            let found = transfer.finding(by_receiver.get(&flow.to.address), SharedEnd::Receiver);
            let found = found.or_else(|| transfer.finding(by_sender.get(&flow.from.address), SharedEnd::Sender));
            if let Some(found) = found {
                connections[at].halves[index].findings.push(found);
            }
        }
    }

    fn passed<'a>(&'a self, traffic: &'a Traffic) -> Vec<Passed<'a>> {
        let one = |flow: Flow, first_packet, bytes| Passed {
            transport: flow.transport,
            flow: Some(flow),
            to: flow.to.address,
            first_packet,
            flows: 1,
            bytes,
        };
        let connections =
            self.passing.passages().map(|passage| one(passage.flow, passage.first_packet, &passage.bytes));
        let besides = traffic.flows().map(|(flow, bytes)| one(flow, 0, bytes));
        let crowds = self.passing.crowds().chain(traffic.crowds());
        let crowds = crowds.map(|(transport, to, crowd)| {
            let (flows, bytes) = (crowd.flows, &crowd.bytes);
            Passed { transport, flow: None, to, first_packet: 0, flows, bytes }
        });
        let mut all: Vec<_> = connections.chain(besides).chain(crowds).collect();
        // Flows of a capture come in the order of hashes, whose key differs in each run.
        all.sort_by_key(|passed| (passed.transport, passed.flow, passed.to, passed.first_packet));
        all
    }
}

/// Whether other connections may show who shared the path with a direction of `connection`.
pub(super) fn is_open(connection: &Connection) -> bool {
    connection.halves.iter().any(is_held)
}

/// A direction that the path limited.
struct Transfer<'a> {
    connection: &'a Connection,
    half: &'a HalfConnection,
    flow: Flow,
    own: Passage,
    /// The times at which the path limited it, in order.
    held: Vec<Span>,
}

impl Transfer<'_> {
    /// Returns the finding about the traffic among `passed` that shares `end` with it.
    fn finding(&self, passed: Option<&Vec<Passed<'_>>>, end: SharedEnd) -> Option<Finding> {
        let nanos: i64 = self.held.iter().map(|span| span.nanos()).sum();
        let mut neighbours: BTreeMap<_, Neighbour> = BTreeMap::new();
        let mut together = Vec::new();
        for passed in passed?.iter().filter(|passed| self.is_other(passed, end)) {
            // Slots that are longer than all that time do not show the traffic within it.
            if passed.bytes.width() > nanos {
                continue;
            }
            let bytes = passed.bytes.within(&self.held);
            if bytes < 1.0 {
                continue;
            }
            together.push((passed.bytes, bytes));
            let hosts = passed.flow.map(|flow| (flow.from.address, flow.to.address));
            let key = (passed.transport, hosts, passed.to);
            let neighbour = neighbours.entry(key).or_insert_with(|| Neighbour {
                transport: passed.transport,
                flow: passed.flow,
                to: passed.to,
                flows: 0,
                bytes: 0.0,
                is_of_same_hosts: hosts == Some((self.flow.from.address, self.flow.to.address)),
            });
            neighbour.flows += passed.flows;
            neighbour.bytes += bytes;
        }
        if is_link_empty(&self.own, &together, &self.held, self.half) {
            return None;
        }
        let own = self.own.bytes.within(&self.held);
        let mut neighbours: Vec<Neighbour> = neighbours.into_values().collect();
        neighbours.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
        let is_shared = shares_link(&self.own, &together, &self.held, self.half);
        diagnose_neighbours(&NeighbourFacts { own, nanos, neighbours, end, is_shared })
    }

    /// Whether it is not a direction of the transfer's own connection, and shares only `end`.
    fn is_other(&self, passed: &Passed<'_>, end: SharedEnd) -> bool {
        let is_own = passed.transport == Transport::Tcp && passed.first_packet == self.connection.first_packet;
        let is_own = is_own && passed.flow.is_some();
        !is_own && (end == SharedEnd::Receiver || passed.to != self.flow.to.address)
    }
}

/// Whether the verdict names the path, and the path limited `half` long enough to compare rates. A few
/// packets have no rate.
fn is_held(half: &HalfConnection) -> bool {
    let is_named = half.verdict.cause.is_some_and(is_of_path);
    is_named && half.bytes >= BULK && held_nanos(half) >= NEIGHBOUR_TIME
}

fn held_nanos(half: &HalfConnection) -> i64 {
    half.limits.sum(is_of_path).0
}

/// Whether the cause is losses or queues on the path of the data. On the path of the ACKs, flows of the other
/// direction matter. Spurious retransmissions do not show a full path.
fn is_of_path(cause: Cause) -> bool {
    let is_elsewhere = matches!(cause.detail, Some(Detail::AckQueue | Detail::LostAcks | Detail::Spurious));
    !is_elsewhere && matches!(cause.family(), Some(Family::Loss | Family::Path))
}

/// Returns the times at which the path limited `half`, in order and merged.
fn held(half: &HalfConnection) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for interval in half.limits.intervals().iter().filter(|interval| is_of_path(interval.cause)) {
        match spans.last_mut() {
            Some(last) if last.end() >= interval.span.start() => *last = Span::new(last.start(), interval.span.end()),
            _ => spans.push(interval.span),
        }
    }
    spans
}

#[cfg(test)]
mod tests;
