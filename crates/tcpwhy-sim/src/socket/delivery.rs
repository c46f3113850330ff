//! How fast data arrives: a sample of the delivery rate for each acknowledgement (`net/ipv4/tcp_rate.c`).

use super::Socket;
use super::departure::Departure;
use super::recovery::{Phase, Progress};
use super::sent::OnItsWay;
use crate::congestion::{Connection, Control, RateSample, Repair, Samples};
use crate::time::{Time, micros};

/// The newest segment of those that an acknowledgement reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newest {
    departure: Departure,
    end: u64,
    /// From the first to the last segment that it was sent with, microseconds.
    sending: u64,
}

impl Newest {
    /// `prior_delivered`.
    pub(super) const fn prior_delivered(&self) -> u64 {
        self.departure.delivered
    }
}

/// The connection's part of the samples. Times are microseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Delivery {
    /// `delivered_mstamp`: when the last segment was acknowledged.
    at: u64,
    /// `first_tx_mstamp`: when the newest segment that has arrived was sent.
    first_sent: u64,
    /// `app_limited`: until so many segments have arrived samples show the program's rate.
    app_limited: Option<u64>,
    /// A `send()` is under way.
    is_writing: bool,
}

impl Delivery {
    /// `tcp_rate_skb_sent`. `is_first`: nothing else is on its way.
    pub(super) const fn depart(&mut self, at: Time, delivered: u64, is_first: bool) -> Departure {
        if is_first {
            (self.first_sent, self.at) = (micros(at), micros(at));
        }
        Departure {
            delivered,
            delivered_at: self.at,
            first_sent: self.first_sent,
            is_app_limited: self.app_limited.is_some(),
        }
    }

    /// `tcp_rate_skb_delivered`: a segment has arrived for the first time.
    pub(super) fn arrived(&mut self, one: &OnItsWay, newest: &mut Option<Newest>) {
        let sent = micros(one.at);
        if newest.is_none_or(|known| (sent, one.end) > (self.first_sent, known.end)) {
            self.first_sent = sent;
            let sending = sent.saturating_sub(one.departure.first_sent);
            *newest = Some(Newest { departure: one.departure, end: one.end, sending });
        }
    }

    /// `tcp_rate_gen`, with `acked` segments of `delivered` that arrived just now. `least`: `tcp_min_rtt`.
    fn sample(&mut self, now: Time, delivered: u64, acked: u64, least: u64, newest: Option<Newest>) -> RateSample {
        if self.app_limited.is_some_and(|until| delivered > until) {
            self.app_limited = None;
        }
        if acked > 0 {
            self.at = micros(now);
        }
        let Some(Newest { departure, sending, .. }) = newest else { return RateSample::default() };
        // Data may have been sent faster than it arrives, or acknowledged faster than it was sent.
        let interval = sending.max(micros(now).saturating_sub(departure.delivered_at));
        RateSample {
            delivered: Some(delivered - departure.delivered),
            interval: (interval >= least).then_some(interval),
            prior_delivered: departure.delivered,
            is_app_limited: departure.is_app_limited,
            ..RateSample::default()
        }
    }
}

impl Socket {
    /// What an algorithm sees.
    pub(super) fn connection(&self, now: Time) -> Connection {
        Connection {
            now,
            mss: self.mss(),
            delivered: self.recovery.delivered,
            delivered_at: self.delivery.at,
            lost: self.sent.ever_lost,
            in_flight: self.sent.in_flight(),
            repair: match self.recovery.phase {
                Phase::Open | Phase::Disorder | Phase::Reduced => Repair::No,
                Phase::Recovery => Repair::Recovery,
                Phase::Loss => Repair::Timeout,
            },
            smoothed: self.round_trip.smoothed().map(micros),
            write_stamp: self.write_stamp,
            is_app_limited: self.delivery.app_limited.is_some(),
        }
    }

    /// `tcp_init_congestion_control`.
    pub(super) fn begin_control(&mut self, now: Time) {
        // The handshake's segment counts (`tcp_rcv_state_process`).
        self.recovery.delivered = 1;
        let seen = self.connection(now);
        if let Control::Bbr(bbr) = &mut self.control {
            bbr.begin(&seen, &mut self.window, Some(self.round_trip.least()));
            self.pacing_rate = Some(bbr.rate());
        } else {
            self.update_pacing_rate();
        }
    }

    /// `cong_control`: an algorithm that sets window and rate by itself.
    pub(super) fn control_rate(&mut self, now: Time, progress: &Progress, newest: Option<Newest>, ack: RateSample) {
        let sample =
            self.delivery.sample(now, self.recovery.delivered, progress.delivered, self.round_trip.least(), newest);
        let seen = self.connection(now);
        let Control::Bbr(bbr) = &mut self.control else { return };
        let sample = RateSample {
            rtt: ack.rtt,
            is_ack_delayed: ack.is_ack_delayed,
            acked: progress.delivered,
            losses: ack.losses,
            prior_in_flight: ack.prior_in_flight,
            ..sample
        };
        let samples = bbr.control(&seen, &sample, &mut self.window);
        self.pacing_rate = Some(bbr.rate());
        if samples == Samples::AppLimited {
            self.limit_samples();
        }
    }

