//! Delivery rate: one sample per acknowledgment (`net/ipv4/tcp_rate.c`).

use super::Socket;
use super::departure::Departure;
use super::recovery::{Phase, Progress};
use super::sent::OnItsWay;
use crate::congestion::{Connection, Control, RateSample, Repair, Samples};
use crate::time::{Time, micros};

/// The newest segment that an acknowledgment reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newest {
    departure: Departure,
    end: u64,
    /// Time from the first to the last send of the segments in its sample, microseconds.
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
    /// `delivered_mstamp`: time of the last acknowledgment.
    at: u64,
    /// `first_tx_mstamp`: send time of the newest delivered segment.
    first_sent: u64,
    /// `app_limited`: until this many segments are delivered, samples show the application's rate.
    app_limited: Option<u64>,
    /// Whether a `send()` is in progress.
    is_writing: bool,
}

impl Delivery {
    /// `tcp_rate_skb_sent`. `is_first`: nothing else is in flight.
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

    /// `tcp_rate_skb_delivered`: a segment is reported as delivered for the first time.
    pub(super) fn arrived(&mut self, one: &OnItsWay, newest: &mut Option<Newest>) {
        let sent = micros(one.at);
        if newest.is_none_or(|known| (sent, one.end) > (self.first_sent, known.end)) {
            self.first_sent = sent;
            let sending = sent.saturating_sub(one.departure.first_sent);
            *newest = Some(Newest { departure: one.departure, end: one.end, sending });
        }
    }

    /// `tcp_rate_gen`, with `acked` of the `delivered` segments newly delivered. `least`: `tcp_min_rtt`.
    fn sample(&mut self, now: Time, delivered: u64, acked: u64, least: u64, newest: Option<Newest>) -> RateSample {
        if self.app_limited.is_some_and(|until| delivered > until) {
            self.app_limited = None;
        }
        if acked > 0 {
            self.at = micros(now);
        }
        let Some(Newest { departure, sending, .. }) = newest else { return RateSample::default() };
        // The slower of sending and acknowledging determines the rate.
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
    /// The view of the connection for an algorithm.
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
        // The segment of the handshake counts (`tcp_rcv_state_process`).
        self.recovery.delivered = 1;
        let seen = self.connection(now);
        if let Control::Bbr(bbr) = &mut self.control {
            bbr.begin(&seen, &mut self.window, Some(self.round_trip.least()));
            self.pacing_rate = Some(bbr.rate());
        } else {
            self.update_pacing_rate();
        }
    }

    /// `cong_control`: for an algorithm that controls window and rate itself.
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

    /// Marks samples of the segments now in flight as application-limited.
    fn limit_samples(&mut self) {
        self.delivery.app_limited = Some((self.recovery.delivered + self.sent.in_flight()).max(1));
    }

    /// `tcp_rate_check_app_limited`, called when a `send()` begins.
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

    /// Ends the `send()`.
    pub(super) const fn note_write_end(&mut self) {
        self.delivery.is_writing = false;
    }

    /// `tcp_ca_event(CA_EVENT_TX_START)`, called before a send.
    pub(super) fn note_begin_of_sending(&mut self, now: Time) {
        let is_start = if self.control.sets_rate() { self.sent.in_flight() == 0 } else { self.sent.is_empty() };
        if is_start {
            let seen = self.connection(now);
            self.control.began_to_send(&seen, self.last_sent, &mut self.window);
            self.take_rate();
        }
    }

    /// Applies the rate that the algorithm has set.
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

    /// Ten segments are sent at once, and delivered 100 µs apart after 20 ms.
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

    /// ACKs for data sent over 9 ms arrive at once, so the rate is that of sending.
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

    /// A sample shorter than the minimum round trip comes from a spurious retransmission, because no data
    /// arrives that soon.
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
