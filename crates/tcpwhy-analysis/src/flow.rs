//! Which connection a segment may belong to.

use std::hash::{BuildHasher as _, Hasher as _};
use std::net::IpAddr;

use hashbrown::DefaultHashBuilder;
use tcpwhy_model::{Endpoint, Segment};

/// Hashes four-tuples with a key of its own, drawn at random, so that no capture can be made up to collide. Clones share the
/// key.
#[derive(Clone, Debug, Default)]
pub struct FlowHasher(DefaultHashBuilder);

/// The hash of a four-tuple: the same for both directions of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowHash(u64);

impl FlowHasher {
    /// The hash of the connection that `segment` belongs to.
    #[inline]
    pub fn hash(&self, segment: &Segment) -> FlowHash {
        let (source, destination) = (words(&segment.source), words(&segment.destination));
        let (low, high) = if source <= destination { (source, destination) } else { (destination, source) };
        let mut hasher = self.0.build_hasher();
        hasher.write_u64(low.0);
        hasher.write_u64(high.0);
        if low.1 | high.1 != 0 {
            hasher.write_u64(low.1);
            hasher.write_u64(high.1);
            hasher.write_u64(low.2);
            hasher.write_u64(high.2);
        }
        FlowHash(hasher.finish())
    }
}

/// Address and port; an IPv4 endpoint fits the first word.
#[inline]
fn words(endpoint: &Endpoint) -> (u64, u64, u64) {
    match endpoint.address {
        IpAddr::V4(a) => (u64::from(a.to_bits()) << 16 | u64::from(endpoint.port), 0, 0),
        // The port's word is never 0, which tells the versions apart.
        IpAddr::V6(a) => {
            let bits = a.to_bits();
            (bits as u64, u64::from(endpoint.port) | 1 << 16, (bits >> 64) as u64)
        }
    }
}

impl FlowHash {
    /// One of `shards` parts of all connections, spread evenly.
    pub fn shard(self, shards: usize) -> usize {
        ((self.0 >> 32) % shards.max(1) as u64) as usize
    }

    pub(crate) fn bits(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_one_flow_and_parts_are_even() {
        let hasher = FlowHasher::default();
        let mut parts = [0_u32; 2];
        let mut segment = tcpwhy_testkit::script("0.000 > S 0:0(0)").segments[0];
        for i in 0..2000_u32 {
            segment.source.address = IpAddr::from(std::net::Ipv4Addr::from_bits(0x0a00_0000 + i / 50));
            segment.source.port = (1024 + i) as u16;
            if i % 2 == 1 {
                segment.source.address =
                    IpAddr::from(std::net::Ipv6Addr::from_bits((0x2001_0db8_u128 << 96) + u128::from(i)));
            }
            let there = hasher.hash(&segment);
            let mut back = segment;
            std::mem::swap(&mut back.source, &mut back.destination);
            assert_eq!(there, hasher.hash(&back));
            parts[there.shard(2)] += 1;
        }
        assert!(parts.iter().all(|p| (850..1150).contains(p)), "{parts:?}");
    }
}
