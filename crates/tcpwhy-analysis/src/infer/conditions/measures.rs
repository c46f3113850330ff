//! Numbers of a slot that are kept with its reason.

use tcpwhy_model::{Measure, Reason, Why};

use super::{Context, Evidence};
use crate::facts::slot::Slot;

#[cfg(test)]
mod tests;

impl Evidence<'_> {
    /// `reason` with the numbers of this slot that support it.
    pub(crate) fn why(&self, reason: Reason) -> Why {
        Why::new(reason, |measure| self.value(measure))
    }

    /// Value of `measure`, in the unit that the measure's name has.
    fn value(&self, measure: Measure) -> Option<f64> {
        let (slot, context) = (self.slot, self.context);
        match measure {
            Measure::Flight => some(slot.peak_flight.get()),
            Measure::FlightMax => some(context.flight_max),
            Measure::FlightBefore => some(self.view.peaks_before[self.i]),
            Measure::WindowFloor => some(slot.cwnd_floor.get()),
            Measure::Window => slot.windows().map(|w| w.1 as f64),
            Measure::RoundTrip => micros(round_trip(slot)),
            Measure::RoundTripMin => micros(context.rtt_min),
            Measure::QueueDelay => micros(slot.rtt_min.zip(context.rtt_min).map(|(rtt, base)| rtt - base)),
            Measure::Period => {
                (slot.periodic_bursts > 0).then(|| slot.period_sum as f64 / f64::from(slot.periodic_bursts) / 1e3)
            }
            Measure::RoomUnused => share(slot.room_unused, slot.open()),
            Measure::Unreleased => share(slot.unreleased, slot.nanos()),
            Measure::Wait => micros(self.wait(context)),
            Measure::Rate => (slot.nanos() > 0).then(|| slot.acked.get() as f64 * 8e9 / slot.nanos() as f64),
            Measure::Capacity => context.path_rate.map(|rate| rate * 8.0),
            // These are computed for the whole direction.
            Measure::PolicedRate | Measure::PolicedBurst => None,
        }
    }

    /// How much later than at best the data follows the ACK that releases it, nanoseconds.
    fn wait(&self, context: &Context) -> Option<i64> {
        let here = i64::from(self.near().echo_wait) * 1000;
        Some(here + context.excess_ack_to_data_delay.max(0)).filter(|&wait| wait > 0)
    }
}

fn some(bytes: u64) -> Option<f64> {
    (bytes > 0).then_some(bytes as f64)
}

fn share(nanos: i64, of: i64) -> Option<f64> {
    (of > 0).then(|| nanos as f64 / of as f64)
}

fn micros(nanos: Option<i64>) -> Option<f64> {
    nanos.map(|n| n as f64 / 1e3)
}

/// Mean round trip of the slot, nanoseconds.
fn round_trip(slot: &Slot) -> Option<i64> {
    (slot.rtt_count > 0).then(|| slot.rtt_sum / i64::from(slot.rtt_count))
}
