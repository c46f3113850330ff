//! What may have bound a slot as a whole, as far as its gaps leave it open.

use tcpwhy_model::{Decider, Limit, Reason, WindowScale};

use super::super::decide::{Decision, Label};
use super::{
    List, Scope, delay_exit, is_registered, other, paced, paced_writes, path, peer_turn, post_loss, queue,
    receive_window, send_buffer, slow_start,
};
use crate::infer::conditions::Evidence;

/// One slot, about a round trip.
pub(in crate::infer) struct OfSlot;

impl Scope for OfSlot {
    type Facts<'a> = Evidence<'a>;
    type Label = Label;
    type Confidence = f32;
    type Decision = Decision;

    /// A rule of the whole list, [`OFFER_UNKNOWN`]: whoever finds the sender's own window or buffer full where nobody
    /// knows what the receiver offered may have seen the receiver's window full. The SYNs, with the scale of the
    /// windows, would decide.
    fn decide(label: Label, reason: Reason, confidence: f32, e: &Evidence<'_>) -> Decision {
        let may_be_window = matches!(label.limit(), Limit::SendBuffer | Limit::CongestionWindow) && is_offer_unknown(e);
        let label = if may_be_window { label.or(Limit::ReceiveWindow, Decider::Syn) } else { label };
        Decision::new(label, reason, confidence)
    }
}

/// The name of the rule in tests that leave one out.
pub(super) const OFFER_UNKNOWN: &str = "offer_unknown";

/// What the receiver offered is not known: its window may have been full.
fn is_offer_unknown(e: &Evidence<'_>) -> bool {
    let (scale, slot) = (e.context.window_scale, e.slot);
    let is_unknown = scale == WindowScale::Unknown || slot.advancing_acks > 0 && slot.windows().is_none();
    is_unknown && is_registered(|| OFFER_UNKNOWN)
}

/// Asked of each slot, in this order. The last always holds.
pub(in crate::infer) const SLOT: &List<OfSlot> = &[
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
