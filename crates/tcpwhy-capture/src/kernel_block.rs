//! Kernel data about sockets inside a pcapng.
//!
//! A decryption secrets block (draft-ietf-opsawg-pcapng §4.7) with a type of our own. Other tools skip it
//! without counting it as a packet, so that packets keep their numbers, and keep it when they save the file.
//! (Wireshark would count a custom block, and lose the others.) The secrets are a list compressed by zstd,
//! whose content this crate does not interpret.

use std::io::{self, Read as _};

use crate::growth::Growth;

/// Type of the block.
pub(crate) const DECRYPTION_SECRETS: u32 = 10;
/// `tcpw`, made of letters like other types of secrets.
pub(crate) const SECRETS_TYPE: u32 = u32::from_be_bytes(*b"tcpw");
/// Maximum length of a list in bytes; written lists have little more than 64 kB.
const MAX_LIST: u64 = 4 << 20;
/// The fastest level: level 3 takes four times as long and saves 1 %.
const LEVEL: i32 = 1;
/// Decompressed bytes that all lists together may always have, at any compression ratio.
const GRANTED: u64 = 64 << 20;
/// Additional decompressed bytes per byte of their blocks; recordings need less than a quarter of it.
const MOST_RATIO: u64 = 200;

/// Decompressed bytes that the lists of a capture may still have. A few bytes can be a list of megabytes, and
/// a capture has room for millions of them.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    left: u64,
    /// Limit of the capture: nested compression multiplies both ratios.
    growth: Growth,
}

/// Reason why a list cannot be read.
#[derive(Debug)]
pub(crate) enum BadList {
    /// The list is damaged, too large, or exceeds the allowance.
    Damaged,
    /// All lists together exceed the limit of the capture.
    Overgrown,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { left: GRANTED, growth: Growth::default() }
    }
}

impl Allowance {
    /// The same allowance, limited by `growth` too.
    pub(crate) fn within(self, growth: Growth) -> Self {
        Self { growth, ..self }
    }

    /// Decompresses the list in `secrets`.
    ///
    /// # Errors
    /// If it cannot be read, or exceeds the allowance.
    pub(crate) fn decompress(&mut self, secrets: &[u8]) -> Result<Vec<u8>, BadList> {
        let packed = secrets.len() as u64;
        self.left = self.left.saturating_add(packed * MOST_RATIO);
        let most = self.left.min(MAX_LIST);
        let mut list = Vec::new();
        let decoder = zstd::stream::read::Decoder::with_buffer(secrets).map_err(|_| BadList::Damaged)?;
        let result = decoder.take(most + 1).read_to_end(&mut list);
        // Bytes decompressed before an error cost time too, so they count.
        let len = list.len() as u64;
        self.left = self.left.saturating_sub(len);
        self.growth.count_within(packed, len).map_err(|_| BadList::Overgrown)?;
        if result.is_ok() && len <= most { Ok(list) } else { Err(BadList::Damaged) }
    }
}

/// Callback for the lists of a capture, called in their order among the packets.
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

    /// Lists inside a compressed file count by its ratio too.
    #[test]
    fn lists_within_compression_grow_to_a_bound() {
        const FREE: u64 = 3 << 20;
        let secrets = compress(&vec![0; 1 << 20]).unwrap();
        // A member of an archive that expanded a thousandfold.
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
