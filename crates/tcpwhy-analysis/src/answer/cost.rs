//! Time that a cause cost, as a part of a whole.

use super::explanation::Explanation;
use super::first_lines::Why;
use super::named_cause::NamedCause;
use super::totals::Totals;

/// The whole that a cost is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whole {
    /// Span of one transfer: that of a direction, or of a connection that failed.
    Transfer,
    /// Time of a connection's requests, with their answers and the pauses between them.
    Requests,
    /// Time of all connections together.
    Connections,
}

impl Whole {
    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Transfer => "transfer",
            Self::Requests => "requests",
            Self::Connections => "connections",
        }
    }
}

/// Time that a cause cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Lost time, seconds.
    pub seconds: f64,
    /// The whole that it is a part of.
    pub whole: Whole,
    /// Length of the whole, seconds.
    pub of_seconds: f64,
}

impl Cost {
    /// Returns the cost of `why` in a capture of `totals`; `None` if it has none.
    pub(super) fn of(why: &Why<'_>, totals: Totals) -> Option<Self> {
        match *why {
            Why::Explained(subject, Explanation::Limited) => {
                let of_seconds = subject.half.span.seconds();
                let seconds = NamedCause::of(subject.half)?.seconds();
                Some(Self { seconds, whole: Whole::Transfer, of_seconds })
            }
            Why::Explained(_, Explanation::Took(party, exchanges)) => {
                let parts = &exchanges.parts;
                let nanos = parts.of(party);
                Some(Self { seconds: seconds(nanos), whole: Whole::Requests, of_seconds: seconds(parts.all()) })
            }
            Why::Explained(_, Explanation::Found(finding, _, half)) => {
                let of_seconds = half.span.seconds();
                Some(Self { seconds: finding.seconds?, whole: Whole::Transfer, of_seconds })
            }
            Why::Across(_, finding) => {
                let of_seconds = seconds(totals.nanos);
                Some(Self { seconds: finding.seconds?, whole: Whole::Connections, of_seconds })
            }
            Why::Noticed(connection, finding) => {
                let of_seconds = connection.span.seconds();
                Some(Self { seconds: finding.seconds?, whole: Whole::Transfer, of_seconds })
            }
            Why::Explained(subject, Explanation::Failed(_, finding)) => {
                let of_seconds = subject.connection.span.seconds();
                Some(Self { seconds: finding?.seconds?, whole: Whole::Transfer, of_seconds })
            }
            Why::FailedUnsent(connection, failed) => {
                let of_seconds = connection.span.seconds();
                Some(Self { seconds: failed.finding?.seconds?, whole: Whole::Transfer, of_seconds })
            }
            Why::Problem(problem) => {
                let of_seconds = seconds(totals.nanos);
                let cost = Self { seconds: seconds(problem.lost), whole: Whole::Connections, of_seconds };
                (problem.lost > 0).then_some(cost)
            }
            Why::ClockWrong(_) | Why::Explained(_, Explanation::Spoke(_)) | Why::AllClear(_) => None,
        }
    }

    /// Returns the cost as a part of its whole, from 0 to 1; 0 if the whole is empty.
    pub fn share(&self) -> f64 {
        if self.of_seconds > 0.0 { self.seconds / self.of_seconds } else { 0.0 }
    }
}

fn seconds(nanos: i64) -> f64 {
    nanos as f64 / 1e9
}
