//! How a connection ended, as an answer has it.

use crate::outcome::{Connection, Ending};
use crate::problems::Failure;

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// All arrived, and it was closed or reset.
    Complete,
    /// It failed in this way.
    Failed(Failure),
    /// It was open when the capture ended.
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

    /// How `connection` ended.
    pub fn of(connection: &Connection) -> Self {
        match (Failure::of_connection(connection), connection.ending) {
            (Some(failure), _) => Self::Failed(failure),
            (None, Ending::Open | Ending::HalfClosed) => Self::Open,
            (None, _) => Self::Complete,
        }
    }
}
