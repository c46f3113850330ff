//! Whether the path is busy, and whether there is a persistent queue before its bottleneck.

use super::Evidence;
use super::named::{named, once};
use crate::facts::half::train::train_pause;
use crate::thresholds::{
    ANSWERED_SLOTS, BUSY_ACKS, DEEP_PAUSE, FILLED_FLIGHT, HELD_FLIGHT, IDLE_RATE, NEVER_EMPTY, NEVER_EMPTY_LEAST,
    PAUSE_MEANS, PAUSE_SHARE, QUEUE_EXCESS, QUEUE_EXCESS_LEAST, SATURATED_PAUSES, SATURATED_RATE, SERVED_RATE,
    SMALL_PAUSE, SMALL_PAUSE_MOST, SMOOTH_EXCESS, SMOOTH_EXCESS_LEAST, SMOOTH_PAUSE, SPREAD, UNBROKEN_PAUSE, part,
};

#[cfg(test)]
mod tests;

impl Evidence<'_> {
    /// Whether ACKs come without pauses, so that a link on the path works at its full rate.
    pub(crate) fn is_busy(&self) -> bool {
        once("is_busy", &self.is_busy, || {
            let near = self.near();
            if near.advancing_acks < BUSY_ACKS {
                return false;
            }
            let mean = near.ack_time / i64::from(near.advancing_acks);
            // A pause that is short compared with the round trip does not count.
            let small = near.rtt().map_or(0, |rtt| SMALL_PAUSE.of(rtt)).min(SMALL_PAUSE_MOST.get());
            // A busy link spaces packets evenly: the mean square of the gaps is close to the square of their
            // mean.
            let spread = near.ack_time_squared * f64::from(near.advancing_acks) / (near.ack_time as f64 / 1e6).powi(2);
            // One pause in all that time does not make the path idle.
            let pause = (PAUSE_MEANS.get() * mean + small).max(PAUSE_SHARE.of(near.ack_time));
            near.ack_gap_max <= small || near.ack_gap_max <= pause && spread <= SPREAD
        })
    }

    /// Whether no gap between ACKs is a large part of a round trip.
    pub(super) fn is_unbroken(&self) -> bool {
        named("is_unbroken", || {
            let near = self.near();
            near.rtt().is_some_and(|rtt| part(near.ack_gap_max, rtt) <= UNBROKEN_PAUSE)
        })
    }

    /// Whether there is a queue at the bottleneck.
    pub(crate) fn is_queued(&self) -> bool {
        once("is_queued", &self.is_queued, || self.is_inflated() || self.is_never_empty() || self.is_backed_up())
    }

    /// Whether round trips take longer than the path needs while ACKs never pause for long.
    pub(crate) fn is_inflated(&self) -> bool {
        named("is_inflated", || {
            let (Some(rtt), Some(base)) = (self.slot.rtt_min, self.context.rtt_min) else { return false };
            let near = self.near();
            let deep = || QUEUE_EXCESS.of(base).max(QUEUE_EXCESS_LEAST.get());
            if self.is_busy() {
                rtt - base > deep()
            } else {
                let is_smooth = near.ack_gap_max <= SMOOTH_PAUSE.of(rtt)
                    && rtt - base > SMOOTH_EXCESS.of(base).max(SMOOTH_EXCESS_LEAST.get());
                // In all slots but one, even the smallest round trip shows a queue. ACKs in bunches cannot
                // hide a pause longer than a round trip.
                let is_deep =
                    near.ack_gap_max <= DEEP_PAUSE.of(rtt) && near.rtt_next.is_some_and(|least| least - base > deep());
                near.advancing_acks >= BUSY_ACKS && (is_smooth || is_deep)
            }
        })
    }

    /// Whether data always waited before the capture point, for several round trips. It then echoed older
    /// ACKs than those that had already reached the sender. Then a queue between the sender's TCP and the
    /// capture point never empties. It exceeds 5 % of the round trip (the target of `CoDel`, RFC 8289 §4.4).
    /// A pacer is excluded, because its data waits in its own `fq`.
    pub(crate) fn is_never_empty(&self) -> bool {
        once("is_never_empty", &self.is_never_empty, || {
            !self.context.is_pacing && self.least_queued().is_some_and(|queued| self.is_queue(queued))
        })
    }

    /// Whether a shorter queue never empties while ACKs come without a pause. The wait is measured in steps
    /// of the time between ACKs, so it may have been longer by one of these.
    fn is_backed_up(&self) -> bool {
        named("is_backed_up", || {
            let spacing = self.near().ack_spacing();
            let is_long = |queued| queued >= spacing && self.is_queue(queued + spacing);
            self.least_queued().is_some_and(is_long) && (self.is_busy() || self.is_unbroken())
        })
    }

    /// Least queueing delay of the data in several round trips, nanoseconds. `None` if unknown, or if holes
    /// without a loss show that packets are delayed individually.
    fn least_queued(&self) -> Option<i64> {
        let near = self.near();
        let is_reordered = near.holes > 0 && near.retransmissions == 0;
        (!is_reordered && near.echoes >= ANSWERED_SLOTS).then(|| near.queued())
    }

    /// Whether a delay of `queued` nanoseconds indicates a persistent queue.
    fn is_queue(&self, queued: i64) -> bool {
        let least = self.context.rtt_min.map(|base| NEVER_EMPTY.of(base).max(NEVER_EMPTY_LEAST.get()));
        least.is_some_and(|least| queued >= least)
    }

    /// Whether the path is saturated although its bursts are too far apart to form one train. There is a
    /// queue, the bytes in flight fill the congestion window, and the delivery rate reaches that of the
    /// trains. A program that sends less would leave the path idle between its bursts.
    pub(crate) fn is_saturated(&self) -> bool {
        once("is_saturated", &self.is_saturated, || {
            let Some((train, rtt)) = self.context.train_rate.zip(self.context.rtt_min) else { return false };
            let near = self.near();
            self.is_queued()
                && part(self.slot.peak_flight.get(), self.slot.cwnd_floor.get()) >= FILLED_FLIGHT
                && near.burst_distance() >= SATURATED_PAUSES.get() * train_pause(rtt)
                && near.rate() >= train * SATURATED_RATE.get()
        })
    }

    /// Whether more was in flight than the path holds whenever data left, so that packets waited in a queue.
    /// More data would only lengthen that queue, whatever else was full (Little's law). Occasional pauses of
    /// hosts or links do not change this.
    pub(crate) fn holds_more_than_path(&self) -> bool {
        once("holds_more_than_path", &self.holds_more_than_path, || {
            let (Some(rate), Some(base)) = (self.context.path_rate, self.context.rtt_min) else { return false };
            let path = rate * base as f64 / 1e9;
            let is_more = self.slot.sent_at().is_some_and(|least| f64::from(least) >= path * HELD_FLIGHT.get());
            let waits = || self.slot.rtt_min.is_some_and(|rtt| rtt - base > QUEUE_EXCESS.of(base));
            is_more && waits() && self.near().rate() >= rate * SERVED_RATE.get()
        })
    }

    /// Whether the path could deliver more than the sender uses.
    pub(super) fn is_path_idle(&self) -> bool {
        named("is_path_idle", || {
            self.context.train_rate.is_some_and(|train| self.near().rate() < train * IDLE_RATE.get())
        })
    }
}
