//! A leg of a relayed connection, and the check whether two may belong together.

use tcpwhy_model::{Endpoint, Span, Timestamp};

use super::way::Way;
use crate::outcome::Connection;
use crate::thresholds::{LEG_RATIO, LEG_SHARE, RELAY_HEADERS, TLS_HANDSHAKE};

/// A leg of a relayed connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LegPlace {
    /// From the client to the relay.
    Outer,
    /// From the relay to the server.
    Inner,
}

impl LegPlace {
    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Outer => "outer",
            Self::Inner => "inner",
        }
    }
}

/// Facts about a connection that pairing needs.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) client: Endpoint,
    pub(super) server: Endpoint,
    pub(super) span: Span,
    /// Data of the client, and of the server.
    pub(super) ways: [Way; 2],
    /// Least round trip, nanoseconds: the last acknowledgment may be this much later than the data.
    pub(super) rtt: i64,
    has_tls: bool,
    /// The end at which it was captured, if any.
    pub(super) near: Option<Endpoint>,
    /// Number of the connection.
    pub(super) number: u64,
    /// The connection, without its directions, until it has its final number.
    unnumbered: Option<Box<Connection>>,
}

impl Leg {
    /// Returns the leg; `None` for a connection without data.
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

    /// Returns the payload of its larger direction, bytes.
    pub(super) fn largest(&self) -> u64 {
        self.ways[0].bytes.max(self.ways[1].bytes)
    }

    /// Returns the direction with more data over both legs: 0 for data of clients.
    pub(super) fn data_way(&self, inner: &Self) -> usize {
        let sum = |way: usize| self.ways[way].bytes.saturating_add(inner.ways[way].bytes);
        usize::from(sum(1) >= sum(0))
    }

    /// Whether `inner` may forward the data of this leg, whatever their addresses are.
    pub(super) fn encloses(&self, inner: &Self) -> bool {
        let late = self.rtt.max(inner.rtt);
        let is_within = |time: Timestamp| time >= self.span.start() && time <= self.span.end().plus(late);
        self.server != inner.server
            && is_within(inner.span.start())
            && inner.data_end().is_some_and(is_within)
            && self.agrees(inner)
            && self.is_in_order(inner, late)
    }

    /// Whether both carry about the same amount of data in each direction.
    fn agrees(&self, inner: &Self) -> bool {
        let allowed = RELAY_HEADERS.get() + if self.has_tls == inner.has_tls { 0 } else { TLS_HANDSHAKE.get() };
        let is_alike = |way: usize| {
            let [a, b] = [self.ways[way].bytes, inner.ways[way].bytes];
            a.abs_diff(b) as f64 <= LEG_SHARE.get() * a.max(b) as f64 + allowed as f64
        };
        self.largest().min(inner.largest()) >= LEG_RATIO.get() * allowed && is_alike(0) && is_alike(1)
    }

    /// Whether the data finished on its first leg before it finished on the second one.
    fn is_in_order(&self, inner: &Self, late: i64) -> bool {
        let way = self.data_way(inner);
        let [first, second] = if way == 0 { [self, inner] } else { [inner, self] };
        matches!((first.ways[way].end, second.ways[way].end), (Some(a), Some(b)) if a <= b.plus(late))
    }

    /// Returns the time at which the last of its data was acknowledged, in either direction.
    pub(super) fn data_end(&self) -> Option<Timestamp> {
        self.ways[0].end.max(self.ways[1].end)
    }
}

#[cfg(test)]
mod terms;
