//! Matching of connections in two captures.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::net::IpAddr;

use tcpwhy_analysis::comparison::{Brief, CompareMode};
use tcpwhy_analysis::{Attempt, Attempts, BothHandshakes, Connection, Crossing, FlowMarks, LastPackets, Unseen};
use tcpwhy_model::{Endpoint, SeqNum};

use super::side::Side;

/// Two corresponding connections.
pub(super) struct Match {
    /// Indexes of the connections in the briefs of their sides.
    pub(super) places: [u32; 2],
    /// Whether they are the same connection.
    pub(super) is_same: bool,
}

/// The matching connections of two captures, and how the captures are related.
pub(super) struct Found {
    pub(super) mode: CompareMode,
    /// Connections with data in both captures, most bytes first.
    pub(super) matches: Vec<Match>,
    /// Connections without data in one capture, if the captures show the same connections at two places.
    pub(super) attempts: Attempts,
    /// Number of connections with data that have no counterpart, by capture.
    pub(super) only: [u64; 2],
}

/// Finds the pairs. If the captures have the same connections at two places, these are the pairs. Otherwise
/// connections between the same hosts and to the same port are paired in their order. `last` has the last
/// packets of the captures.
pub(super) fn find(sides: &[Side; 2], last: LastPackets) -> Found {
    let Same { matches, bare } = same_connections(sides);
    let is_same = !matches.is_empty() || is_known_by_syns(sides, &bare);
    let (mode, mut matches, bare) = if is_same {
        (CompareMode::Ends, matches, bare)
    } else {
        let matches = like_connections(sides);
        (if matches.len() == 1 { CompareMode::Connections } else { CompareMode::Captures }, matches, Vec::new())
    };
    let first = |m: &Match| &sides[0].briefs[m.places[0] as usize];
    matches.sort_by_key(|m| (Reverse(first(m).bytes), first(m).id));
    let mut attempts = Attempts::default();
    let has_marks = sides.iter().all(|side| side.has_marks && !side.is_cut);
    bare.iter().filter_map(|one| Attempt::of(one.flows(sides), last, has_marks)).for_each(|one| attempts.add(one));
    let only = [0, 1].map(|side| {
        let paired = matches.len() + bare.iter().filter(|one| one.has_data[side] && one.is_in_both()).count();
        sides[side].briefs.len().saturating_sub(paired) as u64
    });
    Found { mode, matches, attempts, only }
}

/// A connection that lacks data in one capture, with its indexes in the flows.
struct Bare {
    places: [Option<u32>; 2],
    has_data: [bool; 2],
}

impl Bare {
    fn flows<'a>(&self, sides: &'a [Side; 2]) -> [Option<&'a FlowMarks>; 2] {
        [0, 1].map(|side| sides[side].flows.get(self.places[side]? as usize))
    }

    fn is_in_both(&self) -> bool {
        self.places.iter().all(Option::is_some)
    }
}

/// The same connections at two places.
struct Same {
    matches: Vec<Match>,
    bare: Vec<Bare>,
}

/// Whether connections without data show that both captures have the same connections. That needs a SYN whose
/// number no other connection has, because packet generators use equal numbers.
fn is_known_by_syns(sides: &[Side; 2], bare: &[Bare]) -> bool {
    let counts = sides.each_ref().map(|side| {
        let mut counts: HashMap<SeqNum, u32> = HashMap::new();
        side.flows.iter().filter_map(|flow| flow.isn).for_each(|isn| *counts.entry(isn).or_default() += 1);
        counts
    });
    let is_own = |isn: SeqNum| counts.iter().all(|counts| counts.get(&isn) == Some(&1));
    bare.iter().any(|one| one.is_in_both() && one.flows(sides)[0].and_then(|flow| flow.isn).is_some_and(is_own))
}

/// The matches that a text shows, at most `top`, and how many pairs are alike. A list has only pairs that
/// differ, largest difference first. Without `top`, all matches are returned.
pub(super) fn shown(
    sides: &[Side; 2],
    matches: Vec<Match>,
    mode: CompareMode,
    top: Option<usize>,
) -> (Vec<Match>, u64) {
    let is_list = mode == CompareMode::Captures && matches.len() > 1;
    let brief = |m: &Match, side: usize| sides[side].briefs[m.places[side] as usize];
    let difference = |m: &Match| brief(m, 0).difference(&brief(m, 1));
    let alike = matches.iter().filter(|m| is_list && difference(m).is_none()).count() as u64;
    let Some(top) = top else { return (matches, alike) };
    let mut shown = matches;
    if is_list {
        shown.retain(|m| difference(m).is_some());
        shown.sort_by_key(|m| (Reverse(difference(m)), brief(m, 0).id));
    }
    shown.truncate(top.max(1));
    (shown, alike)
}

/// Both ends, sorted.
type Ends = [Endpoint; 2];

/// Indexes grouped by key, in order. They take only a few bytes each, because captures may have a million
/// connections.
struct Chains<K> {
    /// First unused index of each key.
    first: HashMap<K, u32>,
    /// The next index with the same key, by index.
    next: Vec<u32>,
}

impl<K: Hash + Eq> Chains<K> {
    const END: u32 = u32::MAX;

    /// Chains the indexes of equal keys; an index with `None` is in no chain.
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

    /// The first unused index of `key`. Earlier ones are not checked again.
    fn first(&mut self, key: &K, is_used: &[bool]) -> Option<usize> {
        let first = self.first.get_mut(key)?;
        while is_used.get(*first as usize).copied().unwrap_or(false) {
            *first = self.next[*first as usize];
        }
        (*first != Self::END).then_some(*first as usize)
    }

