//! Segments that a slow link transmits one after another, too far apart for a train.
//!
//! A sender that was idle sends all that its window allows at once. If this data arrives or is acknowledged
//! evenly spaced, a link spaced it. The spacing shows the link's rate, however long the sender then waits. A
//! pacing sender is excluded, because it spaces its segments itself.

use super::Half;
use super::train::train_pause;
use crate::sketch::Sketch;
use crate::thresholds::{PATH_RATE, SERVED_ARRIVALS, SERVED_EVEN, SERVED_RUNS, SERVED_SEGMENTS, SERVED_SHARE, part};

/// Runs of evenly spaced segments.
#[derive(Clone, Debug, Default)]
pub(super) struct Served {
    run: Run,
    /// Bytes per second of the runs, weighted by their bytes.
    rates: Sketch,
    runs: u32,
    /// Bytes of all runs, also of runs without a pause before them.
    even: u64,
}

/// A run in progress.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    start: i64,
    last: i64,
    /// Bytes after the first arrival.
    bytes: u64,
    arrivals: u32,
    /// The sender had been idle for a round trip before.
    is_after_rest: bool,
}

impl Run {
    /// Nanoseconds per byte so far.
    fn spacing(&self) -> f64 {
        (self.last - self.start) as f64 / self.bytes.max(1) as f64
    }

    /// Whether `bytes` that arrive after `gap` nanoseconds came at the pace of the others.
    fn goes_on(&self, gap: i64, bytes: u64, rtt: i64) -> bool {
        let spacing = gap as f64 / bytes.max(1) as f64;
        let (slow, fast) = (spacing.max(self.spacing()), spacing.min(self.spacing()));
        gap > train_pause(rtt) && gap < rtt && (self.arrivals == 0 || slow <= fast * SERVED_EVEN.get())
    }
}

impl Served {
    /// Records that `bytes` arrive or are acknowledged.
    fn follow(&mut self, time: i64, bytes: u64, rtt: i64, mss: u64) {
        let gap = time - self.run.last;
        if self.run.goes_on(gap, bytes, rtt) {
            self.run.last = time;
            self.run.bytes += bytes;
            self.run.arrivals += 1;
            return;
        }
        self.end(mss);
        self.run = Run { start: time, last: time, bytes: 0, arrivals: 0, is_after_rest: gap >= rtt };
    }

    fn end(&mut self, mss: u64) {
        let Run { bytes, arrivals, is_after_rest, .. } = self.run;
        let is_long = arrivals >= SERVED_ARRIVALS.get() && bytes >= SERVED_SEGMENTS.get() * mss;
        if is_long {
            self.even += bytes;
        }
        if is_after_rest && is_long {
            self.rates.add((1e9 / self.run.spacing()) as u64, bytes as f64);
            self.runs += 1;
        }
    }

    /// Bytes per second; `None` with too few runs.
    fn rate(&self) -> Option<f64> {
        self.rates.quantile(PATH_RATE.get()).filter(|_| self.runs >= SERVED_RUNS.get()).map(|rate| rate as f64)
    }

    fn is_begun(&self) -> bool {
        self.run.last > 0
    }

    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        self.rates.heap()
    }
}

impl Half {
    /// Records that `bytes` arrive or are acknowledged, `gap` nanoseconds after the bytes before.
    pub(super) fn follow_service(&mut self, time: i64, gap: i64, bytes: u64) {
        let Some(rtt) = self.ledger.rtt_min() else { return };
        let is_begun = self.ledger.seen_signs().is_some_and(|signs| signs.served.is_begun());
        if is_begun || gap > train_pause(rtt) {
            self.ledger.signs_mut().served.follow(time, bytes, rtt, self.mss);
        }
    }

    /// The runs, if the sender does not space its segments itself.
    fn served(&self) -> Option<&Served> {
        self.ledger.seen_signs().map(|signs| &signs.served).filter(|_| !self.ledger.pacing.is_pacing())
    }

    /// Rate at which a link transmits what the sender sends after its pauses, bytes per second, if it is too
    /// slow for trains. `None` if it does not show.
    pub(crate) fn served_rate(&self) -> Option<f64> {
        self.served()?.rate()
    }

    /// Whether most bytes came evenly, too far apart for trains. Either a slow link spaced them, or the bytes
    /// in flight had long been spread over the round trip.
    pub(crate) fn is_served_evenly(&self) -> bool {
        self.served().is_some_and(|served| part(served.even, self.counts.bytes) >= SERVED_SHARE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::MILLISECOND;
    use super::*;

    const RTT: i64 = 20 * MILLISECOND;

    /// The rate after blocks of segments, with `arrivals` after the first; `spacing` is the time before each,
    /// microseconds. Each block begins `rest` ms after the end of the block before.
    fn rate(blocks: u32, rest: i64, spacing: impl Fn(u32) -> i64, arrivals: u32, bytes: u64) -> Option<f64> {
        let mut served = Served::default();
        let mut time = 0;
        for _ in 0..blocks {
            time += rest * MILLISECOND;
            served.follow(time, bytes, RTT, 1000);
            for n in 0..arrivals {
                time += spacing(n) * 1000;
                served.follow(time, bytes, RTT, 1000);
            }
        }
        served.end(1000);
        served.rate().map(|rate| (rate / 1000.0).round())
    }

    /// `SERVED_ARRIVALS`, `SERVED_SEGMENTS`, `SERVED_RUNS` and `SERVED_EVEN`: three runs of eight segments in
    /// four arrivals, whose distances differ by a factor of 1.5 at most.
    #[test]
    fn even_runs_after_rests_show_the_link() {
        let even = |_| 4_000;
        assert_eq!(rate(4, 25, even, 8, 1000), Some(250.0));
        assert_eq!(rate(3, 25, even, 8, 1000), Some(250.0), "SERVED_RUNS");
        assert_eq!(rate(2, 25, even, 8, 1000), None, "SERVED_RUNS");
        assert_eq!(rate(4, 25, even, 7, 1000), None, "SERVED_SEGMENTS");
        assert_eq!(rate(4, 25, even, 4, 2000), Some(500.0), "ACKs of two segments each");
        assert_eq!(rate(4, 25, even, 3, 3000), None, "SERVED_ARRIVALS");
        let second = |slower: i64| move |n: u32| if n == 1 { slower } else { 4_000 };
        assert!(rate(4, 25, second(6_000), 8, 1000).is_some(), "SERVED_EVEN");
        assert_eq!(rate(4, 25, second(6_001), 8, 1000), None, "SERVED_EVEN");
    }

    /// Without a pause before it, a run may be spaced by the window's own ACKs. Closer arrivals are a train.
    #[test]
    fn what_is_no_service() {
        assert_eq!(rate(4, 20, |_| 4_000, 8, 1000), Some(250.0));
        assert_eq!(rate(4, 19, |_| 4_000, 8, 1000), None, "no rest of a round trip");
        assert!(rate(4, 25, |_| 1_251, 8, 1000).is_some());
        assert_eq!(rate(4, 25, |_| 1_250, 8, 1000), None, "a train");
        assert_eq!(rate(4, 25, |_| 20_000, 8, 1000), None, "one in a round trip");
    }
}
