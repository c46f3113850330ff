//! Both legs of a relay (proxy, tunnel, port forwarder) in one capture, and which of them is the slower one.
//!
//! The outer leg leads from the client to the relay, the inner leg from the relay to the server. They belong
//! together where the inner leg begins within the outer one, carries as many bytes both ways, and passes its
//! data first. The relay sends on the second leg of the data's way. Where it waits for data there, the first
//! leg is slower. Where it leaves the first leg waiting or empty, the second leg is.

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

/// Connections that are kept, largest first, so that the order in which they come does not matter. Both legs
/// of a pair carry about as much, so both are kept or neither. Chosen: 2 MB.
const MOST_LEGS: usize = 4_096;

/// Connections to one port of a relay that go on to one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// Where clients connect.
    pub outer: Endpoint,
    /// Address from which the relay connects to the server.
    pub from: IpAddr,
    /// The server.
    pub inner: Endpoint,
    /// The clients' address; `None` where there are several.
    pub client: Option<IpAddr>,
    /// Pairs of legs.
    pub pairs: u64,
    /// The leg that most pairs were slower on, and what limited it; `None` where no leg was.
    pub slower: Option<(LegPlace, Cause)>,
    /// Numbers of the outer and the inner leg of the largest pair.
    pub example: [u64; 2],
}

/// Folds finished connections, in any order, into relays.
#[derive(Clone, Debug, Default)]
pub struct Legs {
    kept: BTreeMap<Rank, Leg>,
}

/// Largest first; two connections of one capture differ in the rest.
type Rank = (Reverse<u64>, Timestamp, [Endpoint; 2]);

impl Legs {
    /// Takes a connection into account.
    pub fn add(&mut self, connection: &Connection) {
        let bytes = connection.halves.iter().map(|half| half.bytes).max().unwrap_or(0);
        if bytes < LEG_LEAST {
            return;
        }
        let rank = (Reverse(bytes), connection.span.start(), connection.endpoints);
        if self.kept.len() >= MOST_LEGS {
            // Larger ones stay, so a smaller one never comes back among them.
            if self.kept.last_key_value().is_some_and(|(last, _)| rank >= *last) {
                return;
            }
            self.kept.pop_last();
        }
        if let Some(leg) = Leg::of(connection) {
            self.kept.insert(rank, leg);
        }
    }

    /// Gives the connections that came since the last call the numbers that hold.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        self.kept.values_mut().for_each(|leg| leg.renumber(number));
    }

    /// The relays, those with most pairs first.
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
        // Stable: otherwise in the order of their addresses.
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
    /// Takes a pair into account; pairs come largest first.
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

    /// The leg that more than half of the pairs were slower on, and its most frequent cause.
    fn slower(&self) -> Option<(LegPlace, Cause)> {
        let (leg, causes) = self.slower.iter().find(|(_, causes)| 2 * causes.values().sum::<u64>() > self.pairs)?;
        let (cause, _) = causes.iter().max_by_key(|&(cause, &count)| (count, Reverse(*cause)))?;
        Some((*leg, *cause))
    }
}

#[cfg(test)]
mod terms;
