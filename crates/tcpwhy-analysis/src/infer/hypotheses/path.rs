//! Path: its rate is the limit, without a queue as evidence.

use tcpwhy_model::{Cause, Decider, Limit, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// Single segments leave at a constant pace, as from a network card, a shaper, a pacing sender or an
/// application that writes evenly. A busy path would not be idle until an ACK comes.
pub(super) struct EvenSpacing;

impl Hypothesis<OfSlot> for EvenSpacing {
    const REASON: Reason = Reason::EvenSpacing;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_even() && !e.rests_end_with_acks())
            .then(|| Label::from(Cause::plain(Limit::Path)).or(Limit::Application, Decider::LiveSampling))
    }
}
