//! A host filter as the user types it.

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use crate::Message;

/// An address, a CIDR prefix or the beginning of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostPattern {
    /// Addresses whose first `len` bits equal those of `address`.
    Prefix {
        /// Address of the network or of the host.
        address: IpAddr,
        /// Number of significant bits: 32 or 128 for one host.
        len: u8,
    },
    /// Addresses whose text begins with this string: `10.0.`.
    Beginning(String),
}

impl FromStr for HostPattern {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let (address, len) = match text.split_once('/') {
            Some((address, len)) => (address, Some(len)),
            None => (text, None),
        };
        match (address.parse::<IpAddr>(), len) {
            (Ok(address), None) => Ok(Self::of(address)),
            (Ok(address), Some(len)) => match len.parse() {
                Ok(len) if len <= bits(address) => Ok(Self::Prefix { address, len }),
                _ => Err(Message::new("prefix-length").with("most", bits(address))),
            },
            (Err(_), None)
                if text.ends_with(['.', ':']) && text.chars().all(|c| c.is_ascii_hexdigit() || ".:".contains(c)) =>
            {
                Ok(Self::Beginning(text.to_ascii_lowercase()))
            }
            _ => Err(Message::new("host-expected")),
        }
    }
}

impl HostPattern {
    /// The pattern of this address alone.
    pub const fn of(address: IpAddr) -> Self {
        Self::Prefix { address, len: bits(address) }
    }

    /// Whether `host` matches.
    pub fn matches(&self, host: IpAddr) -> bool {
        match self {
            Self::Beginning(text) => host.to_string().starts_with(text),
            &Self::Prefix { address, len } => {
                if address.is_ipv4() != host.is_ipv4() {
                    return false;
                }
                let differing = left_aligned(address) ^ left_aligned(host);
                differing.leading_zeros() >= u32::from(len)
            }
        }
    }
}

const fn bits(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

fn left_aligned(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(a) => u128::from(a.to_bits()) << 96,
        IpAddr::V6(a) => Ipv6Addr::to_bits(a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, host: &str) -> bool {
        pattern.parse::<HostPattern>().unwrap().matches(host.parse().unwrap())
    }

    #[test]
    fn hosts() {
        assert!(matches("10.0.0.1", "10.0.0.1"));
        assert!(!matches("10.0.0.1", "10.0.0.2"));
        assert!(matches("10.0.0.0/8", "10.200.3.4"));
        assert!(!matches("10.0.0.0/8", "11.0.0.1"));
        assert!(matches("0.0.0.0/0", "203.0.113.9"));
        assert!(!matches("0.0.0.0/0", "::1"));
        assert!(matches("fd00::/8", "fd12::1"));
        assert!(matches("10.0.", "10.0.5.6"));
        assert!(!matches("10.0.", "10.10.5.6"));
        for bad in ["10.0.0.0/33", "host.example", "10.0", "", "fd00::/129"] {
            assert!(bad.parse::<HostPattern>().is_err(), "{bad}");
        }
    }
}
