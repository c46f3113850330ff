//! What the slots around one tell together.

use super::classify::Context;
use super::slot::Slot;
use crate::half::train::train_pause;

/// Slots on either side that a slot is judged with.
pub(super) const REACH: usize = 3;
/// Fewer ACKs tell nothing of a busy path.
pub(super) const LEAST_FREES: u32 = 20;

/// Sums over a neighbourhood of slots.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    pub(super) clocked: i64,
    pub(super) hoarded: i64,
    pub(super) unreleased: i64,
    pub(super) burst: i64,
    pub(super) window_full: i64,
    pub(super) sends: u32,
    pub(super) partial: u32,
    pub(super) sent: u64,
    pub(super) losses: u32,
    pub(super) bursts: u32,
    pub(super) multi: u32,
    pub(super) comb_period_sum: i64,
    pub(super) combs: u32,
    pub(super) evens: u32,
    pub(super) releases: u32,
    pub(super) ack_time: i64,
    pub(super) ack_covered: i64,
    pub(super) ack_time_squared: f64,
    pub(super) nanos: i64,
    pub(super) ack_gap_max: i64,
    pub(super) frees: u32,
    pub(super) holes: u32,
    /// Time whose flight stayed well under what the congestion window had allowed before.
    pub(super) refuted: i64,
    pub(super) peak_flight: u64,
    /// Smallest round trip of all, nanoseconds; `None` without any.
    pub(super) rtt_min: Option<i64>,
    /// The second smallest of the slots' smallest.
    pub(super) rtt_next: Option<i64>,
    pub(super) rtt_sum: i64,
    pub(super) rtt_count: u32,
    pub(super) acked: u64,
    pub(super) edge_advance: u64,
    /// Least and greatest of the largest windows that the slots were offered, bytes.
    pub(super) window_low: u64,
    pub(super) window_high: u64,
    /// Least [`Slot::echo_excess`] and [`Slot::echo_wait`], and of how many slots.
    pub(super) echo_excess: u32,
    pub(super) echo_wait: u32,
    pub(super) echoes: u32,
}

impl Around {
    pub(super) fn rtt(&self) -> Option<i64> {
        (self.rtt_count > 0).then(|| self.rtt_sum / i64::from(self.rtt_count))
    }

    pub(super) fn period(&self) -> i64 {
        self.comb_period_sum / i64::from(self.combs.max(1))
    }

    /// Losses were repaired for most of the time: the gaps between two repairs are too short to tell of anything else.
    pub(super) fn is_repair(&self) -> bool {
        let others = self.clocked + self.hoarded + self.unreleased + self.burst + self.window_full;
        self.losses > 0 && others * 2 < self.nanos
    }

    /// Sends that no ACK released outweigh the others.
    pub(super) fn is_mostly_unreleased(&self) -> bool {
        self.unreleased > self.clocked + self.hoarded + self.burst / 2
    }

    /// Bursts come at a fixed period, longer than a pacer's.
    pub(super) fn is_regular(&self) -> bool {
        self.bursts >= 5 && self.combs * 10 >= self.bursts * 7 && self.period() >= 2_500_000
    }

    /// Bursts come at a fixed period that is not the path's. What ACKs release repeats every round trip, so an even
    /// rhythm of theirs divides it; and a writer that waits for a third of its buffer gets no more than a few turns in one.
    pub(super) fn is_comb(&self, is_shifted: bool, base: Option<i64>) -> bool {
        if !self.is_regular() {
            return false;
        }
        // Where each send follows an ACK far more closely than chance would have it, the rhythm is that of the ACKs.
        if !is_shifted && self.releases * 10 >= self.bursts * 9 && self.ack_covered * 20 < self.ack_time {
            return false;
        }
        let Some(rtt) = self.rtt() else { return false };
        let turns = rtt as f64 / self.period().max(1) as f64;
        let is_foreign = turns >= 4.5 || turns >= 1.7 && (turns - turns.round()).abs() > 0.2;
        is_foreign || !is_shifted && self.is_round(base)
    }

    /// Bursts come every whole number of milliseconds: people set timers so, pacers have no reason to, and a path only
    /// when that is its round trip.
    pub(super) fn is_round(&self, base: Option<i64>) -> bool {
        let off = self.period().rem_euclid(1_000_000);
        let is_round_trip = base.is_some_and(|rtt| (self.period() - rtt).abs() * 25 <= rtt);
        self.period() >= 2_500_000 && off.min(1_000_000 - off) <= 30_000 && !is_round_trip
    }

