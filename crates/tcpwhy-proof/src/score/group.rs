//! The four groups of limits that the truth of a recording distinguishes.

use serde::Serializer;
use tcpwhy_model::{ByGroup, Cause, Limit};
use tcpwhy_watch::Held;

pub(super) use tcpwhy_model::LimitGroup as Group;

/// A share of time for each group. They add up to 1, or are all 0 if nothing is known.
pub(super) type Shares = ByGroup<f64>;

/// The group of a cause. Propagation cannot be fixed, but it belongs to the path. So the final round trip
/// counts as network, although a socket that waits for it has nothing more to send.
pub(super) const fn of_cause(cause: Cause) -> Option<Group> {
    match cause.limit {
        Limit::TailRtt => Some(Group::Network),
        _ => Group::of_cause(cause),
    }
}

/// The group of the limit that a sender's own socket showed (`sampled_pct`). If the path was saturated
/// throughout (`label`), removing the send buffer gains nothing, and a blocked `send()` is normal.
pub(super) fn of_held(held: &str, label: &str) -> Option<Group> {
    match Held::from_id(held)? {
        Held::Sndbuf if matches!(label, "network" | "queue" | "nic") => Some(Group::Network),
        held => Some(held.group()),
    }
}

/// The right groups for a cause that the scenario sets; `None` if it sets no particular one.
pub(super) fn imposed(label: &str) -> Option<Vec<Group>> {
    Some(match label {
        "sndbuf" => vec![Group::SendBuffer],
        "rcvbuf" | "reader" => vec![Group::ReceiveWindow],
        "network" | "nic" | "queue" | "loss" | "slowstart" => vec![Group::Network],
        "app" | "nagle" => vec![Group::Application],
        "idle" | "latency" => vec![Group::Application, Group::Network],
        _ => return None,
    })
}

/// The group of a factor that a counterfactual run removed.
pub(super) fn of_factor(factor: &str) -> Option<Group> {
    match factor {
        "sndbuf" => Some(Group::SendBuffer),
        "rcvbuf" | "reader" => Some(Group::ReceiveWindow),
        "rate" | "queue" | "loss" => Some(Group::Network),
        "writer" | "nodelay" => Some(Group::Application),
        _ => None,
    }
}

/// The group with the most time, the first of equals.
pub(super) fn dominant(shares: &Shares) -> Group {
    let mut most = Group::Network;
    for group in Group::ALL {
        if shares[group as usize] > shares[most as usize] {
            most = group;
        }
    }
    most
}

/// Serialises a group as its id.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
pub(super) fn by_id<S: Serializer>(group: &Group, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(group.id())
}

/// Serialises a group as its id, or as null.
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
pub(super) fn by_id_or_null<S: Serializer>(group: &Option<Group>, serializer: S) -> Result<S::Ok, S::Error> {
    match group {
        Some(group) => serializer.serialize_some(group.id()),
        None => serializer.serialize_none(),
    }
}

/// Whether the largest share is ahead of the next by enough to be clear.
pub(super) fn is_clear(shares: &Shares) -> bool {
    let mut sorted = *shares;
    sorted.sort_by(|a, b| b.total_cmp(a));
    sorted[0] - sorted[1] >= 0.15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_final_round_trip_is_the_networks() {
        assert_eq!(of_cause(Cause::plain(Limit::TailRtt)), Some(Group::Network));
        for limit in Limit::ALL.into_iter().filter(|&limit| limit != Limit::TailRtt) {
            assert_eq!(of_cause(Cause::plain(limit)), Group::of_cause(Cause::plain(limit)), "{limit}");
        }
    }

    #[test]
    fn a_lead_under_fifteen_percent_is_not_clear() {
        assert!(is_clear(&[0.5, 0.3, 0.2, 0.0]));
        assert!(!is_clear(&[0.4, 0.3, 0.3, 0.0]));
    }

    #[test]
    fn a_blocked_writer_before_a_busy_path_is_the_networks() {
        assert_eq!(of_held("sndbuf", "queue"), Some(Group::Network));
        assert_eq!(of_held("sndbuf", "sndbuf"), Some(Group::SendBuffer));
    }
}
