//! What a gap shows without its neighbours: handshake, repair, nothing in flight, a delayed acknowledgment.

use super::super::decision::{Decision, Gap};
use super::of_facts::of_fact;
use super::scope::{Judge, OfGap};
use crate::facts::slot::GapKind;

/// The ledger saw what happened: nothing else is possible. The table of facts names cause and reason.
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
