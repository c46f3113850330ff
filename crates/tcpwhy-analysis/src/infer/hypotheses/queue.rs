//! Path: a queue stands at the bottleneck, so the path is used to the full, whatever else is full as well.

use tcpwhy_model::{Detail, Reason};

use super::super::decide::{Gap, Label};
use super::{GapHypothesis, Hypothesis};
use crate::facts::slot::GapKind;
use crate::infer::conditions::Evidence;

/// Slow start has filled the pipe: more window only lengthens the queue.
pub(super) struct FilledBySlowStart;

impl Hypothesis for FilledBySlowStart {
    const REASON: Reason = Reason::QueueInSlowStart;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_slow_start() && e.is_queued() && e.is_busy()).then(|| Detail::Queue.into())
    }
}

/// A pacing sender stands in a longer queue than the little that its probing leaves.
pub(super) struct UnderPacer;

impl Hypothesis for UnderPacer {
    const REASON: Reason = Reason::QueueUnderPacer;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_paced_throughout() && e.is_inflated()).then(|| Detail::Queue.into())
    }
}

/// A serialiser spaces single segments evenly, and a queue stands before it.
pub(super) struct ServedEvenly;

impl Hypothesis for ServedEvenly {
    const REASON: Reason = Reason::QueueServedEvenly;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_even() && e.is_queued() && e.is_busy()).then(|| Detail::Queue.into())
    }
}

/// A buffer or window that is full above a standing queue: more of it would only lengthen the queue.
pub(super) struct UnderFullBuffer;

impl Hypothesis for UnderFullBuffer {
    const REASON: Reason = Reason::QueueUnderFullBuffer;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.is_queued() && e.is_busy()).then(|| Detail::Queue.into())
    }
}

/// Round trips stay longer than the path needs, and nothing shows that the sender lacked data.
pub(super) struct Standing;

impl Hypothesis for Standing {
    const REASON: Reason = Reason::QueueStanding;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        e.is_queued().then(|| Detail::Queue.into())
    }
}

/// The last flight is on its way through a queue and a path at work.
pub(super) struct UnderLastFlight;

impl GapHypothesis for UnderLastFlight {
    const REASON: Reason = Reason::QueueUnderLastFlight;
    const CONFIDENCE: f32 = 0.8;

    fn label(&self, e: &Evidence<'_>, gap: &Gap<'_>) -> Option<Label> {
        let is_last = gap.kind == GapKind::Tail && e.can_be_busy();
        (is_last && e.is_queued() && e.is_busy()).then(|| Detail::Queue.into())
    }
}
