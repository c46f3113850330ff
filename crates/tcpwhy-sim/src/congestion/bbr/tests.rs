//! Tests of BBR with one acknowledgment per round trip.

use super::units::LEAST_WINDOW;
use super::*;
use crate::time::{MICROSECOND, MILLISECOND};

const TICK: Time = 4 * MILLISECOND;
/// Microseconds.
const ROUND_TRIP: u64 = 20_000;

/// A connection with given rounds.
struct Flow {
    bbr: Bbr,
    window: Window,
    seen: Connection,
}

impl Flow {
    fn new(seed: u64) -> Self {
        let mut window = Window::new(10);
        let mut bbr = Bbr::new(TICK, seed);
        let seen = Connection { mss: 1448, delivered: 1, smoothed: Some(ROUND_TRIP), ..Connection::default() };
        bbr.begin(&seen, &mut window, Some(ROUND_TRIP));
        Self { bbr, window, seen }
    }

    /// A round of `time` microseconds with `acked` segments delivered and `in_flight` left. Returns whether
    /// samples count.
    fn round(&mut self, acked: u64, time: u64, in_flight: u64) -> Samples {
        self.ack(acked, time, in_flight, RateSample { losses: 0, ..RateSample::default() })
    }

    fn ack(&mut self, acked: u64, time: u64, in_flight: u64, sample: RateSample) -> Samples {
        let prior_delivered = self.seen.delivered;
        self.seen.delivered += acked;
        self.seen.lost += sample.losses;
        self.seen.now += time * MICROSECOND;
        self.seen.delivered_at = self.seen.now / MICROSECOND;
        self.seen.in_flight = in_flight;
        let sample = RateSample {
            delivered: Some(acked),
            interval: Some(time),
            prior_delivered,
            rtt: Some(time.max(ROUND_TRIP)),
            acked,
            prior_in_flight: in_flight + acked,
            ..sample
        };
        self.bbr.control(&self.seen, &sample, &mut self.window)
    }

    /// A connection after startup, on a path of 10 segments per millisecond that is full.
    fn steady(seed: u64) -> Self {
        let mut flow = Self::new(seed);
        for acked in [10, 20, 40, 80, 160, 200, 200, 200, 200] {
            flow.round(acked, ROUND_TRIP, 0);
        }
        assert_eq!(flow.bbr.mode, Mode::ProbeBandwidth);
        flow
    }
}

#[test]
fn the_start_ends_after_three_rounds_without_growth() {
    let mut flow = Flow::new(0);
    for acked in [10, 20, 40, 80, 160, 200] {
        flow.round(acked, ROUND_TRIP, 2 * acked);
        assert_eq!((flow.bbr.mode, flow.bbr.pacing_gain), (Mode::Startup, HIGH_GAIN));
    }
    // 200 is 25 % above 160, and three more rounds follow.
    for _ in 0..2 {
        flow.round(200, ROUND_TRIP, 400);
        assert!(flow.bbr.is_starting());
    }
    flow.round(200, ROUND_TRIP, 400);
    assert_eq!((flow.bbr.mode, flow.bbr.pacing_gain), (Mode::Drain, DRAIN_GAIN));
    // The threshold covers path and ends: 200, and three bursts of 27 at the startup rate.
    assert!((280..=284).contains(&flow.window.threshold), "{}", flow.window.threshold);
    flow.round(200, ROUND_TRIP, 200);
    assert_eq!(flow.bbr.mode, Mode::ProbeBandwidth);
}

/// The program's own rate does not show the path's rate.
#[test]
fn rounds_of_a_slow_program_do_not_end_the_start() {
    let mut flow = Flow::new(0);
    for _ in 0..10 {
        flow.ack(10, ROUND_TRIP, 10, RateSample { is_app_limited: true, ..RateSample::default() });
    }
    assert!(flow.bbr.is_starting());
}

#[test]
fn the_window_holds_two_products_three_bursts_and_what_is_acknowledged_at_once() {
    let mut flow = Flow::steady(0);
    for _ in 0..4 {
        flow.round(200, ROUND_TRIP, 200);
    }
    // 200 segments per 20 ms are 14.5 MB/s, that is, bursts of 7 to 12 segments. One ACK covers 200.
    assert!((621..=640).contains(&flow.window.size), "{}", flow.window.size);
}

#[test]
fn eight_phases_probe_drain_and_keep() {
    let mut flow = Flow::steady(7);
    let mut gains = Vec::new();
    for _ in 0..16 {
        // A little longer than the minimum round trip, with enough in flight for path and probe.
        flow.round(210, ROUND_TRIP + 1_000, 270);
        gains.push(flow.bbr.pacing_gain);
    }
    assert_eq!(gains[..8], gains[8..]);
    let probe = gains.iter().position(|&gain| gain == CYCLE_GAINS[0]).unwrap();
    gains.rotate_left(probe);
    assert_eq!(gains[..8], CYCLE_GAINS);
}

