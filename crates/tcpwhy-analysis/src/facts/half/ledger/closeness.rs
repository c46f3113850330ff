//! How close in time things must lie to belong together: worked out when a round trip is measured, used for every packet.

use crate::thresholds::{
    BURST_ASSUMED, BURST_LEAST, BURST_MOST, BURST_PART, INFERRED_JITTER, INFERRED_JITTER_MOST, RELEASE_INFERRED_LEAST,
    SLOT_ASSUMED, SLOT_LEAST, SLOT_MOST, USUAL_LAG_MOST, USUAL_LAG_MOVED, USUAL_LAG_PART, USUAL_LAG_SMOOTHING,
    USUAL_LAG_SPREAD, USUAL_LAG_VOTES, USUAL_LAG_VOTES_MOST, WAKE_ASSUMED, WAKE_ASSUMED_PART, WAKE_LEAST, WEIGHED_PART,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Closeness {
    /// ACK times are inferred, not captured at the sender.
    ack_times_inferred: bool,
    /// How long this host's programs take to answer an ACK ([`super::wakes`]); 0 before that was learnt.
    wake: u32,
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
            wake: 0,
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

    /// This host's programs answer an ACK within `wake`, as far as was learnt.
    pub(super) fn set_wake(&mut self, wake: Option<i64>, rtt_min: Option<i64>) {
        self.wake = wake.map_or(0, |wake| wake as u32);
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
        if self.ack_times_inferred || most <= self.assumed(rtt_min) {
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
            self.usual = (usual + (lag - usual) / USUAL_LAG_SMOOTHING.get()) as u32;
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

    /// What any host may take, before more is known of this one. Away from the sender, times of ACKs are
    /// known to a tick and to what the path does to them.
    fn assumed(&self, rtt_min: Option<i64>) -> i64 {
        if self.ack_times_inferred {
            let jitter = rtt_min.map_or(0, |rtt| INFERRED_JITTER.of(rtt).min(INFERRED_JITTER_MOST.get()));
            return RELEASE_INFERRED_LEAST.get() + jitter;
        }
        rtt_min.map_or(WAKE_ASSUMED.get(), |rtt| WAKE_ASSUMED_PART.of(rtt).min(WAKE_ASSUMED.get()))
    }

    fn set_release(&mut self, rtt_min: Option<i64>) {
        let least = if self.ack_times_inferred { RELEASE_INFERRED_LEAST.get() } else { WAKE_LEAST.get() };
        let release = if self.wake == 0 { self.assumed(rtt_min) } else { least.max(self.wake.into()) };
        let usual = self.usual_lag().map_or(0, |usual| usual + USUAL_LAG_SPREAD.of(usual));
        self.release = release.max(usual) as u32;
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

    /// `WAKE_ASSUMED`, `WAKE_ASSUMED_PART`, `RELEASE_INFERRED_LEAST`: a millisecond, and no more than half a
    /// round trip; where times of ACKs are inferred, a millisecond more than these are unsure by.
    #[test]
    fn before_more_is_known_a_released_send_follows_within_a_millisecond() {
        let release = |rtt: i64| with_least(rtt * MICROSECOND).release() / MICROSECOND;
        assert_eq!([200, 1_999, 2_000, 40_000].map(release), [100, 999, 1_000, 1_000]);
        let inferred = |rtt: i64| {
            let mut closeness = with_least(rtt * MILLISECOND);
            closeness.set_ack_times_inferred(true, Some(rtt * MILLISECOND));
            closeness.release() / MICROSECOND
        };
        assert_eq!([1, 5, 10, 30].map(inferred), [1_100, 1_500, 2_000, 2_000]);
        assert_eq!(Closeness::default().release(), MILLISECOND);
    }

    /// `WAKE_LEAST`, `RELEASE_INFERRED_LEAST`: what was learnt counts, if it is no less than these.
    #[test]
    fn a_released_send_follows_within_what_was_learnt_of_the_host() {
        let release = |inferred: bool, wake: i64| {
            let mut closeness = with_least(40 * MILLISECOND);
            closeness.set_ack_times_inferred(inferred, Some(40 * MILLISECOND));
            closeness.set_wake(Some(wake * MICROSECOND), Some(40 * MILLISECOND));
            closeness.release() / MICROSECOND
        };
        assert_eq!([64, 256, 4_096].map(|wake| release(false, wake)), [250, 256, 4_096]);
        assert_eq!([64, 4_096].map(|wake| release(true, wake)), [1_000, 4_096]);
        let mut closeness = with_least(40 * MILLISECOND);
        closeness.set_wake(Some(4 * MILLISECOND), None);
        closeness.set_wake(None, None);
        assert_eq!(closeness.release(), MILLISECOND, "it is forgotten where nothing shows it any more");
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
        assert_eq!([15, 16].map(|count| released_within(count, &[3_000], 10_000)), [1_000, 3_750]);
        // Three of four lags agree: each of the others takes one vote away.
        assert_eq!(released_within(32, &[3_000, 3_000, 3_000, 9_000], 10_000), 3_750);
        assert_eq!(released_within(400, &[3_000, 9_000, 15_000], 40_000), 1_000);
        assert_eq!(
            released_within(100, &[3_000, 3_750], 10_000).clamp(3_700, 4_700),
            released_within(100, &[3_000, 3_750], 10_000)
        );
        assert_eq!(released_within(400, &[3_000, 4_500], 10_000), 1_000);
    }

    /// `USUAL_LAG_MOVED`: a send in the rhythm of those before may follow an ACK by the same lag because both
    /// recur.
    #[test]
    fn lags_of_an_even_rhythm_show_no_reaction() {
        assert_eq!([1_500, 1_501].map(|moved| released_within(100, &[3_000], moved)), [1_000, 3_750]);
    }

    /// `USUAL_LAG_MOST`, `USUAL_LAG_PART`: no host takes more than 10 ms for each answer, nor a quarter of
    /// the round trip. `USUAL_LAG_VOTES_MOST`: 64 sends that differ show that it takes less now.
    #[test]
    fn usual_lags_are_bounded_and_forgotten() {
        assert_eq!([10_000, 10_001].map(|lag| released_within(100, &[lag], 100_000)), [12_500, 1_000]);
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
        assert_eq!((closeness.usual_lag(), closeness.release()), (None, MILLISECOND));
    }
}
