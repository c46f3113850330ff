//! Application: it waits for a message of its peer before it sends more.

use tcpwhy_model::{Detail, Reason};

use super::super::decision::Label;
use super::scope::{Hypothesis, OfSlot};
use crate::infer::conditions::Evidence;

/// ACKs make room, but data follows only after the peer's next message, at once. The application has its own
/// window or acknowledgments, such as SSH's channels (RFC 4254 §5.2) and HTTP/2's streams (RFC 9113 §5.2).
pub(super) struct PeerReleases;

impl Hypothesis<OfSlot> for PeerReleases {
    const REASON: Reason = Reason::PeerReleases;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.awaits_peer().then(|| Detail::PeerTurn.into())
    }
}
