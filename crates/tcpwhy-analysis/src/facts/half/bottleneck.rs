//! The bottleneck of the path, derived from losses, a steady rate and the bytes in flight.

use super::Half;
use super::policing::{LossLine, Policer};
use crate::outcome::Vantage;
use crate::thresholds::{HELD_SENT_AT_A_TIME, HELD_TIME, HELD_TRAINS, HELD_UNSURE, OVERFLOWN_TIME};

impl Half {
    /// Bytes of packets per byte of payload.
    fn packet(&self) -> f64 {
        // IPv4 and TCP headers, with timestamps if they are used.
        const HEADERS: u64 = 40;
        const TIMESTAMPS: u64 = 12;
        let headers = HEADERS + if self.has_timestamps { TIMESTAMPS } else { 0 };
        (self.mss + headers) as f64 / self.mss.max(1) as f64
    }

    /// The losses of the direction, as points of a policer's line.
    pub(crate) fn loss_line(&self) -> Option<Box<LossLine>> {
        let rtt = self.ledger.rtt_min()?;
        let line = self.policing.as_ref()?.loss_line(self.delivery.last, rtt, self.mss)?;
        Some(Box::new(line.with_packet(self.packet())))
    }

    /// The policer that dropped the lost packets, if there was one.
    pub(crate) fn policer(&self) -> Option<Policer> {
        let policer = self.policing.as_ref()?.conclude(self.ledger.rtt_min()?, self.mss)?;
        Some(Policer { packet: self.packet(), ..policer })
    }

    /// Rate at which data arrived most of the time, bytes per second.
    pub(crate) fn steady_rate(&self) -> Option<f64> {
        self.delivery.steady_rate()
    }

    /// Whether queues were full at losses and delivery stayed near `rate`, bytes per second.
    pub(crate) fn has_filled_path(&self, rate: f64) -> bool {
        self.policing.as_ref().is_some_and(|p| p.has_filled_path(rate, self.delivery.stretches()))
    }

    /// Whether losses came only with more bytes in flight than the path holds, and than usual: a queue
    /// overflowed, and no device is faulty. Losses by chance come with any number of bytes in flight.
    pub(crate) fn has_overflown_queue(&self) -> bool {
        let Some(least) = self.policing.as_ref().and_then(|policing| policing.least_flight()) else { return false };
        let path = self.path_rate().zip(self.ledger.rtt_min()).map(|(rate, rtt)| rate * rtt as f64 / 1e9);
        let usual = self.ledger.flight_sketch.quantile(OVERFLOWN_TIME.get());
        path.is_some_and(|path| least as f64 > path) && usual.is_some_and(|usual| least > usual)
    }

    /// Whether a bottleneck of `rate`, bytes per second, held a queue. Data arrived at that rate most of the
    /// time, and trains were no faster. For at least half of the time, the bytes in flight would have filled
    /// the path `more` times (Little's law). So the rest waited before the bottleneck, whatever limited the
    /// bytes in flight. A few segments more are only those sent at the same time.
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
