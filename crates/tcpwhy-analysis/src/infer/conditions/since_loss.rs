//! What became of the flight since something was sent again, or a mark answered.

use super::{Evidence, named};
use crate::facts::slot::Slot;
use crate::thresholds::{FILLED_FLIGHT, REGROWTH, REGROWTH_FIRST, REGROWTH_FLIGHT, REGROWTH_ROUND_TRIPS, part};

#[cfg(test)]
mod tests;

/// Slots since the last one in which the congestion window was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SinceLoss {
    /// Time in which data was under way, nanoseconds.
    nanos: i64,
    /// The largest flight before that since another loss or a rest, bytes.
    peak_before: u32,
    /// The first slots of these, and the largest flight in them, bytes.
    first: u32,
    first_peak: u32,
    /// A mark cut it (RFC 3168 §6.1.2), and no loss.
    is_of_mark: bool,
}

impl SinceLoss {
    /// With one slot more, before which the flight had been `peak_before` at most since the last loss or rest.
    pub(in crate::infer) fn after(before: Option<Self>, slot: &Slot, peak_before: u64) -> Option<Self> {
        // No window is beyond a gigabyte (RFC 7323 §2.3).
        let bytes = |peak| u32::try_from(peak).unwrap_or(u32::MAX);
        if slot.is_cut() {
            // Right after another cut nothing had been in flight since.
            let lasting = before.filter(|_| peak_before == 0).map_or(0, |before| before.peak_before);
            let is_of_mark = slot.retransmissions == 0;
            return Some(Self {
                nanos: 0,
                peak_before: bytes(peak_before).max(lasting),
                first: 0,
                first_peak: 0,
                is_of_mark,
            });
        }
        let mut since = before?;
        if !slot.is_mostly_certain() {
            since.nanos += slot.nanos();
            if since.first < REGROWTH_FIRST {
                since.first += 1;
                since.first_peak = since.first_peak.max(bytes(slot.peak_flight.get()));
            }
        }
        Some(since)
    }

    /// A mark cut the window last, and no loss.
    pub(super) fn is_of_mark(&self) -> bool {
        self.is_of_mark
    }

    /// As much was in flight after the cut as before it.
    fn is_uncut(&self) -> bool {
        self.peak_before > 0 && part(u64::from(self.first_peak), u64::from(self.peak_before)) >= FILLED_FLIGHT
    }
}

impl Evidence<'_> {
    /// Something was lost or marked, so the congestion window was cut, and nothing shows that it is not what binds: one that does grows by half
    /// a segment in each round trip (RFC 9438 §4.3), but this flight stands where it had been before, for twenty of them and more.
    pub(crate) fn may_grow_back(&self) -> bool {
        named("may_grow_back", || {
            let Some(since) = self.view.since_loss[self.i] else { return self.has_losses() };
            let Some(rtt) = self.near().rtt().or(self.context.rtt_min).filter(|&rtt| rtt > 0) else { return true };
            let round_trips = since.nanos / rtt;
            let grown = self.slot.peak_flight.get().saturating_sub(u64::from(since.first_peak));
            self.has_losses()
                || !since.is_uncut()
                || part(self.slot.peak_flight.get(), self.context.flight_max) < REGROWTH_FLIGHT
                || round_trips < REGROWTH_ROUND_TRIPS.get()
                || grown >= REGROWTH.of(self.context.mss * round_trips.unsigned_abs())
        })
    }
}
