//! CUBIC with `HyStart` as in `net/ipv4/tcp_cubic.c` (Linux 6.18).

#[cfg(test)]
mod rules;

use super::root::cube_root;
use super::window::{AckSample, Window};
use crate::rules::HyStartRules;
use crate::ticks::Ticks;
use crate::time::{MICROSECOND, MILLISECOND, Time, micros};

/// `beta`: part of the window left after a loss, in 1024ths.
const BETA: u64 = 717;
const BETA_SCALE: u64 = 1024;
/// `beta_scale`: 8 × ACKs per segment that Reno would add at the same loss rate.
const FRIENDLY_SCALE: u64 = 8 * (BETA_SCALE + BETA) / 3 / (BETA_SCALE - BETA);
/// `cube_rtt_scale`: 0.4 segments per second cubed, in 1024ths.
const CUBE_SCALE: u64 = 410;
/// `BICTCP_HZ`: time is counted in units of 1/1024 s.
const TIME_SHIFT: u64 = 10;
/// `cube_factor`.
const CUBE_FACTOR: u64 = (1 << (10 + 3 * TIME_SHIFT)) / CUBE_SCALE;
/// Before a loss, the window grows by 5 % per round trip.
const FIRST_ACKS: u64 = 20;
/// The growth rate is recomputed at the earliest after this fraction of a second (`HZ / 32`), and at most
/// once per tick.
const RECKONED_EVERY: u64 = 32;

/// `hystart_low_window`, segments.
const LOW_WINDOW: u64 = 16;
/// `HYSTART_MIN_SAMPLES`.
const MIN_SAMPLES: u32 = 8;
/// `hystart_ack_delta_us`: maximum time between the ACKs of one train.
const TRAIN_GAP: Time = 2 * MILLISECOND;
/// `HYSTART_DELAY_MIN`, `HYSTART_DELAY_MAX`, microseconds.
const DELAY_RISE: [u64; 2] = [4_000, 16_000];
/// `sk_gso_max_size`.
const LARGEST_BURST: u64 = 65_536;

/// `struct bictcp`.
#[derive(Clone, Debug)]
pub(crate) struct Cubic {
    ticks: Ticks,
    acks_per_segment: u64,
    last_max: u64,
    last_size: u64,
    /// Ticks.
    last_time: u64,
    origin: u64,
    /// Time from the start of the epoch to the origin, in 1024ths of a second.
    k: u64,
    /// Minimum round trip, microseconds.
    delay_min: u64,
    /// `epoch_start`, ticks.
    epoch: Option<u64>,
    ack_count: u64,
    reno_size: u64,
    hystart: HyStart,
}

/// State of `HyStart`, which ends slow start before a loss.
#[derive(Clone, Debug, Default)]
struct HyStart {
    rules: HyStartRules,
    samples: u32,
    has_found: bool,
    round_began: Time,
    round_ends: u64,
    last_ack: Time,
    /// Minimum round trip of this round, microseconds.
    round_trip: Option<u64>,
}

impl Cubic {
    pub(crate) fn new(rules: HyStartRules, ticks: Ticks, now: Time, nxt: u64) -> Self {
        let mut hystart = HyStart { rules, ..HyStart::default() };
        hystart.begin_round(now, nxt);
        Self {
            ticks,
            acks_per_segment: 0,
            last_max: 0,
            last_size: 0,
            last_time: 0,
            origin: 0,
            k: 0,
            delay_min: 0,
            epoch: None,
            ack_count: 0,
            reno_size: 0,
            hystart,
        }
    }

    /// `bictcp_reset`, `bictcp_hystart_reset`.
    pub(super) fn reset(&mut self, now: Time, nxt: u64) {
        *self = Self::new(self.hystart.rules, self.ticks, now, nxt);
    }

    /// `cubictcp_recalc_ssthresh`, with fast convergence.
    pub(super) fn threshold_after_loss(&mut self, window: &Window) -> u64 {
        self.epoch = None;
        self.last_max = if window.size < self.last_max {
            window.size * (BETA_SCALE + BETA) / (2 * BETA_SCALE)
        } else {
            window.size
        };
        (window.size * BETA / BETA_SCALE).max(2)
    }

