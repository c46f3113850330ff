//! What may have bound a direction as a whole. Time was decided slot by slot before; what only the whole shows moves it
//! to another cause.

use tcpwhy_model::Reason;

use super::super::direction::{Direction, Renaming};
use super::{List, Scope, policer, queue, unobserved};

/// One direction, once nothing more belongs to it.
pub(in crate::infer) struct OfDirection;

/// Renamed time keeps the confidence that it had, until what is measured of the new reason replaces it
/// (`infer/calibration`).
#[derive(Clone, Copy)]
pub(in crate::infer) struct Kept;

impl Scope for OfDirection {
    type Facts<'a> = Direction<'a>;
    type Label = Renaming;
    type Confidence = Kept;
    type Decision = (Reason, Renaming);

    fn decide(renaming: Renaming, reason: Reason, _: Kept, _: &Direction<'_>) -> (Reason, Renaming) {
        (reason, renaming)
    }
}

/// Asked of each direction, in this order; all that hold rename, and each sees what those before it have left.
pub(in crate::infer) const DIRECTION: &List<OfDirection> = &[
    &queue::UnderWindow,
    &unobserved::UnknownDistance,
    &unobserved::MostlyMissing,
    &policer::Lost,
    &queue::LostToFull,
    &queue::KeptFull,
];
