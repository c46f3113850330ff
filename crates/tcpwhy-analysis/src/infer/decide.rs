//! From what speaks for each cause to one label for each gap of a slot: the first hypothesis that holds decides.

use std::cell::OnceCell;

use tcpwhy_model::{Cause, Limit, Reason, Why};

use super::decision::{Decision, Gap};
use super::hypotheses::gap::GAP;
use super::hypotheses::scope::first;
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
        let gap = Gap::new(*interval, ended_by, &evidence, &slot, of_slot);
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
