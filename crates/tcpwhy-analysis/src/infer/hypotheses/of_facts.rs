//! Table of the causes and reasons of gaps that show their cause by themselves.

use tcpwhy_model::{Cause, Detail, Limit, Reason};

use crate::facts::gap_fact::GapFact;

/// The only cause that `fact` allows, and the reason that `--why` reports.
pub(super) fn of_fact(fact: GapFact) -> (Cause, Reason) {
    let unobserved = Cause::plain(Limit::Unobserved);
    match fact {
        GapFact::HandshakeUnderWay => (Cause::plain(Limit::Handshake), Reason::HandshakeUnderWay),
        GapFact::SynRepeated => (Detail::SynRto.into(), Reason::SynRepeated),
        GapFact::DataNotCaptured | GapFact::JoinedMidStream | GapFact::SilentBeyondTimers => {
            (unobserved, Reason::DataNotCaptured)
        }
        GapFact::WindowClosedBeforeData => (Detail::ZeroWindow.into(), Reason::WindowZero),
        GapFact::NothingInFlight => (Detail::Idle.into(), Reason::NothingInFlight),
        GapFact::PeerDataAwaited => (Detail::PeerTurn.into(), Reason::PeerAwaited),
        GapFact::AnswerAwaited => (Detail::Think.into(), Reason::AnswerAwaited),
        // The path was down, and the application did not pause: this side's timer would have expired as well.
        GapFact::PeerRepeatedUnanswered | GapFact::RepeatedByTimer => (Detail::Rto.into(), Reason::TimerRanOut),
        GapFact::PeerHadClosed => (Detail::CloseWait.into(), Reason::PeerHadClosed),
        GapFact::FragmentHeld => (Detail::Nagle.into(), Reason::SmallSegmentHeld),
        GapFact::AckOfFragmentLate => (Detail::DelayedAck.into(), Reason::AckHeldBack),
        GapFact::FragmentLeftQueueEmpty => (Detail::PacedWrites.into(), Reason::SmallSegmentHeld),
        GapFact::HoleLeftOpen | GapFact::RepeatedFast => (Detail::Fast.into(), Reason::FastRetransmit),
        // The sender's timer kept running, and its retransmissions never reached the capture point.
        GapFact::HoleNeverFilled => (Detail::Rto.into(), Reason::HoleNeverFilled),
        GapFact::RepeatedByProbe => (Detail::Tlp.into(), Reason::ProbeOfTail),
        GapFact::RepeatedNeedlessly => (Detail::Spurious.into(), Reason::NothingLost),
        GapFact::RepeatedUnacknowledged => (Detail::LostAcks.into(), Reason::TimerRanOut),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines have the form `cause: reason`, in the order of [`GapFact::ALL`].
    #[test]
    fn each_fact_has_its_cause_and_its_reason() {
        let expected = [
            "handshake: handshake_under_way",
            "handshake/syn_rto: syn_repeated",
            "unobserved: data_not_captured",
            "unobserved: data_not_captured",
            "unobserved: data_not_captured",
            "receive_window/zero_window: window_zero",
            "application/idle: nothing_in_flight",
            "application/peer_turn: peer_awaited",
            "application/think: answer_awaited",
            "loss_recovery/rto: timer_ran_out",
            "application/close_wait: peer_had_closed",
            "ack_delay/nagle: small_segment_held",
            "ack_delay/delayed_ack: ack_held_back",
            "application/paced_writes: small_segment_held",
            "loss_recovery/fast: fast_retransmit",
            "loss_recovery/rto: hole_never_filled",
            "loss_recovery/fast: fast_retransmit",
            "loss_recovery/rto: timer_ran_out",
            "loss_recovery/tlp: probe_of_tail",
            "loss_recovery/spurious: nothing_lost",
            "loss_recovery/lost_acks: timer_ran_out",
        ];
        let name = |fact| {
            let (cause, reason) = of_fact(fact);
            let detail = cause.detail.map(|d| format!("/{}", d.id())).unwrap_or_default();
            format!("{}{detail}: {}", cause.limit.id(), reason.id())
        };
        assert_eq!(GapFact::ALL.map(name), expected);
    }
}
