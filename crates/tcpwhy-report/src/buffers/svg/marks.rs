//! The marks of all charts: lines, texts and legends.

use crate::markup::Element;

/// Size of one chart, and the margins above and below its axes, pixels.
pub(super) const WIDTH: f64 = 540.0;
pub(super) const HEIGHT: f64 = 320.0;
pub(super) const TOP: f64 = 46.0;
pub(super) const BOTTOM: f64 = 52.0;

/// An entry of a legend.
pub(super) struct Key {
    pub(super) class: &'static str,
    pub(super) name: String,
}

/// Draws the entries next to each other, in a group of their own, because they are not data.
pub(super) fn legend(out: &mut String, x: f64, y0: f64, keys: &[Key]) {
    if keys.is_empty() {
        return;
    }
    let y = y0 + 34.0;
    Element::new(out, "g").with("class", "legend").holding(|out| {
        out.push('\n');
        keys.iter().fold(x, |x, Key { class, name }| {
            path(out, class, &format!("M{x:.1} {:.1}h22", y - 4.0));
            line(out, "", x + 27.0, y, "start", name);
            let width: usize = name.chars().map(|c| if c.is_ascii() { 7 } else { 13 }).sum();
            x + 27.0 + width as f64 + 12.0
        });
    });
    out.push('\n');
}

pub(super) fn path(out: &mut String, class: &str, d: &str) {
    Element::new(out, "path").with("class", class).with("d", d).end();
    out.push('\n');
}

pub(super) fn line(out: &mut String, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
    let element = Element::new(out, "text");
    let element = if class.is_empty() { element } else { element.with("class", class) };
    let element = element.with("x", format_args!("{x:.1}")).with("y", format_args!("{y:.1}"));
    element.with("text-anchor", anchor).text(text);
    out.push('\n');
}
