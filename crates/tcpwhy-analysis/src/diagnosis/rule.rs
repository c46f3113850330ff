//! Definition of a rule.

use tcpwhy_model::{Finding, Limit, Severity};

use super::facts::{ConnectionFacts, HalfFacts};
use super::neighbour_facts::NeighbourFacts;
use super::pair_facts::PairFacts;
use crate::exchanges::Exchanges;

/// A diagnosis that tcpwhy can make. Its texts are in the message catalogues under `rule-ID-…`.
#[derive(Debug)]
pub struct Rule {
    /// Stable kebab-case id, never reused.
    pub id: &'static str,
    /// Limits whose time it explains; empty for findings that explain no time.
    pub limits: &'static [Limit],
    /// Maximum severity.
    pub severity: Severity,
    pub(crate) detect: Detect,
}

/// Input of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Detect {
    /// One direction with data.
    Half(fn(&HalfFacts<'_>) -> Option<Finding>),
    /// Requests and answers: the exchanges of a connection, if it has any. They are counted and timed there
    /// only.
    Requests(OfRequests),
    /// The connection as a whole.
    Connection(fn(&ConnectionFacts<'_>) -> Option<Finding>),
    /// The connections of one client to one server.
    Pair(fn(&PairFacts) -> Option<Finding>),
    /// Other users of the path of a transfer.
    Neighbours(fn(&NeighbourFacts) -> Option<Finding>),
}

/// Detection by a rule about requests and answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfRequests {
    /// For a connection with exchanges, which are requests with answers; `None` if another rule covers it.
    pub(crate) exchanges: Option<fn(&ConnectionFacts<'_>, &Exchanges) -> Option<Finding>>,
    /// For one direction of a connection without exchanges; `None` if another rule covers it.
    pub(crate) half: Option<fn(&HalfFacts<'_>) -> Option<Finding>>,
}

impl Rule {
    /// Whether the rule is about requests and answers.
    pub(crate) const fn is_about_requests(&self) -> bool {
        matches!(self.detect, Detect::Requests(_))
    }
}
