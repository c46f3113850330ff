//! Transfers drawn by a seed: one or two limits over paths of every kind, similar to real captures.

use super::{Capture, Reader, ReceiveBuffer, Transfer, Writer};

/// A pseudo-random number from another one (`SplitMix64`; Steele, Lea, Flood 2014).
pub(super) const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

struct Dice(u64);

impl Dice {
    /// Draws from [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = mix(self.0);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// Draws with a log-uniform distribution: as likely between 1 and 2 as between 10 and 20.
    fn log(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.unit() * 100.0 < f64::from(percent)
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        let index = (self.unit() * of.len() as f64) as usize;
        of[index.min(of.len() - 1)].clone()
    }
}

/// Most data segments of a drawn transfer, so that thousands of transfers are quick.
const MOST_SEGMENTS: f64 = 12_000.0;
/// Round trips that it takes without any limit but the drawn one.
const ROUNDS: (f64, f64) = (15.0, 250.0);

/// Transfer number `seed`, always the same. The captures alternate between the sender, the receiver and half
/// way.
pub fn random(seed: u64) -> Transfer {
    let mut dice = Dice(mix(seed ^ 0x7463_7077_6879));
    let capture = [Capture::Sender, Capture::Receiver, Capture::Middle][(seed % 3) as usize];
    let mut plan = path(&mut dice, capture);
    let first = dice.unit();
    let mut pace = impose(&mut plan, &mut dice, first);
    // This transfer has two causes at once.
    if dice.percent(20) {
        let second = dice.unit();
        pace = pace.min(impose(&mut plan, &mut dice, second));
    }
    let rounds = dice.log(ROUNDS.0, ROUNDS.1);
    let moved = pace * plan.rtt as f64 / 1e9 * rounds;
    let most = MOST_SEGMENTS * f64::from(plan.mss);
    if !matches!(plan.writer, Writer::Bulk) || plan.bytes == 0 {
        plan.bytes = moved.clamp(100.0 * f64::from(plan.mss), most) as u64;
    }
    plan.has_nodelay = dice.percent(50);
    plan
}

/// A path and two hosts without a particular limit.
fn path(dice: &mut Dice, capture: Capture) -> Transfer {
    let rtt = (dice.log(0.3e-3, 0.150) * 1e9) as i64 / 10_000 * 10_000;
    let rate = if dice.percent(15) { 1e9 } else { dice.log(5e6, 500e6) };
    let mss = if dice.percent(80) { 1448 } else { dice.pick(&[536, 1380, 8948]) };
    let product = rate / 8.0 * rtt as f64 / 1e9;
    let queue = if dice.percent(40) { u64::MAX / 2 } else { (product * dice.log(0.5, 4.0)).max(60e3) as u64 };
    let jitter = if dice.percent(25) { (rtt as f64 * dice.log(0.003, 0.1)) as i64 } else { 0 };
    Transfer {
        bytes: 0,
        rtt,
        rate: Some((rate / 8.0) as u64),
        queue,
        mss,
        initial_segments: if dice.percent(85) { 10 } else { dice.pick(&[2, 4, 30, 100]) },
        estimates_path: dice.percent(20),
        restarts_after_idle: dice.percent(60),
        wakes_after: if dice.percent(50) { dice.log(5e3, 150e3) as i64 } else { 0 },
        has_sack: dice.percent(88),
        has_timestamps: dice.percent(80),
        delays_acks: dice.percent(80),
        ack_batches: dice.percent(25).then(|| dice.log(20e3, (rtt as f64 / 4.0).clamp(30e3, 2e6)) as i64),
        jitter,
        return_rate: dice.percent(5).then(|| (dice.log(0.5e6, 5e6) / 8.0) as u64),
        is_download: dice.percent(50),
        offload: if dice.percent(40) { None } else { Some((mss * dice.pick(&[2, 10, 40])).min(65_160)) },
        capture,
        ..Transfer::default()
    }
}

