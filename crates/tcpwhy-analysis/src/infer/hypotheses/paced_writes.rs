//! Application: it writes at its own pace.

use tcpwhy_model::{Decider, Detail, Limit, Reason};

use super::super::decision::{Gap, Label};
use super::scope::{Hypothesis, OfGap, OfSlot};
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;

/// Bursts come at a fixed period that neither the round trip nor the path explains, so a timer of the
/// application sets it. Three cases are excluded. Writes that were coalesced to full segments had waited in
/// the send queue for another reason. The rhythm of a pacing sender, or of one whose pauses end with ACKs, is
/// its pacer's.
pub(super) struct OwnRhythm;

impl Hypothesis<OfSlot> for OwnRhythm {
    const REASON: Reason = Reason::OwnRhythm;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        let is_timed = e.has_own_rhythm() && !e.context.is_pacing && !e.follows_acks();
        (is_timed && !e.is_served() && !e.are_writes_coalesced()).then(|| Detail::PacedWrites.into())
    }
}

/// Most sends follow no ACK although data is in flight. The window had room, so the application set the
/// times.
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

/// Sends follow ACKs no more closely than by chance, so ACKs do not release them.
pub(super) struct ByChance;

impl Hypothesis<OfSlot> for ByChance {
    const REASON: Reason = Reason::SendsByChance;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        // ACKs come faster than a writer that waits for its buffer wakes up, but such a writer refills the
        // buffer often.
        let is_refilled = e.is_room_often_unused() && !e.slot.is_under_floor();
        (e.is_random() && !is_refilled && !e.is_saturated() && !e.is_lossy()).then(|| Detail::PacedWrites.into())
    }
}

/// The path is idle each time before data answers an ACK, longer than a writer needs to wake up. So the
/// sender waits for a clock of its own.
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

/// A capture away from the sender shows that data never followed an ACK as soon as the handshake proves
/// possible.
pub(super) struct NeverPrompt;

impl Hypothesis<OfSlot> for NeverPrompt {
    const REASON: Reason = Reason::NeverPrompt;
    const CONFIDENCE: f32 = 0.65;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.can_show_waits() && e.is_never_prompt())
            .then(|| Label::from(Detail::PacedWrites).or(Limit::SendBuffer, Decider::SenderCapture))
    }
}

/// The application is the only cause left. Less is in flight than before, in an even rhythm, although no loss
/// cut the window and there is no queue. ACKs come without pauses, which a writer that waits for its buffer
/// would not see.
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

/// The congestion window was larger before, a full buffer would show, and the path could deliver more. So the
/// application does not send more.
pub(super) struct PathLeftIdle;

impl Hypothesis<OfSlot> for PathLeftIdle {
    const REASON: Reason = Reason::PathLeftIdle;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.leaves_path_idle() && !e.context.is_pacing).then(|| Detail::PacedWrites.into())
    }
}

/// Less is in flight than any buffer holds, or than it held before, while room is unused or the bytes in
/// flight stay level. No buffer is that small or shrinks that much. Sends that keep following ACKs are
/// excluded: a program cannot see ACKs, and a single maximum of bytes in flight proves less.
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

/// No level of the bytes in flight wakes the writer. Some bursts begin with more in flight than at other
/// times without a burst.
pub(super) struct NoWakeLevel;

impl Hypothesis<OfSlot> for NoWakeLevel {
    const REASON: Reason = Reason::NoWakeLevel;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.leaves_room_unused() && e.has_no_wake_level()).then(|| Detail::PacedWrites.into())
    }
}

/// A BBR pacer at its estimate probes for 25 % more once per eight round trips. This one does not, so it has
/// no more to send and its estimate is the application's rate. (Or the pacing rate was set.)
pub(super) struct NeverProbes;

impl Hypothesis<OfSlot> for NeverProbes {
    const REASON: Reason = Reason::PacerNeverProbes;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_paced_throughout() && e.is_probing() == Some(false))
            .then(|| Label::from(Detail::PacedWrites).or(Limit::CongestionWindow, Decider::LiveSampling))
    }
}

/// Nearly every burst ends with a segment shorter than the MSS. Writes in the send queue are coalesced
/// (`tcp_sendmsg_locked` fills the last skb first), so none waited for a congestion window or the path. A
/// full buffer of small writes would look the same.
pub(super) struct SmallSegments;

impl Hypothesis<OfSlot> for SmallSegments {
    const REASON: Reason = Reason::SmallSegmentsLeave;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.are_segments_small().then(|| Label::from(Detail::PacedWrites).or(Limit::SendBuffer, e.decider()))
    }
}

/// The send followed no ACK, and the order of sends and ACKs is certain.
pub(super) struct UnreleasedSend;

impl Hypothesis<OfGap> for UnreleasedSend {
    const REASON: Reason = Reason::UnreleasedSend;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        (gap.kind == GapKind::Unreleased && is_own_pace(gap)).then(|| Detail::PacedWrites.into())
    }
}

/// A burst that ends before a send without an ACK has the same cause as that send.
pub(super) struct BurstOfUnreleased;

impl Hypothesis<OfGap> for BurstOfUnreleased {
    const REASON: Reason = Reason::BurstOfUnreleased;
    const CONFIDENCE: f32 = 0.7;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        let is_of_unreleased = gap.ended_by == Some(GapKind::Unreleased);
        (is_of_unreleased && !gap.evidence.context.is_pacing && is_own_pace(gap)).then(|| Detail::PacedWrites.into())
    }
}

/// Whether a send without an ACK shows the application's pace. The others come from a pacer, a repair or the
/// peer's messages, or follow an ACK whose time at the sender is uncertain.
fn is_own_pace(gap: &Gap<'_>) -> bool {
    let e = gap.evidence;
    let context = e.context;
    // Away from the sender, retransmissions and queues hide which ACK released which send.
    let is_blurred =
        context.ack_times_inferred && (e.has_losses() || e.is_busy() || e.is_queued() || !e.is_mostly_unreleased());
    // A pacer's own pace is not the application's.
    let is_pacers = context.is_pacing && gap.slot().cause.limit != Limit::SendBuffer || e.follows_acks();
    let is_queued = e.is_never_empty() || e.holds_more_than_path() && !e.has_own_rhythm();
    !(is_blurred || is_queued || e.is_even() || e.is_repair() || e.is_lossy() || is_pacers || e.awaits_peer())
}
