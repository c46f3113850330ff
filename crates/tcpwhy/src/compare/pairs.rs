//! Which connections of two captures belong together.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

use tcpwhy_analysis::{Connection, Crossing, FlowMarks};
use tcpwhy_model::{Endpoint, SeqNum};
use tcpwhy_report::compare::{CompareMode, ComparedPair};

use super::Side;

/// Two connections that belong together, by their places among those of their sides.
struct Match {
    places: [usize; 2],
    crossing: Option<Crossing>,
}

/// The pairs, most bytes first, and what they are: the same connections at two places, if there are any; else those between the same
/// hosts for the same port, the first with the first, and so on. Those of captures of many connections fill the memory, so they are
/// moved, not copied.
pub(super) fn find(sides: [Side; 2]) -> (CompareMode, Vec<ComparedPair>) {
    let (mode, matches) = match same_connections(&sides) {
        matches if matches.is_empty() => {
            let matches = like_connections(&sides);
            (if matches.len() == 1 { CompareMode::Connections } else { CompareMode::Captures }, matches)
        }
        matches => (CompareMode::Ends, matches),
    };
    let [mut first, mut second] =
        sides.map(|side| side.connections.into_iter().map(Some).collect::<Vec<Option<Connection>>>());
    let pair = |Match { places: [a, b], crossing }| {
        let connections = [first.get_mut(a)?.take()?, second.get_mut(b)?.take()?];
        Some(ComparedPair { connections, crossing })
    };
    let mut pairs: Vec<ComparedPair> = matches.into_iter().filter_map(pair).collect();
    let bytes = |pair: &ComparedPair| pair.connections[0].halves.iter().map(|half| half.bytes).sum::<u64>();
    pairs.sort_by_key(|pair| (Reverse(bytes(pair)), pair.connections[0].id));
    (mode, pairs)
}

/// Both ends, in their order.
type Ends = [Endpoint; 2];

/// The connections of a capture by what they may be known by. Each is looked at a few times at most, however often numbers repeat.
#[derive(Default)]
struct Candidates {
    by_ends_and_number: HashMap<(Ends, Option<SeqNum>), VecDeque<usize>>,
    /// By a SYN's number and the port that it went to.
    by_number: HashMap<(SeqNum, u16), VecDeque<usize>>,
    by_ends: HashMap<Ends, Vec<usize>>,
    is_used: Vec<bool>,
}

impl Candidates {
    fn of(flows: &[FlowMarks]) -> Self {
        let mut all = Self { is_used: vec![false; flows.len()], ..Self::default() };
        for (index, flow) in flows.iter().enumerate() {
            let ends = sorted(flow.ends);
            all.by_ends_and_number.entry((ends, flow.isn)).or_default().push_back(index);
            all.by_ends.entry(ends).or_default().push(index);
            if let Some(isn) = flow.isn {
                all.by_number.entry((isn, flow.ends[1].port)).or_default().push_back(index);
            }
        }
        all
    }

    /// The one that is the same as `flow`, once.
    fn take(&mut self, flow: &FlowMarks, flows: &[FlowMarks]) -> Option<usize> {
        let Self { by_ends_and_number, by_number, by_ends, is_used } = self;
        let ends = sorted(flow.ends);
        let first = |known: Option<&mut VecDeque<usize>>| {
            let known = known?;
            while known.front().is_some_and(|&index| is_used[index]) {
                known.pop_front();
            }
            known.front().copied().filter(|&index| flow.is_same(&flows[index]))
        };
        let found = match flow.isn {
            // Whose ends are the same comes first: what translates addresses is rarer than numbers that repeat.
            Some(isn) => first(by_ends_and_number.get_mut(&(ends, flow.isn)))
                .or_else(|| first(by_number.get_mut(&(isn, flow.ends[1].port))))
                .or_else(|| first(by_ends_and_number.get_mut(&(ends, None)))),
            // Without its SYN a four-tuple has one connection, its first.
            None => by_ends.get(&ends)?.iter().copied().find(|&i| !is_used[i] && flow.is_same(&flows[i])),
        }?;
        self.is_used[found] = true;
        Some(found)
    }
}

fn sorted(mut ends: Ends) -> Ends {
    ends.sort_unstable();
    ends
}

fn same_connections([a, b]: &[Side; 2]) -> Vec<Match> {
    let mut candidates = Candidates::of(&b.flows);
    let [in_a, in_b] = [a, b].map(|side| {
        let places = side.connections.iter().enumerate().map(|(place, c)| (c.first_packet, place));
        places.collect::<HashMap<u64, usize>>()
    });
    let mut matches = Vec::new();
    for flow in &a.flows {
        let Some(other) = candidates.take(flow, &b.flows).map(|index| &b.flows[index]) else { continue };
        let (Some(&first), Some(&second)) = (in_a.get(&flow.first_packet), in_b.get(&other.first_packet)) else {
            continue;
        };
        let crossing = flow.crossing(other).map(|crossing| as_ends_of(&a.connections[first], flow, crossing));
        matches.push(Match { places: [first, second], crossing });
    }
    matches
}

/// What two connections say together if they are one, captured at two places.
pub(super) fn crossing([a, b]: &[Side; 2], [first, second]: [&Connection; 2]) -> Option<Crossing> {
    let flow_of = |side: &'_ Side, connection: &Connection| {
        side.flows.iter().position(|flow| flow.first_packet == connection.first_packet)
    };
    let (flow, other) = (&a.flows[flow_of(a, first)?], &b.flows[flow_of(b, second)?]);
    flow.is_same(other).then(|| flow.crossing(other)).flatten().map(|crossing| as_ends_of(first, flow, crossing))
}

/// `crossing` with the ends in the order that they have in `connection`.
fn as_ends_of(connection: &Connection, flow: &FlowMarks, crossing: Crossing) -> Crossing {
    if flow.ends == connection.endpoints {
        return crossing;
    }
    let [first, second] = crossing.ways;
    Crossing { first_near: 1 - crossing.first_near, ways: [second, first], ..crossing }
}

fn like_connections([a, b]: &[Side; 2]) -> Vec<Match> {
    if let ([_], [_]) = (&a.connections[..], &b.connections[..]) {
        return vec![Match { places: [0, 0], crossing: None }];
    }
    let mut waiting: HashMap<(IpAddr, Endpoint), VecDeque<usize>> = HashMap::new();
    for (place, connection) in b.connections.iter().enumerate() {
        waiting.entry(between(connection)).or_default().push_back(place);
    }
    let other = |(place, connection)| {
        let other = waiting.get_mut(&between(connection))?.pop_front()?;
        Some(Match { places: [place, other], crossing: None })
    };
    a.connections.iter().enumerate().filter_map(other).collect()
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
