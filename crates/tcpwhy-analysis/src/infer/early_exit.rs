//! Early end of slow start.

use crate::facts::slot::{Slot, micros, narrow};

/// The first round trip in which the congestion window grew slowly although nothing had been lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EarlyExit {
    /// Most bytes in flight.
    pub(crate) flight: u32,
    /// Smallest round trip, microseconds; 0 if none was measured.
    pub(crate) rtt: u32,
}

impl EarlyExit {
    pub(super) fn of(slot: &Slot) -> Self {
        Self { flight: narrow(slot.peak_flight.get()), rtt: slot.rtt_min.map_or(0, micros) }
    }
}
