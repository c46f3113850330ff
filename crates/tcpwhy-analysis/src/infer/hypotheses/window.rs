//! Forms of a full window.

use super::scope::{List, OfWindow};
use super::window_forms;

/// Asked in this order when a hypothesis about a gap or a slot finds the window full. The last always holds.
pub(in crate::infer) const WINDOW: &List<OfWindow> = &[
    &window_forms::Zero,
    &window_forms::SlowReader,
    &window_forms::Unscaled,
    &window_forms::Ramp,
    &window_forms::Capped,
    &window_forms::Small,
];