/// Adds a limit to the draft; returns the bytes per second that it allows.
fn impose(plan: &mut Transfer, dice: &mut Dice, which: f64) -> f64 {
    let rtt = plan.rtt as f64 / 1e9;
    let line = plan.rate.map_or(1e9, |rate| rate as f64);
    let product = line * rtt;
    let mss = f64::from(plan.mss);
    // What a window or buffer takes that leaves room on the path, as a rule.
    let flight = |dice: &mut Dice| dice.log((product * 0.05).max(3.0 * mss), (product * 0.8).max(12.0 * mss));
    let is_short = product < 12.0 * mss;
    match (which * 12.0) as u32 {
        // The path has room for hardly more than a few segments, so any window fills it.
        0..=2 if is_short => line,
        0 | 1 => {
            let bytes = flight(dice);
            plan.send_buffer = Some(bytes as u64);
            (bytes / rtt).min(line)
        }
        2 => {
            let bytes = flight(dice);
            plan.window_scale = if bytes < 65e3 && dice.percent(20) { None } else { Some(dice.pick(&[2, 5, 7])) };
            plan.receive_buffer = if dice.percent(60) {
                ReceiveBuffer::Fixed(bytes as u64)
            } else {
                ReceiveBuffer::Growing { from: (bytes as u64).min(64_000), most: bytes as u64 }
            };
            (bytes / rtt).min(line)
        }
        3 => {
            let rate = line * dice.log(0.05, 0.6);
            plan.receive_buffer = ReceiveBuffer::Fixed(dice.log(30e3, 600e3) as u64);
            plan.window_scale = Some(7);
            plan.reader = if dice.percent(60) {
                Reader::Rate(rate as u64)
            } else {
                Reader::Pauses { every: dice.log(50e3, 1e6) as u64, nanos: dice.log(5e6, 400e6) as i64 }
            };
            rate
        }
        // A pace near the round trip is the hardest to distinguish from a buffer's limit.
        4 | 5 => {
            let every = rtt * if dice.percent(40) { dice.between(0.8, 1.3) } else { dice.log(0.05, 4.0) };
            let every = every.max(200e-6);
            let bytes = (line * every * dice.log(0.03, 0.7)).max(200.0);
            plan.writer = Writer::Paced { bytes: bytes as u64, every: (every * 1e9) as i64 };
            bytes / every
        }
        6 => {
            let (bytes, pause) = (dice.log(10e3, 600e3), dice.log(2e-3, 0.4).max(3.0 * rtt));
            plan.writer = Writer::Bursts { bytes: bytes as u64, pause: (pause * 1e9) as i64 };
            bytes / (pause + 2.0 * rtt + bytes / line)
        }
        7 => {
            let rate = line * dice.log(0.1, 0.6);
            plan.rate = Some(rate as u64);
            plan.queue =
                if dice.percent(40) { u64::MAX / 2 } else { (rate * rtt * dice.log(0.7, 4.0)).max(60e3) as u64 };
            rate
        }
        8 | 9 => {
            let each = dice.log(40.0, 1500.0);
            if dice.percent(60) {
                plan.lost_every = Some(each as u64);
            } else {
                plan.lost = (0..dice.between(1.0, 9.0) as u64).map(|_| dice.log(12.0, 8000.0) as u64).collect();
            }
            (1.3 / (1.0 / each).sqrt() * mss / rtt).min(line)
        }
        10 => {
            let until = flight(dice);
            // A shaper on the host, or `SO_MAX_PACING_RATE`, looks like the pace of an application.
            if dice.percent(50) {
                plan.slow_start_until = Some(until.max(20.0 * mss) as u64);
            } else {
                plan.pacing = Some((until / rtt) as u64);
            }
            (2.0 * until / rtt).min(line)
        }
        _ => {
            // The transfer ends before anything but slow start limits it, or it saturates the path.
            plan.bytes = dice.log(100.0 * mss, 3.0 * product.clamp(100.0 * mss, 2000.0 * mss)) as u64;
            line
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_is_the_same_transfer() {
        for seed in 0..30 {
            let (a, b) = (random(seed), random(seed));
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
            assert!(a.bytes > 0 && a.bytes < 120_000_000, "{a:?}");
        }
        assert_eq!([0, 1, 2].map(|seed| random(seed).capture), [Capture::Sender, Capture::Receiver, Capture::Middle]);
    }

    #[test]
    fn jitter_and_a_slow_way_back_delay_and_lose_nothing() {
        let calm = Transfer { bytes: 400_000, rate: Some(1_250_000), ..Transfer::default() };
        let rough = Transfer { jitter: 4_000_000, return_rate: Some(15_000), ..calm.clone() };
        let span = |transfer: &Transfer| transfer.tell().span().seconds();
        let sent = |transfer: &Transfer| transfer.run().iter().map(|s| u64::from(s.payload_len)).sum::<u64>();
        assert!(span(&rough) > 1.1 * span(&calm), "{} {}", span(&rough), span(&calm));
        assert_eq!(sent(&rough), sent(&calm));
    }

    #[test]
    fn the_times_of_the_truth_are_its_shares() {
        for seed in 0..12 {
            let told = random(seed).tell();
            let all = told.span().nanos() as f64;
            for limit in tcpwhy_model::Limit::ALL {
                let share = told.nanos_of(told.span(), limit) as f64 / all;
                assert!((share - told.share(limit)).abs() < 1e-6, "{seed} {limit}");
            }
        }
    }
}
