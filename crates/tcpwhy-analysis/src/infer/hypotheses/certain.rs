//! Causes that a gap shows without its neighbours: handshake, repair, nothing in flight, or a delayed ACK.

use super::super::decision::{Decision, Gap};
use super::of_facts::of_fact;
use super::scope::{Judge, OfGap};
use crate::facts::slot::GapKind;

/// The facts of the gap allow one cause only. The table of facts has the cause and the reason.
pub(super) struct ToldByGap;

impl ToldByGap {
    const CONFIDENCE: f32 = 0.95;
}

impl Judge<OfGap> for ToldByGap {
    fn name(&self) -> &'static str {
        "told_by_gap"
    }

    fn judge(&self, gap: &Gap<'_>) -> Option<Decision> {
        let GapKind::Fact(fact) = gap.kind else { return None };
        let (cause, reason) = of_fact(fact);
        Some(Decision::new(cause.into(), reason, Self::CONFIDENCE))
    }
}
