//! Groups of limits that can be distinguished both from packets and from socket samples.

use crate::{Cause, Family, Limit, LimitTimeline};

/// A group of limits. Socket samples, packets and the configured cause of a test all distinguish these
/// groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LimitGroup {
    /// The path, and the congestion control that probes for its rate.
    Network,
    /// The sender's socket buffer.
    SendBuffer,
    /// The receiver's window.
    ReceiveWindow,
    /// The sending application, and small writes that wait for ACKs.
    Application,
}

/// A value per group, in the order of [`LimitGroup::ALL`].
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

    /// Group of a cause; `None` for time outside the transfer. A sender that waits for the ACKs of its last
    /// data has nothing more to send, so its socket shows an application limit.
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

    /// Share of each group in the total time of `parts`; 0 if there is none.
    pub fn shares(parts: impl IntoIterator<Item = (Self, f64)>) -> ByGroup<f64> {
        let mut sums = ByGroup::<f64>::default();
        for (group, time) in parts {
            sums[group as usize] += time;
        }
        let all: f64 = sums.iter().sum();
        if all > 0.0 { sums.map(|sum| sum / all) } else { sums }
    }

    /// Total variation: half the L1 distance of two distributions. 0 for equal, 1 for disjoint ones.
    pub fn distance(a: &ByGroup<f64>, b: &ByGroup<f64>) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
    }

    /// Groups with their shares, largest first.
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
    use super::*;
    use crate::Detail;

    #[test]
    fn the_largest_group_comes_first() {
        let groups = LimitGroup::largest_first([0.1, 0.2, 0.7, 0.0]).into_iter().map(|(group, _)| group);
        let expected =
            [LimitGroup::ReceiveWindow, LimitGroup::SendBuffer, LimitGroup::Network, LimitGroup::Application];
        assert_eq!(groups.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn shares_add_up_and_differ_by_what_moved() {
        let a = LimitGroup::shares([(LimitGroup::Network, 3.0), (LimitGroup::SendBuffer, 1.0)]);
        assert!(LimitGroup::distance(&a, &[0.75, 0.25, 0.0, 0.0]) < 1e-12, "{a:?}");
        let b = LimitGroup::shares([(LimitGroup::Network, 1.0), (LimitGroup::Application, 1.0)]);
        assert!((LimitGroup::distance(&a, &b) - 0.5).abs() < 1e-12);
        assert!(LimitGroup::distance(&LimitGroup::shares([]), &ByGroup::default()) < 1e-12);
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
