//! What to change about a problem of many connections.

use std::net::IpAddr;

use super::choice::{Decided, List, Question, choice, first};
use super::ground::Ground;
use super::remedy::Remedy;
use crate::problems::{Kind, Problem, Slow, Target};

/// What to change about a problem.
#[derive(Clone, Copy, Debug)]
pub enum ProblemAdvice<'a> {
    /// This client scans: ask whoever runs it.
    AskClient(IpAddr),
    /// Nothing: nobody waited for these connections.
    Nothing,
    /// The server's program should be profiled; a finding may propose a fix as well.
    Profile(Option<Remedy<'a>>),
    /// This.
    Change(Remedy<'a>),
    /// The packets do not show it: its connections should be looked at.
    NotShown,
}

impl<'a> ProblemAdvice<'a> {
    /// What to change about `problem`, and which choice decided.
    pub fn decide(problem: &'a Problem) -> Decided<Self> {
        // The last of the list always holds.
        let nothing = Decided { answer: Self::NotShown, ground: Ground::ProblemUnexplained };
        first(PROBLEM_ADVICE, &problem).unwrap_or(nothing)
    }

    /// What to change about `problem`.
    pub fn of(problem: &'a Problem) -> Self {
        Self::decide(problem).answer
    }

    /// Whether the packets show what to do.
    pub const fn is_known(&self) -> bool {
        !matches!(self, Self::NotShown)
    }

    /// Whether it proposes something.
    pub const fn is_change(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// The fix of a finding, where that is what it proposes.
    pub const fn remedy(&self) -> Option<Remedy<'a>> {
        match *self {
            Self::Profile(remedy) => remedy,
            Self::Change(remedy) => Some(remedy),
            Self::AskClient(_) | Self::Nothing | Self::NotShown => None,
        }
    }
}

/// What to change about a problem.
pub(super) struct OfProblem;

impl Question for OfProblem {
    type Facts<'a> = &'a Problem;
    type Answer<'a> = ProblemAdvice<'a>;
}

/// Asked in this order. The last always holds.
pub(super) const PROBLEM_ADVICE: &List<OfProblem> =
    &[&ScanningClient, &Probes, &ServiceAnswersLate, &FixOfExample, &ProblemUnexplained];

choice! {
    /// Only its client knows whether a scan is intended.
    ScanningClient of OfProblem, ScanningClient:
    |&problem| match problem.key.target {
        Target::Scan { client, .. } => Some(ProblemAdvice::AskClient(client)),
        _ => None,
    }
}

choice! {
    /// Whoever probes needs nothing, and nothing is opened for them.
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
    /// The connection that shows it best says what to change.
    FixOfExample of OfProblem, FixOfExample:
    |&problem| Remedy::of_problem(problem).map(ProblemAdvice::Change)
}

choice! {
    /// Nothing proposes a change.
    ProblemUnexplained of OfProblem, ProblemUnexplained:
    |_| Some(ProblemAdvice::NotShown)
}
