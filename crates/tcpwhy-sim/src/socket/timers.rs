//! Timers: handshake, retransmission, tail loss probe, reordering, zero window probe.

use super::Socket;
use super::output::Nagle;
use super::recovery::{Phase, Probe};
use super::round_trip::{RTO_INITIAL, RTO_MAX};
use super::shown::{Burst, State};
use crate::segment::{Kind, Segment};
use crate::ticks::Ticks;
use crate::time::{MILLISECOND, Time};

/// `TCP_TIMEOUT_MIN_US`.
const LEAST: Time = 2 * MILLISECOND;

/// Upper bound of doublings; `TCP_RTO_MAX` is reached earlier.
const MOST_DOUBLINGS: u32 = 20;

/// The single timer of sent data (`icsk_pending`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    at: Time,
    purpose: Purpose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Handshake,
    /// `ICSK_TIME_RETRANS`.
    Retransmission,
    /// `ICSK_TIME_LOSS_PROBE`.
    TailProbe,
    /// `ICSK_TIME_REO_TIMEOUT`.
    Reordering,
    /// `ICSK_TIME_PROBE0`.
    WindowProbe,
}

impl Timer {
    fn new(now: Time, wait: Time, purpose: Purpose, ticks: Ticks) -> Self {
        Self { at: ticks.fires(now, ticks.of(wait)), purpose }
    }

    /// The handshake timer, with the initial wait doubled this many times.
    pub(super) fn handshake(now: Time, doublings: u32, ticks: Ticks) -> Self {
        Self::new(now, (RTO_INITIAL << doublings.min(7)).min(RTO_MAX), Purpose::Handshake, ticks)
    }
}

impl Socket {
    /// The time for the next call of [`Socket::on_timer`].
    pub(crate) fn next_timer(&self) -> Option<Time> {
        self.timer.map(|timer| timer.at).into_iter().chain(self.acknowledging.due()).chain(self.pacing_due).min()
    }

    /// Handles all timers that are due.
    pub(crate) fn on_timer(&mut self, now: Time) {
        if self.acknowledging.due().is_some_and(|at| at <= now) && self.acknowledging.missed(now, self.round_trip.rto())
        {
            self.send_ack(now);
        }
        if self.pacing_due.is_some_and(|at| at <= now) {
            self.on_pace(now);
        }
        let Some(timer) = self.timer.filter(|timer| timer.at <= now) else { return };
        self.timer = None;
        match timer.purpose {
            Purpose::Handshake => match self.state {
                State::Opening => self.send_handshake(now, Kind::Syn),
                State::Answering => self.send_handshake(now, Kind::SynAck),
                _ => {}
            },
            Purpose::Retransmission => self.on_timeout(now),
            Purpose::TailProbe => self.send_tail_probe(now),
            Purpose::Reordering => self.on_reordering(now),
            Purpose::WindowProbe => self.send_window_probe(now),
        }
        self.push(now, self.own_nagle());
        self.check_space(now);
    }

    /// `tcp_reset_xmit_timer`.
    fn arm(&mut self, now: Time, wait: Time, purpose: Purpose) {
        self.timer = Some(Timer::new(now, wait.min(RTO_MAX), purpose, self.rules.ticks));
    }

    /// After new data was sent (`tcp_event_new_data_sent`).
    pub(super) fn on_new_sent(&mut self, now: Time, was_idle: bool) {
        let is_probing = self.timer.is_some_and(|timer| timer.purpose == Purpose::TailProbe);
        if was_idle || is_probing {
            self.rearm(now);
        }
        self.check_space(now);
    }

    /// `tcp_rearm_rto`.
    pub(super) fn rearm(&mut self, now: Time) {
        if self.sent.is_empty() {
            self.timer = None;
            return;
        }
        let is_offset =
            self.timer.is_some_and(|timer| matches!(timer.purpose, Purpose::Reordering | Purpose::TailProbe));
        let wait = if is_offset { self.timeout_of_first(now).max(1) } else { self.round_trip.rto() };
        self.arm(now, wait + self.pacing_delay(now), Purpose::Retransmission);
    }

    /// Time until the timeout of the first segment (`tcp_rto_delta_us`); 0 if it is due.
    fn timeout_of_first(&self, now: Time) -> Time {
        (self.sent.first().map_or(now, |first| first.at) + self.round_trip.rto()).saturating_sub(now)
    }

    /// `tcp_set_xmit_timer`.
    pub(super) fn set_timer(&mut self, now: Time) {
        if !self.schedule_probe(now, true) {
            self.rearm(now);
        }
    }

    /// `tcp_xmit_retransmit_queue` restarts the timeout with the first segment.
    pub(super) fn restart_timeout(&mut self, now: Time) {
        if !self.timer.is_some_and(|timer| timer.purpose == Purpose::Reordering) {
            self.arm(now, self.round_trip.rto() + self.pacing_delay(now), Purpose::Retransmission);
        }
    }

    pub(super) fn arm_reordering(&mut self, now: Time, rest: Time) {
        self.arm(now, (rest + LEAST).min(self.round_trip.rto()), Purpose::Reordering);
    }

