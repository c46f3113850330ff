//! Text within a line of Markdown.
//!
//! Backslashes cannot make text inert: GitHub and GitLab search the unescaped text for mentions, references
//! and emoji. They do not search code spans, so every word with other characters than letters, digits and the
//! punctuation of prose becomes one. Hidden characters are shown as escapes, so text cannot end its line.

use tcpwhy_model::foreign::visible;

/// Commands within sentences, each of which becomes one code span.
const COMMANDS: [&str; 2] = ["tcpwhy FILE --problem 1", "tcpwhy live"];

/// Placeholder for a code span in a sentence of the catalogue, see [`with_code`]. It is from a private use
/// area, so no sentence contains it.
pub(super) const CODE: char = '\u{e000}';

/// Shortest Git hash that GitHub turns into a link, hexadecimal digits.
const HASH_DIGITS: usize = 7;

/// A part of a line.
#[derive(PartialEq, Eq)]
enum Piece {
    Plain(String),
    Code(String),
}

/// Makes `text` one line without markup.
pub(super) fn inline(text: &str) -> String {
    let text = visible(text);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = text.trim();
    while let Some(sign) = rest.chars().next() {
        let ascii = rest.find(|c: char| c == ' ' || !c.is_ascii()).unwrap_or(rest.len());
        if sign == ' ' {
            plain(&mut pieces, " ");
            rest = rest.trim_start_matches(' ');
        } else if ascii == 0 {
            // Only ASCII characters can be markup.
            plain(&mut pieces, sign.encode_utf8(&mut [0; 4]));
            rest = &rest[sign.len_utf8()..];
        } else {
            let command = COMMANDS.iter().find(|command| rest.starts_with(**command)).map(|command| command.len());
            let word = &rest[..command.unwrap_or(ascii)];
            rest = &rest[word.len()..];
            if command.is_some() {
                pieces.push(Piece::Code(word.to_owned()));
            } else {
                push_word(&mut pieces, word);
            }
        }
    }
    joined(pieces)
}

/// Replaces each [`CODE`] in `text` by a code span, in order.
pub(super) fn with_code(text: &str, codes: &[&str]) -> String {
    let mut out = inline(text);
    for text in codes {
        out = out.replacen(CODE, &code(text), 1);
    }
    out
}

/// `text` as a code span; empty if `text` is empty.
pub(super) fn code(text: &str) -> String {
    let text = visible(text);
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    // CommonMark 6.1 removes one space next to each fence, unless there is nothing else.
    let is_padded = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let pad = if is_padded { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// `lines` as a block of code.
pub(super) fn fenced(lines: &[String]) -> Vec<String> {
    let lines: Vec<_> = lines.iter().map(|line| visible(line).trim_end().to_owned()).collect();
    let fence = "`".repeat(lines.iter().map(|line| longest_run(line) + 1).fold(3, usize::max));
    [fence.clone()].into_iter().chain(lines).chain([fence]).collect()
}

/// `text` as a cell of a table. A pipe ends a cell even within code, and programs escape it in different
/// ways. So it is shown as hidden characters are.
pub(super) fn cell(text: &str) -> String {
    inline(&text.replace('|', r"\x7c"))
}

/// Length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

fn plain(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        Some(Piece::Plain(last)) => last.push_str(text),
        _ => pieces.push(Piece::Plain(text.to_owned())),
    }
}

/// Adds a word of printable ASCII without spaces.
fn push_word(pieces: &mut Vec<Piece>, word: &str) {
    let core = word.trim_start_matches(['(', '"']);
    let (before, mut end) = (&word[..word.len() - core.len()], core.len());
    while core[..end].ends_with(['.', ',', ';', ':', ')', '"', '!', '?']) {
        // A bracket that the word itself opens belongs to it.
        if core[..end].ends_with(')') && core[..end].contains('(') {
            break;
        }
        end -= 1;
    }
    let (core, after) = core.split_at(end);
    // A number followed by a dot or a bracket would begin a list.
    let is_item = pieces.is_empty() && !after.is_empty() && core.bytes().all(|b| b.is_ascii_digit());
    if is_item || !(core.is_empty() || is_prose(core)) {
        plain(pieces, before);
        let text = if is_item { format!("{core}{after}") } else { core.to_owned() };
        pieces.push(Piece::Code(text));
        if !is_item && !after.is_empty() {
            plain(pieces, after);
        }
    } else {
        plain(pieces, word);
    }
}

/// Whether `word` is a number or a word of prose, which no program interprets.
fn is_prose(word: &str) -> bool {
    let number = word.strip_prefix('<').unwrap_or(word);
    let number = number.strip_suffix('%').unwrap_or(number);
    if number.starts_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|b| b.is_ascii_digit() || b".,".contains(&b))
    {
        return true;
    }
    let bytes = word.as_bytes();
    let is_letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let has_only_words = bytes.iter().enumerate().all(|(at, byte)| {
        byte.is_ascii_alphanumeric()
            || (b"-'/".contains(byte) && is_letter(at.checked_sub(1)) && is_letter(Some(at + 1)))
    });
    has_only_words && !is_reference(word)
}

