//! Explanation of the time of a subject.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use super::cause_with_fix::{Causes, Removable, limit_with_fix, of_each_end};
use super::choice::{Decided, List, Question, choice, first};
use super::fixing_rules::{BOTH_ENDS_RULES, LENGTH_RULES, WINDOW_RULE};
use super::ground::Ground;
use super::subject::Subject;
use crate::diagnosis::explains;
use crate::exchanges::{Exchanges, Party, Pattern};
use crate::outcome::HalfConnection;
use crate::problems::{Failure, Kind, Slow, leading_finding};
use crate::thresholds::{EACH_END_TOLD, LENGTH_TOLD, WINDOW_TOLD};

/// Explanation in the second line of a report.
#[derive(Clone, Copy, Debug)]
pub enum Explanation<'a> {
    /// The connection failed, with the finding about the failure.
    Failed(Failure, Option<&'a Finding>),
    /// A party took most of the time of the requests.
    Took(Party, &'a Exchanges),
    /// The traffic pattern of the two ends does not show requests.
    Spoke(&'a Exchanges),
    /// A finding about this limit of a direction, although another cause had more of its time.
    Found(&'a Finding, Limit, &'a HalfConnection),
    /// A limit slowed the direction.
    Limited,
}

impl<'a> Explanation<'a> {
    /// Returns the explanation of the time of `subject`, and the choice that decided.
    pub fn decide(subject: &Subject<'a>) -> Decided<Self> {
        // One choice always applies: `PartyTookMost`, unless an earlier one does.
        let nobody = Decided { answer: Self::Limited, ground: Ground::NoRequests };
        first(EXPLANATION, &Facts::of(subject)).unwrap_or(nobody)
    }

    /// Returns the explanation of the time of `subject`.
    pub fn of(subject: &Subject<'a>) -> Self {
        Self::decide(subject).answer
    }

    /// Whether the explanation is a limit.
    pub const fn is_limit(&self) -> bool {
        matches!(self, Self::Limited)
    }
}

/// Facts about the time of a subject.
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

    /// Returns the requests, if they have this problem.
    fn requests_of(&self, slow: Slow) -> Option<&'a Exchanges> {
        self.exchanges.filter(|_| self.kind == Some(Kind::Slow(slow)))
    }

    /// Returns the limit that explains the time, unless the direction only waited for a message. The
    /// exchanges show whose message that was.
    fn limited(&self) -> Option<Explanation<'a>> {
        (!waits_for_words(self.subject.half)).then(|| self.limit())
    }

    /// Returns the limit of the verdict. If the sender mostly paused but a change would still save time, it
    /// is the limit that the change removes. The second line then names the cause that the third line
    /// removes.
    fn limit(&self) -> Explanation<'a> {
        let half = self.subject.half;
        if let Some((finding, limit, half)) = self.each_end().or_else(|| self.length_of_waits()) {
            return Explanation::Found(finding, limit, half);
        }
        let other = leading_finding(half).filter(|finding| !explains(finding, &half.verdict));
        let found = other.and_then(|finding| Some(Explanation::Found(finding, limit_with_fix(finding)?, half)));
        found.unwrap_or(Explanation::Limited)
    }

    /// Returns a cause of both ends, if it took longer than the verdict on one direction, or most of that
    /// time.
    fn each_end(&self) -> Option<(&'a Finding, Limit, &'a HalfConnection)> {
        let Subject { connection, half, .. } = self.subject;
        let (limit, seconds) = (half.verdict.cause.map(|cause| cause.limit), half.verdict.seconds);
        let of_both = of_each_end(connection).find(|(finding, of, _)| {
            let least = if limit == Some(*of) { seconds * EACH_END_TOLD.get() } else { seconds };
            finding.seconds.is_some_and(|seconds| seconds > least)
        });
        // A cause of one direction that needs a change at both ends has the verdict's own time.
        let leads = || leading_finding(half).filter(|finding| BOTH_ENDS_RULES.contains(&finding.rule));
        of_both.or_else(|| leads().and_then(|finding| Some((finding, limit?, half))))
    }

    /// Returns the reason for long waits under the verdict's limit, if it took most of them.
    fn length_of_waits(&self) -> Option<(&'a Finding, Limit, &'a HalfConnection)> {
        let half = self.subject.half;
        let least = half.verdict.seconds * LENGTH_TOLD.get();
        let is_most = |finding: &&Finding| {
            LENGTH_RULES.contains(&finding.rule)
                && explains(finding, &half.verdict)
                && finding.seconds.is_some_and(|seconds| seconds > least)
        };
        let finding = half.findings.iter().find(is_most)?;
        Some((finding, limit_with_fix(finding)?, half))
    }
}

