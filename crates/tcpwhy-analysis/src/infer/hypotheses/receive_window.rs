//! Receive window: the receiver offered no more room. The form of the window names the exact cause.

use super::super::decision::{Decision, Gap};
use super::scope::{Judge, OfGap, OfSlot, first};
use super::window::WINDOW;
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;

/// The offered window had no room for another segment. The form of the window is kept as the reason.
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

/// The window was full for most of the slot. Between these times, sends follow the moves of its right edge.
pub(super) struct BetweenClosings;

impl Judge<OfSlot> for BetweenClosings {
    fn name(&self) -> &'static str {
        "between_closings"
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        if e.is_window_bound() { first(WINDOW, e) } else { None }
    }
}

/// Bytes in flight stay level at the edge of the window. Away from the sender, it is uncertain when the
/// sender received each edge, so single sends do not show a full window.
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

/// The bytes in flight of a pacer fill the window and it does not probe for more. So the window limited its
/// estimate of the path.
pub(super) struct PacedBehindWindow;

impl Judge<OfSlot> for PacedBehindWindow {
    fn name(&self) -> &'static str {
        "window_under_pacer"
    }

    fn judge(&self, e: &Evidence<'_>) -> Option<Decision> {
        let is_bound = e.is_paced_throughout() && e.reaches_edge() && e.is_probing() != Some(true);
        if is_bound { first(WINDOW, e) } else { None }
    }
}
