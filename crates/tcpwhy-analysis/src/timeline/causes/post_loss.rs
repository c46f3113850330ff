//! Congestion window: cut by a loss and growing back (RFC 5681 §3.1, RFC 9438 §4.6).

use tcpwhy_model::{Detail, Limit, Reason};

use super::super::decide::Label;
use super::super::evidence::Evidence;
use super::Hypothesis;

/// Losses are repaired for most of the time around: what is sent between two repairs is what the cut window lets through.
pub(super) struct Repairing;

impl Hypothesis for Repairing {
    const REASON: Reason = Reason::RepairsAllAround;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_repair().then(|| Detail::PostLoss.into())
    }
}

/// Losses have cut a window that is merely sent out evenly (`fq`): less is delivered than the path had carried.
pub(super) struct PacerSlowed;

impl Hypothesis for PacerSlowed {
    const REASON: Reason = Reason::PacerSlowedByLoss;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_paced_throughout() && e.is_slowed_by_losses()).then(|| Detail::PostLoss.into())
    }
}

/// ACKs release evenly what a loss has left of the window.
pub(super) struct ReleasedEvenly;

impl Hypothesis for ReleasedEvenly {
    const REASON: Reason = Reason::ReleasedEvenlyAfterLoss;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_even() && e.has_lost_before() && e.is_released_evenly()).then(|| Detail::PostLoss.into())
    }
}

/// As much is in flight as ever since a loss: what that left of the window is released by thirds (`tcp_tso_should_defer`),
/// so ACKs that release nothing prove nothing.
pub(super) struct ReleasedByThirds;

impl Hypothesis for ReleasedByThirds {
    const REASON: Reason = Reason::ReleasedByThirdsAfterLoss;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_cut = e.has_lost_before() && !e.slot.is_under_floor();
        (e.leaves_room_unused() && e.is_below_buffer() && is_cut)
            .then(|| Label::from(Detail::PostLoss).or(Limit::Application, e.decider()))
    }
}

/// Something was lost before, and nothing else binds: the window that the loss cut grows back, as far as its flight does.
pub(super) struct Regrowing;

impl Hypothesis for Regrowing {
    const REASON: Reason = Reason::WindowGrowsBack;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.may_grow_back().then(|| Detail::PostLoss.into())
    }
}
