//! The line through the losses: its slope is the policer's rate, and its height above the start of a chunk is
//! the burst.

use super::arrival::{Burst, Point};
use super::contrast::Contrast;
use crate::thresholds::{
    BEYOND_BUCKET, COUNTED_OFF, COUNTED_SHARE, DEPTH_AGREEMENT, DEPTH_CHUNKS, DEPTH_LEAST, EMPTY_BUCKET, LINE_OFF,
    LOSS_OFF, SPAN_ROUND_TRIPS, SPAN_SEGMENTS, SPANS_HIGH, SPANS_LOW, SPANS_MOST, SPANS_STEADY, part,
};

/// Evenly thinned points, at most `MOST`.
#[derive(Clone, Debug, Default)]
pub(super) struct Thinned<const MOST: usize> {
    points: Vec<Point>,
    /// Number of points received, and the interval at which they are kept, as a shift.
    stride: u32,
    count: u64,
}

/// The losses from which lines are computed.
pub(super) type Losses = Thinned<128>;

impl<const MOST: usize> Thinned<MOST> {
    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        self.points.capacity() * size_of::<Point>()
    }

    pub(super) fn points(&self) -> &[Point] {
        &self.points
    }

    pub(super) fn add(&mut self, point: Point) {
        if self.count.is_multiple_of(1 << self.stride) {
            if self.points.len() == MOST {
                let mut keep = false;
                self.points.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.stride += 1;
            }
            if self.count.is_multiple_of(1 << self.stride) {
                self.points.push(point);
            }
        }
        self.count += 1;
        debug_assert!(self.points.len() <= MOST, "{} points", self.points.len());
    }

    /// Whether nearly the same number of bytes, to a segment or two, arrives between any two losses. Then a
    /// test bed drops by packet count, and no device meters a rate.
    pub(super) fn come_by_count(&self, mss: u64) -> bool {
        let gaps = self.points.windows(2).map(|two| two[1].delivered.saturating_sub(two[0].delivered) as f64);
        let mut gaps: Vec<f64> = gaps.collect();
        median(&mut gaps).is_some_and(|middle| {
            let near = gaps.iter().filter(|gap| (*gap - middle).abs() <= COUNTED_OFF.get() * mss as f64).count();
            part(near, gaps.len()) > COUNTED_SHARE
        })
    }

    /// Slopes between losses that are far enough apart for exact values.
    pub(super) fn spans(&self, rtt: i64, mss: u64) -> Spans {
        let mut slopes = Vec::new();
        let mut from = self.points.first().copied().unwrap_or_default();
        for &to in &self.points {
            let (nanos, bytes) = (to.time - from.time, to.delivered.saturating_sub(from.delivered));
            if bytes >= SPAN_SEGMENTS.get() * mss && nanos >= SPAN_ROUND_TRIPS.get() * rtt {
                slopes.push((bytes as f64 * 1e9 / nanos as f64, nanos as f64));
                from = to;
            }
        }
        Spans::new(slopes)
    }
}

/// Slopes in ascending order, bytes per second, with the time that each lasted.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    slopes: Vec<(f64, f64)>,
}

impl Spans {
    /// Creates spans from slopes and the time that each lasted, nanoseconds.
    pub(super) fn new(mut slopes: Vec<(f64, f64)>) -> Self {
        slopes.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { slopes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slopes.is_empty()
    }

    /// Whether the middle half of the time had nearly one rate.
    pub(super) fn is_steady(&self) -> bool {
        self.quantile(SPANS_HIGH.get()) <= self.quantile(SPANS_LOW.get()) * SPANS_STEADY.get()
    }

    /// Width of the interval that contains the middle half of the time.
    pub(super) fn width(&self) -> f64 {
        self.quantile(SPANS_HIGH.get()) - self.quantile(SPANS_LOW.get())
    }

    /// A low and a high slope.
    pub(super) fn spread(&self) -> (f64, f64) {
        (self.quantile(SPANS_LOW.get()), self.quantile(SPANS_MOST.get()))
    }

    pub(super) fn quantile(&self, share: f64) -> f64 {
        let wanted = self.slopes.iter().map(|s| s.1).sum::<f64>() * share;
        let mut seen = 0.0;
        for &(slope, nanos) in &self.slopes {
            seen += nanos;
            if seen >= wanted {
                return slope;
            }
        }
        0.0
    }
}

/// Missing tokens at the losses, if the bucket fills at one rate.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    pub(super) rate: f64,
    /// Missing tokens at each loss, with the chunk of the loss.
    at_losses: Vec<(f64, usize)>,
    /// Missing tokens when packets passed, from the first loss on.
    at_passes: Vec<f64>,
    median: f64,
    /// Median distance of the losses from the median.
    spread: f64,
}

