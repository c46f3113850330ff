//! Loss detection and recovery: RACK (RFC 8985), PRR (RFC 6937), undo (RFC 3522, 4015), F-RTO (RFC 5682).

use super::Socket;
use super::sent::{Judged, OnItsWay};
use crate::ticks::Ticks;
use crate::time::{Time, micros};

/// `icsk_ca_state`, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    #[default]
    Open,
    /// Data arrived out of order.
    Disorder,
    /// The window is reduced without a loss (`TCP_CA_CWR`).
    Reduced,
    Recovery,
    /// After a timeout.
    Loss,
}

/// `TCP_FASTRETRANS_THRESH`.
const REORDERING: u64 = 3;
/// `tcp_max_reordering`.
const MOST_REORDERING: u64 = 300;
/// `TCP_RACK_RECOVERY_THRESH`.
const PERSISTS: u32 = 16;

/// `struct tcp_rack`: the latest send time of all delivered segments.
#[derive(Clone, Copy, Debug)]
struct Rack {
    at: Time,
    end: u64,
    rtt: Time,
    has_advanced: bool,
    /// Reordering window in quarters of the minimum round trip.
    steps: u64,
    persists: u32,
    has_seen_dsack: bool,
    /// `delivered` at the last growth of the reordering window.
    last_delivered: u64,
}

/// The state of recovery.
#[derive(Debug)]
pub(super) struct Recovery {
    pub(super) phase: Phase,
    /// `high_seq`: recovery ends when this is acknowledged.
    high: u64,
    pub(super) prior_window: u64,
    prior_threshold: u64,
    /// `prr_delivered`, `prr_out`.
    delivered_since: u64,
    pub(super) out: u64,
    /// `undo_marker`, `undo_retrans`: retransmissions not reported as duplicates by D-SACK; `None` if there
    /// were none at the start.
    undo_from: Option<u64>,
    undo_resent: Option<i64>,
    /// `retrans_stamp`.
    first_resent: Option<Time>,
    has_reordering: bool,
    /// `reord_seen`.
    pub(super) reordering_seen: u64,
    pub(super) reordering: u64,
    rack: Rack,
    /// `tlp_high_seq`, and whether the probe was a retransmission.
    pub(super) probe: Option<Probe>,
    /// `frto`.
    may_be_spurious: bool,
    /// `icsk_retransmits`.
    pub(super) timeouts: u32,
    /// `tp->delivered`: number of delivered segments.
    pub(super) delivered: u64,
}

/// A tail loss probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Probe {
    pub(super) end: u64,
    pub(super) is_resent: bool,
}

impl Default for Recovery {
    fn default() -> Self {
        Self {
            phase: Phase::Open,
            high: 0,
            prior_window: 0,
            prior_threshold: 0,
            delivered_since: 0,
            out: 0,
            undo_from: None,
            undo_resent: None,
            first_resent: None,
            has_reordering: false,
            reordering_seen: 0,
            reordering: REORDERING,
            rack: Rack {
                at: 0,
                end: 0,
                rtt: 0,
                has_advanced: false,
                steps: 1,
                persists: 0,
                has_seen_dsack: false,
                last_delivered: 0,
            },
            probe: None,
            may_be_spurious: false,
            timeouts: 0,
            delivered: 0,
        }
    }
}

/// Effects of an acknowledgment (`FLAG_…` of `tcp_input.c`).
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are the kernel's flags")]
pub(super) struct Progress {
    /// It acknowledged new data (`FLAG_SND_UNA_ADVANCED`).
    pub(super) advanced: bool,
    /// Segments were acknowledged (`FLAG_DATA_ACKED`).
    pub(super) acked: bool,
    /// It reported segments after a hole (`FLAG_DATA_SACKED`).
    pub(super) sacked: bool,
    /// It reported a duplicate (`FLAG_DSACKING_ACK`).
    pub(super) doubled: bool,
    /// It reported the tail loss probe as duplicate (`FLAG_DSACK_TLP`).
    pub(super) doubled_probe: bool,
    /// It reported a never retransmitted segment before `high` (`FLAG_ORIG_SACK_ACKED`).
    pub(super) original: bool,
    /// A retransmission was lost (`FLAG_LOST_RETRANS`).
    pub(super) lost_resent: bool,
    /// It had data, or changed the window (`FLAG_NOT_DUP`).
    pub(super) is_no_duplicate: bool,
    /// The timer must be reset (`FLAG_SET_XMIT_TIMER`).
    pub(super) sets_timer: bool,
    /// It reported a mark (`FLAG_ECE`).
    pub(super) echoes: bool,
    /// Number of duplicate ACKs that it represents (`num_dupack`).
    pub(super) duplicates: u64,
    /// The timestamp that it echoes.
    pub(super) echo: Time,
    /// Number of newly delivered segments.
    pub(super) delivered: u64,
}

