//! Whether the sender spaces its segments by its own estimate of the path (BBR, or any congestion control under `fq`).
//!
//! Slow start tells: without pacing each round trip's data follows the ACKs of the last as one train at the rate of the
//! bottleneck, and leaves the rest of the round trip silent until the pipe is nearly full. A pacing sender spreads the data
//! over most of every round trip while it doubles (`BBR_HIGH_GAIN` 2.89, `sk_pacing_rate` of `tcp_update_pacing_rate`), so
//! its pace doubles too. The rate of a serialiser and the pace of an application do not rise with the round trips.

use super::MILLISECOND;
use crate::thresholds::{PACING_GROWTH, PACING_PAUSE, PACING_ROUNDS, PACING_SECOND_PAUSE, PACING_STEPS, part};

/// What the round trips before the first loss showed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pacing {
    /// The round trip in progress: its slot's start, when data was last sent in it, and how much.
    round: i64,
    last: i64,
    sent: u64,
    /// Longest pauses between its sends, nanoseconds.
    pauses: [i64; 2],
    /// The pace of the round trip before, if that was spread out, bytes per millisecond.
    before: Option<u64>,
    /// Round trips in a row that were spread out and half as fast again as the one before.
    steps: u8,
    rounds: u8,
    /// Nothing more is looked at.
    is_over: bool,
    is_sure: bool,
}

impl Pacing {
    pub(crate) fn is_pacing(&self) -> bool {
        self.is_sure
    }

    /// Something was lost: from now on windows are cut and pipes full.
    pub(crate) fn stop(&mut self) {
        self.is_over = true;
    }

    /// New data of `len` bytes left at `time`, in the slot that began at `round`.
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
        // What is left of the slot after the last send is a pause as well.
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
