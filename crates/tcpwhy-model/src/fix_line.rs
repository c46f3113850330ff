//! Lines of code and configuration to copy, and their remarks.

use crate::LineCode;
use crate::program::{Audience, Program};

/// One line of a fix: code or configuration, which is the same in every language, and a remark in its
/// trailing comment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FixLine {
    /// The code; if a remark follows, including the marker that starts the comment: `conn.Close()  // `.
    pub code: LineCode,
    /// Text of the comment.
    pub remark: Option<Remark>,
    /// Readers for whom the line is useful.
    pub audience: Audience,
}

impl FixLine {
    /// A line for every host: `code` up to and including its comment marker, followed by this remark.
    pub fn remarked(code: impl Into<LineCode>, remark: impl Into<Remark>) -> Self {
        Self { code: code.into(), remark: Some(remark.into()), audience: Audience::Host }
    }

    /// Closing marker of the comment that the code starts; empty for a comment up to the end of the line.
    pub fn comment_end(&self) -> &'static str {
        if self.remark.is_some() && self.code.ends_with("/* ") { " */" } else { "" }
    }
}

impl Program {
    /// A line for this program: code up to and including its comment marker, followed by the remark.
    pub fn line(self, code: impl Into<LineCode>, remark: impl Into<Remark>) -> FixLine {
        FixLine { audience: Audience::Program(self), ..FixLine::remarked(code, remark) }
    }

    /// A line for a client library of this server, written in `language`.
    pub fn client_line(self, language: Self, code: impl Into<LineCode>, remark: impl Into<Remark>) -> FixLine {
        FixLine { audience: Audience::Client { server: self, language }, ..FixLine::remarked(code, remark) }
    }
}

impl<T: Into<LineCode>> From<T> for FixLine {
    fn from(code: T) -> Self {
        Self { code: code.into(), remark: None, audience: Audience::Host }
    }
}

/// Text of a comment. Its words are in the message catalogues under `remark-ID`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Remark {
    /// Kebab-case id.
    pub id: &'static str,
    /// Values of the placeholders, by name.
    pub values: Vec<(&'static str, String)>,
}

impl Remark {
    /// The remark `id` without values.
    pub const fn new(id: &'static str) -> Self {
        Self { id, values: Vec::new() }
    }

    /// The same remark with `value` under this name.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &impl ToString) -> Self {
        self.values.push((name, value.to_string()));
        self
    }
}

impl From<&'static str> for Remark {
    fn from(id: &'static str) -> Self {
        Self::new(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_of_c_ends() {
        assert_eq!(FixLine::remarked("close(fd);  /* ", "c").comment_end(), " */");
        assert_eq!(FixLine::remarked("ss -s  # ", "go").comment_end(), "");
        assert_eq!(FixLine::from("/* ").comment_end(), "");
    }

    #[test]
    fn a_client_line_is_for_its_language_and_its_server() {
        let line = Program::MySql.client_line(Program::Java, "jdbc:mysql://…  # ", "jdbc-mysql-its-default");
        assert!(line.audience.includes(Program::Java) && line.audience.includes(Program::MySql));
        assert!(!line.audience.includes(Program::C));
        assert_eq!(FixLine::from("ss -s").audience.programs().count(), 0);
    }
}