impl Recovery {
    /// `high_seq`.
    pub(super) const fn high(&self) -> u64 {
        self.high
    }

    /// `tcp_in_cwnd_reduction`.
    pub(super) const fn is_reducing(&self) -> bool {
        matches!(self.phase, Phase::Reduced | Phase::Recovery)
    }

    /// `tcp_may_raise_cwnd`.
    pub(super) const fn may_grow(&self, progress: &Progress) -> bool {
        if self.reordering > REORDERING { progress.acked || progress.sacked } else { progress.acked }
    }

    /// A segment was delivered whose last send was at `one.at` (`tcp_rack_advance`). `least`: the minimum
    /// round trip, microseconds.
    pub(super) fn arrived(&mut self, one: &OnItsWay, now: Time, least: u64) {
        let rtt = now - one.at;
        // The original may have arrived, not the retransmission.
        if micros(rtt) < least && one.was_resent {
            return;
        }
        self.rack.has_advanced = true;
        self.rack.rtt = rtt;
        if (one.at, one.end) > (self.rack.at, self.rack.end) {
            (self.rack.at, self.rack.end) = (one.at, one.end);
        }
    }

    /// A segment arrived later than others that were sent after it (`tcp_check_sack_reordering`).
    pub(super) fn saw_reordering(&mut self, distance: u64) {
        self.has_reordering = true;
        self.reordering_seen += 1;
        self.reordering = self.reordering.max(distance.min(MOST_REORDERING));
    }

    /// This many duplicate ACKs may be due to reordering (`tcp_check_reno_reordering`).
    pub(super) fn saw_duplicates(&mut self, count: u64) {
        self.reordering = count.min(MOST_REORDERING);
        self.has_reordering = true;
    }

    pub(super) const fn forget_first_resent(&mut self) {
        self.first_resent = None;
    }

    pub(super) fn resent(&mut self, now: Time, segments: u64) {
        self.first_resent.get_or_insert(now);
        self.undo_resent = Some(self.undo_resent.unwrap_or(0) + segments.cast_signed());
    }

    /// A D-SACK reports a spurious retransmission (`tcp_check_dsack`).
    pub(super) fn doubled(&mut self, end: u64, una: u64) {
        self.rack.has_seen_dsack = true;
        self.has_reordering = true;
        if self.undo_from.is_some_and(|from| end > from) && end <= una.max(self.high) {
            self.undo_resent = self.undo_resent.map(|left| left - 1);
        }
    }

    /// `tcp_rack_update_reo_wnd`.
    pub(super) fn update_reordering_window(&mut self, prior_delivered: u64) {
        let rack = &mut self.rack;
        if prior_delivered < rack.last_delivered {
            rack.has_seen_dsack = false;
        }
        if rack.has_seen_dsack {
            rack.steps = (rack.steps + 1).min(0xff);
            rack.has_seen_dsack = false;
            rack.last_delivered = self.delivered;
            rack.persists = PERSISTS;
        } else if rack.persists == 0 {
            rack.steps = 1;
        }
    }

    /// `tcp_packet_delayed`: whether the answer is older than the first retransmission. Timestamps are
    /// milliseconds.
    fn is_answer_to_original(&self, progress: &Progress, ticks: Ticks) -> bool {
        self.first_resent.is_some_and(|at| progress.echo > 0 && ticks.stamp(progress.echo) < ticks.stamp(at))
    }

    /// `tcp_may_undo`.
    fn may_undo(&self, progress: &Progress, ticks: Ticks) -> bool {
        self.undo_from.is_some() && (self.undo_resent == Some(0) || self.is_answer_to_original(progress, ticks))
    }
}

impl Socket {
    /// `tcp_rack_reo_wnd`.
    fn reordering_window(&self) -> Time {
        let recovery = &self.recovery;
        if !recovery.has_reordering && (recovery.phase >= Phase::Recovery || self.sent.sacked >= recovery.reordering) {
            return 0;
        }
        let quarter = (self.round_trip.least() / 4) * recovery.rack.steps;
        let smoothed = self.round_trip.eighths() / 8;
        quarter.min(smoothed) * 1_000
    }

