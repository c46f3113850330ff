//! What each of the first lines says.

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

/// Who sent what.
#[derive(Clone, Copy, Debug)]
pub enum Head<'a> {
    /// There are no connections.
    NoConnections,
    /// This one.
    One(Subject<'a>),
    /// This one, which carried nothing.
    OneWithoutData(&'a Connection),
    /// So many connections that they are counted.
    Many(Totals),
    /// A problem, whose connections the second line counts.
    Problem,
}

/// Why it took so long.
#[derive(Clone, Copy, Debug)]
pub enum Why<'a> {
    /// Nobody knows: the capture's clock is wrong.
    ClockWrong(ClockDoubt),
    /// This explains the only connection.
    Explained(Subject<'a>, Explanation<'a>),
    /// The only connection failed, and carried nothing.
    FailedUnsent(&'a Connection, FailedUnsent<'a>),
    /// This was found about a connection as a whole. It did not fail, and it is no problem of many.
    Noticed(&'a Connection, &'a Finding),
    /// This was found about all connections between the ends of this one: a habit that no single one shows.
    Across(&'a Connection, &'a Finding),
    /// This problem.
    Problem(&'a Problem),
    /// Nothing is wrong.
    AllClear(AllClear<'a>),
}

/// How a connection failed that carried nothing.
#[derive(Clone, Copy, Debug)]
pub struct FailedUnsent<'a> {
    /// How.
    pub failure: Failure,
    /// What was found about it.
    pub finding: Option<&'a Finding>,
    /// How much it matters.
    pub severity: Severity,
}

/// That nothing is wrong, and how the largest connection went.
#[derive(Clone, Copy, Debug)]
pub struct AllClear<'a> {
    /// What nobody waited for, though it failed: the most of it.
    pub probes: Option<&'a Problem>,
    /// The largest connection; `None` where none carried data.
    pub subject: Option<Subject<'a>>,
    /// It carried too little to be called a transfer.
    pub is_short: bool,
    /// What limited it is named: no change would take that away.
    pub is_limit_named: bool,
    /// What is wrong with one connection all the same, though it took little of the capture's time.
    pub aside: Option<Aside<'a>>,
}

/// One connection of a capture in which nothing is wrong otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Aside<'a> {
    /// The connection.
    pub connection: &'a Connection,
    /// What it lost, nanoseconds.
    pub nanos: i64,
}

impl<'a> Aside<'a> {
    pub(super) fn of(connection: &'a Connection) -> Option<Self> {
        Concern::decide(connection).map(|concern| Self { connection, nanos: concern.answer.nanos })
    }
}

/// What to change.
#[derive(Clone, Copy, Debug)]
pub enum Fix<'a> {
    /// About the only connection.
    Connection(&'a Connection, Advice<'a>),
    /// About a problem.
    Problem(&'a Problem, ProblemAdvice<'a>),
    /// Nothing is wrong, and this connection is worth reading.
    Look(Aside<'a>),
    /// Nothing is wrong.
    Nothing,
    /// Nothing about the time of the connection; the line says how it ended instead.
    Ended(&'a Connection, &'a Finding),
}

impl<'a> Fix<'a> {
    /// Whether it proposes a change.
    pub const fn is_change(&self) -> bool {
        match self {
            Self::Connection(_, advice) => advice.is_change(),
            Self::Problem(_, advice) => advice.is_change(),
            Self::Look(_) | Self::Nothing | Self::Ended(..) => false,
        }
    }

    /// How ready it is, for the connection between `ends`; `None` where there is nothing to do.
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

    /// The change that it prints.
    fn change(&self) -> Option<Remedy<'a>> {
        match *self {
            Self::Connection(_, Advice::Change(remedy)) | Self::Problem(_, ProblemAdvice::Change(remedy)) => {
                Some(remedy)
            }
            _ => None,
        }
    }

    /// The fix of a finding, and the connection that shows its cause.
    pub fn remedy(&self) -> Option<(Remedy<'a>, &'a Connection)> {
        match self {
            Self::Connection(connection, advice) => Some((advice.remedy()?, connection)),
            Self::Problem(problem, advice) => Some((advice.remedy()?, &problem.example)),
            Self::Look(_) | Self::Nothing | Self::Ended(..) => None,
        }
    }
}

impl<'a> FailedUnsent<'a> {
    /// How `connection` failed; `None` where it carried data or did not fail.
    pub(super) fn of(connection: &'a Connection) -> Option<Self> {
        let (failure, finding) = Failure::of(connection, connection.server())?;
        let severity = finding.map_or(Severity::Warning, |finding| finding.severity);
        connection.halves.is_empty().then_some(Self { failure, finding, severity })
    }

    /// What to change about it.
    pub(super) fn advice(&self) -> Advice<'a> {
        let remedy = self.finding.and_then(|finding| Remedy::by(finding, None));
        remedy.map_or(Advice::None(NoChange::NotShown), Advice::Change)
    }
}

impl<'a> AllClear<'a> {
    pub(super) fn of(subject: Option<Subject<'a>>, probes: Option<&'a Problem>, aside: Option<Aside<'a>>) -> Self {
        let half = subject.map(|subject| subject.half);
        // What a change could take away would contradict that nothing is wrong.
        let is_usual = |cause: Cause| !cause.is_removable() && cause.limit != Limit::Application;
        let is_named = |half: &HalfConnection| half.verdict.cause.is_some_and(is_usual);
        let is_short = half.is_some_and(|half| half.bytes < SHORT_TRANSFER);
        Self { probes, subject, is_short, is_limit_named: half.is_some_and(is_named), aside }
    }
}