impl Levels {
    /// How much the losses disagree about the bucket's depth; less is better.
    pub(super) fn looseness(&self) -> f64 {
        self.spread
    }

    /// The contrast, if losses came when the bucket was empty and other packets passed when it was not.
    /// `bouts` is the number of separate times with losses.
    pub(super) fn contrast(&self, bouts: u32, mss: u64) -> Option<Contrast> {
        let tolerance = LOSS_OFF.get() * mss as f64;
        let share = |levels: &mut dyn Iterator<Item = f64>, holds: &dyn Fn(f64) -> bool| {
            let (mut all, mut held) = (0, 0);
            for level in levels {
                all += 1;
                held += u32::from(holds(level));
            }
            f64::from(held) / f64::from(all.max(1))
        };
        let has_tokens = |level: f64| level < self.median - tolerance;
        let is_beyond = |level: f64| level > self.median + tolerance;
        let losses = || self.at_losses.iter().map(|loss| loss.0);
        let passes = || self.at_passes.iter().copied();
        let unfit = share(&mut losses(), &|level| has_tokens(level) || is_beyond(level));
        let contrast = Contrast::of(unfit, share(&mut passes(), &has_tokens), bouts.min(self.at_losses.len() as u32));
        let is_deep = self.median >= DEPTH_LEAST.get() * mss as f64;
        let is_bound = share(&mut passes(), &is_beyond) <= BEYOND_BUCKET;
        let is_seldom_empty = contrast.fitting_passes <= EMPTY_BUCKET;
        (is_deep && is_bound && is_seldom_empty && contrast.is_clear(false)).then_some(contrast)
    }

    /// The depth of the bucket and the number of chunks that show it, if the losses are on one line. Losses
    /// are not on a line if other connections share the bucket, or if it was full between losses.
    pub(super) fn burst(&self, rtt: i64, mss: u64) -> Option<Burst> {
        let tolerance = (LOSS_OFF.get() * mss as f64).max(LINE_OFF.get() * self.rate * rtt as f64 / 1e9);
        let is_one_depth = |off: f64| off <= self.median * DEPTH_AGREEMENT.get();
        if self.spread > tolerance || !is_one_depth(self.spread) {
            return None;
        }
        let last = self.at_losses.last()?.1;
        let (mut chunks, mut agreeing) = (0, 0);
        for chunk in 0..=last {
            let mut mine: Vec<f64> = self.at_losses.iter().filter(|l| l.1 == chunk).map(|l| l.0).collect();
            if let Some(level) = median(&mut mine) {
                chunks += 1;
                agreeing += u32::from(is_one_depth((level - self.median).abs()));
            }
        }
        (self.median > 0.0 && part(agreeing, chunks) > DEPTH_CHUNKS).then_some(Burst {
            bytes: self.median,
            chunks,
            agreeing,
        })
    }
}

/// The beginning of each chunk of the application's data.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    beginnings: Vec<Vec<Point>>,
    is_following: bool,
    /// Value of `delivered` at which the next point is recorded.
    next: u64,
}

