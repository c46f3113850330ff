//! Whom problems concern.

use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Family};

use super::failure::Failure;
use super::slow::{Cost, Slow};
use crate::outcome::Connection;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Connections failed in this way.
    Failed(Failure),
    /// Connections were slow for this reason.
    Slow(Slow),
}

impl Kind {
    /// Whether SYNs were answered late or never.
    pub(super) const fn is_of_syn(self) -> bool {
        matches!(
            self,
            Self::Failed(Failure::Unanswered)
                | Self::Slow(Slow::Answers(Family::Handshake) | Slow::Requests(Family::Handshake))
        )
    }
}

/// Whom a problem concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A server's address and port.
    Service(Endpoint),
    /// Many ports of one host, which one client tried.
    Scan {
        /// The host with the ports.
        host: IpAddr,
        /// Who tried them.
        client: IpAddr,
    },
    /// The path to a host: one client sent SYNs whose hop limits rise, as `traceroute -T` and `mtr --tcp` do.
    Trace {
        /// The host at the end of the path.
        host: IpAddr,
        /// Who traced it.
        client: IpAddr,
    },
    /// A server that was sent SYNs by the hundred per second and answered none.
    Flood(Endpoint),
    /// A host that strangers sent one SYN each.
    Strays(IpAddr),
    /// Many addresses that did not answer one client. It tried most of them once or each at another port, as
    /// programs of peer-to-peer networks do.
    Peers(IpAddr),
    /// Several addresses that did not answer one client.
    Client(IpAddr),
}

/// Whom a problem concerns, and how: what one action can fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProblemKey {
    /// Whom it concerns.
    pub target: Target,
    /// What is wrong.
    pub kind: Kind,
}

impl Target {
    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Service(_) => "service",
            Self::Scan { .. } => "scan",
            Self::Trace { .. } => "trace",
            Self::Flood(_) => "flood",
            Self::Strays(_) => "strays",
            Self::Peers(_) => "peers",
            Self::Client(_) => "client",
        }
    }

    /// Whether nobody waited for these connections: somebody probes.
    pub const fn is_probes(self) -> bool {
        match self {
            Self::Service(_) | Self::Client(_) => false,
            Self::Scan { .. } | Self::Trace { .. } | Self::Flood(_) | Self::Strays(_) | Self::Peers(_) => true,
        }
    }

    /// The only client; `None` where there may be several.
    pub const fn client(self) -> Option<IpAddr> {
        match self {
            Self::Scan { client, .. } | Self::Trace { client, .. } | Self::Peers(client) | Self::Client(client) => {
                Some(client)
            }
            Self::Service(_) | Self::Flood(_) | Self::Strays(_) => None,
        }
    }

    /// Whether it is that of connections from `client` to `server`.
    pub fn is_of(self, server: Endpoint, client: IpAddr) -> bool {
        match self {
            Self::Service(service) | Self::Flood(service) => service == server,
            Self::Scan { host, client: by } | Self::Trace { host, client: by } => {
                host == server.address && by == client
            }
            Self::Strays(host) => host == server.address,
            Self::Peers(by) | Self::Client(by) => by == client,
        }
    }
}

impl ProblemKey {
    /// Whether the connections failed.
    pub const fn is_failure(&self) -> bool {
        matches!(self.kind, Kind::Failed(_))
    }

    /// The address that was connected to; that of the client, where that tried many.
    pub const fn address(&self) -> IpAddr {
        match self.target {
            Target::Service(service) | Target::Flood(service) => service.address,
            Target::Scan { host, .. } | Target::Trace { host, .. } | Target::Strays(host) => host,
            Target::Peers(client) | Target::Client(client) => client,
        }
    }

    /// Stable id of its kind: `failed`, `scanned` (one client tried many ports), `probed` (nobody waited for
    /// these connections for another reason) or `slow`.
    pub const fn kind_id(&self) -> &'static str {
        match (self.kind, self.target) {
            (Kind::Failed(_), Target::Scan { .. }) => "scanned",
            (Kind::Failed(_), target) if target.is_probes() => "probed",
            (Kind::Failed(_), _) => "failed",
            (Kind::Slow(_), _) => "slow",
        }
    }

    /// Stable id of how the connections failed, or of what took their time.
    pub const fn cause_id(&self) -> &'static str {
        match self.kind {
            Kind::Failed(failure) => failure.id(),
            Kind::Slow(slow) => slow.id(),
        }
    }

    /// Whose data was slow: `client` or `server`; `None` where that is not the matter.
    pub const fn sender_id(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Failed(_) => None,
            Kind::Slow(slow) => slow.sender(),
        }
    }

    /// Whether nobody waited for these connections: they come last, and nothing is proposed.
    pub const fn is_probes(&self) -> bool {
        self.target.is_probes()
    }

    /// Whether `connection` is part of this problem.
    pub fn concerns(&self, connection: &Connection) -> bool {
        let server = connection.server();
        let [host, client] = [server, server.peer()].map(|side| connection.endpoints[side.index()]);
        self.target.is_of(host, client.address)
            && match self.kind {
                Kind::Failed(failure) => Failure::of(connection, server).is_some_and(|found| found.0 == failure),
                Kind::Slow(slow) => Cost::of(connection).is_some_and(|cost| cost.slow == slow),
            }
    }

    /// The server; `None` where it concerns several.
    pub const fn service(&self) -> Option<Endpoint> {
        match self.target {
            Target::Service(service) | Target::Flood(service) => Some(service),
            Target::Scan { .. } | Target::Trace { .. } | Target::Strays(_) | Target::Peers(_) | Target::Client(_) => {
                None
            }
        }
    }
}
