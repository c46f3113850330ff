//! Labels the slots of a half-connection and sums their time per limit, in bounded memory.

use tcpwhy_model::{ByteSlots, LimitTimeline, Span, TimelineBuilder, Timestamp};

use super::decide;
use super::decision::Decision;
use super::moved::Moved;
use crate::facts::context::Context;
use crate::facts::slot::{Slot, SlotLog, narrow};
use crate::infer::conditions::{SinceLoss, View};
use crate::thresholds::{AHEAD, BEHIND};

/// Timeline of a half-connection as far as it is decided, and the bytes moved under each limit.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    timeline: TimelineBuilder,
    /// Slots at the front of the log that are already labelled and kept only as context for later ones.
    labelled: u32,
    /// Largest number of bytes in flight in the forgotten slots since the last loss or idle period. The
    /// window limits it to 1 GiB (RFC 7323 §2.3).
    peak_before: u32,
    /// State that most connections do not need; boxed to keep this type small.
    rare: Option<Box<Rare>>,
    /// Largest window offered in the forgotten slots, bytes; at most 1 GiB, too.
    window_before: u32,
    carried_before: f64,
    is_from_start: bool,
    pub(crate) moved: Moved,
}

/// State that only lossy or large directions need.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// Slots since the last loss.
    since_loss: Option<SinceLoss>,
    /// Payload over time; `None` while there is little of it.
    progress: Option<Box<ByteSlots>>,
}

/// Time of a half-connection, after all of it is labelled.
pub(crate) struct Accounted {
    /// Timeline of limits.
    pub(crate) limits: LimitTimeline,
    /// Bytes moved under each limit.
    pub(crate) moved: Moved,
    /// Payload over time; `None` if there is little of it.
    pub(crate) progress: Option<Box<ByteSlots>>,
}

impl Account {
    /// Number of unlabelled slots from which on a pass over them is worth its cost.
    const FULL: usize = 64;
    /// Payload of one pass, bytes, from which on its times are kept. Less payload is spread evenly over the
    /// direction's span, which needs no memory.
    const PROGRESS_LEAST: u64 = 64 << 10;

    pub(crate) fn new(start: i64) -> Self {
        Self {
            timeline: TimelineBuilder::new(Timestamp::from_nanos(start)),
            labelled: 0,
            peak_before: 0,
            rare: None,
            window_before: 0,
            carried_before: 0.0,
            is_from_start: true,
            moved: Moved::default(),
        }
    }

    /// Whether [`Self::settle`] has work to do.
    pub(crate) fn is_due(log: &SlotLog) -> bool {
        log.done.len() >= Self::FULL
    }

    /// Labels the slots that have enough context after them, and forgets those that no later label depends
    /// on.
    pub(crate) fn settle(&mut self, log: &mut SlotLog, context: &Context) {
        self.label_up_to(log.done.len().saturating_sub(AHEAD.get()), log, context);
        let forget = (self.labelled as usize).saturating_sub(BEHIND.get());
        for slot in &log.done[..forget] {
            self.remember(slot);
        }
        log.done.drain(..forget);
        self.labelled -= forget as u32;
        self.is_from_start &= forget == 0;
    }

    /// Labels all remaining slots.
    pub(crate) fn finish(mut self, log: &mut SlotLog, context: &Context) -> Accounted {
        self.label_up_to(log.done.len(), log, context);
        let progress = self.rare.and_then(|rare| rare.progress);
        Accounted { limits: self.timeline.finish(), moved: self.moved, progress }
    }

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        let progress = |rare: &Rare| rare.progress.as_ref().map_or(0, |slots| size_of::<ByteSlots>() + slots.heap());
        let rare = self.rare.as_ref().map_or(0, |rare| size_of::<Rare>() + progress(rare));
        self.timeline.heap() + self.moved.heap() + rare
    }

    fn since_loss(&self) -> Option<SinceLoss> {
        self.rare.as_ref().and_then(|rare| rare.since_loss)
    }

    fn remember(&mut self, slot: &Slot) {
        let since_loss = SinceLoss::after(self.since_loss(), slot);
        if since_loss.is_some() || self.rare.is_some() {
            self.rare.get_or_insert_default().since_loss = since_loss;
        }
        let window = slot.windows().map_or(0, |w| narrow(w.1));
        self.window_before = self.window_before.max(window);
        self.carried_before = self.carried_before.max(slot.carried());
        let peak_before = peak_after(self.peak_before.into(), slot);
        self.peak_before = u32::try_from(peak_before).unwrap_or(u32::MAX);
    }

    /// Notes when the payload of `slots` was sent.
    fn note_progress(&mut self, slots: &[Slot]) {
        let sent: u64 = slots.iter().map(|slot| slot.sent.get()).sum();
        let is_kept = self.rare.as_ref().is_some_and(|rare| rare.progress.is_some());
        if !is_kept && sent < Self::PROGRESS_LEAST {
            return;
        }
        let progress = self.rare.get_or_insert_default().progress.get_or_insert_default();
        for slot in slots {
            let [start, end] = [slot.start, slot.end].map(Timestamp::from_nanos);
            progress.add_over(Span::new(start, end), slot.sent.get());
        }
    }

    fn label_up_to(&mut self, count: usize, log: &mut SlotLog, context: &Context) {
        let labelled = self.labelled as usize;
        if count <= labelled {
            return;
        }
        self.note_progress(&log.done[labelled..count]);
        let mut peaks_before = Vec::with_capacity(log.done.len() + 1);
        peaks_before.push(self.peak_before.into());
        for (i, slot) in log.done.iter().enumerate() {
            peaks_before.push(peak_after(peaks_before[i], slot));
        }
        let mut since_loss = Vec::with_capacity(log.done.len() + 1);
        since_loss.push(self.since_loss());
        for (i, slot) in log.done.iter().enumerate() {
            since_loss.push(SinceLoss::after(since_loss[i], slot));
        }
        let view = View {
            slots: &log.done,
            peaks_before: &peaks_before,
            since_loss: &since_loss,
            window_before: self.window_before.into(),
            carried_before: self.carried_before,
            is_from_start: self.is_from_start,
        };
        let (timeline, moved) = (&mut self.timeline, &mut self.moved);
        let mut used = 0;
        for i in labelled..count {
            let slot = &view.slots[i];
            let rate = slot.acked.get() as f64 / slot.nanos().max(1) as f64;
            let own = slot.intervals as usize;
            let intervals = &log.intervals[used..used + own];
            used += own;
            decide::label_slot(&view, i, intervals, context, |labelled| {
                let end =
                    Timestamp::from_nanos(context.transfer_end.map_or(labelled.end, |last| last.min(labelled.end)));
                let nanos = end.since(timeline.end()).max(0);
                let Decision { cause, confidence, alternative, .. } = labelled.decision;
                timeline.push_decided(end, cause, confidence, alternative, Some(labelled.why));
                moved.add(cause.limit, rate * nanos as f64);
                moved.see(cause, slot, nanos as f64);
                if labelled.is_window_queued {
                    moved.window_queued += nanos;
                }
            });
        }
        log.intervals.drain(..used);
        self.labelled = count as u32;
    }
}

/// Largest number of bytes in flight up to and including `slot`, since the last loss or idle period. A mark
/// does not reset it: afterwards the window grows back from the slow-start threshold (RFC 3168 §6.1.2),
/// without a new slow start.
fn peak_after(before: u64, slot: &Slot) -> u64 {
    let has_started_anew = slot.retransmissions > 0 || slot.is_mostly_certain();
    if has_started_anew { 0 } else { before.max(slot.peak_flight.get()) }
}
