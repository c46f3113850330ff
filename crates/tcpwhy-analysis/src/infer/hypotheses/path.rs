//! Path: its rate, without a queue to prove it.

use tcpwhy_model::{Cause, Decider, Limit, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// Single segments leave at a constant pace: a network card, a shaper or a pacing sender; an application that writes just
/// so would look the same. A path at work does not rest until an ACK comes.
pub(super) struct EvenSpacing;

impl Hypothesis<OfSlot> for EvenSpacing {
    const REASON: Reason = Reason::EvenSpacing;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_even() && !e.rests_end_with_acks())
            .then(|| Label::from(Cause::plain(Limit::Path)).or(Limit::Application, Decider::LiveSampling))
    }
}
