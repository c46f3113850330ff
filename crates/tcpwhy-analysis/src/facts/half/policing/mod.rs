//! Whether a policer caused the losses. A policer passes a rate, with bursts up to the depth of its bucket,
//! and drops the remaining packets without queueing them.
//!
//! Right after a policer has dropped packets, its bucket is empty. So nothing passes faster than its rate,
//! even if the sender sends faster. At other times trains pass as fast as the wire. Losses by chance hit the
//! middle of trains, and the rest of the train follows at the wire's speed. A link with a queue never passes
//! packets faster than its rate, with or without a loss before. So the packets after losses are compared with
//! the packets after packets that passed ([`watch`]): only a policer makes them different. Other connections
//! that share the bucket do not reduce this difference.
//!
//! A bucket larger than the bytes in flight fills again in the round trip in which a sender pauses after a
//! loss. Trains follow soon then. So losses on one line, when the bucket was empty, are compared with packets
//! that passed when it was not.
//!
//! Rate and burst come from the line through the losses. It starts anew with each chunk of the application's
//! data, because the bucket fills while nothing is sent ([`bucket`]). Flach et al., "An Internet-Wide
//! Analysis of Traffic Policing", SIGCOMM 2016, §3.1, fit one line from the first loss to the last. If
//! several connections share the bucket, the bytes of one of them between its losses do not show the rate.
//! The bytes of all of them between the losses of any do ([`sharing`]).

mod arrival;
mod bucket;
mod contrast;
pub(crate) mod sharing;
mod watch;

pub(crate) use arrival::{Arrival, Burst, Point};
use bucket::{Chunks, Losses, Thinned};
pub use sharing::LossLine;
pub(crate) use sharing::shared_rate;
use watch::{Watches, horizon};

use crate::sketch::Sketch;
use crate::thresholds::{
    DECIDED_BOUTS, DECIDED_QUEUED, FILLED_PATH_FASTEST, LINE_RATE_HIGH, LINE_RATE_LOW, LINE_RATE_MIDDLE,
    POLICED_LOSSES, POLICED_RANGE, POLICED_RATE_LEAST, QUEUE_FULL_LOSSES, QUEUE_GROWING_LOSSES, REST, REST_ROUND_TRIPS,
    STRETCHES_LEAST, Threshold, part,
};

/// The policer that the losses show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Policer {
    /// Payload that it passed, bytes per second. If others share the bucket, this connection's part.
    pub(crate) rate: f64,
    /// Bytes of packets per byte of payload, because a policer counts packets.
    pub(crate) packet: f64,
    /// From the connection's low rate to the highest rate after a loss, bytes per second, if these differ.
    pub(crate) range: Option<(f64, f64)>,
    /// Payload that passed at once when the bucket was full.
    pub(crate) burst: Option<Burst>,
    /// Number of losses.
    pub(crate) losses: u32,
    /// The sign that identifies the policer.
    pub(crate) sign: Sign,
    /// Share of the losses with this sign.
    pub(crate) fitting: f64,
    /// Share of the passed packets with this sign.
    pub(crate) fitting_passes: f64,
}

/// The sign that distinguishes losses of a policer from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Nothing passed faster than the rate after the losses.
    NothingFaster,
    /// The losses came when the bucket was empty, by the line through them.
    EmptyBucket,
}

/// Observes a direction from its first loss on.
#[derive(Clone, Debug)]
pub(crate) struct Policing {
    watches: Watches,
    losses: Losses,
    /// The last arrival that extended the received data, and its end.
    newest: Option<Point>,
    highest: u64,
    /// A sample of all arrivals.
    arrived: Thinned<256>,
    chunks: Chunks,
    loss_count: u32,
    last_bout: Option<i64>,
    /// Number of losses at least a round trip after the losses before, and those of them that followed a
    /// growing queue.
    bouts: u32,
    queued_bouts: u32,
    /// Bytes in flight at these losses.
    flights: Sketch,
    /// Number of stretches of delivery before the first loss.
    stretches_before: u32,
}

impl Policing {
    /// Starts at the first loss; `curve` is the delivered data before it, in `stretches` stretches.
    pub(crate) fn new(curve: impl Iterator<Item = Point>, stretches: u32) -> Self {
        let mut arrived = Thinned::default();
        let chunks = Chunks::new(curve.inspect(|point| arrived.add(*point)));
        Self {
            watches: Watches::default(),
            losses: Losses::default(),
            newest: None,
            highest: 0,
            arrived,
            chunks,
            loss_count: 0,
            last_bout: None,
            bouts: 0,
            queued_bouts: 0,
            flights: Sketch::default(),
            stretches_before: stretches,
        }
    }

