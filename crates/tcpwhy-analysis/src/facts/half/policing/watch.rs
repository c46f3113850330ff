//! Rates of data right after a loss, and right after packets that passed.

use super::arrival::{Arrival, Point};
use super::contrast::Contrast;
use crate::thresholds::{
    FASTER_THAN_RATE, FASTER_TRAINS, FASTEST_PASSES, FOLLOWED_FASTER, FOLLOWED_LOSSES, FOLLOWED_LOSSES_MOST,
    FOLLOWED_RATE, HORIZON_FINE, HORIZON_LEAST, HORIZON_ROUND_TRIPS,
};

/// Observed time after a moment: two round trips. A sender learns of a loss after one round trip. So the
/// first shows the data that it sends unaware, and the second the data after that.
pub(super) fn horizon(rtt: i64) -> i64 {
    (HORIZON_ROUND_TRIPS.get() * rtt).max(HORIZON_LEAST.get())
}

/// Observation of the packets after a moment.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// Time of the packet before.
    since: i64,
    until: i64,
    /// Least distance of packets, nanoseconds: below it, clocks and offloads distort the rate.
    least: i64,
    /// Delivered bytes, including the packet that followed.
    delivered: u64,
    /// Fastest rate of the data after it, bytes per nanosecond.
    fastest: f64,
    is_loss: bool,
}

impl Watch {
    /// Evaluates arrivals before the end of the observation.
    fn look_at(&mut self, seen: &[Seen], origin: Point) {
        let since = (self.since - origin.time) as f64;
        let delivered = self.delivered.wrapping_sub(origin.delivered) as i64 as f64;
        let least = self.least as f64;
        // Two at a time, as a processor computes them in parallel.
        let mut fastest = [self.fastest; 2];
        let rate = |seen: Seen| {
            let nanos = seen.nanos - since;
            (seen.delivered - delivered) / if nanos > least { nanos } else { least }
        };
        let (pairs, rest) = seen.as_chunks::<2>();
        for pair in pairs {
            for (fastest, rate) in fastest.iter_mut().zip(pair.map(rate)) {
                *fastest = if rate > *fastest { rate } else { *fastest };
            }
        }
        self.fastest = rest.iter().map(|seen| rate(*seen)).fold(fastest[0].max(fastest[1]), f64::max);
    }
}

/// An arrival, as distances that the 53 bits of a number represent exactly, because observations last only
/// seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    nanos: f64,
    delivered: f64,
}

/// All observations in progress, and the rates found.
#[derive(Clone, Debug)]
pub(super) struct Watches {
    open: Vec<Watch>,
    /// End of the first of them.
    next_end: i64,
    /// Arrivals not evaluated yet; distances are relative to the first of them.
    unseen: [Seen; Watches::AT_ONCE],
    unseen_count: usize,
    origin: Point,
    open_passes: u32,
    after_losses: Speeds,
    after_passes: Speeds,
    next_loss: i64,
    next_pass: u64,
    dice: u32,
}

impl Default for Watches {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            next_end: i64::MAX,
            unseen: [Seen::default(); Watches::AT_ONCE],
            unseen_count: 0,
            origin: Point::default(),
            open_passes: 0,
            after_losses: Speeds::default(),
            after_passes: Speeds::default(),
            next_loss: i64::MIN,
            next_pass: 0,
            dice: 1,
        }
    }
}

