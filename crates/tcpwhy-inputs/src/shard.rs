use std::num::NonZero;

use sha2::{Digest as _, Sha256};

/// One of several shards of the captures. The name of a capture determines its shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, from 1.
    number: NonZero<u64>,
    of: NonZero<u64>,
}

impl Shard {
    /// Shard `number` (from 1) of `of`; `None` if there is no such shard.
    pub fn new(number: u64, of: u64) -> Option<Self> {
        let (number, of) = (NonZero::new(number)?, NonZero::new(of)?);
        (number <= of).then_some(Self { number, of })
    }

    /// Whether this shard contains the capture with this name, relative to the argument. The first 8 bytes of
    /// the name's SHA-256 decide, so that all machines and versions agree.
    pub fn has(self, name: &str) -> bool {
        let digest = Sha256::digest(name.as_bytes());
        let begin = digest.first_chunk().copied().unwrap_or_default();
        u64::from_be_bytes(begin) % self.of == self.number.get() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_in_one_part() {
        let mut sizes = [0; 7];
        for n in 0..7000 {
            let name = format!("2026/{n}.pcap.gz");
            let parts: Vec<_> = (1..=7).filter(|&part| Shard::new(part, 7).unwrap().has(&name)).collect();
            let [part] = parts[..] else { panic!("{name} is in {parts:?}") };
            sizes[part as usize - 1] += 1;
        }
        assert!(sizes.iter().all(|size| (900..1100).contains(size)), "{sizes:?}");
        assert_eq!((Shard::new(0, 3), Shard::new(4, 3), Shard::new(1, 0)), (None, None, None));
    }

    /// Equals this Python expression:
    /// `int.from_bytes(hashlib.sha256(b"a.pcap").digest()[:8], "big") % 1000 + 1`.
    #[test]
    fn the_part_of_a_name_never_changes() {
        assert!(Shard::new(198, 1000).unwrap().has("a.pcap"));
    }
}
