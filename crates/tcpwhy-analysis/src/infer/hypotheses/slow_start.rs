//! Slow start: the congestion window is still growing exponentially (RFC 5681 §3.1).

use tcpwhy_model::{Cause, Limit, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// Most bytes in flight exceed the earlier maximum by half or more. Only slow start grows as fast.
pub(super) struct Opening;

impl Hypothesis<OfSlot> for Opening {
    const REASON: Reason = Reason::FlightOpens;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_slow_start().then(|| Cause::plain(Limit::SlowStart).into())
    }
}
