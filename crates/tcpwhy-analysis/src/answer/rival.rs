//! Causes that the packets do not exclude.

use tcpwhy_model::{Decider, Limit};

use super::uncertain::named_doubts;
use crate::outcome::HalfConnection;

/// A cause that the packets do not exclude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rival {
    /// The limit that is named.
    pub named: Limit,
    /// The limit that is possible as well.
    pub rival: Limit,
    /// The observation that would decide.
    pub decider: Decider,
    /// Time that either limit explains, seconds.
    pub seconds: f64,
}

/// Returns all rivals of a direction, longest first.
pub(super) fn rivals(half: &HalfConnection) -> Vec<Rival> {
    let rival = |(named, rival, decider, nanos)| Rival { named, rival, decider, seconds: nanos as f64 / 1e9 };
    named_doubts(&half.limits).into_iter().map(rival).collect()
}
