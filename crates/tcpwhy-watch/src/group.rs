//! Groups of limits that packets and sockets both distinguish.

use tcpwhy_model::{Cause, Family, Limit, LimitTimeline};

use super::hypotheses::Held;

/// A group of limits. Samples of a socket, its packets and the imposed cause all distinguish the same groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LimitGroup {
    /// The path, and what looks for its rate.
    Network,
    /// The sender's socket buffer.
    SendBuffer,
    /// The receiver's window.
    ReceiveWindow,
    /// The sending application, and small writes that wait for ACKs.
    Application,
}

/// A number for each group, in the order of [`LimitGroup::ALL`].
pub type ByGroup<T> = [T; LimitGroup::ALL.len()];

impl LimitGroup {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Network, Self::SendBuffer, Self::ReceiveWindow, Self::Application];

    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::SendBuffer => "send_buffer",
            Self::ReceiveWindow => "receive_window",
            Self::Application => "application",
        }
    }

    /// The group of a cause; `None` for the time before and outside of the transfer. A sender that waits for
    /// the ACKs of its last data has nothing more to send: its socket shows that as an application that gave
    /// no more.
    pub const fn of_cause(cause: Cause) -> Option<Self> {
        match cause.family() {
            Some(Family::Loss | Family::Path | Family::SlowStart | Family::CongestionWindow) => Some(Self::Network),
            Some(Family::SendBuffer) => Some(Self::SendBuffer),
            Some(Family::ReceiveWindow) => Some(Self::ReceiveWindow),
            Some(Family::Application | Family::CloseWait | Family::AckDelay) => Some(Self::Application),
            None if matches!(cause.limit, Limit::TailRtt) => Some(Self::Application),
            Some(Family::Handshake) | None => None,
        }
    }

    /// The group of what a socket shows.
    pub const fn of_held(held: Held) -> Self {
        match held {
            Held::Cwnd | Held::Loss | Held::Pacing | Held::Nic => Self::Network,
            Held::Sndbuf => Self::SendBuffer,
            Held::Rwnd => Self::ReceiveWindow,
            Held::Idle | Held::App | Held::PeerWindow | Held::Nagle => Self::Application,
        }
    }

    /// The groups with their shares, the largest first.
    pub fn largest_first(shares: ByGroup<f64>) -> Vec<(Self, f64)> {
        let mut all: Vec<_> = Self::ALL.into_iter().zip(shares).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// Nanoseconds of `timeline` in each group.
    pub fn nanos(timeline: &LimitTimeline) -> ByGroup<i64> {
        let mut nanos = ByGroup::default();
        for total in timeline.totals() {
            if let Some(group) = Self::of_cause(total.cause) {
                nanos[group as usize] += total.nanos;
            }
        }
        nanos
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_model::Detail;

    use super::*;

    #[test]
    fn the_largest_group_comes_first() {
        let groups = LimitGroup::largest_first([0.1, 0.2, 0.7, 0.0]).into_iter().map(|(group, _)| group);
        let expected =
            [LimitGroup::ReceiveWindow, LimitGroup::SendBuffer, LimitGroup::Network, LimitGroup::Application];
        assert_eq!(groups.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_limit_of_the_transfer_has_a_group() {
        for limit in Limit::ALL {
            let is_outside = matches!(limit, Limit::Handshake | Limit::Unobserved);
            assert_eq!(LimitGroup::of_cause(Cause::plain(limit)).is_none(), is_outside, "{limit}");
        }
        assert_eq!(LimitGroup::of_cause(Cause::plain(Limit::TailRtt)), Some(LimitGroup::Application));
        assert_eq!(LimitGroup::of_cause(Detail::Nagle.into()), Some(LimitGroup::Application));
        assert_eq!(LimitGroup::of_cause(Detail::CloseWait.into()), Some(LimitGroup::Application));
    }
}
