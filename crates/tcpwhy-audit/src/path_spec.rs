//! A path for which an audit was requested.

use tcpwhy_model::Rate;

/// A path that the host is to serve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSpec {
    /// Rate that the path can carry.
    pub rate: Rate,
    /// Round trip time in seconds.
    pub rtt: f64,
    /// Largest packet in bytes.
    pub mtu: u32,
}

impl PathSpec {
    /// The largest packet of Ethernet.
    pub const ETHERNET_MTU: u32 = 1500;

    /// Bandwidth-delay product: bytes that must be in flight to fill the path.
    pub fn bdp_bytes(&self) -> u64 {
        (self.rate.bytes_per_sec() * self.rtt).round() as u64
    }
}
