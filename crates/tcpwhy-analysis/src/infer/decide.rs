//! Gives each gap of a slot one label, from the evidence for each cause. The first hypothesis that holds
//! decides.

use std::cell::OnceCell;

use tcpwhy_model::{Cause, Limit, Reason, Why};

use super::decision::{Decision, Gap};
use super::hypotheses::gap::GAP;
use super::hypotheses::scope::first;
use super::hypotheses::slot::SLOT;
use crate::facts::context::Context;
use crate::facts::slot::{GapInterval, GapKind};
use crate::infer::conditions::{Evidence, View};

/// Label of a stretch of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labelled {
    pub(crate) end: i64,
    pub(crate) decision: Decision,
    /// The reason, with the numbers of its slot.
    pub(crate) why: Why,
    /// Whether the receive window was the limit while a persistent queue made the round trips longer.
    pub(crate) is_window_queued: bool,
}

/// Labels the gaps of slot `i`, which are `intervals`, in order of time.
pub(crate) fn label_slot(
    view: &View<'_>,
    i: usize,
    intervals: &[GapInterval],
    context: &Context,
    mut account: impl FnMut(Labelled),
) {
    let evidence = Evidence::new(view, i, context);
    // Gaps that show their cause by themselves need no neighbours, so the queue is not computed for them.
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
        // Adjacent gaps with one label become one stretch.
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

/// Adjacent gaps with one label.
struct Stretch {
    end: i64,
    decision: Decision,
}

impl Stretch {
    /// Adds the reason. The costly question whether there is a queue is asked only for the receive window.
    fn labelled(self, is_queued: impl Fn() -> bool, evidence: &Evidence<'_>) -> Labelled {
        let Self { end, decision } = self;
        let is_window_queued = decision.cause.limit == Limit::ReceiveWindow && is_queued();
        Labelled { end, decision, why: evidence.why(decision.reason), is_window_queued }
    }
}

/// Whether neighbours cannot change the label of a gap of this kind.
fn tells_all(kind: GapKind, evidence: &Evidence<'_>) -> bool {
    evidence.context.is_one_sided
        || match kind {
            GapKind::Fact(_) => true,
            GapKind::Tail => !evidence.can_be_busy(),
            _ => false,
        }
}

/// Number of groups of gaps that [`place`] distinguishes.
const PLACES: usize = 8;

/// Group of the gap. All gaps of one group in one slot have the same limit, which is computed once.
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

/// Limit of one gap: by the hypotheses about gaps, otherwise that of its slot.
fn of_gap(gap: &Gap<'_>) -> Decision {
    first(GAP, gap).unwrap_or_else(|| *gap.slot())
}

/// Limit of a slot, for the gaps that do not decide their own.
fn of_slot(evidence: &Evidence<'_>) -> Decision {
    // The last hypothesis of the list always holds: [`hypotheses::other`](super::hypotheses).
    let nothing = || Decision::new(Cause::plain(Limit::Unobserved).into(), Reason::Undetermined, 0.0);
    first(SLOT, evidence).unwrap_or_else(nothing)
}
