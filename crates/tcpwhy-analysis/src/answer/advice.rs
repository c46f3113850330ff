//! What to change about one connection, or why nothing.

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

/// What to change about a connection.
#[derive(Clone, Copy, Debug)]
pub enum Advice<'a> {
    /// The server's program should be profiled; a finding may propose a fix as well.
    Profile(Option<Remedy<'a>>),
    /// This.
    Change(Remedy<'a>),
    /// Nothing.
    None(NoChange),
}

/// Why there is nothing to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoChange {
    /// All is as it should be.
    Nothing,
    /// Somebody took their time: if that is intended, nothing is wrong.
    IfIntended,
    /// The packets do not show it.
    NotShown,
    /// Nor do they at the receiver, where they were captured.
    NotShownAtReceiver,
    /// Nor did the kernel report it.
    NotShownByKernel,
    /// It is to be sought at the peer.
    PeerSide,
    /// No setting takes the limit away.
    NoSetting,
}

impl NoChange {
    /// How ready it is: conditional, the next measurement, or nothing to do.
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
    /// What to change about `subject`, which `explanation` explains, and which choice decided.
    pub fn decide(subject: &Subject<'a>, explanation: &Explanation<'a>) -> Decided<Self> {
        // The last of the list always holds.
        let nothing = Decided { answer: Self::None(NoChange::NoSetting), ground: Ground::NoSetting };
        first(ADVICE, &Facts { subject: *subject, explanation: *explanation }).unwrap_or(nothing)
    }

    /// Whether it proposes a change.
    pub const fn is_change(&self) -> bool {
        !matches!(self, Self::None(_))
    }

    /// The fix of a finding, where that is what it proposes.
    pub const fn remedy(&self) -> Option<Remedy<'a>> {
        match *self {
            Self::Profile(remedy) => remedy,
            Self::Change(remedy) => Some(remedy),
            Self::None(_) => None,
        }
    }
}

/// A connection, and what explains its time.
pub(super) struct Facts<'a> {
    subject: Subject<'a>,
    explanation: Explanation<'a>,
}

impl<'a> Facts<'a> {
    fn remedy(&self) -> Option<Remedy<'a>> {
        Remedy::of(&self.subject, &self.explanation)
    }

    /// The direction, if a limit explains it.
    fn limited(&self) -> Option<&'a HalfConnection> {
        self.explanation.is_limit().then_some(self.subject.half)
    }

    /// The cause of a direction that was held back.
    fn cause(&self) -> Option<Cause> {
        self.limited().filter(|half| half.verdict.severity.is_some()).and_then(|half| half.verdict.cause)
    }
}

/// What to change about a connection.
pub(super) struct OfChange;

impl Question for OfChange {
    type Facts<'a> = Facts<'a>;
    type Answer<'a> = Advice<'a>;
}

/// Asked in this order. The last always holds.
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
    /// Nobody profiles a server for less, unless it is a problem of many connections.
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
    /// The server took most, but not long.
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
    /// What explains it says what to change.
    FixFound of OfChange, FixFound:
    |facts| facts.remedy().map(Advice::Change)
}

choice! {
    /// How long a client takes between its requests is its own affair.
    ClientsOwnTime of OfChange, ClientsOwnTime:
    |facts| {
        matches!(facts.explanation, Explanation::Took(Party::Client, _)).then_some(Advice::None(NoChange::IfIntended))
    }
}

choice! {
    /// A person types, a server has news, or requests overlap.
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
    /// The path's round trips are as long as they are.
    NothingProposed of OfChange, NothingProposed:
    |facts| matches!(facts.explanation, Explanation::Took(..)).then_some(Advice::None(NoChange::Nothing))
}

choice! {
    /// Packets show that it failed, not why.
    FailedUnexplained of OfChange, FailedUnexplained:
    |facts| matches!(facts.explanation, Explanation::Failed(..)).then_some(Advice::None(NoChange::NotShown))
}

choice! {
    /// Without a cause, or where it matters to nobody.
    NotHeldBack of OfChange, NotHeldBack:
    |facts| facts.cause().is_none().then_some(Advice::None(NoChange::Nothing))
}

choice! {
    /// Whoever could have seen the cause decides what is said.
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
    /// Its peer had to speak first.
    PeersTurn of OfChange, PeersTurn:
    |facts| {
        let is_peers = facts.cause().is_some_and(|cause| cause.detail == Some(Detail::PeerTurn));
        is_peers.then_some(Advice::None(NoChange::PeerSide))
    }
}

choice! {
    /// Nobody had anything to send for most of the time.
    Rests of OfChange, Rests:
    |facts| facts.limited().filter(|half| is_rest(half)).map(|_| Advice::None(NoChange::IfIntended))
}

choice! {
    /// A limit that no finding has a fix for.
    NoSetting of OfChange, NoSetting:
    |_| Some(Advice::None(NoChange::NoSetting))
}
