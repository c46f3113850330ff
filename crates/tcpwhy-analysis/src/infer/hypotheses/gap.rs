//! Hypotheses about a single gap between sends, independent of the limit of its slot.

use super::scope::{List, OfGap};
use super::{certain, paced, paced_writes, queue, receive_window, send_buffer, tail, unobserved};

/// Asked about each gap, in this order. If none holds, the gap has the limit of its slot.
pub(in crate::infer) const GAP: &List<OfGap> = &[
    &unobserved::AcksNotCaptured,
    &paced::ThroughRepairs,
    &certain::ToldByGap,
    &receive_window::Full,
    &queue::UnderLastFlight,
    &tail::LastFlight,
    &paced_writes::UnreleasedSend,
    &paced_writes::BurstOfUnreleased,
    &send_buffer::IntermittentSlack,
];
