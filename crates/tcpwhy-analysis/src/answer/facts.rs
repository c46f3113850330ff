//! Facts that an answer consists of.

use tcpwhy_model::{EvidenceKey, Finding, Value};

use super::advice::{Advice, NoChange};
use super::choice::Decided;
use super::clock::{CLOCK_RULE, ClockDoubt};
use super::concern::Concern;
use super::explanation::Explanation;
use super::first_lines::{Aside, FailedUnsent, Head, Why};
use super::ground::Ground;
use super::leads::Leads;
use super::remedy::Remedy;
use super::subject::Subject;
use super::totals::Totals;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::Problem;
use crate::thresholds::WORTH_PROFILING;

/// The only connection, its explanation, and the advice about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Only<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) explanation: Decided<Explanation<'a>>,
    pub(super) advice: Decided<Advice<'a>>,
}

/// The connection with the largest concern, if there is no problem.
#[derive(Clone, Copy, Debug)]
pub(super) enum Worst<'a> {
    /// A finding about the connection as a whole.
    Noticed(&'a Connection, &'a Finding),
    /// A finding about all connections between the same ends.
    Across(&'a Connection, &'a Finding),
    /// The explanation of the connection's time.
    Slow(Only<'a>),
}

impl<'a> Worst<'a> {
    fn of(connection: &'a Connection) -> Option<Self> {
        let Decided { answer: concern, ground } = Concern::decide(connection)?;
        match concern.finding {
            Some(finding) => Some(Self::Noticed(connection, finding)),
            None => Subject::of_concern(connection, ground).map(Only::of).map(Self::Slow),
        }
    }

    /// Returns the finding that took most time of all connections between the ends of `connection`, if that
    /// cost enough.
    fn across(connection: &'a Connection, across: &'a [Finding]) -> Option<Self> {
        let server = connection.server();
        let is_word = |finding: &Finding, key, word: &str| {
            let value = finding.evidence.iter().find(|evidence| evidence.key == key).map(|evidence| &evidence.value);
            matches!(value, Some(Value::Word(found)) if found == word)
        };
        let [client, server] = [server.peer(), server].map(|side| connection.endpoints[side.index()]);
        let (client, server) = (client.address.to_string(), server.to_string());
        let is_between = |finding: &&Finding| {
            is_word(finding, EvidenceKey::Client, &client) && is_word(finding, EvidenceKey::Server, &server)
        };
        let nanos = |finding: &Finding| (finding.seconds.unwrap_or_default() * 1e9) as i64;
        let found = across.iter().filter(is_between).max_by_key(|finding| nanos(finding))?;
        (nanos(found) >= WORTH_PROFILING && !found.fixes.is_empty()).then_some(Self::Across(connection, found))
    }

    /// Returns the advice about the connection.
    pub(super) fn advice(&self) -> Advice<'a> {
        match self {
            Self::Noticed(_, finding) | Self::Across(_, finding) => {
                Remedy::by(finding, None).map_or(Advice::None(NoChange::NotShown), Advice::Change)
            }
            Self::Slow(only) => only.advice.answer,
        }
    }

    /// Returns the connection.
    pub(super) const fn connection(&self) -> &'a Connection {
        match self {
            Self::Noticed(connection, _) | Self::Across(connection, _) => connection,
            Self::Slow(only) => only.subject.connection,
        }
    }

    /// Returns the reason for the lost time.
    pub(super) const fn why(&self) -> Why<'a> {
        match self {
            Self::Noticed(connection, finding) => Why::Noticed(connection, finding),
            Self::Across(connection, finding) => Why::Across(connection, finding),
            Self::Slow(only) => Why::Explained(only.subject, only.explanation.answer),
        }
    }

    /// Returns the direction; `None` if the concern is about the connection as a whole.
    pub(super) const fn only(&self) -> Option<Only<'a>> {
        match self {
            Self::Noticed(..) | Self::Across(..) => None,
            Self::Slow(only) => Some(*only),
        }
    }
}

