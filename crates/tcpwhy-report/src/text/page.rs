use anstyle::Style;
use textwrap::{LineEnding, Options, WordSeparator, WordSplitter, WrapAlgorithm};

use unicode_width::UnicodeWidthStr;

use super::Look;
use super::palette::{BOLD, CODE, DIM};

/// Space between code and its comment, columns.
const GUTTER: usize = 2;

/// A space at which no line is broken.
const NO_BREAK: char = '\u{a0}';

/// Prevents a line break that a slash would allow (UAX #14, class WJ); it has no width.
const JOINER: char = '\u{2060}';

/// Units that must stay on the line of their number.
const UNITS: [&str; 26] = [
    "B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "ns", "µs", "us", "ms", "s", "min", "h", "d",
    "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "秒", "分", "小时", "字节",
];

/// Widest lines of prose, columns: longer ones are hard to read on any terminal.
const PROSE_WIDTH: usize = 100;

/// A text that is being written. Its lines are wrapped and coloured according to the terminal.
pub(super) struct Page {
    look: Look,
    /// Most columns of prose.
    prose: usize,
    /// Whether only the first lines are wanted.
    is_brief: bool,
    text: String,
}

impl Page {
    pub(super) const fn new(look: Look) -> Self {
        Self { look, prose: PROSE_WIDTH, is_brief: false, text: String::new() }
    }

    /// A page for an answer in sentences. If it is brief, each sentence is one line of any length.
    pub(super) fn of_sentences(look: Look, is_brief: bool) -> Self {
        if is_brief {
            // No sentence is longer, and sums with this width do not overflow.
            const UNBOUNDED: usize = 1 << 20;
            let look = Look { width: UNBOUNDED, ..look };
            return Self { prose: UNBOUNDED, is_brief, ..Self::new(look) };
        }
        Self::new(look)
    }

    /// A page for a whole report, or for its first lines.
    pub(super) fn of_report(look: Look, is_brief: bool) -> Self {
        Self { is_brief, ..Self::new(look) }
    }

    /// Whether only the first lines are wanted.
    pub(super) const fn is_brief(&self) -> bool {
        self.is_brief
    }

    /// Writes the first of `wordings` that fits on one line after `label`, or the last one, wrapped.
    pub(super) fn fitted(&mut self, label: &str, wordings: &[String], style: Style) {
        let room = self.look.width.saturating_sub(label.width());
        let fits = |text: &&String| self.look.signs(text).width() <= room;
        if let Some(text) = wordings.iter().find(fits).or(wordings.last()).cloned() {
            self.hanging_within(usize::MAX, (label, BOLD), &text, 0, style);
        }
    }

