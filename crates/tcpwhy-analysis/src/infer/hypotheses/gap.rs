//! What a single gap between sends may say by itself, whatever the rest of its slot is under.

use tcpwhy_model::Reason;

use super::super::decide::{Decision, Gap, Label};
use super::{List, Scope, certain, paced_writes, queue, receive_window, send_buffer, tail, unobserved};

/// One gap between sends of new data.
pub(in crate::infer) struct OfGap;

impl Scope for OfGap {
    type Facts<'a> = Gap<'a>;
    type Label = Label;
    type Confidence = f32;
    type Decision = Decision;

    fn decide(label: Label, reason: Reason, confidence: f32, _: &Gap<'_>) -> Decision {
        Decision::new(label, reason, confidence)
    }
}

/// Asked of each gap, in this order. Where none holds, the gap is under what its slot is under.
pub(in crate::infer) const GAP: &List<OfGap> = &[
    &unobserved::AcksNotCaptured,
    &certain::ToldByGap,
    &receive_window::Full,
    &queue::UnderLastFlight,
    &tail::LastFlight,
    &paced_writes::UnreleasedSend,
    &paced_writes::BurstOfUnreleased,
    &send_buffer::NowAndThen,
];
