//! Whether losses fit a token bucket: a policer lets a rate through, with bursts up to the depth of its bucket, and drops the
//! rest without queueing.
//!
//! The test is that of the Policing Detector (Flach et al., "An Internet-Wide Analysis of Traffic Policing", SIGCOMM 2016, §3.1)
//! with its constants, in bounded memory: loss points and samples of what passed are thinned out evenly when there are too
//! many. Beyond that test trains must have passed well above the rate between losses, which a link with a short queue never
//! shows and a bucket does.

/// A point of the delivered stream: when, and how much had passed by then.
#[derive(Clone, Copy, Debug)]
struct Point {
    time: i64,
    delivered: u64,
}

/// Evenly thinned points.
#[derive(Clone, Debug, Default)]
struct Thinned {
    points: Vec<Point>,
    /// Every how many are kept, as a shift, and how many came.
    stride: u32,
    count: u32,
}

impl Thinned {
    const MAX: usize = 128;

    fn add(&mut self, point: Point) {
        if self.count.is_multiple_of(1 << self.stride) {
            if self.points.len() == Self::MAX {
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
        self.count = self.count.saturating_add(1);
        debug_assert!(self.points.len() <= Self::MAX, "{} points", self.points.len());
    }
}

/// Points of loss and of passing, in the order of acknowledgments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policing {
    losses: Thinned,
    passes: Thinned,
    last: Option<Point>,
    /// Times that losses came a round trip or more after those before.
    bouts: u32,
    /// How many of those came after round trips had become longer.
    inflated: u32,
    acks: u32,
}

impl Policing {
    const LEAST_LOSSES: u32 = 15;
    /// The first and the last bout of losses give the rate, so those between put it to the test.
    const LEAST_BOUTS: u32 = 5;
    /// The first loss of a policed flow comes when the bucket is first empty.
    const FIRST_LOSS_WITHIN: u64 = 2_000_000;
    /// Tokens in the bucket at a loss, in round trips at the policing rate.
    const AT_LOSS: f64 = 2.0;
    const AT_PASS: f64 = -0.75;

    /// The receiver told of a new hole when it had `delivered` bytes in all; `is_inflated`: round trips took longer before.
    pub(crate) fn lost(&mut self, time: i64, delivered: u64, rtt: i64, is_inflated: bool) {
        let point = Point { time, delivered };
        if self.last.is_none_or(|last| time - last.time >= rtt) {
            self.bouts += 1;
            self.inflated += u32::from(is_inflated);
        }
        self.losses.add(point);
        self.last = Some(point);
    }

    /// An acknowledgment; every 16th is a sample.
    pub(crate) fn passed(&mut self, time: i64, delivered: u64) {
        self.acks += 1;
        if self.acks.is_multiple_of(16) && self.losses.count > 0 {
            self.passes.add(Point { time, delivered });
        }
    }

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        (self.losses.points.capacity() + self.passes.points.capacity()) * size_of::<Point>()
    }

    /// The policer's rate in bytes per second; `start` is where the stream began, `train_rate` the rate of trains.
    pub(crate) fn rate(&self, start: u64, rtt: i64, train_rate: Option<f64>) -> Option<f64> {
        let (first, last) = (*self.losses.points.first()?, self.last?);
        let seconds = (last.time - first.time) as f64 / 1e9;
        let is_like_one = self.losses.count >= Self::LEAST_LOSSES
            && first.delivered.saturating_sub(start) <= Self::FIRST_LOSS_WITHIN
            && self.bouts >= Self::LEAST_BOUTS
            && self.inflated * 5 <= self.bouts;
        if !is_like_one || seconds <= 0.0 {
            return None;
        }
        // An ACK that goes back may be the last that told of a loss.
        let rate = last.delivered.saturating_sub(first.delivered) as f64 / seconds;
        if train_rate.is_none_or(|t| t < rate * 1.5) {
            return None;
        }
        let round = rate * rtt as f64 / 1e9;
        let filled =
            |p: &Point| rate * (p.time - first.time) as f64 / 1e9 - (p.delivered as f64 - first.delivered as f64);
        // The bucket is empty whenever it drops. When the receiver tells of that, part of what had passed may still be on its
        // way: a loss shows more tokens than there were, never less, so the lowest but a few tell where zero lies.
        let mut at_losses: Vec<f64> = self.losses.points.iter().map(filled).collect();
        let low = at_losses.len() / 10;
        let (_, zero, _) = at_losses.select_nth_unstable_by(low, f64::total_cmp);
        let zero = *zero;
        let tokens = |p: &Point| filled(p) - zero;
        let fits = |points: &[Point], test: &dyn Fn(f64) -> bool, least: f64| {
            let all = points.iter().filter(|p| p.time <= last.time).count();
            let good = points.iter().filter(|p| p.time <= last.time && test(tokens(p))).count();
            all > 0 && good as f64 >= all as f64 * least
        };
        let at_loss = |t: f64| t.abs() <= Self::AT_LOSS * round;
        let at_pass = |t: f64| t >= Self::AT_PASS * round;
        (fits(&self.losses.points, &at_loss, 0.9) && fits(&self.passes.points, &at_pass, 0.97)).then_some(rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 1e6;
    const RTT: i64 = 30_000_000;

    /// What a bucket of `RATE` lets through in 6 s, with a loss every 300 ms. What had passed at the first is known too late by
    /// `late` round trips' worth; between losses the flow is ahead of the rate by up to `ahead` of them.
    fn policed(late: f64, ahead: f64) -> Policing {
        let round = RATE * RTT as f64 / 1e9;
        let mut policing = Policing::default();
        for step in 0..=200_i64 {
            let time = step * RTT;
            let is_loss = step % 10 == 0;
            let off = match step {
                0 => -late,
                _ if is_loss => 0.0,
                _ => ahead * (step % 10) as f64 / 9.0,
            };
            let delivered = (100_000.0 + RATE * time as f64 / 1e9 + off * round) as u64;
            if is_loss {
                policing.lost(time, delivered, RTT, false);
            }
            for _ in 0..16 {
                policing.passed(time, delivered);
            }
        }
        policing
    }

    #[test]
    fn the_losses_together_tell_when_the_bucket_is_empty() {
        for late in [0.0, 0.3, 0.5] {
            let rate = policed(late, 0.6).rate(0, RTT, Some(1e7));
            assert!(rate.is_some_and(|r| (r / RATE - 1.0).abs() < 0.02), "{late}: {rate:?}");
        }
        // More passed than any bucket of this rate lets through.
        assert_eq!(policed(0.0, 1.5).rate(0, RTT, Some(1e7)), None);
        // As fast as trains ever came: a link with a short queue.
        assert_eq!(policed(0.0, 0.6).rate(0, RTT, Some(1.2e6)), None);
    }

    #[test]
    fn thinning_keeps_the_first_and_an_even_spread() {
        let mut t = Thinned::default();
        for i in 0..10_000 {
            t.add(Point { time: i, delivered: 0 });
        }
        assert!((64..=128).contains(&t.points.len()), "{}", t.points.len());
        assert_eq!(t.points[0].time, 0);
        let step = t.points[1].time;
        assert!(t.points.windows(2).all(|w| w[1].time - w[0].time == step));
    }
}
