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
/// As the `zstd` program has it.
const LEVEL: i32 = 3;

/// Takes in the lists of a capture, one after the other, as they come among its packets.
pub type KernelHearer = Box<dyn FnMut(&[u8]) + Send>;

pub(crate) fn compress(list: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(list, LEVEL)
}

/// `None` when it is damaged or too large.
pub(crate) fn decompress(secrets: &[u8]) -> Option<Vec<u8>> {
    let mut list = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(secrets).ok()?;
    let len = decoder.take(MAX_LIST + 1).read_to_end(&mut list).ok()?;
    (len as u64 <= MAX_LIST).then_some(list)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails says so")]
mod tests {
    use super::*;

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
