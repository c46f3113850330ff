//! What may have bound a direction as a whole. Time was decided slot by slot before; what only the whole shows moves it
//! to another cause.

use super::scope::{List, OfDirection};
use super::{peer_window, policer, queue, unobserved};

/// Asked of each direction, in this order; all that hold rename, and each sees what those before it have left.
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