/// Facts that an answer consists of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    pub(super) head: Head<'a>,
    pub(super) subject: Option<Subject<'a>>,
    /// The only connection, if it carried data.
    pub(super) only: Option<Only<'a>>,
    /// The only connection, if it failed and carried nothing.
    pub(super) failed: Option<(&'a Connection, FailedUnsent<'a>)>,
    /// The most severe problem, if there are several connections.
    pub(super) problem: Option<&'a Problem>,
    /// The first problem of connections that nobody waited for.
    pub(super) probes: Option<&'a Problem>,
    /// The largest concern, if there are several connections and no problem.
    pub(super) worst: Option<Worst<'a>>,
    /// A concern about one connection, reported next to the all-clear.
    pub(super) aside: Option<Aside<'a>>,
    pub(super) clock: Option<ClockDoubt>,
    /// Totals of all connections.
    pub(super) totals: Totals,
}

impl<'a> Only<'a> {
    fn of(subject: Subject<'a>) -> Self {
        let explanation = Explanation::decide(&subject);
        Self { subject, explanation, advice: Advice::decide(&subject, &explanation.answer) }
    }
}

impl<'a> Facts<'a> {
    pub(super) fn of_capture(leads: &'a Leads, problems: &'a [Problem], across: &'a [Finding]) -> Self {
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
        let is_clear = only.is_none() && problem.is_none();
        let concern = leads.concerning().filter(|_| is_clear);
        let worst = concern.filter(|(_, is_much)| *is_much).and_then(|(connection, _)| Worst::of(connection));
        let worst = worst.or_else(|| Worst::across(leads.largest().filter(|_| is_clear)?, across));
        let aside = concern.filter(|_| worst.is_none()).and_then(|(connection, _)| Aside::of(connection));
        let probes = problems.iter().find(|problem| problem.key.is_probes());
        Self { head, subject, only, failed: failed(head), problem, probes, worst, aside, clock: leads.clock(), totals }
    }

    pub(super) fn of_connection(connection: &'a Connection) -> Self {
        let subject = Subject::of_connection(connection);
        let only = subject.map(Only::of);
        let head = only.map_or(Head::OneWithoutData(connection), |only| Head::One(only.subject));
        let is_contradicted = connection.findings.iter().any(|finding| finding.rule == CLOCK_RULE);
        let clock = ClockDoubt::new(u64::from(is_contradicted), 1);
        let totals = Totals::of(connection);
        Self {
            head,
            subject,
            only,
            failed: failed(head),
            problem: None,
            probes: None,
            worst: None,
            aside: None,
            clock,
            totals,
        }
    }

    pub(super) fn of_problem(problem: &'a Problem, totals: Totals) -> Self {
        let subject = Subject::of_problem(problem);
        Self {
            head: Head::Problem,
            subject,
            only: None,
            failed: None,
            problem: Some(problem),
            probes: None,
            worst: None,
            aside: None,
            clock: None,
            totals,
        }
    }

    pub(super) fn of_direction(connection: &'a Connection, half: &'a HalfConnection) -> Self {
        let subject = Subject::of_half(connection, half);
        let explanation = Decided { answer: Explanation::Limited, ground: Ground::NoRequests };
        let only = Only { subject, explanation, advice: Advice::decide(&subject, &explanation.answer) };
        let totals = Totals::of(connection);
        let head = Head::One(subject);
        Self {
            head,
            subject: Some(subject),
            only: Some(only),
            failed: None,
            problem: None,
            probes: None,
            worst: None,
            aside: None,
            clock: None,
            totals,
        }
    }

    /// Returns the doubt about the clock, if the clock is wrong for all connections.
    pub(super) fn wrong_clock(&self) -> Option<ClockDoubt> {
        self.clock.filter(|clock| clock.is_total)
    }
}

fn failed(head: Head<'_>) -> Option<(&Connection, FailedUnsent<'_>)> {
    match head {
        Head::OneWithoutData(connection) => Some((connection, FailedUnsent::of(connection)?)),
        Head::NoConnections | Head::One(_) | Head::Many(_) | Head::Problem => None,
    }
}
