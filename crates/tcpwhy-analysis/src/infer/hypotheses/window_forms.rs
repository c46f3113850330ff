//! Forms of a full receive window.

use tcpwhy_model::{Detail, Reason, WindowScale};

use super::scope::{Hypothesis, OfWindow};
use crate::infer::conditions::Evidence;
use crate::infer::decision::Label;
use crate::thresholds::{AUTOTUNED_GROWTH, AUTOTUNED_LEAST, RAMP_GROWTH, RAMP_NEAR, UNSCALED_LEAST, part};

/// The receiver advertised a zero window.
pub(super) struct Zero;

impl Hypothesis<OfWindow> for Zero {
    const REASON: Reason = Reason::WindowZero;
    const CONFIDENCE: f32 = 0.95;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.slot.has_zero_window.then(|| Detail::ZeroWindow.into())
    }
}

/// The window is far smaller than before, or its right edge advances by less than the acknowledged bytes. So
/// the receiver's program does not read all data.
pub(super) struct SlowReader;

impl Hypothesis<OfWindow> for SlowReader {
    const REASON: Reason = Reason::WindowShrinks;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_window_shrinking().then(|| Detail::SlowReader.into())
    }
}

/// Without window scaling, the window cannot exceed 65,535 bytes (RFC 7323 §2).
pub(super) struct Unscaled;

impl Hypothesis<OfWindow> for Unscaled {
    const REASON: Reason = Reason::WindowUnscaled;
    const CONFIDENCE: f32 = 0.9;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let context = e.context;
        (context.window_scale == WindowScale::NotNegotiated && context.window_max > UNSCALED_LEAST)
            .then(|| Detail::NoWindowScale.into())
    }
}

/// The window is at its maximum so far and still grows, so autotuning is enlarging it.
pub(super) struct Ramp;

impl Hypothesis<OfWindow> for Ramp {
    const REASON: Reason = Reason::WindowGrows;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let near = e.near();
        let is_growing = near.window_high > near.window_low + RAMP_GROWTH.of(near.window_low);
        (is_growing && part(e.offered(), e.widest()) >= RAMP_NEAR).then(|| Detail::Ramp.into())
    }
}

/// The window grew to a size that only autotuning gives, and grows no more. It has reached the ceiling
/// (`tcp_rmem[2]`).
pub(super) struct Capped;

impl Hypothesis<OfWindow> for Capped {
    const REASON: Reason = Reason::WindowCapped;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let context = e.context;
        let is_autotuned =
            context.window_max >= AUTOTUNED_LEAST && part(context.window_max, context.window_first) >= AUTOTUNED_GROWTH;
        is_autotuned.then(|| Detail::Capped.into())
    }
}

/// The window is constant and small although the program reads the data. So the receive buffer is small.
pub(super) struct Small;

impl Hypothesis<OfWindow> for Small {
    const REASON: Reason = Reason::WindowSmall;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, _: &Evidence<'_>) -> Option<Label> {
        Some(Detail::SmallBuffer.into())
    }
}
