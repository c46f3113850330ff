//! Choices that decide about each line.

use super::choice::{List, Question, choice};
use super::explanation::Explanation;
use super::facts::{Facts, Only};
use super::first_lines::{AllClear, Fix, Why};
use super::problem_advice::ProblemAdvice;

/// Question for the second line.
pub(super) struct OfWhy;

impl Question for OfWhy {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Why<'a>;
}

/// Choices in the order in which they are tried. The last always applies.
pub(super) const WHY: &List<OfWhy> =
    &[&ClockWrong, &ConnectionExplained, &FailureUnsent, &ProblemNamed, &ConcernNamed, &NothingWrong];

choice! {
    /// A wrong clock leaves nothing to explain.
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
    /// The most severe problem.
    ProblemNamed of OfWhy, ProblemNamed:
    |facts| facts.problem.map(Why::Problem)
}

choice! {
    /// There is no problem, but a concern about a connection.
    ConcernNamed of OfWhy, ConcernNamed:
    |facts| facts.worst.map(|worst| worst.why())
}

choice! {
    /// There is no concern.
    NothingWrong of OfWhy, NothingWrong:
    |facts| Some(Why::AllClear(AllClear::of(facts.subject, facts.probes, facts.aside)))
}

/// Question for the third line.
pub(super) struct OfFix;

impl Question for OfFix {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Fix<'a>;
}

/// Choices in the order in which they are tried. None is tried if the clock is wrong.
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
    /// If no change affects the time, the line reports the end of the connection.
    EndInsteadOfFix of OfFix, EndInsteadOfFix:
    |facts| {
        let Only { subject, explanation, advice } = facts.only?;
        let is_told = advice.answer.is_change() || matches!(explanation.answer, Explanation::Failed(..));
        subject.connection.failure().filter(|_| !is_told).map(|finding| Fix::Ended(subject.connection, finding))
    }
}

choice! {
    /// Advice about the only connection.
    ConnectionAdvised of OfFix, ConnectionAdvised:
    |facts| facts.only.map(|only| Fix::Connection(only.subject.connection, only.advice.answer))
}

choice! {
    /// Advice about the only connection, which failed before anybody sent data.
    FailureAdvised of OfFix, FailureAdvised:
    |facts| facts.failed.map(|(connection, failed)| Fix::Connection(connection, failed.advice()))
}

choice! {
    /// Advice about the most severe problem.
    ProblemAdvised of OfFix, ProblemAdvised:
    |facts| facts.problem.map(|problem| Fix::Problem(problem, ProblemAdvice::of(problem)))
}

choice! {
    /// Advice about the connection with the concern.
    ConcernAdvised of OfFix, ConcernAdvised:
    |facts| facts.worst.map(|worst| Fix::Connection(worst.connection(), worst.advice()))
}

choice! {
    /// One connection is reported next to the all-clear.
    WorthALook of OfFix, WorthALook:
    |facts| facts.aside.map(Fix::Look)
}

choice! {
    /// Nothing is wrong.
    NothingToChange of OfFix, NothingToChange:
    |_| Some(Fix::Nothing)
}
