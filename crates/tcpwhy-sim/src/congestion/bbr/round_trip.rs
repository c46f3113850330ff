//! The minimum round trip, and the pause that measures it (`bbr_update_min_rtt`).

use super::Bbr;
use super::units::{LEAST_WINDOW, Mode};
use crate::congestion::Window;
use crate::congestion::rate::{Connection, RateSample, Samples};
use crate::time::{MILLISECOND, SECOND, Time};

/// `bbr_min_rtt_win_sec`: time for which a minimum is valid.
const WITHIN: Time = 10 * SECOND;
/// `bbr_probe_rtt_mode_ms`: length of the pause.
const PAUSE: Time = 200 * MILLISECOND;

/// `min_rtt_us` and its window. Time is in ticks of the kernel's clock (`tcp_jiffies32`).
#[derive(Clone, Copy, Debug)]
pub(super) struct LeastRoundTrip {
    tick: Time,
    /// Microseconds.
    least: Option<u64>,
    /// `min_rtt_stamp`.
    since: u64,
    /// `probe_rtt_done_stamp`.
    until: Option<u64>,
    /// `probe_rtt_round_done`.
    has_seen_round: bool,
}

impl LeastRoundTrip {
    pub(super) fn new(tick: Time) -> Self {
        Self { tick: tick.max(1), least: None, since: 0, until: None, has_seen_round: false }
    }

    pub(super) const fn least(&self) -> Option<u64> {
        self.least
    }

    const fn ticks(&self, time: Time) -> u64 {
        time / self.tick
    }

    /// Sets the state at the start of the connection.
    pub(super) const fn begin(&mut self, now: Time, least: Option<u64>) {
        (self.least, self.since) = (least, self.ticks(now));
    }

    /// Adds a sample. Returns whether the minimum had expired.
    fn update(&mut self, now: Time, sample: &RateSample) -> bool {
        let now = self.ticks(now);
        let is_expired = now > self.since + self.ticks(WITHIN);
        if let Some(rtt) = sample.rtt
            && (self.least.is_none_or(|least| rtt <= least) || (is_expired && !sample.is_ack_delayed))
        {
            (self.least, self.since) = (Some(rtt), now);
        }
        is_expired
    }
}

impl Bbr {
    /// `bbr_update_min_rtt`.
    pub(super) fn update_round_trip(&mut self, seen: &Connection, sample: &RateSample, window: &mut Window) -> Samples {
        let is_expired = self.round_trip.update(seen.now, sample);
        if is_expired && !self.restarts && self.mode != Mode::ProbeRoundTrip {
            self.mode = Mode::ProbeRoundTrip;
            self.save_window(window);
            self.round_trip.until = None;
        }
        let is_probing = self.mode == Mode::ProbeRoundTrip;
        if is_probing {
            if self.round_trip.until.is_some() {
                self.round_trip.has_seen_round |= self.rounds.has_begun();
                if self.round_trip.has_seen_round {
                    self.end_pause(seen, window);
                }
            } else if seen.in_flight <= LEAST_WINDOW {
                let pause = self.round_trip.ticks(PAUSE);
                self.round_trip.until = Some(self.round_trip.ticks(seen.now) + pause);
                self.round_trip.has_seen_round = false;
                self.rounds.begin(seen.delivered);
            }
        }
        if sample.delivered.is_some_and(|delivered| delivered > 0) {
            self.restarts = false;
        }
        if is_probing { Samples::AppLimited } else { Samples::Count }
    }

    /// `bbr_check_probe_rtt_done`.
    pub(super) fn end_pause(&mut self, seen: &Connection, window: &mut Window) {
        let now = self.round_trip.ticks(seen.now);
        if self.round_trip.until.is_some_and(|until| now > until) {
            self.round_trip.since = now;
            window.size = window.size.max(self.prior_window);
            self.reset_mode(seen);
        }
    }
}