    /// Single segments follow each other at a constant pace, many in a round trip: a serialiser or a pacer, which Linux
    /// lets send about every millisecond, two segments at least (`tcp_tso_autosize`).
    pub(super) fn is_even(&self, mss: u64, base: Option<i64>) -> bool {
        self.bursts >= 6
            && self.evens * 10 >= self.bursts * 6
            && self.multi * 4 <= self.bursts
            && self.partial * 4 <= self.bursts
            && self.rtt().is_some_and(|rtt| self.period() * 10 <= rtt * 4)
            && !self.is_round(base)
            && (self.period() <= 2_500_000 || self.sent <= u64::from(self.bursts) * mss * 2)
    }

    /// ACKs come without pause: something on the path serves at its full rate.
    pub(super) fn is_busy(&self) -> bool {
        if self.frees < LEAST_FREES {
            return false;
        }
        let mean = self.ack_time / i64::from(self.frees);
        // What is nothing against a round trip is no pause.
        let small = self.rtt().map_or(0, |r| r / 6).min(1_600_000);
        // A server at work spaces evenly: the squares of the gaps stay near the square of their mean.
        let spread = self.ack_time_squared * f64::from(self.frees) / (self.ack_time as f64 / 1e6).powi(2);
        // A single pause in all that time does not make it idle.
        let pause = (4 * mean + small).max(self.ack_time / 20);
        self.ack_gap_max <= small || self.ack_gap_max <= pause && spread <= 1.7
    }

    /// A queue stands at the bottleneck.
    pub(super) fn is_queued(&self, rtt: Option<i64>, base: Option<i64>) -> bool {
        let is_unbroken = self.is_busy() || self.rtt().is_some_and(|rtt| self.ack_gap_max * 4 <= rtt);
        self.is_inflated(rtt, base) || is_unbroken && base.is_some_and(|base| self.is_never_empty(base))
    }

    /// Round trips take longer than the path needs, and ACKs never pause for long.
    pub(super) fn is_inflated(&self, rtt: Option<i64>, base: Option<i64>) -> bool {
        let (Some(rtt), Some(base)) = (rtt, base) else { return false };
        if self.is_busy() {
            rtt - base > (base * 3 / 10).max(1_000_000)
        } else {
            let is_smooth = self.ack_gap_max <= rtt / 8 && rtt - base > (base / 10).max(5_000_000);
            // But for one round trip of several, not one packet found the queue empty: ACKs that come together hide no pause.
            let is_deep = self.ack_gap_max <= rtt
                && self.rtt_next.is_some_and(|least| least - base > (base * 3 / 10).max(1_000_000));
            self.frees >= LEAST_FREES && (is_smooth || is_deep)
        }
    }

    /// Every round trip was longer than the path needs by more than two periods of the sends: who writes once in a period
    /// answers an ACK within one, so the rest is a queue.
    pub(super) fn is_queue_beyond_rhythm(&self, base: Option<i64>) -> bool {
        let excess = self.rtt_min.zip(base).map_or(0, |(least, base)| least - base);
        self.combs > 0 && excess > self.period() * 2
    }

    /// Away from the sender: in all that time, how much longer than ever the promptest data took after the ACK that it
    /// answers, nanoseconds.
    pub(super) fn excess(&self) -> Option<i64> {
        (self.echoes >= 3).then(|| (i64::from(self.echo_excess) - 1) * 1000)
    }

    /// Not once in several round trips did data come through without waiting: a queue that never empties, longer than a
    /// twentieth of the round trip (the target of `CoDel`, RFC 8289 §4.4) and than what is sent at a time explains.
    pub(super) fn is_never_empty(&self, base: i64) -> bool {
        // Holes without any loss: data is delayed one by one on the way.
        let is_reordered = self.holes > 0 && self.losses == 0;
        !is_reordered && self.excess().is_some_and(|e| e >= (base / 20).max(1_000_000) && e >= self.ack_spacing() * 2)
    }

    /// Each time the sender let the path rest before it answered: its own pace, no ACK released it.
    pub(super) fn is_waiting(&self, base: i64) -> bool {
        let wait = i64::from(self.echo_wait) * 1000;
        self.combs * 10 >= self.bursts * 7 && self.echoes >= 3 && wait >= (base / 50).max(500_000)
    }

