//! What a kernel said of its sockets, inside a pcapng.
//!
//! A decryption secrets block (draft-ietf-opsawg-pcapng §4.7) of a type of our own: other tools pass over it without counting it
//! as a packet, so that packets keep their numbers, and keep it when they save the file again. (A custom block would be counted
//! by Wireshark, and the others would be lost.) The secrets are a list, compressed by zstd; what is in it is no matter of
//! captures.

use std::io::{self, Read as _};

use crate::growth::Growth;

/// The type of the block.
pub(crate) const DECRYPTION_SECRETS: u32 = 10;
/// `tcpw`, as the letters of other types of secrets make theirs.
pub(crate) const SECRETS_TYPE: u32 = u32::from_be_bytes(*b"tcpw");
/// The largest list that is believed, bytes: those that are written have 64 kB or a little more.
const MAX_LIST: u64 = 4 << 20;
/// The fastest: level 3 takes four times as long for a hundredth part less.
const LEVEL: i32 = 1;
/// What all lists may come to however well they are compressed, bytes.
const GRANTED: u64 = 64 << 20;
/// And for each byte of the blocks that they stand in: recordings have less than a quarter of it.
const MOST_RATIO: u64 = 200;

/// How many bytes the lists of a capture may still come to: a few bytes can be a list of megabytes, and a capture has room for
/// millions of such.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    left: u64,
    /// That of the capture: compression within compression grows by both.
    growth: Growth,
}

/// Why a list cannot be read.
#[derive(Debug)]
pub(crate) enum BadList {
    /// It is damaged, too large, or more than is left for all.
    Damaged,
    /// All lists are more than the capture may grow to.
    Overgrown,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { left: GRANTED, growth: Growth::default() }
    }
}

impl Allowance {
    /// The same, as far as `growth` allows.
    pub(crate) fn within(self, growth: Growth) -> Self {
        Self { growth, ..self }
    }

    /// The list in `secrets`.
    ///
    /// # Errors
    /// It cannot be read, or not any more.
    pub(crate) fn decompress(&mut self, secrets: &[u8]) -> Result<Vec<u8>, BadList> {
        let packed = secrets.len() as u64;
        self.left = self.left.saturating_add(packed * MOST_RATIO);
        let most = self.left.min(MAX_LIST);
        let mut list = Vec::new();
        let decoder = zstd::stream::read::Decoder::with_buffer(secrets).map_err(|_| BadList::Damaged)?;
        let result = decoder.take(most + 1).read_to_end(&mut list);
        // What was read before it was found to be damaged took its time, too.
        let len = list.len() as u64;
        self.left = self.left.saturating_sub(len);
        self.growth.count_within(packed, len).map_err(|_| BadList::Overgrown)?;
        if result.is_ok() && len <= most { Ok(list) } else { Err(BadList::Damaged) }
    }
}

/// Takes in the lists of a capture, one after the other, as they come among its packets.
pub type KernelHearer = Box<dyn FnMut(&[u8]) + Send>;

pub(crate) fn compress(list: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(list, LEVEL)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails says so")]
mod tests {
    use super::*;

    fn decompress(secrets: &[u8]) -> Option<Vec<u8>> {
        Allowance::default().decompress(secrets).ok()
    }

    #[test]
    fn lists_come_to_a_bounded_multiple_of_their_capture() {
        let secrets = compress(&vec![0; MAX_LIST as usize]).unwrap();
        let mut allowance = Allowance::default();
        let most = 5_000;
        let lists = (0..most).filter(|_| allowance.decompress(&secrets).is_ok()).count() as u64;
        let in_all = secrets.len() as u64 * most;
        assert!((1..=(GRANTED + in_all * MOST_RATIO) / MAX_LIST).contains(&lists), "{lists} of {in_all} bytes");
    }

    /// Within compression they count for the bytes around them.
    #[test]
    fn lists_within_compression_grow_to_a_bound() {
        const FREE: u64 = 3 << 20;
        let secrets = compress(&vec![0; 1 << 20]).unwrap();
        // A member of an archive that grew a thousand times.
        let growth = Growth::of(FREE).within(1, 1000);
        let mut allowance = Allowance::default().within(growth);
        let lists = (0..100).take_while(|_| allowance.decompress(&secrets).is_ok()).count();
        assert_eq!(lists, 3);
        assert!(matches!(allowance.decompress(&secrets), Err(BadList::Overgrown)));
    }

    #[test]
    fn lists_survive_and_damage_does_not() {
        let list = vec![7; 100_000];
        let secrets = compress(&list).unwrap();
        assert_eq!(decompress(&secrets), Some(list));
        assert_eq!(decompress(&secrets[..secrets.len() - 1]), None);
        assert_eq!(decompress(b"no secrets of ours"), None);
        assert_eq!(decompress(&compress(&vec![0; 5 << 20]).unwrap()), None);
    }
}