    /// `tcp_rack_detect_loss`: returns the time until the next check, if one is needed.
    pub(super) fn detect_loss(&mut self, now: Time) -> Option<Time> {
        let window = self.reordering_window();
        let rack = self.recovery.rack;
        let has_reordering = self.recovery.has_reordering || self.counts.retransmitted > 0;
        let mut longest = None;
        self.sent.mark_lost(|one| {
            if (one.at, one.end) >= (rack.at, rack.end) {
                // Segments are in the order of sends unless some were retransmitted.
                return if has_reordering { Judged::OnItsWay } else { Judged::AllLater };
            }
            let due = one.at + rack.rtt + window;
            if due <= now {
                return Judged::Lost;
            }
            longest = longest.max(Some(due - now));
            Judged::OnItsWay
        });
        longest
    }

    /// `tcp_identify_packet_loss`, `tcp_rack_mark_lost`.
    pub(super) fn identify_loss(&mut self, now: Time, progress: &mut Progress) {
        if !self.rules.has_sack {
            self.mark_first_lost(progress.advanced);
            return;
        }
        if !self.recovery.rack.has_advanced {
            return;
        }
        self.recovery.rack.has_advanced = false;
        let before = self.sent.resent;
        if let Some(rest) = self.detect_loss(now) {
            self.arm_reordering(now, rest);
            progress.sets_timer = false;
        }
        progress.lost_resent |= self.sent.resent < before;
    }

    /// `tcp_fastretrans_alert`. Returns whether to retransmit lost segments.
    pub(super) fn judge(&mut self, now: Time, prior_una: u64, progress: &mut Progress) -> bool {
        let has_sack = self.rules.has_sack;
        if self.sent.is_empty() {
            self.reset_duplicates();
        }
        if progress.echoes {
            // After a congestion mark, a reduction must not be undone.
            self.recovery.prior_threshold = 0;
        }
        if self.recovery.phase == Phase::Open {
            self.recovery.first_resent = None;
        } else if self.una >= self.recovery.high {
            match self.recovery.phase {
                Phase::Reduced if self.una != self.recovery.high => {
                    self.end_reduction();
                    self.recovery.phase = Phase::Open;
                }
                Phase::Recovery => {
                    if !has_sack {
                        self.reset_duplicates();
                    }
                    if self.try_undo_recovery(now, progress) {
                        return false;
                    }
                    self.end_reduction();
                }
                _ => {}
            }
        }
        match self.recovery.phase {
            Phase::Recovery => {
                if !progress.advanced && !has_sack {
                    self.add_duplicates(progress);
                } else if progress.advanced && self.try_undo_partial(now, prior_una, progress) {
                    return false;
                }
                if self.try_undo_doubled(now) {
                    self.try_to_open(progress);
                }
                self.identify_loss(now, progress);
                if self.recovery.phase != Phase::Recovery {
                    if self.sent.lost == 0 {
                        return false;
                    }
                    self.enter_recovery(progress.echoes);
                }
            }
            Phase::Loss => {
                let resends = self.process_timeout(now, progress);
                self.identify_loss(now, progress);
                if self.recovery.phase != Phase::Open && !progress.lost_resent {
                    return resends;
                }
                if !has_sack {
                    self.note_duplicates(progress);
                    self.identify_loss(now, progress);
                }
                if self.recovery.phase == Phase::Open && self.sent.lost == 0 {
                    self.try_to_open(progress);
                    return resends;
                }
                if self.recovery.phase == Phase::Open || progress.lost_resent {
                    self.enter_recovery(progress.echoes);
                }
            }
            Phase::Open | Phase::Disorder | Phase::Reduced => {
                if !has_sack {
                    self.note_duplicates(progress);
                }
                if self.recovery.phase <= Phase::Disorder {
                    self.try_undo_doubled(now);
                }
                self.identify_loss(now, progress);
                if self.sent.lost == 0 {
                    self.try_to_open(progress);
                    return false;
                }
                self.enter_recovery(progress.echoes);
            }
        }
        true
    }

    /// The part of `tcp_fastretrans_alert` that counts duplicates outside recovery.
    fn note_duplicates(&mut self, progress: &mut Progress) {
        if progress.advanced {
            self.reset_duplicates();
        }
        self.add_duplicates(progress);
    }

