//! Decides what to send, and when (`tcp_write_xmit`).

use super::Socket;
use super::queue::{Ends, Waiting};
use super::recovery::Phase;
use super::sent::Run;
use super::shown::Burst;
use crate::segment::Segment;
use crate::time::{MILLISECOND, Time};

/// Rule for a segment that is not full (RFC 896, `tcp_nagle_test`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nagle {
    /// It waits while a small segment is in flight (Minshall's variant).
    On,
    /// It never waits: `TCP_NODELAY`.
    Off,
    /// It does not wait this time (`TCP_NAGLE_PUSH`).
    Push,
    /// It always waits: `TCP_CORK`, `MSG_MORE`.
    Cork,
}

/// Sending does not wait for an ACK later than this (`tcp_tso_should_defer`).
const NEAR: Time = MILLISECOND;

/// Reason to defer a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deferred {
    No,
    /// More data or ACKs are likely soon.
    Yes,
    /// The congestion window is full.
    ByWindow,
}

impl Socket {
    /// `__tcp_push_pending_frames`.
    pub(super) fn push(&mut self, now: Time, nagle: Nagle) {
        self.transmit(now, nagle, false);
        if self.sent.is_empty() && !self.queue.is_empty() {
            self.arm_probe(now);
        }
    }

    /// `tcp_write_xmit`; if `is_one`, a single burst.
    pub(super) fn transmit(&mut self, now: Time, nagle: Nagle, is_one: bool) {
        let mut segments = 0;
        let mut is_limited = false;
        while let Some(mut first) = self.queue.first() {
            if self.is_paced(now) {
                break;
            }
            let flight = self.sent.in_flight();
            if flight >= self.window.size {
                break;
            }
            // `tcp_cwnd_test`.
            let quota = (self.window.size - flight).min((self.window.size / 2).max(1)).min(self.burst_segments());
            if self.rules.version.fills_buffers {
                self.queue.grow_first((quota * self.mss()).saturating_sub(first.len));
                first = self.queue.first().unwrap_or(first);
            }
            let Some(len) = self.length_of_burst(now, first, quota, nagle, is_one, &mut is_limited) else { break };
            if self.is_host_full(len) {
                self.is_throttled = true;
                break;
            }
            let is_end = self.is_end(first, len);
            // The writer is blocked in the middle of a write.
            if len == 0 && !is_end {
                break;
            }
            segments += self.send_new(now, first, len);
            if is_one {
                break;
            }
        }
        is_limited |= self.sent.in_flight() >= self.window.size;
        if segments > 0 || is_limited {
            self.validate_window(now, is_limited);
        }
        if segments > 0 {
            if self.recovery.is_reducing() {
                self.recovery.out += segments;
            }
            self.schedule_probe(now, false);
        }
    }

    fn is_end(&self, first: Waiting, len: u64) -> bool {
        self.queue.count() == 1 && len == first.len && self.queue.fin().is_some()
    }

    /// Bytes of the first buffer to send now; `None` for none.
    fn length_of_burst(
        &self,
        now: Time,
        first: Waiting,
        quota: u64,
        nagle: Nagle,
        is_one: bool,
        is_limited: &mut bool,
    ) -> Option<u64> {
        let mss = self.mss();
        let is_last = self.queue.count() == 1;
        let is_end = is_last && self.queue.fin().is_some();
        let is_bare_end = is_end && first.len == 0;
        // `tcp_snd_wnd_test`.
        if first.seq + first.len.min(mss) > self.window_end && !is_bare_end {
            return None;
        }
        if first.len <= mss {
            let waits = !is_end && is_last && self.nagle_holds(nagle, first.len < mss);
            return (!waits).then_some(first.len);
        }
        let room = self.window_end - first.seq;
        if !is_one {
            match self.deferred(now, first, is_last, is_end) {
                Deferred::No => {}
                Deferred::Yes => return None,
                Deferred::ByWindow => {
                    *is_limited = true;
                    return None;
                }
            }
        }
        // `tcp_mss_split_point`.
        let most = quota * mss;
        if most <= room && !is_last {
            return Some(most.min(first.len));
        }
        let needed = first.len.min(room);
        if most <= needed {
            return Some(most);
        }
        let partial = needed % mss;
        let whole = needed - partial;
        let is_held = !is_end && self.nagle_holds(nagle, partial != 0);
        let len = if whole > 0 && is_held { whole } else { needed };
        (len > 0).then_some(len)
    }

