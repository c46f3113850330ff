//! What a rule is.

use tcpwhy_model::{Finding, Limit, Severity};

use super::facts::{ConnectionFacts, HalfFacts};
use super::neighbour_facts::NeighbourFacts;
use super::pair_facts::PairFacts;
use crate::exchanges::Exchanges;

/// A diagnosis that tcpwhy can make. Its words are in the message catalogues under `rule-ID-…`.
#[derive(Debug)]
pub struct Rule {
    /// Stable kebab-case id, never reused.
    pub id: &'static str,
    /// The limits whose time it explains; empty for findings besides the limits.
    pub limits: &'static [Limit],
    /// At most this severe.
    pub severity: Severity,
    pub(crate) detect: Detect,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Detect {
    /// One direction with data.
    Half(fn(&HalfFacts<'_>) -> Option<Finding>),
    /// Requests and answers: the exchanges of a connection, where it has any. They are counted and timed there,
    /// and nowhere else.
    Requests(OfRequests),
    /// The connection as a whole.
    Connection(fn(&ConnectionFacts<'_>) -> Option<Finding>),
    /// The connections of one client to one server.
    Pair(fn(&PairFacts) -> Option<Finding>),
    /// Those who used the path with a transfer.
    Neighbours(fn(&NeighbourFacts) -> Option<Finding>),
}

/// How a rule about requests and answers looks at a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfRequests {
    /// At the exchanges; `None` where another rule does so. They are requests with their answers.
    pub(crate) exchanges: Option<fn(&ConnectionFacts<'_>, &Exchanges) -> Option<Finding>>,
    /// At one direction of a connection without exchanges; `None` where another rule does so.
    pub(crate) half: Option<fn(&HalfFacts<'_>) -> Option<Finding>>,
}

impl Rule {
    /// Whether it is about requests and answers.
    pub(crate) const fn is_about_requests(&self) -> bool {
        matches!(self.detect, Detect::Requests(_))
    }
}
