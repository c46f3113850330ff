//! BBR version 1 as in `net/ipv4/tcp_bbr.c` (Linux 6.18). Window and rate follow a model of the path: the
//! maximum recent rate and the minimum round trip.

mod aggregation;
mod filter;
mod pace;
mod pipe;
mod policer;
mod round_trip;
mod size;
#[cfg(test)]
mod tests;
mod units;

use tcpwhy_scenario::splitmix::{GAMMA, mix};

use super::rate::{Connection, RateSample, Repair, Samples};
use super::window::{NO_THRESHOLD, Window};
use crate::time::Time;
use aggregation::Aggregation;
use filter::WindowedMax;
use pipe::Pipe;
use policer::{Finding, Policer};
use round_trip::LeastRoundTrip;
use units::{BW_UNIT, CYCLE_GAINS, HIGH_GAIN, Mode, UNIT};

/// `bbr_drain_gain`: the inverse of the high gain.
const DRAIN_GAIN: u64 = UNIT * 1000 / 2885;
/// `bbr_cwnd_gain`: room for delayed acknowledgments.
const WINDOW_GAIN: u64 = 2 * UNIT;
/// `bbr_cycle_rand`: number of phases from which the first is drawn. The draining phase is excluded.
const FIRST_PHASES: u64 = 7;
/// `bbr_bw_rtts`: number of rounds of the maximum filter.
const BANDWIDTH_ROUNDS: u64 = CYCLE_GAINS.len() as u64 + 2;

/// Round trips by delivered data: a round ends when data sent at its start has been delivered.
#[derive(Clone, Copy, Debug, Default)]
struct Rounds {
    /// `rtt_cnt`.
    count: u64,
    /// `next_rtt_delivered`.
    until: u64,
    /// `round_start`.
    has_begun: bool,
}

impl Rounds {
    /// Begins a round with the next sent segment.
    const fn begin(&mut self, delivered: u64) {
        self.until = delivered;
    }

    /// Whether the last ACK began a round.
    const fn has_begun(&self) -> bool {
        self.has_begun
    }
}

/// `struct bbr`.
#[derive(Clone, Debug)]
pub(crate) struct Bbr {
    mode: Mode,
    max_bandwidth: WindowedMax,
    rounds: Rounds,
    pipe: Pipe,
    round_trip: LeastRoundTrip,
    policer: Policer,
    aggregation: Aggregation,
    /// `sk_pacing_rate`, bytes/s.
    rate: u64,
    has_seen_round_trip: bool,
    pacing_gain: u64,
    window_gain: u64,
    /// `cycle_idx`.
    phase: usize,
    /// `cycle_mstamp`, microseconds.
    phase_began: u64,
    /// `prev_ca_state`.
    prior_repair: Repair,
    /// `packet_conservation`.
    conserves: bool,
    /// `prior_cwnd`.
    prior_window: u64,
    /// `idle_restart`.
    restarts: bool,
    /// Seed of the first phases, which are random in the kernel.
    seed: u64,
    drawn: u64,
}

impl Bbr {
    /// State before the connection is open. Its first phases are drawn from `seed`.
    pub(crate) fn new(tick: Time, seed: u64) -> Self {
        Self {
            mode: Mode::Startup,
            max_bandwidth: WindowedMax::default(),
            rounds: Rounds::default(),
            pipe: Pipe::default(),
            round_trip: LeastRoundTrip::new(tick),
            policer: Policer::default(),
            aggregation: Aggregation::default(),
            rate: 0,
            has_seen_round_trip: false,
            pacing_gain: HIGH_GAIN,
            window_gain: HIGH_GAIN,
            phase: 0,
            phase_began: 0,
            prior_repair: Repair::No,
            conserves: false,
            prior_window: 0,
            restarts: false,
            seed,
            drawn: 0,
        }
    }

    /// `bbr_init`. `least`: the minimum round trip, microseconds.
    pub(crate) fn begin(&mut self, seen: &Connection, window: &mut Window, least: Option<u64>) {
        window.threshold = NO_THRESHOLD;
        self.rounds.begin(seen.delivered);
        self.round_trip.begin(seen.now, least);
        self.begin_rate(seen, window.size);
        self.policer.reset(seen);
        self.aggregation.begin(seen);
    }

    /// `bbr_main`.
    pub(crate) fn control(&mut self, seen: &Connection, sample: &RateSample, window: &mut Window) -> Samples {
        self.update_bandwidth(seen, sample);
        self.aggregation.update(seen, sample, self.rounds.has_begun, self.bandwidth(), window.size);
        if self.mode == Mode::ProbeBandwidth && self.is_phase_over(seen, sample) {
            self.advance_phase(seen);
        }
        if self.rounds.has_begun && !sample.is_app_limited {
            self.pipe.end_round(self.max_bandwidth.get());
        }
        self.check_drained(seen, window);
        let samples = self.update_round_trip(seen, sample, window);
        self.update_gains();
        self.set_rate(seen, window.size, self.pacing_gain);
        self.set_window(seen, sample, window);
        samples
    }

    /// `bbr_bw`.
    fn bandwidth(&self) -> u64 {
        self.policer.bandwidth().unwrap_or_else(|| self.max_bandwidth.get())
    }

