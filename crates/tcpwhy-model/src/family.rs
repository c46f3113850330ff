//! Families of causes that the same change fixes, and whether a cause is removable.

use crate::{Cause, Detail, Limit};

/// Causes that the same change fixes: all forms of one limit. Consequences of a loss belong to the loss
/// family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Repeated SYNs.
    Handshake,
    /// Lost packets, their retransmission and the congestion window reduced by them; also a policer's drops.
    Loss,
    /// The receiver's window.
    ReceiveWindow,
    /// Nagle's algorithm and delayed ACKs.
    AckDelay,
    /// The sending application.
    Application,
    /// The connection kept open after everything was sent.
    CloseWait,
    /// The capacity of the path.
    Path,
    /// The sender's socket buffer.
    SendBuffer,
    /// The congestion window was still growing in slow start.
    SlowStart,
    /// The congestion window without any loss.
    CongestionWindow,
}

impl Family {
    /// All families.
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
    /// Family of the cause; `None` if no change could fix it: unobserved time, propagation, a handshake
    /// without retransmission.
    pub const fn family(self) -> Option<Family> {
        Some(match (self.limit, self.detail) {
            (Limit::Unobserved | Limit::TailRtt, _) | (Limit::Handshake, None) => return None,
            (Limit::Handshake, Some(_)) => Family::Handshake,
            (Limit::LossRecovery, _) | (_, Some(Detail::Policer | Detail::PostLoss)) => Family::Loss,
            (Limit::ReceiveWindow, _) => Family::ReceiveWindow,
            (Limit::AckDelay, _) => Family::AckDelay,
            // After all data was sent, writing faster changes nothing.
            (Limit::Application, Some(Detail::CloseWait)) => Family::CloseWait,
            (Limit::Application, _) => Family::Application,
            (Limit::Path, _) => Family::Path,
            (Limit::SendBuffer, _) => Family::SendBuffer,
            (Limit::SlowStart, _) => Family::SlowStart,
            (Limit::CongestionWindow, _) => Family::CongestionWindow,
        })
    }

    /// Whether a change to a host, an application or the network could remove this cause. Propagation, full
    /// use of a healthy path, slow start and an idle application are not removable. An application that
    /// answers or writes slowly, or waits for its peer to grant more bytes, is removable.
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
        // The fix concerns the queue that sets the ECN mark; no packet was lost.
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
