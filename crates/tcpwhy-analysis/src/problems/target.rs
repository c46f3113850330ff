//! Hosts and services that problems affect.

use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Family};

use super::failure::Failure;
use super::slow::{Cost, Slow};
use crate::outcome::Connection;

/// Kind of a problem.
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

/// The host or service that a problem affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A server's address and port.
    Service(Endpoint),
    /// Many ports of one host, which one client tried.
    Scan {
        /// The host with the ports.
        host: IpAddr,
        /// The client that tried them.
        client: IpAddr,
    },
    /// The path to a host: one client sent SYNs whose hop limits rise, as `traceroute -T` and `mtr --tcp` do.
    Trace {
        /// The host at the end of the path.
        host: IpAddr,
        /// The client that traced the path.
        client: IpAddr,
    },
    /// A server that received hundreds of SYNs per second and answered none.
    Flood(Endpoint),
    /// A host that received one SYN each from strangers.
    Strays(IpAddr),
    /// Many addresses that did not answer one client. It tried most of them only once, or each at another
    /// port, as peer-to-peer programs do.
    Peers(IpAddr),
    /// Several addresses that did not answer one client.
    Client(IpAddr),
}

/// The target and kind of a problem, which one action can fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProblemKey {
    /// The affected host or service.
    pub target: Target,
    /// Kind of a problem.
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

    /// Whether nobody waited for these connections, because they are probes.
    pub const fn is_probes(self) -> bool {
        match self {
            Self::Service(_) | Self::Client(_) => false,
            Self::Scan { .. } | Self::Trace { .. } | Self::Flood(_) | Self::Strays(_) | Self::Peers(_) => true,
        }
    }

    /// Returns the only client; `None` if there may be several.
    pub const fn client(self) -> Option<IpAddr> {
        match self {
            Self::Scan { client, .. } | Self::Trace { client, .. } | Self::Peers(client) | Self::Client(client) => {
                Some(client)
            }
            Self::Service(_) | Self::Flood(_) | Self::Strays(_) => None,
        }
    }

    /// Whether connections from `client` to `server` have this target.
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

    /// Returns the address of the server, or that of the client if it tried many servers.
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

    /// Stable id of the failure of the connections, or of the cause of their lost time.
    pub const fn cause_id(&self) -> &'static str {
        match self.kind {
            Kind::Failed(failure) => failure.id(),
            Kind::Slow(slow) => slow.id(),
        }
    }

    /// Sender of the slow data: `client` or `server`; `None` if the problem is not about slow data.
    pub const fn sender_id(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Failed(_) => None,
            Kind::Slow(slow) => slow.sender(),
        }
    }

    /// Whether nobody waited for these connections. They come last, and no change is proposed.
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

    /// Returns the server; `None` if there are several.
    pub const fn service(&self) -> Option<Endpoint> {
        match self.target {
            Target::Service(service) | Target::Flood(service) => Some(service),
            Target::Scan { .. } | Target::Trace { .. } | Target::Strays(_) | Target::Peers(_) | Target::Client(_) => {
                None
            }
        }
    }
}