impl Chunks {
    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        let points: usize = self.beginnings.iter().map(Vec::capacity).sum();
        self.beginnings.capacity() * size_of::<Vec<Point>>() + points * size_of::<Point>()
    }

    /// Number of chunks whose beginning is kept.
    const MAX: usize = 8;
    /// Number of points per chunk: each has 1.5 times the bytes of the previous one, from a segment to 16 MB.
    const POINTS: usize = 24;
    /// The distance to the next point is the number of bytes up to now, divided by this.
    const GROWTH: u64 = 2;

    pub(super) fn new(curve: impl Iterator<Item = Point>) -> Self {
        let mut chunks = Self { beginnings: vec![Vec::new()], is_following: true, next: 0 };
        for point in curve {
            chunks.follow(point, 1);
        }
        chunks
    }

    /// Records that the application continues after a pause.
    pub(super) fn begin(&mut self, from: Point) {
        self.is_following = self.beginnings.len() < Self::MAX;
        if self.is_following {
            self.beginnings.push(vec![from]);
            self.next = 0;
        }
    }

    #[inline]
    pub(super) fn follow(&mut self, now: Point, mss: u64) {
        if self.is_following && now.delivered >= self.next {
            self.extend(now, mss);
        }
    }

    #[inline(never)]
    fn extend(&mut self, now: Point, mss: u64) {
        let Some(chunk) = self.beginnings.last_mut() else { return };
        let Some((first, last)) = chunk.first().zip(chunk.last()) else {
            chunk.push(now);
            return;
        };
        let so_far = last.delivered.saturating_sub(first.delivered);
        let first = first.delivered;
        if now.delivered.saturating_sub(first) >= so_far + (so_far / Self::GROWTH).max(mss) {
            chunk.push(now);
            self.is_following = chunk.len() < Self::POINTS;
            let so_far = now.delivered.saturating_sub(first);
            self.next = first + so_far + so_far / Self::GROWTH;
        }
    }

    /// Missing tokens of a bucket that is full at the beginning and fills at `rate`. Their number at each
    /// loss is the bucket's depth. `arrived` is the sample of passed packets.
    pub(super) fn levels(&self, losses: &Losses, arrived: &[Point], rate: f64) -> Option<Levels> {
        let origin = *self.beginnings.first()?.first()?;
        let level = |p: &Point| {
            p.delivered.saturating_sub(origin.delivered) as f64 - rate * (p.time - origin.time) as f64 / 1e9
        };
        let starts = self.beginnings.iter().enumerate().flat_map(|(i, c)| c.iter().map(move |p| (i, p)));
        let mut curve = starts.peekable();
        let mut chunk = 0;
        // While the sender is slower than the rate, the bucket stays full. It empties from its lowest point
        // on.
        let mut lowest = 0.0_f64;
        let mut at_losses = Vec::with_capacity(losses.points.len());
        let (mut at_passes, mut passes) = (Vec::new(), arrived.iter().peekable());
        for loss in &losses.points {
            while let Some((i, p)) = curve.next_if(|(_, p)| p.time <= loss.time) {
                chunk = i;
                lowest = lowest.min(level(p));
            }
            while let Some(p) = passes.next_if(|p| p.time < loss.time) {
                lowest = lowest.min(level(p));
                if !at_losses.is_empty() {
                    at_passes.push(level(p) - lowest);
                }
            }
            let now = level(loss);
            lowest = lowest.min(now);
            at_losses.push((now - lowest, chunk));
        }
        let mut all: Vec<f64> = at_losses.iter().map(|l| l.0).collect();
        let median = median(&mut all)?;
        let mut off: Vec<f64> = all.iter().map(|l| (l - median).abs()).collect();
        let middle = off.len() / 2;
        let spread = *off.select_nth_unstable_by(middle, f64::total_cmp).1;
        Some(Levels { rate, at_losses, at_passes, median, spread })
    }
}

fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 1e6;
    const RTT: i64 = 30_000_000;
    const MSS: u64 = 1000;

    fn point(millis: i64, delivered: f64) -> Point {
        Point { time: millis * 1_000_000, delivered: delivered as u64 }
    }

    /// A bucket of 100 kB is emptied in the first 100 ms, then a loss follows every 300 ms for 3 s. The same
    /// happens again after a pause of 500 ms.
    fn two_chunks(off: impl Fn(i64) -> f64) -> (Chunks, Losses) {
        let mut chunks = Chunks::new([point(0, 0.0)].into_iter());
        let mut losses = Losses::default();
        let mut base = 0.0;
        for chunk in 0..2 {
            let start = chunk * 3_600;
            if chunk > 0 {
                chunks.begin(point(start, base));
            }
            for k in 0..=10 {
                let at = start + 100 + k * 300;
                let delivered = base + 100_000.0 + RATE * (at - start) as f64 / 1e3 + off(k);
                chunks.follow(point(at, delivered), MSS);
                losses.add(point(at, delivered));
            }
            base += 100_000.0 + RATE * 3.1;
        }
        (chunks, losses)
    }

    #[test]
    fn losses_tell_rate_and_burst() {
        let (chunks, losses) = two_chunks(|_| 0.0);
        let spans = losses.spans(RTT, MSS);
        assert!((spans.quantile(0.5) / RATE - 1.0).abs() < 0.01, "{spans:?}");
        let Some(levels) = chunks.levels(&losses, &[], RATE) else { panic!() };
        let Some(burst) = levels.burst(RTT, MSS) else { panic!("{levels:?}") };
        assert!((burst.bytes - 100_000.0).abs() < 2_000.0, "{burst:?}");
        assert_eq!((burst.chunks, burst.agreeing), (2, 2));
    }

    /// A sender lets a bucket of 100 kB fill slowly and empties it at once, again and again. `loses` decides
    /// whether a packet is lost with this number of used bytes, and `turn` is the duration of one cycle, ms.
    fn turns(loses: impl Fn(u64, f64) -> bool, turn: impl Fn(u64) -> i64) -> Option<Contrast> {
        let (mut chunks, mut losses) = (Chunks::new([point(0, 0.0)].into_iter()), Losses::default());
        let (mut arrived, mut delivered, mut used, mut now, mut bouts) = (Vec::new(), 0.0, 0.0_f64, 0, 0);
        for number in 0..30 {
            let pause = turn(number) / 20;
            let fills = RATE * pause as f64 / 1e3;
            for step in 0..20 {
                now += pause;
                used = (used - fills).max(0.0);
                let sends = if step < 16 { fills / 2.0 } else { (100_000.0 - used) / (20 - step) as f64 };
                (delivered, used) = (delivered + sends, used + sends);
                chunks.follow(point(now, delivered), MSS);
                arrived.push(point(now, delivered));
                if loses(number * 20 + step, used) {
                    losses.add(point(now, delivered));
                    bouts += 1;
                }
            }
        }
        chunks.levels(&losses, &arrived, RATE)?.contrast(bouts, MSS)
    }

    #[test]
    fn losses_when_the_bucket_is_empty() {
        let uneven = |number: u64| 200 + 20 * (number as i64 % 7);
        let found = turns(|_, used| used > 99_000.0, uneven);
        assert!(found.is_some_and(|c| c.fitting > 0.9 && c.fitting_passes < 0.2), "{found:?}");
        // Losses by chance, alone or in addition, do not show a bucket of this depth.
        assert!(turns(|number, _| number % 13 == 5, uneven).is_none());
        assert!(turns(|number, used| number % 13 == 5 || used > 99_000.0, uneven).is_none());
    }

    /// No packet passes an empty bucket: if one did, something else dropped the others.
    #[test]
    fn nothing_passes_an_empty_bucket() {
        let on_line = |millis: i64, over: f64| point(millis, over + RATE * millis as f64 / 1e3);
        let chunks = Chunks::new([point(0, 0.0)].into_iter());
        let mut losses = Losses::default();
        (0..20).for_each(|k| losses.add(on_line(100 + k * 300, 100_000.0)));
        let of = |over: f64| {
            let arrived: Vec<Point> = (0..180).map(|k| on_line(110 + k * 34, over)).collect();
            chunks.levels(&losses, &arrived, RATE).and_then(|levels| levels.contrast(20, MSS))
        };
        assert!(of(40_000.0).is_some());
        assert!(of(150_000.0).is_none());
        assert!(of(100_000.0).is_none());
    }

    #[test]
    fn losses_counted_and_losses_metered() {
        let of = |bytes: fn(i64) -> f64| {
            let (mut losses, mut delivered) = (Losses::default(), 0.0);
            for k in 0..20 {
                delivered += bytes(k);
                losses.add(point(k * 300, delivered));
            }
            losses.come_by_count(MSS)
        };
        assert!(of(|k| 97_000.0 + (k % 2) as f64 * 1000.0));
        assert!(!of(|k| 90_000.0 + ((k * 7) % 10) as f64 * 3000.0));
    }

    /// Losses with tokens left are not on a line.
    #[test]
    fn scattered_losses_tell_no_burst() {
        let (chunks, losses) = two_chunks(|k| ((k * 7) % 10) as f64 * -40_000.0);
        let levels = chunks.levels(&losses, &[], RATE);
        assert!(levels.is_some_and(|l| l.burst(RTT, MSS).is_none()));
    }

    #[test]
    fn thinning_keeps_the_first_and_an_even_spread() {
        let mut t = Losses::default();
        for i in 0..10_000 {
            t.add(Point { time: i, delivered: 0 });
        }
        assert!((64..=128).contains(&t.points.len()), "{}", t.points.len());
        assert_eq!(t.points[0].time, 0);
        let step = t.points[1].time;
        assert!(t.points.windows(2).all(|w| w[1].time - w[0].time == step));
    }

    #[test]
    fn memory_is_bounded() {
        let mut chunks = Chunks::new(std::iter::empty());
        for i in 0..100_000_i64 {
            if i % 1000 == 0 {
                chunks.begin(point(i, i as f64 * 1e3));
            }
            chunks.follow(point(i, i as f64 * 1e3), MSS);
        }
        assert!(chunks.beginnings.len() <= Chunks::MAX);
        assert!(chunks.beginnings.iter().all(|c| c.len() <= Chunks::POINTS));
    }
}
