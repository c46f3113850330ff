//! The names that a process may ask another one to write under.

use std::ffi::{OsStr, OsString};

/// Names of files in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// Only this name.
    One(OsString),
    /// All names with this beginning and end.
    Between {
        /// Beginning of the names.
        first: String,
        /// End of the names.
        last: String,
    },
}

impl Names {
    /// Whether `name` is one of them, and names an entry of the folder itself.
    pub fn include(&self, name: &OsStr) -> bool {
        let bytes = name.as_encoded_bytes();
        if bytes.contains(&b'/') || bytes.contains(&0) || matches!(bytes, b"" | b"." | b"..") {
            return false;
        }
        match self {
            Self::One(one) => name == one,
            Self::Between { first, last } => {
                let (first, last) = (first.as_bytes(), last.as_bytes());
                bytes.len() >= first.len() + last.len() && bytes.starts_with(first) && bytes.ends_with(last)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_in_the_folder() {
        let pictures = Names::Between { first: String::new(), last: ".svg".to_owned() };
        let ring = Names::Between { first: "r-".to_owned(), last: "-.pcapng".to_owned() };
        for (names, name, expected) in [
            (&pictures, "1.svg", true),
            (&pictures, "../1.svg", false),
            (&pictures, ".bashrc", false),
            (&ring, "r-1-.pcapng", true),
            (&ring, "r-.pcapng", false),
            (&Names::One("a".into()), "a", true),
            (&Names::One("a".into()), "b", false),
            (&Names::One("..".into()), "..", false),
        ] {
            assert_eq!(names.include(OsStr::new(name)), expected, "{name}");
        }
    }
}
