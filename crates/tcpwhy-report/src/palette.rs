//! Colours, patterns and letters of limits: one table for terminal, page and pictures.
//!
//! Colour is never the only sign of a limit: the terminal adds the letter, charts add the pattern and the
//! name. Light colours have a contrast of at least 3:1 with white, dark ones with the dark background of the
//! page (WCAG 2.2, 1.4.11). Any two differ by ΔE ≥ 10 (CIE 1976), also for people without green or red cones;
//! a test computes it.

use serde::Serialize;
use tcpwhy_model::{Cause, Detail, Limit};

/// The pattern of an area, in addition to its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// No pattern.
    Solid,
    /// Dots.
    Dots,
    /// Lines rising to the right.
    Diagonal,
    /// Lines falling to the right.
    BackDiagonal,
    /// Lines rising and lines falling to the right.
    Cross,
    /// Horizontal lines.
    Horizontal,
    /// Vertical lines.
    Vertical,
    /// Horizontal and vertical lines.
    Grid,
}

/// An entry of the palette: a limit, or an activity of the application while it was the limit. One green for
/// the application would paint most captures in one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Swatch {
    /// No packet shows the limit.
    Unobserved,
    /// [`Limit::Handshake`].
    Handshake,
    /// [`Limit::LossRecovery`].
    LossRecovery,
    /// [`Limit::ReceiveWindow`].
    ReceiveWindow,
    /// [`Limit::AckDelay`].
    AckDelay,
    /// [`Limit::Application`], without a detail.
    Application,
    /// The application was idle: it had nothing to send.
    Idle,
    /// The application prepared an answer.
    Think,
    /// The application wrote at its own pace.
    OwnPace,
    /// The application waited for its peer.
    PeerTurn,
    /// The window of the application's protocol, above TCP.
    PeerWindow,
    /// [`Limit::TailRtt`].
    TailRtt,
    /// [`Limit::Path`].
    Path,
    /// [`Limit::SendBuffer`].
    SendBuffer,
    /// [`Limit::SlowStart`].
    SlowStart,
    /// [`Limit::CongestionWindow`].
    CongestionWindow,
}

impl Swatch {
    /// All of them, in the order of the limits.
    pub const ALL: [Self; 16] = [
        Self::Unobserved,
        Self::Handshake,
        Self::LossRecovery,
        Self::ReceiveWindow,
        Self::AckDelay,
        Self::Application,
        Self::Idle,
        Self::Think,
        Self::OwnPace,
        Self::PeerTurn,
        Self::PeerWindow,
        Self::TailRtt,
        Self::Path,
        Self::SendBuffer,
        Self::SlowStart,
        Self::CongestionWindow,
    ];

    /// The swatch of `cause`.
    pub const fn of(cause: Cause) -> Self {
        match cause.detail {
            Some(Detail::Idle | Detail::CloseWait) => Self::Idle,
            Some(Detail::Think) => Self::Think,
            Some(Detail::PacedWrites) => Self::OwnPace,
            Some(Detail::PeerTurn) => Self::PeerTurn,
            Some(Detail::PeerWindow) => Self::PeerWindow,
            _ => Self::of_limit(cause.limit),
        }
    }

    /// The swatch of `limit`, regardless of its detail.
    pub const fn of_limit(limit: Limit) -> Self {
        match limit {
            Limit::Unobserved => Self::Unobserved,
            Limit::Handshake => Self::Handshake,
            Limit::LossRecovery => Self::LossRecovery,
            Limit::ReceiveWindow => Self::ReceiveWindow,
            Limit::AckDelay => Self::AckDelay,
            Limit::Application => Self::Application,
            Limit::TailRtt => Self::TailRtt,
            Limit::Path => Self::Path,
            Limit::SendBuffer => Self::SendBuffer,
            Limit::SlowStart => Self::SlowStart,
            Limit::CongestionWindow => Self::CongestionWindow,
        }
    }

    /// The limit of the swatch.
    pub const fn limit(self) -> Limit {
        match self {
            Self::Unobserved => Limit::Unobserved,
            Self::Handshake => Limit::Handshake,
            Self::LossRecovery => Limit::LossRecovery,
            Self::ReceiveWindow => Limit::ReceiveWindow,
            Self::AckDelay => Limit::AckDelay,
            Self::Application | Self::Idle | Self::Think | Self::OwnPace | Self::PeerTurn | Self::PeerWindow => {
                Limit::Application
            }
            Self::TailRtt => Limit::TailRtt,
            Self::Path => Limit::Path,
            Self::SendBuffer => Limit::SendBuffer,
            Self::SlowStart => Limit::SlowStart,
            Self::CongestionWindow => Limit::CongestionWindow,
        }
    }

