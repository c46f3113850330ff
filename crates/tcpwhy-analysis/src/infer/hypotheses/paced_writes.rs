//! Application: it writes at its own pace.

use tcpwhy_model::{Decider, Detail, Limit, Reason};

use super::super::decision::{Gap, Label};
use super::scope::{Hypothesis, OfGap, OfSlot};
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;

/// Bursts come at a fixed period that neither the round trip nor the path explains: a timer of the
/// application. Not where writes were coalesced to full segments: they had waited in the send queue for
/// something else. Nor where the sender paces, or ACKs end its rests: the rhythm is its pacer's.
pub(super) struct OwnRhythm;

impl Hypothesis<OfSlot> for OwnRhythm {
    const REASON: Reason = Reason::OwnRhythm;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_timed = e.has_own_rhythm() && !e.context.is_pacing && !e.follows_acks();
        (is_timed && !e.is_served() && !e.are_writes_coalesced()).then(|| Detail::PacedWrites.into())
    }
}

/// Most sends follow no ACK although data is in flight: room was there, and data came when it came.
pub(super) struct MostlyUnreleased;

impl Hypothesis<OfSlot> for MostlyUnreleased {
    const REASON: Reason = Reason::MostlyUnreleased;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_blurred = e.context.ack_times_inferred && e.is_busy();
        let is_pacers = e.is_even() || e.rests_end_with_acks();
        (e.is_mostly_unreleased() && !is_pacers && !is_blurred && !e.is_lossy()).then(|| Detail::PacedWrites.into())
    }
}

/// Sends fall as close behind ACKs as they would by chance: ACKs do not release them.
pub(super) struct ByChance;

impl Hypothesis<OfSlot> for ByChance {
    const REASON: Reason = Reason::SendsByChance;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        // ACKs come faster than a writer wakes that waits for its buffer; but it fills the buffer again and again.
        let is_refilled = e.is_room_often_unused() && !e.slot.is_under_floor();
        (e.is_random() && !is_refilled && !e.is_saturated() && !e.is_lossy()).then(|| Detail::PacedWrites.into())
    }
}

/// The path rests each time before data answers an ACK, longer than a writer takes to wake: the sender waits for a clock of
/// its own.
pub(super) struct PathRests;

impl Hypothesis<OfSlot> for PathRests {
    const REASON: Reason = Reason::PathRestsBeforeSends;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        if e.can_show_waits() && e.is_waiting() {
            return Some(Label::from(Detail::PacedWrites).or(Limit::SendBuffer, Decider::SenderCapture));
        }
        (e.answers_late() && !e.follows_acks()).then(|| Detail::PacedWrites.into())
    }
}

/// Away from the sender: data never came as soon after an ACK as the handshake shows that it could.
pub(super) struct NeverPrompt;

impl Hypothesis<OfSlot> for NeverPrompt {
    const REASON: Reason = Reason::NeverPrompt;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.can_show_waits() && e.is_never_prompt())
            .then(|| Label::from(Detail::PacedWrites).or(Limit::SendBuffer, Decider::SenderCapture))
    }
}

/// The window is not smaller than it was without a loss, ACKs come without pause, as they do not to a writer that waits for
/// its buffer, no queue stands, and yet less is under way, in an even rhythm: nothing but the application is left.
pub(super) struct LessInRhythm;

impl Hypothesis<OfSlot> for LessInRhythm {
    const REASON: Reason = Reason::LessInRhythm;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_less = e.slot.is_under_floor() && !e.has_losses() && !e.has_lost_before();
        let is_steady = e.is_regular() && e.is_busy() && e.is_room_seldom_unused();
        (is_less && is_steady && !e.is_queued() && !e.context.is_pacing).then(|| Detail::PacedWrites.into())
    }
}

/// The window had been wider, a full buffer would show, and the path gives more: it is not asked for more.
pub(super) struct PathLeftIdle;

