//! Which form a full window took.

use tcpwhy_model::Reason;

use super::super::decide::{Decision, Label};
use super::{List, Scope, receive_window};
use crate::infer::conditions::Evidence;

/// One slot, or a gap in it, whose offered window was full.
pub(in crate::infer) struct OfWindow;

impl Scope for OfWindow {
    type Facts<'a> = Evidence<'a>;
    type Label = Label;
    type Confidence = f32;
    type Decision = Decision;

    fn decide(label: Label, reason: Reason, confidence: f32, _: &Evidence<'_>) -> Decision {
        Decision::new(label, reason, confidence)
    }
}

/// Asked, in this order, where a hypothesis about a gap or a slot finds the window full. The last always holds.
pub(in crate::infer) const WINDOW: &List<OfWindow> = &[
    &receive_window::Zero,
    &receive_window::SlowReader,
    &receive_window::Unscaled,
    &receive_window::Ramp,
    &receive_window::Capped,
    &receive_window::Small,
];
