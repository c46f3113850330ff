//! Colour themes of the screen.

use std::env;

use ratatui::style::{Color, Modifier, Style};
use tcpwhy_model::Limit;
use tcpwhy_report::live::Tone;
use tcpwhy_report::palette::{Ground, look};

use crate::live::args::ThemeChoice;

/// The colours of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Theme {
    /// Colours that are readable on a dark and on a light background.
    #[default]
    Neutral,
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// No colours.
    None,
}

impl Theme {
    pub(super) const ALL: [Self; 4] = [Self::Neutral, Self::Dark, Self::Light, Self::None];

    /// The theme of `choice`. By default none if colours are off (`NO_COLOR`, `--color`), else by the
    /// terminal's `COLORFGBG`.
    pub(super) fn chosen(choice: ThemeChoice, has_color: bool) -> Self {
        match choice {
            ThemeChoice::Dark => Self::Dark,
            ThemeChoice::Light => Self::Light,
            ThemeChoice::None => Self::None,
            ThemeChoice::Auto if !has_color => Self::None,
            ThemeChoice::Auto => env::var("COLORFGBG").ok().and_then(|said| Self::of_ground(&said)).unwrap_or_default(),
        }
    }

    /// The theme for `COLORFGBG` of rxvt, Konsole and others: foreground and background as numbers of the 16
    /// colours, the background last.
    fn of_ground(said: &str) -> Option<Self> {
        match said.rsplit(';').next()?.parse::<u8>().ok()? {
            // Light backgrounds: white, and all bright colours but grey.
            7 | 9..=15 => Some(Self::Light),
            0..=6 | 8 => Some(Self::Dark),
            _ => None,
        }
    }

    pub(super) fn has_color(self) -> bool {
        self != Self::None
    }

    /// Message id of its name.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Neutral => "live-theme-neutral",
            Self::Dark => "live-theme-dark",
            Self::Light => "live-theme-light",
            Self::None => "live-theme-none",
        }
    }

    pub(super) fn style(self, tone: Tone) -> Style {
        match tone {
            Tone::Plain => Style::new(),
            Tone::Bold => Style::new().add_modifier(Modifier::BOLD),
            Tone::Dim => Style::new().add_modifier(Modifier::DIM),
            _ if !self.has_color() => Style::new(),
            Tone::Warning => Style::new().fg(self.warning()),
            Tone::Limit(limit) => Style::new().fg(Color::Indexed(self.limit(limit)[0])),
            Tone::On(limit) => {
                let [colour, ink] = self.limit(limit);
                Style::new().fg(Color::Indexed(ink)).bg(Color::Indexed(colour))
            }
        }
    }

    /// The colours of a limit and of the letters on it.
    fn limit(self, limit: Limit) -> [u8; 2] {
        /// Black, of the 256 colours.
        const BLACK: u8 = 16;
        match self {
            Self::Dark => look(limit).ansi256_on(Ground::Dark),
            Self::Light => look(limit).ansi256_on(Ground::Light),
            Self::Neutral | Self::None => [look(limit).ansi256, BLACK],
        }
    }

    /// The colour of warnings: yellow is unreadable on white.
    fn warning(self) -> Color {
        /// A dark orange.
        const DARK: Color = Color::Indexed(130);
        if self == Self::Light { DARK } else { Color::Yellow }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_is_what_the_terminal_says_last() {
        assert_eq!(Theme::of_ground("15;0"), Some(Theme::Dark));
        assert_eq!(Theme::of_ground("0;default;15"), Some(Theme::Light));
        for unknown in ["", "15;default", "0;256", ";"] {
            assert_eq!(Theme::of_ground(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn what_is_asked_for_goes_before_what_is_found() {
        assert_eq!(Theme::chosen(ThemeChoice::Auto, false), Theme::None);
        assert_eq!(Theme::chosen(ThemeChoice::Light, false), Theme::Light);
        assert_eq!(Theme::chosen(ThemeChoice::None, true), Theme::None);
    }

    #[test]
    fn without_colours_nothing_has_one() {
        for tone in [Tone::Warning, Tone::Limit(Limit::Path), Tone::On(Limit::Path)] {
            assert_eq!(Theme::None.style(tone), Style::new());
            let light = Theme::Light.style(tone);
            assert!(light != Theme::Dark.style(tone) && light != Style::new(), "{tone:?}");
        }
    }
}
