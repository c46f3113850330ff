use super::Transfer;
use super::random::mix;

/// Headers of a segment on the wire.
const OVERHEAD: u64 = 66;

/// The path from sender to receiver.
pub(super) struct Link {
    half_rtt: i64,
    rate: Option<u64>,
    queue: u64,
    free_at: i64,
    policer: Option<Bucket>,
    lost: Vec<u64>,
    lost_every: Option<u64>,
    marked_every: Option<u64>,
    late_every: Option<(u64, i64)>,
    stands_still: Option<(i64, i64)>,
    largest: Option<u32>,
    count: u64,
    transit: i64,
    jitter: Jitter,
}

/// The path from receiver to sender, which carries acknowledgments.
pub(super) struct WayBack {
    half_rtt: i64,
    rate: Option<u64>,
    free_at: i64,
    jitter: Jitter,
}

/// Additional delay of packets.
struct Jitter {
    most: i64,
    seed: u64,
    last: i64,
}

struct Bucket {
    rate: u64,
    depth: u64,
    tokens: f64,
    filled: i64,
}

impl Link {
    pub(super) fn new(t: &Transfer) -> Self {
        Self {
            half_rtt: t.rtt / 2,
            rate: t.rate,
            queue: t.queue,
            free_at: 0,
            policer: t.policer.map(|(rate, depth)| Bucket { rate, depth, tokens: depth as f64, filled: 0 }),
            lost: t.lost.clone(),
            lost_every: t.lost_every,
            marked_every: t.marked_every,
            late_every: t.late_every,
            stands_still: t.stands_still,
            largest: t.largest_passing,
            count: 0,
            transit: t.rtt / 2,
            jitter: Jitter::new(t, 1),
        }
    }

    /// Arrival time of a segment of `len` bytes that is sent now; `None` if it is lost or has no payload.
    pub(super) fn carry(&mut self, now: i64, len: u32) -> Option<i64> {
        if len == 0 {
            return None;
        }
        let index = self.count;
        self.count += 1;
        let is_chosen = self.lost.contains(&index) || self.lost_every.is_some_and(|n| index % n == n - 1);
        let is_too_large = self.largest.is_some_and(|most| len > most);
        let size = u64::from(len) + OVERHEAD;
        if is_chosen || is_too_large || !self.policer.as_mut().is_none_or(|b| b.passes(now, size)) {
            return None;
        }
        let late = self.late_every.filter(|(n, _)| index % n == n - 1).map_or(0, |(_, late)| late);
        let Some(rate) = self.rate else {
            let arrival = self.jitter.delay(now + self.half_rtt) + late;
            self.transit = arrival - now;
            return Some(arrival);
        };
        let waiting = (self.free_at - now).max(0) as u64;
        if waiting.saturating_mul(rate) / 1_000_000_000 > self.queue {
            return None;
        }
        let begins = self.free_at.max(now);
        // The link pauses at the end of each period.
        let wait = self.stands_still.map_or(0, |(every, nanos)| {
            let left = every - begins % every;
            if left <= nanos { left } else { 0 }
        });
        self.free_at = begins + wait + (size * 1_000_000_000 / rate) as i64;
        let arrival = self.jitter.delay(self.free_at + self.half_rtt) + late;
        self.transit = arrival - now;
        Some(arrival)
    }

    /// Whether the last segment was marked.
    pub(super) fn has_marked(&self) -> bool {
        self.marked_every.is_some_and(|n| self.count > 0 && self.count.is_multiple_of(n))
    }

    /// Transit time of the last segment, also if it was lost.
    pub(super) fn transit(&self) -> i64 {
        self.transit
    }
}

impl WayBack {
    pub(super) fn new(t: &Transfer) -> Self {
        Self { half_rtt: t.rtt / 2, rate: t.return_rate, free_at: 0, jitter: Jitter::new(t, 2) }
    }

    /// Arrival time of an acknowledgment that is sent now.
    pub(super) fn carry(&mut self, now: i64) -> i64 {
        let served = self.rate.map_or(0, |rate| (OVERHEAD * 1_000_000_000 / rate) as i64);
        self.free_at = self.free_at.max(now) + served;
        self.jitter.delay(self.free_at + self.half_rtt)
    }
}

impl Jitter {
    fn new(t: &Transfer, seed: u64) -> Self {
        Self { most: t.jitter, seed, last: 0 }
    }

    /// Arrival time of a packet that would have arrived at `time` without jitter.
    fn delay(&mut self, time: i64) -> i64 {
        if self.most > 0 {
            self.seed = mix(self.seed);
            self.last = self.last.max(time + (self.seed % (self.most as u64 + 1)) as i64);
            return self.last;
        }
        time
    }
}

impl Bucket {
    fn passes(&mut self, now: i64, size: u64) -> bool {
        let earned = self.rate as f64 * (now - self.filled) as f64 / 1e9;
        self.tokens = (self.tokens + earned).min(self.depth as f64);
        self.filled = now;
        let passes = self.tokens >= size as f64;
        if passes {
            self.tokens -= size as f64;
        }
        passes
    }
}
