//! Which connections the first lines may speak of, and the order of all.

use std::cmp::Reverse;

use tcpwhy_model::Timestamp;

use super::clock::{CLOCK_RULE, ClockDoubt};
use super::concern::{Concern, ConcernRank};
use super::totals::Totals;
use crate::outcome::Connection;
use crate::problems::{Problem, lost_nanos, principal_half};
use crate::thresholds::CONCERN_PART;

/// Folds finished connections, in any order, into those that the first lines may speak of.
#[derive(Clone, Debug, Default)]
pub struct Leads {
    /// The connection with most bytes, and of those the first.
    largest: Option<Box<Largest>>,
    /// The connection with which most is wrong.
    concern: Option<Box<Concerning>>,
    /// One connection without data: the gravest there was.
    dataless: Option<Box<Connection>>,
    totals: Totals,
    /// Connections with data whose clock is contradicted.
    contradicted: u64,
}

#[derive(Clone, Debug)]
struct Largest {
    connection: Connection,
    bytes: u64,
    /// It has the number that holds.
    is_numbered: bool,
}

#[derive(Clone, Debug)]
struct Concerning {
    connection: Connection,
    rank: ConcernRank,
    /// It has the number that holds.
    is_numbered: bool,
}

impl Leads {
    /// Takes a connection into account.
    pub fn add(&mut self, connection: &Connection) {
        self.totals.add(connection);
        self.note_concern(connection);
        if connection.halves.is_empty() {
            // The gravest, and of those the first, in whatever order they come.
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

    /// The connection with which most is wrong, and whether that took much of the capture's time; `None`
    /// where nothing is worth a word.
    pub(super) fn concerning(&self) -> Option<(&Connection, bool)> {
        let kept = self.concern.as_deref()?;
        let is_much = kept.rank.1 as f64 >= CONCERN_PART.get() * self.totals.extent_nanos() as f64;
        Some((&kept.connection, is_much))
    }

    /// Gives the connections that came since the last call the numbers that hold.
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

    /// Connections in all.
    pub const fn connections(&self) -> u64 {
        self.totals.connections
    }

    /// What all carried together.
    pub const fn totals(&self) -> Totals {
        self.totals
    }

    /// Connections with data.
    pub const fn with_data(&self) -> u64 {
        self.totals.with_data
    }

    /// The connection to speak of where nothing is wrong, the one that carried most; `None` if none carried
    /// data.
    pub fn largest(&self) -> Option<&Connection> {
        self.largest.as_ref().map(|largest| &largest.connection)
    }

    /// The gravest of the connections without data.
    pub fn dataless(&self) -> Option<&Connection> {
        self.dataless.as_deref()
    }

    /// Whether there is one connection to speak of: there is no other, or what else there is carried nothing
    /// and is no problem.
    pub fn is_one(&self, problems: &[Problem]) -> bool {
        let Some(largest) = self.largest() else { return false };
        let is_it = |problem: &Problem| problem.example.first_packet == largest.first_packet;
        self.with_data() == 1 && self.gravest(problems).is_none_or(is_it)
    }

    /// The problem to speak of, of those that are ranked. Probes lead only where no connection carried data.
    pub fn gravest<'a>(&self, problems: &'a [Problem]) -> Option<&'a Problem> {
        problems.first().filter(|problem| !problem.key.is_probes() || self.with_data() == 0)
    }

    /// What is wrong with the capture's clock; `None` where nothing contradicts it.
    pub fn clock(&self) -> Option<ClockDoubt> {
        ClockDoubt::new(self.contradicted, self.with_data())
    }
}

/// Which connections come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Most time that a change could save.
    #[default]
    Saving,
    /// Most bytes.
    Bytes,
    /// Longest.
    Time,
    /// Most bytes retransmitted.
    Retransmissions,
}

/// A connection's place in an order, least first: most of what the order is by, then most lost, most bytes,
/// the earliest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    key: Reverse<u64>,
    lost: Reverse<i64>,
    bytes: Reverse<u64>,
    start: Timestamp,
    first_packet: u64,
}

impl Rank {
    /// The place of `connection` in `order`.
    pub fn of(connection: &Connection, order: Order) -> Self {
        let half = principal_half(connection);
        let key = match order {
            Order::Saving => 0,
            // As the table shows them: the direction that the answer describes.
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