    /// The detail of the swatch; `None` if it is the limit's own.
    pub const fn detail(self) -> Option<Detail> {
        match self {
            Self::Idle => Some(Detail::Idle),
            Self::Think => Some(Detail::Think),
            Self::OwnPace => Some(Detail::PacedWrites),
            Self::PeerTurn => Some(Detail::PeerTurn),
            Self::PeerWindow => Some(Detail::PeerWindow),
            _ => None,
        }
    }

    /// Stable id: that of the detail, otherwise that of the limit.
    pub const fn id(self) -> &'static str {
        match self.detail() {
            Some(detail) => detail.id(),
            None => self.limit().id(),
        }
    }

    /// Colours, pattern and letter of the swatch.
    pub const fn look(self) -> LimitLook {
        use {DARK_INK as DARK, WHITE_INK as WHITE};
        // Columns: letter, colour of 256, colours on light and dark background, text colour on the light one,
        // pattern.
        let (letter, ansi256, light, dark, ink_light, pattern) = match self {
            Self::Unobserved => ('?', 244, "#757473", "#989a9b", WHITE, Pattern::Dots),
            Self::Handshake => ('H', 103, "#595d78", "#a5aad5", WHITE, Pattern::Horizontal),
            Self::LossRecovery => ('L', 160, "#d43b3b", "#fe605f", WHITE, Pattern::Cross),
            Self::ReceiveWindow => ('R', 170, "#a53798", "#d17cb6", WHITE, Pattern::Diagonal),
            Self::AckDelay => ('D', 37, "#098c93", "#6acabd", DARK, Pattern::Grid),
            Self::Application => ('A', 71, "#37813d", "#91d278", WHITE, Pattern::Vertical),
            Self::Idle => ('I', 65, "#849688", "#76995f", DARK, Pattern::Solid),
            Self::Think => ('K', 64, "#164f1f", "#45a524", WHITE, Pattern::Vertical),
            Self::OwnPace => ('O', 148, "#3e5b00", "#cdeb78", WHITE, Pattern::Horizontal),
            Self::PeerTurn => ('W', 151, "#679b6f", "#b0dec3", DARK, Pattern::Dots),
            Self::PeerWindow => ('V', 72, "#1b604c", "#48ab81", WHITE, Pattern::Diagonal),
            Self::TailRtt => ('T', 109, "#1089b6", "#a0ccde", DARK, Pattern::Dots),
            Self::Path => ('P', 33, "#2c6ccc", "#84c1ff", WHITE, Pattern::BackDiagonal),
            Self::SendBuffer => ('B', 208, "#d77019", "#fda54c", DARK, Pattern::Solid),
            Self::SlowStart => ('S', 178, "#856901", "#f7cf10", WHITE, Pattern::Diagonal),
            Self::CongestionWindow => ('C', 99, "#573bd6", "#a794fd", WHITE, Pattern::Grid),
        };
        LimitLook { letter, ansi256, light, dark, ink_light, ink_dark: DARK, pattern }
    }
}

impl From<Cause> for Swatch {
    fn from(cause: Cause) -> Self {
        Self::of(cause)
    }
}

impl From<Limit> for Swatch {
    fn from(limit: Limit) -> Self {
        Self::of_limit(limit)
    }
}

/// Text colours, of which the more readable one is chosen for a background.
const WHITE_INK: &str = "#ffffff";
const DARK_INK: &str = "#101418";

/// The appearance of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitLook {
    /// Letter that identifies the limit if colours cannot.
    pub letter: char,
    /// Colour in terminals with 256 colours, readable on dark and light background.
    pub ansi256: u8,
    /// Colour on a light background, `#rrggbb`.
    pub light: &'static str,
    /// Colour on a dark background, `#rrggbb`.
    pub dark: &'static str,
    /// Colour of text on [`LimitLook::light`].
    pub ink_light: &'static str,
    /// Colour of text on [`LimitLook::dark`].
    pub ink_dark: &'static str,
    /// Pattern of areas.
    pub pattern: Pattern,
}

/// The appearance of `limit`, regardless of its detail.
pub const fn look(limit: Limit) -> LimitLook {
    Swatch::of_limit(limit).look()
}

