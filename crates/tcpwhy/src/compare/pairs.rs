//! Which connections of two captures belong together.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

use tcpwhy_analysis::{Connection, Crossing, FlowMarks};
use tcpwhy_model::{Endpoint, SeqNum};
use tcpwhy_report::compare::{CompareMode, ComparedPair};

use super::Side;

/// The pairs with data, most bytes first, and what they are: the same connections at two places, if there are any; else those
/// between the same hosts for the same port, the first with the first, and so on.
pub(super) fn find(sides: &[Side; 2]) -> (CompareMode, Vec<ComparedPair>) {
    let (mode, mut pairs) = match same_connections(sides) {
        pairs if pairs.is_empty() => {
            let pairs = like_connections(sides);
            (if pairs.len() == 1 { CompareMode::Connections } else { CompareMode::Captures }, pairs)
        }
        pairs => (CompareMode::Ends, pairs),
    };
    let bytes = |pair: &ComparedPair| pair.connections[0].halves.iter().map(|half| half.bytes).sum::<u64>();
    pairs.sort_by_key(|pair| (Reverse(bytes(pair)), pair.connections[0].id));
    (mode, pairs)
}

/// What may be looked for: a SYN's number and the port that it went to, or the ends.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Syn(u32, u16),
    Ends([Endpoint; 2]),
}

fn keys(flow: &FlowMarks) -> impl Iterator<Item = Key> {
    let mut ends = flow.ends;
    ends.sort_unstable();
    let syn = flow.isn.map(|SeqNum(isn)| Key::Syn(isn, flow.ends[1].port));
    // Whose ends are the same comes first: what translates addresses is rarer than numbers that repeat.
    [Key::Ends(ends)].into_iter().chain(syn)
}

fn same_connections([a, b]: &[Side; 2]) -> Vec<ComparedPair> {
    let mut candidates: HashMap<Key, Vec<usize>> = HashMap::new();
    for (index, flow) in b.flows.iter().enumerate() {
        for key in keys(flow) {
            candidates.entry(key).or_default().push(index);
        }
    }
    let [in_a, in_b] = [a, b].map(|side| {
        let with_data = side.connections.iter().filter(|c| !c.halves.is_empty());
        with_data.map(|c| (c.first_packet, c)).collect::<HashMap<u64, &Connection>>()
    });
    let mut is_used = vec![false; b.flows.len()];
    let mut pairs = Vec::new();
    for flow in &a.flows {
        let of_keys = keys(flow).filter_map(|key| candidates.get(&key)).flatten().copied();
        let mut matching = of_keys.filter(|&index| !is_used[index] && flow.is_same(&b.flows[index]));
        let Some(index) = matching.next() else { continue };
        drop(matching);
        let other = &b.flows[index];
        let (Some(&first), Some(&second)) = (in_a.get(&flow.first_packet), in_b.get(&other.first_packet)) else {
            continue;
        };
        is_used[index] = true;
        let crossing = flow.crossing(other).map(|crossing| as_ends_of(first, flow, crossing));
        pairs.push(ComparedPair { connections: [first.clone(), second.clone()], crossing });
    }
    pairs
}

/// `crossing` with the ends in the order that they have in `connection`.
fn as_ends_of(connection: &Connection, flow: &FlowMarks, crossing: Crossing) -> Crossing {
    if flow.ends == connection.endpoints {
        return crossing;
    }
    let [first, second] = crossing.ways;
    Crossing { first_near: 1 - crossing.first_near, ways: [second, first], ..crossing }
}

fn like_connections([a, b]: &[Side; 2]) -> Vec<ComparedPair> {
    let with_data = |side: &'_ Side| -> Vec<Connection> {
        side.connections.iter().filter(|c| !c.halves.is_empty()).cloned().collect()
    };
    let (first, second) = (with_data(a), with_data(b));
    if let ([one], [other]) = (&first[..], &second[..]) {
        return vec![ComparedPair { connections: [one.clone(), other.clone()], crossing: None }];
    }
    let mut waiting: HashMap<(IpAddr, Endpoint), VecDeque<Connection>> = HashMap::new();
    for connection in second {
        waiting.entry(between(&connection)).or_default().push_back(connection);
    }
    let pair = |one: Connection| {
        let other = waiting.get_mut(&between(&one))?.pop_front()?;
        Some(ComparedPair { connections: [one, other], crossing: None })
    };
    first.into_iter().filter_map(pair).collect()
}

/// The client's address, and the server; where the handshake was not captured, the one of the lower port.
fn between(connection: &Connection) -> (IpAddr, Endpoint) {
    let [a, b] = connection.endpoints;
    let client = match connection.initiator {
        Some(side) => side.index(),
        None => usize::from(a.port < b.port),
    };
    (connection.endpoints[client].address, connection.endpoints[1 - client])
}