    /// `tcp_enter_cwr`: reduces the window without a loss.
    fn enter_reduction(&mut self) {
        self.recovery.prior_threshold = 0;
        if self.recovery.phase < Phase::Reduced {
            self.recovery.undo_from = None;
            self.begin_reduction();
            self.recovery.phase = Phase::Reduced;
        }
    }

    /// `tcp_enter_recovery`.
    pub(super) fn enter_recovery(&mut self, is_marked: bool) {
        self.recovery.prior_threshold = 0;
        self.begin_undo();
        if !self.recovery.is_reducing() {
            if !is_marked {
                self.recovery.prior_threshold = self.window.current_threshold();
            }
            self.begin_reduction();
        }
        self.recovery.phase = Phase::Recovery;
    }

    /// `tcp_init_undo`.
    fn begin_undo(&mut self) {
        self.recovery.undo_from = Some(self.una);
        self.recovery.undo_resent = (self.sent.resent > 0).then_some(self.sent.resent.cast_signed());
    }

    /// `tcp_init_cwnd_reduction`.
    pub(super) fn begin_reduction(&mut self) {
        self.recovery.high = self.nxt;
        self.recovery.probe = None;
        self.window.forget_counted();
        self.recovery.prior_window = self.window.size;
        (self.recovery.delivered_since, self.recovery.out) = (0, 0);
        self.window.threshold = self.control.threshold_after_loss(&self.window);
        self.ecn.slowed_down();
    }

    /// `tcp_end_cwnd_reduction`.
    pub(super) fn end_reduction(&mut self) {
        if self.control.sets_rate() {
            return;
        }
        if self.recovery.phase == Phase::Reduced || self.recovery.undo_from.is_some() {
            self.window.size = self.window.threshold;
        }
    }

    /// `tcp_cwnd_reduction`: proportional rate reduction.
    pub(super) fn reduce(&mut self, delivered: u64, newly_lost: u64, has_advanced: bool) {
        if delivered == 0 || self.recovery.prior_window == 0 {
            return;
        }
        let recovery = &mut self.recovery;
        recovery.delivered_since += delivered;
        let flight = self.sent.in_flight();
        let threshold = self.window.threshold;
        let more = if flight > threshold {
            let due = (threshold * recovery.delivered_since).div_ceil(recovery.prior_window);
            due.saturating_sub(recovery.out)
        } else {
            let mut more = recovery.delivered_since.saturating_sub(recovery.out).max(delivered);
            if has_advanced && newly_lost == 0 {
                more += 1;
            }
            more.min(threshold - flight)
        };
        let more = more.max(u64::from(recovery.out == 0));
        self.window.size = (flight + more).max(1);
    }

    /// `tcp_undo_cwnd_reduction`.
    fn undo(&mut self, now: Time, forgets_lost: bool) {
        if forgets_lost {
            self.sent.forget_lost();
        }
        if self.recovery.prior_threshold > 0 {
            let seen = self.connection(now);
            self.window.size = self.control.undo(&seen, &self.window, self.recovery.prior_window);
            if self.recovery.prior_threshold > self.window.threshold {
                self.window.threshold = self.recovery.prior_threshold;
                self.ecn.withdraw();
            }
        }
        self.recovery.undo_from = None;
        self.recovery.rack.has_advanced = true;
    }

    /// `tcp_try_undo_recovery`: returns whether recovery continues.
    fn try_undo_recovery(&mut self, now: Time, progress: &Progress) -> bool {
        if self.recovery.may_undo(progress, self.rules.ticks) {
            self.undo(now, false);
        } else {
            self.recovery.rack.persists = self.recovery.rack.persists.saturating_sub(1);
        }
        if self.holds_recovery() {
            return true;
        }
        self.recovery.phase = Phase::Open;
        false
    }

    /// `tcp_try_undo_partial`: returns whether the evaluation is complete.
    fn try_undo_partial(&mut self, now: Time, prior_una: u64, progress: &Progress) -> bool {
        if self.recovery.undo_from.is_none() || !self.recovery.is_answer_to_original(progress, self.rules.ticks) {
            return false;
        }
        let distance = self.nxt.saturating_sub(prior_una) / self.mss();
        self.recovery.saw_reordering(distance);
        if self.sent.resent > 0 {
            return true;
        }
        if !self.sent.has_any_resent() {
            self.recovery.first_resent = None;
        }
        self.undo(now, true);
        self.keep_open();
        false
    }

