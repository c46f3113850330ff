//! Receive window: the receiver offered no more room; and the form that this took.

use tcpwhy_model::{Detail, Reason, WindowScale};

use super::super::decide::{Decision, Gap, Label, first};
use super::super::evidence::Evidence;
use super::super::slot::GapKind;
use super::super::thresholds::{AUTOTUNED_GROWTH, AUTOTUNED_LEAST, RAMP_GROWTH, RAMP_NEAR, UNSCALED_LEAST, part};
use super::{GapHypothesis, Hypothesis, WINDOW_FORMS};

/// Another segment had no room in the offered window. The form of the window is kept as what decided.
pub(super) struct Full;

impl GapHypothesis for Full {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "window_full", confidence: 0.85 }
    }

    fn label(&self, e: &Evidence<'_>, gap: &Gap<'_>) -> Option<Label> {
        self.judge(e, gap).map(Decision::label)
    }

    fn judge(&self, e: &Evidence<'_>, gap: &Gap<'_>) -> Option<Decision> {
        let is_full = gap.kind == GapKind::WindowFull || gap.ended_by == Some(GapKind::WindowFull);
        if is_full { first(WINDOW_FORMS, e) } else { None }
    }
}

/// The window was full for most of the slot: between two closings, sends follow the moves of its right edge.
pub(super) struct BetweenClosings;

impl Hypothesis for BetweenClosings {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "between_closings", confidence: 0.85 }
    }

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        self.judge(e).map(Decision::label)
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        if e.is_window_bound() { first(WINDOW_FORMS, e) } else { None }
    }
}

/// It was closed entirely.
pub(super) struct Zero;

impl Hypothesis for Zero {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "window_zero", confidence: 0.95 }
    }

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.slot.has_zero_window.then(|| Detail::ZeroWindow.into())
    }
}

/// It is far smaller than it was, or its right edge falls behind what is acknowledged: data is not read.
pub(super) struct SlowReader;

impl Hypothesis for SlowReader {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "window_shrinks", confidence: 0.85 }
    }

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_window_shrinking().then(|| Detail::SlowReader.into())
    }
}

/// Without window scaling it cannot exceed 65,535 bytes (RFC 7323 §2).
pub(super) struct Unscaled;

impl Hypothesis for Unscaled {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "window_unscaled", confidence: 0.9 }
    }

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let context = e.context;
        (context.window_scale == WindowScale::NotNegotiated && context.window_max > UNSCALED_LEAST)
            .then(|| Detail::NoWindowScale.into())
    }
}

/// It is as large as it ever was, and still grows: autotuning opens it.
pub(super) struct Ramp;

impl Hypothesis for Ramp {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "window_grows", confidence: 0.8 }
    }

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let near = e.near();
        let is_growing = near.window_high > near.window_low + RAMP_GROWTH.of(near.window_low);
        (is_growing && part(e.offered(), e.context.window_max) >= RAMP_NEAR).then(|| Detail::Ramp.into())
    }
}

/// It has grown to what only autotuning makes, and grows no more: its ceiling (`tcp_rmem[2]`).
pub(super) struct Capped;

impl Hypothesis for Capped {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "window_capped", confidence: 0.7 }
    }

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let context = e.context;
        let is_autotuned =
            context.window_max >= AUTOTUNED_LEAST && part(context.window_max, context.window_first) >= AUTOTUNED_GROWTH;
        is_autotuned.then(|| Detail::Capped.into())
    }
}

/// It is constant and small although data is read: the receive buffer is.
pub(super) struct Small;

impl Hypothesis for Small {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "window_small", confidence: 0.85 }
    }

    fn label(&self, _: &Evidence<'_>) -> Option<Label> {
        Some(Detail::SmallBuffer.into())
    }
}
