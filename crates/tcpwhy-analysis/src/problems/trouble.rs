//! What is wrong with one connection.

use tcpwhy_model::Severity;

use super::{Kind, Problem, Problems};
use crate::outcome::Connection;

/// What is wrong with a connection, and how much that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// How it failed, or what made it slow.
    pub kind: Kind,
    /// The gravest of what was found.
    pub severity: Severity,
}

impl Trouble {
    /// What a problem is about.
    pub fn of(problem: &Problem) -> Self {
        Self { kind: problem.key.kind, severity: problem.severity }
    }

    /// What a capture of `connection` alone has as its gravest problem; `None` without a problem.
    pub fn of_connection(connection: &Connection) -> Option<Self> {
        let mut problems = Problems::default();
        problems.add(connection);
        problems.ranked().first().map(Self::of)
    }

    /// Whether the connection failed.
    pub const fn is_failure(&self) -> bool {
        matches!(self.kind, Kind::Failed(_))
    }
}