    /// `tcp_try_undo_dsack`.
    fn try_undo_doubled(&mut self, now: Time) -> bool {
        let is_undone = self.recovery.undo_from.is_some() && self.recovery.undo_resent == Some(0);
        if is_undone {
            self.recovery.rack.persists = (self.recovery.rack.persists + 1).min(PERSISTS);
            self.undo(now, false);
        }
        is_undone
    }

    /// `tcp_try_to_open`.
    fn try_to_open(&mut self, progress: &Progress) {
        if !self.sent.has_any_resent() {
            self.recovery.first_resent = None;
        }
        if progress.echoes {
            self.enter_reduction();
        }
        if self.recovery.phase != Phase::Reduced {
            self.keep_open();
        }
    }

    /// `tcp_try_keep_open`.
    pub(super) fn keep_open(&mut self) {
        let is_whole = self.sent.sacked + self.sent.lost == 0 && !self.sent.has_any_resent();
        let phase = if is_whole { Phase::Open } else { Phase::Disorder };
        if self.recovery.phase != phase {
            self.recovery.phase = phase;
            self.recovery.high = self.nxt;
        }
    }

    /// `tcp_process_loss`: returns whether to retransmit lost segments.
    fn process_timeout(&mut self, now: Time, progress: &mut Progress) -> bool {
        let has_recovered = self.una >= self.recovery.high;
        if progress.advanced && self.recovery.may_undo(progress, self.rules.ticks) {
            self.undo_timeout(now, false);
            return true;
        }
        if self.recovery.may_be_spurious {
            if progress.original {
                self.undo_timeout(now, true);
                return true;
            }
            if self.nxt > self.recovery.high {
                if progress.sacked || progress.duplicates > 0 {
                    self.recovery.may_be_spurious = false;
                }
            } else if progress.advanced && !has_recovered {
                self.recovery.high = self.nxt;
                if !self.queue.is_empty() && self.window_end > self.nxt {
                    // The answer to new data will show whether the remaining data has arrived.
                    return false;
                }
                self.recovery.may_be_spurious = false;
            }
        }
        if has_recovered {
            self.try_undo_recovery(now, progress);
            return false;
        }
        if !self.rules.has_sack {
            // Duplicates are caused by new data, sent after the timeout.
            if self.nxt > self.recovery.high && progress.duplicates > 0 {
                self.add_duplicates(progress);
            } else if progress.advanced {
                self.reset_duplicates();
            }
        }
        true
    }

    /// `tcp_try_undo_loss`.
    fn undo_timeout(&mut self, now: Time, is_surely_spurious: bool) {
        self.undo(now, true);
        self.recovery.timeouts = 0;
        if !self.holds_recovery() && (is_surely_spurious || self.rules.has_sack) {
            self.recovery.phase = Phase::Open;
        }
    }

    /// `tcp_enter_loss`.
    pub(super) fn enter_loss(&mut self, now: Time) {
        if !self.rules.has_sack {
            self.reset_duplicates();
        }
        let head = self.sent.first().map(|first| first.seq);
        let rtt = self.recovery.rack.rtt;
        self.sent.mark_lost(|one| {
            // Recently sent segments are not marked lost yet (`tcp_timeout_mark_lost`).
            let is_recent = Some(one.seq) != head && one.at + rtt > now;
            if is_recent { Judged::OnItsWay } else { Judged::Lost }
        });
        let is_first = self.recovery.phase < Phase::Recovery;
        let is_new = self.recovery.phase <= Phase::Disorder
            || self.recovery.high <= self.una
            || (self.recovery.phase == Phase::Loss && self.recovery.timeouts == 0);
        if is_new {
            self.recovery.prior_threshold = self.window.current_threshold();
            self.recovery.prior_window = self.window.size;
            self.window.threshold = self.control.threshold_after_loss(&self.window);
            self.begin_undo();
        }
        self.window.size = self.sent.in_flight() + 1;
        self.window.forget_counted();
        if self.recovery.phase <= Phase::Disorder && self.sent.sacked >= self.recovery.reordering {
            self.recovery.reordering = self.recovery.reordering.min(REORDERING);
        }
        self.recovery.phase = Phase::Loss;
        let seen = self.connection(now);
        self.control.timed_out(&seen, self.nxt);
        self.recovery.high = self.nxt;
        self.recovery.probe = None;
        self.recovery.may_be_spurious = is_first || self.recovery.timeouts > 0;
        self.ecn.slowed_down();
        self.usage.stamp = now;
    }
}