    /// All remaining indexes of `key`.
    fn all(&self, key: &K) -> impl Iterator<Item = usize> {
        let first = self.first.get(key).copied().filter(|&first| first != Self::END);
        std::iter::successors(first, |&place| Some(self.next[place as usize]).filter(|&next| next != Self::END))
            .map(|place| place as usize)
    }
}

/// The connections of a capture by their identifying properties. Each is tried only a few times, even if many
/// have the same numbers.
struct Candidates {
    by_ends_and_number: Chains<(Ends, Option<SeqNum>)>,
    /// By the number of the SYN and its destination port.
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

    /// The connection that is the same as `flow`; it is returned only once.
    fn take(&mut self, flow: &FlowMarks, flows: &[FlowMarks]) -> Option<usize> {
        let Self { by_ends_and_number, by_number, by_ends, is_used } = self;
        let ends = sorted(flow.ends);
        let same = |place: &usize| flow.is_same(&flows[*place]);
        let found = match flow.isn {
            // The same ends are tried first: translated addresses are rarer than repeated numbers.
            Some(isn) => by_ends_and_number
                .first(&(ends, flow.isn), is_used)
                .filter(same)
                .or_else(|| by_number.first(&(isn, flow.ends[1].port), is_used).filter(same))
                .or_else(|| by_ends_and_number.first(&(ends, None), is_used).filter(same)),
            // Without its SYN, a four-tuple has only one connection, its first.
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

fn same_connections([a, b]: &[Side; 2]) -> Same {
    let mut candidates = Candidates::of(&b.flows);
    let [in_a, in_b] = [a, b].map(|side| {
        let places = side.briefs.iter().zip(0_u32..).map(|(brief, place)| (brief.first_packet, place));
        places.collect::<HashMap<u64, u32>>()
    });
    let (mut matches, mut bare) = (Vec::new(), Vec::new());
    for (flow, place) in a.flows.iter().zip(0_u32..) {
        let first = in_a.get(&flow.first_packet);
        let Some(other) = candidates.take(flow, &b.flows) else {
            bare.extend(alone(flow, [Some(place), None], first.is_some()));
            continue;
        };
        let second = in_b.get(&b.flows[other].first_packet);
        if let (Some(&first), Some(&second)) = (first, second) {
            matches.push(Match { places: [first, second], is_same: true });
        } else {
            let has_data = [first.is_some(), second.is_some()];
            bare.push(Bare { places: [Some(place), Some(other as u32)], has_data });
        }
    }
    for (flow, place) in b.flows.iter().zip(0_u32..).filter(|(_, place)| !candidates.is_used[*place as usize]) {
        bare.extend(alone(flow, [None, Some(place)], in_b.contains_key(&flow.first_packet)));
    }
    Same { matches, bare }
}

/// A connection that only one capture has, if it got no answer there. Others may have ended before the other
/// capture began.
fn alone(flow: &FlowMarks, places: [Option<u32>; 2], has_data: bool) -> Option<Bare> {
    let opening = &flow.opening;
    let is_unanswered = opening.syns[0].is_some() && opening.syns[1].is_none() && !opening.is_refused;
    (is_unanswered && !has_data).then_some(Bare { places, has_data: [false; 2] })
}

/// The connections at these indexes, if they are one connection captured at two places.
pub(super) fn same([a, b]: &[Side; 2], places: [usize; 2]) -> Option<Match> {
    let flow_of = |side: &'_ Side, place: usize| {
        side.flows.iter().position(|flow| flow.first_packet == side.briefs[place].first_packet)
    };
    let flows = [flow_of(a, places[0])?, flow_of(b, places[1])?];
    let is_same = a.flows[flows[0]].is_same(&b.flows[flows[1]]);
    is_same.then(|| Match { places: places.map(|place| place as u32), is_same: true })
}

/// Findings from both captures of one connection.
pub(super) struct Together {
    pub(super) crossing: Option<Crossing>,
    pub(super) opening: Option<(usize, BothHandshakes)>,
    pub(super) unseen: [Option<Unseen>; 2],
}

impl Together {
    /// Findings for two different connections: none.
    pub(super) const NOTHING: Self = Self { crossing: None, opening: None, unseen: [None; 2] };

    /// The findings from `flows`, with the ends in the order of `connection`. `is_cut`: packets may be
    /// missing.
    pub(super) fn of(connection: &Connection, [a, b]: [&FlowMarks; 2], last: LastPackets, is_cut: bool) -> Self {
        let crossing = a.crossing(b);
        let unseen = if is_cut { [None; 2] } else { a.unseen(b, crossing.as_ref(), last) };
        let openings = a.openings(b);
        if a.ends == connection.endpoints {
            return Self { crossing, opening: openings.map(|openings| (0, openings)), unseen };
        }
        let turned = |crossing: Crossing| {
            let [first, second] = crossing.ways;
            Crossing { first_near: 1 - crossing.first_near, ways: [second, first], ..crossing }
        };
        let [first, second] = unseen;
        Self {
            crossing: crossing.map(turned),
            opening: openings.map(|openings| (1, openings)),
            unseen: [second, first],
        }
    }
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

/// Address of the client, and the server. If the handshake was not captured, the server has the lower port.
fn between(connection: &Brief) -> (IpAddr, Endpoint) {
    let [a, b] = connection.endpoints;
    let client = match connection.initiator {
        Some(side) => side.index(),
        None => usize::from(a.port < b.port),
    };
    (connection.endpoints[client].address, connection.endpoints[1 - client])
}