/// Whether trackers link `word`: the key of an issue (`GH-26`) or the beginning of a hash.
fn is_reference(word: &str) -> bool {
    let is_key = word.split_once('-').is_some_and(|(key, number)| {
        key.bytes().all(|b| b.is_ascii_uppercase()) && number.bytes().all(|b| b.is_ascii_digit())
    });
    let is_hash = word.len() >= HASH_DIGITS
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit());
    is_key || is_hash
}

/// The pieces as Markdown: code pieces separated by one space become one code span.
fn joined(pieces: Vec<Piece>) -> String {
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (merged.as_mut_slice(), piece) {
            ([.., Piece::Code(first), Piece::Plain(space)], Piece::Code(second)) if space.as_str() == " " => {
                *first = format!("{first} {second}");
                merged.pop();
            }
            ([.., Piece::Code(first)], Piece::Code(second)) => first.push_str(&second),
            (_, piece) => merged.push(piece),
        }
    }
    let written = merged.iter().map(|piece| match piece {
        Piece::Plain(text) => text.clone(),
        Piece::Code(text) => code(text),
    });
    written.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_stays_as_it_is() {
        for text in [
            "The sender's socket buffer was too small for 4.87 s of 5.09 s (96%).",
            "RTT 20.9 ms, 9.44 Mbit/s; <0.1% – request–response: 1,473 segments",
            "发送端的套接字缓冲区太小，占 5.09 s 中的 4.87 s（96%）。",
        ] {
            assert_eq!(inline(text), text);
        }
    }

    #[test]
    fn names_and_addresses_are_code() {
        for (text, written) in [
            (
                "Delete the SO_SNDBUF call, or raise net.ipv4.tcp_wmem:",
                "Delete the `SO_SNDBUF` call, or raise `net.ipv4.tcp_wmem`:",
            ),
            ("192.0.2.10:5001 (server) → [2001:db8::1]:80", "`192.0.2.10:5001` (server) → `[2001:db8::1]:80`"),
            ("改大 net.ipv4.tcp_wmem：约 694 ms", "改大 `net.ipv4.tcp_wmem`：约 694 ms"),
            ("call setsockopt(fd), then", "call `setsockopt(fd)`, then"),
            ("See: tcpwhy FILE --problem 1", "See: `tcpwhy FILE --problem 1`"),
            ("sysctl -w net.core.wmem_max=1", "sysctl `-w net.core.wmem_max=1`"),
            ("a   b", "a b"),
        ] {
            assert_eq!(inline(text), written);
        }
    }

    #[test]
    fn foreign_text_is_inert() {
        for (text, written) in [
            ("a\nb", r"`a\nb`"),
            ("@everyone and #1", "`@everyone` and `#1`"),
            ("[x](http://y) <img src=x>", "`[x](http://y) <img src=x>`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("1. one", "`1.` one"),
            ("- one", "`-` one"),
            ("www.example GH-26 deadbee1", "`www.example GH-26 deadbee1`"),
            ("*a* _b_ ~c~ :100: $d$ &lt; \\@e", "`*a* _b_ ~c~ :100`: `$d$ &lt`; `\\@e`"),
        ] {
            assert_eq!(inline(text), written);
        }
        assert_eq!(cell("a|b `|`"), r"`` a\x7cb `\x7c` ``");
        assert_eq!(with_code(&format!("see {CODE}; {CODE}"), &["a`b", "c"]), "see ``a`b``; `c`");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fenced(&["a".into(), "```".into()]), ["````", "a", "```", "````"]);
        assert_eq!(fenced(&["x\ny  ".into()]), ["```", r"x\ny", "```"]);
    }
}
