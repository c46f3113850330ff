//! JSON that is exact as data and safe to print in a terminal.
//!
//! serde escapes only the C0 controls. This module also escapes every hidden character ([`is_hidden`]) and
//! every letter that is written from right to left ([`is_right_to_left`]) as JSON does (`\u202e`). A parser
//! of the document gets exactly the original text; a terminal that prints it raw gets only harmless text.

use std::io;

use serde::Serialize;
use tcpwhy_model::foreign::{is_hidden, is_right_to_left};

/// Writes `value` on one line.
///
/// # Errors
/// Errors of `out`, or a value that JSON cannot represent.
pub fn to_writer(out: impl io::Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut pieces = Pieces { out, text: Vec::new() };
    serde_json::to_writer(&mut pieces, value)?;
    pieces.pass_on()
}

/// Writes `value` on indented lines.
///
/// # Errors
/// Errors of `out`, or a value that JSON cannot represent.
pub fn to_writer_pretty(out: impl io::Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut pieces = Pieces { out, text: Vec::new() };
    serde_json::to_writer_pretty(&mut pieces, value)?;
    pieces.pass_on()
}

/// A writer that passes the document on in pieces, because it may be larger than memory.
struct Pieces<W> {
    out: W,
    text: Vec<u8>,
}

impl<W: io::Write> Pieces<W> {
    /// Size of a piece, bytes.
    const TOGETHER: usize = 64 << 10;

    fn pass_on(&mut self) -> io::Result<()> {
        show_hidden(&mut self.text, 0);
        self.out.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

impl<W: io::Write> io::Write for Pieces<W> {
    /// The serializer writes whole characters, so pieces end between characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        if self.text.len() >= Self::TOGETHER {
            self.pass_on()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()?;
        self.out.flush()
    }
}

/// Writes `value` on one line.
///
/// # Errors
/// A value that JSON cannot represent.
pub fn to_string(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut out = Vec::new();
    append(&mut out, value, false)?;
    // Invariant: the serializer writes only UTF-8.
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// Appends `value` to `out`, on one line or on indented lines.
///
/// Types that are written by the thousand have a non-inlined function of this crate. This crate is compiled
/// for speed, while the program that calls it is compiled for size.
///
/// # Errors
/// A value that JSON cannot represent.
pub(crate) fn append(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized), is_pretty: bool) -> serde_json::Result<()> {
    let start = out.len();
    if is_pretty {
        serde_json::to_writer_pretty(&mut *out, value)?;
    } else {
        serde_json::to_writer(&mut *out, value)?;
    }
    show_hidden(out, start);
    Ok(())
}

/// Escapes hidden characters in the document from `start` on. serde has escaped the C0 controls, and the
/// document is ASCII outside of strings. So all that is left to escape is inside strings, and the line breaks
/// outside are intended.
fn show_hidden(out: &mut Vec<u8>, start: usize) {
    let (mut at, mut copied) = (start, start);
    let mut shown = Vec::new();
    while let Some(next) = past_ascii(&out[at..]) {
        let begin = at + next;
        let (c, len) = first_char(&out[begin..]);
        at = begin + len;
        if is_hidden(c) || is_right_to_left(c) {
            shown.extend_from_slice(&out[copied..begin]);
            for unit in c.encode_utf16(&mut [0; 2]) {
                shown.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
            }
            copied = at;
        }
    }
    if copied > start {
        shown.extend_from_slice(&out[copied..]);
        out.truncate(start);
        out.append(&mut shown);
    }
}

/// Index of the first byte from DEL on. Most of a document is plain ASCII, so bytes are compared in chunks:
/// checking each character would take longer than everything else.
fn past_ascii(bytes: &[u8]) -> Option<usize> {
    const TOGETHER: usize = 64;
    const DELETE: u8 = 0x7f;
    let (chunks, _) = bytes.as_chunks::<TOGETHER>();
    // A loop without an early exit compiles to instructions that compare many bytes at once.
    let is_plain = |chunk: &&[u8; TOGETHER]| chunk.iter().fold(0, |most, &byte| most.max(byte)) < DELETE;
    let plain = chunks.iter().take_while(is_plain).count() * TOGETHER;
    bytes[plain..].iter().position(|&byte| byte >= DELETE).map(|at| plain + at)
}

/// The character that UTF-8 text begins with, and its length.
fn first_char(text: &[u8]) -> (char, usize) {
    let len = match text.first() {
        None | Some(0..0xc0) => 1,
        Some(0xc0..0xe0) => 2,
        Some(0xe0..0xf0) => 3,
        Some(0xf0..) => 4,
    };
    let c = text.get(..len).and_then(|bytes| str::from_utf8(bytes).ok()).and_then(|text| text.chars().next());
    // Invariant: the serializer writes only UTF-8.
    (c.unwrap_or(char::REPLACEMENT_CHARACTER), len)
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
        for len in 0..200 {
            let plain: Vec<u8> = (0..len).map(|i| b' ' + (i * 5 % 95) as u8).collect();
            assert_eq!(past_ascii(&plain), None, "{plain:?}");
            for (at, byte) in (0..plain.len()).flat_map(|at| [0x7f, 0x80, 0xff].map(|byte| (at, byte))) {
                let mut other = plain.clone();
                other[at..].fill(byte);
                assert_eq!(past_ascii(&other), Some(at), "{other:?}");
            }
        }
    }

    /// A writer that records the largest single write.
    #[derive(Default)]
    struct Written {
        all: Vec<u8>,
        most: usize,
    }

    impl io::Write for &mut Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.most = self.most.max(bytes.len());
            self.all.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn documents_of_any_size_are_written_in_pieces() {
        let texts: Vec<String> = (0..50_000).map(|i| format!("{i} 发\u{202e}\u{e0001}\n送")).collect();
        for is_pretty in [false, true] {
            let mut written = Written::default();
            let result =
                if is_pretty { to_writer_pretty(&mut written, &texts) } else { to_writer(&mut written, &texts) };
            result.unwrap();
            assert!(written.most < 4 * Pieces::<Vec<u8>>::TOGETHER, "{} bytes at once", written.most);
            let mut whole = Vec::new();
            append(&mut whole, &texts, is_pretty).unwrap();
            assert!(whole == written.all);
        }
    }

    #[test]
    fn only_what_is_added_is_looked_at() {
        let mut out = "\u{202e}".as_bytes().to_vec();
        append(&mut out, "µ\u{202e}\u{e0001}", false).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\u{202e}\"µ\\u202e\\udb40\\udc01\"");
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
