//! Congestion window: reduced after a loss or an ECN mark, and growing back (RFC 5681 §3.1, RFC 3168 §6.1.2,
//! RFC 9438 §4.6).

use tcpwhy_model::{Detail, Limit, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// Label of the last cut of the window. A mark is distinguished from a loss, so that no loss is reported
/// without one.
fn since_cut(e: &Evidence<'_>) -> Label {
    if e.was_cut_by_mark() {
        Label::from(Detail::PostMark).because(Reason::WindowGrowsBackAfterMark)
    } else {
        Detail::PostLoss.into()
    }
}

/// Repairs of losses take most of the time around. The reduced window limits new data between two repairs.
pub(super) struct Repairing;

impl Hypothesis<OfSlot> for Repairing {
    const REASON: Reason = Reason::RepairsAllAround;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_repair() && !e.is_paced_through_losses()).then(|| Detail::PostLoss.into())
    }
}

/// Losses or marks have cut the congestion window. The sender merely spaces its packets (`fq`), and the
/// delivery rate is below the earlier maximum.
pub(super) struct PacerSlowed;

impl Hypothesis<OfSlot> for PacerSlowed {
    const REASON: Reason = Reason::PacerSlowedByLoss;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_slowed = e.is_paced_throughout() && e.is_slowed_by_losses();
        is_slowed.then(|| since_cut(e))
    }
}

/// ACKs evenly release the data of a congestion window that a cut has reduced.
pub(super) struct ReleasedEvenly;

impl Hypothesis<OfSlot> for ReleasedEvenly {
    const REASON: Reason = Reason::ReleasedEvenlyAfterLoss;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_even = e.is_even() && e.has_lost_before() && e.is_released_evenly() && e.may_grow_back();
        is_even.then(|| since_cut(e))
    }
}

/// As much is in flight as ever since the cut. The kernel uses the remaining window in steps of a third
/// (`tcp_tso_should_defer`), so ACKs that release nothing prove nothing.
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

/// The congestion window was cut before by a loss or a mark, and no other limit shows. So it is growing back,
/// as far as the bytes in flight do.
pub(super) struct Regrowing;

impl Hypothesis<OfSlot> for Regrowing {
    const REASON: Reason = Reason::WindowGrowsBack;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        // If the window grows slowly after a mark, the mark had cut it, and no rising delay had to end slow
        // start.
        let is_regrowing = e.may_grow_back() || e.was_cut_by_mark() && e.is_growing_slowly();
        is_regrowing.then(|| since_cut(e))
    }
}
