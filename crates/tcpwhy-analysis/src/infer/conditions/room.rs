//! Whether the sender used the window that it had, and what set its pace.

use std::ops::Range;

use tcpwhy_kernel::{MIN_SNDBUF, Writing, taken};

use super::Evidence;
use super::named::{named, once};
use crate::facts::slot::Slot;
use crate::thresholds::{
    BURST_SHARE, CLEAN_REACH, EDGE_SHARE, FAR_BELOW, LEVEL_DENIED, LEVEL_PARTIAL, LEVEL_SLACK, LEVEL_SLOTS,
    OPEN_SEGMENTS, REACH, READER_AWAITED, READER_LATE, READER_LATE_LEAST, READER_PAUSE, REPAIR_SHARE, SHRUNK,
    SLOWED_RATE, UNUSED_OFTEN, UNUSED_OFTEN_AFTER_LOSS, UNUSED_SELDOM, WIDE_REACH, WINDOW_FULL_SHARE, part,
};

#[cfg(test)]
mod tests;

impl Evidence<'_> {
    /// Whether the window was full for most of the slot, so that sends between these times follow the moves
    /// of its right edge.
    pub(crate) fn is_window_bound(&self) -> bool {
        named("is_window_bound", || part(self.slot.window_full, self.slot.open()) > WINDOW_FULL_SHARE)
    }

    /// Whether the most bytes in flight left no room for another segment in the window.
    pub(crate) fn reaches_edge(&self) -> bool {
        named("reaches_edge", || {
            // Without the handshake, the scale of the window may be unknown.
            let is_known = self.slot.windows().is_some() || self.widest() > 0;
            is_known && self.slot.peak_flight.get() + self.context.mss > self.offered()
        })
    }

    /// Whether repairs of losses took nearly all of the time. The gaps between two repairs are too short to
    /// show another cause.
    pub(crate) fn is_repair(&self) -> bool {
        named("is_repair", || {
            let near = self.near();
            let others = near.ack_clocked + near.room_unused + near.unreleased + near.burst + near.window_full;
            near.retransmissions > 0 && part(others, near.nanos) < REPAIR_SHARE
        })
    }

    /// Whether sends that no ACK released outweigh the others.
    pub(crate) fn is_mostly_unreleased(&self) -> bool {
        named("is_mostly_unreleased", || {
            let near = self.near();
            near.unreleased > near.ack_clocked + near.room_unused + BURST_SHARE.of(near.burst)
        })
    }

    /// Whether the sender left room unused for almost none of the time.
    pub(crate) fn is_room_seldom_unused(&self) -> bool {
        named("is_room_seldom_unused", || part(self.near().room_unused, self.near().open()) < UNUSED_SELDOM)
    }

    /// Whether the sender often left room unused.
    pub(crate) fn is_room_often_unused(&self) -> bool {
        named("is_room_often_unused", || part(self.near().room_unused, self.near().open()) >= UNUSED_OFTEN)
    }

    /// Whether the sender often had nothing to send. It left room unused, or much less was in flight than had
    /// been allowed although ACKs paused.
    pub(crate) fn leaves_room_unused(&self) -> bool {
        once("leaves_room_unused", &self.leaves_room_unused, || {
            let near = self.near();
            let unused = near.room_unused + if self.is_busy() { 0 } else { near.refuted };
            let share = if near.has_cut { UNUSED_OFTEN_AFTER_LOSS } else { UNUSED_OFTEN };
            near.open() > 0 && part(unused, near.open()) >= share && self.context.has_sender_order
        })
    }

    /// Whether much less is in flight than at the connection's maximum.
    pub(crate) fn is_far_below(&self) -> bool {
        named("is_far_below", || part(self.near().peak_flight, self.context.flight_max) < FAR_BELOW)
    }

    /// Whether less is in flight than the smallest send buffer holds of a program that has more to write.
    pub(crate) fn is_below_smallest(&self) -> bool {
        named("is_below_smallest", || self.near().peak_flight < smallest_buffer(self.context.mss))
    }

    /// Whether the send buffer cannot be full. Far more was in flight once, and Linux never shrinks an
    /// autotuned buffer (`tcp_sndbuf_expand`). Or less is in flight than the smallest buffer holds. The fill
    /// of skbs changes less than that.
    pub(crate) fn is_below_buffer(&self) -> bool {
        named("is_below_buffer", || self.is_far_below() || self.is_below_smallest())
    }

    /// Whether the path is left idle. Less is in flight than the congestion window allowed, no buffer is
    /// full, and the path could deliver more.
    pub(crate) fn leaves_path_idle(&self) -> bool {
        once("leaves_path_idle", &self.leaves_path_idle, || {
            !self.context.ack_times_inferred
                && self.is_room_seldom_unused()
                && self.slot.is_under_floor()
                && self.is_path_idle()
        })
    }

    /// Indices of the slots up to `reach` before and after.
    pub(super) fn within(&self, reach: usize) -> Range<usize> {
        self.i.saturating_sub(reach)..(self.i + reach + 1).min(self.view.slots.len())
    }

    /// Whether the adjacent slots have no retransmission and no answer to a mark. While a congestion window
    /// shrinks, ACKs release no data either.
    pub(crate) fn is_clean(&self) -> bool {
        named("is_clean", || self.view.slots[self.within(CLEAN_REACH.get())].iter().all(|s| !s.is_cut()))
    }

    /// Whether a pacing sender sends without a pause, at its estimate of the path's rate. Then gaps between
    /// its sends do not depend on ACKs, and a loss need not cut its window.
    pub(crate) fn is_paced_throughout(&self) -> bool {
        once("is_paced_throughout", &self.is_paced_throughout, || {
            if !self.context.is_pacing {
                return false;
            }
            let near = self.near();
            let is_steady = self.is_unbroken() || self.is_busy() || self.is_even();
            is_steady && part(near.room_unused, near.open() + near.unreleased) < UNUSED_OFTEN
        })
    }

    /// Whether losses have cut the congestion window, so that the rate is below the earlier maximum. The even
    /// spacing alone (`fq`) is not a pacer's.
    pub(crate) fn is_slowed_by_losses(&self) -> bool {
        named("is_slowed_by_losses", || (self.has_losses() || self.has_lost_before()) && !self.keeps_its_pace())
    }

    /// Whether the delivery rate is close to the earlier maximum, so that losses cost nothing.
    fn keeps_its_pace(&self) -> bool {
        named("keeps_its_pace", || {
            let near = self.near();
            let rate = near.acked as f64 / near.nanos.max(1) as f64;
            let best = || self.view.slots[..self.i].iter().map(Slot::carried).fold(self.view.carried_before, f64::max);
            rate >= best() * SLOWED_RATE.get()
        })
    }

    /// Whether a pacing sender repairs losses at an undiminished delivery rate. Retransmissions then replace
    /// only as much new data as needed.
    pub(crate) fn is_paced_through_losses(&self) -> bool {
        named("is_paced_through_losses", || self.context.is_pacing && self.has_losses() && self.keeps_its_pace())
    }

    /// Largest window offered in the slot, bytes.
    pub(crate) fn offered(&self) -> u64 {
        self.slot.windows().map_or_else(|| self.widest(), |w| w.1)
    }

    /// Largest window offered up to and including the slot, bytes.
    pub(crate) fn widest(&self) -> u64 {
        *self.widest.get_or_init(|| {
            let before = self.view.window_before.max(self.context.window_first);
            self.view.slots[..=self.i].iter().filter_map(Slot::windows).map(|w| w.1).fold(before, u64::max)
        })
    }

    /// Whether the window is far smaller than before or shrinks, because acknowledged data is not read.
    pub(crate) fn is_window_shrinking(&self) -> bool {
        named("is_window_shrinking", || {
            let (near, mss, widest) = (self.near(), self.context.mss, self.widest());
            let is_nearly_closed = self.slot.windows().is_some_and(|w| w.0 < mss) && part(widest, mss) >= OPEN_SEGMENTS;
            let is_closing = is_nearly_closed || part(near.edge_advance, near.acked) < EDGE_SHARE;
            let has_shrunk = part(self.offered(), widest) < SHRUNK && !self.is_window_level();
            has_shrunk || is_closing && near.acked > 0 || self.is_reader_awaited()
        })
    }

    /// Whether the window is the same after each ACK and its edge advances with the acknowledged bytes. The
    /// program then reads everything at once. A program may set a small buffer on an open socket
    /// (`SO_RCVBUF`), after the handshake offered a large window. A slow reader reads in pieces, and the
    /// window varies with these.
    fn is_window_level(&self) -> bool {
        named("is_window_level", || {
            let (near, mss) = (self.near(), self.context.mss);
            let mut windows = self.view.slots[self.within(REACH.get())].iter().filter_map(Slot::windows);
            let Some(first) = windows.next() else { return false };
            let (low, high) = windows.fold(first, |all, slot| (all.0.min(slot.0), all.1.max(slot.1)));
            let is_open = part(low, mss) >= OPEN_SEGMENTS;
            is_open && high - low <= mss && near.acked > 0 && part(near.edge_advance, near.acked) >= EDGE_SHARE
        })
    }

    /// Whether the reader was slow. Either acknowledged data waited during a full window, until an ACK
    /// without new data offered more. Or ACKs were delayed until they covered everything in flight, without a
    /// queue. Linux delays ACKs while the reader of a full buffer is slow (`__tcp_ack_snd_check`).
    fn is_reader_awaited(&self) -> bool {
        named("is_reader_awaited", || {
            let near = self.near();
            let is_told_later = near.window_full > 0 && part(near.reader_wait, near.window_full) >= READER_AWAITED;
            is_told_later || self.are_acks_late()
        })
    }

    /// Whether even the earliest ACK around was late, and ACKs paused.
    fn are_acks_late(&self) -> bool {
        named("are_acks_late", || {
            let near = self.near();
            let Some(((base, least), mean)) = self.context.rtt_min.zip(near.rtt_min).zip(near.rtt()) else {
                return false;
            };
            // Every receiver may delay the ACK of less than two segments (RFC 9293 §3.8.6.3).
            let is_small = part(self.offered(), self.context.mss) < OPEN_SEGMENTS;
            !is_small
                && !self.is_busy()
                && part(near.ack_gap_max, mean) >= READER_PAUSE
                && least - base >= READER_LATE.of(base).max(READER_LATE_LEAST.get())
        })
    }

    /// Whether some bursts after ACKs began with more in flight than other slots, in which no burst began for
    /// longer than an answer takes. The kernel wakes a writer that waits for its buffer at one level, which
    /// only rises (`sk_stream_write_space`, `tcp_sndbuf_expand`).
    pub(crate) fn has_no_wake_level(&self) -> bool {
        named("has_no_wake_level", || {
            // Data that waits in the send queue is coalesced into full segments, and large skbs fill and free
            // a small buffer in large steps. So only bursts that end with a short segment count.
            let is_drained = part(self.near().partial_ends, self.near().bursts) >= LEVEL_PARTIAL;
            is_drained
                && *self.has_no_wake_level.get_or_init(|| {
                    let all = self.view.slots;
                    let (mut told, mut denied) = (0, 0);
                    for k in self.within(WIDE_REACH.get()) {
                        let slot = &all[k];
                        let Some(unanswered) = slot.unanswered_at().filter(|_| !slot.is_break()) else { continue };
                        told += 1;
                        let begun =
                            all[k.saturating_sub(1)..=k].iter().filter(|s| !s.is_break()).map(|s| s.begun_at).max();
                        let unanswered = u64::from(unanswered);
                        let slack = LEVEL_SLACK.of(unanswered).max(self.context.mss);
                        denied += u32::from(begun.is_some_and(|begun| u64::from(begun) > unanswered + slack));
                    }
                    told >= LEVEL_SLOTS.get() && part(denied, told) >= LEVEL_DENIED
                })
        })
    }
}

/// Bytes in flight under the smallest send buffer of a program that fills it.
fn smallest_buffer(mss: u64) -> u64 {
    // Memory of an skb besides its payload, at most: `SKB_TRUESIZE` of a head of 1,024 bytes.
    const OVERHEAD: u64 = 1_280;
    taken(MIN_SNDBUF, Writing::BULK, mss, OVERHEAD)
}
