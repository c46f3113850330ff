//! What became of the flight since something was sent again, or a mark answered.

use super::Evidence;
use super::named::named;
use crate::facts::slot::Slot;
use crate::thresholds::{LOSSY, OPENING_GROWTH, REGROWTH, REGROWTH_ROUND_TRIPS, part};

#[cfg(test)]
mod tests;

/// Slots since the last one in which the congestion window was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SinceLoss {
    /// Time in which data was under way, nanoseconds: since slow start after the cut, if there was one.
    nanos: i64,
    /// The least of the slots' largest flights in it, bytes, and the largest with the slot before.
    least_peak: u32,
    largest_peak: u32,
    /// A mark cut it (RFC 3168 §6.1.2), and no loss.
    is_of_mark: bool,
}

impl SinceLoss {
    /// With one slot more.
    pub(in crate::infer) fn after(before: Option<Self>, slot: &Slot) -> Option<Self> {
        let cut = Self { nanos: 0, least_peak: u32::MAX, largest_peak: 0, is_of_mark: slot.retransmissions == 0 };
        if slot.is_cut() {
            return Some(cut);
        }
        let since = before?;
        if slot.is_mostly_certain() {
            return Some(since);
        }
        // No window is beyond a gigabyte (RFC 7323 §2.3).
        let peak = u32::try_from(slot.peak_flight.get()).unwrap_or(u32::MAX);
        let is_opening = slot.sends > 0 && part(u64::from(peak), u64::from(since.largest_peak)) >= OPENING_GROWTH;
        if is_opening {
            // What repair or a timeout had left opens: growth from here on is that of congestion avoidance.
            return Some(Self { largest_peak: peak, is_of_mark: since.is_of_mark, ..cut });
        }
        let least_peak = if slot.sends > 0 { since.least_peak.min(peak) } else { since.least_peak };
        let largest_peak = since.largest_peak.max(peak);
        Some(Self { nanos: since.nanos + slot.nanos(), least_peak, largest_peak, ..since })
    }

    /// A mark cut the window last, and no loss.
    pub(super) fn is_of_mark(&self) -> bool {
        self.is_of_mark
    }
}

impl Evidence<'_> {
    /// Something was lost or marked, so the congestion window was cut, and nothing shows that it is not what
    /// binds: one that does grows by half a segment in each round trip (RFC 9438 §4.3), but this flight
    /// stands still for twenty of them and more. Then the cut is over, was undone (RFC 4015), or had left
    /// more than something else allows.
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

    /// So much was retransmitted that sends which follow no ACK follow timers and repairs.
    pub(crate) fn is_lossy(&self) -> bool {
        named("is_lossy", || part(self.context.repeats, self.context.segments) > LOSSY)
    }
}
