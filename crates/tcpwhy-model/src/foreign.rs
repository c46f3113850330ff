//! Text from untrusted sources: names of processes, files, interfaces and kernels.
//!
//! A terminal obeys control characters, bidirectional controls change the order in which text is shown, and
//! some characters are invisible. [`visible`] writes each of them as a readable escape:
//!
//! | in the text | shown |
//! |---|---|
//! | newline, carriage return, tab | `\n`, `\r`, `\t` |
//! | other C0 controls and DEL | `\x1b` |
//! | C1 controls, line separators, bidirectional controls, characters without a shape | `\u{202e}` |
//! | a byte that is not UTF-8 | `\xff` (from `\x80` on) |
//!
//! Backslashes stay as they are, so that paths look as typed and text can be made visible twice without
//! change. The escapes are for people: a name that contains the four characters `\x1b` looks the same. For
//! text that is read back, such as saved files, [`escape`] doubles backslashes too, and [`unescape`] reverses
//! it.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

/// Characters for which a terminal shows nothing: `Default_Ignorable_Code_Point` of Unicode 16
/// (`DerivedCoreProperties.txt`), which includes the bidirectional controls. Added are the line and paragraph
/// separators (U+2028, U+2029) and the interlinear annotations (U+FFF9–FFFB).
const WITHOUT_SHAPE: [(char, char); 18] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
    // Noncharacters (D14 of the standard), which some programs interpret as the end of text.
    ('\u{fffe}', '\u{ffff}'),
];

/// Whether `c` moves a cursor, ends a line, changes the direction of writing or is invisible.
pub fn is_hidden(c: char) -> bool {
    c.is_control() || (c >= '\u{ad}' && WITHOUT_SHAPE.iter().any(|&(first, last)| (first..=last).contains(&c)))
}

/// Blocks of characters that are written from right to left, unassigned ones included (UAX #9, table 4: R and
/// AL; Unicode's `DerivedBidiClass.txt`). In other text they change the order of neighbouring punctuation,
/// spaces and numbers.
const RIGHT_TO_LEFT: [(char, char); 5] = [
    ('\u{590}', '\u{8ff}'),
    ('\u{fb1d}', '\u{fdff}'),
    ('\u{fe70}', '\u{fefe}'),
    ('\u{10800}', '\u{10fff}'),
    ('\u{1e800}', '\u{1efff}'),
];

/// Whether `c` is written from right to left.
pub fn is_right_to_left(c: char) -> bool {
    c >= '\u{590}' && RIGHT_TO_LEFT.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// `text` with every hidden character and every right-to-left letter as an escape. Terminals cannot stop such
/// letters from reordering the text next to them. Applying it twice changes nothing more.
pub fn visible(text: &str) -> Cow<'_, str> {
    // Most text is plain ASCII, and checking each character with `is_hidden` takes several times as long.
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    written(text, |c| is_hidden(c) || is_right_to_left(c))
}

/// `text` in quotation marks for a message. Unlike `{:?}`, it keeps backslashes, so that a message that is
/// made visible again when printed is not escaped twice.
pub fn quoted(text: impl AsRef<str>) -> String {
    format!("\"{}\"", visible(text.as_ref()))
}

/// `text` with every hidden character as an escape, for pages that isolate text from its neighbours
/// (`<bdi>`). Letters of every script stay.
pub fn visible_isolated(text: &str) -> Cow<'_, str> {
    written(text, is_hidden)
}

/// `text` with escapes for hidden characters, backslashes and the characters selected by `is_special`;
/// [`unescape`] reverses it.
pub fn escape(text: &str, is_special: impl Fn(char) -> bool) -> Cow<'_, str> {
    written(text, |c| c == '\\' || is_hidden(c) || is_special(c))
}

fn written(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&is_escaped) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_escaped(c) { push_escaped(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

fn push_escaped(out: &mut String, c: char) {
    // Writing to a `String` cannot fail.
    let _ = match c {
        '\n' => write!(out, "\\n"),
        '\r' => write!(out, "\\r"),
        '\t' => write!(out, "\\t"),
        '\\' => write!(out, "\\\\"),
        _ if c.is_ascii() => write!(out, "\\x{:02x}", c as u32),
        _ => write!(out, "\\u{{{:x}}}", c as u32),
    };
}

/// The text that was given to [`escape`]; `None` if `escape` cannot have written `text`.
pub fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let kind = rest.chars().next()?;
        rest = &rest[kind.len_utf8()..];
        out.push(match kind {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '\\' => '\\',
            'x' => {
                let digits = rest.get(..2)?;
                rest = &rest[2..];
                hexadecimal(digits).filter(char::is_ascii)?
            }
            'u' => {
                let (digits, after) = rest.strip_prefix('{')?.split_once('}')?;
                rest = after;
                hexadecimal(digits)?
            }
            _ => return None,
        });
    }
    out.push_str(rest);
    Some(out)
}

