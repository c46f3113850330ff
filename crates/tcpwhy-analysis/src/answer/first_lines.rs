//! Content of the first lines of a report.

use tcpwhy_model::{Cause, Finding, FixEnds, Limit, Readiness, Severity};

use super::advice::{Advice, NoChange};
use super::clock::ClockDoubt;
use super::concern::Concern;
use super::explanation::Explanation;
use super::problem_advice::ProblemAdvice;
use super::remedy::Remedy;
use super::subject::Subject;
use super::totals::Totals;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::{Failure, Problem};
use crate::thresholds::SHORT_TRANSFER;

/// Sender and amount of data.
#[derive(Clone, Copy, Debug)]
pub enum Head<'a> {
    /// The capture has no connections.
    NoConnections,
    /// One connection.
    One(Subject<'a>),
    /// One connection, which carried no data.
    OneWithoutData(&'a Connection),
    /// Several connections, which are counted.
    Many(Totals),
    /// A problem. The second line counts its connections.
    Problem,
}

/// Reason for the lost time.
#[derive(Clone, Copy, Debug)]
pub enum Why<'a> {
    /// Unknown, because the capture's clock is wrong.
    ClockWrong(ClockDoubt),
    /// Explanation of the only connection.
    Explained(Subject<'a>, Explanation<'a>),
    /// The only connection failed, and carried nothing.
    FailedUnsent(&'a Connection, FailedUnsent<'a>),
    /// A finding about a connection as a whole, which did not fail and is not part of a larger problem.
    Noticed(&'a Connection, &'a Finding),
    /// A finding about all connections between the ends of this one: a habit that no single connection shows.
    Across(&'a Connection, &'a Finding),
    /// A problem.
    Problem(&'a Problem),
    /// Nothing is wrong.
    AllClear(AllClear<'a>),
}

/// Failure of a connection that carried no data.
#[derive(Clone, Copy, Debug)]
pub struct FailedUnsent<'a> {
    /// Kind of failure.
    pub failure: Failure,
    /// Finding about the failure.
    pub finding: Option<&'a Finding>,
    /// Severity of the failure.
    pub severity: Severity,
}

/// The statement that nothing is wrong, with facts about the largest connection.
#[derive(Clone, Copy, Debug)]
pub struct AllClear<'a> {
    /// The largest group of failed connections that nobody waited for.
    pub probes: Option<&'a Problem>,
    /// The largest connection; `None` if none carried data.
    pub subject: Option<Subject<'a>>,
    /// The largest connection carried too little data to be a transfer.
    pub is_short: bool,
    /// Its limit is named, because no change would remove it.
    pub is_limit_named: bool,
    /// A concern about one connection that took little of the capture's time.
    pub aside: Option<Aside<'a>>,
}

/// The connection with a small concern, in a capture without problems.
#[derive(Clone, Copy, Debug)]
pub struct Aside<'a> {
    /// The connection.
    pub connection: &'a Connection,
    /// Lost time, nanoseconds.
    pub nanos: i64,
}

impl<'a> Aside<'a> {
    pub(super) fn of(connection: &'a Connection) -> Option<Self> {
        Concern::decide(connection).map(|concern| Self { connection, nanos: concern.answer.nanos })
    }
}

/// Fix in the third line of a report.
#[derive(Clone, Copy, Debug)]
pub enum Fix<'a> {
    /// Advice about the only connection.
    Connection(&'a Connection, Advice<'a>),
    /// Advice about a problem.
    Problem(&'a Problem, ProblemAdvice<'a>),
    /// Nothing is wrong, but this connection is worth reading.
    Look(Aside<'a>),
    /// Nothing is wrong.
    Nothing,
    /// No advice about the time of the connection. The line reports its end instead.
    Ended(&'a Connection, &'a Finding),
}

impl<'a> Fix<'a> {
    /// Whether the line proposes a change.
    pub const fn is_change(&self) -> bool {
        match self {
            Self::Connection(_, advice) => advice.is_change(),
            Self::Problem(_, advice) => advice.is_change(),
            Self::Look(_) | Self::Nothing | Self::Ended(..) => false,
        }
    }

    /// Returns the readiness of the fix for the connection between `ends`; `None` if there is nothing to do.
    pub fn readiness(&self, ends: Option<&FixEnds>) -> Option<Readiness> {
        if let Some(remedy) = self.change() {
            return remedy.finding.fixes_with_readiness(ends).next().map(|(_, readiness)| readiness);
        }
        match self {
            Self::Connection(_, Advice::None(why)) => why.readiness(),
            Self::Connection(_, Advice::Change(_))
            | Self::Problem(_, ProblemAdvice::Nothing)
            | Self::Nothing
            | Self::Ended(..) => None,
            Self::Connection(_, Advice::Profile(_)) | Self::Problem(..) | Self::Look(_) => Some(Readiness::Measure),
        }
    }

    /// Returns the change that the line prints.
    fn change(&self) -> Option<Remedy<'a>> {
        match *self {
            Self::Connection(_, Advice::Change(remedy)) | Self::Problem(_, ProblemAdvice::Change(remedy)) => {
                Some(remedy)
            }
            _ => None,
        }
    }

    /// Returns the fix of a finding, and the connection that shows its cause.
    pub fn remedy(&self) -> Option<(Remedy<'a>, &'a Connection)> {
        match self {
            Self::Connection(connection, advice) => Some((advice.remedy()?, connection)),
            Self::Problem(problem, advice) => Some((advice.remedy()?, &problem.example)),
            Self::Look(_) | Self::Nothing | Self::Ended(..) => None,
        }
    }
}

impl<'a> FailedUnsent<'a> {
    /// Returns the failure of `connection`; `None` if it carried data or did not fail.
    pub(super) fn of(connection: &'a Connection) -> Option<Self> {
        let (failure, finding) = Failure::of(connection, connection.server())?;
        let severity = finding.map_or(Severity::Warning, |finding| finding.severity);
        connection.halves.is_empty().then_some(Self { failure, finding, severity })
    }

    /// Returns the advice about the failed connection.
    pub(super) fn advice(&self) -> Advice<'a> {
        let remedy = self.finding.and_then(|finding| Remedy::by(finding, None));
        remedy.map_or(Advice::None(NoChange::NotShown), Advice::Change)
    }
}

impl<'a> AllClear<'a> {
    pub(super) fn of(subject: Option<Subject<'a>>, probes: Option<&'a Problem>, aside: Option<Aside<'a>>) -> Self {
        let half = subject.map(|subject| subject.half);
        // A removable limit would contradict the statement that nothing is wrong.
        let is_usual = |cause: Cause| !cause.is_removable() && cause.limit != Limit::Application;
        let is_named = |half: &HalfConnection| half.verdict.cause.is_some_and(is_usual);
        let is_short = half.is_some_and(|half| half.bytes < SHORT_TRANSFER);
        Self { probes, subject, is_short, is_limit_named: half.is_some_and(is_named), aside }
    }
}
