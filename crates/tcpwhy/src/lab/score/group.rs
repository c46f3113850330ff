//! The four groups of limits that the truth of a recording tells apart.

use serde::Serialize;
use tcpwhy_model::{Cause, Family, Limit};

/// A group of limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Group {
    /// The path, and what looks for its rate.
    Network,
    /// The sender's socket buffer.
    SendBuffer,
    /// The receiver's window.
    ReceiveWindow,
    /// The sending application, and small writes that wait for ACKs.
    Application,
}

/// A share of time for each group; they add up to 1, or are all 0 where nothing is known.
pub(super) type Shares = [f64; 4];

impl Group {
    pub(super) const ALL: [Self; 4] = [Self::Network, Self::SendBuffer, Self::ReceiveWindow, Self::Application];

    /// Stable id, as in JSON and in the catalogue.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::SendBuffer => "send-buffer",
            Self::ReceiveWindow => "receive-window",
            Self::Application => "application",
        }
    }

    /// The group of a cause: the families that a sampled socket cannot tell apart. `None` for the time before and outside of the
    /// transfer.
    pub(super) const fn of_cause(cause: Cause) -> Option<Self> {
        match cause.family() {
            Some(Family::Loss | Family::Path | Family::SlowStart | Family::CongestionWindow) => Some(Self::Network),
            // Nobody acts on propagation, but it is the path's.
            None if matches!(cause.limit, Limit::TailRtt) => Some(Self::Network),
            Some(Family::SendBuffer) => Some(Self::SendBuffer),
            Some(Family::ReceiveWindow) => Some(Self::ReceiveWindow),
            Some(Family::Application | Family::CloseWait | Family::AckDelay) => Some(Self::Application),
            Some(Family::Handshake) | None => None,
        }
    }

    /// The group of what a sender's own socket said held it (`sampled_pct`). Where the path was kept busy all along (`label`),
    /// taking the send buffer away gains nothing, and an application that waits in `send()` is normal.
    pub(super) fn of_held(held: &str, label: &str) -> Option<Self> {
        match held {
            "sndbuf" if matches!(label, "network" | "queue" | "nic") => Some(Self::Network),
            "cwnd" | "loss" | "pacing" | "nic" => Some(Self::Network),
            "sndbuf" => Some(Self::SendBuffer),
            "rwnd" => Some(Self::ReceiveWindow),
            "idle" | "app" | "nagle" => Some(Self::Application),
            _ => None,
        }
    }

    /// The groups that are right about an imposed cause; `None` where nothing in particular was imposed.
    pub(super) fn imposed(label: &str) -> Option<Vec<Self>> {
        Some(match label {
            "sndbuf" => vec![Self::SendBuffer],
            "rcvbuf" | "reader" => vec![Self::ReceiveWindow],
            "network" | "nic" | "queue" | "loss" | "slowstart" => vec![Self::Network],
            "app" | "nagle" => vec![Self::Application],
            "idle" | "latency" => vec![Self::Application, Self::Network],
            _ => return None,
        })
    }

    /// The group of a factor that a counterfactual run took away.
    pub(super) fn of_factor(factor: &str) -> Option<Self> {
        match factor {
            "sndbuf" => Some(Self::SendBuffer),
            "rcvbuf" | "reader" => Some(Self::ReceiveWindow),
            "rate" | "queue" | "loss" => Some(Self::Network),
            "writer" | "nodelay" => Some(Self::Application),
            _ => None,
        }
    }

    /// The group with the most time, the first of equals.
    pub(super) fn dominant(shares: &Shares) -> Self {
        let mut most = Self::Network;
        for group in Self::ALL {
            if shares[group as usize] > shares[most as usize] {
                most = group;
            }
        }
        most
    }
}

/// Shares of the time that `parts` name.
pub(super) fn shares(parts: impl IntoIterator<Item = (Group, f64)>) -> Shares {
    let mut sums = Shares::default();
    for (group, time) in parts {
        sums[group as usize] += time;
    }
    let all: f64 = sums.iter().sum();
    if all > 0.0 { sums.map(|sum| sum / all) } else { sums }
}

/// Total variation: half the L1 distance of two distributions, 0 for the same and 1 for disjoint ones.
pub(super) fn distance(a: &Shares, b: &Shares) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
}

/// Whether the largest share is ahead of the next by enough to be called that.
pub(super) fn is_clear(shares: &Shares) -> bool {
    let mut sorted = *shares;
    sorted.sort_by(|a, b| b.total_cmp(a));
    sorted[0] - sorted[1] >= 0.15
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Detail;

    use super::*;

    #[test]
    fn shares_add_up_and_differ_by_what_moved() {
        let a = shares([(Group::Network, 3.0), (Group::SendBuffer, 1.0)]);
        assert!(distance(&a, &[0.75, 0.25, 0.0, 0.0]) < 1e-12, "{a:?}");
        let b = shares([(Group::Network, 1.0), (Group::Application, 1.0)]);
        assert!((distance(&a, &b) - 0.5).abs() < 1e-12);
        assert_eq!(Group::dominant(&a), Group::Network);
        assert!(distance(&shares([]), &Shares::default()) < 1e-12);
    }

    #[test]
    fn every_limit_of_the_transfer_has_a_group() {
        for limit in Limit::ALL {
            let is_outside = matches!(limit, Limit::Handshake | Limit::Unobserved);
            assert_eq!(Group::of_cause(Cause::plain(limit)).is_none(), is_outside, "{limit}");
        }
        assert_eq!(Group::of_cause(Cause::plain(Limit::TailRtt)), Some(Group::Network));
        assert_eq!(Group::of_cause(Detail::Nagle.into()), Some(Group::Application));
        assert_eq!(Group::of_cause(Detail::CloseWait.into()), Some(Group::Application));
    }

    #[test]
    fn a_lead_under_fifteen_percent_is_not_clear() {
        assert!(is_clear(&[0.5, 0.3, 0.2, 0.0]));
        assert!(!is_clear(&[0.4, 0.3, 0.3, 0.0]));
    }

    #[test]
    fn a_blocked_writer_before_a_busy_path_is_the_networks() {
        assert_eq!(Group::of_held("sndbuf", "queue"), Some(Group::Network));
        assert_eq!(Group::of_held("sndbuf", "sndbuf"), Some(Group::SendBuffer));
    }
}
