//! From what speaks for each cause to one label for each gap of a slot: the first hypothesis that holds decides.

use std::cell::OnceCell;

use tcpwhy_model::{Cause, Decider, Limit, Reason, Why};

use super::hypotheses::first;
use super::hypotheses::gap::GAP;
use super::hypotheses::slot::SLOT;
use crate::facts::context::Context;
use crate::facts::slot::{GapInterval, GapKind};
use crate::infer::conditions::{Evidence, View};

/// What became of a stretch of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labelled {
    pub(crate) end: i64,
    pub(crate) decision: Decision,
    /// Its reason with the numbers of its slot.
    pub(crate) why: Why,
    /// The receive window bound, and a standing queue made the round trips longer meanwhile.
    pub(crate) is_window_queued: bool,
}

/// What a hypothesis says if it holds: the cause, and the other limit that the packets would allow as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Label {
    cause: Cause,
    alternative: Option<(Limit, Decider)>,
    /// In place of the hypothesis's own.
    reason: Option<Reason>,
}

impl Label {
    /// The limit that it names.
    pub(super) fn limit(self) -> Limit {
        self.cause.limit
    }

    /// For another reason than the hypothesis's own: the same condition shows two things.
    pub(super) fn because(self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// The packets would allow `other` as well.
    pub(super) fn or(self, other: Limit, decider: Decider) -> Self {
        Self { alternative: Some((other, decider)), ..self }
    }
}

impl<T: Into<Cause>> From<T> for Label {
    fn from(cause: T) -> Self {
        Self { cause: cause.into(), alternative: None, reason: None }
    }
}

/// A label, and which hypothesis gave it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    pub(crate) cause: Cause,
    pub(crate) confidence: f32,
    pub(crate) alternative: Option<(Limit, Decider)>,
    pub(crate) reason: Reason,
}

impl Decision {
    pub(super) fn new(label: Label, reason: Reason, confidence: f32) -> Self {
        let Label { cause, alternative, reason: own } = label;
        Self { cause, confidence, alternative, reason: own.unwrap_or(reason) }
    }

    /// The same for the account.
    fn is_like(&self, other: &Self) -> bool {
        self.cause == other.cause && self.reason == other.reason && self.alternative == other.alternative
    }
}

/// A gap between sends, as a hypothesis about gaps sees it.
pub(crate) struct Gap<'a> {
    pub(super) kind: GapKind,
    /// When it ended, nanoseconds since the epoch.
    pub(super) end: i64,
    /// What ends it, if it lies within a burst.
    pub(super) ended_by: Option<GapKind>,
    /// What is known of its slot.
    pub(super) evidence: &'a Evidence<'a>,
    slot: &'a OnceCell<Decision>,
}

impl Gap<'_> {
    /// What the slot as a whole is under.
    pub(super) fn slot(&self) -> &Decision {
        self.slot.get_or_init(|| of_slot(self.evidence))
    }
}

/// Labels slot `i`, whose `intervals` these are, one by one.
pub(crate) fn label_slot(
    view: &View<'_>,
    i: usize,
    intervals: &[GapInterval],
    context: &Context,
    mut account: impl FnMut(Labelled),
) {
    let evidence = Evidence::new(view, i, context);
    // What is around does not matter to gaps that tell all by themselves.
    let is_queued = || !intervals.iter().all(|x| tells_all(x.kind, &evidence)) && evidence.is_queued();
    let slot = OnceCell::new();
    let mut known = [None; PLACES];
    let mut last: Option<Stretch> = None;
    for (n, interval) in intervals.iter().enumerate() {
        let ended_by = match interval.kind {
            GapKind::Burst => intervals[n + 1..].iter().map(|x| x.kind).find(|&kind| kind != GapKind::Burst),
            _ => None,
        };
        let gap = Gap { kind: interval.kind, end: interval.end, ended_by, evidence: &evidence, slot: &slot };
        let decision = match place(&gap) {
            Some(place) => *known[place].get_or_insert_with(|| of_gap(&gap)),
            None => of_gap(&gap),
        };
        // Neighbours of one label are one to the account.
        match &mut last {
            Some(stretch) if stretch.decision.is_like(&decision) => stretch.end = interval.end,
            _ => {
                if let Some(ended) = last.replace(Stretch { end: interval.end, decision }) {
                    account(ended.labelled(is_queued, &evidence));
                }
            }
        }
    }
    if let Some(ended) = last {
        account(ended.labelled(is_queued, &evidence));
    }
}

/// Gaps of one label.
struct Stretch {
    end: i64,
    decision: Decision,
}

impl Stretch {
    /// Whether a queue stands is asked only where it matters.
    fn labelled(self, is_queued: impl Fn() -> bool, evidence: &Evidence<'_>) -> Labelled {
        let Self { end, decision } = self;
        let is_window_queued = decision.cause.limit == Limit::ReceiveWindow && is_queued();
        Labelled { end, decision, why: evidence.why(decision.reason), is_window_queued }
    }
}

/// Nothing around a gap of this kind can change what it says.
fn tells_all(kind: GapKind, evidence: &Evidence<'_>) -> bool {
    evidence.context.is_one_sided
        || match kind {
            GapKind::Fact(_) => true,
            GapKind::Tail => !evidence.can_be_busy(),
            _ => false,
        }
}

/// How many kinds of gaps [`place`] tells apart.
const PLACES: usize = 8;

/// Gaps of one place in one slot are under the same limit.
fn place(gap: &Gap<'_>) -> Option<usize> {
    Some(match (gap.kind, gap.ended_by) {
        (GapKind::Fact(_), _) => return None,
        (GapKind::WindowFull, _) => 0,
        (GapKind::AckClocked, _) => 1,
        (GapKind::RoomUnused, _) => 2,
        (GapKind::Unreleased, _) => 3,
        (GapKind::Tail, _) => 4,
        (GapKind::Burst, Some(GapKind::Unreleased)) => 5,
        (GapKind::Burst, Some(GapKind::WindowFull)) => 6,
        (GapKind::Burst, _) => 7,
    })
}

/// What one gap is under: what hypotheses about gaps say, else what the slot is under.
fn of_gap(gap: &Gap<'_>) -> Decision {
    first(GAP, gap).unwrap_or_else(|| *gap.slot())
}

/// What a slot is under as far as its gaps leave it open.
fn of_slot(evidence: &Evidence<'_>) -> Decision {
    // One always holds: [`hypotheses::other`](super::hypotheses).
    let nothing = || Decision::new(Cause::plain(Limit::Unobserved).into(), Reason::Undetermined, 0.0);
    first(SLOT, evidence).unwrap_or_else(nothing)
}
