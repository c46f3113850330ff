//! One end of a connection with what it did: what sums are made of.

use std::net::IpAddr;

use tcpwhy_analysis::Role;
use tcpwhy_model::host::SocketAddress;
use tcpwhy_model::live::SocketKey;
use tcpwhy_model::{OutcomeKind, Timestamp};

use super::tally::{Tally, Window};
use crate::connection::LiveConnection;

/// How much of a connection's life a stretch of time contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It was there before, or it is still open.
    Lasting,
    /// It came and went.
    Brief,
}

/// A client's address, and the address and port that it connects to.
pub type Service = (IpAddr, IpAddr, u16);

/// A socket with what it did in a stretch of time.
#[derive(Clone, Debug)]
pub struct End {
    /// Which socket.
    pub key: SocketKey,
    /// This end.
    pub local: SocketAddress,
    /// The other end.
    pub peer: SocketAddress,
    /// What this end is to the connection.
    pub role: Role,
    /// When it was seen first, and when last.
    pub seen: [Timestamp; 2],
    /// Whether it came and went within the stretch.
    pub life: Life,
    /// How many requests were answered while it was watched; `None` where nobody counts them.
    pub answers: Option<u64>,
    /// How it fails, where it does.
    pub outcome: Option<OutcomeKind>,
    /// What it did.
    pub tally: Tally,
}

impl End {
    /// `connection` within `window`.
    pub fn of(connection: &LiveConnection, window: Window) -> Self {
        Self::new(connection, window.start(), connection.tally(window))
    }

    /// `connection` in all the time that it was watched.
    pub fn whole(connection: &LiveConnection) -> Self {
        Self::new(connection, connection.seen()[0], connection.tally_in_all())
    }

    fn new(connection: &LiveConnection, start: Timestamp, tally: Tally) -> Self {
        let seen = connection.seen();
        let came = connection.began_here() && seen[0] >= start;
        Self {
            key: connection.key(),
            local: connection.local().clone(),
            peer: connection.peer().clone(),
            role: connection.role(),
            seen,
            life: if came && connection.has_ended() { Life::Brief } else { Life::Lasting },
            // A client counts its peer's turns, a server its own.
            answers: connection.turns().map(|[own, peers]| own.count.max(peers.count)),
            outcome: connection.outcome().map(|outcome| outcome.kind),
            tally,
        }
    }

    /// Who connects to what.
    pub fn service(&self) -> Option<Service> {
        let [client, server] = match self.role {
            Role::Client => [&self.local, &self.peer],
            Role::Server => [&self.peer, &self.local],
            Role::Unknown => return None,
        };
        Some((client.address?.to_canonical(), server.address?.to_canonical(), server.port?))
    }
}
