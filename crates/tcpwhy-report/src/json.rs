//! JSON as data, and fit for a terminal.
//!
//! serde escapes the C0 controls only. Here every hidden character ([`is_hidden`]) is an escape of JSON's own (`\u202e`): whoever
//! parses the document gets exactly the text that was there, and whoever prints it raw gets no more than text.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use tcpwhy_model::foreign::is_hidden;

/// Writes `value` on one line.
///
/// # Errors
/// Those of `out`, and of a value that JSON cannot hold.
pub fn to_writer(out: impl io::Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, Shown(CompactFormatter)))
}

/// Writes `value` on indented lines.
///
/// # Errors
/// Those of `out`, and of a value that JSON cannot hold.
pub fn to_writer_pretty(out: impl io::Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, Shown(PrettyFormatter::new())))
}

/// `value` on one line.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn to_string(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut out = Vec::new();
    to_writer(&mut out, value)?;
    // Invariant: the serializer writes UTF-8 only.
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// Whether every byte is below that of DEL, eight of them at a time: most texts are keys of a few more.
fn is_below_delete(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The last eight may overlap those before.
    let Some(last) = bytes.last_chunk() else { return bytes.iter().all(|&b| b < b'\x7f') };
    // A byte has its highest bit set, or gets it with one more, or one below it carries into it, which has its own.
    let seen = |eight: &[u8; 8]| {
        let word = u64::from_le_bytes(*eight);
        word | word.wrapping_add(ONES)
    };
    let all = bytes.as_chunks().0.iter().fold(seen(last), |all, eight| all | seen(eight));
    all & HIGH == 0
}

/// `value` at the end of `out`, on one line or on indented ones.
///
/// Those that are written by the thousand go through a function of this crate for their type: it is compiled for speed, while
/// the program that asks for them is compiled for size. So it must not be compiled as a part of its caller.
///
/// # Errors
/// A value that JSON cannot hold.
pub(crate) fn append(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized), is_pretty: bool) -> serde_json::Result<()> {
    if is_pretty { to_writer_pretty(out, value) } else { to_writer(out, value) }
}

/// A formatter that escapes what is hidden in strings; the layout is the inner one's.
struct Shown<F>(F);

impl<F: Formatter> Formatter for Shown<F> {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        // All but a little is plain ASCII, for which looking at each character takes longer than all else about it.
        if is_below_delete(fragment.as_bytes()) {
            return out.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_hidden(c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn text_is_exact_and_shown() {
        let all: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        let value = json!({"list": [1, "a\u{9b}2J\u{202e}", null], "all": all, "empty": {}, "发送": true});
        let compact = to_string(&value).unwrap();
        assert!(!compact.contains(is_hidden));
        assert_eq!(serde_json::from_str::<Value>(&compact).unwrap(), value);
        let mut pretty = Vec::new();
        to_writer_pretty(&mut pretty, &value).unwrap();
        assert!(!String::from_utf8(pretty.clone()).unwrap().contains(|c| c != '\n' && is_hidden(c)));
        assert_eq!(serde_json::from_slice::<Value>(&pretty).unwrap(), value);
    }

    #[test]
    fn any_byte_from_delete_on_is_found_anywhere() {
        for len in 0..40 {
            let plain: Vec<u8> = (0..len).map(|i| b' ' + i * 5 % 95).collect();
            assert!(is_below_delete(&plain), "{plain:?}");
            for (at, byte) in (0..plain.len()).flat_map(|at| [0x7f, 0x80, 0xff].map(|byte| (at, byte))) {
                let mut other = plain.clone();
                other[at] = byte;
                assert!(!is_below_delete(&other), "{other:?}");
            }
        }
    }

    #[test]
    fn what_is_not_hidden_is_as_serde_writes_it() {
        let value = json!({"a": ["发送 \\ \" é", {}], "b": [], "c": {"d": 1.5}});
        assert_eq!(to_string(&value).unwrap(), serde_json::to_string(&value).unwrap());
        let mut pretty = Vec::new();
        to_writer_pretty(&mut pretty, &value).unwrap();
        assert_eq!(String::from_utf8(pretty).unwrap(), serde_json::to_string_pretty(&value).unwrap());
    }
}