    /// Records an arrival; `rtt` is the smallest round trip, nanoseconds.
    pub(crate) fn follow(&mut self, a: &Arrival, rtt: i64, mss: u64) {
        self.watches.follow(a.now);
        if a.is_after_rest {
            self.chunks.begin(Point { time: a.now.time - rtt, delivered: a.before.delivered });
        }
        let newest = self.newest.unwrap_or(a.before);
        if a.highest > self.highest {
            (self.highest, self.newest) = (a.highest, Some(a.now));
        }
        if a.reveals_loss {
            self.follow_loss(a, newest, rtt);
        } else if self.watches.is_pass_due(a.now) && !self.is_decided() {
            let horizon = horizon(rtt);
            if a.is_dated(horizon) {
                self.watches.watch_pass(a, horizon, mss);
            }
        }
        self.chunks.follow(a.now, mss);
        self.arrived.add(a.now);
    }

    /// Records a loss; `newest` is the last arrival before it that extended the received data.
    fn follow_loss(&mut self, a: &Arrival, newest: Point, rtt: i64) {
        let horizon = horizon(rtt);
        self.loss_count += 1;
        if self.last_bout.is_none_or(|last| a.now.time - last >= rtt) {
            self.bouts += 1;
            self.queued_bouts += u32::from(a.is_queued);
            self.flights.add(a.flight, 1.0);
            self.last_bout = Some(a.now.time);
        }
        // The lost packets had been sent right after the newest one, before all data that was repaired in
        // between.
        let dated = [Arrival { before: newest, ..*a }, *a].into_iter().find(|a| a.is_dated(horizon));
        if let Some(a) = dated.filter(|a| self.watches.watch_loss(a, horizon)) {
            self.losses.add(a.before);
        }
    }

    /// Whether most losses came after queues had grown: a full queue dropped the packets.
    fn is_queue_full_at_losses(&self) -> bool {
        self.bouts > 0 && part(self.queued_bouts, self.bouts) >= QUEUE_FULL_LOSSES
    }

    /// Bytes in flight that nearly all losses exceeded; `None` without a loss.
    pub(crate) fn least_flight(&self) -> Option<u64> {
        self.flights.quantile(1.0 - QUEUE_FULL_LOSSES.of(1.0))
    }

    /// Whether a full queue caused the losses and nothing ever passed faster than `rate`, the usual delivery
    /// rate in bytes per second. Then it is the path's rate, whatever the bytes in flight did. `stretches` is
    /// the number of stretches up to now.
    pub(crate) fn has_filled_path(&self, rate: f64, stretches: u32) -> bool {
        self.is_queue_full_at_losses()
            && stretches - self.stretches_before >= STRETCHES_LEAST
            && self.watches.fastest() <= rate * FILLED_PATH_FASTEST.get()
    }

    /// The policer that dropped the packets, if any; `rtt` is the smallest round trip, nanoseconds.
    pub(crate) fn conclude(&self, rtt: i64, mss: u64) -> Option<Policer> {
        let spans = self.losses.spans(rtt, mss);
        if self.loss_count < POLICED_LOSSES || spans.is_empty() || self.is_queue_growing() {
            return None;
        }
        let arrived = self.arrived.points();
        let at = |&share: &f64| self.chunks.levels(&self.losses, arrived, spans.quantile(share));
        let rates = [LINE_RATE_HIGH, LINE_RATE_MIDDLE, LINE_RATE_LOW].map(Threshold::get);
        let levels = rates.iter().filter_map(at);
        let levels = levels.min_by(|a, b| a.looseness().total_cmp(&b.looseness()))?;
        let rate = levels.rate;
        let burst = levels.burst(rtt, mss);
        let by_line = || {
            let can_tell = burst.is_some() && self.watches.has_faster_trains(rate) && !self.losses.come_by_count(mss);
            Some((Sign::EmptyBucket, can_tell.then(|| levels.contrast(self.bouts, mss))??))
        };
        let found = self.watches.contrast(rate, burst.is_some()).map(|contrast| (Sign::NothingFaster, contrast));
        let (sign, contrast) = found.or_else(by_line).filter(|_| rate >= POLICED_RATE_LEAST)?;
        let (low, high) = spans.spread();
        let is_below = |one: f64, other: f64| one * POLICED_RANGE.get() < other;
        let is_range = burst.is_none() && (is_below(low, rate) || is_below(rate, high));
        let range = is_range.then_some((low.min(rate), high.max(rate)));
        Some(Policer {
            rate,
            packet: 1.0,
            range,
            burst,
            losses: self.loss_count,
            sign,
            fitting: contrast.fitting,
            fitting_passes: contrast.fitting_passes,
        })
    }

