//! Processing of an acknowledgment (`tcp_ack`).

use super::Socket;
use super::delivery::Newest;
use super::recovery::Progress;
use super::sent::OnItsWay;
use crate::congestion::{AckSample, RateSample};
use crate::segment::Segment;
use crate::time::{MILLISECOND, Time, micros};

/// Send times of the acknowledged segments, as far as known (`tcp_clean_rtx_queue`).
#[derive(Clone, Copy, Debug, Default)]
struct Sampled {
    /// First and last send of the segments newly acknowledged and never retransmitted.
    acked: Option<(Time, Time)>,
    /// The same for segments newly sacked.
    sacked: Option<(Time, Time)>,
    has_acked_resent: bool,
    /// Lowest start of late data that was sacked, and of late data that was acknowledged.
    late: Option<u64>,
    late_acked: Option<u64>,
    /// The newest of all, for the delivery rate.
    newest: Option<Newest>,
    /// Number of acknowledged segments.
    count: u64,
    /// Round trip of the newest, microseconds (`rtt_us` of the rate sample).
    rtt: Option<u64>,
    /// `FLAG_ACK_MAYBE_DELAYED`.
    is_ack_delayed: bool,
}

impl Sampled {
    fn extend(span: &mut Option<(Time, Time)>, at: Time) {
        *span = Some((span.map_or(at, |(first, _)| first), at));
    }
}

impl Socket {
    /// Processes a segment's acknowledgment, window and SACK blocks.
    pub(super) fn on_ack(&mut self, now: Time, segment: &Segment) {
        if segment.ack > self.nxt {
            return;
        }
        self.probes = 0;
        let prior_una = self.una;
        let prior_delivered = self.recovery.delivered;
        let (ever_lost, prior_in_flight) = (self.sent.ever_lost, self.sent.in_flight());
        let echoes = self.ecn.hears_echo(segment);
        let mut progress = Progress { echo: segment.echo, echoes, ..Progress::default() };
        let is_old = segment.ack < prior_una;
        progress.advanced = segment.ack > prior_una;
        if progress.advanced {
            self.recovery.timeouts = 0;
        }
        progress.is_no_duplicate = segment.len > 0 || segment.is_fin;
        if !is_old {
            progress.is_no_duplicate |= self.update_window(now, segment);
        }
        self.accept_reduction(segment);
        let had_sent = !self.sent.is_empty();
        let mut sampled = Sampled::default();
        self.take_dsack(segment, &mut progress);
        let highest = self.sent.highest_sacked().unwrap_or(self.una);
        self.take_sack(now, segment, &mut progress, &mut sampled);
        if let Some(late) = sampled.late.filter(|_| self.recovery.phase != super::recovery::Phase::Loss) {
            self.check_reordering(late);
        }
        if !had_sent {
            if progress.doubled {
                self.judge(now, prior_una, &mut progress);
            }
            self.opened_window(now);
            self.take_probe_answer(segment.ack, &progress);
        } else if is_old {
            let resends = self.judge(now, prior_una, &mut progress);
            if resends {
                self.retransmit_lost(now);
            }
        } else {
            self.clean(now, segment, highest, &mut progress, &mut sampled);
            self.recovery.update_reordering_window(prior_delivered);
            self.take_probe_answer(segment.ack, &progress);
            let is_plain = segment.len == 0 && !segment.is_fin;
            let is_duplicate = !(progress.advanced || progress.is_no_duplicate || progress.doubled);
            progress.duplicates = u64::from(is_duplicate && is_plain);
            let is_dubious = !(progress.acked || progress.is_no_duplicate)
                || progress.sacked
                || progress.echoes
                || progress.doubled
                || self.recovery.phase != super::recovery::Phase::Open;
            let resends = is_dubious && self.judge(now, prior_una, &mut progress);
            if progress.sets_timer {
                self.set_timer(now);
            }
            let newly_lost = self.sent.ever_lost - ever_lost;
            if self.control.sets_rate() {
                let ack = RateSample {
                    rtt: sampled.rtt,
                    is_ack_delayed: sampled.is_ack_delayed,
                    losses: newly_lost,
                    prior_in_flight,
                    ..RateSample::default()
                };
                self.control_rate(now, &progress, sampled.newest, ack);
            } else {
                self.control_window(now, &progress, newly_lost);
            }
            if resends {
                self.retransmit_lost(now);
            }
        }
        // `tcp_data_snd_check`.
        self.push(now, self.own_nagle());
        self.check_space(now);
    }

