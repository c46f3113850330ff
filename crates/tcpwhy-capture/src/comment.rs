//! Comments that tcpwhy writes into captures.

/// What every comment begins with. Those that a capture has already are left out of the copy: they are of an earlier one.
pub(crate) const MARK: &str = "tcpwhy: ";

/// The comment of a copy's first section, which is near the beginning of its file: by it a copy is told from a recording, which
/// cannot be made again.
pub const COPY_MARK: &str = "tcpwhy: copy with comments";

/// The longest comment, bytes: longer ones are no help to anybody, and an option's length has 16 bits.
const MAX_COMMENT: usize = 4000;

/// A comment as it stands in a capture.
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
