use std::net::IpAddr;

use super::SocketAddress;

/// Local ports that connections to one destination hold in `TIME-WAIT`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PortUse {
    /// This end's address.
    pub local: Option<IpAddr>,
    /// The destination.
    pub peer: SocketAddress,
    /// Local ports of the range for outgoing connections.
    pub ports: u64,
    /// Those of them that came into `TIME-WAIT` during the last second: `tcp_tw_reuse` does not take these yet.
    pub fresh: u64,
}
