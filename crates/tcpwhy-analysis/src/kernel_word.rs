//! Effect of the kernel's data on the verdict on a direction whose packets were captured as well.

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
    /// Nothing was left to send.
    Application,
    /// Less than a segment waited for an ACK (Nagle), or was held (`TCP_CORK`).
    SmallWrite,
    /// Unsent data waited for the pacer, at the rate that the program has set (`SO_MAX_PACING_RATE`).
    Pacing,
}

impl SocketKind {
    /// All kinds.
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

    /// Returns the kind of `cause`; `None` for the handshake and for unknown time. The owner of a pacer's
    /// rate is not visible in it.
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

/// Share of a kind in the time whose cause both kernel and packets show, according to each of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindShares {
    /// The kind.
    pub kind: SocketKind,
    /// Share according to the kernel, from 0 to 1.
    pub kernel: f64,
    /// Share according to the packets alone, from 0 to 1.
    pub packets: f64,
}

/// The largest difference between the kernel's shares and those of the packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelDifference {
    /// The time whose cause both show, without loss repairs, nanoseconds. All shares are parts of it.
    pub nanos: i64,
    /// The kind to which the kernel assigns more time.
    pub more: KindShares,
    /// The kind to which the kernel assigns less time.
    pub less: KindShares,
}

/// Effect of the kernel's data on the verdict on a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum KernelWord {
    /// Kernel and packets agree within the sampling error. Packets cover each instant, so their time counts.
    #[default]
    Agrees,
    /// They differ, and the kernel observed most of the time, so its shares decide.
    Decides(KernelDifference),
    /// They differ, and the kernel observed too little of the time, so the packets decide.
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

    /// Returns the difference, if there is one.
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

    /// Data that waits to become a segment does not mean that the program has nothing to send.
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
