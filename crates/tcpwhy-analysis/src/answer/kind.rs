//! Kind of an answer.

use tcpwhy_model::Limit;

use super::explanation::Explanation;
use super::first_lines::Why;
use super::subject::Subject;
use crate::exchanges::Pattern;
use crate::problems::{Kind, Slow};

/// Kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerKind {
    /// A limit slowed the data.
    Limit,
    /// A party took the time of requests: the server, the client or the round trips.
    Party,
    /// A connection failed.
    Failure,
    /// Somebody probed hosts or ports.
    Probe,
    /// The capture's clock is wrong, so its times are invalid.
    Clock,
    /// Nothing is wrong.
    Nothing,
    /// The packets do not show the answer.
    CannotTell,
}

impl AnswerKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Limit, Self::Party, Self::Failure, Self::Probe, Self::Clock, Self::Nothing, Self::CannotTell];

    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Party => "party",
            Self::Failure => "failure",
            Self::Probe => "probe",
            Self::Clock => "clock",
            Self::Nothing => "nothing",
            Self::CannotTell => "cannot_tell",
        }
    }

    pub(super) fn of(why: &Why<'_>) -> Self {
        match *why {
            Why::ClockWrong(_) => Self::Clock,
            Why::Explained(_, Explanation::Failed(..)) | Why::FailedUnsent(..) => Self::Failure,
            Why::Explained(_, Explanation::Took(..)) => Self::Party,
            Why::Explained(_, Explanation::Found(..)) | Why::Noticed(..) | Why::Across(..) => Self::Limit,
            Why::Explained(_, Explanation::Spoke(exchanges)) if exchanges.pattern == Pattern::Overlapping => {
                Self::CannotTell
            }
            Why::Explained(subject, Explanation::Limited) => Self::of_limit(&subject),
            Why::Problem(problem) if problem.key.is_probes() => Self::Probe,
            Why::Problem(problem) => match problem.key.kind {
                Kind::Failed(_) => Self::Failure,
                Kind::Slow(Slow::Server | Slow::RoundTrips) => Self::Party,
                Kind::Slow(Slow::Answers(_) | Slow::Requests(_)) => Self::Limit,
            },
            Why::Explained(_, Explanation::Spoke(_)) | Why::AllClear(_) => Self::Nothing,
        }
    }

    fn of_limit(subject: &Subject<'_>) -> Self {
        let verdict = &subject.half.verdict;
        match (verdict.cause, verdict.severity) {
            (Some(cause), _) if cause.limit == Limit::Unobserved => Self::CannotTell,
            (Some(_), Some(_)) => Self::Limit,
            (None, _) | (_, None) => Self::Nothing,
        }
    }
}
