use std::net::IpAddr;

use super::SocketAddress;

/// Local ports that connections to one destination occupy in `TIME-WAIT`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PortUse {
    /// This end's address.
    pub local: Option<IpAddr>,
    /// The destination.
    pub peer: SocketAddress,
    /// Number of local ports within the range for outgoing connections.
    pub ports: u64,
    /// Number of those ports that entered `TIME-WAIT` during the last second; `tcp_tw_reuse` cannot reuse
    /// them yet.
    pub fresh: u64,
}
