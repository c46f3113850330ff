//! Limits for events that belong together in time. They are computed when a round trip is measured, and used
//! for every packet.

use crate::thresholds::{
    BURST_ASSUMED, BURST_LEAST, BURST_MOST, BURST_PART, REACTION_ROOM, REACTION_SMOOTHING, REACTION_TIMES,
    RELEASE_ASSUMED, RELEASE_INFERRED_LEAST, RELEASE_LEAST, RELEASE_MOST, RELEASE_PART, RELEASE_REACTION_LEAST,
    RELEASE_REACTIONS, SLOT_ASSUMED, SLOT_LEAST, SLOT_MOST, USUAL_LAG_MOST, USUAL_LAG_MOVED, USUAL_LAG_PART,
    USUAL_LAG_SPREAD, USUAL_LAG_VOTES, USUAL_LAG_VOTES_MOST, WEIGHED_PART,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Closeness {
    /// ACK times are inferred, because the capture is not at the sender.
    ack_times_inferred: bool,
    /// Smoothed delay from the first ACK that released data until that data: the host's own reaction time,
    /// nanoseconds.
    reaction: Option<i64>,
    // Nanoseconds; at most 4 s fit. Every connection has two of these structs.
    fine: u32,
    slot: u32,
    burst: u32,
    release: u32,
    /// Lag behind the ACK that most sends may have, and the number of sends that agree minus those that
    /// differ.
    usual: u32,
    votes: u16,
}

impl Default for Closeness {
    /// The values before the first round-trip sample.
    fn default() -> Self {
        let mut closeness = Self {
            ack_times_inferred: false,
            reaction: None,
            slot: SLOT_ASSUMED.get() as u32,
            burst: BURST_ASSUMED.get() as u32,
            release: 0,
            usual: 0,
            votes: 0,
            fine: 0,
        };
        closeness.set_release(None);
        closeness
    }
}

impl Closeness {
    pub(super) fn ack_times_inferred(&self) -> bool {
        self.ack_times_inferred
    }

    /// Interval at which bytes in flight and windows are weighted, nanoseconds: a small part of a round trip
    /// is fine enough.
    pub(super) fn fine(&self) -> i64 {
        self.fine.into()
    }

    /// Least duration of a slot, about one round trip, nanoseconds.
    pub(super) fn slot(&self) -> i64 {
        self.slot.into()
    }

    /// Largest time between sends of one burst, nanoseconds.
    pub(super) fn burst(&self) -> i64 {
        self.burst.into()
    }

    /// Largest delay of a send that an ACK released, nanoseconds.
    pub(super) fn release(&self) -> i64 {
        self.release.into()
    }

    /// Sets whether ACK times are inferred. `rtt_min` is the smallest round trip up to now, here and below.
    pub(super) fn set_ack_times_inferred(&mut self, ack_times_inferred: bool, rtt_min: Option<i64>) {
        self.ack_times_inferred = ack_times_inferred;
        self.set_release(rtt_min);
    }

    /// Sets the recent round trip, nanoseconds.
    pub(super) fn set_recent(&mut self, rtt: i64) {
        self.slot = rtt.clamp(SLOT_LEAST.get(), SLOT_MOST.get()) as u32;
    }

    /// Sets the smallest round trip up to now, nanoseconds.
    pub(super) fn set_least(&mut self, rtt: i64) {
        self.fine = u32::try_from(WEIGHED_PART.of(rtt)).unwrap_or(u32::MAX);
        self.burst = BURST_PART.of(rtt).clamp(BURST_LEAST.get(), BURST_MOST.get()) as u32;
        self.set_release(Some(rtt));
    }

    /// Records that a send followed the first ACK that made room by `lag`.
    pub(super) fn on_reaction(&mut self, lag: i64, rtt_min: Option<i64>) {
        let reaction = self.reaction.get_or_insert(lag);
        // Times out of order make the reaction negative, and every further sample would then decrease it.
        let most = reaction.saturating_mul(REACTION_TIMES.get()).saturating_add(REACTION_ROOM.get());
        *reaction += lag.min(most).saturating_sub(*reaction) / REACTION_SMOOTHING.get();
        self.set_release(rtt_min);
    }

    /// Records that a burst followed the last ACK that made room by `lag`, whether or not that ACK released
    /// it. Its distance to the previous burst differs by `moved` from the distance before.
    ///
    /// A host may need milliseconds for each answer, or the capture may be milliseconds away from it. Then
    /// the lag is nearly constant although the distances between sends vary: the sends follow their ACKs. A
    /// writer with its own clock shows the reverse, so sends in the rhythm of the previous ones are not
    /// counted. The usual lag is found by majority vote (Boyer and Moore, 1981).
    pub(super) fn on_lag(&mut self, lag: i64, moved: i64, rtt_min: Option<i64>) {
        let most = rtt_min.map_or(0, |rtt| USUAL_LAG_PART.of(rtt)).min(USUAL_LAG_MOST.get());
        if self.ack_times_inferred || most <= Self::base(rtt_min) {
            return;
        }
        let usual = i64::from(self.usual);
        let spread = USUAL_LAG_SPREAD.of(usual.max(lag.min(most)));
        if moved <= USUAL_LAG_MOVED.get() * spread {
            return;
        }
        let was_held = self.usual_lag().is_some();
        if self.votes == 0 {
            if (0..=most).contains(&lag) {
                (self.usual, self.votes) = (lag as u32, 1);
            }
        } else if (lag - usual).abs() <= spread {
            self.votes = (self.votes + 1).min(USUAL_LAG_VOTES_MOST.get() as u16);
            self.usual = (usual + (lag - usual) / REACTION_SMOOTHING.get()) as u32;
        } else {
            self.votes -= 1;
        }
        if was_held || self.usual_lag().is_some() {
            self.set_release(rtt_min);
        }
    }

    /// Usual delay from an ACK until this host's answer passes the capture, nanoseconds, if it is known and
    /// more than any host may need.
    pub(super) fn usual_lag(&self) -> Option<i64> {
        let is_held = !self.ack_times_inferred && u32::from(self.votes) >= USUAL_LAG_VOTES;
        is_held.then_some(i64::from(self.usual))
    }

    /// Delay that any host may need, nanoseconds.
    fn base(rtt_min: Option<i64>) -> i64 {
        let base = rtt_min.map_or(RELEASE_ASSUMED.get(), |rtt| RELEASE_PART.of(rtt));
        base.clamp(RELEASE_LEAST.get(), RELEASE_MOST.get())
    }

    /// Computes the release limit. At the sender, this host's reaction time is known from the times at which
    /// its windows opened. Elsewhere the order of ACKs is known to 1 ms at best.
    fn set_release(&mut self, rtt_min: Option<i64>) {
        let base = Self::base(rtt_min);
        let release = match self.reaction {
            _ if self.ack_times_inferred => base.max(RELEASE_INFERRED_LEAST.get()),
            _ if self.usual_lag().is_some_and(|usual| usual + USUAL_LAG_SPREAD.of(usual) > base) => {
                let usual = i64::from(self.usual);
                usual + USUAL_LAG_SPREAD.of(usual)
            }
            Some(reaction) => {
                base.min(reaction.saturating_mul(RELEASE_REACTIONS.get()).max(RELEASE_REACTION_LEAST.get()))
            }
            None => base,
        };
        self.release = release as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MICROSECOND: i64 = 1_000;
    const MILLISECOND: i64 = 1_000_000;

    /// `SLOT_ASSUMED`, `SLOT_LEAST`, `SLOT_MOST`: a slot is a recent round trip between 2 ms and 1 s, or 50
    /// ms before the first sample.
    #[test]
    fn slots_are_a_round_trip_within_bounds() {
        assert_eq!(Closeness::default().slot(), 50 * MILLISECOND);
        let slot = |rtt| {
            let mut closeness = Closeness::default();
            closeness.set_recent(rtt);
            closeness.slot()
        };
        assert_eq!([1, 2, 30].map(|rtt| slot(rtt * MILLISECOND)), [2, 2, 30].map(|slot| slot * MILLISECOND));
        assert_eq!(slot(1_001 * MILLISECOND), 1_000 * MILLISECOND);
    }

    fn with_least(rtt: i64) -> Closeness {
        let mut closeness = Closeness::default();
        closeness.set_least(rtt);
        closeness
    }

    /// `WEIGHED_PART`, `BURST_PART`, `BURST_LEAST`, `BURST_MOST`: 1/16 of the round trip, from 50 µs to 2 ms.
    #[test]
    fn bursts_are_a_sixteenth_of_the_round_trip_within_bounds() {
        let burst = |rtt: i64| with_least(rtt).burst() / MICROSECOND;
        assert_eq!(
            [100, 800, 16_000, 32_000, 64_000].map(|rtt| burst(rtt * MICROSECOND)),
            [50, 50, 1_000, 2_000, 2_000]
        );
        assert_eq!(Closeness::default().burst(), MILLISECOND);
        assert_eq!(with_least(16_000).fine(), 1_000);
    }

    /// `RELEASE_PART`, `RELEASE_LEAST`, `RELEASE_MOST`, `RELEASE_INFERRED_LEAST`: 1/20 of the round trip,
    /// from 200 µs to 2 ms. With inferred ACK times it is at least 1 ms.
    #[test]
    fn a_released_send_follows_within_a_twentieth_of_the_round_trip() {
        let release = |rtt: i64| with_least(rtt * MILLISECOND).release() / MICROSECOND;
        assert_eq!([1, 4, 10, 40, 80].map(release), [200, 200, 500, 2_000, 2_000]);
        let inferred = |rtt: i64| {
            let mut closeness = with_least(rtt * MILLISECOND);
            closeness.set_ack_times_inferred(true, Some(rtt * MILLISECOND));
            closeness.release() / MICROSECOND
        };
        assert_eq!([1, 20, 30].map(inferred), [1_000, 1_000, 1_500]);
        assert_eq!(Closeness::default().release(), MILLISECOND);
    }

    /// `RELEASE_REACTIONS`, `RELEASE_REACTION_LEAST`: eight reactions of the host, at least 250 µs.
    #[test]
    fn a_released_send_follows_within_eight_reactions() {
        let release = |reaction: i64| {
            let mut closeness = with_least(40 * MILLISECOND);
            closeness.on_reaction(reaction * MICROSECOND, Some(40 * MILLISECOND));
            closeness.release() / MICROSECOND
        };
        assert_eq!([10, 31, 32, 100, 300].map(release), [250, 250, 256, 800, 2_000]);
    }

    /// The release limit after `count` bursts with these lags in turn, microseconds, with a round trip of 400
    /// ms. The distances of the bursts differ by `moved` from burst to burst.
    fn released_within(count: usize, lags: &[i64], moved: i64) -> i64 {
        let rtt = 400 * MILLISECOND;
        let mut closeness = with_least(rtt);
        for lag in lags.iter().cycle().take(count) {
            closeness.on_lag(lag * MICROSECOND, moved * MICROSECOND, Some(rtt));
        }
        closeness.release() / MICROSECOND
    }

    /// `USUAL_LAG_VOTES`, `USUAL_LAG_SPREAD`: this host's usual lag needs sixteen more sends with it, within
    /// 25 %, than without it.
    #[test]
    fn a_slow_host_answers_after_its_usual_lag() {
        assert_eq!([15, 16].map(|count| released_within(count, &[3_000], 10_000)), [2_000, 3_750]);
        // Three of four lags agree; each of the others takes one vote away.
        assert_eq!(released_within(32, &[3_000, 3_000, 3_000, 9_000], 10_000), 3_750);
        assert_eq!(released_within(400, &[3_000, 9_000, 15_000], 40_000), 2_000);
        assert_eq!(
            released_within(100, &[3_000, 3_750], 10_000).clamp(3_700, 4_700),
            released_within(100, &[3_000, 3_750], 10_000)
        );
        assert_eq!(released_within(400, &[3_000, 4_500], 10_000), 2_000);
    }

    /// `USUAL_LAG_MOVED`: a send in the rhythm of the previous ones may follow ACKs by a constant lag because
    /// both recur.
    #[test]
    fn lags_of_an_even_rhythm_show_no_reaction() {
        assert_eq!([1_500, 1_501].map(|moved| released_within(100, &[3_000], moved)), [2_000, 3_750]);
    }

    /// `USUAL_LAG_MOST`, `USUAL_LAG_PART`: no host needs more than 10 ms for each answer, or 1/4 of the round
    /// trip. `USUAL_LAG_VOTES_MOST`: 64 sends with another lag show that the host is faster now.
    #[test]
    fn usual_lags_are_bounded_and_forgotten() {
        assert_eq!([10_000, 10_001].map(|lag| released_within(100, &[lag], 100_000)), [12_500, 2_000]);
        let usual = |lag: i64, rtt: i64| {
            let mut closeness = with_least(rtt);
            (0..100).for_each(|_| closeness.on_lag(lag, 100 * MILLISECOND, Some(rtt)));
            closeness.usual_lag()
        };
        assert_eq!(usual(3 * MILLISECOND, 12 * MILLISECOND), Some(3 * MILLISECOND));
        assert_eq!(usual(3 * MILLISECOND, 12 * MILLISECOND - 4), None);
        let rtt = 400 * MILLISECOND;
        let mut closeness = with_least(rtt);
        (0..1_000).for_each(|_| closeness.on_lag(3 * MILLISECOND, 10 * MILLISECOND, Some(rtt)));
        (0..48).for_each(|_| closeness.on_lag(20 * MILLISECOND, 100 * MILLISECOND, Some(rtt)));
        assert_eq!(closeness.usual_lag(), Some(3 * MILLISECOND));
        closeness.on_lag(20 * MILLISECOND, 100 * MILLISECOND, Some(rtt));
        assert_eq!((closeness.usual_lag(), closeness.release()), (None, 2 * MILLISECOND));
    }

    /// `REACTION_TIMES`, `REACTION_ROOM`, `REACTION_SMOOTHING`: a late reaction counts as at most four times
    /// the usual one plus 1 µs, and changes it by 1/16.
    #[test]
    fn one_late_reaction_changes_little() {
        let mut closeness = with_least(40 * MILLISECOND);
        for lag in [100 * MICROSECOND, 100 * MILLISECOND] {
            closeness.on_reaction(lag, Some(40 * MILLISECOND));
        }
        assert_eq!(closeness.reaction, Some(100_000 + (4 * 100_000 + 1_000 - 100_000) / 16));
    }
}
