//! Keyed hashes, and the key for names that is derived from the whole key.

use hmac::{Hmac, KeyInit, Mac as _};
use sha2::Sha256;

use super::key::KEY_LEN;

/// The key for names, which tells nothing of the one for addresses.
pub(super) fn names_key(key: &[u8; KEY_LEN]) -> [u8; KEY_LEN] {
    let mut mac = keyed(key);
    mac.update(b"names");
    mac.finalize().into_bytes().into()
}

pub(super) fn keyed(key: &[u8; KEY_LEN]) -> Hmac<Sha256> {
    // HMAC takes keys of any length; this one is a block at most.
    <Hmac<Sha256> as KeyInit>::new(&padded(key).into())
}

/// RFC 2104: a key shorter than a block is followed by zeros.
fn padded(key: &[u8; KEY_LEN]) -> [u8; 64] {
    let mut block = [0; 64];
    block[..KEY_LEN].copy_from_slice(key);
    block
}
