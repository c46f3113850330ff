//! Path: a policer drops packets that exceed its rate.

use tcpwhy_model::{Cause, Detail, Measure, Reason};

use super::super::bottleneck::Bottleneck;
use super::super::direction::{Carried, Direction, Renaming, Values};
use super::scope::{Hypothesis, Kept, OfDirection};

/// A policer caused the losses, their repair and the smaller congestion window afterwards.
pub(super) struct Lost;

impl Hypothesis<OfDirection> for Lost {
    const REASON: Reason = Reason::LostToPolicer;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let Bottleneck::Policer(policer) = d.bottleneck() else { return None };
        let rate = (Measure::PolicedRate, policer.rate * policer.packet * 8.0);
        let burst = policer.burst.map(|burst| (Measure::PolicedBurst, burst.bytes * policer.packet));
        Some(Renaming {
            causes: [Detail::Fast, Detail::Rto, Detail::Tlp, Detail::PostLoss].map(Cause::from).to_vec(),
            to: Detail::Policer.into(),
            carried: Carried::Share,
            values: Values::These([rate].into_iter().chain(burst).collect()),
        })
    }
}
