//! Elements of pictures and pages. All values that an element gets are written as text: there is no way to
//! write them unescaped.

use std::fmt::{self, Display, Write as _};

use tcpwhy_model::foreign::{is_hidden, is_right_to_left, visible};

/// A comment near the beginning of every page and picture, by which tcpwhy recognizes files that it may
/// replace. It has no version, so that the same picture stays the same file.
pub const MARK: &str = "<!-- written by tcpwhy -->";

/// `text` escaped for an element or a quoted attribute.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let _ = Escaping(&mut out).write_str(text);
    out
}

/// A writer that escapes the text written to it.
struct Escaping<'a>(&'a mut String);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let out = &mut *self.0;
        for c in text.chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '&' => out.push_str("&amp;"),
                '"' => out.push_str("&quot;"),
                '\'' => out.push_str("&#39;"),
                '\n' => out.push('\n'),
                // Control characters are not allowed in XML and useless in HTML. Invisible characters and
                // letters from right to left change how text reads, and not every program that shows SVG
                // isolates text.
                c if is_hidden(c) || is_right_to_left(c) => out.push_str(&visible(c.encode_utf8(&mut [0; 4]))),
                c => out.push(c),
            }
        }
        Ok(())
    }
}

/// An element that is being written: first its name, then attributes, then its content or end.
#[must_use = "its tag is open until it is ended"]
#[derive(Debug)]
pub struct Element<'a> {
    out: &'a mut String,
    name: &'static str,
}

impl<'a> Element<'a> {
    /// Begins an element at the end of `out`.
    pub fn new(out: &'a mut String, name: &'static str) -> Self {
        out.push('<');
        out.push_str(name);
        Self { out, name }
    }

    /// Adds an attribute.
    pub fn with(self, attribute: &str, value: impl Display) -> Self {
        let _ = write!(self.out, " {attribute}=\"");
        let _ = write!(Escaping(self.out), "{value}");
        self.out.push('"');
        self
    }

    /// Adds each of these attributes.
    pub fn with_all(self, attributes: &[(&str, &str)]) -> Self {
        attributes.iter().fold(self, |element, (attribute, value)| element.with(attribute, value))
    }

    /// Ends the element without content.
    pub fn end(self) {
        self.out.push_str("/>");
    }

    /// Ends the element with text as its content.
    pub fn text(self, text: impl Display) {
        self.out.push('>');
        let _ = write!(Escaping(self.out), "{text}");
        let _ = write!(self.out, "</{}>", self.name);
    }

    /// Ends the element with the output of `content` inside.
    pub fn holding(self, content: impl FnOnce(&mut String)) {
        self.out.push('>');
        content(self.out);
        let _ = write!(self.out, "</{}>", self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_element_is_given_stands_in_it_as_text() {
        let mut out = String::new();
        Element::new(&mut out, "text").with("x", 1.5).with("class", "a\" onload=\"b").text("<b>&\u{202e}'\n\u{5d0}");
        assert_eq!(
            out,
            "<text x=\"1.5\" class=\"a&quot; onload=&quot;b\">&lt;b&gt;&amp;\\u{202e}&#39;\n\\u{5d0}</text>"
        );
    }

    #[test]
    fn elements_hold_others() {
        let mut out = String::new();
        let path = |out: &mut String| Element::new(out, "path").with_all(&[("d", "M0 0"), ("class", "c")]).end();
        Element::new(&mut out, "g").holding(path);
        assert_eq!(out, "<g><path d=\"M0 0\" class=\"c\"/></g>");
    }
}
