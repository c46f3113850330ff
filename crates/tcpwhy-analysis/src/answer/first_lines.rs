//! What each of the first lines says.

use tcpwhy_model::{Cause, Finding, Limit};

use super::advice::Advice;
use super::choice::{Decided, List, Question, choice, first};
use super::clock::ClockDoubt;
use super::explanation::Explanation;
use super::ground::Ground;
use super::leads::Leads;
use super::problem_advice::ProblemAdvice;
use super::remedy::Remedy;
use super::subject::Subject;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::Problem;
use crate::thresholds::SHORT_TRANSFER;

/// The first lines: who, why, what to change, and what besides.
#[derive(Clone, Debug)]
pub struct FirstLines<'a> {
    facts: Facts<'a>,
    why: Option<Decided<Why<'a>>>,
    fix: Option<Decided<Fix<'a>>>,
}

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
    Many,
}

/// Why it took so long.
#[derive(Clone, Copy, Debug)]
pub enum Why<'a> {
    /// Nobody knows: the capture's clock is wrong.
    ClockWrong(ClockDoubt),
    /// This explains the only connection.
    Explained(Subject<'a>, Explanation<'a>),
    /// This problem.
    Problem(&'a Problem),
    /// Nothing is wrong.
    AllClear(AllClear<'a>),
}

/// That nothing is wrong, and how the largest connection went.
#[derive(Clone, Copy, Debug)]
pub struct AllClear<'a> {
    /// The largest connection; `None` where none carried data.
    pub subject: Option<Subject<'a>>,
    /// It carried too little to be called a transfer.
    pub is_short: bool,
    /// What limited it is named: no change would take that away.
    pub is_limit_named: bool,
}

/// What to change.
#[derive(Clone, Copy, Debug)]
pub enum Fix<'a> {
    /// About the only connection.
    Connection(Subject<'a>, Advice<'a>),
    /// About a problem.
    Problem(&'a Problem, ProblemAdvice<'a>),
    /// Nothing is wrong.
    Nothing,
    /// Nothing about the time of the connection; the line says how it ended instead.
    Ended(Subject<'a>, &'a Finding),
}

/// The only connection, what explains it and what to change about it.
#[derive(Clone, Copy, Debug)]
struct Only<'a> {
    subject: Subject<'a>,
    explanation: Decided<Explanation<'a>>,
    advice: Decided<Advice<'a>>,
}

/// What the lines are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    head: Head<'a>,
    subject: Option<Subject<'a>>,
    /// The only connection, if there is one.
    only: Option<Only<'a>>,
    /// The gravest problem, where there are several connections.
    problem: Option<&'a Problem>,
    clock: Option<ClockDoubt>,
}

impl<'a> Facts<'a> {
    fn of(leads: &'a Leads, problems: &'a [Problem]) -> Self {
        let subject = Subject::of(leads, problems);
        let only = subject.filter(|subject| subject.is_only).map(|subject| {
            let explanation = Explanation::decide(&subject);
            Only { subject, explanation, advice: Advice::decide(&subject, &explanation.answer) }
        });
        let head = match (leads.connections(), only) {
            (0, _) => Head::NoConnections,
            (_, Some(only)) => Head::One(only.subject),
            (1, None) if subject.is_none() => leads.dataless().map_or(Head::Many, Head::OneWithoutData),
            _ => Head::Many,
        };
        let problem = problems.first().filter(|_| only.is_none());
        Self { head, subject, only, problem, clock: leads.clock() }
    }

    /// The clock is wrong for all connections.
    fn wrong_clock(&self) -> Option<ClockDoubt> {
        self.clock.filter(|clock| clock.is_total)
    }
}

impl<'a> FirstLines<'a> {
    /// The lines about the connections that `leads` counted and their ranked `problems`.
    pub fn of(leads: &'a Leads, problems: &'a [Problem]) -> Self {
        let facts = Facts::of(leads, problems);
        if matches!(facts.head, Head::NoConnections) {
            return Self { facts, why: None, fix: None };
        }
        let fix = facts.wrong_clock().map_or_else(|| first(FIX, &facts), |_| None);
        Self { facts, why: first(WHY, &facts), fix }
    }

