//! Evidence for and against each cause in one slot. It consists of the slot's sums, those of the slots around
//! it, facts about the connection, and conditions derived from them. Each condition is computed at most once,
//! when a hypothesis needs it.

mod flight;
mod measures;
mod named;
mod queue;
mod rhythm;
mod room;
mod since_loss;
#[cfg(test)]
pub(super) mod testing;
mod words;

use std::cell::OnceCell;

use tcpwhy_model::Decider;

use super::around::{around, neighbours};
use crate::facts::context::Context;
use crate::facts::slot::{Around, Slot};
use crate::thresholds::{BUSY_ACKS, REACH};

use named::named;
pub(super) use since_loss::SinceLoss;

/// The slots in memory, and sums of the forgotten ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) slots: &'a [Slot],
    /// For each slot, the most bytes in flight before it since the last loss or idle period.
    pub(crate) peaks_before: &'a [u64],
    /// For each slot, its history since the last cut of the congestion window; `None` if there was no cut.
    pub(crate) since_loss: &'a [Option<SinceLoss>],
    /// Largest window offered before these slots, bytes.
    pub(crate) window_before: u64,
    /// Highest [`Slot::carried`] before these slots.
    pub(crate) carried_before: f64,
    /// Whether no slot was forgotten, so that the first one is the connection's first.
    pub(crate) is_from_start: bool,
}

/// Evidence about one slot.
#[derive(Debug)]
pub(crate) struct Evidence<'a> {
    pub(crate) context: &'a Context,
    /// The slot itself.
    pub(crate) slot: &'a Slot,
    view: &'a View<'a>,
    /// Index of the slot in the view.
    i: usize,
    near: OnceCell<Around>,
    widest: OnceCell<u64>,
    is_busy: OnceCell<bool>,
    is_queued: OnceCell<bool>,
    is_even: OnceCell<bool>,
    is_random: OnceCell<bool>,
    follows_acks: OnceCell<bool>,
    rests_end_with_acks: OnceCell<bool>,
    is_saturated: OnceCell<bool>,
    holds_more_than_path: OnceCell<bool>,
    is_never_empty: OnceCell<bool>,
    is_slow_start: OnceCell<bool>,
    is_paced_throughout: OnceCell<bool>,
    is_probing: OnceCell<Option<bool>>,
    leaves_path_idle: OnceCell<bool>,
    leaves_room_unused: OnceCell<bool>,
    has_no_wake_level: OnceCell<bool>,
    is_flat: OnceCell<bool>,
    awaits_peer: OnceCell<bool>,
    is_granted: OnceCell<bool>,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(view: &'a View<'a>, i: usize, context: &'a Context) -> Self {
        Self {
            context,
            slot: &view.slots[i],
            view,
            i,
            near: OnceCell::new(),
            widest: OnceCell::new(),
            is_busy: OnceCell::new(),
            is_queued: OnceCell::new(),
            is_even: OnceCell::new(),
            is_random: OnceCell::new(),
            follows_acks: OnceCell::new(),
            rests_end_with_acks: OnceCell::new(),
            is_saturated: OnceCell::new(),
            holds_more_than_path: OnceCell::new(),
            is_never_empty: OnceCell::new(),
            is_slow_start: OnceCell::new(),
            is_paced_throughout: OnceCell::new(),
            is_probing: OnceCell::new(),
            leaves_path_idle: OnceCell::new(),
            leaves_room_unused: OnceCell::new(),
            has_no_wake_level: OnceCell::new(),
            is_flat: OnceCell::new(),
            awaits_peer: OnceCell::new(),
            is_granted: OnceCell::new(),
        }
    }

    /// Sums over the slots around, up to `REACH` on either side.
    #[inline]
    pub(in crate::infer) fn near(&self) -> &Around {
        self.near.get_or_init(|| around(self.view.slots, self.i, REACH.get(), self.context))
    }

    /// Whether there are enough ACKs around to decide whether the path is busy.
    pub(crate) fn can_be_busy(&self) -> bool {
        named("can_be_busy", || {
            neighbours(self.view.slots, self.i, REACH.get()).iter().map(|s| s.advancing_acks).sum::<u32>() >= BUSY_ACKS
        })
    }

    /// Whether the congestion window was cut before this slot: by a retransmission, or by a mark.
    pub(crate) fn has_lost_before(&self) -> bool {
        named("has_lost_before", || self.view.since_loss[self.i].is_some())
    }

    /// Whether a mark and not a loss cut the congestion window last.
    pub(crate) fn was_cut_by_mark(&self) -> bool {
        named("was_cut_by_mark", || {
            !self.has_losses() && self.view.since_loss[self.i].is_some_and(|since| since.is_of_mark())
        })
    }

    /// Data that would distinguish the send buffer, the receive window and the application.
    pub(crate) fn decider(&self) -> Decider {
        if self.context.ack_times_inferred { Decider::SenderCapture } else { Decider::LiveSampling }
    }

    /// Whether there are retransmissions in the slots around.
    pub(crate) fn has_losses(&self) -> bool {
        named("has_losses", || self.near().retransmissions > 0)
    }
}