fn hexadecimal(digits: &str) -> Option<char> {
    let is_number = (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?)
}

/// Text of unknown encoding: each byte that is not UTF-8 becomes `\xff`, other text stays.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    Cow::Owned(out)
}

/// Name of a file, or another string of the operating system, with hidden characters as escapes.
pub fn visible_name(name: &OsStr) -> String {
    visible(&decode(name.as_encoded_bytes())).into_owned()
}

/// Path of a file with hidden characters as escapes, for messages, headings and titles.
pub fn visible_path(path: &Path) -> String {
    visible_name(path.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_shown() {
        for (text, shown) in [
            ("plain name-1.pcap 发送", "plain name-1.pcap 发送"),
            ("a\nb\r\tc", r"a\nb\r\tc"),
            ("\u{1b}]0;x\u{7}", r"\x1b]0;x\x07"),
            ("\u{7f}\u{9b}2J", r"\x7f\u{9b}2J"),
            ("txt.\u{202e}pac\u{2069}", r"txt.\u{202e}pac\u{2069}"),
            ("a\u{2028}b\u{2029}", r"a\u{2028}b\u{2029}"),
            ("in\u{200b}visible\u{e0041}", r"in\u{200b}visible\u{e0041}"),
            (r"C:\new", r"C:\new"),
            ("e\u{301}", "e\u{301}"),
            ("\u{5d0}] \u{5d1}", r"\u{5d0}] \u{5d1}"),
            ("\u{627}1:\u{10ac0}\u{1e900}", r"\u{627}1:\u{10ac0}\u{1e900}"),
        ] {
            assert_eq!(visible(text), shown);
            assert_eq!(visible(&visible(text)), shown, "twice is once");
        }
    }

    #[test]
    fn messages_quote_once() {
        assert_eq!(quoted("a\n\\b"), r#""a\n\b""#);
        assert_eq!(visible(&quoted(visible("a\n\\b"))), quoted("a\n\\b"));
    }

    #[test]
    fn letters_from_right_to_left_stay_where_text_is_isolated() {
        assert_eq!(visible_isolated("\u{5d0}] \u{5d1}\u{202e}"), "\u{5d0}] \u{5d1}\\u{202e}");
        // One letter of each right-to-left script, from Hebrew to Adlam, and presentation forms.
        for c in "אعܐހߊࠀࡀࢠיִﭐﺍ𐠀𐡀𐤀𐤠𐦀𐨀𐫀𐬀𐭀𐰀𐲀𐴀𐺀𐼀𞠀𞤀𞱱𞸀".chars()
        {
            assert!(is_right_to_left(c) || c == '\u{5b4}', "{c:?}");
        }
        assert!(!" azéЖ中あ한กअ→·…".chars().any(is_right_to_left));
    }

    /// Control characters that a terminal obeys, listed independently of the table.
    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let obeyed = (0..0x20).chain(0x7f..0xa0).chain([0x200e, 0x200f, 0x61c, 0x2028, 0x2029]);
        for code in obeyed.chain(0x202a..=0x202e).chain(0x2066..=0x2069) {
            let c = char::from_u32(code).filter(|&c| is_hidden(c));
            assert!(c.is_some_and(|c| visible(&c.to_string()).is_ascii()), "{code:x}");
        }
        assert!((' '..='~').all(|c| !is_hidden(c)));
    }

    #[test]
    fn what_is_escaped_comes_back() {
        let all: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        for special in ["", "\"() ", "nx\\u{}"] {
            let written = escape(&all, |c| special.contains(c));
            assert!(!written.chars().any(is_hidden));
            assert_eq!(unescape(&written).as_deref(), Some(all.as_str()));
        }
        for broken in ["\\", "\\q", "\\x1", "\\x+1", "\\xff", "\\u{}", "\\u{110000}", "\\u{1", "\\u41", "\\u{+41}"] {
            assert_eq!(unescape(broken), None, "{broken}");
        }
    }

    #[test]
    fn bytes_that_are_no_text() {
        assert_eq!(decode(b"a\xffb\xc3"), r"a\xffb\xc3");
        assert_eq!(decode("é".as_bytes()), "é");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            assert_eq!(visible_name(OsStr::from_bytes(b"x\x80\n.pcap")), r"x\x80\n.pcap");
        }
    }
}
