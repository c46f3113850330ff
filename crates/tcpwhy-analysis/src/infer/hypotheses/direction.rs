//! Hypotheses about a direction as a whole. All time already has a label. These hypotheses rename time if
//! only the whole direction shows its cause.

use super::scope::{List, OfDirection};
use super::{peer_window, policer, queue, unobserved};

/// Asked about each direction, in this order. Each one that holds renames time, and works on the result of
/// the previous ones.
pub(in crate::infer) const DIRECTION: &List<OfDirection> = &[
    &unobserved::ContradictedClock,
    &queue::UnderWindow,
    &unobserved::UnknownDistance,
    &unobserved::MostlyMissing,
    &peer_window::GrantsWholeTurns,
    &peer_window::GrantsThroughout,
    &policer::Lost,
    &queue::LostToFull,
    &queue::KeptFull,
    &queue::AcksQueued,
];