/// A probe lasts until the wanted bytes are in flight or a segment is lost.
#[test]
fn a_probe_that_does_not_fill_the_path_goes_on() {
    let mut flow = Flow::steady(0);
    while flow.bbr.pacing_gain != CYCLE_GAINS[0] {
        flow.round(210, ROUND_TRIP + 1_000, 270);
    }
    for _ in 0..5 {
        flow.round(100, ROUND_TRIP + 1_000, 20);
        assert_eq!(flow.bbr.pacing_gain, CYCLE_GAINS[0]);
    }
    flow.ack(100, ROUND_TRIP + 1_000, 20, RateSample { losses: 1, ..RateSample::default() });
    assert_eq!(flow.bbr.pacing_gain, CYCLE_GAINS[1]);
}

#[test]
fn the_first_phase_is_drawn_and_never_drains() {
    let first = |seed| Flow::steady(seed).bbr.phase;
    let mut seen: Vec<_> = (0..100).map(first).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [0, 2, 3, 4, 5, 6, 7]);
    assert_eq!(first(3), first(3));
}

/// After 10 s without a round trip as short as the minimum, four segments are in flight for 200 ms.
#[test]
fn the_round_trip_is_probed_after_ten_seconds() {
    let mut flow = Flow::steady(0);
    let began = flow.seen.now;
    while flow.round(250, ROUND_TRIP + 5_000, 250) == Samples::Count {
        assert_eq!(flow.bbr.mode, Mode::ProbeBandwidth);
    }
    assert_eq!(flow.bbr.mode, Mode::ProbeRoundTrip);
    let waited = (flow.seen.now - began) / MILLISECOND;
    assert!((9_980..10_050).contains(&waited), "{waited} ms");
    assert_eq!(flow.window.size, LEAST_WINDOW);
    let before = flow.bbr.prior_window;
    assert!(before > 400, "{before}");
    // The data in flight must drain first.
    assert_eq!(flow.round(250, ROUND_TRIP + 5_000, 100), Samples::AppLimited);
    let began = flow.seen.now;
    while flow.bbr.mode == Mode::ProbeRoundTrip {
        let limited = RateSample { is_app_limited: true, ..RateSample::default() };
        assert_eq!(flow.ack(4, ROUND_TRIP, 4, limited), Samples::AppLimited);
        assert!(flow.window.size >= LEAST_WINDOW);
    }
    let paused = (flow.seen.now - began) / MILLISECOND;
    assert!((200..260).contains(&paused), "{paused} ms");
    assert!(flow.window.size > 400, "{}", flow.window.size);
}

/// In its first round, recovery sends only as much as is delivered. It ends with the window from before.
#[test]
fn recovery_conserves_packets_and_restores_the_window() {
    let mut flow = Flow::steady(0);
    for _ in 0..3 {
        flow.round(200, ROUND_TRIP, 200);
    }
    let before = flow.window.size;
    flow.bbr.threshold_after_loss(&flow.window);
    flow.seen.repair = Repair::Recovery;
    flow.ack(3, 100, 150, RateSample { losses: 5, ..RateSample::default() });
    assert_eq!(flow.window.size, 153);
    // Within the round, no more than the delivered segments. The round ends at the data delivered when
    // recovery began.
    flow.seen.delivered -= 1;
    flow.ack(2, 100, 151, RateSample::default());
    assert_eq!(flow.window.size, 153);
    flow.round(150, ROUND_TRIP, 150);
    assert!(flow.window.size > 200, "{}", flow.window.size);
    flow.seen.repair = Repair::No;
    flow.round(2, 200, 150);
    assert!(flow.window.size + 4 >= before, "{} of {before}", flow.window.size);
}

#[test]
fn a_timeout_lets_the_rate_grow_again_and_restores_the_window() {
    let mut flow = Flow::steady(0);
    flow.round(200, ROUND_TRIP, 200);
    let before = flow.window.size;
    flow.bbr.threshold_after_loss(&flow.window);
    // `tcp_enter_loss` leaves one segment.
    flow.window.size = 1;
    flow.bbr.timed_out(&flow.seen);
    flow.seen.repair = Repair::Timeout;
    flow.round(1, ROUND_TRIP, 1);
    assert_eq!(flow.window.size, LEAST_WINDOW);
    flow.seen.repair = Repair::No;
    flow.round(4, ROUND_TRIP, 4);
    assert!(flow.window.size >= before, "{} of {before}", flow.window.size);
}

/// After an idle period, data is sent at the path's rate, not at that of a probe.
#[test]
fn a_rest_ends_at_the_rate_of_the_path() {
    let mut flow = Flow::steady(0);
    while flow.bbr.pacing_gain != CYCLE_GAINS[0] {
        flow.round(210, ROUND_TRIP + 1_000, 270);
    }
    let probing = flow.bbr.rate();
    flow.bbr.began_to_send(&flow.seen, &mut flow.window);
    assert_eq!(flow.bbr.rate(), probing, "the program has not rested");
    flow.seen.is_app_limited = true;
    flow.bbr.began_to_send(&flow.seen, &mut flow.window);
    assert!(flow.bbr.rate() * 5 / 4 >= probing - 2 && flow.bbr.rate() < probing, "{} of {probing}", flow.bbr.rate());
}
