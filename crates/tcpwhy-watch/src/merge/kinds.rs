//! The kinds of causes that a socket and its packets both show.

use tcpwhy_analysis::SocketKind;
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{Cause, Detail, Limit, LimitTimeline};

/// Who has set the rate of the pacer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PacingRate {
    /// The program (`SO_MAX_PACING_RATE`).
    OfProgram,
    /// Congestion control.
    OfCongestionControl,
}

/// The kind of each cause of one socket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinds {
    pub(super) rate: PacingRate,
    /// The kind of a wait for ACKs that the packets show to be delayed. It is a small write if the socket
    /// shows those, else a program that had no more to send.
    pub(super) delayed_ack: SocketKind,
}

impl Kinds {
    /// The kinds of `socket`, whose time is `kernel`.
    pub(super) fn of(socket: &SocketSample, kernel: &LimitTimeline) -> Self {
        let has_small_writes = kernel.sum(|cause| SocketKind::of(cause) == Some(SocketKind::SmallWrite)).0 > 0;
        Self {
            rate: match socket.info.max_pacing_rate {
                Some(_) => PacingRate::OfProgram,
                None => PacingRate::OfCongestionControl,
            },
            delayed_ack: if has_small_writes { SocketKind::SmallWrite } else { SocketKind::Application },
        }
    }

    /// The kind of `cause`; `None` for the handshake and for time of which nothing is known.
    pub(super) fn kind(self, cause: Cause) -> Option<SocketKind> {
        match SocketKind::of(cause)? {
            SocketKind::Network if self.rate == PacingRate::OfProgram && cause.detail == Some(Detail::Paced) => {
                Some(SocketKind::Pacing)
            }
            SocketKind::Application if cause.limit == Limit::AckDelay => Some(self.delayed_ack),
            kind => Some(kind),
        }
    }
}
