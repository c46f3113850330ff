//! Regularity of sends, and whether ACKs set their rhythm.

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

/// Bursts that are compared with ACKs.
#[derive(Clone, Copy, PartialEq)]
enum Counted {
    /// All bursts.
    Bursts,
    /// Bursts that end a pause: no ACK came shortly before the one that they follow.
    AfterRests,
}

impl Counted {
    /// Number of these bursts in a slot, and how many of them an ACK released.
    fn of(self, slot: &Slot) -> (u32, u32) {
        match self {
            Self::Bursts => (slot.bursts, slot.ack_released),
            Self::AfterRests => (slot.rests.into(), slot.rests_released.into()),
        }
    }
}

impl Evidence<'_> {
    /// Whether bursts come at a fixed period that is longer than a pacer's.
    pub(crate) fn is_regular(&self) -> bool {
        named("is_regular", || {
            let near = self.near();
            near.bursts >= RHYTHM_BURSTS
                && part(near.periodic_bursts, near.bursts) >= RHYTHM_SHARE
                && near.period() >= PACER_PERIOD
        })
    }

    /// Whether bursts come at a fixed period that the path does not cause. Sends that ACKs release repeat
    /// every round trip, so the period of an even rhythm divides it. A writer that waits for a third of its
    /// buffer has only a few such periods per round trip.
    pub(crate) fn has_own_rhythm(&self) -> bool {
        named("has_own_rhythm", || {
            if !self.is_regular() {
                return false;
            }
            let near = self.near();
            // Sends that follow ACKs far more closely than by chance have the rhythm of the ACKs.
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

    /// Whether bursts come at whole milliseconds. People set timers to such periods, a pacer has no reason
    /// to, and a path has them only if they equal its round trip.
    fn is_round(&self) -> bool {
        named("is_round", || {
            let period = self.near().period();
            let is_round_trip =
                self.context.rtt_min.is_some_and(|rtt| part((period - rtt).abs(), rtt) <= ROUND_TRIP_NEAR);
            period >= PACER_PERIOD && is_whole_millis(period) && !is_round_trip
        })
    }

    /// Whether single segments come at a constant pace, many per round trip, as from a serialiser or a pacer.
    /// A pacer on Linux sends about every millisecond, at least two segments (`tcp_tso_autosize`). A slow
    /// link may need longer for one segment than for the rest of the path (1.2 ms on Ethernet at 10 Mbit/s).
    /// Segments that it spaces are back to back and wait for no ACK.
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

    /// Whether segments come at the pace of a link, faster than timers of programs, without ACKs that release
    /// them.
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

    /// Whether ACKs released nearly every burst, or ended nearly every pause, closely and for many round
    /// trips. The mean distance of random sends from the previous ACK would be about half of the time between
    /// ACKs.
    pub(crate) fn follows_acks(&self) -> bool {
        once("follows_acks", &self.follows_acks, || {
            let is_known = self.context.ack_times_inferred || self.context.is_wake_known;
            is_known && self.are_released(Counted::Bursts) || self.rests_end_with_acks()
        })
    }

    /// Whether ACKs ended nearly every pause. Then a pacer may set the pace between them, but a program's
    /// timer does not.
    pub(crate) fn rests_end_with_acks(&self) -> bool {
        once("rests_end_with_acks", &self.rests_end_with_acks, || self.are_released(Counted::AfterRests))
    }

    /// Whether ACKs released nearly all bursts of this kind, at a smaller distance than chance would give.
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
            // With so few bursts, a timer whose phase between the ACKs is fixed could be as close by chance.
            return self.context.is_wake_known && part(covered, time) < RELEASED_CLOSELY;
        }
        if part(self.near().periodic_bursts, self.near().bursts) >= RHYTHM_SHARE {
            // A timer's phase relative to the ACKs is fixed once, so many bursts are no better evidence than
            // one. But if nearly nothing is in flight before each burst, the timer would have to fire after
            // the last ACK.
            let behind_last = counted == Counted::AfterRests || part(emptied, slots) >= FOLLOWED_SHARE && slots > 0;
            let distance = time / i64::from(bursts);
            return part(covered, time) < RELEASED_CLOSELY || behind_last && part(lag, distance) < RELEASED_CLOSELY;
        }
        // A uniform distribution from 0 to 1 has the standard deviation √(1/12); the mean of n values
        // deviates by that over √n.
        let chance = 0.5 - FOLLOWED_SIGMA.get() / (12.0 * f64::from(released)).sqrt();
        (covered as f64) < chance * time as f64
    }

    /// Whether nearly every burst ends with a segment shorter than the MSS.
    pub(crate) fn are_segments_small(&self) -> bool {
        named("are_segments_small", || {
            let near = self.near();
            near.bursts >= RHYTHM_BURSTS && part(near.partial_sends, near.bursts) >= SMALL_SEGMENTS
        })
    }

    /// Whether few bursts, but some, end with a segment shorter than the MSS: writes had waited in the send
    /// queue and were coalesced. Without any short segment this proves nothing, because Nagle's algorithm
    /// delays them (RFC 9293 §3.7.4).
    pub(crate) fn are_writes_coalesced(&self) -> bool {
        named("are_writes_coalesced", || {
            let near = self.near();
            near.partial_sends >= COALESCED_LEAST && part(near.partial_sends, near.bursts) <= EVEN_PARTIAL
        })
    }

    /// Whether few or no bursts end with a segment shorter than the MSS.
    pub(crate) fn are_segments_full(&self) -> bool {
        self.near().bursts > 0 && part(self.near().partial_sends, self.near().bursts) <= EVEN_PARTIAL
    }

    /// Whether both ends are on one host, or close to each other.
    pub(crate) fn is_path_local(&self) -> bool {
        self.context.rtt_min.is_some_and(|rtt| rtt <= LOCAL_PATH)
    }

    /// Whether ACKs released a considerable share of the bursts.
    pub(crate) fn is_released_evenly(&self) -> bool {
        named("is_released_evenly", || part(self.near().ack_released, self.near().bursts) > EVEN_RELEASED)
    }

    /// Whether sends follow ACKs no more closely than random sends would.
    pub(crate) fn is_random(&self) -> bool {
        once("is_random", &self.is_random, || {
            let near = self.near();
            // If ACKs come faster than a writer wakes up, every send is close to one.
            !self.context.ack_times_inferred
                // Sends at a constant distance from their ACKs are not random.
                && self.context.usual_lag == 0
                && near.ack_released >= CHANCE_BURSTS
                && near.ack_spacing() >= CHANCE_SPACING
                && part(near.ack_covered, near.ack_time) >= CHANCE_COVERED
        })
    }

    /// Whether the path sets the rhythm. The path must be busy or have a queue. In addition, its spacing is
    /// less exact than a clock's, its queue is longer than the rhythm explains, or it is saturated. (A slow
    /// link spaces packets evenly as well, but rarely to the tick.)
    pub(crate) fn is_served(&self) -> bool {
        named("is_served", || {
            let near = self.near();
            (self.is_busy() || self.is_queued())
                && (part(near.periodic_bursts, near.bursts) < SERVED_RHYTHM
                    || self.is_queue_beyond_rhythm()
                    || self.is_saturated())
        })
    }

    /// Whether every round trip exceeds the path's by more than two periods of the sends. A program that
    /// writes once per period answers an ACK within one, so the remaining delay is a queue.
    fn is_queue_beyond_rhythm(&self) -> bool {
        named("is_queue_beyond_rhythm", || {
            let near = self.near();
            let excess = near.rtt_min.zip(self.context.rtt_min).map_or(0, |(least, base)| least - base);
            near.periodic_bursts > 0 && excess > near.period() * BEYOND_RHYTHM.get()
        })
    }

    /// Whether late sends would show that the sender waits for something other than the path. This needs a
    /// capture away from the sender, no loss, and a path that is neither busy nor queued.
    pub(crate) fn can_show_waits(&self) -> bool {
        named("can_show_waits", || {
            self.context.ack_times_inferred && !self.has_losses() && !self.is_busy() && !self.is_queued()
        })
    }

    /// Whether the path was idle each time before the sender answered, so that its own pace and no ACK set
    /// the time.
    pub(crate) fn is_waiting(&self) -> bool {
        named("is_waiting", || {
            let (near, Some(base)) = (self.near(), self.context.rtt_min) else { return false };
            let wait = i64::from(near.echo_wait) * 1000;
            part(near.steady_bursts, near.bursts) >= WAITING_RHYTHM
                && near.echoes >= ANSWERED_SLOTS
                && wait >= WAITING.of(base).max(WAITING_LEAST.get())
        })
    }

    /// Whether the sender, captured at its own host, answers about once per round trip, and always much later
    /// than a blocked writer wakes up.
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

    /// Whether the sender waits for a clock of its own. It sends once per round trip or less often, over an
    /// idle path. Each time, data is later after its ACK than the handshake and its transmission time
    /// explain.
    pub(crate) fn is_never_prompt(&self) -> bool {
        named("is_never_prompt", || {
            let (near, Some(base)) = (self.near(), self.context.rtt_min) else { return false };
            // Least delay in these slots beyond the least of all slots, plus the excess of that one over the
            // handshake's.
            let late = i64::from(near.echo_wait) * 1000 + self.context.excess_ack_to_data_delay.max(0);
            let is_rhythmic = part(near.steady_bursts, near.bursts) >= PROMPT_RHYTHM && near.echoes >= ANSWERED_SLOTS;
            let explained =
                |segment| NEVER_PROMPT.of(base) + NEVER_PROMPT_SEGMENTS.get() * segment + NEVER_PROMPT_LEAST.get();
            is_rhythmic
                && late >= self.segment_time().map_or(NEVER_PROMPT_ALONE.of(base), explained)
                && self.is_foretold(late, base)
        })
    }

    /// Whether the delay `late` is not just an artefact of a device that answered the handshake in the
    /// sender's place. With such a device all data seems late. ACKs then release it about once per round
    /// trip, which is longer than the handshake shows. Writes as rare as that find nothing in flight, except
    /// soon after the previous one.
    fn is_foretold(&self, late: i64, base: i64) -> bool {
        named("is_foretold", || (late..base).contains(&self.near().burst_distance()) || late <= NEVER_PROMPT_MOST.get())
    }

    /// Transmission time of a full segment, nanoseconds, if known: from the spacing within bursts, otherwise
    /// from the rate of trains.
    fn segment_time(&self) -> Option<i64> {
        let near = self.near();
        let behind = i64::from(near.sends.saturating_sub(near.bursts));
        let in_train = || self.context.path_rate.map(|rate| (self.context.mss as f64 * 1e9 / rate.max(1.0)) as i64);
        if behind > 0 { Some(near.burst / behind) } else { in_train() }
    }
}

/// Whether `period`, nanoseconds, is a whole number of milliseconds within the accuracy of timers.
fn is_whole_millis(period: i64) -> bool {
    let off = period.rem_euclid(MILLISECOND);
    off.min(MILLISECOND - off) <= ROUND_OFFSET
}