    pub(super) const fn look(&self) -> Look {
        self.look
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// `text` in `style` if colours are shown.
    pub(super) fn styled(&self, text: &str, style: Style) -> String {
        if self.look.has_color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Writes a line that is already laid out and coloured.
    pub(super) fn raw(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Writes an empty line, but never two in a row and none at the top.
    pub(super) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Writes a heading after a gap.
    pub(super) fn heading(&mut self, text: &str) {
        self.gap();
        self.wrapped(text, 0, BOLD);
    }

    /// Writes a paragraph, indented by `indent` columns.
    pub(super) fn wrapped(&mut self, text: &str, indent: usize, style: Style) {
        self.hanging(("", Style::new()), text, indent, style);
    }

    /// Writes a paragraph after a label; further lines are aligned with the first word.
    pub(super) fn hanging(&mut self, label: (&str, Style), text: &str, indent: usize, style: Style) {
        self.hanging_within(self.prose, label, text, indent, style);
    }

    /// Writes it in lines of at most `most` columns.
    fn hanging_within(&mut self, most: usize, label: (&str, Style), text: &str, indent: usize, style: Style) {
        let text = keep_units(&self.look.signs(text));
        let (label, label_style) = (self.look.signs(label.0).into_owned(), label.1);
        let column = indent + label.width();
        let width = self.look.width.min(most).saturating_sub(column).max(20);
        let options = Options::new(width)
            .word_separator(WordSeparator::UnicodeBreakProperties)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit)
            .break_words(true)
            .line_ending(LineEnding::LF);
        for (i, line) in textwrap::wrap(&text, options).iter().enumerate() {
            let lead = if i == 0 {
                format!("{}{}", " ".repeat(indent), self.styled(&label, label_style))
            } else {
                " ".repeat(column)
            };
            let line =
                format!("{lead}{}", self.styled(&line.trim_end().replace(NO_BREAK, " ").replace(JOINER, ""), style));
            self.raw(&line);
        }
    }

    /// Writes a title after a label, and `tail` at the right edge if there is room, otherwise after the
    /// title.
    pub(super) fn titled(&mut self, label: (&str, Style), title: &str, tail: (&str, Style), indent: usize) {
        let edge = self.look.width.min(PROSE_WIDTH);
        let (label_text, title_text, tail_text) = (
            self.look.signs(label.0).into_owned(),
            self.look.signs(title).into_owned(),
            self.look.signs(tail.0).into_owned(),
        );
        let used = indent + label_text.width() + title_text.width() + tail_text.width();
        if used + GUTTER > edge {
            let tail = tail.0.replace(' ', &NO_BREAK.to_string());
            self.hanging(label, &format!("{title}  {tail}"), indent, BOLD);
            return;
        }
        let line = format!(
            "{}{}{}{}{}",
            " ".repeat(indent),
            self.styled(&label_text, label.1),
            self.styled(&title_text, BOLD),
            " ".repeat(edge - used),
            self.styled(&tail_text, tail.1)
        );
        self.raw(&line);
    }

    /// Writes lines of code, indented by `indent` columns. They are never wrapped, because they are for
    /// copying. Trailing comments are aligned if they fit, otherwise moved closer, or placed above the line.
    pub(super) fn code(&mut self, lines: &[std::borrow::Cow<'static, str>], indent: usize) {
        let room = self.look.width.saturating_sub(indent);
        let lead = " ".repeat(indent);
        let lines: Vec<_> = lines.iter().map(|line| self.look.signs(line)).collect();
        let parts: Vec<_> = lines.iter().map(|line| split_comment(line)).collect();
        let fits = |code: &str, comment: &str| code.width() + GUTTER + comment.width() <= room;
        let column = parts.iter().filter(|p| fits(p.0, p.1)).map(|p| p.0.width()).max().unwrap_or_default();
        for (code, comment) in parts {
            let padding = match comment {
                "" => 0,
                _ if column.max(code.width()) + GUTTER + comment.width() <= room => {
                    column.saturating_sub(code.width()) + GUTTER
                }
                _ => GUTTER,
            };
            let styled_comment = self.styled(comment, DIM);
            let styled_code = self.styled(code, CODE);
            if comment.is_empty() || fits(code, comment) {
                self.raw(&format!("{lead}{styled_code}{}{styled_comment}", " ".repeat(padding)));
            } else {
                self.raw(&format!("{lead}{styled_comment}"));
                self.raw(&format!("{lead}{styled_code}"));
            }
        }
    }
}

/// Splits a line of code from its trailing comment.
fn split_comment(line: &str) -> (&str, &str) {
    let mark = ["  // ", "  # ", "  /* ", "  -- "].into_iter().filter_map(|mark| line.rfind(mark)).max();
    mark.map_or((line, ""), |at| (line[..at].trim_end(), line[at..].trim()))
}

/// Joins numbers to their units, so that no line ends between them.
fn keep_units(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, word) in text.split(' ').enumerate() {
        if i > 0 {
            let is_number = out.ends_with(|c: char| c.is_ascii_digit());
            let unit = word.split(|c: char| !c.is_alphabetic() && c != '/').next().unwrap_or_default();
            out.push(if is_number && UNITS.contains(&unit) { NO_BREAK } else { ' ' });
        }
        out.push_str(&word.replace("bit/s", "bit/\u{2060}s"));
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
        assert_eq!(keep_units("at 5 Mbit/s"), "at 5\u{a0}Mbit/\u{2060}s");
    }

    #[test]
    fn the_end_of_a_title_is_at_the_edge_or_behind_it() {
        let text = |width| {
            let mut page = Page::new(Look { width, has_color: false, has_unicode: true });
            page.titled(("Fix 1 of 2  ", BOLD), "Raise SO_SNDBUF", ("[sending host]", DIM), 2);
            page.into_text()
        };
        assert_eq!(text(60), format!("  Fix 1 of 2  Raise SO_SNDBUF{}[sending host]\n", " ".repeat(17)));
        assert_eq!(text(45), "  Fix 1 of 2  Raise SO_SNDBUF  [sending host]\n");
        assert_eq!(text(44), "  Fix 1 of 2  Raise SO_SNDBUF\n              [sending host]\n");
        assert_eq!(text(300).trim_end().len(), PROSE_WIDTH);
    }

    #[test]
    fn comments_of_code_stand_beside_or_above_it() {
        let lines =
            ["conn.SetWriteBuffer(1)  // Go".to_owned(), "sndbuf=1;      # nginx: in listen".into(), "x".into()];
        let text = |width| {
            let mut page = Page::new(Look { width, has_color: false, has_unicode: true });
            page.code(&lines.clone().map(Into::into), 2);
            page.into_text()
        };
        assert_eq!(text(80), "  conn.SetWriteBuffer(1)  // Go\n  sndbuf=1;               # nginx: in listen\n  x\n");
        assert_eq!(text(32), "  conn.SetWriteBuffer(1)  // Go\n  sndbuf=1;  # nginx: in listen\n  x\n");
        assert_eq!(text(20), "  // Go\n  conn.SetWriteBuffer(1)\n  # nginx: in listen\n  sndbuf=1;\n  x\n");
        assert_eq!(split_comment("jdbc:mysql://host?a=b"), ("jdbc:mysql://host?a=b", ""));
    }

    #[test]
    fn prose_is_never_wider_than_it_reads_well() {
        let text = "word ".repeat(60);
        let width_of = |mut page: Page| {
            page.wrapped(&text, 0, Style::new());
            page.into_text().lines().map(UnicodeWidthStr::width).max().unwrap_or_default()
        };
        let look = |width| Look { width, has_color: false, has_unicode: true };
        assert!(width_of(Page::new(look(60))) <= 60);
        assert_eq!(width_of(Page::new(look(200))), 99);
    }

    /// The fullest wording that fits is shown; if none fits, the last one is wrapped.
    #[test]
    fn the_fullest_wording_that_fits_is_shown() {
        let shown = |width| {
            let mut page = Page::new(Look { width, has_color: false, has_unicode: true });
            let wordings = ["a sentence with all its parts.", "a shorter sentence here."].map(str::to_owned);
            page.fitted("WHY  ", &wordings, Style::new());
            page.into_text()
        };
        assert_eq!(shown(35), "WHY  a sentence with all its parts.\n");
        assert_eq!(shown(34), "WHY  a shorter sentence here.\n");
        assert_eq!(shown(28), "WHY  a shorter sentence\n     here.\n");
    }

    #[test]
    fn wraps_by_columns() {
        let mut page = Page::new(Look { width: 24, has_color: false, has_unicode: true });
        page.hanging(("label: ", Style::new()), "some words need 12.5 ms", 2, Style::new());
        assert_eq!(page.into_text(), "  label: some words need\n         12.5 ms\n");
        let mut page = Page::new(Look { width: 20, has_color: false, has_unicode: true });
        page.wrapped("最多 791 Mbit/s。再多 1 Mbit/s。", 0, Style::new());
        assert_eq!(page.into_text(), "最多 791 Mbit/s。再\n多 1 Mbit/s。\n");
    }
}
