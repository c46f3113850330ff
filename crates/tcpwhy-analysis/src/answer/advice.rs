//! Advice about one connection: a change, or the reason for no change.

use tcpwhy_model::{Cause, Detail, Limit, Readiness, VerdictReason};

use super::choice::{Decided, List, Question, choice, first};
use super::explanation::Explanation;
use super::ground::Ground;
use super::remedy::Remedy;
use super::subject::Subject;
use crate::exchanges::{Party, Pattern};
use crate::outcome::HalfConnection;
use crate::problems::{is_gain, is_rest};
use crate::thresholds::WORTH_PROFILING;

/// Advice about a connection.
#[derive(Clone, Copy, Debug)]
pub enum Advice<'a> {
    /// The server's program should be profiled. A finding may also propose a fix.
    Profile(Option<Remedy<'a>>),
    /// A change.
    Change(Remedy<'a>),
    /// No change, and the reason.
    None(NoChange),
}

/// Reason for no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoChange {
    /// Nothing is wrong.
    Nothing,
    /// A user or a program paused. If that is intentional, nothing is wrong.
    IfIntended,
    /// The packets do not show the change.
    NotShown,
    /// The packets do not show the change, because they were captured at the receiver.
    NotShownAtReceiver,
    /// Neither packets nor kernel show the change.
    NotShownByKernel,
    /// The cause is at the peer.
    PeerSide,
    /// No setting removes the limit.
    NoSetting,
}

impl NoChange {
    /// Readiness of the advice: conditional, the next measurement, or `None` if there is nothing to do.
    pub const fn readiness(self) -> Option<Readiness> {
        match self {
            Self::IfIntended => Some(Readiness::Conditional),
            Self::NotShown | Self::NotShownAtReceiver | Self::NotShownByKernel | Self::PeerSide => {
                Some(Readiness::Measure)
            }
            Self::Nothing | Self::NoSetting => None,
        }
    }
}

impl<'a> Advice<'a> {
    /// Returns the advice about `subject`, which `explanation` explains, and the choice that decided.
    pub fn decide(subject: &Subject<'a>, explanation: &Explanation<'a>) -> Decided<Self> {
        // The last of the list always holds.
        let nothing = Decided { answer: Self::None(NoChange::NoSetting), ground: Ground::NoSetting };
        first(ADVICE, &Facts { subject: *subject, explanation: *explanation }).unwrap_or(nothing)
    }

    /// Whether the advice proposes a change.
    pub const fn is_change(&self) -> bool {
        !matches!(self, Self::None(_))
    }

    /// The fix of a finding, if the advice proposes one.
    pub const fn remedy(&self) -> Option<Remedy<'a>> {
        match *self {
            Self::Profile(remedy) => remedy,
            Self::Change(remedy) => Some(remedy),
            Self::None(_) => None,
        }
    }
}

/// A connection, and the explanation of its time.
pub(super) struct Facts<'a> {
    subject: Subject<'a>,
    explanation: Explanation<'a>,
}

impl<'a> Facts<'a> {
    fn remedy(&self) -> Option<Remedy<'a>> {
        Remedy::of(&self.subject, &self.explanation)
    }

    /// The direction, if a limit explains its time.
    fn limited(&self) -> Option<&'a HalfConnection> {
        self.explanation.is_limit().then_some(self.subject.half)
    }

    /// The cause of the verdict, if a limit slowed the direction.
    fn cause(&self) -> Option<Cause> {
        self.limited().filter(|half| half.verdict.severity.is_some()).and_then(|half| half.verdict.cause)
    }
}

/// Advice about a connection.
pub(super) struct OfChange;

impl Question for OfChange {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Advice<'a>;
}

/// Choices in the order in which they are tried. The last always applies.
pub(super) const ADVICE: &List<OfChange> = &[
    &WorthProfiling,
    &QuickServer,
    &LittleGain,
    &FixFound,
    &ClientsOwnTime,
    &NobodysTime,
    &NothingProposed,
    &FailedUnexplained,
    &NotHeldBack,
    &Unobserved,
    &PeersTurn,
    &Rests,
    &NoSetting,
];