    /// Each time, and ever before, data took longer after the ACK that it answers than the handshake and its own way through the
    /// path explain, and the path could rest meanwhile: the sender waits for a clock of its own. (One slower than the round
    /// trip lets everything be acknowledged in between, which is told at once.)
    pub(super) fn is_never_prompt(&self, base: i64, tardiness: i64) -> bool {
        let behind = i64::from(self.sends.saturating_sub(self.bursts));
        let spacing = self.burst / behind.max(1);
        let distance = self.nanos / i64::from(self.bursts.max(1));
        let is_rhythmic = self.combs * 2 >= self.bursts && self.echoes >= 3;
        is_rhythmic
            && behind > 0
            && (tardiness..base).contains(&distance)
            && tardiness >= base / 8 + 2 * spacing + 1_000_000
    }

    /// Mean time between ACKs that freed bytes, nanoseconds.
    pub(super) fn ack_spacing(&self) -> i64 {
        self.ack_time / i64::from(self.frees.max(1))
    }

    /// Bytes acknowledged per second.
    pub(super) fn rate(&self) -> f64 {
        self.acked as f64 * 1e9 / self.nanos.max(1) as f64
    }

    /// The path carries all that it can, as its trains show, although bursts are further apart than what makes one train:
    /// whoever sent less than it takes would leave it idle between them.
    pub(super) fn is_saturated(&self, context: &Context) -> bool {
        let Some((train, rtt)) = context.train_rate.zip(context.rtt_min) else { return false };
        let distance = self.nanos / i64::from(self.bursts.max(1));
        distance >= 5 * train_pause(rtt) && self.rate() >= train * 0.95
    }

    /// Sends fall as close behind ACKs as random ones would.
    pub(super) fn is_random(&self) -> bool {
        // Where ACKs come faster than a writer wakes, every send is close behind one.
        self.releases >= 6 && self.ack_spacing() >= 50_000 && self.ack_covered * 10 >= self.ack_time * 4
    }
}

pub(super) fn neighbours(all: &[Slot], i: usize, reach: usize) -> &[Slot] {
    &all[i.saturating_sub(reach)..(i + reach + 1).min(all.len())]
}

pub(super) fn around(all: &[Slot], i: usize, reach: usize, context: &Context) -> Around {
    let mut sum = Around::default();
    for s in neighbours(all, i, reach) {
        sum.clocked += s.clocked;
        sum.hoarded += s.hoarded;
        sum.unreleased += s.unreleased;
        sum.burst += s.burst;
        sum.window_full += s.window_full;
        sum.sends += s.sends;
        sum.partial += s.partial_sends;
        sum.sent += s.sent;
        sum.losses += s.retransmissions;
        sum.bursts += s.bursts;
        sum.multi += s.multi_send_bursts;
        sum.comb_period_sum += s.comb_period_sum;
        sum.combs += s.comb_matches;
        sum.evens += s.even_matches;
        sum.releases += s.releases;
        sum.ack_time += s.ack_time;
        sum.ack_covered += s.ack_covered;
        sum.ack_time_squared += s.ack_time_squared;
        sum.nanos += s.nanos();
        sum.ack_gap_max = sum.ack_gap_max.max(s.ack_gap_max);
        sum.frees += s.frees;
        if s.echo_excess > 0 {
            sum.echo_excess = if sum.echoes == 0 { s.echo_excess } else { sum.echo_excess.min(s.echo_excess) };
            sum.echo_wait = if sum.echoes == 0 { s.echo_wait } else { sum.echo_wait.min(s.echo_wait) };
            sum.echoes += 1;
        }
        sum.holes += s.holes;
        // Where each ACK can be seen to release its send, a writer that waits for its buffer would show.
        let is_resolved = !context.is_shifted && s.frees >= 6 && s.hoarded * 10 < s.open();
        if s.is_under_floor() && !is_resolved {
            sum.refuted += s.clocked + s.burst;
        }
        sum.peak_flight = sum.peak_flight.max(s.peak_flight);
        let (low, high) = match (sum.rtt_min, s.rtt_min) {
            (Some(a), Some(b)) => (Some(a.min(b)), Some(a.max(b))),
            (a, b) => (a.or(b), None),
        };
        sum.rtt_min = low;
        sum.rtt_next = [sum.rtt_next, high].into_iter().flatten().min();
        sum.rtt_sum += s.rtt_sum;
        sum.rtt_count += s.rtt_count;
        sum.acked += s.acked;
        sum.edge_advance += s.edge_advance;
        if let Some((_, window)) = s.windows {
            sum.window_low = if sum.window_low == 0 { window } else { sum.window_low.min(window) };
            sum.window_high = sum.window_high.max(window);
        }
    }
    sum
}
