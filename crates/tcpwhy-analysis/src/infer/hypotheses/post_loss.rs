//! Congestion window: cut by a loss, or for a mark of ECN, and growing back (RFC 5681 §3.1, RFC 3168 §6.1.2, RFC 9438 §4.6).

use tcpwhy_model::{Detail, Limit, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// The window was cut last by a loss, or for a mark: without a loss, none is blamed.
fn since_cut(e: &Evidence<'_>) -> Label {
    if e.was_cut_by_mark() {
        Label::from(Detail::PostMark).because(Reason::WindowGrowsBackAfterMark)
    } else {
        Detail::PostLoss.into()
    }
}

/// Losses are repaired for most of the time around: what is sent between two repairs is what the cut window lets through.
pub(super) struct Repairing;

impl Hypothesis<OfSlot> for Repairing {
    const REASON: Reason = Reason::RepairsAllAround;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_repair() && !e.is_paced_through_losses()).then(|| Detail::PostLoss.into())
    }
}

/// Losses or marks have cut a window that is merely sent out evenly (`fq`): less is delivered than the path had carried.
pub(super) struct PacerSlowed;

impl Hypothesis<OfSlot> for PacerSlowed {
    const REASON: Reason = Reason::PacerSlowedByLoss;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_slowed = e.is_paced_throughout() && e.is_slowed_by_losses();
        is_slowed.then(|| since_cut(e))
    }
}

/// ACKs release evenly what a cut has left of the window.
pub(super) struct ReleasedEvenly;

impl Hypothesis<OfSlot> for ReleasedEvenly {
    const REASON: Reason = Reason::ReleasedEvenlyAfterLoss;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_even = e.is_even() && e.has_lost_before() && e.is_released_evenly() && e.may_grow_back();
        is_even.then(|| since_cut(e))
    }
}

/// As much is in flight as ever since the window was cut: what that left of the window is released by thirds (`tcp_tso_should_defer`),
/// so ACKs that release nothing prove nothing.
pub(super) struct ReleasedByThirds;

impl Hypothesis<OfSlot> for ReleasedByThirds {
    const REASON: Reason = Reason::ReleasedByThirdsAfterLoss;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_cut = e.has_lost_before() && !e.slot.is_under_floor() && e.may_grow_back();
        (e.leaves_room_unused() && e.is_below_buffer() && is_cut)
            .then(|| since_cut(e).or(Limit::Application, e.decider()))
    }
}

/// Something was lost or marked before, and nothing else binds: the window that was cut grows back, as far as its flight does.
pub(super) struct Regrowing;

impl Hypothesis<OfSlot> for Regrowing {
    const REASON: Reason = Reason::WindowGrowsBack;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        // What grows slowly since a mark was cut by it: no rising delay had to end slow start.
        let is_regrowing = e.may_grow_back() || e.was_cut_by_mark() && e.is_growing_slowly();
        is_regrowing.then(|| since_cut(e))
    }
}
