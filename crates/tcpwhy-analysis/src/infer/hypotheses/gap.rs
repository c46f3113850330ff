//! What a single gap between sends may say by itself, whatever the rest of its slot is under.

use super::scope::{List, OfGap};
use super::{certain, paced, paced_writes, queue, receive_window, send_buffer, tail, unobserved};

/// Asked of each gap, in this order. Where none holds, the gap is under what its slot is under.
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
