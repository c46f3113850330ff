//! Hashes of four-tuples, to find the connection of a segment.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::net::{IpAddr, Ipv4Addr};

use foldhash::SharedSeed;
use foldhash::fast::SeedableRandomState;
use tcpwhy_model::Segment;

/// Hashes four-tuples with a random key, so that nobody can construct a capture with collisions. Clones share
/// the key.
#[derive(Clone, Debug, Default)]
pub struct FlowHasher(SeedableRandomState);

/// The hash of a four-tuple: the same for both directions of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowHash(u64);

impl FlowHasher {
    /// Creates a hasher with a known key, so that tests can show that the key changes nothing. Captures with
    /// collisions can be constructed for it.
    #[doc(hidden)]
    pub fn with_key(key: u64) -> Self {
        Self(SeedableRandomState::with_seed(key, SharedSeed::global_fixed()))
    }

    /// Returns the hash of the connection that `segment` belongs to.
    #[inline]
    pub fn hash(&self, segment: &Segment) -> FlowHash {
        let (source, destination) = (&segment.source, &segment.destination);
        let mut hasher = self.0.build_hasher();
        if let (IpAddr::V4(from), IpAddr::V4(to)) = (&source.address, &destination.address) {
            let word = |address: &Ipv4Addr, port: u16| u64::from(address.to_bits()) << 16 | u64::from(port);
            let (from, to) = (word(from, source.port), word(to, destination.port));
            hasher.write_u64(from.min(to));
            hasher.write_u64(from.max(to));
        } else {
            let (low, high) = if source <= destination { (source, destination) } else { (destination, source) };
            for end in [low, high] {
                end.hash(&mut hasher);
            }
        }
        FlowHash(hasher.finish())
    }
}

impl FlowHash {
    /// Returns the index of one of `shards` evenly sized parts of all connections. Hashes of connections
    /// between two hosts differ by small multiples of a part of the key, which may not affect some bits.
    /// Therefore all bits are mixed once more.
    pub fn shard(self, shards: usize) -> usize {
        /// 2⁶⁴ divided by the golden ratio (Knuth, The Art of Computer Programming 3, §6.4).
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(GOLDEN);
        ((mixed >> 32) % shards.max(1) as u64) as usize
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

    /// Parts of keys that do not affect the bits that distinguish shards.
    #[test]
    fn weak_keys_spread_neighbours_too() {
        for key in [0x9abc_d000_1234_5677, 1 << 44, 7 << 44, 7, 1 << 20, 0xfff] {
            let mut quarters = [0_u32; 4];
            for neighbour in 0..64_u64 {
                quarters[FlowHash(neighbour.wrapping_mul(key)).shard(4096) / 1024] += 1;
            }
            assert!(!quarters.contains(&0), "{key:#x}: {quarters:?}");
        }
    }
}
