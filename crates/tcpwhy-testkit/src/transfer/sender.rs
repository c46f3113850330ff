use super::pacer::{Estimate, Pacer};
use super::packet::{Ack, GRANT};
use super::{Transfer, Writer};

/// The sending host with its application: Reno with SACK (RFC 5681, RFC 6675).
pub(super) struct Sender {
    pub(super) total: u64,
    una: u64,
    pub(super) next: u64,
    pub(super) written: u64,
    pub(super) edge: u64,
    pub(super) mss: u64,
    full_mss: u64,
    pub(super) cwnd: u64,
    initial: u64,
    pub(super) clamp: u64,
    pub(super) ssthresh: u64,
    buffer: Option<u64>,
    pub(super) writer: Writer,
    /// Time that a blocked writer takes to wake, nanoseconds.
    wakes_after: i64,
    /// The writer pauses or wakes, and will write by itself.
    is_resting: bool,
    restarts: bool,
    /// Data that the receiver has beyond `una`, in order.
    held: Vec<(u64, u64)>,
    duplicates: u32,
    pub(super) recovery: Option<Recovery>,
    rto: i64,
    backoff: u32,
    timer: Option<(i64, u64)>,
    is_timer_new: bool,
    token: u64,
    probe: bool,
    has_nodelay: bool,
    pub(super) pacer: Option<Pacer>,
    is_paced: bool,
    last_send: i64,
    echo: u32,
    /// Bytes of the peer's grants that have arrived.
    heard: u64,
    falls_back: bool,
    vain: u32,
    /// Marks of data sent before this have been answered.
    cut_until: u64,
    /// The next segment reports that the window was cut.
    says_cut: bool,
}

pub(super) struct Recovery {
    high: u64,
    /// End of the retransmitted data.
    again: u64,
    /// Bytes below this that the receiver lacks are lost.
    lost_below: u64,
    /// Not by a timer.
    is_fast: bool,
}

pub(super) struct Out {
    pub(super) seq: u64,
    pub(super) len: u32,
    /// The first new segment since the window was cut for a mark.
    pub(super) is_cut: bool,
}

impl Sender {
    pub(super) fn new(t: &Transfer) -> Self {
        let mss = u64::from(t.mss);
        Self {
            total: t.bytes + 1,
            una: 1,
            next: 1,
            written: 1,
            edge: 1,
            mss,
            full_mss: mss,
            cwnd: t.initial_segments * mss,
            initial: t.initial_segments * mss,
            clamp: t.window_clamp.unwrap_or(u64::MAX / 2),
            ssthresh: t.slow_start_until.unwrap_or(u64::MAX / 2),
            buffer: t.send_buffer,
            writer: t.writer,
            wakes_after: t.wakes_after,
            is_resting: false,
            restarts: t.restarts_after_idle,
            held: Vec::new(),
            duplicates: 0,
            recovery: None,
            rto: 200_000_000 + t.rtt,
            backoff: 0,
            timer: None,
            is_timer_new: false,
            token: 0,
            probe: false,
            has_nodelay: t.has_nodelay,
            pacer: if t.estimates_path {
                Some(Pacer::Estimate(Estimate::new(t.rtt, t.initial_segments * mss)))
            } else {
                t.pacing.map(Pacer::Fixed)
            },
            is_paced: false,
            last_send: 0,
            echo: 0,
            heard: 0,
            falls_back: t.largest_passing.is_some(),
            vain: 0,
            cut_until: 0,
            says_cut: false,
        }
    }

    pub(super) fn start(&mut self, edge: u64) {
        self.edge = edge;
    }

    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn echo(&self) -> u32 {
        self.echo
    }

    pub(super) fn heard(&self) -> u64 {
        self.heard
    }

    pub(super) fn is_done(&self) -> bool {
        self.una >= self.total
    }

    /// The application writes; when it does so again by itself.
    pub(super) fn write(&mut self, now: i64) -> Option<i64> {
        self.is_resting = false;
        match self.writer {
            Writer::Bulk => {
                self.refill();
                None
            }
            Writer::Paced { bytes, every } => {
                self.written = (self.written + bytes).min(self.total);
                (self.written < self.total).then_some(now + every)
            }
            Writer::Loose { bytes, every, late } => {
                self.written = (self.written + bytes).min(self.total);
                // Pauses are spread evenly, and all differ (Knuth's multiplicative hash).
                let lateness = (self.written / bytes).wrapping_mul(2_654_435_761) % (1 << 32);
                let wait = every + ((lateness as i64 * late) >> 32);
                (self.written < self.total).then_some(now + wait)
            }
            Writer::Waning { first, bytes, every } => {
                self.written = (self.written + if self.written == 1 { first } else { bytes }).min(self.total);
                (self.written < self.total).then_some(now + every)
            }
            Writer::Bursts { bytes, .. } => {
                self.written = (self.written + bytes).min(self.total);
                None
            }
            Writer::Granted { window, .. } => {
                self.written = (1 + window).min(self.total);
                None
            }
        }
    }

