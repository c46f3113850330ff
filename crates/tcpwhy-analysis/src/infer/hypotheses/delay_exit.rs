//! Congestion window: slow start left early on rising delay (`HyStart`, RFC 9406).

use tcpwhy_model::{Detail, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// Bytes in flight grow by about a segment per round trip although nothing was lost, so something else had
/// ended slow start.
pub(super) struct GrowingSlowly;

impl Hypothesis<OfSlot> for GrowingSlowly {
    const REASON: Reason = Reason::SlowGrowthWithoutLoss;
    const CONFIDENCE: f32 = 0.75;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_room_seldom_unused() && e.is_growing_slowly()).then(|| Detail::DelayExit.into())
    }
}
