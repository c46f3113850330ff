//! How regular sends are, and whether ACKs set their rhythm.

use super::Evidence;
use super::named::{named, once};
use crate::facts::slot::Slot;
use crate::thresholds::{
    ANSWERED_SLOTS, BEYOND_RHYTHM, CHANCE_BURSTS, CHANCE_COVERED, CHANCE_SPACING, COALESCED_LEAST, EVEN_BURSTS,
    EVEN_MULTIPLE, EVEN_PARTIAL, EVEN_PERIOD, EVEN_RELEASED, EVEN_SEGMENTS, EVEN_SHARE, FOLLOWED_BURSTS,
    FOLLOWED_EMPTIED, FOLLOWED_FEW, FOLLOWED_LAG_LEAST, FOLLOWED_SHARE, FOLLOWED_SIGMA, FOREIGN_OFFSET, FOREIGN_TURNS,
    FOREIGN_TURNS_LEAST, LATE_ANSWERS, LATE_LEAST, LOCAL_PATH, NEVER_PROMPT, NEVER_PROMPT_ALONE, NEVER_PROMPT_LEAST,
    NEVER_PROMPT_MOST, NEVER_PROMPT_SEGMENTS, ONCE_IN_ROUND_TRIP, PACER_PERIOD, PROMPT_RHYTHM, RELEASED_CLOSELY,
    RELEASED_RHYTHM, RHYTHM_BURSTS, RHYTHM_SHARE, ROUND_OFFSET, ROUND_TRIP_NEAR, SERIALISED_SHARE, SERVED_RHYTHM,
    SMALL_SEGMENTS, WAITING, WAITING_LEAST, WAITING_RHYTHM, WIDE_REACH, part,
};

#[cfg(test)]
mod tests;

const MILLISECOND: i64 = 1_000_000;

/// Which bursts have to follow ACKs.
#[derive(Clone, Copy, PartialEq)]
enum Counted {
    /// All.
    Bursts,
    /// Those that end a rest: no ACK came just before the one that they follow.
    AfterRests,
}

impl Counted {
    /// How many a slot has, and how many of these an ACK released.
    fn of(self, slot: &Slot) -> (u32, u32) {
        match self {
            Self::Bursts => (slot.bursts, slot.ack_released),
            Self::AfterRests => (slot.rests.into(), slot.rests_released.into()),
        }
    }
}

