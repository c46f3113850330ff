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
    count: u64,
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
        self.count += 1;
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
    const LEAST_LOSSES: u64 = 15;
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
        let rate = (last.delivered - first.delivered) as f64 / seconds;
        if train_rate.is_none_or(|t| t < rate * 1.5) {
            return None;
        }
        let round = rate * rtt as f64 / 1e9;
        let tokens =
            |p: &Point| rate * (p.time - first.time) as f64 / 1e9 - (p.delivered as f64 - first.delivered as f64);
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
