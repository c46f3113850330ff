//! What a gap tells without its neighbours: handshake, repair, nothing in flight, a delayed acknowledgment; or that the
//! capture cannot show it.

use tcpwhy_model::{Cause, Limit, Reason};

use super::super::decide::{Decision, Gap, Label};
use super::of_facts::of_fact;
use super::{GapHypothesis, GapJudge};
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;

/// No acknowledgment of the data was captured, so what was in flight is not known. The handshake, repeats (a timer ran out,
/// whoever's ACKs are missing) and the time before the first data can be told all the same.
pub(super) struct NotCaptured;

impl GapHypothesis for NotCaptured {
    const REASON: Reason = Reason::AcksNotCaptured;
    const CONFIDENCE: f32 = 0.9;

    fn label(&self, e: &Evidence<'_>, gap: &Gap<'_>) -> Option<Label> {
        let needs_no_ack = match gap.kind {
            GapKind::Fact(fact) => {
                matches!(of_fact(fact).0.limit, Limit::Handshake | Limit::LossRecovery)
                    || gap.end <= e.context.first_data
            }
            _ => false,
        };
        (e.context.is_one_sided && !needs_no_ack).then(|| Cause::plain(Limit::Unobserved).into())
    }
}

/// The ledger saw what happened: nothing else is possible.
pub(super) struct ToldByGap;

impl ToldByGap {
    const CONFIDENCE: f32 = 0.95;
}

impl GapJudge for ToldByGap {
    fn name(&self) -> &'static str {
        Reason::ToldByGap.id()
    }

    fn judge(&self, _: &Evidence<'_>, gap: &Gap<'_>) -> Option<Decision> {
        let GapKind::Fact(fact) = gap.kind else { return None };
        let (cause, reason) = of_fact(fact);
        Some(Decision::new(cause.into(), reason, Self::CONFIDENCE))
    }
}
