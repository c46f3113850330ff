//! Keys from passphrases.

use argon2::{Algorithm, Argon2, Params, Version};
use tcpwhy_model::{Explained, Message};

/// Bytes of key material: an AES-128 key and the block that its padding is made from.
pub const KEY_LEN: usize = 32;

/// Argon2id with the second recommended option of RFC 9106 §4, for machines without 2 GiB to spare: 3 passes,
/// 4 lanes, 64 MiB.
const PASSES: u32 = 3;
const LANES: u32 = 4;
const MEMORY_KIB: u32 = 64 << 10;
/// One salt for everybody, because the same passphrase must give the same key on every machine. A weak
/// passphrase therefore stays weak; Argon2 only makes guesses slower.
const SALT: &[u8] = b"tcpwhy --anonymize, 1";

/// Reason why no key could be made.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The passphrase is empty.
    #[error("the key is empty")]
    Empty,
    /// Argon2 failed on this machine.
    #[error("cannot derive a key from the passphrase: {0}")]
    Derivation(argon2::Error),
}

/// Returns the key that 64 hexadecimal digits spell, or derives one from any other passphrase.
pub(super) fn from_passphrase(passphrase: &[u8]) -> Result<[u8; KEY_LEN], KeyError> {
    if passphrase.is_empty() {
        return Err(KeyError::Empty);
    }
    if let Some(key) = from_hex(passphrase) {
        return Ok(key);
    }
    let parameters = Params::new(MEMORY_KIB, PASSES, LANES, Some(KEY_LEN)).map_err(KeyError::Derivation)?;
    let mut key = [0; KEY_LEN];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
        .hash_password_into(passphrase, SALT, &mut key)
        .map_err(KeyError::Derivation)?;
    Ok(key)
}

fn from_hex(text: &[u8]) -> Option<[u8; KEY_LEN]> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, []) = text.as_chunks::<2>() else { return None };
    let mut key = [0; KEY_LEN];
    if pairs.len() != KEY_LEN {
        return None;
    }
    for (byte, [high, low]) in key.iter_mut().zip(pairs) {
        *byte = (digit(*high)? << 4 | digit(*low)?) as u8;
    }
    Some(key)
}

impl Explained for KeyError {
    fn message(&self) -> Message {
        match self {
            Self::Empty => Message::new("key-empty"),
            Self::Derivation(cause) => Message::new("key-not-derived").with("cause", cause.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected key is from the reference implementation: `argon2 'tcpwhy --anonymize, 1' -id -t 3 -k
    /// 65536 -p 4 -l 32 -v 13`.
    #[test]
    fn a_passphrase_gives_the_key_that_it_always_gave() {
        let expected = from_hex(b"32d454c2b2894126ae1fc894edddb8429b8137ecf979335744745e53a911065e");
        assert_eq!(from_passphrase(b"correct horse").ok(), expected);
    }

    #[test]
    fn keys_as_they_are() {
        let hex = "1522178D33a4cf80130a5b1649907d10d8988f837979652762574c2d2a842202";
        assert_eq!(from_passphrase(hex.as_bytes()).unwrap()[..3], [0x15, 0x22, 0x17]);
        for text in [&hex[1..], "", "+5", "é"] {
            assert_eq!(from_hex(text.as_bytes()), None, "{text}");
        }
        assert!(matches!(from_passphrase(b""), Err(KeyError::Empty)));
    }
}
