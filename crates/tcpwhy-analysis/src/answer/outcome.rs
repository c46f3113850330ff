//! The end of a connection, as reported in an answer.

use crate::outcome::{Connection, Ending};
use crate::problems::Failure;

/// The end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// All data arrived, and the connection was closed or reset.
    Complete,
    /// The connection failed in this way.
    Failed(Failure),
    /// The connection was open when the capture ended.
    Open,
}

impl Outcome {
    /// Stable id in `snake_case`: `complete`, `failed` or `open`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Failed(_) => "failed",
            Self::Open => "open",
        }
    }

    /// Returns the outcome of `connection`.
    pub fn of(connection: &Connection) -> Self {
        match (Failure::of_connection(connection), connection.ending) {
            (Some(failure), _) => Self::Failed(failure),
            (None, Ending::Open | Ending::HalfClosed) => Self::Open,
            (None, _) => Self::Complete,
        }
    }
}
