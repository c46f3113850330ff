//! Two captures or connections beside each other, ready to be presented.

use super::{Brief, Changes};
use crate::{Attempts, BothHandshakes, Connection, Crossing, HalfConnection, Unseen};

/// What is compared.
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
    /// What both say together, if they are the same connection at two places; its ends are those of the first
    /// connection, in their order.
    pub crossing: Option<Crossing>,
    /// The handshake in both captures, and which end of the first connection is the client.
    pub opening: Option<(usize, BothHandshakes)>,
    /// Data that only one capture has, by who sent it of the first connection's ends.
    pub unseen: [Option<Unseen>; 2],
}

impl ComparedPair {
    /// The directions to compare: the one to speak of first of the first connection, and the same of the
    /// second.
    pub fn halves(&self) -> Option<[&HalfConnection; 2]> {
        let [a, b] = &self.connections;
        Brief::halves([a, b])
    }
}

/// A comparison, ready to be presented.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Which kinds of things are compared.
    pub mode: CompareMode,
    /// How the captures are called.
    pub names: [String; 2],
    /// Those that belong together and are shown, most bytes first; of a list ([`Self::is_list`]) those that
    /// differ most.
    pub pairs: Vec<ComparedPair>,
    /// Those that belong together in all.
    pub count: u64,
    /// How many of them are alike, if it is a list.
    pub alike: u64,
    /// Connections with data that have no counterpart.
    pub only: [u64; 2],
    /// Connections of which a capture has no data; none unless they are the same ones at two places.
    pub attempts: Attempts,
    /// What changed from one capture to the other, over all connections; `None` where two connections are
    /// compared, or the same ones at two places.
    pub changes: Option<Changes>,
}

impl Comparison {
    /// Whether a report has one line for each pair, and no more about any.
    pub fn is_list(&self) -> bool {
        self.mode == CompareMode::Captures && self.count > 1
    }
}
