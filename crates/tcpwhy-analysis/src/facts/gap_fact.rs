//! What the packets around one gap between sends show by themselves. `infer/hypotheses/of_facts.rs` names the causes.

/// What was seen in a gap that needs no neighbour to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum GapFact {
    /// A SYN or SYN-ACK was under way.
    HandshakeUnderWay,
    /// A SYN or SYN-ACK was sent again.
    SynRepeated,
    /// The receiver acknowledged data that the capture does not have.
    DataNotCaptured,
    /// The capture began in mid-connection: what was in flight before the first ACK is not known.
    JoinedMidStream,
    /// Data was in flight, and for longer than any timer or acknowledgment takes nothing was captured.
    SilentBeyondTimers,
    /// The window was closed before the first data, and the data came when it opened.
    WindowClosedBeforeData,
    /// Nothing was in flight, the peer sent no payload, and this side sent next.
    NothingInFlight,
    /// Nothing was in flight until the peer's payload came.
    PeerDataAwaited,
    /// Nothing was in flight, and the peer's payload had come: until this side sent.
    AnswerAwaited,
    /// Nothing was in flight, and the peer repeated its payload because nothing acknowledged it.
    PeerRepeatedUnanswered,
    /// Everything was acknowledged, and the peer had sent its FIN.
    PeerHadClosed,
    /// A small segment waited for the ACK of the data before it, for the path's round trip.
    FragmentHeld,
    /// That ACK came later than the path's round trip explains.
    AckOfFragmentLate,
    /// The data before ended with a fragment although both windows had room: the send queue was empty.
    FragmentLeftQueueEmpty,
    /// A hole was reported, and new data went on for longer than reordering explains; no repeat was captured.
    HoleLeftOpen,
    /// The receiver reported a hole, and nothing that was captured until the end filled it.
    HoleNeverFilled,
    /// Duplicate ACKs or SACK reported a hole, and the data was sent again.
    RepeatedFast,
    /// Data was sent again after a silence as long as the retransmission timer.
    RepeatedByTimer,
    /// The last data was sent again after a shorter silence.
    RepeatedByProbe,
    /// Data was sent again, and the receiver reported each repeat as a duplicate.
    RepeatedNeedlessly,
    /// Data that had arrived was retransmitted after a silence as long as the timer: no acknowledgment of it
    /// reached the sender.
    RepeatedUnacknowledged,
}

impl GapFact {
    /// All of them, in the order of their declaration.
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

    /// Whether the repeats that it names are known to have brought nothing new.
    pub(crate) fn is_of_duplicates(self) -> bool {
        matches!(self, Self::RepeatedNeedlessly | Self::RepeatedUnacknowledged)
    }

    /// Whether a report of duplicates withdraws this fact along with `repeat`: a hole or a silence that was understood as the same
    /// kind of loss.
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

    /// Duplicates that the receiver reports withdraw the repeats they are of, and what was understood as the same loss: no pause of
    /// the application, and no repeat of another kind.
    #[test]
    fn duplicates_withdraw_repeats_alone() {
        let fallen = |repeat| GapFact::ALL.into_iter().filter(|fact| fact.falls_with(repeat)).collect::<Vec<_>>();
        assert_eq!(fallen(GapFact::RepeatedFast), [GapFact::HoleLeftOpen, GapFact::RepeatedFast]);
        assert_eq!(fallen(GapFact::RepeatedByTimer), [GapFact::PeerRepeatedUnanswered, GapFact::RepeatedByTimer]);
        assert_eq!(fallen(GapFact::RepeatedByProbe), [GapFact::RepeatedByProbe]);
    }
}
