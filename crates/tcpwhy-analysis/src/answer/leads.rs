//! Connections that the first lines may report, and the order of all connections.

use std::cmp::Reverse;

use tcpwhy_model::Timestamp;

use super::clock::{CLOCK_RULE, ClockDoubt};
use super::concern::{Concern, ConcernRank};
use super::totals::Totals;
use crate::outcome::Connection;
use crate::problems::{Problem, lost_nanos, principal_half};
use crate::thresholds::CONCERN_PART;

/// Folds finished connections, in any order, into the few that the first lines may report.
#[derive(Clone, Debug, Default)]
pub struct Leads {
    /// The connection with most bytes. The first one wins among equals.
    largest: Option<Box<Largest>>,
    /// The connection with the largest concern.
    concern: Option<Box<Concerning>>,
    /// The connection without data that has the most severe finding.
    dataless: Option<Box<Connection>>,
    totals: Totals,
    /// Connections with data whose clock is contradicted.
    contradicted: u64,
}

#[derive(Clone, Debug)]
struct Largest {
    connection: Connection,
    bytes: u64,
    /// Whether the connection has its final number.
    is_numbered: bool,
}

#[derive(Clone, Debug)]
struct Concerning {
    connection: Connection,
    rank: ConcernRank,
    /// Whether the connection has its final number.
    is_numbered: bool,
}

impl Leads {
    /// Counts a connection.
    pub fn add(&mut self, connection: &Connection) {
        self.totals.add(connection);
        self.note_concern(connection);
        if connection.halves.is_empty() {
            // The most severe one wins, and the earliest among equals, whatever the order of the calls.
            let rank = |c: &Connection| (c.findings.iter().map(|f| f.severity).max(), Reverse(c.first_packet));
            if self.dataless.as_ref().is_none_or(|kept| rank(kept) < rank(connection)) {
                self.dataless = Some(Box::new(connection.clone()));
            }
            return;
        }
        self.contradicted += u64::from(connection.findings.iter().any(|f| f.rule == CLOCK_RULE));
        let bytes = connection.bytes();
        let is_largest = |kept: &Largest| {
            (bytes, Reverse(connection.first_packet)) > (kept.bytes, Reverse(kept.connection.first_packet))
        };
        if self.largest.as_deref().is_none_or(is_largest) {
            self.largest = Some(Box::new(Largest { connection: connection.clone(), bytes, is_numbered: false }));
        }
    }

    fn note_concern(&mut self, connection: &Connection) {
        let Some(concern) = Concern::decide(connection) else { return };
        let rank = concern.answer.rank(connection);
        if self.concern.as_ref().is_none_or(|kept| kept.rank < rank) {
            self.concern = Some(Box::new(Concerning { connection: connection.clone(), rank, is_numbered: false }));
        }
    }

    /// Returns the connection with the largest concern, and whether it took much of the capture's time.
    /// `None` if there is no concern.
    pub(super) fn concerning(&self) -> Option<(&Connection, bool)> {
        let kept = self.concern.as_deref()?;
        let is_much = kept.rank.1 as f64 >= CONCERN_PART.get() * self.totals.extent_nanos() as f64;
        Some((&kept.connection, is_much))
    }

    /// Assigns final numbers to the connections that were added since the last call.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        if let Some(largest) = self.largest.as_deref_mut().filter(|largest| !largest.is_numbered) {
            largest.connection.id = number(&largest.connection);
            largest.is_numbered = true;
        }
        if let Some(kept) = self.concern.as_deref_mut().filter(|kept| !kept.is_numbered) {
            kept.connection.id = number(&kept.connection);
            kept.is_numbered = true;
        }
        if let Some(connection) = &mut self.dataless {
            connection.id = number(connection);
        }
    }

    /// Returns the number of connections.
    pub const fn connections(&self) -> u64 {
        self.totals.connections
    }

    /// Returns the totals of all connections.
    pub const fn totals(&self) -> Totals {
        self.totals
    }

    /// Returns the number of connections with data.
    pub const fn with_data(&self) -> u64 {
        self.totals.with_data
    }

    /// Returns the connection with most bytes, which is reported if nothing is wrong; `None` if none carried
    /// data.
    pub fn largest(&self) -> Option<&Connection> {
        self.largest.as_ref().map(|largest| &largest.connection)
    }

    /// Returns the connection without data that has the most severe finding.
    pub fn dataless(&self) -> Option<&Connection> {
        self.dataless.as_deref()
    }

    /// Whether there is only one connection to report: any others carried no data and are not a problem.
    pub fn is_one(&self, problems: &[Problem]) -> bool {
        let Some(largest) = self.largest() else { return false };
        let is_it = |problem: &Problem| problem.example.first_packet == largest.first_packet;
        self.with_data() == 1 && self.gravest(problems).is_none_or(is_it)
    }

    /// Returns the problem to report from the ranked ones. Probes lead only if no connection carried data.
    pub fn gravest<'a>(&self, problems: &'a [Problem]) -> Option<&'a Problem> {
        problems.first().filter(|problem| !problem.key.is_probes() || self.with_data() == 0)
    }

    /// Returns the doubt about the capture's clock; `None` if nothing contradicts it.
    pub fn clock(&self) -> Option<ClockDoubt> {
        ClockDoubt::new(self.contradicted, self.with_data())
    }
}

/// Sort order of connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Most time that a change could save.
    #[default]
    Saving,
    /// Most bytes.
    Bytes,
    /// Longest duration.
    Time,
    /// Most bytes retransmitted.
    Retransmissions,
}

/// A connection's rank in an order, least first. It is sorted by the order's own value, then by most time
/// lost, most bytes, and earliest start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    key: Reverse<u64>,
    lost: Reverse<i64>,
    bytes: Reverse<u64>,
    start: Timestamp,
    first_packet: u64,
}

impl Rank {
    /// Returns the rank of `connection` in `order`.
    pub fn of(connection: &Connection, order: Order) -> Self {
        let half = principal_half(connection);
        let key = match order {
            Order::Saving => 0,
            // The table shows the direction that the answer describes.
            Order::Bytes => half.map_or(0, |half| half.bytes),
            Order::Time => half.map_or(0, |half| half.span.nanos().unsigned_abs()),
            Order::Retransmissions => connection.retransmitted_bytes(),
        };
        Self {
            key: Reverse(key),
            lost: Reverse(half.map_or(0, lost_nanos)),
            bytes: Reverse(connection.bytes()),
            start: connection.span.start(),
            first_packet: connection.first_packet,
        }
    }
}
