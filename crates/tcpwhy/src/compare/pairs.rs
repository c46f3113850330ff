//! Which connections of two captures belong together.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::net::IpAddr;

use tcpwhy_analysis::{Connection, Crossing, FlowMarks};
use tcpwhy_model::{Endpoint, SeqNum};
use tcpwhy_report::compare::{Brief, CompareMode};

use super::side::Side;

/// Two connections that belong together.
pub(super) struct Match {
    /// Their places among the briefs of their sides.
    pub(super) places: [u32; 2],
    /// They are one connection.
    pub(super) is_same: bool,
}

/// The pairs, most bytes first, and what they are: the same connections at two places, if there are any; else those between the same
/// hosts for the same port, the first with the first, and so on.
pub(super) fn find(sides: &[Side; 2]) -> (CompareMode, Vec<Match>) {
    let (mode, mut matches) = match same_connections(sides) {
        matches if matches.is_empty() => {
            let matches = like_connections(sides);
            (if matches.len() == 1 { CompareMode::Connections } else { CompareMode::Captures }, matches)
        }
        matches => (CompareMode::Ends, matches),
    };
    let first = |m: &Match| &sides[0].briefs[m.places[0] as usize];
    matches.sort_by_key(|m| (Reverse(first(m).bytes), first(m).id));
    (mode, matches)
}

/// Those of `matches` of which a text says something, at most `top`: of a list those that differ, most first; and how many are alike.
pub(super) fn shown(sides: &[Side; 2], matches: Vec<Match>, mode: CompareMode, top: usize) -> (Vec<Match>, u64) {
    let is_list = mode == CompareMode::Captures && matches.len() > 1;
    let count = matches.len();
    let mut shown = matches;
    if is_list {
        let brief = |m: &Match, side: usize| sides[side].briefs[m.places[side] as usize];
        let difference = |m: &Match| brief(m, 0).difference(&brief(m, 1));
        shown.retain(|m| difference(m).is_some());
        shown.sort_by_key(|m| (Reverse(difference(m)), brief(m, 0).id));
    }
    let alike = (count - shown.len()) as u64;
    shown.truncate(top.max(1));
    (shown, alike)
}

/// Both ends, in their order.
type Ends = [Endpoint; 2];

/// Places by what is at them, in order: a few bytes each, since captures may have a million connections.
struct Chains<K> {
    /// The first place that is left.
    first: HashMap<K, u32>,
    /// By place: the next one of the same key.
    next: Vec<u32>,
}

impl<K: Hash + Eq> Chains<K> {
    const END: u32 = u32::MAX;

    /// Of the key of each place; `None` stands in no chain.
    fn new(keys: impl DoubleEndedIterator<Item = Option<K>> + ExactSizeIterator) -> Self {
        let mut all = Self { first: HashMap::with_capacity(keys.len()), next: vec![Self::END; keys.len()] };
        let count = keys.len();
        for (back, key) in keys.rev().enumerate() {
            let place = count - 1 - back;
            if let Some(key) = key {
                all.next[place] = all.first.insert(key, place as u32).unwrap_or(Self::END);
            }
        }
        all
    }

    /// The first place of `key` that is not used. Those before it are not looked at again.
    fn first(&mut self, key: &K, is_used: &[bool]) -> Option<usize> {
        let first = self.first.get_mut(key)?;
        while is_used.get(*first as usize).copied().unwrap_or(false) {
            *first = self.next[*first as usize];
        }
        (*first != Self::END).then_some(*first as usize)
    }

    /// All places of `key` that were left.
    fn all(&self, key: &K) -> impl Iterator<Item = usize> {
        let first = self.first.get(key).copied().filter(|&first| first != Self::END);
        std::iter::successors(first, |&place| Some(self.next[place as usize]).filter(|&next| next != Self::END))
            .map(|place| place as usize)
    }
}

/// The connections of a capture by what they may be known by. Each is looked at a few times at most, however often numbers repeat.
struct Candidates {
    by_ends_and_number: Chains<(Ends, Option<SeqNum>)>,
    /// By a SYN's number and the port that it went to.
    by_number: Chains<(SeqNum, u16)>,
    by_ends: Chains<Ends>,
    is_used: Vec<bool>,
}

