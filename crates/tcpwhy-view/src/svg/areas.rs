//! Areas and letters of limits.

use tcpwhy_report::palette::Swatch;

use super::shapes::{rect, text};
use super::theme;

/// An area in the colour and pattern of a limit.
pub(super) fn area(out: &mut String, limit: Swatch, place: [f64; 4]) {
    rect(out, place, ("fill", &format!("url(#p-{})", theme::class(limit))));
    out.push('\n');
}

/// The letter of a limit on a background in its colour.
pub(super) fn letter(out: &mut String, limit: Swatch, x: f64, y: f64) {
    let class = theme::class(limit);
    rect(out, [x - 6.5, y - 7.5, 13.0, 15.0], ("class", &format!("lf-{class}")));
    text(out, x, y + 4.5, &format!("m h li-{class}"), limit.look().letter.encode_utf8(&mut [0; 4]));
}
