//! What losses, a steady rate and what was in flight show of the path's narrowest place.

use super::Half;
use super::policing::{LossLine, Policer};
use crate::outcome::Vantage;
use crate::thresholds::{HELD_SENT_AT_A_TIME, HELD_TIME, HELD_TRAINS, HELD_UNSURE, OVERFLOWN_TIME};

impl Half {
    /// Bytes of packets for each byte of payload.
    fn packet(&self) -> f64 {
        // IPv4 and TCP, with timestamps where they are used.
        const HEADERS: u64 = 40;
        const TIMESTAMPS: u64 = 12;
        let headers = HEADERS + if self.has_timestamps { TIMESTAMPS } else { 0 };
        (self.mss + headers) as f64 / self.mss.max(1) as f64
    }

    /// Its losses, as the line that those of a policer lie on.
    pub(crate) fn loss_line(&self) -> Option<Box<LossLine>> {
        let rtt = self.ledger.rtt_min()?;
        let line = self.policing.as_ref()?.loss_line(self.delivery.last, rtt, self.mss)?;
        Some(Box::new(line.with_packet(self.packet())))
    }

    /// The policer that dropped what was lost.
    pub(crate) fn policer(&self) -> Option<Policer> {
        let policer = self.policing.as_ref()?.conclude(self.ledger.rtt_min()?, self.mss)?;
        Some(Policer { packet: self.packet(), ..policer })
    }

    /// The rate at which data arrived most of the time, bytes per second.
    pub(crate) fn steady_rate(&self) -> Option<f64> {
        self.delivery.steady_rate()
    }

    /// Queues were full at losses, and delivery stayed near `rate`, bytes per second.
    pub(crate) fn has_filled_path(&self, rate: f64) -> bool {
        self.policing.as_ref().is_some_and(|p| p.has_filled_path(rate, self.delivery.stretches()))
    }

    /// Losses came while more was in flight than the path holds, and more than most of the time: a queue
    /// overflowed, and no device is faulty. Losses by chance come at any flight.
    pub(crate) fn has_overflown_queue(&self) -> bool {
        let Some(least) = self.policing.as_ref().and_then(|policing| policing.least_flight()) else { return false };
        let path = self.path_rate().zip(self.ledger.rtt_min()).map(|(rate, rtt)| rate * rtt as f64 / 1e9);
        let usual = self.ledger.flight_sketch.quantile(OVERFLOWN_TIME.get());
        path.is_some_and(|path| least as f64 > path) && usual.is_some_and(|usual| least > usual)
    }

    /// Data arrived at `rate` most of the time, trains no faster, and half of the time or more what was in flight would
    /// have filled the path `more` times (Little's law): the rest waited before a bottleneck of that rate, whoever kept the flight from
    /// growing. A few segments more are what is sent at a time.
    pub(crate) fn is_queue_held_by(&self, rate: f64, more: f64) -> bool {
        let Some((flight, rtt)) = self.ledger.flight_sketch.quantile(HELD_TIME.get()).zip(self.ledger.rtt_min()) else {
            return false;
        };
        let is_away = matches!(self.vantage, Vantage::Receiver | Vantage::Middle);
        let path = rate * rtt as f64 / 1e9;
        let unsure = if is_away { rate * HELD_UNSURE.get() as f64 / 1e9 } else { 0.0 };
        self.path_rate().is_none_or(|train| train <= rate * HELD_TRAINS.get())
            && flight as f64
                >= (path * more).max(path + unsure).max(path + (HELD_SENT_AT_A_TIME.get() * self.mss) as f64)
    }
}
