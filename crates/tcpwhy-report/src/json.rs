//! JSON as data, and fit for a terminal.
//!
//! serde escapes the C0 controls only. Here every hidden character ([`is_hidden`]) is an escape of JSON's own (`\u202e`): whoever
//! parses the document gets exactly the text that was there, and whoever prints it raw gets no more than text.
//!
//! `serde_json` writes numbers and what has to be escaped. The rest is written here: it looks at each byte of each text by itself,
//! which took two thirds of the time of a large document.

mod writer;

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;
use tcpwhy_model::foreign::is_hidden;

use writer::{Layout, Writer};

/// Writes `value` on one line.
///
/// # Errors
/// Those of `out`, and of a value that JSON cannot hold.
pub fn to_writer(mut out: impl io::Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut text = Vec::new();
    append(&mut text, value, false)?;
    out.write_all(&text)
}

/// Writes `value` on indented lines.
///
/// # Errors
/// Those of `out`, and of a value that JSON cannot hold.
pub fn to_writer_pretty(mut out: impl io::Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut text = Vec::new();
    append(&mut text, value, true)?;
    out.write_all(&text)
}

/// `value` on one line.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn to_string(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut out = Vec::new();
    append(&mut out, value, false)?;
    // Invariant: only UTF-8 is written.
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// `value` at the end of `out`, on one line or on indented ones.
///
/// Those that are written by the thousand go through a function of this crate for their type: it is compiled for speed, while
/// the program that asks for them is compiled for size. So it must not be compiled as a part of its caller.
///
/// # Errors
/// A value that JSON cannot hold: one with a key that is neither a text nor a number.
pub(crate) fn append(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized), is_pretty: bool) -> serde_json::Result<()> {
    let layout = if is_pretty { Layout::Indented { depth: 0 } } else { Layout::Line };
    value.serialize(&mut Writer::new(out, layout))
}

/// Escapes what is hidden in strings.
struct Shown;

impl Formatter for Shown {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
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
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::*;

    fn both(value: &(impl Serialize + ?Sized)) -> [String; 2] {
        let mut pretty = Vec::new();
        to_writer_pretty(&mut pretty, value).unwrap();
        [to_string(value).unwrap(), String::from_utf8(pretty).unwrap()]
    }

    #[test]
    fn text_is_exact_and_shown() {
        let all: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        let value = json!({"list": [1, "a\u{9b}2J\u{202e}", null], "all": all, "empty": {}, "发送": true});
        let [compact, pretty] = both(&value);
        assert!(!compact.contains(is_hidden));
        assert_eq!(serde_json::from_str::<Value>(&compact).unwrap(), value);
        assert!(!pretty.contains(|c| c != '\n' && is_hidden(c)));
        assert_eq!(serde_json::from_str::<Value>(&pretty).unwrap(), value);
    }

    /// Of every kind that serde knows, empty and not, within each other.
    #[derive(Serialize)]
    enum Kind {
        Unit,
        Newtype(f64),
        Tuple(u8, [(); 0], &'static str),
        Struct { number: i64, kinds: Vec<Kind> },
        EmptyStruct {},
    }

    #[derive(Serialize)]
    struct All {
        quoted: char,
        numbers: (u64, i8, f32, f64, f64),
        nothing: Option<()>,
        something: Option<bool>,
        unit: (),
        kinds: Vec<Kind>,
        map: BTreeMap<String, Vec<u8>>,
        by_number: BTreeMap<i8, Kind>,
        #[serde(flatten)]
        flat: BTreeMap<&'static str, Value>,
    }

    #[test]
    fn what_is_not_hidden_is_as_serde_writes_it() {
        let kinds = || {
            vec![
                Kind::Unit,
                Kind::Newtype(1e300),
                Kind::Tuple(7, [], "a\\b"),
                Kind::Struct { number: i64::MIN, kinds: vec![Kind::EmptyStruct {}, Kind::Tuple(0, [], "")] },
                Kind::EmptyStruct {},
            ]
        };
        let value = All {
            quoted: '"',
            numbers: (u64::MAX, -1, 0.1, f64::NAN, -0.0),
            nothing: None,
            something: Some(false),
            unit: (),
            kinds: kinds(),
            map: [(String::new(), vec![]), ("é \"key\"\n".into(), vec![1, 2])].into(),
            by_number: [(-10, Kind::Unit), (7, Kind::EmptyStruct {})].into(),
            flat: [("x", json!(["发送 \\ \" é", {}, [], [[]], {"d": 1.5, "e": {}}])), ("y", json!(1))].into(),
        };
        assert_eq!(
            both(&value),
            [serde_json::to_string(&value).unwrap(), serde_json::to_string_pretty(&value).unwrap()]
        );
        assert_eq!(both(&kinds())[1], serde_json::to_string_pretty(&kinds()).unwrap());
    }

    #[test]
    fn what_is_no_key_is_refused() {
        assert!(to_string(&BTreeMap::from([((), 2)])).is_err() && to_string(&BTreeMap::from([([1], 2)])).is_err());
    }
}
