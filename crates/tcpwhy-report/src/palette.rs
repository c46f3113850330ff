//! How limits look: one table for terminal, page and pictures.
//!
//! Colours alone never tell a limit: the terminal adds the letter, charts add the pattern and the name. The light colours
//! have a contrast of 3:1 and more with white, the dark ones with the dark ground of the page (WCAG 2.2, 1.4.11); limits that
//! are often neighbours differ in lightness too, so that they stay apart for the colour-blind.

use serde::Serialize;
use tcpwhy_model::Limit;

/// How an area is filled besides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Colour alone.
    Solid,
    /// Dots.
    Dots,
    /// Lines rising to the right.
    Diagonal,
    /// Lines falling to the right.
    BackDiagonal,
    /// Both.
    Cross,
    /// Lying lines.
    Horizontal,
    /// Standing lines.
    Vertical,
    /// Both.
    Grid,
}

/// The looks of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitLook {
    /// Where colours cannot tell it.
    pub letter: char,
    /// In terminals of 256 colours, on dark and on light ground.
    pub ansi256: u8,
    /// On light ground, `#rrggbb`.
    pub light: &'static str,
    /// On dark ground.
    pub dark: &'static str,
    /// Text on [`LimitLook::light`].
    pub ink_light: &'static str,
    /// Text on [`LimitLook::dark`].
    pub ink_dark: &'static str,
    /// How areas are filled.
    pub pattern: Pattern,
}

/// The looks of `limit`.
pub const fn look(limit: Limit) -> LimitLook {
    let (letter, ansi256, light, dark, pattern) = match limit {
        Limit::Unobserved => ('?', 244, "#737373", "#9a9a9a", Pattern::Dots),
        Limit::Handshake => ('H', 103, "#6b7099", "#a6abd6", Pattern::Horizontal),
        Limit::LossRecovery => ('L', 160, "#c4161c", "#ff6b66", Pattern::Cross),
        Limit::ReceiveWindow => ('R', 170, "#b03a97", "#ea93da", Pattern::Diagonal),
        Limit::AckDelay => ('D', 37, "#007f86", "#49c8c0", Pattern::Grid),
        Limit::Application => ('A', 71, "#3f8428", "#8ed069", Pattern::Vertical),
        Limit::TailRtt => ('T', 109, "#507989", "#93bccd", Pattern::Dots),
        Limit::Path => ('P', 33, "#1765cc", "#6cb0ff", Pattern::BackDiagonal),
        Limit::SendBuffer => ('B', 208, "#be5800", "#ffa64d", Pattern::Solid),
        Limit::SlowStart => ('S', 178, "#8f7200", "#efcd4a", Pattern::Diagonal),
        Limit::CongestionWindow => ('C', 99, "#6546bf", "#b5a2ff", Pattern::Grid),
    };
    LimitLook { letter, ansi256, light, dark, ink_light: "#ffffff", ink_dark: "#101418", pattern }
}

impl LimitLook {
    /// In terminals of 256 colours whose ground is known: the colour, and what text on it is written in, black or white.
    pub fn ansi256_on(self, ground: Ground) -> [u8; 2] {
        let colour = nearest(match ground {
            Ground::Light => self.light,
            Ground::Dark => self.dark,
        });
        let luminance = luminance(colour.map(|step| CUBE[usize::from(step)]));
        // Contrast is of luminances with 0.05 added to each: black's and white's to this one are equal at its mean.
        let ink = if (luminance + 0.05).powi(2) > 0.05 * 1.05 { [0; 3] } else { [5; 3] };
        [colour, ink].map(|[red, green, blue]| CUBE_BEGIN + 36 * red + 6 * green + blue)
    }
}

/// What colours stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// White or nearly so.
    Light,
    /// Black or nearly so.
    Dark,
}

/// The steps of red, green and blue in the cube of 216 colours, and where that begins.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
const CUBE_BEGIN: u8 = 16;

/// The steps of the cube that are nearest to `#rrggbb`.
fn nearest(colour: &str) -> [u8; 3] {
    [1, 3, 5].map(|at| {
        // Colours are constants of this file: six hexadecimal digits.
        let value = u8::from_str_radix(&colour[at..at + 2], 16).unwrap_or_default();
        (0_u8..6).min_by_key(|&step| CUBE[usize::from(step)].abs_diff(value)).unwrap_or_default()
    })
}

/// WCAG 2.2 relative luminance of red, green and blue.
fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn luminance(colour: &str) -> f64 {
        super::luminance([1, 3, 5].map(|at| u8::from_str_radix(&colour[at..at + 2], 16).unwrap()))
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_limit_is_told_apart_and_readable() {
        let looks: Vec<_> = Limit::ALL.into_iter().map(look).collect();
        assert_eq!(looks.iter().map(|l| l.letter).collect::<BTreeSet<_>>().len(), Limit::ALL.len());
        assert_eq!(looks.iter().map(|l| l.light).collect::<BTreeSet<_>>().len(), Limit::ALL.len());
        assert_eq!(looks.iter().map(|l| l.dark).collect::<BTreeSet<_>>().len(), Limit::ALL.len());
        for l in looks {
            assert!(contrast(l.light, "#ffffff") >= 3.0, "{l:?}");
            assert!(contrast(l.dark, "#14181d") >= 3.0, "{l:?}");
            assert!(contrast(l.light, l.ink_light) >= 4.5, "{l:?}: {}", contrast(l.light, l.ink_light));
            assert!(contrast(l.dark, l.ink_dark) >= 4.5, "{l:?}");
        }
    }

    fn of_cube(colour: u8) -> String {
        let of = |step: u8| CUBE[usize::from(step % 6)];
        let cube = colour - CUBE_BEGIN;
        format!("#{:02x}{:02x}{:02x}", of(cube / 36), of(cube / 6), of(cube))
    }

    #[test]
    fn terminals_of_256_colours_show_them_readably() {
        for (ground, page) in [(Ground::Light, "#ffffff"), (Ground::Dark, "#000000")] {
            let looks = Limit::ALL.map(|limit| look(limit).ansi256_on(ground));
            assert!(looks.iter().map(|look| look[0]).collect::<BTreeSet<_>>().len() == Limit::ALL.len(), "{looks:?}");
            for [colour, ink] in looks.map(|look| look.map(of_cube)) {
                assert!(contrast(&colour, page) >= 3.0, "{colour} on {page}: {}", contrast(&colour, page));
                assert!(contrast(&ink, &colour) >= 4.5, "{ink} on {colour}: {}", contrast(&ink, &colour));
            }
        }
    }
}
