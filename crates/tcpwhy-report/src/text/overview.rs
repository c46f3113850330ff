use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_analysis::{Connection, Ending, Pairs, Side};
use tcpwhy_model::{Endpoint, Finding, Timestamp};

use super::groups::{GroupBy, Groups};
use super::spent::TimeSpent;
use crate::control_channel::control_channels;
use crate::{lost_nanos, principal_half};

/// Whom connections that carried nothing were meant for, and what became of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FailureKey {
    pub(super) ending: FailureKind,
    pub(super) address: IpAddr,
    pub(super) port: u16,
}

/// How a connection failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum FailureKind {
    Unanswered,
    Refused,
}

/// Connections that failed alike.
#[derive(Clone, Debug)]
pub(super) struct Failures {
    pub(super) count: u64,
    /// What was found about the first of them, and its packet.
    pub(super) finding: Option<Finding>,
    first_packet: u64,
}

/// Groups of failures that are told apart; a port scan has more. The lowest in order are kept, so that it does not matter in
/// which order connections come.
const MAX_FAILURE_GROUPS: usize = 1000;

/// Which connections come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Most time lost that a change could win.
    #[default]
    Saving,
    /// Most bytes.
    Bytes,
    /// Longest.
    Time,
    /// Most bytes retransmitted.
    Retransmissions,
}

/// The connections of a source, of which only those that lost the most time are kept.
pub struct Overview {
    top: usize,
    pub(super) order: Order,
    /// The one that lost most, where the order is another.
    worst: Option<Box<Ranked>>,
    pub(super) groups: Option<Groups>,
    pub(super) time: TimeSpent,
    pub(super) pairs: Pairs,
    /// Connections with data, at most `top`; unsorted until more than twice as many came.
    kept: Vec<Ranked>,
    pub(super) connections: u64,
    pub(super) with_data: u64,
    pub(super) with_loss: u64,
    pub(super) bytes: u64,
    pub(super) start: Option<Timestamp>,
    pub(super) end: Option<Timestamp>,
    pub(super) failures: BTreeMap<FailureKey, Failures>,
    /// Failures beyond the groups told apart.
    pub(super) other_failures: u64,
    /// Established connections that carried nothing.
    pub(super) empty: u64,
    /// One connection without data, with what was found about it: the gravest there was.
    pub(super) dataless: Option<Box<Connection>>,
}

struct Ranked {
    rank: Rank,
    connection: Connection,
}

/// Most of what the order is by first, then most lost, most bytes, the earliest.
type Rank = (Reverse<u64>, Reverse<i64>, Reverse<u64>, Timestamp, u64);

impl Overview {
    /// Keeps up to `top` connections, and never fewer than one.
    pub fn new(top: usize) -> Self {
        Self {
            top: top.max(1),
            order: Order::default(),
            worst: None,
            groups: None,
            time: TimeSpent::default(),
            pairs: Pairs::default(),
            kept: Vec::new(),
            connections: 0,
            with_data: 0,
            with_loss: 0,
            bytes: 0,
            start: None,
            end: None,
            failures: BTreeMap::new(),
            other_failures: 0,
            empty: 0,
            dataless: None,
        }
    }

