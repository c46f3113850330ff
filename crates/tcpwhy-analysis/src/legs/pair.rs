//! Which two connections are the legs of one.

use std::cmp::Reverse;
use std::net::IpAddr;
use std::ops::Range;

use tcpwhy_model::{Endpoint, Span, Timestamp};

use super::cause::Way;
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
    span: Span,
    /// What the client sends, and what the server sends.
    pub(super) ways: [Way; 2],
    /// Least round trip, nanoseconds: how much later than the data the last acknowledgment may be.
    rtt: i64,
    has_tls: bool,
    /// The end that it was captured at, if it was captured at one.
    near: Option<Endpoint>,
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

    /// Whether this leg ends where `inner` begins: at one address, or both at the host of the capture, which
    /// may have an address on each side.
    fn meets(&self, inner: &Self) -> bool {
        let is_captured_between = self.near == Some(self.server) && inner.near == Some(inner.client);
        self.server.address == inner.client.address || is_captured_between
    }

    /// Whether `inner` may pass on what this leg carries, whatever their addresses are.
    fn encloses(&self, inner: &Self) -> bool {
        let late = self.rtt.max(inner.rtt);
        let is_within = |time: Timestamp| time >= self.span.start() && time <= self.span.end().plus(late);
        let data_end = inner.ways[0].end.max(inner.ways[1].end);
        self.server != inner.server
            && is_within(inner.span.start())
            && data_end.is_some_and(is_within)
            && self.agrees(inner)
            && self.is_in_order(inner, late)
    }

    /// The range of `legs`, the largest first, that may carry as much: [`Self::agrees`] compares closer.
    fn places_alike(&self, legs: &[&Self]) -> Range<usize> {
        let (own, allowed) = (self.largest() as f64, (HEADERS + TLS_HANDSHAKE) as f64);
        let most = (own + allowed) / (1.0 - SHARE);
        let least = own * (1.0 - SHARE) - allowed;
        let first = legs.partition_point(|leg| leg.largest() as f64 > most);
        first..legs.partition_point(|leg| leg.largest() as f64 >= least).max(first)
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

    /// Whether the other leg's data may have passed through this connection between two hosts.
    fn may_carry(&self, hosts: [IpAddr; 2], leg: &Self) -> bool {
        let [client, server] = [self.client.address, self.server.address];
        let is_between = hosts == [client, server] || hosts == [server, client];
        is_between
            && self.span.start() <= leg.span.start()
            && leg.ways.iter().all(|way| way.end <= Some(self.span.end()))
    }
}

/// Outer and inner legs that belong together and to no other, in the order of `legs`: the largest comes
/// first.
pub(super) fn pairs<'a>(legs: &[&'a Leg]) -> Vec<[&'a Leg; 2]> {
    debug_assert!(legs.is_sorted_by_key(|leg| Reverse(leg.largest())));
    // Two candidates are too many already.
    let inners = |outer: usize, may_be: &dyn Fn(&Leg) -> bool| -> Vec<usize> {
        let is_inner = |&inner: &usize| legs[outer].encloses(legs[inner]) && may_be(legs[inner]);
        legs[outer].places_alike(legs).filter(is_inner).take(2).collect()
    };
    let at_relay: Vec<_> =
        legs.iter().enumerate().map(|(place, outer)| inners(place, &|inner| outer.meets(inner))).collect();
    let mut pairs = unique(&at_relay);
    // Legs that end at two hosts, with a tunnel between them.
    let mut is_free = at_relay.iter().map(Vec::is_empty).collect::<Vec<_>>();
    at_relay.iter().flatten().for_each(|&inner| is_free[inner] = false);
    let through_tunnel = |place: usize| {
        if !is_free[place] {
            return Vec::new();
        }
        let outer = legs[place];
        let has_tunnel = |inner: &Leg| {
            let hosts = [outer.server.address, inner.client.address];
            inner.client.address != outer.client.address && legs.iter().any(|tunnel| tunnel.may_carry(hosts, inner))
        };
        let mut found = inners(place, &has_tunnel);
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