impl Evidence<'_> {
    /// Bursts come at a fixed period, longer than a pacer's.
    pub(crate) fn is_regular(&self) -> bool {
        named("is_regular", || {
            let near = self.near();
            near.bursts >= RHYTHM_BURSTS
                && part(near.periodic_bursts, near.bursts) >= RHYTHM_SHARE
                && near.period() >= PACER_PERIOD
        })
    }

    /// Bursts come at a fixed period that is not the path's. What ACKs release repeats every round trip, so an even
    /// rhythm of theirs divides it; and a writer that waits for a third of its buffer gets no more than a few turns in one.
    pub(crate) fn has_own_rhythm(&self) -> bool {
        named("has_own_rhythm", || {
            if !self.is_regular() {
                return false;
            }
            let near = self.near();
            // Where each send follows an ACK far more closely than chance would have it, the rhythm is that of the ACKs.
            if !self.context.ack_times_inferred
                && part(near.ack_released, near.bursts) >= RELEASED_RHYTHM
                && part(near.ack_covered, near.ack_time) < RELEASED_CLOSELY
            {
                return false;
            }
            let Some(rtt) = near.rtt() else { return false };
            let turns = rtt as f64 / near.period().max(1) as f64;
            let is_foreign = turns >= FOREIGN_TURNS
                || turns >= FOREIGN_TURNS_LEAST && (turns - turns.round()).abs() > FOREIGN_OFFSET;
            is_foreign || !self.context.ack_times_inferred && self.is_round()
        })
    }

    /// Bursts come every whole number of milliseconds: people set timers so, pacers have no reason to, and a path only
    /// when that is its round trip.
    fn is_round(&self) -> bool {
        named("is_round", || {
            let period = self.near().period();
            let is_round_trip =
                self.context.rtt_min.is_some_and(|rtt| part((period - rtt).abs(), rtt) <= ROUND_TRIP_NEAR);
            period >= PACER_PERIOD && is_whole_millis(period) && !is_round_trip
        })
    }

    /// Single segments follow each other at a constant pace, many in a round trip: a serialiser or a pacer,
    /// which Linux lets send about every millisecond, two segments at least (`tcp_tso_autosize`). A slow line
    /// may take longer for one segment than the rest of the way takes (1.2 ms on Ethernet at 10 Mbit/s).
    /// Segments follow each other at once there, and wait for no ACK.
    pub(crate) fn is_even(&self) -> bool {
        once("is_even", &self.is_even, || {
            let near = self.near();
            near.bursts >= EVEN_BURSTS
                && part(near.even_bursts, near.bursts) >= EVEN_SHARE
                && part(near.multi_send_bursts, near.bursts) <= EVEN_MULTIPLE
                && part(near.partial_sends, near.bursts) <= EVEN_PARTIAL
                && (near.rtt().is_some_and(|rtt| part(near.period(), rtt) <= EVEN_PERIOD) || self.is_serialised())
                && !self.is_round()
                && (near.period() <= PACER_PERIOD
                    || near.sent <= u64::from(near.bursts) * self.context.mss * EVEN_SEGMENTS.get())
        })
    }

    /// Segments follow each other at the pace of a line, sooner than timers of programs tick, and not because
    /// of ACKs.
    fn is_serialised(&self) -> bool {
        named("is_serialised", || {
            let near = self.near();
            let is_timed = part(near.periodic_bursts, near.bursts) >= RHYTHM_SHARE && is_whole_millis(near.period());
            near.burst_distance() <= PACER_PERIOD.get()
                && part(near.even_bursts, near.bursts) >= SERIALISED_SHARE
                && part(near.ack_released, near.bursts) <= EVEN_RELEASED
                && !is_timed
        })
    }

    /// ACKs released nearly every burst, or ended nearly every rest, for many round trips, and closely.
    /// Sends at random times would follow them by about half of the time between them.
    pub(crate) fn follows_acks(&self) -> bool {
        once("follows_acks", &self.follows_acks, || {
            let is_known = self.context.ack_times_inferred || self.context.is_wake_known;
            is_known && self.are_released(Counted::Bursts) || self.rests_end_with_acks()
        })
    }

    /// ACKs ended nearly every rest, whatever sets the pace between two of them: a pacer, and no program's
    /// timer.
    pub(crate) fn rests_end_with_acks(&self) -> bool {
        once("rests_end_with_acks", &self.rests_end_with_acks, || self.are_released(Counted::AfterRests))
    }

    /// Whether ACKs released nearly all bursts that are `counted`, and more closely than chance would.
    fn are_released(&self, counted: Counted) -> bool {
        let (mut bursts, mut released, mut covered, mut time, mut acks) = (0, 0, 0, 0, 0);
        let (mut slots, mut emptied) = (0, 0);
        for slot in self.view.slots[self.within(WIDE_REACH.get())].iter().filter(|slot| !slot.is_break()) {
            let (all, followed) = counted.of(slot);
            bursts += all;
            released += followed;
            covered += slot.ack_covered;
            time += slot.ack_time;
            acks += i64::from(slot.advancing_acks);
            if let Some(least) = slot.sent_at() {
                slots += 1;
                emptied += u32::from(part(u64::from(least), slot.peak_flight.get()) <= FOLLOWED_EMPTIED);
            }
        }
        let lag = covered / acks.max(1);
        if bursts < FOLLOWED_FEW || part(released, bursts) < FOLLOWED_SHARE || lag < FOLLOWED_LAG_LEAST {
            return false;
        }
        if bursts < FOLLOWED_BURSTS {
            // Too few to know whether a timer sends them, which draws its place between ACKs once.
            return self.context.is_wake_known && part(covered, time) < RELEASED_CLOSELY;
        }
        if part(self.near().periodic_bursts, self.near().bursts) >= RHYTHM_SHARE {
            // A timer draws its place between ACKs once, for all of its sends. Where all but nothing is in
            // flight before each, it had to draw one behind the last ACK, and not behind any.
            let behind_last = counted == Counted::AfterRests || part(emptied, slots) >= FOLLOWED_SHARE && slots > 0;
            let distance = time / i64::from(bursts);
            return part(covered, time) < RELEASED_CLOSELY || behind_last && part(lag, distance) < RELEASED_CLOSELY;
        }
        // What lies evenly between nothing and all deviates by the root of a twelfth, and the mean of so many
        // by less.
        let chance = 0.5 - FOLLOWED_SIGMA.get() / (12.0 * f64::from(released)).sqrt();
        (covered as f64) < chance * time as f64
    }

    /// Nearly every burst ends with less than a full segment.
    pub(crate) fn are_segments_small(&self) -> bool {
        named("are_segments_small", || {
            let near = self.near();
            near.bursts >= RHYTHM_BURSTS && part(near.partial_sends, near.bursts) >= SMALL_SEGMENTS
        })
    }

    /// Few bursts end with less than a full segment: writes had waited in the send queue and were coalesced. Where none does, it
    /// proves nothing: Nagle's algorithm keeps small segments back (RFC 9293 §3.7.4).
    pub(crate) fn are_writes_coalesced(&self) -> bool {
        named("are_writes_coalesced", || {
            let near = self.near();
            near.partial_sends >= COALESCED_LEAST && part(near.partial_sends, near.bursts) <= EVEN_PARTIAL
        })
    }

    /// Few bursts end with less than a full segment.
    pub(crate) fn are_segments_full(&self) -> bool {
        self.near().bursts > 0 && part(self.near().partial_sends, self.near().bursts) <= EVEN_PARTIAL
    }

    /// Both ends are on one host, or next to each other.
    pub(crate) fn is_path_local(&self) -> bool {
        self.context.rtt_min.is_some_and(|rtt| rtt <= LOCAL_PATH)
    }

    /// ACKs released most of the evenly spaced bursts.
    pub(crate) fn is_released_evenly(&self) -> bool {
        named("is_released_evenly", || part(self.near().ack_released, self.near().bursts) > EVEN_RELEASED)
    }

    /// Sends fall as close behind ACKs as random ones would.
    pub(crate) fn is_random(&self) -> bool {
        once("is_random", &self.is_random, || {
            let near = self.near();
            // Where ACKs come faster than a writer wakes, every send is close behind one.
            !self.context.ack_times_inferred
                // Sends that move with their ACKs are no random ones.
                && self.context.usual_lag == 0
                && near.ack_released >= CHANCE_BURSTS
                && near.ack_spacing() >= CHANCE_SPACING
                && part(near.ack_covered, near.ack_time) >= CHANCE_COVERED
        })
    }

    /// The path sets the rhythm: it is at work, and its spacing is not that of a clock, or longer round trips than the rhythm
    /// explains show a queue, or it carries all that it can. (A slow link spaces what it serves evenly as well, though
    /// seldom to the tick.)
    pub(crate) fn is_served(&self) -> bool {
        named("is_served", || {
            let near = self.near();
            (self.is_busy() || self.is_queued())
                && (part(near.periodic_bursts, near.bursts) < SERVED_RHYTHM
                    || self.is_queue_beyond_rhythm()
                    || self.is_saturated())
        })
    }

    /// Every round trip was longer than the path needs by more than two periods of the sends: who writes once in a period
    /// answers an ACK within one, so the rest is a queue.
    fn is_queue_beyond_rhythm(&self) -> bool {
        named("is_queue_beyond_rhythm", || {
            let near = self.near();
            let excess = near.rtt_min.zip(self.context.rtt_min).map_or(0, |(least, base)| least - base);
            near.periodic_bursts > 0 && excess > near.period() * BEYOND_RHYTHM.get()
        })
    }

    /// Away from the sender, no loss, and a path that rests: who sends late waits for something else than the path.
    pub(crate) fn can_show_waits(&self) -> bool {
        named("can_show_waits", || {
            self.context.ack_times_inferred && !self.has_losses() && !self.is_busy() && !self.is_queued()
        })
    }

    /// Each time the sender let the path rest before it answered: its own pace, no ACK released it.
    pub(crate) fn is_waiting(&self) -> bool {
        named("is_waiting", || {
            let (near, Some(base)) = (self.near(), self.context.rtt_min) else { return false };
            let wait = i64::from(near.echo_wait) * 1000;
            part(near.steady_bursts, near.bursts) >= WAITING_RHYTHM
                && near.echoes >= ANSWERED_SLOTS
                && wait >= WAITING.of(base).max(WAITING_LEAST.get())
        })
    }

    /// At the sender, once a round trip: each time it answered an ACK much later than a writer wakes that waits for its buffer.
    pub(crate) fn answers_late(&self) -> bool {
        named("answers_late", || {
            let (near, Some(base)) = (self.near(), self.context.rtt_min) else { return false };
            !self.context.ack_times_inferred
                && !self.has_losses()
                && near.ack_released >= LATE_ANSWERS.get()
                && i64::from(near.least_lag) * 1000 >= LATE_LEAST.get() + self.context.usual_lag
                && near.burst_distance() >= ONCE_IN_ROUND_TRIP.of(base)
        })
    }

    /// Once in a round trip or more seldom, data took longer each time after the ACK that it answers than the handshake and its own
    /// way through the path explain, and the path could rest meanwhile: the sender waits for a clock of its own.
    pub(crate) fn is_never_prompt(&self) -> bool {
        named("is_never_prompt", || {
            let (near, Some(base)) = (self.near(), self.context.rtt_min) else { return false };
            // The promptest of these, beyond the promptest of all, beyond the handshake.
            let late = i64::from(near.echo_wait) * 1000 + self.context.excess_ack_to_data_delay.max(0);
            let is_rhythmic = part(near.steady_bursts, near.bursts) >= PROMPT_RHYTHM && near.echoes >= ANSWERED_SLOTS;
            let explained =
                |segment| NEVER_PROMPT.of(base) + NEVER_PROMPT_SEGMENTS.get() * segment + NEVER_PROMPT_LEAST.get();
            is_rhythmic
                && late >= self.segment_time().map_or(NEVER_PROMPT_ALONE.of(base), explained)
                && self.is_foretold(late, base)
        })
    }

    /// Where the handshake was answered on the way, all data seems `late`. Then ACKs release it all the same: no more often than once
    /// in a round trip, which is longer than the handshake says. Writes that come so seldom would find nothing in flight, but for
    /// those that come soon after.
    fn is_foretold(&self, late: i64, base: i64) -> bool {
        named("is_foretold", || (late..base).contains(&self.near().burst_distance()) || late <= NEVER_PROMPT_MOST.get())
    }

    /// How long a full segment takes through the path, nanoseconds, as far as it shows: from one send of a burst to the next, or by
    /// the rate of trains.
    fn segment_time(&self) -> Option<i64> {
        let near = self.near();
        let behind = i64::from(near.sends.saturating_sub(near.bursts));
        let in_train = || self.context.path_rate.map(|rate| (self.context.mss as f64 * 1e9 / rate.max(1.0)) as i64);
        if behind > 0 { Some(near.burst / behind) } else { in_train() }
    }
}

/// Whether `period`, nanoseconds, is a whole number of milliseconds, as far as timers keep to it.
fn is_whole_millis(period: i64) -> bool {
    let off = period.rem_euclid(MILLISECOND);
    off.min(MILLISECOND - off) <= ROUND_OFFSET
}