    /// `tcp_nagle_check`, with `tcp_minshall_check`.
    pub(super) const fn nagle_holds(&self, nagle: Nagle, is_partial: bool) -> bool {
        let waits = match nagle {
            Nagle::Cork => true,
            Nagle::On => self.has_sent() && self.small_end > self.una,
            Nagle::Off | Nagle::Push => false,
        };
        is_partial && waits
    }

    const fn has_sent(&self) -> bool {
        self.nxt > self.una
    }

    /// `tcp_tso_should_defer`.
    fn deferred(&self, now: Time, first: Waiting, is_last: bool, is_end: bool) -> Deferred {
        if self.recovery.phase >= Phase::Recovery || now.saturating_sub(self.write_stamp) > MILLISECOND {
            return Deferred::No;
        }
        let mss = self.mss();
        let by_peer = self.window_end - first.seq;
        let by_window = (self.window.size - self.sent.in_flight()) * mss;
        let limit = by_peer.min(by_window);
        let whole = self.peer_window.min(self.window.size * mss);
        // Without a divisor, the limit is more than three segments (`tcp_max_tso_deferred_mss`).
        let chunk = whole.checked_div(self.rules.window_divisor).unwrap_or(3 * mss + 1);
        if limit >= self.burst_segments() * mss || (!is_last && limit >= first.len) || limit >= chunk {
            return Deferred::No;
        }
        let Some(head) = self.sent.first() else { return Deferred::No };
        let smoothed = self.round_trip.smoothed().unwrap_or(0);
        let is_far = if self.rules.version.defers_by_next_ack {
            (head.at + smoothed).saturating_sub(now) > (smoothed / 2).min(NEAR)
        } else {
            now - head.at < smoothed / 2
        };
        if is_far {
            return Deferred::No;
        }
        if by_window < by_peer {
            if by_window <= first.len {
                return Deferred::ByWindow;
            }
        } else if by_peer <= first.len {
            return Deferred::Yes;
        }
        if is_end || first.is_record { Deferred::No } else { Deferred::Yes }
    }

    /// `tcp_small_queue_check` for new data. In the kernel, `sk_wmem_alloc` is its memory plus one.
    pub(super) fn is_host_full(&self, len: u64) -> bool {
        self.in_host >= self.host_limit(len) && self.queue.sent_count() > 1
    }

    /// `tcp_small_queue_check` for retransmissions, which may use twice as much.
    fn is_host_full_of_resent(&self, len: u64) -> bool {
        self.in_host >= 2 * self.host_limit(len) && self.queue.sent_count() > 1
    }

    fn host_limit(&self, len: u64) -> u64 {
        (2 * (len + self.rules.skb_overhead)).max(self.paced_bytes()).min(self.rules.queue_limit)
    }

    /// Sends `len` bytes for the first time. Returns the number of segments.
    fn send_new(&mut self, now: Time, first: Waiting, len: u64) -> u64 {
        let mss = self.mss();
        self.note_begin_of_sending(now);
        let was_idle = self.sent.is_empty();
        let departure = self.delivery.depart(now, self.recovery.delivered, was_idle);
        let ends = self.queue.take(len);
        let end = first.seq + len + u64::from(ends.stream);
        let segments = len.div_ceil(mss).max(1);
        for n in 0..segments {
            let from = first.seq + n * mss;
            let to = if n + 1 == segments { end } else { from + mss };
            self.sent.push(from, to, first.seq, now, departure);
        }
        if len < segments * mss {
            self.small_end = end;
        }
        if ends.write {
            self.sent.push_last();
        }
        self.counts.data_segments += segments;
        self.emit(now, first.seq, len, ends, segments);
        self.nxt = end;
        self.on_new_sent(now, was_idle);
        segments
    }

