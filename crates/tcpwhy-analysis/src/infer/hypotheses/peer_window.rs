//! Application: its peer's protocol allows no more at a time.

use tcpwhy_model::{Detail, Reason};

use super::super::decision::Label;
use super::super::direction::{Carried, Direction, Renaming, Values};
use super::scope::{Hypothesis, Kept, OfDirection, OfSlot};
use crate::infer::conditions::Evidence;

/// Data follows the peer's messages rather than ACKs, much for few bytes. So a protocol above TCP has a
/// window, or a number of blocks that may be unanswered. Examples are HTTP/2's streams (RFC 9113 §5.2),
/// SSH's channels (RFC 4254 §5.2) and SFTP.
pub(super) struct PeerGrants;

impl Hypothesis<OfSlot> for PeerGrants {
    const REASON: Reason = Reason::PeerGrants;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.awaits_peer() && e.is_granted()).then(|| Detail::PeerWindow.into())
    }
}

/// Most of what it waited for its peer, the peer's protocol allowed no more: the rest, after everything had
/// arrived, is the same.
pub(super) struct GrantsThroughout;

impl Hypothesis<OfDirection> for GrantsThroughout {
    const REASON: Reason = Reason::PeerGrantsThroughout;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let nanos_of = |detail: Detail| d.limits.nanos_of_cause(detail.into());
        let turns = nanos_of(Detail::PeerTurn);
        (turns > 0 && nanos_of(Detail::PeerWindow) > turns).then(|| Renaming {
            causes: vec![Detail::PeerTurn.into()],
            to: Detail::PeerWindow.into(),
            carried: Carried::Nothing,
            values: Values::OfInterval,
        })
    }
}
