//! Congestion window: the sender paces at its own estimate of the path (BBR).

use tcpwhy_model::{Decider, Detail, Limit, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// The pacer sends without pause what it takes the path to carry, and probes for more: a higher estimate would send more.
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
