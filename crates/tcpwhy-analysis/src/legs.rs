//! Both legs of a relay (proxy, tunnel, port forwarder) in one capture, and the slower one of them.
//!
//! The outer leg leads from the client to the relay, the inner leg from the relay to the server. They belong
//! together if the inner leg begins within the outer one, carries about the same bytes in both directions,
//! and transfers its data first.
//!
//! The relay sends on the second leg in the direction of the data. If it waits for data there, the first leg
//! is slower. If it makes the first leg wait or leaves it without data, the second leg is slower.

mod cause;
mod leg;
mod pair;
mod places;
mod way;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{Cause, Endpoint, Timestamp};

use crate::outcome::Connection;
use crate::thresholds::LEG_LEAST;
use leg::Leg;
pub use leg::LegPlace;
use pair::pairs;

/// Number of connections that are kept, largest first, so that their order does not matter. Both legs of a
/// pair carry about the same amount, so both are kept or neither. Chosen: 2 MB.
const MOST_LEGS: usize = 4_096;

/// Connections to one port of a relay that are forwarded to one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// Address and port to which clients connect.
    pub outer: Endpoint,
    /// Address from which the relay connects to the server.
    pub from: IpAddr,
    /// The server.
    pub inner: Endpoint,
    /// The client's address; `None` if there are several clients.
    pub client: Option<IpAddr>,
    /// Number of pairs of legs.
    pub pairs: u64,
    /// The leg that was slower in most pairs, and its limit; `None` if there is none.
    pub slower: Option<(LegPlace, Cause)>,
    /// Numbers of the outer and the inner leg of the largest pair.
    pub example: [u64; 2],
}

/// Folds finished connections, in any order, into relays.
#[derive(Clone, Debug, Default)]
pub struct Legs {
    kept: BTreeMap<Rank, Leg>,
}

/// Rank, largest first. The other fields distinguish two connections of one capture.
type Rank = (Reverse<u64>, Timestamp, [Endpoint; 2]);

impl Legs {
    /// Counts a connection.
    pub fn add(&mut self, connection: &Connection) {
        let bytes = connection.halves.iter().map(|half| half.bytes).max().unwrap_or(0);
        if bytes < LEG_LEAST {
            return;
        }
        let rank = (Reverse(bytes), connection.span.start(), connection.endpoints);
        if self.kept.len() >= MOST_LEGS {
            // Larger ones stay, so a removed smaller one never returns.
            if self.kept.last_key_value().is_some_and(|(last, _)| rank >= *last) {
                return;
            }
            self.kept.pop_last();
        }
        if let Some(leg) = Leg::of(connection) {
            self.kept.insert(rank, leg);
        }
    }

    /// Assigns final numbers to the connections that were added since the last call.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        self.kept.values_mut().for_each(|leg| leg.renumber(number));
    }

    /// Returns the relays, those with most pairs first.
    pub fn relays(&self) -> Vec<Relay> {
        let legs: Vec<&Leg> = self.kept.values().collect();
        let mut found: BTreeMap<(Endpoint, IpAddr, Endpoint), Sums> = BTreeMap::new();
        for [outer, inner] in pairs(&legs) {
            found.entry((outer.server, inner.client.address, inner.server)).or_default().add(outer, inner);
        }
        let relay = |((outer, from, inner), sums): (_, Sums)| Relay {
            outer,
            from,
            inner,
            client: sums.client,
            pairs: sums.pairs,
            slower: sums.slower(),
            example: sums.example,
        };
        let mut all: Vec<_> = found.into_iter().map(relay).collect();
        // The sort is stable, so relays with equal pairs stay in the order of their addresses.
        all.sort_by_key(|relay| Reverse(relay.pairs));
        all
    }
}

/// Pairs of one relay.
#[derive(Clone, Debug, Default)]
struct Sums {
    pairs: u64,
    client: Option<IpAddr>,
    example: [u64; 2],
    slower: BTreeMap<LegPlace, BTreeMap<Cause, u64>>,
}

impl Sums {
    /// Counts a pair. Pairs come largest first.
    fn add(&mut self, outer: &Leg, inner: &Leg) {
        if self.pairs == 0 {
            (self.client, self.example) = (Some(outer.client.address), [outer.number, inner.number]);
        }
        self.pairs += 1;
        self.client = self.client.filter(|&client| client == outer.client.address);
        if let Some((leg, cause)) = cause::slower(outer, inner) {
            *self.slower.entry(leg).or_default().entry(cause).or_default() += 1;
        }
    }

    /// Returns the leg that was slower in more than half of the pairs, and its most frequent cause.
    fn slower(&self) -> Option<(LegPlace, Cause)> {
        let (leg, causes) = self.slower.iter().find(|(_, causes)| 2 * causes.values().sum::<u64>() > self.pairs)?;
        let (cause, _) = causes.iter().max_by_key(|&(cause, &count)| (count, Reverse(*cause)))?;
        Some((*leg, *cause))
    }
}

#[cfg(test)]
mod terms;
