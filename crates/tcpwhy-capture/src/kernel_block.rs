//! What a kernel said of its sockets, inside a pcapng.
//!
//! A decryption secrets block (draft-ietf-opsawg-pcapng §4.7) of a type of our own: other tools pass over it without counting it
//! as a packet, so that packets keep their numbers, and keep it when they save the file again. (A custom block would be counted
//! by Wireshark, and the others would be lost.) The secrets are a list, compressed by zstd; what is in it is no matter of
//! captures.

use std::io::{self, Read as _};

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance(u64);

impl Default for Allowance {
    fn default() -> Self {
        Self(GRANTED)
    }
}

impl Allowance {
    /// The list in `secrets`; `None` when it is damaged, too large, or more than is left for all.
    pub(crate) fn decompress(&mut self, secrets: &[u8]) -> Option<Vec<u8>> {
        self.0 = self.0.saturating_add(secrets.len() as u64 * MOST_RATIO);
        let most = self.0.min(MAX_LIST);
        let mut list = Vec::new();
        let decoder = zstd::stream::read::Decoder::with_buffer(secrets).ok()?;
        let result = decoder.take(most + 1).read_to_end(&mut list);
        // What was read before it was found to be damaged took its time, too.
        self.0 = self.0.saturating_sub(list.len() as u64);
        (result.is_ok() && list.len() as u64 <= most).then_some(list)
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
        Allowance::default().decompress(secrets)
    }

    #[test]
    fn lists_come_to_a_bounded_multiple_of_their_capture() {
        let secrets = compress(&vec![0; MAX_LIST as usize]).unwrap();
        let mut allowance = Allowance::default();
        let most = 5_000;
        let lists = (0..most).filter(|_| allowance.decompress(&secrets).is_some()).count() as u64;
        let in_all = secrets.len() as u64 * most;
        assert!((1..=(GRANTED + in_all * MOST_RATIO) / MAX_LIST).contains(&lists), "{lists} of {in_all} bytes");
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