    /// `cubictcp_cwnd_event`: after an idle period, the curve continues where it was.
    pub(super) fn began_to_send(&mut self, now: Time, last_sent: Time) {
        let now = self.ticks.at(now);
        let rest = now.saturating_sub(self.ticks.at(last_sent));
        if let Some(epoch) = &mut self.epoch {
            *epoch = (*epoch + rest).min(now);
        }
    }

    /// `bictcp_update`.
    pub(super) fn acks_per_segment(&mut self, size: u64, acked: u64, now: Time) -> u64 {
        let now = self.ticks.at(now);
        self.ack_count += acked;
        if self.last_size == size && now.saturating_sub(self.last_time) <= self.ticks.in_a_second() / RECKONED_EVERY {
            return self.acks_per_segment.max(1);
        }
        let is_reckoned = self.epoch.is_some() && now == self.last_time;
        if !is_reckoned {
            self.reckon(size, acked, now);
        }
        self.befriend(size);
        self.acks_per_segment = self.acks_per_segment.max(2);
        self.acks_per_segment
    }

    fn reckon(&mut self, size: u64, acked: u64, now: u64) {
        (self.last_size, self.last_time) = (size, now);
        let epoch = *self.epoch.get_or_insert_with(|| {
            self.ack_count = acked;
            self.reno_size = size;
            (self.k, self.origin) = if self.last_max <= size {
                (0, size)
            } else {
                (cube_root(CUBE_FACTOR * (self.last_max - size)), self.last_max)
            };
            now
        });
        let time = now - epoch + self.ticks.of(self.delay_min * MICROSECOND);
        let time = (time << TIME_SHIFT) / self.ticks.in_a_second();
        let apart = u128::from(time.abs_diff(self.k));
        let delta = (u128::from(CUBE_SCALE) * apart * apart * apart) >> (10 + 3 * TIME_SHIFT);
        let delta = u64::try_from(delta).unwrap_or(u64::MAX);
        let target = if time < self.k { self.origin.saturating_sub(delta) } else { self.origin.saturating_add(delta) };
        self.acks_per_segment = if target > size { size / (target - size) } else { 100 * size };
        if self.last_max == 0 {
            self.acks_per_segment = self.acks_per_segment.min(FIRST_ACKS);
        }
    }

    /// Ensures that the window grows no slower than with Reno.
    fn befriend(&mut self, size: u64) {
        let per = (size * FRIENDLY_SCALE) >> 3;
        if let Some(more) = self.ack_count.saturating_sub(1).checked_div(per) {
            // Once for each multiple of `per` in `ack_count`.
            self.ack_count -= more * per;
            self.reno_size += more;
        }
        if let Some(per) = size.checked_div(self.reno_size.saturating_sub(size)) {
            self.acks_per_segment = self.acks_per_segment.min(per);
        }
    }

    /// `cubictcp_acked`.
    pub(super) fn acked(&mut self, window: &mut Window, sample: AckSample) {
        if self.epoch.is_some_and(|epoch| self.ticks.at(sample.now) < epoch + self.ticks.in_a_second()) {
            return;
        }
        let delay = sample.rtt.max(1);
        if self.delay_min == 0 || self.delay_min > delay {
            self.delay_min = delay;
        }
        if !self.hystart.has_found && window.is_in_slow_start() {
            self.hystart.update(window, sample, delay, self.delay_min);
        }
    }
}

impl HyStart {
    fn begin_round(&mut self, now: Time, nxt: u64) {
        *self = Self {
            rules: self.rules,
            samples: 0,
            round_began: now,
            last_ack: now,
            round_ends: nxt,
            round_trip: None,
            has_found: self.has_found,
        };
    }

    /// `hystart_update`: slow start ends if a train of ACKs is as long as half of a round trip, or if the
    /// round trip grows.
    fn update(&mut self, window: &mut Window, sample: AckSample, delay: u64, delay_min: u64) {
        let is_small = window.size < LOW_WINDOW;
        if sample.una > self.round_ends && !(is_small && self.rules.rounds_need_window) {
            self.begin_round(sample.now, sample.nxt);
        }
        if is_small {
            return;
        }
        if sample.now - self.last_ack <= TRAIN_GAP {
            self.last_ack = sample.now;
            // Only the queueing discipline fq paces CUBIC; without it: `SK_PACING_NONE`.
            let is_long = if self.rules.has_burst_time {
                let longest = u64::midpoint(delay_min, burst_time(sample.pacing_rate));
                micros(sample.now) - micros(self.round_began) > longest
            } else {
                // `bictcp_clock`: milliseconds.
                (sample.now / MILLISECOND - self.round_began / MILLISECOND) * 1_000 > delay_min / 2
            };
            if is_long {
                self.find(window);
            }
        }
        let counts = self.samples < MIN_SAMPLES || self.rules.follows_least;
        let least = self.round_trip.map_or(delay, |known| if counts { known.min(delay) } else { known });
        self.round_trip = Some(least);
        if self.samples < MIN_SAMPLES {
            self.samples += 1;
        } else if least > delay_min + (delay_min / 8).clamp(DELAY_RISE[0], DELAY_RISE[1]) {
            self.find(window);
        }
    }