    /// `tcp_ack_update_window`: returns whether the window changed.
    fn update_window(&mut self, now: Time, segment: &Segment) -> bool {
        let end = segment.ack + segment.window;
        let is_news = segment.ack > self.una || end > self.window_end;
        if is_news {
            // A window that opens after an idle period restarts the congestion window.
            if segment.window != self.peer_window && !self.queue.is_empty() {
                self.restart_after_rest(now);
            }
            self.peer_window = segment.window;
            self.window_end = end;
            self.largest_peer_window = self.largest_peer_window.max(segment.window);
        }
        is_news
    }

    fn take_dsack(&mut self, segment: &Segment, progress: &mut Progress) {
        let Some((_, end)) = segment.dsack.filter(|_| self.rules.has_sack) else { return };
        progress.doubled = true;
        if let Some(probe) = self.recovery.probe
            && probe.is_resent
            && end == probe.end
        {
            progress.doubled_probe = true;
        }
        self.recovery.doubled(end, self.una);
    }

    /// `tcp_sacktag_write_queue`.
    fn take_sack(&mut self, now: Time, segment: &Segment, progress: &mut Progress, sampled: &mut Sampled) {
        let least = self.round_trip.least();
        let high = self.recovery.high();
        let highest = self.sent.highest_sacked().unwrap_or(self.una);
        for block in segment.sack.into_iter().filter(|_| self.rules.has_sack) {
            if block.1 <= self.una.max(segment.ack) {
                continue;
            }
            let (recovery, delivery) = (&mut self.recovery, &mut self.delivery);
            self.sent.sack(block, |one| {
                progress.sacked = true;
                progress.delivered += 1;
                recovery.delivered += 1;
                recovery.arrived(&one, now, least);
                delivery.arrived(&one, &mut sampled.newest);
                if !one.was_resent {
                    Sampled::extend(&mut sampled.sacked, one.at);
                    progress.original |= one.end <= high;
                    if one.seq < highest {
                        sampled.late = Some(sampled.late.map_or(one.seq, |late| late.min(one.seq)));
                    }
                }
            });
        }
    }

    /// `tcp_check_sack_reordering`: `late` was sent before others that have been delivered.
    fn check_reordering(&mut self, late: u64) {
        let highest = self.sent.highest_sacked().unwrap_or(self.una);
        if late < highest {
            self.recovery.saw_reordering((highest - late).div_ceil(self.mss()));
        }
    }

    /// `tcp_clean_rtx_queue`.
    fn clean(&mut self, now: Time, segment: &Segment, highest: u64, progress: &mut Progress, sampled: &mut Sampled) {
        let least = self.round_trip.least();
        let high = self.recovery.high();
        let had_sacked = self.sent.sacked > 0;
        while let Some(one) = self.sent.pop_before(segment.ack) {
            progress.acked = true;
            sampled.count += 1;
            self.note_acked(one, now, least, high, progress, sampled);
        }
        // A single small segment, whose acknowledgment the receiver may have delayed.
        sampled.is_ack_delayed = sampled.count == 1
            && !had_sacked
            && segment.ack - self.una < self.mss()
            && sampled.acked.is_some()
            && !(sampled.has_acked_resent || progress.sacked || progress.doubled)
            && sampled.newest.is_some_and(|newest| newest.prior_delivered() + 1 == self.recovery.delivered);
        if segment.ack > self.una {
            self.sent.trim(segment.ack);
            self.queue.acknowledge(self.una, segment.ack);
            self.una = segment.ack;
        }
        if let Some(late) = sampled.late_acked.filter(|&late| late < highest && self.rules.has_sack) {
            self.check_reordering(late);
        }
        if !self.rules.has_sack {
            self.remove_duplicates(sampled.count, progress);
            // The acknowledgment may be for a retransmission, not for the original.
            progress.original &= !sampled.has_acked_resent;
        }
        self.sample_round_trip(now, segment, progress, sampled);
    }

