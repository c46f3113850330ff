//! Everything was sent, and its last flight is on its way.

use tcpwhy_model::{Cause, Limit, Reason};

use super::super::decide::{Gap, Label};
use super::GapHypothesis;
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;

/// Nothing is left to send: the time until the last acknowledgment is the path's delay.
pub(super) struct LastFlight;

impl GapHypothesis for LastFlight {
    const REASON: Reason = Reason::LastFlight;
    const CONFIDENCE: f32 = 0.9;

    fn label(&self, _: &Evidence<'_>, gap: &Gap<'_>) -> Option<Label> {
        (gap.kind == GapKind::Tail).then(|| Cause::plain(Limit::TailRtt).into())
    }
}
