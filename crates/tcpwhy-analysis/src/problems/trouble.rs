//! The problem of one connection.

use std::cmp::Reverse;

use tcpwhy_model::Severity;

use super::wrong::{Wrong, least};
use super::{Kind, Problem};
use crate::outcome::Connection;

/// The problem of a connection, and its severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The failure, or the cause of its slowness.
    pub kind: Kind,
    /// Severity of the most severe finding.
    pub severity: Severity,
}

impl Trouble {
    /// Returns the kind and severity of a problem.
    pub fn of(problem: &Problem) -> Self {
        Self { kind: problem.key.kind, severity: problem.severity }
    }

    /// Returns the most severe problem of a capture that contains only `connection`; `None` without one. It
    /// uses the order of [`Problems::ranked`](super::Problems::ranked), without a copy of the connection.
    pub fn of_connection(connection: &Connection) -> Option<Self> {
        let bytes = connection.bytes();
        let weigh = |wrong: &Wrong<'_>| wrong.weight.nanos(bytes);
        let lasted = connection.span.nanos();
        let is_problem = |wrong: &Wrong<'_>| weigh(wrong) >= least(wrong.kind, wrong.severity, lasted);
        let rank = |wrong: &Wrong<'_>| {
            (wrong.severity == Severity::Info, Reverse(weigh(wrong)), matches!(wrong.kind, Kind::Slow(_)))
        };
        let all = Wrong::with(connection, bytes).into_iter().flatten().filter(is_problem);
        all.min_by_key(rank).map(|wrong| Self { kind: wrong.kind, severity: wrong.severity })
    }

    /// Whether the connection failed.
    pub const fn is_failure(&self) -> bool {
        matches!(self.kind, Kind::Failed(_))
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Limit};

    use super::super::Problems;
    use super::super::testing::{connection, half};
    use super::*;
    use crate::outcome::{Ending, Role, Side};

    /// Returns the most severe of `Problems` that contain only the connection.
    fn of_problems(connection: &Connection) -> Option<Trouble> {
        let mut problems = Problems::default();
        problems.add(connection);
        problems.ranked().first().map(Trouble::of)
    }

    #[test]
    fn is_the_gravest_problem_of_the_connection() {
        let severities = [None, Some(Severity::Info), Some(Severity::Warning), Some(Severity::Critical)];
        let limits = [Limit::SendBuffer, Limit::Path, Limit::Application];
        let endings = [Ending::Closed, Ending::Reset(Side::A), Ending::Reset(Side::B), Ending::Refused, Ending::Open];
        let mut found = 0;
        for severity in severities {
            for limit in limits {
                for seconds in [0, 1, 20] {
                    for ending in endings {
                        let mut one = connection(vec![half(
                            Role::Server,
                            severity,
                            &[(seconds, Cause::plain(limit))],
                            Vec::new(),
                        )]);
                        one.ending = ending;
                        let trouble = Trouble::of_connection(&one);
                        assert_eq!(trouble, of_problems(&one), "{severity:?} {limit:?} {seconds} s {ending:?}");
                        found += usize::from(trouble.is_some());
                    }
                }
            }
        }
        assert!(found > 10, "{found} connections have a problem");
    }
}
