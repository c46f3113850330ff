//! Which two connections are the legs of one.

use std::cmp::Reverse;

use tcpwhy_model::{Endpoint, Span, Timestamp};

use super::cause::Way;
use super::places::Places;
use crate::outcome::Connection;

/// Payload of both legs differs by less: a relay may compress headers or frame the data. Chosen.
const SHARE: f64 = 0.03;
/// And by headers that the relay adds or removes (`Via`, `X-Forwarded-For`, the line of a CONNECT). Chosen.
pub(super) const HEADERS: u64 = 1_000;
/// Where one leg only is encrypted, its handshake comes on top: certificates of several kB. Chosen.
const TLS_HANDSHAKE: u64 = 8_000;
/// A difference that may be that large says nothing of a pair that carries less than so many times as much.
/// Chosen.
const LEAST_RATIO: u64 = 4;

/// What pairing needs to know of a connection.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) client: Endpoint,
    pub(super) server: Endpoint,
    pub(super) span: Span,
    /// What the client sends, and what the server sends.
    pub(super) ways: [Way; 2],
    /// Least round trip, nanoseconds: how much later than the data the last acknowledgment may be.
    pub(super) rtt: i64,
    has_tls: bool,
    /// The end that it was captured at, if it was captured at one.
    pub(super) near: Option<Endpoint>,
    /// Number of the connection.
    pub(super) number: u64,
    /// The connection, without its directions, until it has its number.
    unnumbered: Option<Box<Connection>>,
}

impl Leg {
    /// `None` for a connection that carried nothing.
    pub(super) fn of(connection: &Connection) -> Option<Self> {
        if connection.halves.is_empty() {
            return None;
        }
        let server = connection.server();
        let way = |side| connection.halves.iter().find(|half| half.sender == side).map(Way::of).unwrap_or_default();
        Some(Self {
            client: connection.endpoints[server.peer().index()],
            server: connection.endpoints[server.index()],
            span: connection.span,
            ways: [way(server.peer()), way(server)],
            rtt: connection.rtt_min.and_then(|rtt| i64::try_from(rtt).ok()).unwrap_or(0),
            has_tls: connection.exchanges.as_ref().is_some_and(|exchanges| exchanges.opening.tls_turns > 0),
            near: connection.vantage.near.map(|side| connection.endpoints[side.index()]),
            number: connection.id,
            unnumbered: Some(Box::new(connection.without_directions())),
        })
    }

    pub(super) fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        if let Some(connection) = self.unnumbered.take() {
            self.number = number(&connection);
        }
    }

    /// Payload of its larger direction, bytes.
    pub(super) fn largest(&self) -> u64 {
        self.ways[0].bytes.max(self.ways[1].bytes)
    }

    /// The direction that carries more over both legs: 0 for what clients send.
    pub(super) fn data_way(&self, inner: &Self) -> usize {
        let sum = |way: usize| self.ways[way].bytes.saturating_add(inner.ways[way].bytes);
        usize::from(sum(1) >= sum(0))
    }

    /// Whether `inner` may pass on what this leg carries, whatever their addresses are.
    pub(super) fn encloses(&self, inner: &Self) -> bool {
        let late = self.rtt.max(inner.rtt);
        let is_within = |time: Timestamp| time >= self.span.start() && time <= self.span.end().plus(late);
        self.server != inner.server
            && is_within(inner.span.start())
            && inner.data_end().is_some_and(is_within)
            && self.agrees(inner)
            && self.is_in_order(inner, late)
    }

    /// Whether both carry as much, either way.
    fn agrees(&self, inner: &Self) -> bool {
        let allowed = HEADERS + if self.has_tls == inner.has_tls { 0 } else { TLS_HANDSHAKE };
        let is_alike = |way: usize| {
            let [a, b] = [self.ways[way].bytes, inner.ways[way].bytes];
            a.abs_diff(b) as f64 <= SHARE * a.max(b) as f64 + allowed as f64
        };
        self.largest().min(inner.largest()) >= LEAST_RATIO * allowed && is_alike(0) && is_alike(1)
    }

    /// Whether the data left the first leg of their way before they had left the second one.
    fn is_in_order(&self, inner: &Self, late: i64) -> bool {
        let way = self.data_way(inner);
        let [first, second] = if way == 0 { [self, inner] } else { [inner, self] };
        matches!((first.ways[way].end, second.ways[way].end), (Some(a), Some(b)) if a <= b.plus(late))
    }

    /// When the last of its data was acknowledged, either way.
    pub(super) fn data_end(&self) -> Option<Timestamp> {
        self.ways[0].end.max(self.ways[1].end)
    }
}

/// Outer and inner legs that belong together and to no other, in the order of `legs`: the largest comes
/// first.
pub(super) fn pairs<'a>(legs: &[&'a Leg]) -> Vec<[&'a Leg; 2]> {
    debug_assert!(legs.is_sorted_by_key(|leg| Reverse(leg.largest())));
    let places = Places::of(legs);
    let at_relay: Vec<_> = (0..legs.len()).map(|outer| places.inners_at_relay(outer)).collect();
    let mut pairs = unique(&at_relay);
    // Legs that end at two hosts, with a tunnel between them.
    let mut is_free = at_relay.iter().map(Vec::is_empty).collect::<Vec<_>>();
    at_relay.iter().flatten().for_each(|&inner| is_free[inner] = false);
    let through_tunnel = |outer: usize| {
        if !is_free[outer] {
            return Vec::new();
        }
        let mut found = places.inners_through_tunnel(outer);
        found.retain(|&inner| is_free[inner]);
        found
    };
    let through_tunnel: Vec<_> = (0..legs.len()).map(through_tunnel).collect();
    pairs.extend(unique(&through_tunnel));
    pairs.sort_unstable();
    pairs.into_iter().map(|places| places.map(|place| legs[place])).collect()
}

/// Outer legs with one inner leg that is the inner leg of no other.
fn unique(inners: &[Vec<usize>]) -> Vec<[usize; 2]> {
    let mut outers = vec![0_u32; inners.len()];
    inners.iter().flatten().for_each(|&inner| outers[inner] += 1);
    let one = |(outer, inners): (usize, &Vec<usize>)| match inners[..] {
        [inner] if outers[inner] == 1 => Some([outer, inner]),
        _ => None,
    };
    inners.iter().enumerate().filter_map(one).collect()
}

#[cfg(test)]
mod terms;