impl Watches {
    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        let speeds = self.after_losses.counts.capacity() + self.after_passes.counts.capacity();
        self.open.capacity() * size_of::<Watch>() + speeds * size_of::<Count>()
    }

    /// Number of losses observed separately within a horizon.
    const LOSSES_A_HORIZON: i64 = 8;
    /// Number of arrivals evaluated together.
    const AT_ONCE: usize = 16;
    /// Largest number of simultaneous observations.
    const MOST: usize = 64;
    /// Distance of observed packets in segments: at least `APART`, plus up to `ODD` at random.
    const APART: u32 = 7;
    const ODD: u32 = 8;
    /// Simultaneous observations of packets that passed.
    const OPEN_PASSES: u32 = 6;
    /// This many observations show a share to within 3 %. From then on, half as many run at the same time,
    /// and from twice as many on, a third. Each observation costs time at every packet that follows it.
    const PLENTY: u32 = 256;

    /// Records an arrival.
    #[inline]
    pub(super) fn follow(&mut self, now: Point) {
        if self.unseen_count == Self::AT_ONCE || now.time > self.next_end {
            self.look(now.time);
        }
        if self.unseen_count == 0 {
            self.origin = now;
        }
        if let Some(place) = self.unseen.get_mut(self.unseen_count) {
            let delivered = now.delivered.saturating_sub(self.origin.delivered);
            *place = Seen { nanos: (now.time - self.origin.time) as f64, delivered: delivered as i64 as f64 };
            self.unseen_count += 1;
        }
    }

    /// Evaluates the arrivals since the last evaluation, and closes observations that end before `now`.
    /// Several arrivals are evaluated together: one by one they took 10 % of the time of an acknowledgment.
    #[inline(never)]
    fn look(&mut self, now: i64) {
        let seen = self.unseen.get(..self.unseen_count).unwrap_or_default();
        for watch in &mut self.open {
            watch.look_at(seen, self.origin);
        }
        self.unseen_count = 0;
        let mut at = 0;
        while let Some(watch) = self.open.get(at) {
            if now > watch.until { self.close(at) } else { at += 1 }
        }
        self.next_end = self.open.iter().map(|w| w.until).min().unwrap_or(i64::MAX);
    }

    fn close(&mut self, at: usize) {
        let watch = self.open.swap_remove(at);
        let rate = watch.fastest * 1e9;
        if watch.is_loss {
            self.after_losses.add(rate);
        } else {
            self.after_passes.add(rate);
            self.open_passes -= 1;
        }
    }

    /// Records a loss. Returns whether the time after it is observed separately.
    pub(super) fn watch_loss(&mut self, a: &Arrival, horizon: i64) -> bool {
        if a.now.time < self.next_loss {
            return false;
        }
        self.next_loss = a.now.time + horizon / Self::LOSSES_A_HORIZON;
        self.open(a, horizon, true);
        true
    }

    /// Whether a packet that passed is due to be observed.
    #[inline]
    pub(super) fn is_pass_due(&self, now: Point) -> bool {
        let most = Self::OPEN_PASSES / (1 + self.after_passes.total / Self::PLENTY);
        now.delivered >= self.next_pass && self.open_passes < most.max(1)
    }

    /// Observes some of the packets that pass, at irregular distances so that these do not match the length
    /// of trains.
    pub(super) fn watch_pass(&mut self, a: &Arrival, horizon: i64, mss: u64) {
        if !self.is_pass_due(a.now) {
            return;
        }
        self.dice = self.dice.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        self.next_pass = a.now.delivered + mss * u64::from(Self::APART + (self.dice >> 16) % Self::ODD);
        self.open(a, horizon, false);
    }

    fn open(&mut self, a: &Arrival, horizon: i64, is_loss: bool) {
        // If round trips become shorter, observations opened with longer ones remain.
        if self.open.len() >= Self::MOST {
            return;
        }
        let since = a.before.time;
        // Earlier arrivals do not belong to it.
        self.look(a.now.time);
        self.next_end = self.next_end.min(since + horizon);
        self.open_passes += u32::from(!is_loss);
        self.open.push(Watch {
            since,
            until: since + horizon,
            least: HORIZON_FINE.of(horizon),
            delivered: a.now.delivered,
            fastest: 0.0,
            is_loss,
        });
    }

    /// Whether enough passed packets were observed.
    pub(super) fn has_plenty(&self) -> bool {
        self.after_passes.total >= Self::PLENTY
    }

    /// Whether trains passed faster than `rate`, bytes per second. They do if only a bucket limits them, and
    /// never behind a queue that is served at this rate.
    pub(super) fn has_faster_trains(&self, rate: f64) -> bool {
        self.after_passes.above(rate * FASTER_THAN_RATE.get()) >= FASTER_TRAINS
    }

    /// Rate that the data after most packets did not exceed, bytes per second.
    pub(super) fn fastest(&self) -> f64 {
        self.after_passes.quantile(FASTEST_PASSES.get())
    }

    /// The contrast between losses and packets that passed; `None` if they do not differ. `rate` is the
    /// policer's by its losses; `is_line`: the losses are on one line.
    pub(super) fn contrast(&self, rate: f64, is_line: bool) -> Option<Contrast> {
        let found = [FOLLOWED_LOSSES, FOLLOWED_LOSSES_MOST].into_iter().filter_map(|share| {
            let followed = self.after_losses.quantile(share.get());
            let fast = (followed * FOLLOWED_FASTER.get()).max(rate * FASTER_THAN_RATE.get());
            let contrast =
                Contrast::of(self.after_losses.above(fast), self.after_passes.above(fast), self.after_losses.total);
            (followed <= rate * FOLLOWED_RATE.get() && contrast.is_clear(is_line)).then_some(contrast)
        });
        found.max_by(|a, b| a.evidence.total_cmp(&b.evidence))
    }
}

