//! What a gap tells without its neighbours: handshake, repair, nothing in flight, a delayed acknowledgment; or that the
//! capture cannot show it.

use tcpwhy_model::{Cause, Limit, Reason};

use super::super::decide::{Gap, Label};
use super::super::evidence::Evidence;
use super::super::slot::GapKind;
use super::GapHypothesis;

/// No acknowledgment of the data was captured, so what was in flight is not known. The handshake, repeats (a timer ran out,
/// whoever's ACKs are missing) and the time before the first data can be told all the same.
pub(super) struct NotCaptured;

impl GapHypothesis for NotCaptured {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "acks_not_captured", confidence: 0.9 }
    }

    fn label(&self, e: &Evidence<'_>, gap: &Gap<'_>) -> Option<Label> {
        let needs_no_ack = match gap.kind {
            GapKind::Definite(cause) => {
                matches!(cause.limit, Limit::Handshake | Limit::LossRecovery) || gap.end <= e.context.first_data
            }
            _ => false,
        };
        (e.context.is_one_sided && !needs_no_ack).then(|| Cause::plain(Limit::Unobserved).into())
    }
}

/// The ledger saw what happened: nothing else is possible.
pub(super) struct ToldByGap;

impl GapHypothesis for ToldByGap {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "told_by_gap", confidence: 0.95 }
    }

    fn label(&self, _: &Evidence<'_>, gap: &Gap<'_>) -> Option<Label> {
        match gap.kind {
            GapKind::Definite(cause) => Some(cause.into()),
            _ => None,
        }
    }
}
