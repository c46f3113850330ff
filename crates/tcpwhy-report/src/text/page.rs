use anstyle::Style;
use textwrap::{LineEnding, Options, WordSeparator, WordSplitter, WrapAlgorithm};

use super::Look;
use super::palette::BOLD;

/// A space that no line is broken at.
const NO_BREAK: char = '\u{a0}';

/// What stands behind a number and belongs to it.
const UNITS: [&str; 24] = [
    "B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "ns", "µs", "us", "ms", "s", "min", "h", "d", "bit/s", "kbit/s",
    "Mbit/s", "Gbit/s", "秒", "分", "小时", "字节",
];

/// Lines being written, wrapped and coloured as the terminal can show them.
pub(super) struct Page {
    look: Look,
    text: String,
}

impl Page {
    pub(super) const fn new(look: Look) -> Self {
        Self { look, text: String::new() }
    }

    pub(super) const fn look(&self) -> Look {
        self.look
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// `text` in `style` where colours are shown.
    pub(super) fn styled(&self, text: &str, style: Style) -> String {
        if self.look.has_color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// A line as it is: laid out and coloured already.
    pub(super) fn raw(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// An empty line, never two in a row and none at the top.
    pub(super) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A heading after a gap.
    pub(super) fn heading(&mut self, text: &str) {
        self.gap();
        self.wrapped(text, 0, BOLD);
    }

    /// A paragraph, `indent` columns in.
    pub(super) fn wrapped(&mut self, text: &str, indent: usize, style: Style) {
        self.hanging("", text, indent, style);
    }

    /// A paragraph behind a label; further lines stand under the first word.
    pub(super) fn hanging(&mut self, label: &str, text: &str, indent: usize, style: Style) {
        let text = keep_units(&self.look.signs(text));
        let label = self.look.signs(label).into_owned();
        let column = indent + unicode_width::UnicodeWidthStr::width(label.as_str());
        let width = self.look.width.saturating_sub(column).max(20);
        let options = Options::new(width)
            .word_separator(WordSeparator::UnicodeBreakProperties)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit)
            .break_words(true)
            .line_ending(LineEnding::LF);
        for (i, line) in textwrap::wrap(&text, options).iter().enumerate() {
            let lead = if i == 0 { format!("{}{label}", " ".repeat(indent)) } else { " ".repeat(column) };
            let line = format!("{lead}{}", self.styled(&line.trim_end().replace(NO_BREAK, " "), style));
            self.raw(&line);
        }
    }

    /// A line of code, `indent` columns in, never wrapped: it is for copying.
    pub(super) fn code(&mut self, line: &str, indent: usize, style: Style) {
        let line = format!("{}{}", " ".repeat(indent), self.styled(&self.look.signs(line), style));
        self.raw(&line);
    }
}

/// `text` with numbers tied to their units, so that no line ends between them.
fn keep_units(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, word) in text.split(' ').enumerate() {
        if i > 0 {
            let is_number = out.ends_with(|c: char| c.is_ascii_digit());
            let unit = word.split(|c: char| !c.is_alphabetic() && c != '/').next().unwrap_or_default();
            out.push(if is_number && UNITS.contains(&unit) { NO_BREAK } else { ' ' });
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_units() {
        assert_eq!(keep_units("in 20.1 ms, at 5 hosts"), "in 20.1\u{a0}ms, at 5 hosts");
        assert_eq!(keep_units("24.0 秒（96%）"), "24.0\u{a0}秒（96%）");
        assert_eq!(keep_units(" a"), " a");
    }

    #[test]
    fn wraps_by_columns() {
        let mut page = Page::new(Look { width: 24, has_color: false, has_unicode: true });
        page.hanging("label: ", "some words need 12.5 ms", 2, Style::new());
        assert_eq!(page.into_text(), "  label: some words need\n         12.5 ms\n");
    }
}
