//! Which choice decides about each line.

use super::choice::{List, Question, choice};
use super::explanation::Explanation;
use super::facts::{Facts, Only};
use super::first_lines::{AllClear, Fix, Why};
use super::problem_advice::ProblemAdvice;

/// What the second line says.
pub(super) struct OfWhy;

impl Question for OfWhy {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Why<'a>;
}

/// Asked in this order. The last always holds.
pub(super) const WHY: &List<OfWhy> =
    &[&ClockWrong, &ConnectionExplained, &FailureUnsent, &ProblemNamed, &ConcernNamed, &NothingWrong];

choice! {
    /// Without a clock that is right nothing is explained.
    ClockWrong of OfWhy, ClockWrong:
    |facts| facts.wrong_clock().map(Why::ClockWrong)
}

choice! {
    /// The only connection.
    ConnectionExplained of OfWhy, ConnectionExplained:
    |facts| facts.only.map(|only| Why::Explained(only.subject, only.explanation.answer))
}

choice! {
    /// The only connection failed before anybody sent data.
    FailureUnsent of OfWhy, FailureUnsent:
    |facts| facts.failed.map(|(connection, failed)| Why::FailedUnsent(connection, failed))
}

choice! {
    /// The gravest problem.
    ProblemNamed of OfWhy, ProblemNamed:
    |facts| facts.problem.map(Why::Problem)
}

choice! {
    /// No problem, and yet something is wrong with a connection.
    ConcernNamed of OfWhy, ConcernNamed:
    |facts| facts.worst.map(|worst| worst.why())
}

choice! {
    /// There is none.
    NothingWrong of OfWhy, NothingWrong:
    |facts| Some(Why::AllClear(AllClear::of(facts.subject, facts.probes, facts.aside)))
}

/// What the third line says.
pub(super) struct OfFix;

impl Question for OfFix {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Fix<'a>;
}

/// Asked in this order. None is asked where the clock is wrong.
pub(super) const FIX: &List<OfFix> = &[
    &EndInsteadOfFix,
    &ConnectionAdvised,
    &FailureAdvised,
    &ProblemAdvised,
    &ConcernAdvised,
    &WorthALook,
    &NothingToChange,
];

choice! {
    /// Where there is nothing to change about the time, how it ended comes before that.
    EndInsteadOfFix of OfFix, EndInsteadOfFix:
    |facts| {
        let Only { subject, explanation, advice } = facts.only?;
        let is_told = advice.answer.is_change() || matches!(explanation.answer, Explanation::Failed(..));
        subject.connection.failure().filter(|_| !is_told).map(|finding| Fix::Ended(subject.connection, finding))
    }
}

choice! {
    /// About the only connection.
    ConnectionAdvised of OfFix, ConnectionAdvised:
    |facts| facts.only.map(|only| Fix::Connection(only.subject.connection, only.advice.answer))
}

choice! {
    /// About the only connection, which failed before anybody sent data.
    FailureAdvised of OfFix, FailureAdvised:
    |facts| facts.failed.map(|(connection, failed)| Fix::Connection(connection, failed.advice()))
}

choice! {
    /// About the gravest problem.
    ProblemAdvised of OfFix, ProblemAdvised:
    |facts| facts.problem.map(|problem| Fix::Problem(problem, ProblemAdvice::of(problem)))
}

choice! {
    /// About that connection.
    ConcernAdvised of OfFix, ConcernAdvised:
    |facts| facts.worst.map(|worst| Fix::Connection(worst.connection(), worst.advice()))
}

choice! {
    /// One connection, beside the all-clear.
    WorthALook of OfFix, WorthALook:
    |facts| facts.aside.map(Fix::Look)
}

choice! {
    /// Nothing is wrong.
    NothingToChange of OfFix, NothingToChange:
    |_| Some(Fix::Nothing)
}