    /// How long the application rests, now that all is acknowledged, or takes to wake.
    pub(super) fn rest(&mut self) -> Option<i64> {
        match self.writer {
            Writer::Bulk if self.wakes_after > 0 && self.has_space() && !self.is_resting => {
                self.is_resting = true;
                Some(self.wakes_after)
            }
            Writer::Bursts { pause, .. } if self.una >= self.written && self.una < self.total && !self.is_resting => {
                self.is_resting = true;
                Some(pause)
            }
            _ => None,
        }
    }

    /// A blocked writer wakes when a third of the buffer is free (`sk_stream_write_space`).
    fn refill(&mut self) {
        let Some(buffer) = self.buffer else {
            self.written = self.total;
            return;
        };
        if self.has_space() {
            self.written = (self.una + buffer).min(self.total).max(self.written);
        }
    }

    fn has_space(&self) -> bool {
        self.written < self.total && self.buffer.is_none_or(|buffer| (self.written - self.una) * 3 <= buffer * 2)
    }

    /// Returns whether it acknowledged anything new.
    pub(super) fn on_ack(&mut self, now: i64, ack: &Ack) -> bool {
        self.echo = ack.tsval;
        if let Writer::Granted { step, .. } = self.writer {
            let grants = ack.said.saturating_sub(self.heard) / u64::from(GRANT);
            self.written = (self.written + grants * step).min(self.total);
        }
        self.heard = self.heard.max(ack.said);
        let cwnd = self.cwnd;
        let opened = ack.edge > self.edge;
        self.edge = self.edge.max(ack.edge);
        let held_before = self.held_bytes();
        for &(start, end) in ack.blocks.iter().filter(|b| b.1 > b.0) {
            self.hold(start, end);
        }
        let freed = ack.next.saturating_sub(self.una);
        let flight = self.next - self.una;
        if freed > 0 {
            self.una = ack.next;
            self.held.retain(|h| h.1 > ack.next);
            self.duplicates = 0;
            self.backoff = 0;
            self.vain = 0;
            self.timer = None;
            self.after_progress(freed, flight);
            if matches!(self.writer, Writer::Bulk) && self.wakes_after == 0 {
                self.refill();
            }
        } else if flight > 0 && !opened {
            self.duplicates += 1;
        }
        if ack.has_echo && self.una >= self.cut_until && self.recovery.is_none() {
            self.ssthresh = (flight / 2).max(2 * self.mss);
            self.cwnd = self.ssthresh;
            self.cut_until = self.next;
            self.says_cut = true;
        }
        let held = self.held_bytes();
        self.detect_loss(flight, held > held_before);
        if self.recovery.as_ref().is_some_and(|r| r.is_fast) {
            // Only as much as was delivered may be sent, so that there is no burst (RFC 6937).
            let delivered = (freed + held).saturating_sub(held_before).max(self.mss);
            self.cwnd = self.ssthresh.min(self.pipe() + delivered).max(self.mss);
        }
        if let Some(Pacer::Estimate(estimate)) = &mut self.pacer {
            estimate.acknowledged(now, self.una, self.next, self.written - self.una >= cwnd);
            self.cwnd = estimate.window(cwnd, freed, self.mss).min(self.clamp);
        }
        if opened {
            self.backoff = 0;
            if flight == 0 {
                self.timer = None;
            }
        }
        freed > 0
    }

    fn after_progress(&mut self, freed: u64, flight: u64) {
        match &mut self.recovery {
            Some(r) if self.una >= r.high => {
                if r.is_fast {
                    self.cwnd = self.ssthresh;
                }
                self.recovery = None;
            }
            Some(r) => {
                // A partial ACK shows that the next hole is lost as well.
                r.again = r.again.max(self.una);
                if self.held.is_empty() {
                    r.again = self.una;
                    r.lost_below = r.lost_below.max(self.una + self.mss);
                }
                if self.cwnd < self.ssthresh {
                    self.cwnd += freed.min(2 * self.mss);
                }
            }
            None if self.cwnd < self.ssthresh => {
                if self.cwnd < 2 * flight {
                    self.cwnd = (self.cwnd + freed).min(self.clamp);
                }
            }
            None => {
                if flight + self.mss > self.cwnd {
                    self.cwnd = (self.cwnd + (self.mss * freed / self.cwnd).max(1)).min(self.clamp);
                }
            }
        }
    }

    fn detect_loss(&mut self, flight: u64, told: bool) {
        let highest = self.held.last().map(|h| h.1);
        if let Some(r) = &mut self.recovery {
            if told {
                r.lost_below = r.lost_below.max(highest.unwrap_or(0));
            }
            return;
        }
        if self.held_bytes() >= 3 * self.mss || self.duplicates >= 3 && self.held.is_empty() {
            self.ssthresh = (flight / 2).max(2 * self.mss);
            self.cwnd = self.ssthresh;
            let lost_below = highest.unwrap_or(self.una + self.mss);
            self.recovery = Some(Recovery { high: self.next, again: self.una, lost_below, is_fast: true });
        }
    }

