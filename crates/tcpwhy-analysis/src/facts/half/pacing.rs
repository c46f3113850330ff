//! Whether the sender paces its segments by its own estimate of the path (BBR, or any congestion control
//! under `fq`).
//!
//! Slow start shows it. Without pacing, the data of a round trip follows the ACKs of the last one as one
//! train at the rate of the bottleneck. The rest of the round trip is silent until the pipe is nearly full. A
//! pacing sender spreads the data over most of every round trip. While it doubles (`BBR_HIGH_GAIN` 2.89,
//! `sk_pacing_rate` of `tcp_update_pacing_rate`), its pace doubles too. The rate of a serialiser and the pace
//! of an application do not grow from round trip to round trip.

use super::units::MILLISECOND;
use crate::thresholds::{PACING_GROWTH, PACING_PAUSE, PACING_ROUNDS, PACING_SECOND_PAUSE, PACING_STEPS, part};

/// Observations of the round trips before the first loss.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pacing {
    /// The round trip in progress: start of its slot, time of its last send, and bytes sent.
    round: i64,
    last: i64,
    sent: u64,
    /// Longest pauses between its sends, nanoseconds.
    pauses: [i64; 2],
    /// Pace of the previous round trip in bytes per millisecond, if it was spread out.
    before: Option<u64>,
    /// Consecutive round trips that were spread out and at least 1.5 times as fast as the one before.
    steps: u8,
    rounds: u8,
    /// Further data is ignored.
    is_over: bool,
    is_sure: bool,
}

impl Pacing {
    pub(crate) fn is_pacing(&self) -> bool {
        self.is_sure
    }

    /// Ends the observation at the first loss: from then on windows are cut and pipes are full.
    pub(crate) fn stop(&mut self) {
        self.is_over = true;
    }

    /// Records that new data of `len` bytes was sent at `time`, in the slot that began at `round`.
    pub(crate) fn sent(&mut self, time: i64, len: u64, round: i64) {
        if self.is_over {
            return;
        }
        if round != self.round {
            self.end_round(round);
        }
        let pause = time - self.last.max(round);
        if pause > self.pauses[0] {
            self.pauses = [pause, self.pauses[0]];
        } else {
            self.pauses[1] = self.pauses[1].max(pause);
        }
        self.last = time;
        self.sent += len;
    }

