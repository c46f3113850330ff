//! Lines of code and configuration to copy, and the remarks behind them.

use std::borrow::Cow;

/// One line of a fix: code or configuration, which is the same in every language, and the remark in its trailing comment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FixLine {
    /// The code; before a remark, with the sign that begins the comment: `conn.Close()  // `.
    pub code: Cow<'static, str>,
    /// What the comment says.
    pub remark: Option<Remark>,
}

impl FixLine {
    /// `code` up to the sign of its comment, with the remark of this id behind it.
    pub fn remarked(code: impl Into<Cow<'static, str>>, remark: impl Into<Remark>) -> Self {
        Self { code: code.into(), remark: Some(remark.into()) }
    }

    /// What ends the comment that the code begins.
    pub fn comment_end(&self) -> &'static str {
        if self.remark.is_some() && self.code.ends_with("/* ") { " */" } else { "" }
    }
}

impl From<&'static str> for FixLine {
    fn from(code: &'static str) -> Self {
        Self { code: code.into(), remark: None }
    }
}

impl From<String> for FixLine {
    fn from(code: String) -> Self {
        Self { code: code.into(), remark: None }
    }
}

/// What a comment says: the words are in the message catalogues under `remark-ID`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Remark {
    /// Kebab-case id; it begins with the program that the line is for, if it is for one: `java-delete`.
    pub id: &'static str,
    /// What is filled in, by name.
    pub values: Vec<(&'static str, String)>,
}

impl Remark {
    /// The remark `id`, with nothing filled in.
    pub const fn new(id: &'static str) -> Self {
        Self { id, values: Vec::new() }
    }

    /// With `value` under this name.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &impl ToString) -> Self {
        self.values.push((name, value.to_string()));
        self
    }

    /// Whether the line is for one of these programs, as ids name them.
    pub fn is_for(&self, programs: &[&str]) -> bool {
        let is_program =
            |program: &&str| self.id.strip_prefix(*program).is_some_and(|r| r.is_empty() || r.starts_with('-'));
        programs.iter().any(is_program)
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
    fn programs_of_remarks() {
        assert!(Remark::new("java-delete").is_for(&["nginx", "java"]) && Remark::new("java").is_for(&["java"]));
        assert!(!Remark::new("javascript").is_for(&["java"]) && !Remark::new("any-process").is_for(&["java"]));
    }

    #[test]
    fn a_comment_of_c_ends() {
        assert_eq!(FixLine::remarked("close(fd);  /* ", "c").comment_end(), " */");
        assert_eq!(FixLine::remarked("ss -s  # ", "go").comment_end(), "");
        assert_eq!(FixLine::from("/* ").comment_end(), "");
    }
}