/// Whether the direction waited for the next message of its own program or of its peer.
fn waits_for_words(half: &HalfConnection) -> bool {
    half.verdict.cause.is_some_and(|cause| matches!(cause.detail, Some(Detail::Think | Detail::PeerTurn)))
}

/// Question for the explanation of a connection's time.
pub(super) struct OfTime;

impl Question for OfTime {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Explanation<'a>;
}

/// Choices in the order in which they are tried. The last applies if no other does.
pub(super) const EXPLANATION: &List<OfTime> = &[
    &Failed,
    &WindowAboveTcp,
    &OtherPattern,
    &NoRequests,
    &LateAnswers,
    &ManyTurns,
    &LimitOfProblem,
    &TransfersTookMost,
    &PausesWithinAnswers,
    &CauseWithFix,
    &PartyTookMost,
];

choice! {
    /// A client that meets an error gets no answer at all.
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
    /// Messages that overlap data and allow more of it are not requests.
    WindowAboveTcp of OfTime, WindowAboveTcp:
    |facts| {
        let Subject { connection, half, .. } = facts.subject;
        let exchanges = connection.exchanges.as_deref().filter(|exchanges| exchanges.count > 0)?;
        let is_overlapping = exchanges.pattern == Pattern::Overlapping && waits_for_words(half);
        let finding = half.findings.iter().find(|finding| finding.rule == WINDOW_RULE && is_overlapping)?;
        let is_mostly = finding.seconds.is_some_and(|seconds| seconds >= half.verdict.seconds * WINDOW_TOLD.get());
        let is_told = is_mostly && finding.severity > Severity::Info && !finding.fixes.is_empty();
        is_told.then_some(Explanation::Found(finding, Limit::Application, half))
    }
}

choice! {
    /// A direction that waits for messages does not show the traffic pattern of the ends.
    OtherPattern of OfTime, OtherPattern:
    |facts| {
        let exchanges = facts.subject.connection.exchanges.as_deref().filter(|exchanges| exchanges.count > 0)?;
        let is_other = !exchanges.is_request_response() && waits_for_words(facts.subject.half);
        is_other.then_some(Explanation::Spoke(exchanges))
    }
}

choice! {
    /// Only requests have parties.
    NoRequests of OfTime, NoRequests:
    |facts| facts.exchanges.is_none().then(|| facts.limit())
}

choice! {
    /// The problem is late answers, and the server's time was not within its answers.
    LateAnswers of OfTime, LateAnswers:
    |facts| {
        let exchanges = facts.requests_of(Slow::Server).filter(|exchanges| exchanges.is_answering());
        exchanges.map(|exchanges| Explanation::Took(Party::Server, exchanges))
    }
}

choice! {
    /// The problem is the number of round trips.
    ManyTurns of OfTime, ManyTurns:
    |facts| facts.requests_of(Slow::RoundTrips).map(|exchanges| Explanation::Took(Party::RoundTrips, exchanges))
}

choice! {
    /// Any other problem is about a limit.
    LimitOfProblem of OfTime, LimitOfProblem:
    |facts| facts.kind.and_then(|_| facts.limited())
}

choice! {
    /// Limits decide about the length of a transfer. The same applies if no party took any time.
    TransfersTookMost of OfTime, TransfersTookMost:
    |facts| {
        let most = facts.exchanges.and_then(Exchanges::most);
        most.is_none_or(|(party, _)| party == Party::Transfers).then(|| facts.limited()).flatten()
    }
}

choice! {
    /// The server took most of the time, but not before its answers.
    PausesWithinAnswers of OfTime, PausesWithinAnswers:
    |facts| {
        let exchanges = facts.exchanges.filter(|exchanges| !exchanges.is_answering())?;
        exchanges.most().is_some_and(|(party, _)| party == Party::Server).then(|| facts.limited()).flatten()
    }
}

choice! {
    /// Picks the largest part of the waiting that a change could remove. Nobody waits during a client's
    /// pauses, and nobody can change a part without a fix.
    CauseWithFix of OfTime, CauseWithFix:
    |facts| {
        let exchanges = facts.exchanges?;
        let cause = Causes { connection: facts.subject.connection, exchanges }.largest()?;
        Some(match cause {
            Removable::Party(party) => Explanation::Took(party, exchanges),
            Removable::Limit(finding, limit, half) => Explanation::Found(finding, limit, half),
        })
    }
}

choice! {
    /// Picks the party that took most of the time. Sending is not a party: a limit explains it, unless there
    /// is none.
    PartyTookMost of OfTime, PartyTookMost:
    |facts| {
        let exchanges = facts.exchanges?;
        Some(Explanation::Took(exchanges.most_of(&PARTIES).map_or(Party::RoundTrips, |(party, _)| party), exchanges))
    }
}

/// Parties that may have taken the time of requests.
const PARTIES: [Party; 3] = [Party::Client, Party::Server, Party::RoundTrips];