    /// `bbr_update_bw`.
    fn update_bandwidth(&mut self, seen: &Connection, sample: &RateSample) {
        self.rounds.has_begun = false;
        let Some((delivered, interval)) = sample.rate() else { return };
        if sample.prior_delivered >= self.rounds.until {
            self.rounds = Rounds { count: self.rounds.count + 1, until: seen.delivered, has_begun: true };
            self.conserves = false;
        }
        self.look_for_policer(seen, sample);
        let bandwidth = (delivered * BW_UNIT / interval).min(u64::from(u32::MAX));
        // An application-limited rate does not show the path's rate, unless it is higher.
        if !sample.is_app_limited || bandwidth >= self.max_bandwidth.get() {
            self.max_bandwidth.update(BANDWIDTH_ROUNDS, self.rounds.count, bandwidth);
        }
    }

    fn look_for_policer(&mut self, seen: &Connection, sample: &RateSample) {
        let is_probing = self.mode == Mode::ProbeBandwidth;
        match self.policer.update(seen, sample, self.rounds.has_begun, is_probing) {
            Finding::Nothing => {}
            Finding::Policer => self.pacing_gain = UNIT,
            Finding::Expired => self.probe_bandwidth(seen),
        }
    }

    /// `bbr_is_next_cycle_phase`.
    fn is_phase_over(&self, seen: &Connection, sample: &RateSample) -> bool {
        let time = seen.delivered_at.saturating_sub(self.phase_began);
        let is_long = self.round_trip.least().is_some_and(|least| time > least);
        if self.pacing_gain == UNIT {
            return is_long;
        }
        let in_network = self.in_network(seen, sample.prior_in_flight);
        if self.pacing_gain > UNIT {
            let fills = || in_network >= self.wanted_in_flight(seen.mss, self.pacing_gain);
            return is_long && (sample.losses > 0 || fills());
        }
        is_long || in_network <= self.wanted_in_flight(seen.mss, UNIT)
    }

    /// `bbr_advance_cycle_phase`.
    const fn advance_phase(&mut self, seen: &Connection) {
        self.phase = (self.phase + 1) % CYCLE_GAINS.len();
        self.phase_began = seen.delivered_at;
    }

    /// `bbr_reset_probe_bw_mode`. The kernel draws the first phase with `get_random_u32_below`; here it is
    /// the next number of the seeded stream.
    fn probe_bandwidth(&mut self, seen: &Connection) {
        self.mode = Mode::ProbeBandwidth;
        self.drawn += 1;
        let drawn = mix(self.seed.wrapping_add(GAMMA.wrapping_mul(self.drawn))) % FIRST_PHASES;
        self.phase = CYCLE_GAINS.len() - 1 - usize::try_from(drawn).unwrap_or(0);
        self.advance_phase(seen);
    }

    /// `bbr_reset_mode`.
    fn reset_mode(&mut self, seen: &Connection) {
        if self.pipe.is_full() {
            self.probe_bandwidth(seen);
        } else {
            self.mode = Mode::Startup;
        }
    }

    /// `bbr_check_drain`.
    fn check_drained(&mut self, seen: &Connection, window: &mut Window) {
        if self.mode == Mode::Startup && self.pipe.is_full() {
            self.mode = Mode::Drain;
            window.threshold = self.wanted_in_flight(seen.mss, UNIT);
        }
        if self.mode == Mode::Drain && self.in_network(seen, seen.in_flight) <= self.wanted_in_flight(seen.mss, UNIT) {
            self.probe_bandwidth(seen);
        }
    }

    /// `bbr_update_gains`.
    fn update_gains(&mut self) {
        (self.pacing_gain, self.window_gain) = match self.mode {
            Mode::Startup => (HIGH_GAIN, HIGH_GAIN),
            Mode::Drain => (DRAIN_GAIN, HIGH_GAIN),
            Mode::ProbeBandwidth if self.policer.bandwidth().is_some() => (UNIT, WINDOW_GAIN),
            Mode::ProbeBandwidth => (CYCLE_GAINS[self.phase], WINDOW_GAIN),
            Mode::ProbeRoundTrip => (UNIT, UNIT),
        };
    }

    /// Whether the rate still doubles each round trip (startup).
    pub(crate) fn is_starting(&self) -> bool {
        self.mode == Mode::Startup
    }

    /// `bbr_ssthresh`: a loss does not change the threshold.
    pub(super) fn threshold_after_loss(&mut self, window: &Window) -> u64 {
        self.save_window(window);
        window.threshold
    }

    /// `bbr_undo_cwnd`: the window does not change.
    pub(super) fn undo(&mut self, seen: &Connection) {
        self.pipe.undo();
        self.policer.reset(seen);
    }

    /// `bbr_set_state(TCP_CA_Loss)`: a timeout ends a round.
    pub(super) fn timed_out(&mut self, seen: &Connection) {
        self.prior_repair = Repair::Timeout;
        self.pipe.timed_out();
        self.rounds.has_begun = true;
        self.look_for_policer(seen, &RateSample { losses: 1, ..RateSample::default() });
    }

    /// `bbr_cwnd_event(CA_EVENT_TX_START)`: sending starts with nothing in flight.
    pub(super) fn began_to_send(&mut self, seen: &Connection, window: &mut Window) {
        if !seen.is_app_limited {
            return;
        }
        self.restarts = true;
        self.aggregation.begin(seen);
        match self.mode {
            Mode::ProbeBandwidth => self.set_rate(seen, window.size, UNIT),
            Mode::ProbeRoundTrip => self.end_pause(seen, window),
            Mode::Startup | Mode::Drain => {}
        }
    }
}
