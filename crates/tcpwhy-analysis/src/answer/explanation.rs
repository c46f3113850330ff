//! What explains the time of a subject.

use tcpwhy_model::Finding;

use super::choice::{Decided, List, Question, choice, first};
use super::ground::Ground;
use super::subject::Subject;
use crate::exchanges::{Exchanges, Party};
use crate::problems::{Failure, Kind, Slow};

/// What the second line explains.
#[derive(Clone, Copy, Debug)]
pub enum Explanation<'a> {
    /// The connection failed, as this reports.
    Failed(Failure, Option<&'a Finding>),
    /// Somebody took most of the time of its requests.
    Took(Party, &'a Exchanges),
    /// A limit held the direction back.
    Limited,
}

impl<'a> Explanation<'a> {
    /// What explains the time of `subject`, and which choice decided.
    pub fn decide(subject: &Subject<'a>) -> Decided<Self> {
        // One always holds: `PartyTookMost`, unless an earlier one does.
        let nobody = Decided { answer: Self::Limited, ground: Ground::NoRequests };
        first(EXPLANATION, &Facts::of(subject)).unwrap_or(nobody)
    }

    /// What explains the time of `subject`.
    pub fn of(subject: &Subject<'a>) -> Self {
        Self::decide(subject).answer
    }

    /// Whether a limit explains it.
    pub const fn is_limit(&self) -> bool {
        matches!(self, Self::Limited)
    }
}

/// What is known about the time of a subject.
pub(super) struct Facts<'a> {
    subject: Subject<'a>,
    kind: Option<Kind>,
    /// Requests with their answers.
    exchanges: Option<&'a Exchanges>,
}

impl<'a> Facts<'a> {
    fn of(subject: &Subject<'a>) -> Self {
        let exchanges = subject.connection.exchanges.as_deref().filter(|exchanges| exchanges.is_request_response());
        Self { subject: *subject, kind: subject.trouble.map(|trouble| trouble.kind), exchanges }
    }

    /// Its requests, if they have this problem.
    fn requests_of(&self, slow: Slow) -> Option<&'a Exchanges> {
        self.exchanges.filter(|_| self.kind == Some(Kind::Slow(slow)))
    }
}

/// Writing slowly within an answer is a limit of its own.
const fn is_answering(exchanges: &Exchanges) -> bool {
    exchanges.parts.pauses <= exchanges.parts.server
}

/// What explains the time of a connection.
pub(super) struct OfTime;

impl Question for OfTime {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Explanation<'a>;
}

/// Asked in this order. The last holds where no other does.
pub(super) const EXPLANATION: &List<OfTime> = &[
    &Failed,
    &NoRequests,
    &LateAnswers,
    &ManyTurns,
    &LimitOfProblem,
    &TransfersTookMost,
    &PausesWithinAnswers,
    &PartyTookMost,
];

choice! {
    /// Whoever meets an error has no answer at all.
    Failed of OfTime, Failed:
    |facts| match facts.kind {
        Some(Kind::Failed(failure)) => {
            let connection = facts.subject.connection;
            Some(Explanation::Failed(failure, connection.failure().or(connection.findings.first())))
        }
        _ => None,
    }
}

choice! {
    /// Only requests have parties.
    NoRequests of OfTime, NoRequests:
    |facts| facts.exchanges.is_none().then_some(Explanation::Limited)
}

choice! {
    /// The problem says so, and the server's time was not within its answers.
    LateAnswers of OfTime, LateAnswers:
    |facts| {
        let exchanges = facts.requests_of(Slow::Server).filter(|exchanges| is_answering(exchanges));
        exchanges.map(|exchanges| Explanation::Took(Party::Server, exchanges))
    }
}

choice! {
    /// The problem says so.
    ManyTurns of OfTime, ManyTurns:
    |facts| facts.requests_of(Slow::RoundTrips).map(|exchanges| Explanation::Took(Party::RoundTrips, exchanges))
}

choice! {
    /// Any other problem is about a limit.
    LimitOfProblem of OfTime, LimitOfProblem:
    |facts| facts.kind.is_some().then_some(Explanation::Limited)
}

choice! {
    /// How long a transfer takes is a matter of limits; where nobody took any time as well.
    TransfersTookMost of OfTime, TransfersTookMost:
    |facts| {
        let most = facts.exchanges.and_then(Exchanges::most);
        most.is_none_or(|(party, _)| party == Party::Transfers).then_some(Explanation::Limited)
    }
}

choice! {
    /// The server took most, and not before its answers.
    PausesWithinAnswers of OfTime, PausesWithinAnswers:
    |facts| {
        let exchanges = facts.exchanges.filter(|exchanges| !is_answering(exchanges))?;
        exchanges.most().is_some_and(|(party, _)| party == Party::Server).then_some(Explanation::Limited)
    }
}

choice! {
    /// The largest part.
    PartyTookMost of OfTime, PartyTookMost:
    |facts| {
        let exchanges = facts.exchanges?;
        exchanges.most().map(|(party, _)| Explanation::Took(party, exchanges))
    }
}
