//! Addresses of one network.

use std::net::IpAddr;

use crate::thresholds::{NETWORK_V4, NETWORK_V6};

/// Whether both addresses belong to one network of the size that servers of one service usually share.
pub(super) fn is_of_network(a: IpAddr, b: IpAddr) -> bool {
    match (a, b) {
        (IpAddr::V4(a), IpAddr::V4(b)) => (a.to_bits() ^ b.to_bits()).leading_zeros() >= NETWORK_V4.get(),
        (IpAddr::V6(a), IpAddr::V6(b)) => (a.to_bits() ^ b.to_bits()).leading_zeros() >= NETWORK_V6.get(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `NETWORK_V4`, `NETWORK_V6`.
    #[test]
    fn servers_of_one_service_share_a_network() {
        for (a, b, expected) in [
            ("10.0.0.2", "10.0.0.255", true),
            ("10.0.0.2", "10.0.1.2", false),
            ("2001:db8:0:1::2", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::2", "2001:db8:0:2::2", false),
            ("10.0.0.2", "2001:db8::2", false),
        ] {
            assert_eq!(is_of_network(a.parse().unwrap(), b.parse().unwrap()), expected, "{a} {b}");
        }
    }
}
