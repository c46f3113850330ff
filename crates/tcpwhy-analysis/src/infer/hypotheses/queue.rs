//! Path: a persistent queue before the bottleneck shows that it is saturated, whatever else is full.

use tcpwhy_model::{Cause, Detail, Limit, Measure, Reason};

use super::super::bottleneck::Bottleneck;
use super::super::decision::{Gap, Label};
use super::super::direction::{Carried, Direction, Renaming, Values, is_full_window, is_granted};
use super::scope::{Hypothesis, Kept, OfDirection, OfGap, OfSlot};
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;
use crate::thresholds::{ACKS_QUEUED, ACKS_QUEUED_LEAST, WINDOW_OVER_QUEUE, part};

/// All data waits in a queue that never empties, before the sender's own interface or on the path. Another
/// writer or window would not be faster.
pub(super) struct NeverEmpties;

impl Hypothesis<OfSlot> for NeverEmpties {
    const REASON: Reason = Reason::QueueNeverEmpties;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_never_empty().then(|| Detail::Queue.into())
    }
}

/// Slow start has filled the path. A larger window would only lengthen the queue.
pub(super) struct FilledBySlowStart;

impl Hypothesis<OfSlot> for FilledBySlowStart {
    const REASON: Reason = Reason::QueueInSlowStart;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_slow_start() && e.is_queued() && e.is_busy()).then(|| Detail::Queue.into())
    }
}

/// More is in flight than the path holds, so nothing else is the limit. If ACKs come without pauses, other
/// hypotheses find the queue directly.
pub(super) struct MoreThanPathHolds;

impl Hypothesis<OfSlot> for MoreThanPathHolds {
    const REASON: Reason = Reason::MoreThanPathHolds;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.holds_more_than_path() && !e.is_busy()).then(|| Detail::Queue.into())
    }
}

/// The queue under a pacing sender is longer than the short one that its probing leaves.
pub(super) struct PacedIntoQueue;

impl Hypothesis<OfSlot> for PacedIntoQueue {
    const REASON: Reason = Reason::QueueUnderPacer;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_paced_throughout() && e.is_inflated()).then(|| Detail::Queue.into())
    }
}

/// A serialiser spaces single segments evenly, and there is a queue before it.
pub(super) struct ServedEvenly;

impl Hypothesis<OfSlot> for ServedEvenly {
    const REASON: Reason = Reason::QueueServedEvenly;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_even() && e.is_queued() && e.is_busy()).then(|| Detail::Queue.into())
    }
}

/// There is a persistent queue while a buffer or window is full. A larger one would only lengthen the queue.
pub(super) struct UnderFullBuffer;

impl Hypothesis<OfSlot> for UnderFullBuffer {
    const REASON: Reason = Reason::QueueUnderFullBuffer;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_queued() && e.is_busy()).then(|| Detail::Queue.into())
    }
}

/// Round trips stay longer than the path needs, and nothing shows that the sender lacked data.
pub(super) struct Standing;

impl Hypothesis<OfSlot> for Standing {
    const REASON: Reason = Reason::QueueStanding;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_queued().then(|| Detail::Queue.into())
    }
}

/// The final round trip of data passes a queue and a busy path.
pub(super) struct UnderLastFlight;

impl Hypothesis<OfGap> for UnderLastFlight {
    const REASON: Reason = Reason::QueueUnderLastFlight;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        let e = gap.evidence;
        let is_last = gap.kind == GapKind::Tail && e.can_be_busy();
        (is_last && e.is_queued() && e.is_busy()).then(|| Detail::Queue.into())
    }
}

/// The window was full over a persistent queue for most of its time. A larger window would only have
/// lengthened the queue.
pub(super) struct UnderWindow;

impl Hypothesis<OfDirection> for UnderWindow {
    const REASON: Reason = Reason::WindowOverQueue;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        (part(d.moved.window_queued, d.limits.nanos_of(Limit::ReceiveWindow)) > WINDOW_OVER_QUEUE).then(|| Renaming {
            causes: d.causes(is_full_window),
            to: Detail::Queue.into(),
            carried: Carried::AllUnder(Limit::ReceiveWindow),
            values: Values::OfInterval,
        })
    }
}

/// Full queues dropped packets, and the repair took longer than all other time under the path. Otherwise
/// repair keeps its own cause.
pub(super) struct LostToFull;

impl Hypothesis<OfDirection> for LostToFull {
    const REASON: Reason = Reason::LostToFullQueue;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let Bottleneck::Full(capacity) = *d.bottleneck() else { return None };
        let causes = [Detail::Fast, Detail::PostLoss].map(Cause::from).to_vec();
        let lost: i64 = causes.iter().map(|&cause| d.limits.nanos_of_cause(cause)).sum();
        (lost > d.limits.nanos_of(Limit::Path)).then(|| Renaming {
            causes,
            to: Detail::Queue.into(),
            carried: Carried::Share,
            values: Values::These(vec![(Measure::Capacity, capacity * 8.0)]),
        })
    }
}

/// There was a queue at a bottleneck of one rate. A larger buffer or window, or more data, would only have
/// lengthened it. With fewer bytes in flight (`Kept`), the application's own pace remains possible. A window
/// causes a constant rate as well (window / RTT), if round trips are long for another reason. So the time of
/// the receive window, or of a protocol's window, is renamed only if the path spaces the segments.
pub(super) struct KeptFull;

impl Hypothesis<OfDirection> for KeptFull {
    const REASON: Reason = Reason::RateOfFullPath;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let (capacity, is_writer_held) = match *d.bottleneck() {
            Bottleneck::Held(capacity) => (capacity, true),
            Bottleneck::Kept(capacity) => (capacity, false),
            Bottleneck::Unknown | Bottleneck::Overflown | Bottleneck::Policer(_) | Bottleneck::Full(_) => return None,
        };
        let windows = [Detail::Other, Detail::DelayExit, Detail::PostMark].map(Cause::from);
        let writer = is_writer_held.then_some(Detail::PacedWrites.into());
        let offered = d.causes(|cause| d.facts.is_spaced_by_path && (is_full_window(cause) || is_granted(cause)));
        Some(Renaming {
            causes: [Cause::plain(Limit::SendBuffer)].into_iter().chain(windows).chain(writer).chain(offered).collect(),
            to: Detail::Queue.into(),
            carried: Carried::Share,
            values: Values::These(vec![(Measure::Capacity, capacity * 8.0)]),
        })
    }
}

/// ACKs wait in a queue for most of each round trip, because another transfer fills the reverse path. Slow
/// start takes longer in proportion, although the forward path has room.
pub(super) struct AcksQueued;

impl Hypothesis<OfDirection> for AcksQueued {
    const REASON: Reason = Reason::AcksQueued;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let (queued, rtt) = d.facts.acks_queued?;
        let is_most = queued >= ACKS_QUEUED_LEAST.get() && part(queued, rtt) >= ACKS_QUEUED;
        let windows = [Detail::Other, Detail::DelayExit].map(Cause::from);
        let causes = [Cause::plain(Limit::SlowStart), Detail::Queue.into()].into_iter().chain(windows).collect();
        is_most.then(|| Renaming {
            causes,
            to: Detail::AckQueue.into(),
            carried: Carried::Share,
            values: Values::These(vec![(Measure::QueueDelay, queued as f64 / 1e3)]),
        })
    }
}
