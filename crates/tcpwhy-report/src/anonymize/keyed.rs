//! Keyed hashes, and the key for names that is derived from the whole key.

use hmac::{Hmac, KeyInit, Mac as _};
use sha2::Sha256;

use super::key::KEY_LEN;

/// Derives the key for names. It does not reveal the key for addresses.
pub(super) fn names_key(key: &[u8; KEY_LEN]) -> [u8; KEY_LEN] {
    let mut mac = keyed(key);
    mac.update(b"names");
    mac.finalize().into_bytes().into()
}

pub(super) fn keyed(key: &[u8; KEY_LEN]) -> Hmac<Sha256> {
    // HMAC takes keys of any length; this one has at most one block.
    <Hmac<Sha256> as KeyInit>::new(&padded(key).into())
}

/// Pads the key with zeros to one block (RFC 2104).
fn padded(key: &[u8; KEY_LEN]) -> [u8; 64] {
    let mut block = [0; 64];
    block[..KEY_LEN].copy_from_slice(key);
    block
}
