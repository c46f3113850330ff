//! Time whose limit the packets do not show.

use tcpwhy_model::{Detail, Limit, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// ACKs release the data, and the packets do not show whether the congestion window or the send buffer is the
/// limit.
pub(super) struct Undetermined;

impl Hypothesis<OfSlot> for Undetermined {
    const REASON: Reason = Reason::Undetermined;
    const CONFIDENCE: f32 = 0.55;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        Some(Label::from(Detail::Other).or(Limit::SendBuffer, e.decider()))
    }
}
