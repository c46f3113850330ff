//! What a gap tells without its neighbours: handshake, repair, nothing in flight, a delayed acknowledgment; or that the
//! capture cannot show it.

use tcpwhy_model::{Cause, Detail, Limit, Reason};

use super::super::decide::{Decision, Gap, Label};
use super::super::evidence::Evidence;
use super::super::slot::GapKind;
use super::{GapHypothesis, GapJudge};

/// No acknowledgment of the data was captured, so what was in flight is not known. The handshake, repeats (a timer ran out,
/// whoever's ACKs are missing) and the time before the first data can be told all the same.
pub(super) struct NotCaptured;

impl GapHypothesis for NotCaptured {
    const REASON: Reason = Reason::AcksNotCaptured;
    const CONFIDENCE: f32 = 0.9;

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

impl ToldByGap {
    const CONFIDENCE: f32 = 0.95;
}

impl GapJudge for ToldByGap {
    fn name(&self) -> &'static str {
        Reason::ToldByGap.id()
    }

    fn judge(&self, _: &Evidence<'_>, gap: &Gap<'_>) -> Option<Decision> {
        match gap.kind {
            GapKind::Definite(cause) => Some(Decision::new(cause.into(), told(cause), Self::CONFIDENCE)),
            _ => None,
        }
    }
}

/// What the ledger saw when it tells this cause.
const fn told(cause: Cause) -> Reason {
    match cause.detail {
        Some(Detail::SynRto) => Reason::SynRepeated,
        Some(Detail::Fast) => Reason::FastRetransmit,
        Some(Detail::Rto) => Reason::TimerRanOut,
        Some(Detail::Tlp) => Reason::ProbeOfTail,
        Some(Detail::Spurious) => Reason::NothingLost,
        Some(Detail::ZeroWindow) => Reason::WindowZero,
        Some(Detail::Nagle | Detail::PacedWrites) => Reason::SmallSegmentHeld,
        Some(Detail::DelayedAck) => Reason::AckHeldBack,
        Some(Detail::Idle) => Reason::NothingInFlight,
        Some(Detail::Think) => Reason::AnswerAwaited,
        Some(Detail::PeerTurn) => Reason::PeerAwaited,
        Some(Detail::CloseWait) => Reason::PeerHadClosed,
        None => match cause.limit {
            Limit::Handshake => Reason::HandshakeUnderWay,
            Limit::Unobserved => Reason::DataNotCaptured,
            _ => Reason::ToldByGap,
        },
        Some(_) => Reason::ToldByGap,
    }
}
