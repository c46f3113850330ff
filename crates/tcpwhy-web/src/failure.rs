use std::fmt;
use std::io;

/// Reason why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A line about the problem.
    Said(String),
    /// The connection does not exist.
    NoSuchConnection,
    /// A connection of one capture continues in the other, so the captures should be merged by time.
    PartsOfOne,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(text) => f.write_str(text),
            Self::NoSuchConnection => f.write_str("no such connection"),
            Self::PartsOfOne => f.write_str("the captures are parts of one"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Said(error.to_string())
    }
}