    /// `tcp_schedule_loss_probe`: returns whether a probe is scheduled.
    pub(super) fn schedule_probe(&mut self, now: Time, restarts: bool) -> bool {
        let is_off = !(self.rules.has_tail_probes && self.rules.has_sack) || self.sent.is_empty();
        if is_off || !matches!(self.recovery.phase, Phase::Open | Phase::Reduced) {
            return false;
        }
        let wait = self.round_trip.smoothed().map_or(RTO_INITIAL, |smoothed| {
            2 * smoothed + if self.sent.count() == 1 { self.rules.rto_min } else { LEAST }
        });
        let timeout = if restarts { self.round_trip.rto() } else { self.timeout_of_first(now) };
        let wait = if timeout > 0 { wait.min(timeout) } else { wait };
        self.arm(now, wait + self.pacing_delay(now), Purpose::TailProbe);
        true
    }

    /// `tcp_send_loss_probe`.
    fn send_tail_probe(&mut self, now: Time) {
        if self.recovery.probe.is_some() {
            self.rearm(now);
            return;
        }
        let before = self.sent.count();
        let mss = self.mss();
        let fits = |first: super::queue::Waiting| first.seq + first.len.min(mss) <= self.window_end;
        let mut is_resent = false;
        if self.queue.first().is_some_and(fits) {
            // The probe may exceed the window by one segment.
            let size = self.window.size;
            self.window.size = size.max(self.sent.in_flight() + 1);
            self.transmit(now, Nagle::Off, true);
            self.window.size = size;
            if self.sent.count() == before {
                self.rearm(now);
                return;
            }
        } else if let Some(last) = self.sent.last().copied() {
            self.resend(now, last.into());
            is_resent = true;
        }
        self.recovery.probe = Some(Probe { end: self.nxt, is_resent });
        self.timer = None;
        self.rearm(now);
    }

    /// `tcp_rack_reo_timeout`.
    fn on_reordering(&mut self, now: Time) {
        let (flight, ever_lost) = (self.sent.in_flight(), self.sent.ever_lost);
        let more = self.detect_loss(now);
        if self.sent.in_flight() != flight {
            if self.recovery.phase != Phase::Recovery {
                self.enter_recovery(false);
                if !self.control.sets_rate() {
                    self.reduce(1, self.sent.ever_lost - ever_lost, false);
                }
            }
            self.retransmit_lost(now);
        }
        if let Some(rest) = more {
            self.arm_reordering(now, rest);
        } else if self.timer.is_none() {
            self.arm(now, self.timeout_of_first(now).max(1), Purpose::Retransmission);
        }
    }

    /// `tcp_retransmit_timer`.
    fn on_timeout(&mut self, now: Time) {
        let Some(first) = self.sent.first().copied() else { return };
        if self.gives_up(now) {
            return;
        }
        self.counts.timeouts += 1;
        self.enter_loss(now);
        self.recovery.timeouts += 1;
        self.resend(now, first.into());
        self.round_trip.back_off();
        self.arm(now, self.round_trip.rto(), Purpose::Retransmission);
    }

    /// `tcp_check_probe_timer`: nothing is in flight, and data waits for the window.
    pub(super) fn arm_probe(&mut self, now: Time) {
        if self.timer.is_none() {
            self.arm(now, self.round_trip.rto().max(self.rules.rto_min), Purpose::WindowProbe);
        }
    }

    /// `tcp_send_probe0`, `tcp_write_wakeup`.
    fn send_window_probe(&mut self, now: Time) {
        let Some(first) = self.queue.first() else { return };
        if self.gives_up_probing() {
            return;
        }
        let room = self.window_end.saturating_sub(first.seq);
        if room > 0 && first.len > 0 {
            // Data that fits is sent, however little.
            let len = first.len.min(room).min(self.mss());
            self.send_forced(now, len);
            return;
        }
        let segment = Segment { seq: self.una.saturating_sub(1), frames: 1, ..self.probe_segment(now) };
        self.out.push_back(Burst { segment, memory: 0 });
        self.probe_doublings += 1;
        self.arm(now, self.probe_wait(), Purpose::WindowProbe);
    }

    /// `tcp_probe0_when`: the interval of window probes doubles, while the retransmission timeout is
    /// unchanged.
    fn probe_wait(&self) -> Time {
        let base = self.round_trip.rto().max(self.rules.rto_min);
        base.saturating_mul(1 << self.probe_doublings.min(MOST_DOUBLINGS)).min(RTO_MAX)
    }

    /// An ACK that opens the window ends the probes (`tcp_ack_probe`).
    pub(super) fn opened_window(&mut self, now: Time) {
        let is_probing = self.timer.is_some_and(|timer| timer.purpose == Purpose::WindowProbe);
        let Some(first) = self.queue.first().filter(|_| is_probing) else { return };
        if first.seq + first.len.min(self.mss()) <= self.window_end {
            self.probe_doublings = 0;
            self.timer = None;
        } else {
            self.arm(now, self.probe_wait(), Purpose::WindowProbe);
        }
    }
}
