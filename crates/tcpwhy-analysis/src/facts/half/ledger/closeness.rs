//! How close in time things must lie to belong together: worked out when a round trip is measured, used for every packet.

use crate::thresholds::{
    BURST_ASSUMED, BURST_LEAST, BURST_MOST, BURST_PART, REACTION_ROOM, REACTION_SMOOTHING, REACTION_TIMES,
    RELEASE_ASSUMED, RELEASE_INFERRED_LEAST, RELEASE_LEAST, RELEASE_MOST, RELEASE_PART, RELEASE_REACTION_LEAST,
    RELEASE_REACTIONS, SLOT_ASSUMED, SLOT_LEAST, SLOT_MOST, USUAL_LAG_MOST, USUAL_LAG_MOVED, USUAL_LAG_PART,
    USUAL_LAG_SPREAD, USUAL_LAG_VOTES, USUAL_LAG_VOTES_MOST, WEIGHED_PART,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Closeness {
    /// ACK times are inferred, not captured at the sender.
    ack_times_inferred: bool,
    /// How long after the first ACK that released them sends follow, smoothed: what the host itself takes.
    reaction: Option<i64>,
    // Seconds at most: every connection has two of these.
    fine: u32,
    slot: u32,
    burst: u32,
    release: u32,
    /// A lag behind the ACK that most sends may have, and by how many more sends agree with it than differ.
    usual: u32,
    votes: u16,
}

impl Default for Closeness {
    /// Before any round trip was measured.
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

    /// Flights and windows are weighed as often: a small part of a round trip is fine enough.
    pub(super) fn fine(&self) -> i64 {
        self.fine.into()
    }

    /// A slot lasts at least that long, about a round trip.
    pub(super) fn slot(&self) -> i64 {
        self.slot.into()
    }

    /// Sends closer than this are one burst.
    pub(super) fn burst(&self) -> i64 {
        self.burst.into()
    }

    /// A send this soon after an ACK was released by it.
    pub(super) fn release(&self) -> i64 {
        self.release.into()
    }

    /// `rtt_min` is the least round trip so far, here and below.
    pub(super) fn set_ack_times_inferred(&mut self, ack_times_inferred: bool, rtt_min: Option<i64>) {
        self.ack_times_inferred = ack_times_inferred;
        self.set_release(rtt_min);
    }

    /// The round trip of late.
    pub(super) fn set_recent(&mut self, rtt: i64) {
        self.slot = rtt.clamp(SLOT_LEAST.get(), SLOT_MOST.get()) as u32;
    }

    /// The least round trip so far.
    pub(super) fn set_least(&mut self, rtt: i64) {
        self.fine = u32::try_from(WEIGHED_PART.of(rtt)).unwrap_or(u32::MAX);
        self.burst = BURST_PART.of(rtt).clamp(BURST_LEAST.get(), BURST_MOST.get()) as u32;
        self.set_release(Some(rtt));
    }

    /// A send followed the first ACK that made room by `lag`.
    pub(super) fn on_reaction(&mut self, lag: i64, rtt_min: Option<i64>) {
        let reaction = self.reaction.get_or_insert(lag);
        // Times out of order make it negative, and from then on ever more so.
        let most = reaction.saturating_mul(REACTION_TIMES.get()).saturating_add(REACTION_ROOM.get());
        *reaction += lag.min(most).saturating_sub(*reaction) / REACTION_SMOOTHING.get();
        self.set_release(rtt_min);
    }

    /// A burst followed the last ACK that made room by `lag`, whether or not that ACK released it. Its
    /// distance to the burst before differs by `moved` from the distance before that.
    ///
    /// A host may take milliseconds for each answer, or the capture may be as far away from it. Then the lag
    /// is nearly constant although the distances between sends are not: the sends move with their ACKs. A
    /// writer with a clock of its own shows the reverse, so a send that came in the rhythm of those before
    /// counts for neither. The lag that most agree upon is found by majority vote (Boyer and Moore, 1981).
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

    /// How long after an ACK this host's answers pass the capture, where that is known and more than what any
    /// host may take.
    pub(super) fn usual_lag(&self) -> Option<i64> {
        let is_held = !self.ack_times_inferred && u32::from(self.votes) >= USUAL_LAG_VOTES;
        is_held.then_some(i64::from(self.usual))
    }

    /// What any host may take.
    fn base(rtt_min: Option<i64>) -> i64 {
        let base = rtt_min.map_or(RELEASE_ASSUMED.get(), |rtt| RELEASE_PART.of(rtt));
        base.clamp(RELEASE_LEAST.get(), RELEASE_MOST.get())
    }

    /// At the sender, how fast this host reacts was seen when its windows opened; elsewhere the order of ACKs is known to a
    /// millisecond at best.
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

    /// `SLOT_ASSUMED`, `SLOT_LEAST`, `SLOT_MOST`: a slot is a recent round trip between 2 ms and 1 s, and 50 ms before there is one.
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

    /// `WEIGHED_PART`, `BURST_PART`, `BURST_LEAST`, `BURST_MOST`: a sixteenth of the round trip, 50 µs to 2 ms.
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

    /// `RELEASE_PART`, `RELEASE_LEAST`, `RELEASE_MOST`, `RELEASE_INFERRED_LEAST`: a twentieth of the round trip, 200 µs to 2 ms, and
    /// 1 ms at least where times of ACKs are inferred.
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

    /// `RELEASE_REACTIONS`, `RELEASE_REACTION_LEAST`: eight reactions of the host, 250 µs at least.
    #[test]
    fn a_released_send_follows_within_eight_reactions() {
        let release = |reaction: i64| {
            let mut closeness = with_least(40 * MILLISECOND);
            closeness.on_reaction(reaction * MICROSECOND, Some(40 * MILLISECOND));
            closeness.release() / MICROSECOND
        };
        assert_eq!([10, 31, 32, 100, 300].map(release), [250, 250, 256, 800, 2_000]);
    }

    /// How soon a send counts as released after `count` bursts with these lags in turn, microseconds; the
    /// round trip takes 400 ms. The distances of the bursts differ by `moved` from burst to burst.
    fn released_within(count: usize, lags: &[i64], moved: i64) -> i64 {
        let rtt = 400 * MILLISECOND;
        let mut closeness = with_least(rtt);
        for lag in lags.iter().cycle().take(count) {
            closeness.on_lag(lag * MICROSECOND, moved * MICROSECOND, Some(rtt));
        }
        closeness.release() / MICROSECOND
    }

    /// `USUAL_LAG_VOTES`, `USUAL_LAG_SPREAD`: sixteen sends more than others follow ACKs by this host's usual
    /// lag, or by a quarter more or less.
    #[test]
    fn a_slow_host_answers_after_its_usual_lag() {
        assert_eq!([15, 16].map(|count| released_within(count, &[3_000], 10_000)), [2_000, 3_750]);
        // Three of four lags agree: each of the others takes one vote away.
        assert_eq!(released_within(32, &[3_000, 3_000, 3_000, 9_000], 10_000), 3_750);
        assert_eq!(released_within(400, &[3_000, 9_000, 15_000], 40_000), 2_000);
        assert_eq!(
            released_within(100, &[3_000, 3_750], 10_000).clamp(3_700, 4_700),
            released_within(100, &[3_000, 3_750], 10_000)
        );
        assert_eq!(released_within(400, &[3_000, 4_500], 10_000), 2_000);
    }

    /// `USUAL_LAG_MOVED`: a send in the rhythm of those before may follow an ACK by the same lag because both
    /// recur.
    #[test]
    fn lags_of_an_even_rhythm_show_no_reaction() {
        assert_eq!([1_500, 1_501].map(|moved| released_within(100, &[3_000], moved)), [2_000, 3_750]);
    }

    /// `USUAL_LAG_MOST`, `USUAL_LAG_PART`: no host takes more than 10 ms for each answer, nor a quarter of
    /// the round trip. `USUAL_LAG_VOTES_MOST`: 64 sends that differ show that it takes less now.
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

    /// `REACTION_TIMES`, `REACTION_ROOM`, `REACTION_SMOOTHING`: a late reaction counts as four and 1 µs, and changes a sixteenth.
    #[test]
    fn one_late_reaction_changes_little() {
        let mut closeness = with_least(40 * MILLISECOND);
        for lag in [100 * MICROSECOND, 100 * MILLISECOND] {
            closeness.on_reaction(lag, Some(40 * MILLISECOND));
        }
        assert_eq!(closeness.reaction, Some(100_000 + (4 * 100_000 + 1_000 - 100_000) / 16));
    }
}
