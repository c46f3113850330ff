//! Send buffer: full of unacknowledged data, so its application could not write more.

use tcpwhy_model::{Cause, Decider, Limit, Reason};

use super::super::decision::{Gap, Label};
use super::scope::{Hypothesis, OfGap, OfSlot};
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;

/// The pacer spaces the data that the buffer frees, so no wait shows. But the congestion window was larger
/// before, and the path could deliver more.
pub(super) struct PacedBehindBuffer;

impl Hypothesis<OfSlot> for PacedBehindBuffer {
    const REASON: Reason = Reason::BufferUnderPacer;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.leaves_path_idle() && e.context.is_pacing)
            .then(|| Label::from(Cause::plain(Limit::SendBuffer)).or(Limit::CongestionWindow, Decider::LiveSampling))
    }
}

/// ACKs often make room without a send before a later ACK. The kernel wakes a blocked writer only when a
/// third of the buffer is free (`sk_stream_min_wspace`).
pub(super) struct RoomUnused;

impl Hypothesis<OfSlot> for RoomUnused {
    const REASON: Reason = Reason::RoomLeftUnused;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.leaves_room_unused() && !e.is_room_seldom_unused() && !e.is_random())
            .then(|| Cause::plain(Limit::SendBuffer).into())
    }
}

/// The window had room, and the packets show no more. So the application is an alternative.
pub(super) struct FlightBelow;

impl Hypothesis<OfSlot> for FlightBelow {
    const REASON: Reason = Reason::FlightBelowWindow;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.leaves_room_unused().then(|| Label::from(Cause::plain(Limit::SendBuffer)).or(Limit::Application, e.decider()))
    }
}

/// Bytes in flight stay level for ten round trips, in which a congestion window would have grown (RFC 5681
/// §3.1, RFC 9438 §4.3).
pub(super) struct Flat;

impl Hypothesis<OfSlot> for Flat {
    const REASON: Reason = Reason::FlatFlight;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (!e.is_busy() && e.is_flat())
            .then(|| Label::from(Cause::plain(Limit::SendBuffer)).or(Limit::CongestionWindow, e.decider()))
    }
}

/// Room is repeatedly left unused, for a small part of the time. There was nothing to send in these gaps,
/// whatever the limit of the remaining time is.
pub(super) struct IntermittentSlack;

impl Hypothesis<OfGap> for IntermittentSlack {
    const REASON: Reason = Reason::UnusedNowAndThen;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        let e = gap.evidence;
        let is_repeated =
            e.context.has_sender_order && e.is_clean() && !e.is_room_seldom_unused() && !e.is_below_buffer();
        (gap.kind == GapKind::RoomUnused && is_repeated && gap.slot().cause.limit == Limit::CongestionWindow)
            .then(|| Cause::plain(Limit::SendBuffer).into())
    }
}