impl Hypothesis<OfSlot> for PathLeftIdle {
    const REASON: Reason = Reason::PathLeftIdle;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.leaves_path_idle() && !e.context.is_pacing).then(|| Detail::PacedWrites.into())
    }
}

/// Room is left unused or the flight stands still, and less is in flight than any buffer holds, or than it
/// had held: no buffer is so small, or shrinks so. Not where sends keep following ACKs: a program cannot see
/// these, and one large flight proves less.
pub(super) struct FarBelow;

impl Hypothesis<OfSlot> for FarBelow {
    const REASON: Reason = Reason::FarBelowFlight;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_flat = || !e.is_busy() && !e.is_queued() && !e.has_lost_before() && e.is_flat();
        let is_below = e.is_below_smallest() || e.is_far_below() && !e.follows_acks();
        (is_below && (e.leaves_room_unused() || is_flat())).then(|| Detail::PacedWrites.into())
    }
}

/// No level of the flight wakes the writer: bursts begin with more in flight than was left unanswered before.
pub(super) struct NoWakeLevel;

impl Hypothesis<OfSlot> for NoWakeLevel {
    const REASON: Reason = Reason::NoWakeLevel;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.leaves_room_unused() && e.has_no_wake_level()).then(|| Detail::PacedWrites.into())
    }
}

/// A pacer at its estimate probes for a quarter more once in eight round trips (BBR). This one does not: it has no more to send, and
/// its estimate is what the application gave it. (Or somebody set its pace.)
pub(super) struct NeverProbes;

impl Hypothesis<OfSlot> for NeverProbes {
    const REASON: Reason = Reason::PacerNeverProbes;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_paced_throughout() && e.is_probing() == Some(false))
            .then(|| Label::from(Detail::PacedWrites).or(Limit::CongestionWindow, Decider::LiveSampling))
    }
}

/// Nearly every burst ends with less than a full segment. Writes that wait in the send queue are coalesced (`tcp_sendmsg_locked`
/// fills the last skb first), so none waited for a congestion window or the path; a full buffer of small writes would look the same.
pub(super) struct SmallSegments;

impl Hypothesis<OfSlot> for SmallSegments {
    const REASON: Reason = Reason::SmallSegmentsLeave;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.are_segments_small().then(|| Label::from(Detail::PacedWrites).or(Limit::SendBuffer, e.decider()))
    }
}

/// This send followed no ACK, and nothing blurs the order of sends and ACKs.
pub(super) struct UnreleasedSend;

impl Hypothesis<OfGap> for UnreleasedSend {
    const REASON: Reason = Reason::UnreleasedSend;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        (gap.kind == GapKind::Unreleased && is_own_pace(gap)).then(|| Detail::PacedWrites.into())
    }
}

/// A burst that ends with a send that followed no ACK is of the same making.
pub(super) struct BurstOfUnreleased;

impl Hypothesis<OfGap> for BurstOfUnreleased {
    const REASON: Reason = Reason::BurstOfUnreleased;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        let is_of_unreleased = gap.ended_by == Some(GapKind::Unreleased);
        (is_of_unreleased && !gap.evidence.context.is_pacing && is_own_pace(gap)).then(|| Detail::PacedWrites.into())
    }
}

/// What follows no ACK follows the application: not a pacer, a repair, the peer's messages, nor an ACK that
/// the capture cannot place.
fn is_own_pace(gap: &Gap<'_>) -> bool {
    let e = gap.evidence;
    let context = e.context;
    // Away from the sender, retransmissions and queues blur which ACK released what.
    let is_blurred =
        context.ack_times_inferred && (e.has_losses() || e.is_busy() || e.is_queued() || !e.is_mostly_unreleased());
    // A pacer's own pace is no application's.
    let is_pacers = context.is_pacing && gap.slot().cause.limit != Limit::SendBuffer || e.follows_acks();
    let is_queued = e.is_never_empty() || e.holds_more_than_path() && !e.has_own_rhythm();
    !(is_blurred || is_queued || e.is_even() || e.is_repair() || e.is_lossy() || is_pacers || e.awaits_peer())
}
