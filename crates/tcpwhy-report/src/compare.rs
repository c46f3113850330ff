//! Two captures or connections beside each other.

use tcpwhy_analysis::{Connection, Crossing, HalfConnection, Side};

use crate::principal_half;

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
    /// Of the first capture, and of the second.
    pub connections: [Connection; 2],
    /// What both say together, if they are the same connection at two places; its ends are those of the first connection, in their
    /// order.
    pub crossing: Option<Crossing>,
}

impl ComparedPair {
    /// The directions to compare: the one to speak of first of the first connection, and the same of the second.
    pub(crate) fn halves(&self) -> Option<[&HalfConnection; 2]> {
        let [a, b] = &self.connections;
        let half = principal_half(a)?;
        let same = |other: &&HalfConnection| {
            let endpoint = |c: &Connection, side: Side| c.endpoints[side.index()];
            match (a.initiator, b.initiator) {
                (Some(_), Some(_)) => other.role == half.role,
                _ => endpoint(a, half.sender) == endpoint(b, other.sender),
            }
        };
        Some([half, b.halves.iter().find(same).or_else(|| principal_half(b))?])
    }
}

/// A comparison, ready to be presented.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Of what.
    pub mode: CompareMode,
    /// How the captures are called.
    pub names: [String; 2],
    /// Those that belong together, most bytes first.
    pub pairs: Vec<ComparedPair>,
    /// Connections with data that have no counterpart.
    pub only: [u64; 2],
}
