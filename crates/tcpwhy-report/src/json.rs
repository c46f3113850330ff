//! JSON as data, and fit for a terminal.
//!
//! serde escapes the C0 controls only. Here every hidden character ([`is_hidden`]), and every letter
//! written from right to left ([`is_right_to_left`]), is an escape of JSON's own (`\u202e`): whoever
//! parses the document gets exactly the text that was there, and whoever prints it raw gets no more than text.

use std::io;

use serde::Serialize;
use tcpwhy_model::foreign::{is_hidden, is_right_to_left};

/// Writes `value` on one line.
///
/// # Errors
/// Those of `out`, and of a value that JSON cannot hold.
pub fn to_writer(out: impl io::Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut pieces = Pieces { out, text: Vec::new() };
    serde_json::to_writer(&mut pieces, value)?;
    pieces.pass_on()
}

/// Writes `value` on indented lines.
///
/// # Errors
/// Those of `out`, and of a value that JSON cannot hold.
pub fn to_writer_pretty(out: impl io::Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut pieces = Pieces { out, text: Vec::new() };
    serde_json::to_writer_pretty(&mut pieces, value)?;
    pieces.pass_on()
}

/// Documents may be larger than memory: they are passed on piece by piece.
struct Pieces<W> {
    out: W,
    text: Vec<u8>,
}

impl<W: io::Write> Pieces<W> {
    /// Bytes that are passed on together.
    const TOGETHER: usize = 64 << 10;

    fn pass_on(&mut self) -> io::Result<()> {
        show_hidden(&mut self.text, 0);
        self.out.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

impl<W: io::Write> io::Write for Pieces<W> {
    /// The serializer writes whole characters, so that pieces end between them.
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

/// `value` on one line.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn to_string(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut out = Vec::new();
    append(&mut out, value, false)?;
    // Invariant: the serializer writes UTF-8 only.
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// `value` at the end of `out`, on one line or on indented ones.
///
/// Those that are written by the thousand go through a function of this crate for their type: it is compiled for speed, while
/// the program that asks for them is compiled for size. So it must not be compiled as a part of its caller.
///
/// # Errors
/// A value that JSON cannot hold.
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

/// Escapes what is hidden in the document that begins at `start`. serde has escaped the C0 controls, so that all that is left stands
/// in strings: what is not in a string is ASCII, and its line breaks are meant.
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

/// Where the first byte from DEL on is. So many at a time are looked at together: all but a little is plain ASCII, for which
/// looking at each character takes longer than all else about it.
fn past_ascii(bytes: &[u8]) -> Option<usize> {
    const TOGETHER: usize = 64;
    const DELETE: u8 = 0x7f;
    let (chunks, _) = bytes.as_chunks::<TOGETHER>();
    // Without a way out of the loop, it looks at many in one instruction.
    let is_plain = |chunk: &&[u8; TOGETHER]| chunk.iter().fold(0, |most, &byte| most.max(byte)) < DELETE;
    let plain = chunks.iter().take_while(is_plain).count() * TOGETHER;
    bytes[plain..].iter().position(|&byte| byte >= DELETE).map(|at| plain + at)
}

/// The character that UTF-8 begins with, and its length.
fn first_char(text: &[u8]) -> (char, usize) {
    let len = match text.first() {
        None | Some(0..0xc0) => 1,
        Some(0xc0..0xe0) => 2,
        Some(0xe0..0xf0) => 3,
        Some(0xf0..) => 4,
    };
    let c = text.get(..len).and_then(|bytes| str::from_utf8(bytes).ok()).and_then(|text| text.chars().next());
    // Invariant: the serializer writes UTF-8 only.
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

    /// Counts what is written at once.
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
