//! The server of connections whose start was not captured, as other connections show it.

use std::collections::{BTreeMap, BTreeSet};

use tcpwhy_model::Endpoint;

use crate::diagnosis::RULES;
use crate::outcome::Connection;
use crate::serving::surely_serving_by_ports;
use crate::side::Side;
use crate::thresholds::SERVES_PEERS;

/// Number of ends that are kept. The lowest in order stay, so the order of connections does not matter.
const MOST_ENDS: usize = 10_000;
/// The rule about unanswered requests: a message of the server is not a request.
const UNANSWERED_RULE: &str = "request-unanswered";

/// Ends that answered a SYN.
#[derive(Debug, Default)]
pub(super) struct Serving {
    answered: BTreeSet<Endpoint>,
}

impl Serving {
    /// Records the end of `connection` that answered its SYN.
    pub(super) fn note(&mut self, connection: &Connection) {
        if let Some(server) = connection.answered_by() {
            self.answered.insert(server);
            if self.answered.len() > MOST_ENDS {
                self.answered.pop_last();
            }
        }
    }

    /// Corrects the server of connections whose start was not captured, if others show it.
    pub(super) fn settle<'a>(&self, connections: impl Iterator<Item = &'a mut Connection>) {
        let mut open: Vec<_> = connections.filter(|connection| is_open(connection)).collect();
        let mut peers: BTreeMap<Endpoint, BTreeSet<Endpoint>> = BTreeMap::new();
        for connection in &open {
            let [a, b] = connection.endpoints;
            peers.entry(a).or_default().insert(b);
            peers.entry(b).or_default().insert(a);
        }
        let count = |end: &Endpoint| peers.get(end).map_or(0, |peers| peers.len() as u64);
        for connection in &mut open {
            let ends = connection.endpoints;
            let by_syn = only(ends.map(|end| self.answered.contains(&end)));
            let by_peers = only(ends.map(|end| count(&end) >= SERVES_PEERS.get()))
                .filter(|side| count(&ends[side.peer().index()]) == 1);
            if let Some(server) = by_syn.or(by_peers).filter(|&server| server != connection.server()) {
                turn(connection, server);
            }
        }
    }
}

/// Whether other connections may show the server of `connection`.
pub(super) fn is_open(connection: &Connection) -> bool {
    let ports = connection.endpoints.map(|end| end.port);
    connection.initiator.is_none() && !connection.halves.is_empty() && surely_serving_by_ports(ports).is_none()
}

fn only(ends: [bool; 2]) -> Option<Side> {
    match ends {
        [true, false] => Some(Side::A),
        [false, true] => Some(Side::B),
        [true, true] | [false, false] => None,
    }
}

/// Corrects the server. Findings about requests are removed, because they regarded the server's messages as
/// requests.
fn turn(connection: &mut Connection, server: Side) {
    connection.served_by = Some(server);
    if connection.exchanges.take_if(|exchanges| exchanges.client == server).is_some() {
        let is_about_requests = |rule: &str| {
            rule == UNANSWERED_RULE || RULES.iter().any(|known| known.id == rule && known.is_about_requests())
        };
        connection.findings.retain(|finding| !is_about_requests(finding.rule));
        for half in &mut connection.halves {
            half.findings.retain(|finding| !is_about_requests(finding.rule));
        }
    }
}

#[cfg(test)]
mod terms;
