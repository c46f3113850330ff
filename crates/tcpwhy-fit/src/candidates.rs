//! Connections whose predictions are worth simulating.

use std::cmp::Ordering;

use tcpwhy_analysis::Connection;

use crate::predict::{Predictions, predict, saving};

/// Maximum number of connections.
const MOST: usize = 64;
/// Simulated events for all connections of a capture: about two seconds of one processor. The connection that
/// exceeds this is the last one.
const EVENTS: u64 = 8_000_000;

/// Collects the connections with the largest savings, each with a tag of the caller.
///
/// The selection does not depend on the order of arrival.
#[derive(Debug)]
pub struct Candidates<T> {
    kept: Vec<Candidate<T>>,
}

/// A selected connection with its tag.
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
    /// Adds a connection. Returns one whose predictions will not be simulated: this one, or the one that it
    /// replaces.
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

    /// The selected connections, largest saving first, each to be [simulated](Candidate::simulate).
    pub fn into_candidates(self) -> Vec<Candidate<T>> {
        self.kept
    }
}

impl<T> Candidate<T> {
    /// Orders by saving, largest first, then by the number of the first packet.
    fn order(&self, other: &Self) -> Ordering {
        let number = |candidate: &Self| candidate.connection.first_packet;
        other.saving.total_cmp(&self.saving).then(number(self).cmp(&number(other)))
    }

    /// Simulates its predictions. Returns the number of events.
    pub fn simulate(&mut self) -> u64 {
        let simulated = predict(&self.connection);
        let events = simulated.events;
        self.simulated = Some(simulated);
        events
    }
}

/// The connections of `candidates` in order, with simulated predictions as far as the common budget allows.
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

/// Budget of simulated events for all connections of a capture.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    spent: u64,
}

impl Budget {
    /// Whether the budget is used up.
    pub const fn is_spent(&self) -> bool {
        self.spent >= EVENTS
    }

    /// Adds the events of a [candidate](Candidate::simulate).
    pub const fn spend(&mut self, events: u64) {
        self.spent = self.spent.saturating_add(events);
    }

    /// Simulates the predictions of a single connection, without a comparison with others, if any budget is
    /// left.
    pub fn predict(&mut self, connection: &mut Connection) {
        if !self.is_spent() && saving(connection).is_some() {
            let simulated = predict(connection);
            self.spend(simulated.events);
            simulated.apply(connection);
        }
    }
}
