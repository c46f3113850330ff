//! Congestion window: the sender paces at its own estimate of the path (BBR).

use tcpwhy_model::{Detail, Reason};

use super::super::decide::Label;
use super::super::evidence::Evidence;
use super::Hypothesis;

/// The pacer sends without pause what it takes the path to carry: a higher estimate would send more.
pub(super) struct Pacer;

impl Hypothesis for Pacer {
    const REASON: Reason = Reason::PacerAtItsEstimate;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_paced_throughout().then(|| Detail::Paced.into())
    }
}