impl LimitLook {
    /// For terminals with 256 colours and a known background: the colour, and black or white for text on it.
    pub fn ansi256_on(self, ground: Ground) -> [u8; 2] {
        let colour = nearest(match ground {
            Ground::Light => self.light,
            Ground::Dark => self.dark,
        });
        let luminance = luminance(colour.map(|step| CUBE[usize::from(step)]));
        // Contrast is a ratio of luminances, each plus 0.05. Black and white have equal contrast with a
        // colour at their geometric mean.
        let ink = if (luminance + 0.05).powi(2) > 0.05 * 1.05 { [0; 3] } else { [5; 3] };
        [colour, ink].map(|[red, green, blue]| CUBE_BEGIN + 36 * red + 6 * green + blue)
    }
}

/// The background of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// White or nearly so.
    Light,
    /// Black or nearly so.
    Dark,
}

/// Steps of red, green and blue in the cube of 216 colours, and the index of its first colour.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
const CUBE_BEGIN: u8 = 16;

/// Steps of the colour in the cube that is nearest to `#rrggbb`.
fn nearest(colour: &str) -> [u8; 3] {
    [1, 3, 5].map(|at| {
        // Colours are constants in this file with six hexadecimal digits.
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
        let looks: Vec<_> = Swatch::ALL.into_iter().map(Swatch::look).collect();
        assert_eq!(looks.iter().map(|l| l.letter).collect::<BTreeSet<_>>().len(), Swatch::ALL.len());
        assert_eq!(looks.iter().map(|l| l.ansi256).collect::<BTreeSet<_>>().len(), Swatch::ALL.len());
        for l in looks {
            assert!(contrast(l.light, "#ffffff") >= 3.0, "{l:?}");
            assert!(contrast(l.dark, "#14181d") >= 3.0, "{l:?}");
            assert!(contrast(l.light, l.ink_light) >= 4.5, "{l:?}: {}", contrast(l.light, l.ink_light));
            assert!(contrast(l.dark, l.ink_dark) >= 4.5, "{l:?}");
        }
    }

    #[test]
    fn every_cause_has_a_swatch_of_its_limit() {
        let causes = Limit::ALL.into_iter().map(Cause::plain).chain(Detail::ALL.into_iter().map(Cause::from));
        for cause in causes {
            assert_eq!(Swatch::of(cause).limit(), cause.limit, "{cause:?}");
        }
        for swatch in Swatch::ALL {
            let cause = swatch.detail().map_or_else(|| Cause::plain(swatch.limit()), Cause::from);
            assert_eq!(Swatch::of(cause), swatch);
        }
    }

    /// Colour vision without green cones, without red cones, and with both. Source: Machado, Oliveira,
    /// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity
    /// 1.0.
    const EYES: [(&str, [[f64; 3]; 3]); 3] = [
        (
            "deuteranopia",
            [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
        ),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ];

    /// CIE 1976 L*a*b* of `#rrggbb` as these eyes see it (D65, sRGB of IEC 61966-2-1).
    fn lab(colour: &str, eyes: [[f64; 3]; 3]) -> [f64; 3] {
        let apply =
            |matrix: [[f64; 3]; 3], v: [f64; 3]| matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>());
        let linear = [1, 3, 5].map(|at| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        let seen = apply(eyes, linear).map(|c| c.clamp(0.0, 1.0));
        let to_xyz =
            [[0.412_456, 0.357_576, 0.180_438], [0.212_673, 0.715_152, 0.072_175], [0.019_334, 0.119_192, 0.950_304]];
        let [x, y, z] = apply(to_xyz, seen);
        let f = |t: f64| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 };
        let [x, y, z] = [f(x / 0.950_47), f(y), f(z / 1.088_83)];
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn difference(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn any_two_differ_for_the_colour_blind() {
        // Black and white differ by 100 for all eyes.
        for (_, eyes) in EYES {
            assert!((difference(lab("#000000", eyes), lab("#ffffff", eyes)) - 100.0).abs() < 0.1);
        }
        for (name, eyes) in EYES {
            for ground in [|look: LimitLook| look.light, |look: LimitLook| look.dark] {
                for (i, a) in Swatch::ALL.into_iter().enumerate() {
                    for b in &Swatch::ALL[i + 1..] {
                        let apart = difference(lab(ground(a.look()), eyes), lab(ground(b.look()), eyes));
                        assert!(apart >= 10.0, "{name}: {a:?} and {b:?} differ by {apart:.1}");
                    }
                }
            }
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