    fn end_round(&mut self, next: i64) {
        let nanos = next - self.round;
        // The rest of the slot after the last send is a pause as well.
        let [longest, second] = self.pauses;
        let tail = next - self.last;
        let (longest, second) = if tail > longest { (tail, longest) } else { (longest, second.max(tail)) };
        let is_spread =
            self.sent > 0 && part(longest, nanos) <= PACING_PAUSE && part(second, nanos) <= PACING_SECOND_PAUSE;
        let pace = self.sent * MILLISECOND as u64 / nanos.max(1) as u64;
        let is_step = is_spread && self.before.is_some_and(|before| part(pace, before) >= PACING_GROWTH);
        self.steps = if is_step { self.steps + 1 } else { 0 };
        self.is_sure |= u32::from(self.steps) >= PACING_STEPS;
        self.rounds += u8::from(self.sent > 0);
        self.is_over = self.is_sure || u32::from(self.rounds) >= PACING_ROUNDS;
        self.before = is_spread.then_some(pace);
        (self.round, self.sent, self.pauses) = (next, 0, [0, 0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round trips of 100 ms. Each has sends at these milliseconds, and `growth` times the bytes of the one
    /// before.
    fn paces(rounds: usize, sends: &[i64], growth: f64) -> bool {
        let mut pacing = Pacing::default();
        let mut bytes = 1_000_000.0;
        for round in 0..rounds as i64 {
            let start = round * 100 * MILLISECOND;
            for at in sends {
                pacing.sent(start + at * MILLISECOND, bytes as u64 / sends.len() as u64, start);
            }
            bytes *= growth;
        }
        // The last round trip ends with the next send.
        let next = rounds as i64 * 100 * MILLISECOND;
        pacing.sent(next, 1, next);
        pacing.is_pacing()
    }

    /// Sends every 10 ms.
    const SPREAD: [i64; 10] = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90];

    /// `PACING_STEPS` and `PACING_GROWTH`: two consecutive round trips, each 1.5 times as fast as the one
    /// before.
    #[test]
    fn a_pacing_sender_grows_by_half_twice() {
        // The first round trip has no predecessor to compare with.
        assert!(paces(3, &SPREAD, 1.51) && !paces(2, &SPREAD, 1.51));
        assert!(!paces(8, &SPREAD, 1.49));
    }

    /// `PACING_PAUSE` and `PACING_SECOND_PAUSE`: no pause is longer than 1/2 of the round trip, and no second
    /// one is longer than 1/8.
    #[test]
    fn a_pacing_sender_does_not_pause() {
        let after = |pause: i64| (0..=(100 - pause)).step_by(10).collect::<Vec<_>>();
        assert!(paces(4, &after(50), 2.0));
        assert!(!paces(4, &after(60), 2.0));
        assert!(paces(4, &[0, 12, 24, 36, 48, 60, 72, 84, 96], 2.0));
        assert!(!paces(4, &[0, 13, 26, 39, 52, 65, 78, 91], 2.0));
    }

    /// After a loss nothing is recorded.
    #[test]
    fn pacing_shows_in_the_first_round_trips_without_a_loss() {
        let mut pacing = Pacing::default();
        pacing.stop();
        for round in 0..8 {
            let start = round * 100 * MILLISECOND;
            for at in SPREAD {
                pacing.sent(start + at * MILLISECOND, 1000 << round, start);
            }
        }
        assert!(!pacing.is_pacing());
    }

    /// Each condition of a step: a round trip that is spread out, and 1.5 times as fast as one that was
    /// spread out.
    #[test]
    fn a_step_follows_a_round_trip_that_was_spread_out() {
        const BURST: [i64; 2] = [0, 1];
        for (what, rounds, expected) in [
            ("three spread out", &[(&SPREAD[..], 100), (&SPREAD, 200), (&SPREAD, 400)][..], true),
            ("the first in a burst", &[(&BURST, 100), (&SPREAD, 200), (&SPREAD, 400)], false),
            ("the second in a burst", &[(&SPREAD, 100), (&BURST, 200), (&SPREAD, 400), (&SPREAD, 800)], false),
            ("a pause in growth", &[(&SPREAD, 100), (&SPREAD, 200), (&SPREAD, 200), (&SPREAD, 400)], false),
            ("exactly half as fast again", &[(&SPREAD, 100), (&SPREAD, 150), (&SPREAD, 225)], true),
        ] {
            let mut pacing = Pacing::default();
            for (n, &(sends, kilobytes)) in rounds.iter().enumerate() {
                let start = n as i64 * 100 * MILLISECOND;
                let bytes = kilobytes * 1000 / sends.len() as u64;
                for at in sends {
                    pacing.sent(start + at * MILLISECOND, bytes, start);
                }
            }
            let next = rounds.len() as i64 * 100 * MILLISECOND;
            pacing.sent(next, 1, next);
            assert_eq!(pacing.is_pacing(), expected, "{what}");
        }
    }

    /// `PACING_ROUNDS`: only the first 16 round trips with data are observed.
    #[test]
    fn pacing_shows_in_sixteen_round_trips() {
        for (flat, expected) in [(14, true), (15, false)] {
            let mut pacing = Pacing::default();
            for round in 0..30 {
                let start = round * 100 * MILLISECOND;
                let bytes = if round < flat { 1000 } else { 1000 << (round - flat + 1).min(9) };
                for at in &SPREAD {
                    pacing.sent(start + at * MILLISECOND, bytes, start);
                }
            }
            assert_eq!(pacing.is_pacing(), expected, "{flat} of one pace");
        }
    }
}
