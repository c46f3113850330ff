//! Advice about a problem of many connections.

use std::net::IpAddr;

use super::choice::{Decided, List, Question, choice, first};
use super::ground::Ground;
use super::remedy::Remedy;
use crate::problems::{Kind, Problem, Slow, Target};

/// Advice about a problem.
#[derive(Clone, Copy, Debug)]
pub enum ProblemAdvice<'a> {
    /// This client scans, so its operator should be asked.
    AskClient(IpAddr),
    /// No change, because nobody waited for these connections.
    Nothing,
    /// The server's program should be profiled. A finding may also propose a fix.
    Profile(Option<Remedy<'a>>),
    /// A change.
    Change(Remedy<'a>),
    /// The packets do not show a change, so the connections should be read one by one.
    NotShown,
}

impl<'a> ProblemAdvice<'a> {
    /// Returns the advice about `problem`, and the choice that decided.
    pub fn decide(problem: &'a Problem) -> Decided<Self> {
        // The last choice of the list always applies.
        let nothing = Decided { answer: Self::NotShown, ground: Ground::ProblemUnexplained };
        first(PROBLEM_ADVICE, &problem).unwrap_or(nothing)
    }

    /// Returns the advice about `problem`.
    pub fn of(problem: &'a Problem) -> Self {
        Self::decide(problem).answer
    }

    /// Whether the packets show a change.
    pub const fn is_known(&self) -> bool {
        !matches!(self, Self::NotShown)
    }

    /// Whether the advice proposes something.
    pub const fn is_change(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// The fix of a finding, if the advice proposes one.
    pub const fn remedy(&self) -> Option<Remedy<'a>> {
        match *self {
            Self::Profile(remedy) => remedy,
            Self::Change(remedy) => Some(remedy),
            Self::AskClient(_) | Self::Nothing | Self::NotShown => None,
        }
    }
}

/// Advice about a problem.
pub(super) struct OfProblem;

impl Question for OfProblem {
    type Facts<'a> = &'a Problem;
    type Answer<'a> = ProblemAdvice<'a>;
}

/// Choices in the order in which they are tried. The last always applies.
pub(super) const PROBLEM_ADVICE: &List<OfProblem> =
    &[&ScanningClient, &Probes, &ServiceAnswersLate, &FixOfExample, &ProblemUnexplained];

choice! {
    /// Only the client's operator knows whether a scan is intended.
    ScanningClient of OfProblem, ScanningClient:
    |&problem| match problem.key.target {
        Target::Scan { client, .. } => Some(ProblemAdvice::AskClient(client)),
        _ => None,
    }
}

choice! {
    /// A client that probes needs no fix, and no port should be opened for it.
    Probes of OfProblem, Probes:
    |&problem| problem.key.is_probes().then_some(ProblemAdvice::Nothing)
}

choice! {
    /// The problem is the server's time.
    ServiceAnswersLate of OfProblem, ServiceAnswersLate:
    |&problem| {
        let is_late = problem.key.kind == Kind::Slow(Slow::Server);
        is_late.then(|| ProblemAdvice::Profile(Remedy::of_problem(problem)))
    }
}

choice! {
    /// The connection that shows the problem best proposes a change.
    FixOfExample of OfProblem, FixOfExample:
    |&problem| Remedy::of_problem(problem).map(ProblemAdvice::Change)
}

choice! {
    /// Nothing proposes a change.
    ProblemUnexplained of OfProblem, ProblemUnexplained:
    |_| Some(ProblemAdvice::NotShown)
}
