//! Comments that tcpwhy writes into captures.

/// Prefix of every comment. Comments with this prefix are left out of a copy, because they come from an
/// earlier one.
pub(crate) const MARK: &str = "tcpwhy: ";

/// Comment of a copy's first section, near the beginning of the file. It distinguishes a copy from a
/// recording, which cannot be repeated.
pub const COPY_MARK: &str = "tcpwhy: copy with comments";

/// Maximum length of a comment in bytes: longer ones are not useful, and the length of an option has 16 bits.
const MAX_COMMENT: usize = 4000;

/// The text of a comment as written to a capture, with the prefix.
pub(crate) fn marked(comment: &str) -> String {
    let mut text = format!("{MARK}{comment}");
    let mut end = text.len().min(MAX_COMMENT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_cut_between_characters() {
        let text = marked(&"限".repeat(MAX_COMMENT));
        assert!(text.len() <= MAX_COMMENT && text.len() > MAX_COMMENT - 3 && text.starts_with(MARK));
    }
}
