//! The answer as one value, for whatever is asked about.

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

/// What held something back, what that cost, on what evidence, and what to change. All that prints an answer
/// prints this one.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    facts: Facts<'a>,
    why: Option<Decided<Why<'a>>>,
    fix: Option<Decided<Fix<'a>>>,
}

impl<'a> Answer<'a> {
    /// About the capture whose connections `leads` counted, with its ranked `problems`.
    pub fn of_capture(leads: &'a Leads, problems: &'a [Problem], across: &'a [Finding]) -> Self {
        Self::of(&Facts::of_capture(leads, problems, across))
    }

    /// About `connection`, as if there were no other.
    pub fn of_connection(connection: &'a Connection) -> Self {
        Self::of(&Facts::of_connection(connection))
    }

    /// About `problem` of a capture whose connections are `totals`.
    pub fn of_problem(problem: &'a Problem, totals: Totals) -> Self {
        Self::of(&Facts::of_problem(problem, totals))
    }

    /// About one direction of `connection`, whoever took the time of its requests.
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

    /// Who sent what.
    pub const fn head(&self) -> Head<'a> {
        self.facts.head
    }

    /// The connection that is spoken of; `None` where none carried data.
    pub fn subject(&self) -> Option<Subject<'a>> {
        let worst = self.facts.worst.and_then(|worst| worst.only());
        worst.map(|only| only.subject).or(self.facts.subject)
    }

    /// Why it took so long; `None` where there are no connections.
    pub fn why(&self) -> Option<Why<'a>> {
        self.why.map(|why| why.answer)
    }

    /// What kind of answer that is.
    pub fn kind(&self) -> AnswerKind {
        self.why().map_or(AnswerKind::Nothing, |why| AnswerKind::of(&why))
    }

    /// How it ended; `None` for several connections.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.facts.head {
            Head::One(subject) => Some(Outcome::of(subject.connection)),
            Head::OneWithoutData(connection) => Some(Outcome::of(connection)),
            Head::NoConnections | Head::Many(_) | Head::Problem => None,
        }
    }

    /// What it cost; `None` where no time is known.
    pub fn cost(&self) -> Option<Cost> {
        Cost::of(&self.why()?, self.facts.totals)
    }

    /// The only connection, what explains it, and what to change about it; `None` where there are several.
    pub fn only(&self) -> Option<(Subject<'a>, Explanation<'a>, Advice<'a>)> {
        self.facts.only.map(|only| (only.subject, only.explanation.answer, only.advice.answer))
    }

    /// Whose data it is about; `None` where it is about no direction of one connection.
    pub fn sender(&self) -> Option<Side> {
        self.only().map(|(subject, ..)| subject.half.sender)
    }

    /// What it was not, by which numbers.
    pub fn exclusions(&self) -> Vec<Exclusion> {
        self.only().map_or_else(Vec::new, |(subject, explanation, _)| exclusions(&subject, &explanation))
    }

    /// Causes that the packets do not exclude, longest first.
    pub fn rivals(&self) -> Vec<Rival> {
        self.limited().map_or_else(Vec::new, rivals)
    }

    /// What to change; `None` where the clock is wrong, and where there are no connections.
    pub fn fix(&self) -> Option<Fix<'a>> {
        self.fix.map(|fix| fix.answer)
    }

    /// What the change brings, and how long the direction takes now, seconds; `None` where that is not known.
    pub fn prediction(&self) -> Option<(&'a Prediction, f64)> {
        self.fix()?.remedy()?.0.gain
    }

    /// How much it matters; `None` where nothing is wrong.
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

    /// How often such an answer is right, from 0 to 1; `None` where that was not measured.
    pub fn confidence(&self) -> Option<f64> {
        confidence::of(&self.why()?, self.fix().as_ref())
    }

    /// The direction that a limit explains.
    fn limited(&self) -> Option<&'a HalfConnection> {
        let (subject, explanation, _) = self.only()?;
        explanation.is_limit().then_some(subject.half)
    }

    /// Some connections contradict the capture's clock, which is said besides; `None` where none does, or the
    /// second line says it.
    pub fn clock(&self) -> Option<ClockDoubt> {
        self.facts.clock.filter(|clock| !clock.is_total && self.why.is_some())
    }

    /// What decided, part by part: connection and direction, explanation and advice, lines.
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
