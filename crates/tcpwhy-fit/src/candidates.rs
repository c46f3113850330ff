//! Connections whose predictions are worth simulating.

use std::cmp::Ordering;

use tcpwhy_analysis::Connection;

use crate::predict::{Predictions, predict, saving};

/// Connections that are kept.
const MOST: usize = 64;
/// Simulated events for all connections of a capture: about two seconds of one processor. The one that passes
/// it is the last.
const EVENTS: u64 = 8_000_000;

/// Keeps the connections with the largest savings until all have come, each with a tag of the caller's.
///
/// The same connections are kept in whatever order they come.
#[derive(Debug)]
pub struct Candidates<T> {
    kept: Vec<Candidate<T>>,
}

/// A connection that is kept, with its tag.
#[derive(Debug)]
pub struct Candidate<T> {
    saving: f64,
    connection: Connection,
    tag: T,
    simulated: Option<Predictions>,
}

impl<T> Default for Candidates<T> {
    fn default() -> Self {
        Self { kept: Vec::new() }
    }
}

impl<T> Candidates<T> {
    /// Takes a connection, and gives one back whose predictions will not be simulated: this one, or the one
    /// that it replaces.
    pub fn keep(&mut self, connection: Connection, tag: T) -> Option<(Connection, T)> {
        let Some(saving) = saving(&connection) else { return Some((connection, tag)) };
        let candidate = Candidate { saving, connection, tag, simulated: None };
        let place = self.kept.partition_point(|kept| kept.order(&candidate) == Ordering::Less);
        self.kept.insert(place, candidate);
        if self.kept.len() <= MOST {
            return None;
        }
        self.kept.pop().map(|last| (last.connection, last.tag))
    }

    /// Those that are kept, the largest saving first, each to be [simulated](Candidate::simulate).
    pub fn into_candidates(self) -> Vec<Candidate<T>> {
        self.kept
    }
}

impl<T> Candidate<T> {
    /// A larger saving comes first; then the connection whose first packet was earlier.
    fn order(&self, other: &Self) -> Ordering {
        let number = |candidate: &Self| candidate.connection.first_packet;
        other.saving.total_cmp(&self.saving).then(number(self).cmp(&number(other)))
    }

    /// Simulates its predictions; how many events that took.
    pub fn simulate(&mut self) -> u64 {
        let simulated = predict(&self.connection);
        let events = simulated.events;
        self.simulated = Some(simulated);
        events
    }
}

/// The connections of `candidates` in their order, with simulated predictions as far as the budget for all of
/// them goes.
pub fn settle<T>(mut candidates: Vec<Candidate<T>>) -> Vec<(Connection, T)> {
    candidates.sort_by(Candidate::order);
    let mut budget = Budget::default();
    let settled = candidates.into_iter().map(|candidate| {
        let Candidate { mut connection, tag, simulated, .. } = candidate;
        if let Some(simulated) = simulated.filter(|_| !budget.is_spent()) {
            budget.spent += simulated.events;
            simulated.apply(&mut connection);
        }
        (connection, tag)
    });
    settled.collect()
}

/// Simulated events that all connections of a capture may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    spent: u64,
}

impl Budget {
    /// Nothing more is simulated.
    pub const fn is_spent(&self) -> bool {
        self.spent >= EVENTS
    }

    /// Adds what a [candidate](Candidate::simulate) took.
    pub const fn spend(&mut self, events: u64) {
        self.spent = self.spent.saturating_add(events);
    }

    /// Simulates the predictions of a connection that nobody waits for others for, if there is anything left.
    pub fn predict(&mut self, connection: &mut Connection) {
        if !self.is_spent() && saving(connection).is_some() {
            let simulated = predict(connection);
            self.spend(simulated.events);
            simulated.apply(connection);
        }
    }
}
