//! What a gap tells without its neighbours: handshake, repair, nothing in flight, a delayed acknowledgment; or that the
//! capture cannot show it.

use tcpwhy_model::{Cause, Limit, Reason};

use super::super::decide::{Gap, Label};
use super::super::evidence::Evidence;
use super::super::slot::GapKind;
use super::GapHypothesis;

/// No acknowledgment of the data was captured: only the handshake can be told.
pub(super) struct NotCaptured;

impl GapHypothesis for NotCaptured {
    fn reason(&self) -> &'static Reason {
        &Reason { name: "acks_not_captured", confidence: 0.9 }
    }

    fn label(&self, e: &Evidence<'_>, gap: &Gap<'_>) -> Option<Label> {
        let is_handshake = matches!(gap.kind, GapKind::Definite(cause) if cause.limit == Limit::Handshake);
        (e.context.is_one_sided && !is_handshake).then(|| Cause::plain(Limit::Unobserved).into())
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
