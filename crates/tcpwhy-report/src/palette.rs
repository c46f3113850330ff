//! How limits look: one table for terminal, page and pictures.
//!
//! Colours alone never tell a limit: the terminal adds the letter, charts add the pattern and the name. The light colours
//! have a contrast of 3:1 and more with white, the dark ones with the dark ground of the page (WCAG 2.2, 1.4.11); limits that
//! are often neighbours differ in lightness too, so that they stay apart for the colour-blind.

use schemars::JsonSchema;
use serde::Serialize;
use tcpwhy_model::Limit;

/// How an area is filled besides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// WCAG 2.2 relative luminance.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
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
}