    /// The same, with those first that have most of this.
    #[must_use]
    pub const fn ordered(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// The same, with the connections in groups.
    #[must_use]
    pub fn grouped(mut self, by: GroupBy) -> Self {
        self.groups = Some(Groups::new(by));
        self
    }

    /// Whether no connection was added.
    pub const fn is_empty(&self) -> bool {
        self.connections == 0
    }

    /// Takes a connection into account.
    pub fn add(&mut self, connection: Connection) {
        self.connections += 1;
        if connection.halves.is_empty() {
            self.add_dataless(connection);
            return;
        }
        self.with_data += 1;
        let bytes: u64 = connection.halves.iter().map(|h| h.bytes).sum();
        self.bytes += bytes;
        let span = connection.span;
        self.start = Some(self.start.map_or(span.start(), |s| s.min(span.start())));
        self.end = Some(self.end.map_or(span.end(), |e| e.max(span.end())));
        let lost = lost(&connection);
        self.with_loss += u64::from(lost > 0);
        self.time.add(&connection);
        self.pairs.add(&connection);
        if let Some(groups) = &mut self.groups {
            groups.add(&connection, bytes, lost);
        }
        let key = match self.order {
            Order::Saving => 0,
            // As they stand in the table: of the direction that is spoken of.
            Order::Bytes => principal_half(&connection).map_or(0, |half| half.bytes),
            Order::Time => principal_half(&connection).map_or(0, |half| half.span.nanos().unsigned_abs()),
            Order::Retransmissions => retransmitted(&connection),
        };
        let rank = |key| (Reverse(key), Reverse(lost), Reverse(bytes), span.start(), connection.first_packet);
        let (by_order, by_loss) = (rank(key), rank(0));
        if self.order != Order::Saving && self.worst.as_ref().is_none_or(|worst| by_loss < worst.rank) {
            self.worst = Some(Box::new(Ranked { rank: by_loss, connection: connection.clone() }));
        }
        self.kept.push(Ranked { rank: by_order, connection });
        if self.kept.len() >= 2 * self.top + 16 {
            self.shrink();
        }
    }

    fn add_dataless(&mut self, connection: Connection) {
        let ending = match connection.ending {
            Ending::Unanswered => FailureKind::Unanswered,
            Ending::Refused => FailureKind::Refused,
            _ => {
                self.empty += 1;
                // The gravest, and of those the first, in whatever order they come.
                let rank = |c: &Connection| (c.findings.iter().map(|f| f.severity).max(), Reverse(c.first_packet));
                if self.dataless.as_ref().is_none_or(|kept| rank(kept) < rank(&connection)) {
                    self.dataless = Some(Box::new(connection));
                }
                return;
            }
        };
        let Endpoint { address, port } = connection.endpoints[connection.initiator.unwrap_or(Side::A).peer().index()];
        let key = FailureKey { ending, address, port };
        let first_packet = connection.first_packet;
        let failures = self.failures.entry(key).or_insert(Failures { count: 0, finding: None, first_packet: u64::MAX });
        failures.count += 1;
        if first_packet < failures.first_packet {
            (failures.finding, failures.first_packet) = (connection.findings.into_iter().next(), first_packet);
        }
        if self.failures.len() > MAX_FAILURE_GROUPS
            && let Some((_, last)) = self.failures.pop_last()
        {
            // Lower ones stay, so it never comes back among them: the groups that are left are counted in full.
            self.other_failures += last.count;
        }
    }

    fn shrink(&mut self) {
        self.kept.sort_unstable_by_key(|r| r.rank);
        self.kept.truncate(self.top);
    }

    /// Sorts what is kept and gives it the numbers that hold.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        self.shrink();
        // Stable: behind those that they steer, and otherwise as they were.
        let mut places = control_channels(self.kept.iter().map(|ranked| &ranked.connection)).into_iter();
        let (controls, mut kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.kept).into_iter().partition(|_| places.next().unwrap_or(false));
        kept.extend(controls);
        self.kept = kept;
        for ranked in self.kept.iter_mut().chain(self.worst.as_deref_mut()) {
            ranked.connection.id = number(&ranked.connection);
        }
        if let Some(connection) = &mut self.dataless {
            connection.id = number(connection);
        }
    }

    /// Rows of the tables.
    pub(super) const fn top(&self) -> usize {
        self.top
    }

    /// The connection that lost most time, or carried most if none lost any.
    pub(super) fn worst(&self) -> Option<&Connection> {
        self.worst.as_deref().or_else(|| self.kept.first()).map(|ranked| &ranked.connection)
    }

    /// The connections kept, in their order.
    pub(super) fn ranked(&self) -> impl Iterator<Item = &Connection> {
        self.kept.iter().map(|r| &r.connection)
    }
}

/// Bytes that were retransmitted, in both directions.
pub(super) fn retransmitted(connection: &Connection) -> u64 {
    connection.halves.iter().map(|half| half.retransmitted_bytes).sum()
}

/// What its principal half lost; nothing if nothing is worth acting on.
pub(super) fn lost(connection: &Connection) -> i64 {
    principal_half(connection).map_or(0, lost_nanos)
}
