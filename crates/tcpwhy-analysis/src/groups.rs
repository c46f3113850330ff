//! Groups of connections with a common property.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Limit};

use crate::answer::Order;
use crate::outcome::Connection;
use crate::problems::{is_saving_predicted, lost_nanos, principal_half};

/// Number of groups that are kept. The lowest in order stay, so the order of connections does not matter.
const MOST_GROUPS: usize = 10_000;

/// The common property of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// The server's address.
    Host,
    /// The server's port.
    Port,
    /// The limit that slowed them.
    Cause,
}

/// The value that connections of a group share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKey {
    /// The server's address.
    Host(IpAddr),
    /// The server's port.
    Port(u16),
    /// The limit that slowed them; `None` if there was none.
    Cause(Option<Limit>),
}

/// Sums of a group.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Number of connections.
    pub connections: u64,
    /// Payload of both directions.
    pub bytes: u64,
    /// Retransmitted payload.
    pub retransmitted: u64,
    /// The longest connection, nanoseconds.
    pub nanos: i64,
    /// Time lost by the connection that lost most, nanoseconds: times of several connections overlap.
    pub most_lost: i64,
    /// Whether [`Self::most_lost`] is predicted rather than an upper bound.
    pub is_predicted: bool,
    /// Time lost by limit, to name the one with most.
    by_limit: [i128; Limit::ALL.len()],
}

impl Group {
    /// The limit that cost the group most; `None` if none cost anything.
    pub fn main_limit(&self) -> Option<Limit> {
        let most = Limit::ALL.into_iter().max_by_key(|&limit| self.by_limit[limit as usize]);
        most.filter(|&limit| self.by_limit[limit as usize] > 0)
    }
}

/// Connections with data, by their common property.
#[derive(Clone, Debug)]
pub struct Groups {
    by: GroupBy,
    found: BTreeMap<GroupKey, Group>,
    others: u64,
}

impl Groups {
    /// Creates an empty value.
    pub const fn new(by: GroupBy) -> Self {
        Self { by, found: BTreeMap::new(), others: 0 }
    }

    /// The common property of a group.
    pub const fn by(&self) -> GroupBy {
        self.by
    }

    /// Returns the number of connections of groups that were not kept.
    pub const fn others(&self) -> u64 {
        self.others
    }

    /// Counts a connection with data.
    pub fn add(&mut self, connection: &Connection) {
        let principal = principal_half(connection);
        let lost = principal.map_or(0, lost_nanos);
        let limit = principal.and_then(|half| half.verdict.cause).map(|cause| cause.limit);
        let key = match self.by {
            GroupBy::Host => GroupKey::Host(server(connection).address),
            GroupBy::Port => GroupKey::Port(server(connection).port),
            GroupBy::Cause => GroupKey::Cause(limit),
        };
        let group = self.found.entry(key).or_default();
        group.connections += 1;
        group.bytes += connection.bytes();
        group.retransmitted += connection.retransmitted_bytes();
        group.nanos = group.nanos.max(principal.map_or(0, |half| half.span.nanos()));
        // For equal losses the choice does not depend on the order of connections.
        let is_predicted = principal.is_some_and(is_saving_predicted);
        (group.most_lost, group.is_predicted) = (group.most_lost, group.is_predicted).max((lost, is_predicted));
        if let Some(limit) = limit {
            group.by_limit[limit as usize] += i128::from(lost);
        }
        if self.found.len() > MOST_GROUPS
            && let Some((_, last)) = self.found.pop_last()
        {
            // The lower ones stay, so a removed group never returns, and the remaining groups are complete.
            self.others += last.connections;
        }
    }

    /// Returns the kept groups, sorted by `order` with the largest first.
    pub fn ranked(&self, order: Order) -> Vec<(GroupKey, &Group)> {
        let mut all: Vec<_> = self.found.iter().map(|(&key, group)| (key, group)).collect();
        all.sort_by_key(|(key, group)| {
            let first = match order {
                Order::Saving => group.most_lost.unsigned_abs(),
                Order::Bytes => group.bytes,
                Order::Time => group.nanos.unsigned_abs(),
                Order::Retransmissions => group.retransmitted,
            };
            (Reverse(first), Reverse(group.bytes), *key)
        });
        all
    }
}

/// Returns the server of the connection.
fn server(connection: &Connection) -> Endpoint {
    connection.endpoints[connection.server().index()]
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Severity};

    use super::*;
    use crate::outcome::Role;
    use crate::testing::{connection, half};

    /// Two transfers: a long one of few bytes whose buffer can change, and a short large one on a saturated
    /// path.
    fn groups() -> Groups {
        let mut groups = Groups::new(GroupBy::Cause);
        for (limit, severity, seconds, bytes) in
            [(Limit::SendBuffer, Some(Severity::Critical), 9, 10), (Limit::Path, None, 2, 5000)]
        {
            let mut data = half(Role::Server, severity, &[(seconds, Cause::plain(limit))], Vec::new());
            data.bytes = bytes;
            groups.add(&connection(vec![data]));
        }
        groups
    }

    #[test]
    fn groups_come_in_each_order() {
        let groups = groups();
        let first = |order| groups.ranked(order).first().map(|group| group.0);
        let [buffer, path] = [Limit::SendBuffer, Limit::Path].map(|limit| Some(GroupKey::Cause(Some(limit))));
        assert_eq!([Order::Saving, Order::Bytes, Order::Time].map(first), [buffer, path, buffer]);
    }

    #[test]
    fn a_group_names_the_limit_that_cost_most() {
        let groups = groups();
        let limits = groups.ranked(Order::Time).iter().map(|(_, group)| group.main_limit()).collect::<Vec<_>>();
        assert_eq!(limits, [Some(Limit::SendBuffer), None]);
    }
}
