//! What the kernel's word is to the verdict on a direction whose packets were captured as well.

use tcpwhy_model::{Cause, Detail, LimitGroup};

/// A kind of cause that a socket shows at any instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SocketKind {
    /// Unsent data waited for the congestion window, for the pacer, or for a repair.
    Network,
    /// The send buffer was full.
    SendBuffer,
    /// Unsent data waited for the peer's window.
    ReceiveWindow,
    /// Nothing was left to be sent.
    Application,
    /// Less than a segment waited for an ACK (Nagle), or was kept (`TCP_CORK`).
    SmallWrite,
    /// Unsent data waited for the pacer, at the rate that the program has set (`SO_MAX_PACING_RATE`).
    Pacing,
}

impl SocketKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Network, Self::SendBuffer, Self::ReceiveWindow, Self::Application, Self::SmallWrite, Self::Pacing];

    /// Stable id in `snake_case`, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::SendBuffer => "send_buffer",
            Self::ReceiveWindow => "receive_window",
            Self::Application => "application",
            Self::SmallWrite => "small_write",
            Self::Pacing => "pacing",
        }
    }

    /// The kind of `cause`; `None` for the handshake and for time of which nothing is known. Whose rate a
    /// pacer has does not show in it.
    pub const fn of(cause: Cause) -> Option<Self> {
        if matches!(cause.detail, Some(Detail::Nagle | Detail::Cork)) {
            return Some(Self::SmallWrite);
        }
        match LimitGroup::of_cause(cause) {
            Some(LimitGroup::Network) => Some(Self::Network),
            Some(LimitGroup::SendBuffer) => Some(Self::SendBuffer),
            Some(LimitGroup::ReceiveWindow) => Some(Self::ReceiveWindow),
            Some(LimitGroup::Application) => Some(Self::Application),
            None => None,
        }
    }
}

/// The share of a kind in the time whose cause kernel and packets both show, by each of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindShares {
    /// Which.
    pub kind: SocketKind,
    /// By the kernel, from 0 to 1.
    pub kernel: f64,
    /// By the packets alone, from 0 to 1.
    pub packets: f64,
}

/// Where the kernel's shares differ most from those of the packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelDifference {
    /// The time whose cause both show, repairs of losses left out, nanoseconds: the whole of all shares.
    pub nanos: i64,
    /// The kind to which the kernel gives more.
    pub more: KindShares,
    /// The kind to which it gives less.
    pub less: KindShares,
}

/// What the kernel's word is to the verdict on a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum KernelWord {
    /// Kernel and packets agree as far as so few samples show. Packets know each instant, so their time
    /// counts.
    #[default]
    Agrees,
    /// They differ, and the kernel watched most of the time: its shares decide.
    Decides(KernelDifference),
    /// They differ, and the kernel watched too little of the time: the packets decide.
    WatchedTooLittle(KernelDifference),
}

impl KernelWord {
    /// Stable id in `snake_case`, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Decides(_) => "decides",
            Self::WatchedTooLittle(_) => "watched_too_little",
        }
    }

    /// Where they differ, if they do.
    pub const fn difference(self) -> Option<KernelDifference> {
        match self {
            Self::Agrees => None,
            Self::Decides(difference) | Self::WatchedTooLittle(difference) => Some(difference),
        }
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Limit;

    use super::*;

    /// Data that waits to become a segment is no program that has nothing to send.
    #[test]
    fn a_socket_shows_small_writes_besides_the_groups() {
        for limit in Limit::ALL {
            let (kind, group) = (SocketKind::of(Cause::plain(limit)), LimitGroup::of_cause(Cause::plain(limit)));
            assert_eq!(kind.map(SocketKind::id), group.map(LimitGroup::id), "{limit}");
        }
        for detail in Detail::ALL {
            let is_small = SocketKind::of(detail.into()) == Some(SocketKind::SmallWrite);
            assert_eq!(is_small, matches!(detail, Detail::Nagle | Detail::Cork), "{detail:?}");
        }
    }
}
