//! Colours and patterns of the pictures.

use std::fmt::Write as _;

use tcpwhy_report::markup::Element;
use tcpwhy_report::palette::{Pattern, Swatch};

/// Colour scheme of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Follows the preference of the reader's system.
    Auto,
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
}

/// Class, light and dark colour of everything that is not a limit. The colours are from Okabe and Ito's
/// palette for the colour-blind. They were darkened or lightened to a contrast of 3:1 with the background.
/// Similar colours also differ in width, dash or shape.
const COLOURS: [(&str, &str, &str); 16] = [
    ("unused", "#767676", "#9a9a9a"),
    ("ground", "#ffffff", "#14181d"),
    ("ink", "#1c2126", "#e8ebee"),
    ("soft", "#5c6670", "#a3adb7"),
    ("grid", "#e3e7eb", "#2b323a"),
    ("data", "#1c2126", "#e8ebee"),
    ("ack", "#00795c", "#35c79a"),
    ("edge", "#a8468a", "#e59bce"),
    ("resent", "#c4161c", "#ff6b66"),
    ("late", "#b36200", "#ffb04d"),
    ("sack", "#6546bf", "#b5a2ff"),
    ("probe", "#0068a8", "#62b8f0"),
    ("flight", "#1c2126", "#e8ebee"),
    ("pipe", "#6546bf", "#b5a2ff"),
    ("cwnd", "#0068a8", "#62b8f0"),
    ("level", "#b36200", "#ffb04d"),
];

/// Fonts with Latin and Chinese letters on common systems.
const FONTS: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei',\
                     'Noto Sans CJK SC',sans-serif";

/// The style element of a picture that shows `swatches`.
pub(super) fn style(theme: Theme, swatches: &[Swatch]) -> String {
    let mut out = format!(
        "<style>text{{font:12px {FONTS};font-variant-numeric:tabular-nums}}.h{{font-weight:600;font-size:13px}}\
         .t{{font-weight:600;font-size:15px}}.s{{font-size:11px}}.v{{font-size:13px}}.m{{text-anchor:middle}}.e{{text-anchor:end}}\
         path{{fill:none}}.halo{{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}}"
    );
    match theme {
        Theme::Light => colours(&mut out, swatches, false),
        Theme::Dark => colours(&mut out, swatches, true),
        Theme::Auto => {
            colours(&mut out, swatches, false);
            out.push_str("@media (prefers-color-scheme:dark){");
            colours(&mut out, swatches, true);
            out.push('}');
        }
    }
    out.push_str("</style>\n");
    out
}

fn colours(out: &mut String, swatches: &[Swatch], is_dark: bool) {
    for (class, light, dark) in COLOURS {
        let colour = if is_dark { dark } else { light };
        let _ = write!(out, ".{class}{{stroke:{colour}}}.f-{class}{{fill:{colour}}}");
    }
    let ground = if is_dark { COLOURS[1].2 } else { COLOURS[1].1 };
    let _ = write!(out, ".halo{{stroke:{ground}}}");
    for &swatch in swatches {
        let look = swatch.look();
        let (colour, ink) = if is_dark { (look.dark, look.ink_dark) } else { (look.light, look.ink_light) };
        let letter = class(swatch);
        let _ = write!(out, ".l-{letter}{{stroke:{colour}}}.lf-{letter}{{fill:{colour}}}.li-{letter}{{fill:{ink}}}");
        let _ = write!(out, ".lp-{letter}{{stroke:{ink}}}");
    }
}

/// Name of a swatch in classes and ids.
pub(super) const fn class(swatch: Swatch) -> &'static str {
    swatch.id()
}

/// The patterns of `swatches`, for a `defs` element.
pub(super) fn patterns(swatches: &[Swatch]) -> String {
    let mut out = String::from("<defs>\n");
    for &swatch in swatches {
        let class = class(swatch);
        let lines = match swatch.look().pattern {
            Pattern::Solid => "",
            Pattern::Dots => "M2 2h.01M6 6h.01",
            Pattern::Diagonal => "M-2 2L2 -2M0 8L8 0M6 10L10 6",
            Pattern::BackDiagonal => "M-2 6L2 10M0 0L8 8M6 -2L10 2",
            Pattern::Cross => "M0 8L8 0M0 0L8 8",
            Pattern::Horizontal => "M0 2H8M0 6H8",
            Pattern::Vertical => "M2 0V8M6 0V8",
            Pattern::Grid => "M0 4H8M4 0V8",
        };
        let width = if swatch.look().pattern == Pattern::Dots { 2.0 } else { 1.0 };
        let size = [("width", "8"), ("height", "8")];
        let pattern = Element::new(&mut out, "pattern").with("id", format_args!("p-{class}")).with_all(&size);
        pattern.with("patternUnits", "userSpaceOnUse").holding(|out| {
            Element::new(out, "rect").with_all(&size).with("class", format_args!("lf-{class}")).end();
            let strokes = Element::new(out, "path").with("d", lines).with("class", format_args!("lp-{class}"));
            strokes
                .with("stroke-width", width)
                .with_all(&[("stroke-linecap", "round"), ("stroke-opacity", ".45")])
                .end();
        });
        out.push('\n');
    }
    out.push_str("</defs>\n");
    out
}
