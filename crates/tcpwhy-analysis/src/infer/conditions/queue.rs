//! Whether the path is busy, and whether a queue stands before its bottleneck.

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
    /// ACKs come without pause: something on the path serves at its full rate.
    pub(crate) fn is_busy(&self) -> bool {
        once("is_busy", &self.is_busy, || {
            let near = self.near();
            if near.advancing_acks < BUSY_ACKS {
                return false;
            }
            let mean = near.ack_time / i64::from(near.advancing_acks);
            // What is nothing against a round trip is no pause.
            let small = near.rtt().map_or(0, |rtt| SMALL_PAUSE.of(rtt)).min(SMALL_PAUSE_MOST.get());
            // A server at work spaces evenly: the squares of the gaps stay near the square of their mean.
            let spread = near.ack_time_squared * f64::from(near.advancing_acks) / (near.ack_time as f64 / 1e6).powi(2);
            // A single pause in all that time does not make it idle.
            let pause = (PAUSE_MEANS.get() * mean + small).max(PAUSE_SHARE.of(near.ack_time));
            near.ack_gap_max <= small || near.ack_gap_max <= pause && spread <= SPREAD
        })
    }

    /// ACKs never pause for a good part of a round trip.
    pub(super) fn is_unbroken(&self) -> bool {
        named("is_unbroken", || {
            let near = self.near();
            near.rtt().is_some_and(|rtt| part(near.ack_gap_max, rtt) <= UNBROKEN_PAUSE)
        })
    }

    /// A queue stands at the bottleneck.
    pub(crate) fn is_queued(&self) -> bool {
        once("is_queued", &self.is_queued, || self.is_inflated() || self.is_never_empty() || self.is_backed_up())
    }

    /// Round trips take longer than the path needs, and ACKs never pause for long.
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
                // But for one round trip of several, not one packet found the queue empty: ACKs that come together hide no pause.
                let is_deep =
                    near.ack_gap_max <= DEEP_PAUSE.of(rtt) && near.rtt_next.is_some_and(|least| least - base > deep());
                near.advancing_acks >= BUSY_ACKS && (is_smooth || is_deep)
            }
        })
    }

    /// Not once in several round trips did data come through without waiting: all echoed older ACKs than had
    /// reached the sender by then. So a queue between its TCP and the capture never empties. It is longer
    /// than a twentieth of the round trip (the target of `CoDel`, RFC 8289 §4.4). A pacer lets data wait in
    /// its own `fq`.
    pub(crate) fn is_never_empty(&self) -> bool {
        once("is_never_empty", &self.is_never_empty, || {
            !self.context.is_pacing && self.least_queued().is_some_and(|queued| self.is_queue(queued))
        })
    }

    /// The same for a shorter queue, where ACKs come without a break: data that waited as long as it takes
    /// from one ACK to the next may have waited twice as long.
    fn is_backed_up(&self) -> bool {
        named("is_backed_up", || {
            let spacing = self.near().ack_spacing();
            let is_long = |queued| queued >= spacing && self.is_queue(queued + spacing);
            self.least_queued().is_some_and(is_long) && (self.is_busy() || self.is_unbroken())
        })
    }

    /// How long data had waited at the least, each time in several round trips, nanoseconds. `None` where
    /// that is not known, or where holes without a loss show that data is delayed one by one.
    fn least_queued(&self) -> Option<i64> {
        let near = self.near();
        let is_reordered = near.holes > 0 && near.retransmissions == 0;
        (!is_reordered && near.echoes >= ANSWERED_SLOTS).then(|| near.queued())
    }

    /// Whether a wait of `queued` nanoseconds is that of a persistent queue.
    fn is_queue(&self, queued: i64) -> bool {
        let least = self.context.rtt_min.map(|base| NEVER_EMPTY.of(base).max(NEVER_EMPTY_LEAST.get()));
        least.is_some_and(|least| queued >= least)
    }

    /// A queue, and a flight that fills the window before a path that carries all that it can, as its trains show, although
    /// bursts are further apart than what makes one train: whoever sent less than it takes would leave it idle between them.
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

    /// Whenever data left, more was in flight than the path holds, and waited in a queue: whatever else was
    /// full, more data would only have lengthened that (Little's law). Hosts and links that pause now and
    /// then do not change it.
    pub(crate) fn holds_more_than_path(&self) -> bool {
        once("holds_more_than_path", &self.holds_more_than_path, || {
            let (Some(rate), Some(base)) = (self.context.path_rate, self.context.rtt_min) else { return false };
            let path = rate * base as f64 / 1e9;
            let is_more = self.slot.sent_at().is_some_and(|least| f64::from(least) >= path * HELD_FLIGHT.get());
            let waits = || self.slot.rtt_min.is_some_and(|rtt| rtt - base > QUEUE_EXCESS.of(base));
            is_more && waits() && self.near().rate() >= rate * SERVED_RATE.get()
        })
    }

    /// The path gave more than it is asked for.
    pub(super) fn is_path_idle(&self) -> bool {
        named("is_path_idle", || {
            self.context.train_rate.is_some_and(|train| self.near().rate() < train * IDLE_RATE.get())
        })
    }
}
