use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use tcpwhy_model::Severity;

use crate::palette::Swatch;

/// The letter of a limit where colours cannot tell it.
pub(crate) const fn letter(swatch: Swatch) -> char {
    swatch.look().letter
}

/// Colours that stay apart on dark and on light ground.
fn code(swatch: Swatch) -> Color {
    Color::Ansi256(Ansi256Color(swatch.look().ansi256))
}

/// For text and bars.
pub(crate) fn foreground(of: impl Into<Swatch>) -> Style {
    Style::new().fg_color(Some(code(of.into())))
}

/// For the strip, where letters stand on it.
pub(crate) fn background(of: impl Into<Swatch>) -> Style {
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(16)))).bg_color(Some(code(of.into())))
}

/// For headings and the first line.
pub(crate) const BOLD: Style = Style::new().bold();
/// For what matters less.
pub(crate) const DIM: Style = Style::new().dimmed();
/// For what to do.
pub(crate) const FIX: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green))).bold();
/// For lines of code.
pub(crate) const CODE: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Cyan)));
/// For warnings.
pub(crate) const WARNING: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));

/// For the mark of a finding.
pub(crate) const fn severity(severity: Severity) -> Style {
    match severity {
        Severity::Critical => Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red))).bold(),
        Severity::Warning => Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow))).bold(),
        Severity::Info => Style::new().fg_color(Some(Color::Ansi(AnsiColor::Blue))).bold(),
    }
}
