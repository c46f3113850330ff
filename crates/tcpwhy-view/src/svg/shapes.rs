//! Basic shapes of pictures: text, rectangles and paths, one line each.

use tcpwhy_report::markup::Element;

use super::plot::num;

/// Writes text at a place in the style of `class`.
pub(super) fn text(out: &mut String, x: f64, y: f64, class: &str, words: &str) {
    Element::new(out, "text").with("x", num(x)).with("y", num(y)).with("class", class).text(words);
    out.push('\n');
}

/// Draws a rectangle at a place; `fill` is the attribute with its fill.
pub(super) fn rect(out: &mut String, [x, y, width, height]: [f64; 4], fill: (&str, &str)) {
    let place = [("x", x), ("y", y), ("width", width), ("height", height)];
    let element = place.into_iter().fold(Element::new(out, "rect"), |element, (name, at)| element.with(name, num(at)));
    element.with(fill.0, fill.1).end();
}

/// Draws a path in the style of `class` and `more` attributes.
pub(super) fn path(out: &mut String, d: &str, class: &str, more: &[(&str, &str)]) {
    Element::new(out, "path").with("d", d).with("class", class).with_all(more).end();
    out.push('\n');
}
