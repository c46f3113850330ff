//! Facts that the packets around one gap between sends prove. `infer/hypotheses/of_facts.rs` maps them to
//! causes.

/// A fact about a gap that can be understood without its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum GapFact {
    /// A SYN or SYN-ACK was in flight.
    HandshakeUnderWay,
    /// A SYN or SYN-ACK was retransmitted.
    SynRepeated,
    /// The receiver acknowledged data that is missing from the capture.
    DataNotCaptured,
    /// The capture started mid-connection: the bytes in flight before the first ACK are unknown.
    JoinedMidStream,
    /// Data was in flight, but no packet was captured for longer than any timer or acknowledgment takes.
    SilentBeyondTimers,
    /// The receiver advertised a zero window before the first data, and the data came when the window opened.
    WindowClosedBeforeData,
    /// Nothing was in flight and the peer sent no payload, until this side sent the next data.
    NothingInFlight,
    /// Nothing was in flight until the peer's payload arrived.
    PeerDataAwaited,
    /// Nothing was in flight and the peer's payload had arrived, until this side sent.
    AnswerAwaited,
    /// Nothing was in flight, and the peer retransmitted its payload because it got no acknowledgment.
    PeerRepeatedUnanswered,
    /// Everything was acknowledged, and the peer had sent its FIN.
    PeerHadClosed,
    /// A small segment waited one round trip of the path for the ACK of the data before it.
    FragmentHeld,
    /// A small segment waited beyond the path's round trip, because that ACK came late.
    AckOfFragmentLate,
    /// The previous data ended with a fragment although both windows had room: the send queue was empty.
    FragmentLeftQueueEmpty,
    /// The receiver reported a hole, and new data continued for longer than reordering explains. No
    /// retransmission was captured.
    HoleLeftOpen,
    /// The receiver reported a hole, and no captured packet filled it until the end.
    HoleNeverFilled,
    /// Duplicate ACKs or SACK reported a hole, and the data was retransmitted.
    RepeatedFast,
    /// Data was retransmitted after a silence as long as the retransmission timer.
    RepeatedByTimer,
    /// The last data was retransmitted after a silence shorter than the timer.
    RepeatedByProbe,
    /// Data was retransmitted, and the receiver reported each retransmission as a duplicate.
    RepeatedNeedlessly,
    /// Data that had arrived was retransmitted after a silence as long as the timer, because no
    /// acknowledgment of it reached the sender.
    RepeatedUnacknowledged,
}

impl GapFact {
    /// All variants, in the order of their declaration.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 21] = [
        Self::HandshakeUnderWay,
        Self::SynRepeated,
        Self::DataNotCaptured,
        Self::JoinedMidStream,
        Self::SilentBeyondTimers,
        Self::WindowClosedBeforeData,
        Self::NothingInFlight,
        Self::PeerDataAwaited,
        Self::AnswerAwaited,
        Self::PeerRepeatedUnanswered,
        Self::PeerHadClosed,
        Self::FragmentHeld,
        Self::AckOfFragmentLate,
        Self::FragmentLeftQueueEmpty,
        Self::HoleLeftOpen,
        Self::HoleNeverFilled,
        Self::RepeatedFast,
        Self::RepeatedByTimer,
        Self::RepeatedByProbe,
        Self::RepeatedNeedlessly,
        Self::RepeatedUnacknowledged,
    ];

    /// Whether the receiver already had all of the retransmitted data.
    pub(crate) fn is_of_duplicates(self) -> bool {
        matches!(self, Self::RepeatedNeedlessly | Self::RepeatedUnacknowledged)
    }

    /// Whether a report of duplicates that withdraws `repeat` also withdraws this fact. It may be a hole or a
    /// silence that was understood as the same kind of loss.
    pub(crate) fn falls_with(self, repeat: Self) -> bool {
        self == repeat
            || matches!(
                (self, repeat),
                (Self::HoleLeftOpen, Self::RepeatedFast) | (Self::PeerRepeatedUnanswered, Self::RepeatedByTimer)
            )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_listed_once() {
        for (place, fact) in GapFact::ALL.into_iter().enumerate() {
            assert_eq!(fact as usize, place);
        }
    }

    /// A report of duplicates withdraws the retransmissions that it names and facts that were understood as
    /// the same loss. It withdraws neither pauses of the application nor other kinds of retransmissions.
    #[test]
    fn duplicates_withdraw_repeats_alone() {
        let fallen = |repeat| GapFact::ALL.into_iter().filter(|fact| fact.falls_with(repeat)).collect::<Vec<_>>();
        assert_eq!(fallen(GapFact::RepeatedFast), [GapFact::HoleLeftOpen, GapFact::RepeatedFast]);
        assert_eq!(fallen(GapFact::RepeatedByTimer), [GapFact::PeerRepeatedUnanswered, GapFact::RepeatedByTimer]);
        assert_eq!(fallen(GapFact::RepeatedByProbe), [GapFact::RepeatedByProbe]);
    }
}
