//! Splits a line into words. Blanks end a word, except within parentheses or within the quotes of a process
//! name.
//!
//! **Invariant:** every character is examined a bounded number of times, for any nesting of parentheses.

use super::users;

/// Deepest nesting of parentheses that is kept together; `ss` nests them at most twice. The limit bounds how
/// many words can scan the same character, so a line of opening parentheses needs no more time than another.
const DEEPEST: u32 = 8;

/// Iterator over the words of `text`.
pub(super) fn tokens(text: &str) -> Tokens<'_> {
    Tokens { rest: text }
}

/// Iterator over words.
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// Text that has not been split yet.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        if text.is_empty() {
            self.rest = "";
            return None;
        }
        // Process names may contain anything, including quotes, blanks and parentheses.
        let list = text.strip_prefix(users::RAW).and_then(|rest| rest.strip_prefix(':')).and_then(users::length);
        let end = list.map_or_else(|| end_of_word(text), |length| users::RAW.len() + 1 + length);
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

/// Length of the first word. `bbr:(bw:1bps,mrtt:0.1)` is one word even with blanks within it. Parentheses
/// that never close do not join words.
fn end_of_word(text: &str) -> usize {
    let blank = text.find(char::is_whitespace).unwrap_or(text.len());
    let Some(open) = text[..blank].find(":(") else { return blank };
    let open = open + 1;
    let mut depth = 0_u32;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' if depth == DEEPEST => break,
            '(' => depth += 1,
            ')' => {
                // The first character is the opening parenthesis, so the depth is at least 1.
                depth -= 1;
                if depth == 0 {
                    let after = open + at + 1;
                    return after + text[after..].find(char::is_whitespace).unwrap_or(text.len() - after);
                }
            }
            _ => {}
        }
    }
    blank
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).collect()
    }

    #[test]
    fn parentheses_and_names_hold_together() {
        assert_eq!(words(" a  b\tc "), ["a", "b", "c"]);
        assert_eq!(
            words(r#"users:(("npm view (x))",pid=8252,fd=20),("a "b",pid=1,fd=2)) ino:3"#),
            [r#"users:(("npm view (x))",pid=8252,fd=20),("a "b",pid=1,fd=2))"#, "ino:3"]
        );
        assert_eq!(words("bbr:(bw:1bps, mrtt:0.1) send 5bps"), ["bbr:(bw:1bps, mrtt:0.1)", "send", "5bps"]);
        assert_eq!(words("skmem:(r0,rb1 cut off"), ["skmem:(r0,rb1", "cut", "off"]);
        assert_eq!(words("rwnd_limited:21ms(0.0%) x"), ["rwnd_limited:21ms(0.0%)", "x"]);
    }
}
