//! Labels slots as they come and adds them up, in bounded memory.

use tcpwhy_model::{LimitTimeline, TimelineBuilder, Timestamp};

use super::decide;
use super::decision::Decision;
use super::moved::Moved;
use crate::facts::context::Context;
use crate::facts::slot::{Slot, SlotLog, narrow};
use crate::infer::conditions::{SinceLoss, View};
use crate::thresholds::{AHEAD, BEHIND};

/// The timeline of a half-connection as far as it is decided, and what was moved under each limit.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    timeline: TimelineBuilder,
    /// Slots at the front of the log that are labelled already and kept for context.
    labelled: u32,
    /// At most a gigabyte, as windows are (RFC 7323 §2.3).
    peak_before: u32,
    /// Most connections lose nothing.
    since_loss: Option<Box<SinceLoss>>,
    /// The largest window offered, bytes; at most a gigabyte too.
    window_before: u32,
    carried_before: f64,
    is_from_start: bool,
    pub(crate) moved: Moved,
}

impl Account {
    /// Slots are labelled when this many wait.
    const FULL: usize = 64;

    pub(crate) fn new(start: i64) -> Self {
        Self {
            timeline: TimelineBuilder::new(Timestamp::from_nanos(start)),
            labelled: 0,
            peak_before: 0,
            since_loss: None,
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

    /// Labels what has enough context by now, and forgets what nothing depends on any more.
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

    /// Labels the rest.
    pub(crate) fn finish(mut self, log: &mut SlotLog, context: &Context) -> (LimitTimeline, Moved) {
        self.label_up_to(log.done.len(), log, context);
        (self.timeline.finish(), self.moved)
    }

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        let since_loss = self.since_loss.as_ref().map_or(0, |_| size_of::<SinceLoss>());
        self.timeline.heap() + self.moved.heap() + since_loss
    }

    fn remember(&mut self, slot: &Slot) {
        let since_loss = SinceLoss::after(self.since_loss.as_deref().copied(), slot);
        match (&mut self.since_loss, since_loss) {
            (Some(kept), Some(since)) => **kept = since,
            (kept, since) => *kept = since.map(Box::new),
        }
        let window = slot.windows().map_or(0, |w| narrow(w.1));
        self.window_before = self.window_before.max(window);
        self.carried_before = self.carried_before.max(slot.carried());
        let peak_before = peak_after(self.peak_before.into(), slot);
        self.peak_before = u32::try_from(peak_before).unwrap_or(u32::MAX);
    }

    fn label_up_to(&mut self, count: usize, log: &mut SlotLog, context: &Context) {
        let labelled = self.labelled as usize;
        if count <= labelled {
            return;
        }
        let mut peaks_before = Vec::with_capacity(log.done.len() + 1);
        peaks_before.push(self.peak_before.into());
        for (i, slot) in log.done.iter().enumerate() {
            peaks_before.push(peak_after(peaks_before[i], slot));
        }
        let mut since_loss = Vec::with_capacity(log.done.len() + 1);
        since_loss.push(self.since_loss.as_deref().copied());
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

/// Largest flight up to and with `slot` since the last loss or idle period. After a mark the window grows back from the threshold
/// of slow start (RFC 3168 §6.1.2): what follows opens nothing.
fn peak_after(before: u64, slot: &Slot) -> u64 {
    let has_started_anew = slot.retransmissions > 0 || slot.is_mostly_certain();
    if has_started_anew { 0 } else { before.max(slot.peak_flight.get()) }
}