    /// The next segment that may be sent.
    pub(super) fn next_segment(&mut self, now: i64) -> Option<Out> {
        if self.is_paced {
            return None;
        }
        if std::mem::take(&mut self.probe) {
            // The remaining window is used after all (`tcp_write_wakeup`).
            let room = self.edge.saturating_sub(self.next).min(self.mss).min(self.written - self.next);
            let seq = if room > 0 { self.next } else { self.una - 1 };
            self.next += room;
            return Some(Out { seq, len: room as u32, is_cut: false });
        }
        if self.restarts && self.next == self.una && now - self.last_send > self.rto {
            self.cwnd = self.cwnd.min(self.initial);
        }
        let out = self.again().or_else(|| self.fresh())?;
        self.last_send = now;
        Some(out)
    }

    fn again(&mut self) -> Option<Out> {
        let r = self.recovery.as_ref()?;
        let mut at = r.again.max(self.una);
        while let Some(h) = self.held.iter().find(|h| h.0 <= at && at < h.1) {
            at = h.1;
        }
        if at >= r.lost_below.min(r.high) {
            return None;
        }
        let until = self.held.iter().map(|h| h.0).filter(|&s| s > at).min().unwrap_or(r.high).min(r.high);
        let len = self.mss.min(until - at);
        if self.pipe() + len > self.cwnd.max(self.mss) {
            return None;
        }
        if let Some(r) = &mut self.recovery {
            r.again = at + len;
        }
        Some(Out { seq: at, len: len as u32, is_cut: false })
    }

    fn fresh(&mut self) -> Option<Out> {
        let len = self.mss.min(self.written.saturating_sub(self.next));
        let is_small = len < self.mss && self.next > self.una && self.written < self.total;
        let is_kept_back = is_small && !self.has_nodelay;
        if len == 0 || is_kept_back || self.pipe() + len > self.cwnd || self.next + len > self.edge {
            return None;
        }
        let seq = self.next;
        self.next += len;
        Some(Out { seq, len: len as u32, is_cut: std::mem::take(&mut self.says_cut) })
    }

    /// Bytes believed to be in flight.
    fn pipe(&self) -> u64 {
        let flight = self.next - self.una - self.held_bytes();
        let Some(r) = &self.recovery else { return flight };
        let from = r.again.max(self.una);
        let below = r.lost_below.min(r.high);
        let lost = below.saturating_sub(from) - self.held.iter().map(|h| overlap(*h, (from, below))).sum::<u64>();
        let inflated = if self.held.is_empty() { u64::from(self.duplicates) * self.mss } else { 0 };
        flight.saturating_sub(lost + inflated)
    }

    /// A timer that was set since it was last asked for.
    pub(super) fn timer(&mut self, now: i64) -> Option<(i64, u64)> {
        let is_waiting = self.next > self.una
            || self.written > self.next && self.next + self.mss.min(self.written - self.next) > self.edge;
        if !is_waiting {
            self.timer = None;
            return None;
        }
        if self.timer.is_none() {
            self.token += 1;
            let at = now + (self.rto << self.backoff.min(9));
            self.timer = Some((at, self.token));
            self.is_timer_new = true;
        }
        std::mem::take(&mut self.is_timer_new).then_some(self.timer).flatten()
    }

    /// Whether the expired timer was the current one.
    pub(super) fn on_timer(&mut self, token: u64) -> bool {
        if self.timer.is_none_or(|t| t.1 != token) {
            return false;
        }
        self.timer = None;
        self.backoff += 1;
        if self.next == self.una {
            self.probe = true;
            return true;
        }
        self.ssthresh = ((self.next - self.una) / 2).max(2 * self.mss);
        self.cwnd = self.mss;
        self.duplicates = 0;
        self.vain += 1;
        if self.falls_back && self.vain > 3 && self.mss == self.full_mss {
            self.mss = 536;
        }
        self.recovery = Some(Recovery { high: self.next, again: self.una, lost_below: self.next, is_fast: false });
        true
    }

    /// Time that the next segment has to wait after one of `len` bytes, nanoseconds.
    pub(super) fn pace(&mut self, len: u32) -> Option<i64> {
        let pacer = self.pacer.as_ref()?;
        if matches!(pacer, Pacer::Estimate(_)) && self.next <= Estimate::FREE * self.full_mss {
            return None;
        }
        self.is_paced = true;
        Some(pacer.wait(len))
    }

    pub(super) fn unpace(&mut self) {
        self.is_paced = false;
    }

    fn held_bytes(&self) -> u64 {
        self.held.iter().map(|h| h.1 - h.0.max(self.una)).sum()
    }

    fn hold(&mut self, start: u64, end: u64) {
        if end <= self.una {
            return;
        }
        self.held.push((start.max(self.una), end));
        self.held.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::with_capacity(self.held.len());
        for &(s, e) in &self.held {
            match joined.last_mut() {
                Some(last) if s <= last.1 => last.1 = last.1.max(e),
                _ => joined.push((s, e)),
            }
        }
        self.held = joined;
    }
}

fn overlap(a: (u64, u64), b: (u64, u64)) -> u64 {
    a.1.min(b.1).saturating_sub(a.0.max(b.0))
}