    /// Losses that are not on a line of their own. They are compared with the data of other connections at
    /// the same time; `last` is the end of the arrived data.
    pub(crate) fn loss_line(&self, last: Point, rtt: i64, mss: u64) -> Option<LossLine> {
        let spans = self.losses.spans(rtt, mss);
        let is_alone = spans.is_empty() || spans.is_steady();
        if self.loss_count < POLICED_LOSSES || is_alone || self.is_queue_growing() {
            return None;
        }
        let arrived = self.arrived.points().iter().copied().chain([last]).collect();
        Some(LossLine::new(self.losses.points(), arrived, rtt, mss))
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        self.watches.heap() + self.losses.heap() + self.arrived.heap() + self.chunks.heap() + self.flights.heap()
    }

    /// Whether most losses up to now came after queues had grown, and enough passed packets are known. More
    /// of these change nothing as long as this holds.
    fn is_decided(&self) -> bool {
        let is_queued = part(self.queued_bouts, self.bouts) > DECIDED_QUEUED;
        self.bouts >= DECIDED_BOUTS && is_queued && self.watches.has_plenty()
    }

    /// Whether round trips grew before losses more often than occasionally.
    fn is_queue_growing(&self) -> bool {
        part(self.queued_bouts, self.bouts) > QUEUE_GROWING_LOSSES
    }
}

/// Pause of the application, nanoseconds. No retransmission timer is longer (`TCP_RTO_MIN` on Linux), so
/// nothing is in flight after it.
pub(crate) fn rest(rtt: i64) -> i64 {
    REST.get().max(REST_ROUND_TRIPS.get() * rtt)
}

#[cfg(test)]
mod tests {
    use super::super::MILLISECOND;
    use super::*;

    /// The end of a train is lost, an earlier loss is repaired first, and then the next train reveals the
    /// loss.
    #[test]
    fn what_is_lost_was_sent_right_after_the_newest() {
        const RTT: i64 = 30 * MILLISECOND;
        let mut policing = Policing::new(std::iter::empty(), 0);
        let mut before = Point::default();
        let mut arrives = |millis: i64, delivered: u64, highest: u64, reveals_loss: bool| {
            let now = Point { time: millis * MILLISECOND, delivered };
            let arrival =
                Arrival { before, now, is_after_rest: false, highest, reveals_loss, is_queued: false, flight: 0 };
            policing.follow(&arrival, RTT, 1000);
            before = now;
        };
        arrives(0, 1000, 1000, false);
        arrives(1, 2000, 4000, true);
        // A repair, then the next train above another hole.
        arrives(30, 3000, 4000, false);
        arrives(31, 4000, 8000, true);
        let dates: Vec<i64> = policing.losses.points().iter().map(|loss| loss.time / MILLISECOND).collect();
        assert_eq!(dates, [0, 1]);
    }

    /// `REST` and `REST_ROUND_TRIPS`: 200 ms, or two round trips. `HORIZON_…`: two round trips, or 10 ms.
    #[test]
    fn a_rest_takes_longer_than_timers() {
        assert_eq!([20, 100, 101].map(|rtt| rest(rtt * MILLISECOND) / MILLISECOND), [200, 200, 202]);
        assert_eq!([1, 5, 6].map(|rtt| horizon(rtt * MILLISECOND) / MILLISECOND), [10, 10, 12]);
    }

    /// `QUEUE_FULL_LOSSES` and `QUEUE_GROWING_LOSSES`: at least 80 % of the losses from a full queue, and
    /// more than 20 % from a growing one.
    #[test]
    fn losses_of_a_queue_are_counted() {
        let queue = |queued_bouts, bouts| {
            let policing = Policing { bouts, queued_bouts, ..Policing::new(std::iter::empty(), 0) };
            (policing.is_queue_full_at_losses(), policing.is_queue_growing())
        };
        assert_eq!(queue(79, 100), (false, true));
        assert_eq!(queue(80, 100), (true, true));
        assert_eq!(queue(20, 100), (false, false));
        assert_eq!(queue(21, 100), (false, true));
    }
}
