//! Bytes in flight since the last cut of the congestion window, by a retransmission or a mark.

use super::Evidence;
use super::named::named;
use crate::facts::slot::Slot;
use crate::thresholds::{LOSSY, OPENING_GROWTH, REGROWTH, REGROWTH_ROUND_TRIPS, part};

#[cfg(test)]
mod tests;

/// Sum over the slots since the last one with a cut of the congestion window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SinceLoss {
    /// Time with data in flight, nanoseconds, since the slow start after the cut if there was one.
    nanos: i64,
    /// Smallest and largest of the slots' maxima of bytes in flight in that time. The largest includes the
    /// slot before.
    least_peak: u32,
    largest_peak: u32,
    /// Whether a mark and not a loss caused the cut (RFC 3168 §6.1.2).
    is_of_mark: bool,
}

impl SinceLoss {
    /// The history `before`, extended by `slot`.
    pub(in crate::infer) fn after(before: Option<Self>, slot: &Slot) -> Option<Self> {
        let cut = Self { nanos: 0, least_peak: u32::MAX, largest_peak: 0, is_of_mark: slot.retransmissions == 0 };
        if slot.is_cut() {
            return Some(cut);
        }
        let since = before?;
        if slot.is_mostly_certain() {
            return Some(since);
        }
        // No window exceeds 1 GiB (RFC 7323 §2.3).
        let peak = u32::try_from(slot.peak_flight.get()).unwrap_or(u32::MAX);
        let is_opening = slot.sends > 0 && part(u64::from(peak), u64::from(since.largest_peak)) >= OPENING_GROWTH;
        if is_opening {
            // Slow start after a repair or a timeout is over here. Later growth is that of congestion
            // avoidance.
            return Some(Self { largest_peak: peak, is_of_mark: since.is_of_mark, ..cut });
        }
        let least_peak = if slot.sends > 0 { since.least_peak.min(peak) } else { since.least_peak };
        let largest_peak = since.largest_peak.max(peak);
        Some(Self { nanos: since.nanos + slot.nanos(), least_peak, largest_peak, ..since })
    }

    /// Whether a mark and not a loss caused the last cut.
    pub(super) fn is_of_mark(&self) -> bool {
        self.is_of_mark
    }
}

impl Evidence<'_> {
    /// Whether the congestion window may still be the limit after a cut by a loss or a mark. A window that
    /// limits grows by half a segment per round trip (RFC 9438 §4.3). Bytes in flight that stay level for 20
    /// round trips or more have another limit. The cut was undone (RFC 4015), is over, or left more than that
    /// limit allows.
    pub(crate) fn may_grow_back(&self) -> bool {
        named("may_grow_back", || {
            let Some(since) = self.view.since_loss[self.i] else { return self.has_losses() };
            let Some(rtt) = self.near().rtt().or(self.context.rtt_min).filter(|&rtt| rtt > 0) else { return true };
            let round_trips = since.nanos / rtt;
            let grown = self.slot.peak_flight.get().saturating_sub(u64::from(since.least_peak));
            self.has_losses()
                || round_trips < REGROWTH_ROUND_TRIPS.get()
                || grown >= REGROWTH.of(self.context.mss * round_trips.unsigned_abs())
        })
    }

    /// Whether retransmissions are so frequent that sends without an ACK come from timers and repairs.
    pub(crate) fn is_lossy(&self) -> bool {
        named("is_lossy", || part(self.context.repeats, self.context.segments) > LOSSY)
    }
}
