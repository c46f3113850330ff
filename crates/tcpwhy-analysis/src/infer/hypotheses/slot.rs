//! Hypotheses about a slot as a whole, for the gaps that do not decide their own limit.

use super::scope::{List, OfSlot};
use super::{
    delay_exit, other, paced, paced_writes, path, peer_turn, peer_window, post_loss, queue, receive_window,
    send_buffer, slow_start,
};

/// Asked about each slot, in this order. The last always holds.
pub(in crate::infer) const SLOT: &List<OfSlot> = &[
    &queue::NeverEmpties,
    &queue::FilledBySlowStart,
    &slow_start::Opening,
    &receive_window::BetweenClosings,
    &post_loss::Repairing,
    &peer_window::PeerGrants,
    &peer_turn::PeerReleases,
    &queue::PacedIntoQueue,
    &post_loss::PacerSlowed,
    &receive_window::PacedBehindWindow,
    &paced::Pacer,
    &paced_writes::NeverProbes,
    &paced_writes::OwnRhythm,
    &queue::MoreThanPathHolds,
    &paced_writes::MostlyUnreleased,
    &queue::ServedEvenly,
    &post_loss::ReleasedEvenly,
    &path::EvenSpacing,
    &paced_writes::ByChance,
    &paced_writes::PathRests,
    &paced_writes::NeverPrompt,
    &paced_writes::LessInRhythm,
    &send_buffer::PacedBehindBuffer,
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
    &send_buffer::Flat,
    &paced_writes::SmallSegments,
    &other::Undetermined,
];
