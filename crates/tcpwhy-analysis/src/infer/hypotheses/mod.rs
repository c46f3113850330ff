//! The causes: a file for each, with the hypotheses that name it.
//!
//! **To add one**: its [`Reason`], with the numbers that speak for it, and the sentence `why-NAME` in both catalogues; a struct
//! in the file of its cause (or in a new file) that implements [`Hypothesis`], from conditions of
//! [`Evidence`](crate::infer::conditions::Evidence); its line in [`OF_SLOTS`], where it has its turn; a transfer in `testing.rs` that
//! only it decides.

mod certain;
mod delay_exit;
mod of_facts;
mod other;
mod paced;
mod paced_writes;
mod path;
mod peer_turn;
mod post_loss;
mod queue;
mod receive_window;
mod send_buffer;
mod slow_start;
mod tail;
#[cfg(test)]
pub(super) mod testing;

use tcpwhy_model::Reason;

use super::decide::{Decision, Gap, Label};
use crate::infer::conditions::Evidence;

/// What may have bound a slot as a whole.
pub(super) trait Hypothesis: Sync {
    /// Kept with each stretch of time that it decides.
    const REASON: Reason;
    /// How likely it is right where it holds, between 0 and 1.
    const CONFIDENCE: f32;

    /// What bound, if this holds.
    fn label(&self, evidence: &Evidence<'_>) -> Option<Label>;
}

/// What a single gap between sends may say by itself, whatever the rest of its slot is under.
pub(super) trait GapHypothesis: Sync {
    /// Kept with each stretch of time that it decides.
    const REASON: Reason;
    /// How likely it is right where it holds, between 0 and 1.
    const CONFIDENCE: f32;

    /// What bound, if this holds.
    fn label(&self, evidence: &Evidence<'_>, gap: &Gap<'_>) -> Option<Label>;
}

/// What is asked of slots: a [`Hypothesis`], or one that leaves it to others to say for which reason.
pub(super) trait SlotJudge: Sync {
    /// Its name, unique in its list: that of its reason, if it has one.
    fn name(&self) -> &'static str;

    /// What bound, and why.
    fn judge(&self, evidence: &Evidence<'_>) -> Option<Decision>;
}

impl<T: Hypothesis> SlotJudge for T {
    fn name(&self) -> &'static str {
        Self::REASON.id()
    }

    fn judge(&self, evidence: &Evidence<'_>) -> Option<Decision> {
        self.label(evidence).map(|label| Decision::new(label, Self::REASON, Self::CONFIDENCE))
    }
}

/// What is asked of gaps: a [`GapHypothesis`], or one that leaves it to others to say for which reason.
pub(super) trait GapJudge: Sync {
    /// Its name, unique in its list: that of its reason, if it has one.
    fn name(&self) -> &'static str;

    /// What bound, and why.
    fn judge(&self, evidence: &Evidence<'_>, gap: &Gap<'_>) -> Option<Decision>;
}

impl<T: GapHypothesis> GapJudge for T {
    fn name(&self) -> &'static str {
        Self::REASON.id()
    }

    fn judge(&self, evidence: &Evidence<'_>, gap: &Gap<'_>) -> Option<Decision> {
        self.label(evidence, gap).map(|label| Decision::new(label, Self::REASON, Self::CONFIDENCE))
    }
}

/// Asked of each gap, in this order. Where none holds, the gap is under what its slot is under.
pub(super) const OF_GAPS: &[&dyn GapJudge] = &[
    &certain::NotCaptured,
    &certain::ToldByGap,
    &receive_window::Full,
    &queue::UnderLastFlight,
    &tail::LastFlight,
    &paced_writes::UnreleasedSend,
    &paced_writes::BurstOfUnreleased,
    &send_buffer::NowAndThen,
];

/// Asked of each slot, in this order.
pub(super) const OF_SLOTS: &[&dyn SlotJudge] = &[
    &queue::FilledBySlowStart,
    &slow_start::Opening,
    &receive_window::BetweenClosings,
    &post_loss::Repairing,
    &queue::UnderPacer,
    &post_loss::PacerSlowed,
    &receive_window::UnderPacer,
    &paced::Pacer,
    &paced_writes::NeverProbes,
    &peer_turn::PeerReleases,
    &paced_writes::OwnRhythm,
    &paced_writes::MostlyUnreleased,
    &queue::ServedEvenly,
    &post_loss::ReleasedEvenly,
    &path::EvenSpacing,
    &paced_writes::ByChance,
    &paced_writes::PathRests,
    &paced_writes::NeverPrompt,
    &paced_writes::LessInRhythm,
    &send_buffer::UnderPacer,
    &paced_writes::PathLeftIdle,
    &queue::UnderFullBuffer,
    &post_loss::ReleasedByThirds,
    &paced_writes::FarBelow,
    &paced_writes::NoWakeLevel,
    &send_buffer::RoomUnused,
    &send_buffer::FlightBelow,
    &queue::Standing,
    &post_loss::Regrowing,
    &delay_exit::GrowingSlowly,
    &receive_window::StandsAtEdge,
    &send_buffer::FlatInStep,
    &send_buffer::Flat,
    &paced_writes::SmallSegments,
    &other::Undetermined,
];

/// Asked, in this order, which form a full window took.
const WINDOW_FORMS: &[&dyn SlotJudge] = &[
    &receive_window::Zero,
    &receive_window::SlowReader,
    &receive_window::Unscaled,
    &receive_window::Ramp,
    &receive_window::Capped,
    &receive_window::Small,
];
