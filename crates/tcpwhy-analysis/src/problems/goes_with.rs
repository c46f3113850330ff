//! Properties that failures correlate with: one client, one of several servers, one direction, a size.
//!
//! A single connection does not show a correlation, but the connections of a service do. The property narrows
//! the search. It may point to a firewall or a build of one client, or to one server behind a load balancer.
//! It may also point to a path that loses in one direction, or to a limit of size. Only connections between
//! the first failure and the last are compared, because a client that was absent then proves nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use tcpwhy_model::Endpoint;

use super::chance::Parted;
use super::failure::Failure;
use super::uses::{Sorted, Use};
use crate::thresholds::{BULK, CHANCE, FAILED_ALIKE, GOES_WITH, GOES_WITHOUT, part};

/// Properties that are named together.
const MOST_NAMED: usize = 2;

/// Properties that connections may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// The client, by its address.
    Client(IpAddr),
    /// The server, and the number of servers with the same port in its network.
    Server(Endpoint, u64),
    /// The connections carry a transfer with most of their data in this direction.
    Direction(Toward),
    /// The connections carry at least this many bytes in this direction.
    Size(Toward, u64),
}

/// Direction of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// From the client.
    Server,
    /// From the server.
    Client,
}

/// A property that failures correlate with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoesWith {
    /// The property of the failed connections.
    pub property: Property,
    /// Failed connections with the property, and all connections with it.
    pub with: (u64, u64),
    /// Failed connections without the property, and all connections without it.
    pub without: (u64, u64),
    /// Probability of this difference by chance, over all properties of the kind that were compared.
    chance: f64,
}

impl GoesWith {
    /// Returns the properties that correlate with `failure` of connections to `server`, the least likely
    /// first.
    pub(super) fn of(uses: &Sorted, server: Endpoint, failure: Failure) -> Vec<Self> {
        let Some(own) = uses.all_of(server) else { return Vec::new() };
        let failed = || own.iter().filter(|one| one.failed == Some(failure));
        if (failed().count() as u64) < FAILED_ALIKE.get() {
            return Vec::new();
        }
        let starts = || failed().map(|one| one.start);
        let (Some(first), Some(last)) = (starts().min(), starts().max()) else { return Vec::new() };
        // Failures of another kind have another cause, so they are not compared.
        let is_compared = |one: &&Use| {
            one.start >= first && one.start <= last && !one.is_probe && one.failed.is_none_or(|other| other == failure)
        };
        let own: Vec<_> = own.iter().filter(is_compared).collect();
        let network = uses.network_of(server);
        let network: Vec<_> = network.into_iter().filter(is_compared).collect();
        let parting = Parting { failure };
        let found = [
            parting.client(&own),
            parting.server(&network, server),
            parting.direction(&own, Toward::Server),
            parting.direction(&own, Toward::Client),
            parting.size(&own, Toward::Server),
            parting.size(&own, Toward::Client),
        ];
        let mut found: Vec<_> = found.into_iter().flatten().collect();
        found.sort_by(|a, b| a.chance.total_cmp(&b.chance));
        found.truncate(MOST_NAMED);
        found
    }
}

/// Compares connections by whether they failed in this way.
#[derive(Clone, Copy)]
struct Parting {
    failure: Failure,
}

impl Parting {
    /// Returns the client of most failures, if failures correlate with it.
    fn client(self, all: &[&Use]) -> Option<GoesWith> {
        let mut failures: BTreeMap<IpAddr, u64> = BTreeMap::new();
        for one in all {
            *failures.entry(one.client.address).or_default() += u64::from(self.has_failed(one));
        }
        let (&client, _) = failures.iter().max_by_key(|(_, count)| **count)?;
        let parted = self.part(all, |one| one.client.address == client);
        named(Property::Client(client), parted, failures.len())
    }

    /// Returns `server`, if failures correlate with it and not with the others of its network.
    fn server(self, all: &[&Use], server: Endpoint) -> Option<GoesWith> {
        let servers = all.iter().map(|one| one.server).collect::<BTreeSet<_>>().len();
        let parted = self.part(all, |one| one.server == server);
        named(Property::Server(server, servers as u64), parted, servers)
    }

    /// Returns the direction of a transfer, if failures correlate with it. A failure before the answer leaves
    /// more data of the client than of the server, so only transfers are compared.
    fn direction(self, all: &[&Use], way: Toward) -> Option<GoesWith> {
        let is_transfer = |one: &&Use| one.bytes.iter().any(|&bytes| bytes >= BULK);
        let transfers: Vec<_> = all.iter().copied().filter(is_transfer).collect();
        let parted = self.part(&transfers, |one| way.bytes(one) > way.other().bytes(one));
        named(Property::Direction(way), parted, WAYS).filter(GoesWith::is_of_nearly_all)
    }

    /// Returns the least number of bytes of failed connections, if failures correlate with at least that
    /// size.
    fn size(self, all: &[&Use], way: Toward) -> Option<GoesWith> {
        let least = all.iter().filter(|one| self.has_failed(one)).map(|one| way.bytes(one)).min()?;
        // Connections without data differ in kind rather than in size.
        let all: Vec<_> = all.iter().copied().filter(|one| way.bytes(one) > 0).collect();
        let parted = self.part(&all, |one| way.bytes(one) >= least);
        named(Property::Size(way, least), parted, WAYS).filter(|_| least > 0).filter(GoesWith::is_of_nearly_all)
    }

    fn has_failed(self, one: &Use) -> bool {
        one.failed == Some(self.failure)
    }

    fn part(self, all: &[&Use], has: impl Fn(&Use) -> bool) -> Parted {
        let count = |is_with: bool, is_failed: bool| {
            let counted = all.iter().filter(|one| has(one) == is_with && (!is_failed || self.has_failed(one)));
            counted.count() as u64
        };
        Parted {
            failed_with: count(true, true),
            with: count(true, false),
            failed_without: count(false, true),
            without: count(false, false),
        }
    }
}

/// Number of directions that are compared.
const WAYS: usize = 2;

/// Returns `property` under three conditions: nearly all failures have it, nearly no connection without it
/// failed, and chance does not explain that. `compared` is the number of properties of its kind, each of
/// which may match by chance.
fn named(property: Property, parted: Parted, compared: usize) -> Option<GoesWith> {
    let Parted { failed_with, with, failed_without, without } = parted;
    let chance = parted.chance() * compared as f64;
    let is_named = failed_with >= FAILED_ALIKE
        && part(failed_with, failed_with + failed_without) >= GOES_WITH
        && part(failed_without, without) <= GOES_WITHOUT
        && chance <= CHANCE.get();
    is_named.then_some(GoesWith { property, with: (failed_with, with), without: (failed_without, without), chance })
}

impl GoesWith {
    /// Returns a value for tests.
    #[cfg(any(test, feature = "testing"))]
    pub const fn example(property: Property, with: (u64, u64), without: (u64, u64)) -> Self {
        Self { property, with, without, chance: 0.0 }
    }

    /// Whether nearly all connections with the property failed. Larger connections last longer, so more
    /// happens to them for reasons other than their size.
    fn is_of_nearly_all(&self) -> bool {
        part(self.with.0, self.with.1) >= GOES_WITH
    }
}

impl Toward {
    const fn bytes(self, one: &Use) -> u64 {
        let [client, server] = one.bytes;
        match self {
            Self::Server => client,
            Self::Client => server,
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Server => Self::Client,
            Self::Client => Self::Server,
        }
    }

    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Server => "to_server",
            Self::Client => "to_client",
        }
    }
}

#[cfg(test)]
mod terms;
