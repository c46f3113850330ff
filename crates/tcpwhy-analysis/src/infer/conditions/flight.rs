//! How the flight develops over round trips: opening, steady growth, a flat step, or the probes of a pacer.

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
    /// The flight opens, here or, after a slow round, soon: one slow round does not end slow start.
    pub(crate) fn is_slow_start(&self) -> bool {
        once("is_slow_start", &self.is_slow_start, || {
            let soon = || (1..=OPENING_AHEAD.get()).any(|ahead| self.is_opening(self.i + ahead));
            self.is_opening(self.i) || !self.near().has_cut && soon() && !self.is_room_often_unused()
        })
    }

    /// The flight reaches half as much again as ever before since the last loss: slow start.
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

    /// Whether a pacer probes for more: for a round trip it sends a quarter more, then a quarter less, and at its estimate for six
    /// (`bbr_pacing_gain`). Slots that cut these round trips in two show half of either. Where a full path evens
    /// the pace out before the capture, the flight shows it. `None` where losses or rests leave no whole cycle to look at.
    pub(crate) fn is_probing(&self) -> Option<bool> {
        named("is_probing", || {
            *self.is_probing.get_or_init(|| {
                let (all, reach) = (self.view.slots, PROBE_REACH.get());
                let is_steady = |&k: &usize| !all[k].is_break() && all[k].sends > 0;
                let before = (0..self.i).rev().take(reach).take_while(is_steady);
                // The last is not over.
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

    /// The flight keeps its height for ten round trips or more although nothing was lost and no queue stood: a congestion
    /// window that bound would have grown by half a segment a round trip at least (RFC 9438 §4.3, RFC 5681 §3.1).
    pub(crate) fn is_flat(&self) -> bool {
        once("is_flat", &self.is_flat, || {
            let (all, i) = (self.view.slots, self.i);
            let Some(rtt) = self.context.rtt_min else { return false };
            let needed = rtt * FLAT_ROUND_TRIPS.get();
            // The ten round trips may lie around the slot, before it or after it.
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

    /// The flight grows steadily and slowly although nothing was lost, as a congestion window does beyond slow start: something
    /// had ended slow start, which without loss is rising delay (`HyStart`, RFC 9406). A buffer stands still or grows by leaps.
    pub(crate) fn is_growing_slowly(&self) -> bool {
        named("is_growing_slowly", || {
            let (all, i, reach) = (self.view.slots, self.i, GROWTH_REACH.get());
            let is_usable = |s: &&Slot| !s.is_break() && s.holes == 0 && s.sends > 0;
            // A rest ends slow start as well: Linux keeps three quarters of the window for later (`tcp_cwnd_restart`).
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

/// The largest flight of the first slots that last as long as `needed`, nanoseconds; none if they don't, or something was lost.
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

/// The least and the greatest of some numbers.
#[derive(Default)]
struct Extent(Option<(f64, f64)>);

impl Extent {
    fn add(&mut self, number: f64) {
        let (least, most) = self.0.get_or_insert((number, number));
        (*least, *most) = (least.min(number), most.max(number));
    }

    /// The greatest of the least; 1 without any.
    fn ratio(&self) -> f64 {
        self.0.map_or(1.0, |(least, most)| most / least.max(f64::MIN_POSITIVE))
    }
}