    const fn find(&mut self, window: &mut Window) {
        self.has_found = true;
        window.threshold = window.size;
    }
}

/// `hystart_ack_delay`: time of four of the largest bursts, at most 1 ms; microseconds.
fn burst_time(pacing_rate: Option<u64>) -> u64 {
    pacing_rate.and_then(|rate| (LARGEST_BURST * 4 * 1_000_000).checked_div(rate)).unwrap_or(0).min(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SECOND;

    fn ticks() -> Ticks {
        Ticks::new(250, 0)
    }

    fn cubic() -> Cubic {
        Cubic::new(crate::testing::rules().version.hystart, ticks(), 0, 0)
    }

    /// RFC 9438 §4.2: the window reaches its size before the loss after K = cbrt(0.3 × W / 0.4) seconds, here
    /// 9.09. Integer arithmetic reaches it when less than one segment is missing, cbrt(1 / 0.4) = 1.36 s
    /// earlier.
    #[test]
    fn it_is_back_after_k() {
        let mut cubic = cubic();
        let mut window = Window::new(1_000);
        window.size = cubic.threshold_after_loss(&window);
        window.threshold = window.size;
        assert_eq!(window.size, 700);
        let rtt = 100 * MILLISECOND;
        cubic.delay_min = micros(rtt);
        let mut now = SECOND;
        // The curve is computed one round trip ahead.
        let mut back = None;
        while back.is_none() {
            let per = cubic.acks_per_segment(window.size, 2, now);
            window.add(per, 2);
            now += rtt * 2 / window.size;
            back = (window.size >= 1_000).then_some(now - SECOND);
            assert!(now < 60 * SECOND);
        }
        let seconds = back.unwrap() as f64 / 1e9;
        assert!((7.5..7.8).contains(&seconds), "{seconds}");
    }

    /// Fast convergence: a second loss at a smaller window leaves room for other connections.
    #[test]
    fn a_second_loss_remembers_less() {
        let mut cubic = cubic();
        cubic.threshold_after_loss(&Window::new(1_000));
        assert_eq!(cubic.last_max, 1_000);
        cubic.threshold_after_loss(&Window::new(800));
        assert_eq!(cubic.last_max, 800 * 1_741 / 2_048);
    }

    fn sample(now: Time, rtt: u64, una: u64, nxt: u64) -> AckSample {
        AckSample { now, rtt, una, nxt, pacing_rate: Some(1_000_000_000) }
    }

    #[test]
    fn slow_start_ends_when_the_round_trip_grows() {
        let mut cubic = cubic();
        let mut window = Window::new(100);
        // Further apart than the gap within a train.
        for n in 0..9 {
            cubic.acked(&mut window, sample((n + 1) * 5 * MILLISECOND, 40_000, n, 100));
        }
        assert!(window.is_in_slow_start());
        for n in 0..12 {
            cubic.acked(&mut window, sample((n + 20) * 5 * MILLISECOND, 46_000, 101 + n, 200));
        }
        assert_eq!(window.threshold, 100, "5 ms is an eighth of 40");
    }

    #[test]
    fn slow_start_ends_with_a_long_train() {
        let mut cubic = cubic();
        let mut window = Window::new(100);
        for n in 0..19 {
            cubic.acked(&mut window, sample(n * MILLISECOND, 40_000, n, 100));
            assert!(window.is_in_slow_start(), "{n}");
        }
        for n in 19..23 {
            cubic.acked(&mut window, sample(n * MILLISECOND, 40_000, n, 100));
        }
        assert_eq!(window.threshold, 100, "half of 40 ms");
    }
}
