//! The answer as one value, for a capture, a connection, a problem or a direction.

use tcpwhy_model::{Finding, Prediction, Severity};

use super::advice::Advice;
use super::choice::{Decided, first};
use super::clock::ClockDoubt;
use super::confidence;
use super::cost::Cost;
use super::exclusion::{Exclusion, exclusions};
use super::explanation::Explanation;
use super::facts::Facts;
use super::first_lines::{Fix, Head, Why};
use super::ground::Ground;
use super::kind::AnswerKind;
use super::leads::Leads;
use super::lines::{FIX, WHY};
use super::outcome::Outcome;
use super::problem_advice::ProblemAdvice;
use super::rival::{Rival, rivals};
use super::subject::Subject;
use super::totals::Totals;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::Problem;
use crate::side::Side;

/// A limit, its cost, the evidence and the advice. Every output of an answer prints this one.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    facts: Facts<'a>,
    why: Option<Decided<Why<'a>>>,
    fix: Option<Decided<Fix<'a>>>,
}

impl<'a> Answer<'a> {
    /// Returns the answer about the capture whose connections `leads` counted, with its ranked `problems`.
    pub fn of_capture(leads: &'a Leads, problems: &'a [Problem], across: &'a [Finding]) -> Self {
        Self::of(&Facts::of_capture(leads, problems, across))
    }

    /// Returns the answer about `connection`, as if there were no other.
    pub fn of_connection(connection: &'a Connection) -> Self {
        Self::of(&Facts::of_connection(connection))
    }

    /// Returns the answer about `problem` of a capture whose connections are `totals`.
    pub fn of_problem(problem: &'a Problem, totals: Totals) -> Self {
        Self::of(&Facts::of_problem(problem, totals))
    }

    /// Returns the answer about one direction of `connection`, whichever party took the time of its requests.
    pub fn of_direction(connection: &'a Connection, half: &'a HalfConnection) -> Self {
        Self::of(&Facts::of_direction(connection, half))
    }

    fn of(facts: &Facts<'a>) -> Self {
        if matches!(facts.head, Head::NoConnections) {
            return Self { facts: *facts, why: None, fix: None };
        }
        let fix = facts.wrong_clock().map_or_else(|| first(FIX, facts), |_| None);
        Self { facts: *facts, why: first(WHY, facts), fix }
    }

    /// Returns the sender and amount of data.
    pub const fn head(&self) -> Head<'a> {
        self.facts.head
    }

    /// Returns the reported connection; `None` if none carried data.
    pub fn subject(&self) -> Option<Subject<'a>> {
        let worst = self.facts.worst.and_then(|worst| worst.only());
        worst.map(|only| only.subject).or(self.facts.subject)
    }

    /// Returns the reason for the lost time; `None` if there are no connections.
    pub fn why(&self) -> Option<Why<'a>> {
        self.why.map(|why| why.answer)
    }

    /// Returns the kind of the answer.
    pub fn kind(&self) -> AnswerKind {
        self.why().map_or(AnswerKind::Nothing, |why| AnswerKind::of(&why))
    }

    /// Returns the outcome of the connection; `None` for several connections.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.facts.head {
            Head::One(subject) => Some(Outcome::of(subject.connection)),
            Head::OneWithoutData(connection) => Some(Outcome::of(connection)),
            Head::NoConnections | Head::Many(_) | Head::Problem => None,
        }
    }

    /// Returns the cost; `None` if no time is known.
    pub fn cost(&self) -> Option<Cost> {
        Cost::of(&self.why()?, self.facts.totals)
    }

    /// Returns the only connection, its explanation and the advice; `None` if there are several connections.
    pub fn only(&self) -> Option<(Subject<'a>, Explanation<'a>, Advice<'a>)> {
        self.facts.only.map(|only| (only.subject, only.explanation.answer, only.advice.answer))
    }

    /// Returns the sender of the reported direction; `None` if the answer is not about one direction.
    pub fn sender(&self) -> Option<Side> {
        self.only().map(|(subject, ..)| subject.half.sender)
    }

    /// Returns the excluded limits, with their numbers.
    pub fn exclusions(&self) -> Vec<Exclusion> {
        self.only().map_or_else(Vec::new, |(subject, explanation, _)| exclusions(&subject, &explanation))
    }

    /// Returns the causes that the packets do not exclude, longest first.
    pub fn rivals(&self) -> Vec<Rival> {
        self.limited().map_or_else(Vec::new, rivals)
    }

    /// Returns the fix; `None` if the clock is wrong or there are no connections.
    pub fn fix(&self) -> Option<Fix<'a>> {
        self.fix.map(|fix| fix.answer)
    }

    /// Returns the predicted gain and the present duration of the direction in seconds; `None` if unknown.
    pub fn prediction(&self) -> Option<(&'a Prediction, f64)> {
        self.fix()?.remedy()?.0.gain
    }

    /// Returns the severity; `None` if nothing is wrong.
    pub fn severity(&self) -> Option<Severity> {
        match self.why()? {
            Why::ClockWrong(_) => Some(Severity::Warning),
            Why::Explained(Subject { trouble: Some(trouble), .. }, _) => Some(trouble.severity),
            Why::Explained(subject, _) => subject.half.verdict.severity,
            Why::FailedUnsent(_, failed) => Some(failed.severity),
            Why::Noticed(_, finding) | Why::Across(_, finding) => Some(finding.severity),
            Why::Problem(problem) => Some(problem.severity),
            Why::AllClear(_) => None,
        }
    }

    /// Returns the rate of right answers of this kind, from 0 to 1; `None` if it was not measured.
    pub fn confidence(&self) -> Option<f64> {
        confidence::of(&self.why()?, self.fix().as_ref())
    }

    /// Returns the direction, if a limit explains its time.
    fn limited(&self) -> Option<&'a HalfConnection> {
        let (subject, explanation, _) = self.only()?;
        explanation.is_limit().then_some(subject.half)
    }

    /// Returns the doubt about the capture's clock that is reported in addition; `None` if there is none, or
    /// if the second line reports it.
    pub fn clock(&self) -> Option<ClockDoubt> {
        self.facts.clock.filter(|clock| !clock.is_total && self.why.is_some())
    }

    /// Returns the deciding choices, part by part: connection and direction, explanation and advice, lines.
    pub fn grounds(&self) -> Vec<Ground> {
        let of_subject = self.subject().into_iter().flat_map(|subject| subject.grounds);
        let of_only = self
            .facts
            .only
            .or(self.facts.worst.and_then(|worst| worst.only()))
            .into_iter()
            .flat_map(|only| [only.explanation.ground, only.advice.ground]);
        let of_problem = match self.fix() {
            Some(Fix::Problem(problem, _)) => Some(ProblemAdvice::decide(problem).ground),
            _ => None,
        };
        let of_lines = [self.why.map(|why| why.ground), self.fix.map(|fix| fix.ground)];
        of_subject.chain(of_only).chain(of_problem).chain(of_lines.into_iter().flatten()).collect()
    }
}

#[cfg(test)]
mod terms;