    fn note_acked(
        &mut self,
        one: OnItsWay,
        now: Time,
        least: u64,
        high: u64,
        progress: &mut Progress,
        sampled: &mut Sampled,
    ) {
        if one.was_resent {
            sampled.has_acked_resent = true;
        } else if !one.is_sacked {
            Sampled::extend(&mut sampled.acked, one.at);
            progress.original |= one.end <= high;
            sampled.late_acked = Some(sampled.late_acked.map_or(one.seq, |late| late.min(one.seq)));
        }
        if !one.is_sacked {
            // Without SACK, duplicate ACKs have already counted delivered segments.
            if self.rules.has_sack {
                progress.delivered += 1;
                self.recovery.delivered += 1;
                self.recovery.arrived(&one, now, least);
            }
            self.delivery.arrived(&one, &mut sampled.newest);
        }
    }

    /// `tcp_ack_update_rtt`.
    fn sample_round_trip(&mut self, now: Time, segment: &Segment, progress: &mut Progress, sampled: &mut Sampled) {
        let by_ack = sampled.acked.filter(|_| !sampled.has_acked_resent);
        let by_ack = by_ack.map(|(first, last)| (now - first, now - last));
        let by_sack = sampled.sacked.map(|(first, last)| (now - first, now - last));
        // Timestamps are milliseconds (`tcp_rtt_tsopt_us`).
        let ticks = self.rules.ticks;
        let by_stamp = (progress.acked && segment.echo > 0)
            .then(|| ticks.stamp(now).saturating_sub(ticks.stamp(segment.echo)).max(1) * MILLISECOND);
        let rtt = by_ack.map(|(rtt, _)| rtt).or(by_sack.map(|(rtt, _)| rtt));
        let newest = by_sack.map(|(_, newest)| newest).or(by_ack.map(|(_, newest)| newest));
        let (rtt, newest) = match (rtt, newest, by_stamp) {
            (Some(rtt), Some(newest), _) => (rtt, newest),
            (_, _, Some(stamp)) => (stamp, stamp),
            _ => return,
        };
        sampled.rtt = Some(micros(newest));
        self.round_trip.sample(rtt, newest, self.una, self.nxt, now);
        self.probe_doublings = 0;
        if progress.acked {
            progress.sets_timer = true;
        } else if let (Some(head), Some((rtt, _))) = (self.sent.first(), by_sack)
            && rtt > now - head.at
        {
            progress.sets_timer = true;
        }
        let sample =
            AckSample { now, rtt: micros(newest), una: self.una, nxt: self.nxt, pacing_rate: self.pacing_rate };
        self.control.acked(&mut self.window, sample);
    }

    /// `tcp_cong_control`.
    fn control_window(&mut self, now: Time, progress: &Progress, newly_lost: u64) {
        if self.recovery.is_reducing() {
            self.reduce(progress.delivered, newly_lost, progress.advanced);
        } else if self.recovery.may_grow(progress) {
            if self.is_window_used() {
                self.control.grow(&mut self.window, progress.delivered, now);
            }
            // `tcp_cong_avoid` stores the time even if the window is not used.
            self.usage.stamp = now;
        }
        self.update_pacing_rate();
    }

    /// `tcp_process_tlp_ack`.
    fn take_probe_answer(&mut self, ack: u64, progress: &Progress) {
        let Some(probe) = self.recovery.probe else { return };
        if ack < probe.end {
            return;
        }
        if !probe.is_resent || progress.doubled_probe {
            self.recovery.probe = None;
        } else if ack > probe.end {
            // Only one of probe and original has arrived, so there was a loss.
            self.begin_reduction();
            self.recovery.phase = super::recovery::Phase::Reduced;
            self.end_reduction();
            self.keep_open();
        } else if !(progress.advanced || progress.is_no_duplicate || progress.sacked) {
            self.recovery.probe = None;
        }
    }
}
