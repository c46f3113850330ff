use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use tcpwhy_model::Severity;

use crate::palette::Swatch;

/// The letter that identifies a limit if colours cannot.
pub(crate) const fn letter(swatch: Swatch) -> char {
    swatch.look().letter
}

/// The colour, which is distinguishable on dark and light background.
fn code(swatch: Swatch) -> Color {
    Color::Ansi256(Ansi256Color(swatch.look().ansi256))
}

/// Style of text and bars.
pub(crate) fn foreground(of: impl Into<Swatch>) -> Style {
    Style::new().fg_color(Some(code(of.into())))
}

/// Style of the strip, whose background has the colour.
pub(crate) fn background(of: impl Into<Swatch>) -> Style {
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(16)))).bg_color(Some(code(of.into())))
}

/// Style of headings and the first line.
pub(crate) const BOLD: Style = Style::new().bold();
/// Style of less important text.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Style of fixes.
pub(crate) const FIX: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green))).bold();
/// Style of lines of code.
pub(crate) const CODE: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Cyan)));
/// Style of warnings.
pub(crate) const WARNING: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));

/// Style of the mark of a finding.
pub(crate) const fn severity(severity: Severity) -> Style {
    match severity {
        Severity::Critical => Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red))).bold(),
        Severity::Warning => Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow))).bold(),
        Severity::Info => Style::new().fg_color(Some(Color::Ansi(AnsiColor::Blue))).bold(),
    }
}