    /// Samples of what is in flight now do not show the path's rate.
    fn limit_samples(&mut self) {
        self.delivery.app_limited = Some((self.recovery.delivered + self.sent.in_flight()).max(1));
    }

    /// `tcp_rate_check_app_limited`, when a `send()` begins.
    pub(super) fn begin_write(&mut self) {
        if std::mem::replace(&mut self.delivery.is_writing, true) {
            return;
        }
        let has_little = self.queue.written() < self.nxt + self.mss();
        if has_little
            && self.in_host == 0
            && self.sent.in_flight() < self.window.size
            && self.sent.lost <= self.sent.resent
        {
            self.limit_samples();
        }
    }

    /// The `send()` has ended.
    pub(super) const fn note_write_end(&mut self) {
        self.delivery.is_writing = false;
    }

    /// `tcp_ca_event(CA_EVENT_TX_START)`, before something is sent.
    pub(super) fn note_begin_of_sending(&mut self, now: Time) {
        let is_start = if self.control.sets_rate() { self.sent.in_flight() == 0 } else { self.sent.is_empty() };
        if is_start {
            let seen = self.connection(now);
            self.control.began_to_send(&seen, self.last_sent, &mut self.window);
            self.take_rate();
        }
    }

    /// The algorithm may have set another rate.
    fn take_rate(&mut self) {
        if let Control::Bbr(bbr) = &self.control {
            self.pacing_rate = Some(bbr.rate());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(n: u64, at: Time, departure: Departure) -> OnItsWay {
        OnItsWay {
            seq: n * 1_000,
            end: (n + 1) * 1_000,
            buffer: n * 1_000,
            at,
            is_push: false,
            is_sacked: false,
            is_lost: false,
            is_resent: false,
            was_resent: false,
            departure,
        }
    }

    const MICRO: Time = 1_000;

    /// Ten segments are sent at once, and arrive 100 µs apart after 20 ms.
    #[test]
    fn the_rate_is_that_of_acknowledgements_where_those_are_slower() {
        let mut delivery = Delivery::default();
        let sent: Vec<_> = (0..10).map(|n| segment(n, MICRO, delivery.depart(MICRO, 0, n == 0))).collect();
        let mut last = RateSample::default();
        for (n, one) in sent.iter().enumerate() {
            let mut newest = None;
            delivery.arrived(one, &mut newest);
            let at = (20_001 + 100 * n as u64) * MICRO;
            last = delivery.sample(at, n as u64 + 1, 1, 20_000, newest);
        }
        assert_eq!((last.delivered, last.interval), (Some(10), Some(20_900)));
    }

    /// Acknowledgements of what was sent over 9 ms come at once: the rate is that of sending.
    #[test]
    fn the_rate_is_that_of_sending_where_acknowledgements_are_compressed() {
        let mut delivery = Delivery::default();
        let first = segment(0, 0, delivery.depart(0, 0, true));
        let mut newest = None;
        delivery.arrived(&first, &mut newest);
        delivery.sample(5_000 * MICRO, 1, 1, 5_000, newest);
        let sent: Vec<_> =
            (1..10).map(|n| segment(n, n * 1_000 * MICRO, delivery.depart(n * 1_000 * MICRO, 1, false))).collect();
        let mut newest = None;
        for one in &sent {
            delivery.arrived(one, &mut newest);
        }
        let sample = delivery.sample(10_000 * MICRO, 10, 9, 5_000, newest);
        assert_eq!((sample.delivered, sample.interval), (Some(9), Some(9_000)));
    }

    /// No data arrives sooner than after the least round trip: such a sample comes from a retransmission
    /// that was not needed.
    #[test]
    fn an_interval_below_the_round_trip_is_no_rate() {
        let mut delivery = Delivery::default();
        let one = segment(0, 0, delivery.depart(0, 0, true));
        let mut newest = None;
        delivery.arrived(&one, &mut newest);
        let sample = delivery.sample(900 * MICRO, 1, 1, 1_000, newest);
        assert_eq!((sample.delivered, sample.interval, sample.rate()), (Some(1), None, None));
    }

    #[test]
    fn samples_of_a_program_that_rests_are_marked() {
        let mut delivery = Delivery { app_limited: Some(5), ..Delivery::default() };
        let one = segment(0, 0, delivery.depart(0, 3, true));
        let mut newest = None;
        delivery.arrived(&one, &mut newest);
        assert!(delivery.sample(MICRO, 5, 1, 0, newest).is_app_limited);
        assert!(delivery.app_limited.is_some());
        delivery.sample(MICRO, 6, 1, 0, None);
        assert_eq!(delivery.app_limited, None);
    }
}