impl Candidates {
    fn of(flows: &[FlowMarks]) -> Self {
        Self {
            by_ends_and_number: Chains::new(flows.iter().map(|flow| Some((sorted(flow.ends), flow.isn)))),
            by_number: Chains::new(flows.iter().map(|flow| flow.isn.map(|isn| (isn, flow.ends[1].port)))),
            by_ends: Chains::new(flows.iter().map(|flow| Some(sorted(flow.ends)))),
            is_used: vec![false; flows.len()],
        }
    }

    /// The one that is the same as `flow`, once.
    fn take(&mut self, flow: &FlowMarks, flows: &[FlowMarks]) -> Option<usize> {
        let Self { by_ends_and_number, by_number, by_ends, is_used } = self;
        let ends = sorted(flow.ends);
        let same = |place: &usize| flow.is_same(&flows[*place]);
        let found = match flow.isn {
            // Whose ends are the same comes first: what translates addresses is rarer than numbers that repeat.
            Some(isn) => by_ends_and_number
                .first(&(ends, flow.isn), is_used)
                .filter(same)
                .or_else(|| by_number.first(&(isn, flow.ends[1].port), is_used).filter(same))
                .or_else(|| by_ends_and_number.first(&(ends, None), is_used).filter(same)),
            // Without its SYN a four-tuple has one connection, its first.
            None => by_ends.all(&ends).find(|&i| !is_used[i] && flow.is_same(&flows[i])),
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
        let places = side.briefs.iter().zip(0_u32..).map(|(brief, place)| (brief.first_packet, place));
        places.collect::<HashMap<u64, u32>>()
    });
    let mut matches = Vec::new();
    for flow in &a.flows {
        let Some(other) = candidates.take(flow, &b.flows) else { continue };
        let (Some(&first), Some(&second)) = (in_a.get(&flow.first_packet), in_b.get(&b.flows[other].first_packet))
        else {
            continue;
        };
        matches.push(Match { places: [first, second], is_same: true });
    }
    matches
}

/// The connections at these places, if they are one, captured at two places.
pub(super) fn same([a, b]: &[Side; 2], places: [usize; 2]) -> Option<Match> {
    let flow_of = |side: &'_ Side, place: usize| {
        side.flows.iter().position(|flow| flow.first_packet == side.briefs[place].first_packet)
    };
    let flows = [flow_of(a, places[0])?, flow_of(b, places[1])?];
    let is_same = a.flows[flows[0]].is_same(&b.flows[flows[1]]);
    is_same.then(|| Match { places: places.map(|place| place as u32), is_same: true })
}

/// `crossing` with the ends in the order that they have in `connection`.
pub(super) fn as_ends_of(connection: &Connection, flow: &FlowMarks, crossing: Crossing) -> Crossing {
    if flow.ends == connection.endpoints {
        return crossing;
    }
    let [first, second] = crossing.ways;
    Crossing { first_near: 1 - crossing.first_near, ways: [second, first], ..crossing }
}

fn like_connections([a, b]: &[Side; 2]) -> Vec<Match> {
    if let ([_], [_]) = (&a.briefs[..], &b.briefs[..]) {
        return vec![Match { places: [0, 0], is_same: false }];
    }
    let mut waiting: HashMap<(IpAddr, Endpoint), VecDeque<u32>> = HashMap::new();
    for (brief, place) in b.briefs.iter().zip(0_u32..) {
        waiting.entry(between(brief)).or_default().push_back(place);
    }
    let other = |(brief, place)| {
        let other = waiting.get_mut(&between(brief))?.pop_front()?;
        Some(Match { places: [place, other], is_same: false })
    };
    a.briefs.iter().zip(0_u32..).filter_map(other).collect()
}

/// The client's address, and the server; where the handshake was not captured, the one of the lower port.
fn between(connection: &Brief) -> (IpAddr, Endpoint) {
    let [a, b] = connection.endpoints;
    let client = match connection.initiator {
        Some(side) => side.index(),
        None => usize::from(a.port < b.port),
    };
    (connection.endpoints[client].address, connection.endpoints[1 - client])
}
