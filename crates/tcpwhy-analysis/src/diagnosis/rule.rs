//! What a rule is.

use tcpwhy_model::{Finding, Limit, Severity};

use super::facts::{ConnectionFacts, HalfFacts};
use super::pair_facts::PairFacts;

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
    /// The connection as a whole.
    Connection(fn(&ConnectionFacts<'_>) -> Option<Finding>),
    /// The connections of one client to one server.
    Pair(fn(&PairFacts) -> Option<Finding>),
}
