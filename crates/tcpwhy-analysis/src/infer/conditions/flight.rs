//! Changes of the bytes in flight over round trips: slow start, steady growth, a plateau, or the probes of a
//! pacer.

use super::Evidence;
use super::named::{named, once};
use crate::facts::slot::Slot;
use crate::thresholds::{
    FLAT_FALL, FLAT_RISE, FLAT_ROUND_TRIPS, FLAT_SHIFT, GROWTH_FALLS, GROWTH_LEAST, GROWTH_REACH, OPENING_AHEAD,
    OPENING_GROWTH, OPENING_SLOTS, OPENING_UNUSED, PROBE_CYCLE, PROBE_REACH, PROBED, PROBED_FLIGHT, part,
};

#[cfg(test)]
mod tests;

impl Evidence<'_> {
    /// Whether this is slow start. One slow round trip does not end it, so growth in one of the next slots
    /// suffices.
    pub(crate) fn is_slow_start(&self) -> bool {
        once("is_slow_start", &self.is_slow_start, || {
            let soon = || (1..=OPENING_AHEAD.get()).any(|ahead| self.is_opening(self.i + ahead));
            self.is_opening(self.i) || !self.near().has_cut && soon() && !self.is_room_often_unused()
        })
    }

    /// Whether most bytes in flight are at least 1.5 times the earlier maximum since the last loss. Slow
    /// start grows as fast.
    fn is_opening(&self, i: usize) -> bool {
        named("is_opening", || {
            let Some(slot) = self.view.slots.get(i) else { return false };
            if self.view.is_from_start && i < OPENING_SLOTS {
                return true;
            }
            let before = self.view.peaks_before[i];
            !slot.is_cut()
                && part(slot.peak_flight.get(), before) >= OPENING_GROWTH
                && part(slot.room_unused, slot.open().max(1)) < OPENING_UNUSED
        })
    }

    /// Whether a pacer probes for more bandwidth. BBR sends 25 % faster for a round trip, then 25 % slower,
    /// then at its estimate for six (`bbr_pacing_gain`). Slots that split these round trips show half of the
    /// difference. If a full path evens out the pace before the capture point, the bytes in flight show the
    /// probe. `None` if losses or pauses leave no complete cycle.
    pub(crate) fn is_probing(&self) -> Option<bool> {
        named("is_probing", || {
            *self.is_probing.get_or_init(|| {
                let (all, reach) = (self.view.slots, PROBE_REACH.get());
                let is_steady = |&k: &usize| !all[k].is_break() && all[k].sends > 0;
                let before = (0..self.i).rev().take(reach).take_while(is_steady);
                // The last slot is still incomplete.
                let after = (self.i..all.len() - 1).take(reach + 1).take_while(is_steady);
                let (mut nanos, mut paces, mut flights) = (0, Extent::default(), Extent::default());
                for slot in before.chain(after).map(|k| &all[k]) {
                    nanos += slot.nanos();
                    paces.add(slot.sent.get() as f64 / slot.nanos().max(1) as f64);
                    flights.add(slot.peak_flight.get() as f64);
                }
                let has_probed = paces.ratio() >= PROBED.get() || flights.ratio() >= PROBED_FLIGHT.get();
                let is_cycle_seen = self.context.rtt_min.is_some_and(|rtt| nanos >= rtt * PROBE_CYCLE.get());
                (has_probed || is_cycle_seen).then_some(has_probed)
            })
        })
    }

    /// Whether the bytes in flight stay level for ten round trips without a loss. A congestion window that is
    /// the limit would grow by at least half a segment per round trip (RFC 9438 §4.3, RFC 5681 §3.1).
    pub(crate) fn is_flat(&self) -> bool {
        once("is_flat", &self.is_flat, || {
            let (all, i) = (self.view.slots, self.i);
            let Some(rtt) = self.context.rtt_min else { return false };
            let needed = rtt * FLAT_ROUND_TRIPS.get();
            // The ten round trips may be around the slot, before it or after it.
            let shift = FLAT_SHIFT.get();
            [i, i.saturating_sub(shift), i + shift].into_iter().any(|middle| {
                if middle >= all.len() {
                    return false;
                }
                match (peak(&mut all[..middle].iter().rev(), needed), peak(&mut all[middle..].iter(), needed)) {
                    (Some(before), Some(after)) => {
                        after <= before + self.context.mss.max(FLAT_RISE.of(before))
                            && before <= after + FLAT_FALL.of(after)
                    }
                    _ => false,
                }
            })
        })
    }

    /// Whether the bytes in flight grow steadily and slowly without a loss, as in congestion avoidance.
    /// Rising delay had then ended slow start (`HyStart`, RFC 9406). Under a full buffer they would stay
    /// level or jump.
    pub(crate) fn is_growing_slowly(&self) -> bool {
        named("is_growing_slowly", || {
            let (all, i, reach) = (self.view.slots, self.i, GROWTH_REACH.get());
            let is_usable = |s: &&Slot| !s.is_break() && s.holes == 0 && s.sends > 0;
            // A long pause ends slow start as well: Linux keeps 3/4 of the window for later
            // (`tcp_cwnd_restart`).
            if all[..i].iter().skip_while(|s| s.sends == 0).any(Slot::is_break) {
                return false;
            }
            let before = all[..i].iter().rev().take_while(is_usable).take(reach).count();
            let after = all[i..].iter().take_while(is_usable).take(reach).count();
            let peaks = all[i - before..i + after].iter().map(|s| s.peak_flight.get() as i64);
            let (mut up, mut down, mut last) = (0, 0, None);
            for peak in peaks {
                let step = peak - last.replace(peak).unwrap_or(peak);
                if step > 0 { up += step } else { down -= step }
            }
            let slots = before + after;
            slots >= reach
                && part(up - down, slots as i64 * self.context.mss as i64) >= GROWTH_LEAST
                && part(down, up) <= GROWTH_FALLS
        })
    }
}

/// Most bytes in flight in the first slots that together last `needed` nanoseconds. `None` if they do not, or
/// if something was lost.
fn peak(slots: &mut dyn Iterator<Item = &Slot>, needed: i64) -> Option<u64> {
    let (mut nanos, mut peak, mut losses) = (0, 0_u64, 0);
    for slot in slots {
        if slot.is_mostly_certain() {
            break;
        }
        nanos += slot.nanos();
        peak = peak.max(slot.peak_flight.get());
        losses += u32::from(slot.is_cut()) + u32::from(slot.holes);
        if nanos >= needed {
            break;
        }
    }
    (nanos >= needed && losses == 0).then_some(peak)
}

/// Smallest and largest of some numbers.
#[derive(Default)]
struct Extent(Option<(f64, f64)>);

impl Extent {
    fn add(&mut self, number: f64) {
        let (least, most) = self.0.get_or_insert((number, number));
        (*least, *most) = (least.min(number), most.max(number));
    }

    /// Ratio of the largest to the smallest number; 1 without any.
    fn ratio(&self) -> f64 {
        self.0.map_or(1.0, |(least, most)| most / least.max(f64::MIN_POSITIVE))
    }
}
