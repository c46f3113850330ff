//! Receive window: the receiver offered no more room; and the form that this took.

use tcpwhy_model::{Detail, Reason, WindowScale};

use super::super::decide::{Decision, Gap, Label};
use super::gap::OfGap;
use super::slot::OfSlot;
use super::window::{OfWindow, WINDOW};
use super::{Hypothesis, Judge, first};
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;
use crate::thresholds::{AUTOTUNED_GROWTH, AUTOTUNED_LEAST, RAMP_GROWTH, RAMP_NEAR, UNSCALED_LEAST, part};

/// Another segment had no room in the offered window. The form of the window is kept as what decided.
pub(super) struct Full;

impl Judge<OfGap> for Full {
    fn name(&self) -> &'static str {
        "window_full"
    }

    fn judge(&self, gap: &Gap<'_>) -> Option<Decision> {
        let is_full = gap.kind == GapKind::WindowFull || gap.ended_by == Some(GapKind::WindowFull);
        if is_full { first(WINDOW, gap.evidence) } else { None }
    }
}

/// The window was full for most of the slot: between two closings, sends follow the moves of its right edge.
pub(super) struct BetweenClosings;

impl Judge<OfSlot> for BetweenClosings {
    fn name(&self) -> &'static str {
        "between_closings"
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        if e.is_window_bound() { first(WINDOW, e) } else { None }
    }
}

/// The flight stands still where the window ends. Away from the sender, when it had heard of an edge is not known well enough to
/// find the window full at each send.
pub(super) struct StandsAtEdge;

impl Judge<OfSlot> for StandsAtEdge {
    fn name(&self) -> &'static str {
        "stands_at_edge"
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        let is_blurred = !e.context.has_sender_order;
        if is_blurred && !e.is_busy() && e.reaches_edge() && e.is_flat() { first(WINDOW, e) } else { None }
    }
}

/// A pacer's flight fills the window, and it does not probe for more: its estimate of the path is what the window let it deliver.
pub(super) struct UnderPacer;

impl Judge<OfSlot> for UnderPacer {
    fn name(&self) -> &'static str {
        "window_under_pacer"
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        let is_bound = e.is_paced_throughout() && e.reaches_edge() && e.is_probing() != Some(true);
        if is_bound { first(WINDOW, e) } else { None }
    }
}

/// It was closed entirely.
pub(super) struct Zero;

impl Hypothesis<OfWindow> for Zero {
    const REASON: Reason = Reason::WindowZero;
    const CONFIDENCE: f32 = 0.95;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.slot.has_zero_window.then(|| Detail::ZeroWindow.into())
    }
}

/// It is far smaller than it was, or its right edge falls behind what is acknowledged: data is not read.
pub(super) struct SlowReader;

impl Hypothesis<OfWindow> for SlowReader {
    const REASON: Reason = Reason::WindowShrinks;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_window_shrinking().then(|| Detail::SlowReader.into())
    }
}

/// Without window scaling it cannot exceed 65,535 bytes (RFC 7323 §2).
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

/// It is as large as it ever was, and still grows: autotuning opens it.
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

/// It has grown to what only autotuning makes, and grows no more: its ceiling (`tcp_rmem[2]`).
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

/// It is constant and small although data is read: the receive buffer is.
pub(super) struct Small;

impl Hypothesis<OfWindow> for Small {
    const REASON: Reason = Reason::WindowSmall;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, _: &Evidence<'_>) -> Option<Label> {
        Some(Detail::SmallBuffer.into())
    }
}