choice! {
    /// Profiling is not worth the effort below this time, unless the problem affects many connections.
    WorthProfiling of OfChange, WorthProfiling:
    |facts| match facts.explanation {
        Explanation::Took(Party::Server, exchanges)
            if facts.subject.trouble.is_some() || exchanges.parts.of_server() >= WORTH_PROFILING =>
        {
            Some(Advice::Profile(facts.remedy()))
        }
        _ => None,
    }
}

choice! {
    /// The server took most of the time, but that time is short.
    QuickServer of OfChange, QuickServer:
    |facts| {
        matches!(facts.explanation, Explanation::Took(Party::Server, _)).then_some(Advice::None(NoChange::Nothing))
    }
}

choice! {
    /// Less waiting would hardly make the requests faster, even at best.
    LittleGain of OfChange, LittleGain:
    |facts| {
        let is_party = matches!(facts.explanation, Explanation::Took(..));
        let finding = facts.remedy().filter(|_| is_party)?.finding;
        let now = facts.subject.connection.requests_of(finding)?.parts.seconds();
        let is_little = !is_gain(finding.prediction.as_ref()?, now);
        is_little.then_some(Advice::None(NoChange::Nothing))
    }
}

choice! {
    /// The explanation proposes a change.
    FixFound of OfChange, FixFound:
    |facts| facts.remedy().map(Advice::Change)
}

choice! {
    /// The client itself decides about its time between requests.
    ClientsOwnTime of OfChange, ClientsOwnTime:
    |facts| {
        matches!(facts.explanation, Explanation::Took(Party::Client, _)).then_some(Advice::None(NoChange::IfIntended))
    }
}

choice! {
    /// A person types, a server sends news, or requests overlap.
    NobodysTime of OfChange, NobodysTime:
    |facts| match facts.explanation {
        Explanation::Spoke(exchanges) if exchanges.pattern == Pattern::Overlapping => {
            Some(Advice::None(NoChange::NotShown))
        }
        Explanation::Spoke(_) => Some(Advice::None(NoChange::Nothing)),
        _ => None,
    }
}

choice! {
    /// Nothing shortens the path's round trips.
    NothingProposed of OfChange, NothingProposed:
    |facts| matches!(facts.explanation, Explanation::Took(..)).then_some(Advice::None(NoChange::Nothing))
}

choice! {
    /// Packets show the failure but not its reason.
    FailedUnexplained of OfChange, FailedUnexplained:
    |facts| matches!(facts.explanation, Explanation::Failed(..)).then_some(Advice::None(NoChange::NotShown))
}

choice! {
    /// The direction has no cause, or its cause matters to nobody.
    NotHeldBack of OfChange, NotHeldBack:
    |facts| facts.cause().is_none().then_some(Advice::None(NoChange::Nothing))
}

choice! {
    /// The advice depends on the capture point that would have shown the cause.
    Unobserved of OfChange, Unobserved:
    |facts| {
        let is_unobserved = facts.cause().is_some_and(|cause| cause.limit == Limit::Unobserved);
        let why = match facts.subject.half.verdict.reason {
            Some(VerdictReason::SeenFromReceiver) => NoChange::NotShownAtReceiver,
            Some(VerdictReason::NotReported) => NoChange::NotShownByKernel,
            Some(
                VerdictReason::WindowHeldByQueue | VerdictReason::WindowNext | VerdictReason::ProtocolWindowNext,
            )
            | None => NoChange::NotShown,
        };
        is_unobserved.then_some(Advice::None(why))
    }
}

choice! {
    /// The sender waited for a message of its peer.
    PeersTurn of OfChange, PeersTurn:
    |facts| {
        let is_peers = facts.cause().is_some_and(|cause| cause.detail == Some(Detail::PeerTurn));
        is_peers.then_some(Advice::None(NoChange::PeerSide))
    }
}

choice! {
    /// The sender had nothing to send for most of the time.
    Rests of OfChange, Rests:
    |facts| facts.limited().filter(|half| is_rest(half)).map(|_| Advice::None(NoChange::IfIntended))
}

choice! {
    /// A limit that no finding has a fix for.
    NoSetting of OfChange, NoSetting:
    |_| Some(Advice::None(NoChange::NoSetting))
}
