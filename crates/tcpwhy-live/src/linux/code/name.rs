//! Names of functions in the form of Rust, whose compiler encodes paths in the names that linkers see. Any
//! user can choose these names, and a small one may expand to a very long one. C++ names stay encoded: their
//! decoder would make the packed program 209 kB larger, and `c++filt` can decode them.

use std::fmt::{self, Write};

use tcpwhy_model::foreign::{decode, visible};

/// Limit for a name, bytes; longer names are cut.
const MOST_NAME: usize = 200;

/// The printable form of a linker's name. Rust names are decoded, without the hash that distinguishes
/// versions of a crate; other names are unchanged.
pub(super) fn readable(name: &[u8]) -> String {
    let text = of_rust(name).unwrap_or_else(|| decode(name).into_owned());
    let mut shown = visible(&text).into_owned();
    shown.truncate(boundary(&shown, MOST_NAME));
    shown
}

fn of_rust(name: &[u8]) -> Option<String> {
    let name = rustc_demangle::try_demangle(std::str::from_utf8(name).ok()?).ok()?;
    Bounded::take(|text| write!(text, "{name:#}"))
}

/// The end of the last whole character within `most` bytes.
fn boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

/// A text with a size limit. Beyond it, writing fails, so that the writer stops.
#[derive(Default)]
struct Bounded {
    text: String,
    is_full: bool,
}

impl Bounded {
    /// The text that `write` writes, up to the limit; `None` if it fails for another reason or writes
    /// nothing.
    fn take(write: impl FnOnce(&mut Self) -> fmt::Result) -> Option<String> {
        let mut bounded = Self::default();
        let status = write(&mut bounded);
        let is_whole = status.is_ok() || bounded.is_full;
        (is_whole && !bounded.text.is_empty()).then_some(bounded.text)
    }
}

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MOST_NAME - self.text.len();
        if text.len() > room {
            self.text.push_str(&text[..boundary(text, room)]);
            self.is_full = true;
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_as_their_languages_write_them() {
        for (mangled, shown) in [
            ("_ZN5nginx6Worker5writeEPKcm", "_ZN5nginx6Worker5writeEPKcm"),
            ("_ZN3std2io5Write9write_all17h0123456789abcdefE", "std::io::Write::write_all"),
            ("_RNvNtCs1234_7mycrate3net4send", "mycrate::net::send"),
            ("tcp_sendmsg", "tcp_sendmsg"),
            ("i", "i"),
            ("_Z", "_Z"),
            ("main.main", "main.main"),
        ] {
            assert_eq!(readable(mangled.as_bytes()), shown);
        }
    }

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        assert_eq!(readable(b"a\x1b[2J"), "a\\x1b[2J");
        assert!(!readable(b"plain\x1b[2J\xff").contains('\x1b'));
        // Rust names may contain any character in Punycode.
        for name in ["_RNvC1au7_ub5e", "_RNvC1au9_3oa6a0ib"] {
            assert!(readable(name.as_bytes()).chars().all(|c| !c.is_control()));
        }
    }

    /// Each type names the previous one twice, so the expanded name would exceed all memory.
    #[test]
    fn small_names_of_long_ones_are_cut() {
        let mut name = "_Z1fI".to_owned();
        name.push_str("St4pairIiiE");
        for digit in "0123456789ABCDEFGHIJ".chars() {
            write!(name, "St4pairIS{digit}_S{digit}_E").unwrap();
        }
        name.push_str("Evv");
        assert!(readable(name.as_bytes()).len() <= MOST_NAME);
        let long = format!("_ZN{}E", "1a".repeat(400));
        assert!(readable(long.as_bytes()).len() <= MOST_NAME);
    }

    proptest! {
        #[test]
        fn any_name_is_read(start in 0..3_usize, name in "[_ZNSTIELKRPabCsvhix0-9.$]{0,400}") {
            let name = format!("{}{name}", ["_Z", "_R", ""][start]);
            prop_assert!(readable(name.as_bytes()).len() <= MOST_NAME);
        }

        #[test]
        fn any_bytes_are_shown(name in proptest::collection::vec(any::<u8>(), 0..100)) {
            prop_assert!(!readable(&name).contains(tcpwhy_model::foreign::is_hidden));
        }
    }
}
