//! The table of causes: which are acted on together, and which a change can take away.

use crate::{Cause, Detail, Limit};

/// Causes that the same change concerns: all forms of one limit, and what a loss leads to counts as loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Repeated SYNs.
    Handshake,
    /// Lost packets, their repair, and the congestion window that they cut; a policer's drops among them.
    Loss,
    /// The receiver's window.
    ReceiveWindow,
    /// Nagle's algorithm and delayed ACKs.
    AckDelay,
    /// The application of the sender.
    Application,
    /// The connection kept open after everything was sent.
    CloseWait,
    /// The capacity of the path.
    Path,
    /// The sender's socket buffer.
    SendBuffer,
    /// The window was still opening.
    SlowStart,
    /// The congestion window without any loss.
    CongestionWindow,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Handshake,
        Self::Loss,
        Self::ReceiveWindow,
        Self::AckDelay,
        Self::Application,
        Self::CloseWait,
        Self::Path,
        Self::SendBuffer,
        Self::SlowStart,
        Self::CongestionWindow,
    ];

    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Loss => "loss",
            Self::ReceiveWindow => "receive_window",
            Self::AckDelay => "ack_delay",
            Self::Application => "application",
            Self::CloseWait => "close_wait",
            Self::Path => "path",
            Self::SendBuffer => "send_buffer",
            Self::SlowStart => "slow_start",
            Self::CongestionWindow => "congestion_window",
        }
    }
}

impl Cause {
    /// What the cause is acted on with; `None` for what nobody acts on: what the capture does not show, propagation, a
    /// handshake without repeats.
    pub const fn family(self) -> Option<Family> {
        Some(match (self.limit, self.detail) {
            (Limit::Unobserved | Limit::TailRtt, _) | (Limit::Handshake, None) => return None,
            (Limit::Handshake, Some(_)) => Family::Handshake,
            (Limit::LossRecovery, _) | (_, Some(Detail::Policer | Detail::PostLoss)) => Family::Loss,
            (Limit::ReceiveWindow, _) => Family::ReceiveWindow,
            (Limit::AckDelay, _) => Family::AckDelay,
            // After all was sent, writing faster changes nothing.
            (Limit::Application, Some(Detail::CloseWait)) => Family::CloseWait,
            (Limit::Application, _) => Family::Application,
            (Limit::Path, _) => Family::Path,
            (Limit::SendBuffer, _) => Family::SendBuffer,
            (Limit::SlowStart, _) => Family::SlowStart,
            (Limit::CongestionWindow, _) => Family::CongestionWindow,
        })
    }

    /// Whether a change to a host, an application or the network could take this cause away. Propagation, healthy use of the
    /// whole path, opening a connection and an application that has nothing to say are no losses; one that is asked and takes
    /// long to answer, writes too slowly, or may not send more until its peer grants it, is.
    pub const fn is_removable(self) -> bool {
        match self.limit {
            Limit::SendBuffer | Limit::AckDelay | Limit::LossRecovery | Limit::CongestionWindow => true,
            Limit::ReceiveWindow => !matches!(self.detail, Some(Detail::Ramp)),
            Limit::Handshake => matches!(self.detail, Some(Detail::SynRto)),
            Limit::Path => matches!(self.detail, Some(Detail::Policer | Detail::AckQueue)),
            Limit::Application => {
                matches!(self.detail, Some(Detail::PacedWrites | Detail::Think | Detail::PeerWindow))
            }
            Limit::Unobserved | Limit::TailRtt | Limit::SlowStart => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_loss_leads_to_is_loss() {
        let repairs = [Detail::Fast, Detail::Rto, Detail::Tlp, Detail::Spurious, Detail::LostAcks];
        for detail in repairs.into_iter().chain([Detail::PostLoss, Detail::Policer]) {
            assert_eq!(Cause::from(detail).family(), Some(Family::Loss), "{detail:?}");
        }
        // The queue that marks is what is acted on, and nothing is lost.
        assert_eq!(Cause::from(Detail::PostMark).family(), Some(Family::CongestionWindow));
        assert_eq!(Cause::from(Detail::DelayExit).family(), Some(Family::CongestionWindow));
        assert_eq!(Cause::from(Detail::Queue).family(), Some(Family::Path));
    }

    #[test]
    fn what_nobody_acts_on_has_no_family_and_cannot_be_removed() {
        for limit in [Limit::Unobserved, Limit::TailRtt, Limit::Handshake] {
            assert_eq!(Cause::plain(limit).family(), None);
            assert!(!Cause::plain(limit).is_removable());
        }
        assert!(Cause::from(Detail::SynRto).is_removable() && !Cause::from(Detail::Ramp).is_removable());
        assert!(Cause::from(Detail::PeerWindow).is_removable());
        for detail in [Detail::Idle, Detail::PeerTurn, Detail::CloseWait] {
            assert!(!Cause::from(detail).is_removable(), "{detail:?}");
        }
    }
}
