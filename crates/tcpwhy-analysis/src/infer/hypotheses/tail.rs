//! Final round trip: all data was sent and is on its way.

use tcpwhy_model::{Cause, Limit, Reason};

use super::super::decision::{Gap, Label};
use super::scope::{Hypothesis, OfGap};
use crate::facts::slot::GapKind;

/// Nothing is left to send. The time until the last ACK is the delay of the path.
pub(super) struct LastFlight;

impl Hypothesis<OfGap> for LastFlight {
    const REASON: Reason = Reason::LastFlight;
    const CONFIDENCE: f32 = 0.9;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        (gap.kind == GapKind::Tail).then(|| Cause::plain(Limit::TailRtt).into())
    }
}