    /// `tcp_transmit_skb` with data.
    pub(super) fn emit(&mut self, now: Time, seq: u64, len: u64, ends: Ends, frames: u64) {
        self.acknowledging.sent_data(now);
        self.last_sent = now;
        let prior_stamp = self.write_stamp;
        self.write_stamp = self.write_stamp.max(now);
        let memory = if self.leaves_at_once { 0 } else { len + self.rules.skb_overhead };
        self.in_host += memory;
        // Segmentation offload sets a push flag at the end of each burst.
        let is_push = frames > 1 || ends.write;
        let size = if frames > 1 { self.mss() } else { 0 };
        let answer = self.acknowledgement(now);
        let ecn = if seq >= self.nxt { self.ecn.with_new_data(answer.ecn) } else { answer.ecn };
        let segment = Segment { seq, len, is_fin: ends.stream, is_push, frames, size, ecn, ..answer };
        self.out.push_back(Burst { segment, memory });
        self.pace(len, prior_stamp);
    }

    /// Retransmits lost segments as far as the window allows (`tcp_xmit_retransmit_queue`).
    pub(super) fn retransmit_lost(&mut self, now: Time) {
        let most = self.burst_segments();
        let mut has_first = false;
        loop {
            if self.is_paced(now) {
                break;
            }
            let quota = self.window.size.saturating_sub(self.sent.in_flight()).min(most);
            let Some(lost) = self.sent.next_lost(quota).filter(|_| quota > 0) else { break };
            if self.is_host_full_of_resent(lost.end - lost.seq) {
                self.is_throttled = true;
                break;
            }
            let is_first = self.sent.first().is_some_and(|first| first.seq == lost.seq);
            let is_last = self.sent.last().is_some_and(|last| last.buffer <= lost.seq);
            if lost.is_cut && !is_first && !is_last && self.queue.is_too_big_to_cut() {
                break;
            }
            has_first |= is_first;
            self.resend(now, lost);
            if self.recovery.is_reducing() {
                self.recovery.out += lost.segments;
            }
        }
        if has_first {
            self.restart_timeout(now);
        }
    }

    /// `tcp_retransmit_skb`.
    pub(super) fn resend(&mut self, now: Time, run: Run) {
        let Run { seq, end, segments, .. } = run;
        let is_fin = self.queue.fin().is_some_and(|fin| end > fin);
        self.note_begin_of_sending(now);
        let departure = self.delivery.depart(now, self.recovery.delivered, false);
        self.sent.resend(run, now, departure);
        self.recovery.resent(now, segments);
        self.counts.retransmitted += segments;
        self.counts.data_segments += segments;
        self.emit(
            now,
            seq,
            end - seq - u64::from(is_fin),
            Ends { stream: is_fin, write: self.sent.is_push_at(end) },
            segments,
        );
    }

    pub(super) fn send_ack(&mut self, now: Time) {
        let segment = Segment { seq: self.nxt, frames: 1, ..self.acknowledgement(now) };
        self.out.push_back(Burst { segment, memory: 0 });
    }

    /// Sends a part of the first buffer, independent of Nagle's algorithm.
    pub(super) fn send_forced(&mut self, now: Time, len: u64) {
        // `tcp_write_wakeup` sets the push flag.
        self.queue.push_first();
        if let Some(first) = self.queue.first() {
            self.send_new(now, first, len);
        }
    }

    /// The segment of a window probe.
    pub(super) fn probe_segment(&mut self, now: Time) -> Segment {
        self.acknowledgement(now)
    }

    /// The acknowledging fields of every segment (`tcp_select_window`, `tcp_established_options`).
    fn acknowledgement(&mut self, now: Time) -> Segment {
        let window = self.receiving.offer(&mut self.acknowledging);
        let empty = self.stamped(now);
        let room = if self.rules.has_sack { empty.sack_room() } else { 0 };
        let (sack, dsack) = self.receiving.take_sack(room);
        self.acknowledging.sent_ack();
        Segment { ack: self.receiving.next(), window, sack, dsack, ecn: self.ecn.of_ack(), ..empty }
    }

    /// An empty segment with timestamps, if in use.
    pub(super) fn stamped(&self, now: Time) -> Segment {
        if self.rules.has_stamps {
            Segment { has_stamps: true, stamp: now, echo: self.receiving.echo(), ..Segment::default() }
        } else {
            Segment::default()
        }
    }
}
