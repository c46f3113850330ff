//! How close in time things must lie to belong together: worked out when a round trip is measured, used for every packet.

use crate::thresholds::{
    BURST_ASSUMED, BURST_LEAST, BURST_MOST, BURST_PART, REACTION_ROOM, REACTION_SMOOTHING, REACTION_TIMES,
    RELEASE_ASSUMED, RELEASE_INFERRED_LEAST, RELEASE_LEAST, RELEASE_MOST, RELEASE_PART, RELEASE_REACTION_LEAST,
    RELEASE_REACTIONS, SLOT_ASSUMED, SLOT_LEAST, SLOT_MOST, WEIGHED_PART,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Closeness {
    /// ACK times are inferred, not captured at the sender.
    ack_times_inferred: bool,
    /// How long after the first ACK that released them sends follow, smoothed: what the host itself takes.
    reaction: Option<i64>,
    /// Flights and windows are weighed as often: a small part of a round trip is fine enough.
    pub(super) fine: i64,
    // Seconds at most: every connection has two of these.
    slot: u32,
    burst: u32,
    release: u32,
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
        self.fine = WEIGHED_PART.of(rtt);
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

    /// At the sender, how fast this host reacts was seen when its windows opened; elsewhere the order of ACKs is known to a
    /// millisecond at best.
    fn set_release(&mut self, rtt_min: Option<i64>) {
        let base = rtt_min.map_or(RELEASE_ASSUMED.get(), |rtt| RELEASE_PART.of(rtt));
        let base = base.clamp(RELEASE_LEAST.get(), RELEASE_MOST.get());
        let release = match self.reaction {
            _ if self.ack_times_inferred => base.max(RELEASE_INFERRED_LEAST.get()),
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
        assert_eq!(with_least(16_000).fine, 1_000);
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
