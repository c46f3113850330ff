//! Congestion window: cut by a loss, or for a mark of ECN, and growing back (RFC 5681 §3.1, RFC 3168 §6.1.2, RFC 9438 §4.6).

use tcpwhy_model::{Detail, Limit, Reason};

use super::super::decide::{Decision, Label};
use super::{Hypothesis, SlotJudge};
use crate::infer::conditions::Evidence;

/// The window was cut last by a loss, for `reason`, or for a mark: without one, no loss is blamed.
fn since_cut(e: &Evidence<'_>, reason: Reason, confidence: f32) -> Decision {
    if e.was_cut_by_mark() {
        Decision::new(Detail::PostMark.into(), Reason::WindowGrowsBackAfterMark, confidence)
    } else {
        Decision::new(Detail::PostLoss.into(), reason, confidence)
    }
}

/// Losses are repaired for most of the time around: what is sent between two repairs is what the cut window lets through.
pub(super) struct Repairing;

impl Hypothesis for Repairing {
    const REASON: Reason = Reason::RepairsAllAround;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_repair().then(|| Detail::PostLoss.into())
    }
}

/// Losses or marks have cut a window that is merely sent out evenly (`fq`): less is delivered than the path had carried.
pub(super) struct PacerSlowed;

impl SlotJudge for PacerSlowed {
    fn name(&self) -> &'static str {
        Reason::PacerSlowedByLoss.id()
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        let is_slowed = e.is_paced_throughout() && e.is_slowed_by_losses();
        is_slowed.then(|| since_cut(e, Reason::PacerSlowedByLoss, 0.7))
    }
}

/// ACKs release evenly what a cut has left of the window.
pub(super) struct ReleasedEvenly;

impl SlotJudge for ReleasedEvenly {
    fn name(&self) -> &'static str {
        Reason::ReleasedEvenlyAfterLoss.id()
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        let is_even = e.is_even() && e.has_lost_before() && e.is_released_evenly();
        is_even.then(|| since_cut(e, Reason::ReleasedEvenlyAfterLoss, 0.7))
    }
}

/// As much is in flight as ever since the window was cut: what that left of the window is released by thirds (`tcp_tso_should_defer`),
/// so ACKs that release nothing prove nothing.
pub(super) struct ReleasedByThirds;

impl SlotJudge for ReleasedByThirds {
    fn name(&self) -> &'static str {
        Reason::ReleasedByThirdsAfterLoss.id()
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        let is_cut = e.has_lost_before() && !e.slot.is_under_floor();
        (e.leaves_room_unused() && e.is_below_buffer() && is_cut).then(|| {
            let decision = since_cut(e, Reason::ReleasedByThirdsAfterLoss, 0.65);
            Decision { alternative: Some((Limit::Application, e.decider())), ..decision }
        })
    }
}

/// Something was lost or marked before, and nothing else binds: the window that was cut grows back, as far as its flight does.
pub(super) struct Regrowing;

impl SlotJudge for Regrowing {
    fn name(&self) -> &'static str {
        Reason::WindowGrowsBack.id()
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        // What grows slowly since a mark was cut by it: no rising delay had to end slow start.
        let is_regrowing = e.may_grow_back() || e.was_cut_by_mark() && e.is_growing_slowly();
        is_regrowing.then(|| since_cut(e, Reason::WindowGrowsBack, 0.8))
    }
}
