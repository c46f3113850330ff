//! Derived sums over the slots around one: measures that cannot be merged by a simple rule, and means.
//! `facts/slot.rs` has the table of measures.

use crate::facts::context::Context;
use crate::facts::slot::{Around, Slot};
use crate::thresholds::{RESOLVED_ACKS, UNUSED_SELDOM, part};

impl Around {
    /// Time whose cause the gaps alone do not decide, nanoseconds.
    pub(super) fn open(&self) -> i64 {
        self.ack_clocked + self.room_unused + self.burst
    }

    /// Mean round trip, nanoseconds.
    pub(super) fn rtt(&self) -> Option<i64> {
        (self.rtt_count > 0).then(|| self.rtt_sum / i64::from(self.rtt_count))
    }

    /// Mean period of the bursts that have one, nanoseconds.
    pub(super) fn period(&self) -> i64 {
        self.period_sum / i64::from(self.periodic_bursts.max(1))
    }

    /// Mean time from one burst to the next, nanoseconds.
    pub(super) fn burst_distance(&self) -> i64 {
        self.nanos / i64::from(self.bursts.max(1))
    }

    /// Least queueing delay before the capture that all data of that time had, nanoseconds. The stored value
    /// is one microsecond larger, because 0 means that none was measured.
    pub(super) fn queued(&self) -> i64 {
        (i64::from(self.echo_queued) - 1) * 1000
    }

    /// Mean time between ACKs that acknowledged new bytes, nanoseconds.
    pub(super) fn ack_spacing(&self) -> i64 {
        self.ack_time / i64::from(self.advancing_acks.max(1))
    }

    /// Bytes acknowledged per second.
    pub(super) fn rate(&self) -> f64 {
        self.acked as f64 * 1e9 / self.nanos.max(1) as f64
    }
}

pub(super) fn neighbours(all: &[Slot], i: usize, reach: usize) -> &[Slot] {
    &all[i.saturating_sub(reach)..(i + reach + 1).min(all.len())]
}

/// Sums over slot `i` and up to `reach` slots before and after it.
pub(super) fn around(all: &[Slot], i: usize, reach: usize, context: &Context) -> Around {
    let mut sums = Around::default();
    for slot in neighbours(all, i, reach) {
        sums.merge(slot);
        derive(&mut sums, slot, context);
    }
    sums
}

/// Adds one slot to the derived measures. Call `merge` first.
fn derive(sums: &mut Around, slot: &Slot, context: &Context) {
    sums.nanos += slot.nanos();
    sums.has_cut |= slot.is_cut();
    // If the capture resolves which ACK releases which send, waits for the send buffer would show directly.
    // So few bytes in flight are no evidence for the application.
    let is_resolved = || {
        !context.ack_times_inferred
            && slot.advancing_acks >= RESOLVED_ACKS
            && part(slot.room_unused, slot.open()) < UNUSED_SELDOM
    };
    if slot.is_under_floor() && !is_resolved() {
        sums.refuted += slot.ack_clocked + slot.burst;
    }
    if let Some(rtt) = slot.rtt_min {
        let least = sums.rtt_min.unwrap_or(i64::MAX);
        if rtt < least {
            sums.rtt_next = sums.rtt_min;
            sums.rtt_min = Some(rtt);
        } else if rtt < sums.rtt_next.unwrap_or(i64::MAX) {
            sums.rtt_next = Some(rtt);
        }
    }
    if let Some((_, window)) = slot.windows() {
        sums.window_low = if sums.window_low == 0 { window } else { sums.window_low.min(window) };
        sums.window_high = sums.window_high.max(window);
    }
    sums.echoes += u32::from(slot.echo_queued > 0);
}