/// Counts of rates in steps of 1/8 octave, from 8 kB/s to 8 GB/s. Only steps that occur are stored, because
/// most directions with losses have few.
#[derive(Clone, Debug, Default)]
struct Speeds {
    /// In ascending order of steps.
    counts: Vec<Count>,
    total: u32,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    step: u8,
    count: u32,
}

impl Speeds {
    const LAST_STEP: u8 = 161;
    const A_DOUBLING: f64 = 8.0;
    const LEAST: f64 = 8192.0;

    fn step(rate: f64) -> u8 {
        // Casts of values above a byte saturate.
        if rate < Self::LEAST { 0 } else { (((rate / Self::LEAST).log2() * Self::A_DOUBLING) as u8).saturating_add(1) }
            .min(Self::LAST_STEP)
    }

    fn add(&mut self, rate: f64) {
        let step = Self::step(rate);
        self.total += 1;
        match self.counts.binary_search_by_key(&step, |c| c.step) {
            Ok(at) => self.counts[at].count += 1,
            Err(at) => self.counts.insert(at, Count { step, count: 1 }),
        }
    }

    /// The rate that `share` of all do not exceed.
    fn quantile(&self, share: f64) -> f64 {
        let wanted = f64::from(self.total) * share;
        let mut seen = 0.0;
        for &Count { step, count } in &self.counts {
            seen += f64::from(count);
            if seen >= wanted {
                return if step == 0 { 0.0 } else { Self::LEAST * (f64::from(step) / Self::A_DOUBLING).exp2() };
            }
        }
        0.0
    }

    /// The share of all above `rate`.
    fn above(&self, rate: f64) -> f64 {
        let step = Self::step(rate);
        let above: u32 = self.counts.iter().filter(|c| c.step > step).map(|c| c.count).sum();
        f64::from(above) / f64::from(self.total.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::half::MILLISECOND;

    const MSS: u64 = 1000;
    const RTT: i64 = 20 * MILLISECOND;

    /// Trains of ten segments per round trip, each 0.1 ms after the one before. Every third train loses the
    /// segment `position`.
    fn trains(position: u64, after_loss: u64) -> Watches {
        let mut watches = Watches::default();
        let (mut delivered, horizon) = (0, horizon(RTT));
        let mut before = Point::default();
        for train in 0..300_u64 {
            let start = train as i64 * RTT;
            let is_lossy = train % 3 == 0;
            for segment in 0..10 {
                let reveals_loss = is_lossy && segment == position + 1;
                if is_lossy && (segment == position || segment > position + after_loss) {
                    continue;
                }
                delivered += MSS;
                let now = Point { time: start + segment as i64 * MILLISECOND / 10, delivered };
                let highest = delivered;
                let arrival =
                    Arrival { before, now, is_after_rest: false, highest, reveals_loss, is_queued: false, flight: 0 };
                watches.follow(now);
                if reveals_loss {
                    watches.watch_loss(&arrival, horizon);
                } else {
                    watches.watch_pass(&arrival, horizon, MSS);
                }
                before = now;
            }
        }
        watches
    }

    /// The bucket is empty: all but one of the following segments of the train are lost too.
    #[test]
    fn nothing_fast_follows_a_policers_losses() {
        let contrast = trains(4, 1).contrast(400_000.0, false);
        assert!(contrast.is_some_and(|c| c.fitting > 0.9 && c.fitting_passes < 0.6), "{contrast:?}");
    }

    /// One segment is lost by chance, and the rest of the train follows.
    #[test]
    fn trains_go_on_after_losses_by_chance() {
        assert!(trains(4, 9).contrast(400_000.0, false).is_none());
    }

    #[test]
    fn speeds_are_counted_in_steps() {
        let mut speeds = Speeds::default();
        for i in 0..1000 {
            speeds.add(f64::from(i) * 1e6);
        }
        assert!((speeds.quantile(0.5) / 500e6 - 1.0).abs() < 0.1, "{}", speeds.quantile(0.5));
        assert!((speeds.above(800e6) - 0.2).abs() < 0.08, "{}", speeds.above(800e6));
        speeds.add(f64::MAX);
        assert!(speeds.quantile(1.0) > 5e9);
    }
}
