//! What an answer is made of.

use super::advice::Advice;
use super::choice::Decided;
use super::clock::{CLOCK_RULE, ClockDoubt};
use super::explanation::Explanation;
use super::first_lines::{FailedUnsent, Head};
use super::ground::Ground;
use super::leads::Leads;
use super::subject::Subject;
use super::totals::Totals;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::Problem;

/// The only connection, what explains it and what to change about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Only<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) explanation: Decided<Explanation<'a>>,
    pub(super) advice: Decided<Advice<'a>>,
}

/// What an answer is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    pub(super) head: Head<'a>,
    pub(super) subject: Option<Subject<'a>>,
    /// The only connection, if there is one that carried data.
    pub(super) only: Option<Only<'a>>,
    /// The only connection, if it failed and carried nothing.
    pub(super) failed: Option<(&'a Connection, FailedUnsent<'a>)>,
    /// The gravest problem, where there are several connections.
    pub(super) problem: Option<&'a Problem>,
    /// The first of what nobody waited for.
    pub(super) probes: Option<&'a Problem>,
    pub(super) clock: Option<ClockDoubt>,
    /// What all connections carried together.
    pub(super) totals: Totals,
}

impl<'a> Only<'a> {
    fn of(subject: Subject<'a>) -> Self {
        let explanation = Explanation::decide(&subject);
        Self { subject, explanation, advice: Advice::decide(&subject, &explanation.answer) }
    }
}

impl<'a> Facts<'a> {
    pub(super) fn of_capture(leads: &'a Leads, problems: &'a [Problem]) -> Self {
        let totals = leads.totals();
        let subject = Subject::of(leads, problems);
        let only = subject.filter(|subject| subject.is_only).map(Only::of);
        let head = match (leads.connections(), only) {
            (0, _) => Head::NoConnections,
            (_, Some(only)) => Head::One(only.subject),
            (1, None) if subject.is_none() => leads.dataless().map_or(Head::Many(totals), Head::OneWithoutData),
            _ => Head::Many(totals),
        };
        let problem = leads.gravest(problems).filter(|_| only.is_none());
        let probes = problems.iter().find(|problem| problem.key.is_probes());
        Self { head, subject, only, failed: failed(head), problem, probes, clock: leads.clock(), totals }
    }

    pub(super) fn of_connection(connection: &'a Connection) -> Self {
        let subject = Subject::of_connection(connection);
        let only = subject.map(Only::of);
        let head = only.map_or(Head::OneWithoutData(connection), |only| Head::One(only.subject));
        let is_contradicted = connection.findings.iter().any(|finding| finding.rule == CLOCK_RULE);
        let clock = ClockDoubt::new(u64::from(is_contradicted), 1);
        let totals = Totals::of(connection);
        Self { head, subject, only, failed: failed(head), problem: None, probes: None, clock, totals }
    }

    pub(super) fn of_problem(problem: &'a Problem, totals: Totals) -> Self {
        let subject = Subject::of_problem(problem);
        Self { head: Head::Problem, subject, only: None, failed: None, problem: Some(problem), probes: None, clock: None, totals }
    }

    pub(super) fn of_direction(connection: &'a Connection, half: &'a HalfConnection) -> Self {
        let subject = Subject::of_half(connection, half);
        let explanation = Decided { answer: Explanation::Limited, ground: Ground::NoRequests };
        let only = Only { subject, explanation, advice: Advice::decide(&subject, &explanation.answer) };
        let totals = Totals::of(connection);
        let head = Head::One(subject);
        Self { head, subject: Some(subject), only: Some(only), failed: None, problem: None, probes: None, clock: None, totals }
    }

    /// The clock is wrong for all connections.
    pub(super) fn wrong_clock(&self) -> Option<ClockDoubt> {
        self.clock.filter(|clock| clock.is_total)
    }
}

fn failed<'a>(head: Head<'a>) -> Option<(&'a Connection, FailedUnsent<'a>)> {
    match head {
        Head::OneWithoutData(connection) => Some((connection, FailedUnsent::of(connection)?)),
        Head::NoConnections | Head::One(_) | Head::Many(_) | Head::Problem => None,
    }
}
