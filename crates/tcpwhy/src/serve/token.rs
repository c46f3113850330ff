//! The secret token in the address.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

/// Bytes of the token: 128 bits cannot be guessed.
const BYTES: usize = 16;

/// The first segment of every path, which grants access to the captures. Every user of the host can connect
/// to a loopback address, so the address alone must not be enough.
pub(super) struct Token(String);

impl Token {
    /// Creates a token from the operating system's random numbers.
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Whether `other` is the same, compared in constant time so that the duration does not reveal a correct
    /// prefix.
    pub(super) fn is(&self, other: &str) -> bool {
        self.0.as_bytes().ct_eq(other.as_bytes()).into()
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_alone() {
        let token = Token::random().unwrap();
        let text = token.to_string();
        assert_eq!(text.len(), 22, "128 bits at 6 a character");
        assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)), "{text}");
        assert!(token.is(&text));
        for other in ["", &text[..21], &format!("{text}="), &format!("{text} ")] {
            assert!(!token.is(other), "{other}");
        }
        let other = Token::random().unwrap();
        assert!(!token.is(&other.to_string()), "two are the same");
    }
}
