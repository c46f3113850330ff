use std::collections::VecDeque;

/// Spaces segments: at a fixed rate, or by an estimate of the path.
pub(super) enum Pacer {
    /// Bytes per second.
    Fixed(u64),
    /// Rate by the algorithm of BBR (draft-ietf-ccwg-bbr, first version).
    Estimate(Estimate),
}

/// The rate of delivery, and the state that depends on it.
pub(super) struct Estimate {
    rtt: i64,
    /// Times and amounts of acknowledgments during the last round trip.
    recent: VecDeque<(i64, u64)>,
    /// Best rate of delivery in each of the last ten round trips, bytes per second.
    rates: [f64; 10],
    rounds: usize,
    /// End of the round trip in progress.
    until: u64,
    /// Round trips without an increase of a quarter; best rate before them.
    stalled: u32,
    best: f64,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Startup,
    Drain,
    /// Gains of a cycle of eight round trips: the first probes, the second drains.
    Cycle(usize),
}

impl Estimate {
    const HIGH_GAIN: f64 = 2.885;
    /// Segments that are first sent without pacing (`tcp_update_skb_after_send` in Linux).
    pub(super) const FREE: u64 = 10;

    pub(super) fn new(rtt: i64, initial: u64) -> Self {
        let first = initial as f64 * 1e9 / rtt as f64;
        let mut rates = [0.0; 10];
        rates[0] = first;
        let recent = VecDeque::from([(0, 1)]);
        Self { rtt, recent, rates, rounds: 0, until: 1 + initial, stalled: 0, best: 0.0, phase: Phase::Startup }
    }

    fn bandwidth(&self) -> f64 {
        self.rates.iter().copied().fold(0.0, f64::max)
    }

    fn gain(&self) -> f64 {
        match self.phase {
            Phase::Startup => Self::HIGH_GAIN,
            Phase::Drain => 1.0 / Self::HIGH_GAIN,
            Phase::Cycle(0) => 1.25,
            Phase::Cycle(1) => 0.75,
            Phase::Cycle(_) => 1.0,
        }
    }

    /// Bytes in flight that fill the path.
    fn pipe(&self) -> u64 {
        (self.bandwidth() * self.rtt as f64 / 1e9) as u64
    }

    /// The congestion window after `cwnd`, once `freed` more bytes are acknowledged.
    pub(super) fn window(&self, cwnd: u64, freed: u64, mss: u64) -> u64 {
        match self.phase {
            Phase::Startup if cwnd < (self.pipe() as f64 * Self::HIGH_GAIN) as u64 => cwnd + freed,
            Phase::Startup => cwnd,
            _ => (self.pipe() * 2).max(4 * mss),
        }
    }

    /// Updates the estimate: everything below `una` is acknowledged, everything up to `next` was sent.
    /// `has_more`: the application had written enough to fill the window.
    pub(super) fn acknowledged(&mut self, now: i64, una: u64, next: u64, has_more: bool) {
        if self.phase == Phase::Drain && next - una <= self.pipe() {
            self.phase = Phase::Cycle(2);
        }
        while self.recent.len() > 1 && self.recent[1].0 <= now - self.rtt {
            self.recent.pop_front();
        }
        self.recent.push_back((now, una));
        let (then, before) = self.recent[0];
        let rate = (una - before) as f64 * 1e9 / (now - then).max(self.rtt) as f64;
        let best = &mut self.rates[self.rounds % 10];
        *best = best.max(rate);
        // A rate that the application limited shows nothing about the path.
        if una < self.until || !has_more {
            return;
        }
        let is_full = self.is_full();
        self.phase = match self.phase {
            Phase::Startup if is_full => Phase::Drain,
            Phase::Cycle(n) => Phase::Cycle((n + 1) % 8),
            other => other,
        };
        self.rounds += 1;
        self.rates[self.rounds % 10] = 0.0;
        self.until = next.max(una + 1);
    }

    /// Whether three round trips brought no increase of a quarter.
    fn is_full(&mut self) -> bool {
        let now = self.bandwidth();
        if now >= self.best * 1.25 {
            (self.best, self.stalled) = (now, 0);
        } else {
            self.stalled += 1;
        }
        self.stalled >= 3
    }
}

impl Pacer {
    /// Nanoseconds until the next segment after one of `len` bytes.
    pub(super) fn wait(&self, len: u32) -> i64 {
        let rate = match self {
            Self::Fixed(rate) => *rate as f64,
            Self::Estimate(e) => e.bandwidth() * e.gain(),
        };
        (f64::from(len) * 1e9 / rate) as i64
    }
}
