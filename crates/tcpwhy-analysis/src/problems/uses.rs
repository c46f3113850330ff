//! Properties of the connections of a capture that may correlate with failures.

use tcpwhy_model::Endpoint;

use super::failure::Failure;
use super::network::is_of_network;
use super::target::Kind;
use super::wrong::Wrong;
use crate::lowest::Lowest;
use crate::outcome::Connection;

/// Number of connections that are kept. The lowest in order stay, whatever the order of connections.
const MOST_USES: usize = 10_000;

/// Folds connections, in any order.
#[derive(Clone, Debug)]
pub(super) struct UseFold {
    lowest: Lowest<Use>,
}

impl Default for UseFold {
    fn default() -> Self {
        Self { lowest: Lowest::new(MOST_USES) }
    }
}

/// A connection of a client port to a service. Times are nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Use {
    pub(super) server: Endpoint,
    pub(super) client: Endpoint,
    pub(super) start: i64,
    pub(super) end: i64,
    /// Whether its SYN was captured.
    pub(super) is_opened: bool,
    /// Whether its SYN was not answered at once.
    pub(super) is_syn_late: bool,
    pub(super) failed: Option<Failure>,
    /// Whether neither end sent data and nobody waited for any.
    pub(super) is_probe: bool,
    /// Payload of the client and of the server.
    pub(super) bytes: [u64; 2],
}

impl UseFold {
    /// Counts a connection of `client` to `server`, and `wrong`, its failure or slowness.
    pub(super) fn add(
        &mut self,
        connection: &Connection,
        [server, client]: [Endpoint; 2],
        wrong: &[Option<Wrong<'_>>],
    ) {
        let kinds = || wrong.iter().flatten().map(|wrong| wrong.kind);
        let failed = kinds().find_map(|kind| match kind {
            Kind::Failed(failure) => Some(failure),
            Kind::Slow(_) => None,
        });
        let bytes_of = |end: Endpoint| {
            let halves = connection.halves.iter();
            halves.filter(|half| connection.endpoints[half.sender.index()] == end).map(|half| half.bytes).sum()
        };
        self.lowest.add(Use {
            server,
            client,
            start: connection.span.start().as_nanos(),
            end: connection.span.end().as_nanos(),
            is_opened: connection.initiator.is_some(),
            is_syn_late: kinds().any(Kind::is_of_syn),
            failed,
            is_probe: connection.is_empty_probe(),
            bytes: [bytes_of(client), bytes_of(server)],
        });
    }

    /// Returns the uses, in order.
    pub(super) fn sorted(&self) -> Sorted {
        Sorted { uses: self.lowest.sorted() }
    }
}

/// Uses of the capture, in order.
#[derive(Debug)]
pub(super) struct Sorted {
    uses: Vec<Use>,
}

impl Sorted {
    /// Returns the uses of `server`, which may be incomplete.
    pub(super) fn of(&self, server: Endpoint) -> &[Use] {
        let from = self.uses.partition_point(|one| one.server < server);
        let until = self.uses.partition_point(|one| one.server <= server);
        &self.uses[from..until]
    }

    /// Returns all uses of `server`; `None` if some were not kept.
    pub(super) fn all_of(&self, server: Endpoint) -> Option<&[Use]> {
        let is_cut = self.uses.len() >= MOST_USES && self.uses.last().is_some_and(|last| last.server <= server);
        (!is_cut).then(|| self.of(server))
    }

    /// Returns the uses of all servers in the network of `server` with its port; empty if some were not kept.
    pub(super) fn network_of(&self, server: Endpoint) -> Vec<&Use> {
        if self.uses.len() >= MOST_USES {
            return Vec::new();
        }
        let is_of = |one: &&Use| one.server.port == server.port && is_of_network(one.server.address, server.address);
        self.uses.iter().filter(is_of).collect()
    }
}

#[cfg(test)]
mod terms;
