use std::borrow::Cow;

use tcpwhy_model::foreign::visible;
use unicode_width::UnicodeWidthStr as _;

/// Capabilities of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Width in columns.
    pub width: usize,
    /// Whether colours are wanted.
    pub has_color: bool,
    /// Whether the locale is UTF-8; otherwise arrows, bars and signs are ASCII.
    pub has_unicode: bool,
}

/// Characters and their replacements in ASCII.
const ASCII: [(char, &str); 9] =
    [('→', "->"), ('µ', "u"), ('–', "-"), ('…', "..."), ('·', "-"), ('≈', "~"), ('×', "x"), ('≥', ">="), ('≤', "<=")];

impl Look {
    /// `text` in characters that the terminal can show, without control characters. Other scripts stay
    /// unchanged, because they have no ASCII replacement.
    pub(crate) fn signs(self, text: &str) -> Cow<'_, str> {
        let text = visible(text);
        if self.has_unicode || text.is_ascii() {
            return text;
        }
        let replace = |c: char| ASCII.iter().find(|(sign, _)| *sign == c).map(|(_, ascii)| *ascii);
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match replace(c) {
                Some(ascii) => out.push_str(ascii),
                None => out.push(c),
            }
        }
        Cow::Owned(out)
    }

    /// Width of `text` in columns.
    pub fn columns(self, text: &str) -> usize {
        text.width()
    }

    /// `text` in characters that the terminal can show, wrapped to its width.
    pub fn wrap(self, text: &str) -> Vec<String> {
        let options = textwrap::Options::new(self.width.max(20))
            .word_separator(textwrap::WordSeparator::UnicodeBreakProperties)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
        textwrap::wrap(&self.signs(text), options).iter().map(|line| line.trim_end().to_owned()).collect()
    }

    /// `text` cut in the middle to at most `width` columns.
    pub(crate) fn shorten(self, text: &str, width: usize) -> String {
        if text.width() <= width {
            return text.to_owned();
        }
        let mark = if self.has_unicode { "…" } else { ".." };
        let room = width.saturating_sub(mark.width());
        let head = take_columns(text.chars(), room.div_ceil(2));
        let tail: String = take_columns(text.chars().rev(), room / 2).chars().rev().collect();
        format!("{head}{mark}{tail}")
    }
}

fn take_columns(chars: impl Iterator<Item = char>, columns: usize) -> String {
    let mut out = String::new();
    for c in chars {
        out.push(c);
        if out.width() > columns {
            out.pop();
            break;
        }
    }
    out
}

/// `text` padded with spaces on the right to `width` columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// `text` padded with spaces on the left to `width` columns.
pub(crate) fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNICODE: Look = Look { width: 80, has_color: false, has_unicode: true };
    const PLAIN: Look = Look { width: 80, has_color: false, has_unicode: false };

    #[test]
    fn shortens_in_the_middle_by_columns() {
        assert_eq!(UNICODE.shorten("10.0.186.140:3306", 17), "10.0.186.140:3306");
        assert_eq!(UNICODE.shorten("10.0.186.140:3306", 9), "10.0…3306");
        assert_eq!(PLAIN.shorten("10.0.186.140:3306", 10), "10.0..3306");
        assert!(UNICODE.shorten("发送缓冲区发送缓冲区", 7).width() <= 7);
    }

    #[test]
    fn pads_by_columns() {
        assert_eq!(pad("窗口", 6), "窗口  ");
        assert_eq!(pad_left("窗口", 6), "  窗口");
    }

    #[test]
    fn ascii_where_the_locale_is() {
        assert_eq!(PLAIN.signs("a → b in 5 µs"), "a -> b in 5 us");
        assert_eq!(UNICODE.signs("a → b"), "a → b");
    }
}
