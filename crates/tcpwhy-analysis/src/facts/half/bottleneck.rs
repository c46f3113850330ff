//! What is known of the path's narrowest place, once all is seen.

use tcpwhy_model::{Detail, LimitTimeline};

use super::policing::{LossLine, Policer};
use super::{Half, MILLISECOND};
use crate::outcome::Vantage;

/// What losses and a steady rate show of the path.
#[derive(Clone, Debug)]
pub(crate) enum Bottleneck {
    /// Nothing.
    Unknown,
    /// A policer dropped.
    Policer(Box<Policer>),
    /// Queues were full at losses, and delivery stayed near its maximum: that is all that the path gives, bytes per second.
    Full(f64),
    /// Most of the time data arrived at one rate and nothing faster, and more was in flight than the path holds: that is all
    /// that the path gives, bytes per second.
    Held(f64),
    /// The same with less in flight: enough to show that a buffer costs nothing, not that a writer with a pace of its own has more.
    Kept(f64),
}

impl Half {
    /// Bytes of packets for each byte of payload.
    fn packet(&self) -> f64 {
        // IPv4 and TCP, with timestamps where they are used.
        const HEADERS: u64 = 40;
        const TIMESTAMPS: u64 = 12;
        let headers = HEADERS + if self.has_timestamps { TIMESTAMPS } else { 0 };
        (self.mss + headers) as f64 / self.mss.max(1) as f64
    }

    /// Its losses, where they lie on no line of their own.
    pub(super) fn loss_line(&self, bottleneck: &Bottleneck) -> Option<Box<LossLine>> {
        if matches!(bottleneck, Bottleneck::Policer(policer) if policer.burst.is_some()) {
            return None;
        }
        let rtt = self.ledger.rtt_min()?;
        let line = self.policing.as_ref()?.loss_line(self.delivery.last, rtt, self.mss)?;
        Some(Box::new(line.with_packet(self.packet())))
    }

    /// What losses and a steady rate show of the path.
    pub(super) fn bottleneck(&self, limits: &LimitTimeline) -> Bottleneck {
        let Some(rtt) = self.ledger.rtt_min() else { return Bottleneck::Unknown };
        if let Some(policer) = self.policing.as_ref().and_then(|p| p.conclude(rtt, self.mss)) {
            return Bottleneck::Policer(Box::new(Policer { packet: self.packet(), ..policer }));
        }
        let Some(rate) = self.delivery.steady_rate() else { return Bottleneck::Unknown };
        if self.policing.as_ref().is_some_and(|p| p.has_filled_path(rate, self.delivery.stretches())) {
            Bottleneck::Full(rate)
        } else if is_resting(limits) {
            Bottleneck::Unknown
        } else if self.is_queue_held_by(rate, rtt, 1.5) {
            Bottleneck::Held(rate)
        } else if self.is_queue_held_by(rate, rtt, 1.2) {
            Bottleneck::Kept(rate)
        } else {
            Bottleneck::Unknown
        }
    }

    /// Data arrived at `rate` most of the time, trains no faster, and half of the time or more what was in flight would
    /// have filled the path `more` times (Little's law): the rest waited before a bottleneck of that rate, whoever kept the flight from
    /// growing. A few segments more are what is sent at a time.
    fn is_queue_held_by(&self, rate: f64, rtt: i64, more: f64) -> bool {
        const NO_FASTER: f64 = 1.15;
        const SENT_AT_A_TIME: u64 = 8;
        // Away from the sender its timestamps tell round trips, in ticks of a millisecond (Linux), to one tick at either end.
        const UNSURE: i64 = 2 * MILLISECOND;
        let Some(flight) = self.ledger.flight_sketch.quantile(0.5) else { return false };
        let is_away = matches!(self.vantage, Vantage::Receiver | Vantage::Middle);
        let path = rate * rtt as f64 / 1e9;
        let unsure = if is_away { rate * UNSURE as f64 / 1e9 } else { 0.0 };
        self.train_rates.quantile(0.75).is_none_or(|train| train as f64 <= rate * NO_FASTER)
            && flight as f64 >= (path * more).max(path + unsure).max(path + (SENT_AT_A_TIME * self.mss) as f64)
    }
}

/// The application had nothing to send for more than a tenth of the time: the path was not at work then.
fn is_resting(limits: &LimitTimeline) -> bool {
    let rests = [Detail::Idle, Detail::Think, Detail::PeerTurn, Detail::CloseWait];
    rests.iter().map(|&rest| limits.nanos_of_cause(rest.into())).sum::<i64>() * 10 > limits.span().nanos()
}
