//! Comparison of two captures or connections, ready for presentation.

use super::{Brief, Changes};
use crate::{Attempts, BothHandshakes, Connection, Crossing, HalfConnection, Unseen};

/// Kind of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareMode {
    /// Two captures of different connections, as before and after a change.
    Captures,
    /// Two connections.
    Connections,
    /// The same connections, captured at two places.
    Ends,
}

impl CompareMode {
    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Captures => "captures",
            Self::Connections => "connections",
            Self::Ends => "ends",
        }
    }
}

/// Two connections that belong together.
#[derive(Clone, Debug)]
pub struct ComparedPair {
    /// The connection of the first capture, then that of the second.
    pub connections: [Connection; 2],
    /// Facts from both captures together, if they are the same connection at two places. The ends are those
    /// of the first connection, in their order.
    pub crossing: Option<Crossing>,
    /// The handshake in both captures, and the index of the client among the ends of the first connection.
    pub opening: Option<(usize, BothHandshakes)>,
    /// Data that only one capture has, by its sender among the ends of the first connection.
    pub unseen: [Option<Unseen>; 2],
}

impl ComparedPair {
    /// Returns the directions to compare: the first reported one of the first connection, and the
    /// corresponding one of the second.
    pub fn halves(&self) -> Option<[&HalfConnection; 2]> {
        let [a, b] = &self.connections;
        Brief::halves([a, b])
    }
}

/// A comparison, ready for presentation.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Kind of the comparison.
    pub mode: CompareMode,
    /// Names of the captures.
    pub names: [String; 2],
    /// Pairs to show, most bytes first. In a list ([`Self::is_list`]) they are those that differ most.
    pub pairs: Vec<ComparedPair>,
    /// Number of all pairs.
    pub count: u64,
    /// Number of similar pairs, if it is a list.
    pub alike: u64,
    /// Number of connections with data that have no counterpart, per capture.
    pub only: [u64; 2],
    /// Connections of which a capture has no data; empty unless they are the same connections at two places.
    pub attempts: Attempts,
    /// Changes from one capture to the other, over all connections. `None` if two connections are compared,
    /// or the same ones at two places.
    pub changes: Option<Changes>,
}

impl Comparison {
    /// Whether a report has only one line per pair.
    pub fn is_list(&self) -> bool {
        self.mode == CompareMode::Captures && self.count > 1
    }
}