    /// Who sent what.
    pub const fn head(&self) -> Head<'a> {
        self.facts.head
    }

    /// The connection that is spoken of; `None` where none carried data.
    pub const fn subject(&self) -> Option<Subject<'a>> {
        self.facts.subject
    }

    /// Why it took so long; `None` where there are no connections.
    pub fn why(&self) -> Option<Why<'a>> {
        self.why.map(|why| why.answer)
    }

    /// The only connection, what explains it, and what to change about it; `None` where there are several.
    pub fn only(&self) -> Option<(Subject<'a>, Explanation<'a>, Advice<'a>)> {
        self.facts.only.map(|only| (only.subject, only.explanation.answer, only.advice.answer))
    }

    /// What to change; `None` where the clock is wrong, and where there are no connections.
    pub fn fix(&self) -> Option<Fix<'a>> {
        self.fix.map(|fix| fix.answer)
    }

    /// Some connections contradict the capture's clock, which is said besides; `None` where none does, or the
    /// second line says it.
    pub fn clock(&self) -> Option<ClockDoubt> {
        self.facts.clock.filter(|clock| !clock.is_total && self.why.is_some())
    }

    /// What decided, part by part: connection and direction, explanation and advice, lines.
    pub fn grounds(&self) -> Vec<Ground> {
        let of_subject = self.facts.subject.into_iter().flat_map(|subject| subject.grounds);
        let of_only = self.facts.only.into_iter().flat_map(|only| [only.explanation.ground, only.advice.ground]);
        let of_problem = match self.fix() {
            Some(Fix::Problem(problem, _)) => Some(ProblemAdvice::decide(problem).ground),
            _ => None,
        };
        let of_lines = [self.why.map(|why| why.ground), self.fix.map(|fix| fix.ground)];
        of_subject.chain(of_only).chain(of_problem).chain(of_lines.into_iter().flatten()).collect()
    }
}

impl<'a> Fix<'a> {
    /// Whether it proposes a change.
    pub const fn is_change(&self) -> bool {
        match self {
            Self::Connection(_, advice) => advice.is_change(),
            Self::Problem(..) => true,
            Self::Nothing | Self::Ended(..) => false,
        }
    }

    /// The fix of a finding, and the connection that shows its cause.
    pub fn remedy(&self) -> Option<(Remedy<'a>, &'a Connection)> {
        match self {
            Self::Connection(subject, advice) => Some((advice.remedy()?, subject.connection)),
            Self::Problem(problem, advice) => Some((advice.remedy()?, &problem.example)),
            Self::Nothing | Self::Ended(..) => None,
        }
    }
}

impl<'a> AllClear<'a> {
    fn of(subject: Option<Subject<'a>>) -> Self {
        let half = subject.map(|subject| subject.half);
        // What a change could take away would contradict that nothing is wrong.
        let is_usual = |cause: Cause| !cause.is_removable() && cause.limit != Limit::Application;
        let is_named = |half: &HalfConnection| half.verdict.cause.is_some_and(is_usual);
        let is_short = half.is_some_and(|half| half.bytes < SHORT_TRANSFER);
        Self { subject, is_short, is_limit_named: half.is_some_and(is_named) }
    }
}

/// What the second line says.
pub(super) struct OfWhy;

impl Question for OfWhy {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Why<'a>;
}

/// Asked in this order. The last always holds.
pub(super) const WHY: &List<OfWhy> = &[&ClockWrong, &ConnectionExplained, &ProblemNamed, &NothingWrong];

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
    /// The gravest problem.
    ProblemNamed of OfWhy, ProblemNamed:
    |facts| facts.problem.map(Why::Problem)
}

choice! {
    /// There is none.
    NothingWrong of OfWhy, NothingWrong:
    |facts| Some(Why::AllClear(AllClear::of(facts.subject)))
}

/// What the third line says.
pub(super) struct OfFix;

impl Question for OfFix {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Fix<'a>;
}

/// Asked in this order. None is asked where the clock is wrong.
pub(super) const FIX: &List<OfFix> = &[&EndInsteadOfFix, &ConnectionAdvised, &ProblemAdvised, &NothingToChange];

choice! {
    /// Where there is nothing to change about the time, how it ended comes before that.
    EndInsteadOfFix of OfFix, EndInsteadOfFix:
    |facts| {
        let Only { subject, explanation, advice } = facts.only?;
        let is_told = advice.answer.is_change() || matches!(explanation.answer, Explanation::Failed(..));
        subject.connection.failure().filter(|_| !is_told).map(|finding| Fix::Ended(subject, finding))
    }
}

choice! {
    /// About the only connection.
    ConnectionAdvised of OfFix, ConnectionAdvised:
    |facts| facts.only.map(|only| Fix::Connection(only.subject, only.advice.answer))
}

choice! {
    /// About the gravest problem.
    ProblemAdvised of OfFix, ProblemAdvised:
    |facts| facts.problem.map(|problem| Fix::Problem(problem, ProblemAdvice::of(problem)))
}

choice! {
    /// Nothing is wrong.
    NothingToChange of OfFix, NothingToChange:
    |_| Some(Fix::Nothing)
}
