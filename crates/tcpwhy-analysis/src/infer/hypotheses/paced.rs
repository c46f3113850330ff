//! Congestion window: the sender paces at its own estimate of the path (BBR).

use tcpwhy_model::{Decider, Detail, Limit, Reason};

use super::super::decision::{Gap, Label};
use super::scope::{Hypothesis, OfGap, OfSlot};
use crate::facts::gap_fact::GapFact;
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;

/// The pacer sends without a pause at its estimate of the path's rate, and probes for more. So a higher
/// estimate would send more.
pub(super) struct Pacer;

impl Hypothesis<OfSlot> for Pacer {
    const REASON: Reason = Reason::PacerAtItsEstimate;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        if !e.is_paced_throughout() {
            return None;
        }
        let label = Label::from(Detail::Paced);
        match e.is_probing() {
            Some(true) => Some(label),
            Some(false) => None,
            None => Some(label.or(Limit::Application, Decider::LiveSampling)),
        }
    }
}

/// The pacer repairs losses at an undiminished delivery rate, so they cost nothing. The limit is that of the
/// time around: its estimate, or the path.
pub(super) struct ThroughRepairs;

impl Hypothesis<OfGap> for ThroughRepairs {
    const REASON: Reason = Reason::PacerThroughRepairs;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        let is_repair = matches!(gap.kind, GapKind::Fact(GapFact::RepeatedFast | GapFact::HoleLeftOpen));
        let cause = (is_repair && gap.evidence.is_paced_through_losses()).then(|| gap.slot().cause)?;
        (cause == Detail::Paced.into() || cause.limit == Limit::Path).then(|| cause.into())
    }
}
