//! The ledger of a half-connection on its sender's clock: what was in flight, what room the receiver offered, and what each
//! gap between two sends of new data says about the reason for it.

use tcpwhy_model::{Cause, Detail, Limit};

use super::event::{AckEvent, DataEvent, DataKind};
use super::pacing::Pacing;
use crate::sketch::Sketch;
use crate::timeline::slot::{Local, SlotLog};

const MILLISECOND: i64 = 1_000_000;
/// Largest super-packet that segmentation offload builds by default (`GSO_LEGACY_MAX_SIZE`).
const OFFLOAD_MAX: u64 = 65_536;

/// The time since the last send of new data.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    start: i64,
    /// In flight right after that send.
    flight: u64,
    /// Room that the window left then.
    room: Option<u64>,
    /// The window had no room for another segment; until when.
    blocked: Option<Blocked>,
    /// ACKs that freed bytes (cumulatively or by SACK): first, how many, how much.
    first_free: Option<i64>,
    frees: u32,
    freed: u64,
    /// Last ACK that freed bytes or moved the window's right edge.
    last_release: Option<i64>,
    /// What was acknowledged before that ACK.
    una_before_release: u64,
    /// When nothing was in flight any more, and whether the ACK that emptied it carried payload.
    emptied: Option<(i64, bool)>,
    /// The peer's first and last payload in it.
    peer_spoke: Option<(i64, i64)>,
    /// How often the peer repeated its data in it.
    peer_repeats: u32,
}

#[derive(Clone, Copy, Debug)]
struct Blocked {
    since: i64,
    until: Option<i64>,
}

#[derive(Clone, Copy, Debug)]
struct Recovery {
    since: i64,
    /// Over when everything sent before it is acknowledged.
    high: u64,
    detail: Detail,
    /// Segments sent again in it, and duplicates of them that the receiver reported (RFC 2883).
    repeats: u32,
    duplicates: u32,
    /// What was sent since it began was repeated as well: another follows at once.
    has_next: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    una: u64,
    nxt: u64,
    /// Highest right edge offered; `None` while unknown.
    edge: Option<u64>,
    window_max: u64,
    mss: u64,
    is_anything_sent: bool,
    /// Joined in mid-stream and no round trip seen yet: what was in flight before is unknown.
    is_joining: bool,
    /// The burst of sends in progress: since when, how much, in how many segments; period and pace of the one before.
    burst_start: i64,
    burst_sent: u64,
    burst_sends: u32,
    last_period: i64,
    last_rate: i64,
    last_tsval: Option<u32>,
    /// Where the last segment shorter than the MSS ended.
    last_partial_end: u64,
    /// When a fragment was sent on the ACK of the one before; the time before it is not accounted for yet.
    tail: Option<i64>,
    last_event: i64,
    last_ack: i64,
    /// How long after an ACK released sends follow, smoothed.
    typical_lag: i64,
    /// The same for sends that the first ACK released: what the host itself takes.
    reaction: Option<i64>,
    /// Largest flight since the last loss or idle period: the congestion window is at least that.
    cwnd_floor: u64,
    /// Right after a recovery the flight still falls; from then on it counts.
    floor_from: i64,
    sacked: u64,
    gap: Gap,
    recovery: Option<Recovery>,
    /// The recovery before, which a duplicate reported later may still show to have been needless.
    ended_recovery: Option<Recovery>,
    /// When the receiver first told of the hole that is open now.
    hole_since: Option<i64>,
    rtt_min: Option<i64>,
    rtt_recent: Option<i64>,
    /// ACK times are inferred, not captured at the sender.
    is_shifted: bool,
    /// Flight and offered window, weighted by time, up to `weighed`.
    pub(crate) flight_sketch: Sketch,
    pub(crate) window_sketch: Sketch,
    window: Option<u64>,
    window_first: u64,
    flight_max: u64,
    weighed: i64,
    /// Longest stretch with a closed window, and how long the one in progress lasts.
    pub(crate) zero_window_longest: i64,
    zero_window_since: Option<i64>,
    /// When it last opened again.
    zero_window_until: Option<i64>,
    pub(crate) fast_recoveries: u64,
    pub(crate) timeouts: u64,
    /// How often the window closed.
    pub(crate) zero_window_stalls: u64,
    /// Longest silence that ended in a timeout.
    pub(crate) timeout_silence: i64,
    /// Times that this side spoke after its peer had.
    pub(crate) turns: u64,
    /// Small segments that waited for a delayed ACK.
    pub(crate) ack_delays: u64,
    pub(crate) pacing: Pacing,
    pub(crate) slots: SlotLog,
}

impl Ledger {
    /// A ledger from `start` on; `first` is where the stream begins.
    pub(crate) fn new(start: i64, first: u64, mss: u64) -> Self {
        Self {
            una: first,
            nxt: first,
            edge: None,
            window_max: 0,
            mss,
            is_anything_sent: false,
            is_joining: false,
            burst_start: start,
            burst_sent: 0,
            burst_sends: 0,
            last_period: 0,
            last_rate: 0,
            last_tsval: None,
            last_partial_end: 0,
            tail: None,
            last_event: start,
            last_ack: start,
            typical_lag: 0,
            reaction: None,
            cwnd_floor: 0,
            floor_from: start,
            sacked: 0,
            gap: Gap { start, ..Gap::default() },
            recovery: None,
            ended_recovery: None,
            hole_since: None,
            rtt_min: None,
            rtt_recent: None,
            is_shifted: false,
            flight_sketch: Sketch::default(),
            window_sketch: Sketch::default(),
            window: None,
            window_first: 0,
            flight_max: 0,
            weighed: start,
            zero_window_longest: 0,
            zero_window_since: None,
            zero_window_until: None,
            fast_recoveries: 0,
            timeouts: 0,
            zero_window_stalls: 0,
            timeout_silence: 0,
            turns: 0,
            ack_delays: 0,
            pacing: Pacing::default(),
            slots: SlotLog::new(start),
        }
    }

    pub(crate) fn set_mss(&mut self, mss: u64) {
        self.mss = mss.max(1);
    }

    pub(crate) fn jitter_allowance(&self) -> i64 {
        self.jitter()
    }

    /// The stream was under way before the capture began.
    pub(crate) fn join_mid_stream(&mut self) {
        self.is_joining = true;
    }

    pub(crate) fn set_shifted(&mut self, is_shifted: bool) {
        self.is_shifted = is_shifted;
    }

    pub(crate) fn flight(&self) -> u64 {
        self.nxt.saturating_sub(self.una)
    }

    pub(crate) fn window_max(&self) -> u64 {
        self.window_max
    }

    /// First window offered for data.
    pub(crate) fn window_first(&self) -> u64 {
        self.window_first
    }

    pub(crate) fn flight_max(&self) -> u64 {
        self.flight_max
    }

    /// The receiver's last word was a closed window.
    pub(crate) fn is_window_closed(&self) -> bool {
        self.zero_window_since.is_some()
    }

    /// The window was closed, and no data was sent since: `last_data` is when the last was.
    pub(crate) fn is_stuck_in_closed_window(&self, last_data: i64) -> bool {
        self.is_window_closed() || self.zero_window_until.is_some_and(|t| t > last_data)
    }

    pub(crate) fn rtt_recent(&self) -> Option<i64> {
        self.rtt_recent
    }

    /// Weighs what was in flight and what was offered until `time`.
    fn weigh(&mut self, time: i64) {
        let nanos = time - self.weighed;
        // A small part of a round trip is fine enough.
        if nanos < self.rtt_min.map_or(0, |r| r / 16) {
            return;
        }
        if nanos > 0 && self.is_anything_sent {
            self.flight_sketch.add(self.flight(), nanos as f64);
            if let Some(window) = self.window {
                self.window_sketch.add(window, nanos as f64);
            }
        }
        self.weighed = self.weighed.max(time);
    }

    pub(crate) fn rtt_min(&self) -> Option<i64> {
        self.rtt_min
    }

    /// A window known before any data (from the handshake).
    pub(crate) fn offer(&mut self, edge: u64, window: u64) {
        self.edge = Some(self.edge.map_or(edge, |e| e.max(edge)));
        self.window_max = self.window_max.max(window);
        self.window = Some(window);
        self.window_first = window;
    }

    /// The window was closed before any data.
    pub(crate) fn was_closed(&mut self, since: i64, until: i64) {
        self.follow_zero_window(since, true);
        self.follow_zero_window(until, false);
        self.gap.blocked = Some(Blocked { since, until: Some(until) });
    }

    fn follow_zero_window(&mut self, time: i64, is_zero: bool) {
        match self.zero_window_since {
            None if is_zero => {
                self.zero_window_since = Some(time);
                self.zero_window_stalls += 1;
            }
            Some(since) => {
                self.zero_window_longest = self.zero_window_longest.max(time - since);
                if !is_zero {
                    self.zero_window_since = None;
                    self.zero_window_until = Some(time);
                }
            }
            None => {}
        }
    }

    /// Accounts for the time up to `end` under `cause` without looking at gaps (handshake, unobserved).
    pub(crate) fn account(&mut self, end: i64, cause: Cause) {
        self.emit(end, Local::Definite(cause));
        self.gap = Gap { start: end.max(self.gap.start), flight: self.flight(), ..Gap::default() };
        self.last_event = self.last_event.max(end);
    }

    pub(crate) fn on_rtt(&mut self, sample: i64) {
        if sample <= 0 {
            return;
        }
        self.rtt_min = Some(self.rtt_min.map_or(sample, |m| m.min(sample)));
        self.rtt_recent = Some(self.rtt_recent.map_or(sample, |r| r + (sample - r) / 8));
        let slot = &mut self.slots.current;
        slot.rtt_min = Some(slot.rtt_min.map_or(sample, |m| m.min(sample)));
        slot.rtt_sum += sample;
        slot.rtt_count += 1;
    }

    /// Away from the sender: data came `excess` later after the newest ACK that it answers than any had to, after a
    /// `silence` on the path.
    pub(crate) fn on_echo(&mut self, excess: i64, silence: i64) {
        let micros = |nanos: i64| (nanos / 1000).clamp(0, i64::from(u32::MAX) - 1) as u32;
        let slot = &mut self.slots.current;
        let is_first = slot.echo_excess == 0;
        let late = micros(excess) + 1;
        let wait = if silence >= excess { micros(excess) } else { 0 };
        slot.echo_excess = if is_first { late } else { slot.echo_excess.min(late) };
        slot.echo_wait = if is_first { wait } else { slot.echo_wait.min(wait) };
    }

    pub(crate) fn on_peer_payload(&mut self, time: i64) {
        let first = self.gap.peer_spoke.map_or(time, |p| p.0);
        self.gap.peer_spoke = Some((first, time));
    }

    pub(crate) fn on_peer_retransmission(&mut self) {
        self.gap.peer_repeats += 1;
    }

    pub(crate) fn on_ack(&mut self, ack: &AckEvent) {
        let time = ack.time.max(self.slots.cursor());
        self.weigh(time);
        self.follow_zero_window(time, ack.is_zero_window);
        if ack.ack > self.nxt {
            // The receiver has what the capture never showed.
            if self.is_anything_sent {
                self.emit_open(self.last_event.min(time), Local::Clocked);
            }
            self.account(time, Cause::plain(Limit::Unobserved));
            self.nxt = ack.ack;
        }
        let una_before = self.una;
        let freed = ack.ack.saturating_sub(self.una);
        if self.is_joining && freed > 0 {
            self.is_joining = false;
            self.emit(time, Local::Definite(Cause::plain(Limit::Unobserved)));
        }
        let delivered = (self.una.max(ack.ack) + ack.sacked).saturating_sub(self.una + self.sacked);
        self.una = self.una.max(ack.ack);
        self.sacked = ack.sacked;
        let mut moved = 0;
        if let Some(window) = ack.window {
            let edge = ack.ack + window;
            moved = self.edge.map_or(0, |e| edge.saturating_sub(e));
            self.edge = Some(self.edge.map_or(edge, |e| e.max(edge)));
            self.window_max = self.window_max.max(window);
            self.window = Some(window);
            if self.window_first == 0 {
                self.window_first = window;
            }
            let slot = &mut self.slots.current;
            slot.window_min = Some(slot.window_min.map_or(window, |w| w.min(window)));
            slot.window_max = Some(slot.window_max.map_or(window, |w| w.max(window)));
            slot.edge_advance += moved;
        }
        let slot = &mut self.slots.current;
        slot.acked += freed;
        slot.has_zero_window |= ack.is_zero_window;
        self.update_blocked(time, ack);
        if delivered > 0 {
            // Where they passed, not when the sender answered: a path at work shows itself there.
            let since = (ack.passed - self.last_ack).max(0);
            let slot = &mut self.slots.current;
            slot.ack_gap_max = slot.ack_gap_max.max(since);
            slot.frees += 1;
            slot.ack_time += since;
            slot.ack_time_squared += (since as f64 / 1e6).powi(2);
            slot.ack_covered += since.min(self.typical_lag);
            self.last_ack = ack.passed;
            let gap = &mut self.gap;
            gap.first_free.get_or_insert(time);
            gap.frees += 1;
            gap.freed += delivered;
            if self.una >= self.nxt && gap.emptied.is_none() {
                gap.emptied = Some((time, ack.has_payload));
            }
        }
        if delivered > 0 || moved > 0 {
            self.gap.last_release = Some(time);
            self.gap.una_before_release = una_before;
        }
        self.follow_recovery(time, ack, freed);
        self.last_event = self.last_event.max(time);
    }

    pub(crate) fn on_data(&mut self, data: &DataEvent) {
        let time = data.time.max(self.slots.cursor());
        self.weigh(time);
        match data.kind {
            DataKind::New => self.on_new_data(time, data),
            DataKind::Retransmission => self.on_retransmission(time, data),
            DataKind::Reordered | DataKind::Probe => {}
        }
        self.last_event = self.last_event.max(time);
    }

    /// Ends the account at `end`.
    pub(crate) fn finish(&mut self, end: i64) {
        self.weigh(end);
        if let Some(since) = self.zero_window_since {
            self.zero_window_longest = self.zero_window_longest.max(end - since);
        }
        if self.is_anything_sent {
            if let Some(recovery) = self.recovery {
                self.emit_open(recovery.since, Local::Clocked);
                self.emit(end, Local::Definite(recovery.detail.into()));
            } else if let Some(b) = self.gap.blocked.filter(|b| b.until.is_none()) {
                self.emit_open(b.since, Local::Tail);
                self.emit(end, Local::WindowFull);
            } else {
                self.emit_open(end, Local::Tail);
            }
        }
        self.emit(end, Local::Tail);
        self.slots.close();
    }

    /// After the end: the peer closed at `since`, and this side only `until`.
    pub(crate) fn hold_open(&mut self, since: i64, until: i64) {
        self.emit(since, Local::Definite(Detail::Idle.into()));
        self.emit(until, Local::Definite(Detail::CloseWait.into()));
        self.slots.close();
    }

    fn slot_len(&self) -> i64 {
        self.rtt_recent.or(self.rtt_min).unwrap_or(50 * MILLISECOND).clamp(2 * MILLISECOND, 1000 * MILLISECOND)
    }

    fn emit(&mut self, end: i64, local: Local) {
        let len = self.slot_len();
        if let Some(tail) = self.tail.take() {
            // Nothing but a fragment had been left to send.
            self.slots.push(tail, Local::Definite(Detail::Idle.into()), len);
        }
        self.slots.push(end, local, len);
    }

    /// As [`Self::emit`], but time in loss recovery stays loss recovery.
    fn emit_open(&mut self, end: i64, local: Local) {
        match self.recovery {
            Some(r) => {
                self.emit(end.min(r.since), local);
                self.emit(end, Local::Definite(r.detail.into()));
            }
            None => self.emit(end, local),
        }
    }

    /// Timestamps tick often enough to tell when within a round trip something was sent (milliseconds on Linux).
    fn has_fine_ticks(&self) -> bool {
        self.rtt_min.is_some_and(|r| r >= 8 * MILLISECOND)
    }

    /// Sends closer than this are one burst.
    fn burst_gap(&self) -> i64 {
        self.rtt_min.map_or(MILLISECOND, |r| r / 16).clamp(MILLISECOND / 20, 2 * MILLISECOND)
    }

    /// A send this soon after an ACK was released by it. At the sender, how fast this host reacts was seen when its
    /// windows opened; elsewhere the order of ACKs is known to a millisecond at best.
    fn release_lag(&self) -> i64 {
        let base = self.rtt_min.map_or(MILLISECOND, |r| r / 20).clamp(MILLISECOND / 5, 2 * MILLISECOND);
        if self.is_shifted {
            return base.max(MILLISECOND);
        }
        match self.reaction {
            Some(reaction) => base.min((reaction * 8).max(MILLISECOND / 4)),
            None => base,
        }
    }

    /// The smallest room into which the sender still puts a segment: the MSS, or half the largest window that it ever
    /// saw (`tcp_bound_to_half_wnd`).
    fn segment_room(&self) -> u64 {
        if self.window_max > 536 { self.mss.min((self.window_max / 2).max(1)) } else { self.mss }
    }

    fn room(&self) -> Option<u64> {
        self.edge.map(|e| e.saturating_sub(self.nxt))
    }

    fn update_blocked(&mut self, time: i64, ack: &AckEvent) {
        let has_room = match self.room() {
            Some(room) => room >= self.segment_room(),
            None => !ack.is_zero_window,
        };
        match &mut self.gap.blocked {
            Some(b) if has_room => {
                b.until.get_or_insert(time);
            }
            None if ack.is_zero_window && !has_room => {
                self.gap.blocked = Some(Blocked { since: time, until: None });
            }
            Some(_) | None => {}
        }
    }

    fn follow_recovery(&mut self, time: i64, ack: &AckEvent, freed: u64) {
        if let Some(recovery) = self.recovery {
            if self.una >= recovery.high {
                self.emit(recovery.since, Local::Clocked);
                self.emit(time, Local::Definite(recovery.detail.into()));
                self.ended_recovery = Some(recovery);
                // Data beyond the recovery point was lost, too: another congestion event (RFC 6675 §5).
                let next =
                    Recovery { since: time, high: self.nxt, repeats: 1, duplicates: 0, has_next: false, ..recovery };
                self.recovery = (recovery.has_next && recovery.detail == Detail::Fast).then_some(next);
                self.hole_since = None;
                // What a loss leaves of the window is half of it at least (RFC 5681 §3.2); a timeout leaves nothing.
                self.cwnd_floor = if recovery.detail == Detail::Fast { self.cwnd_floor / 2 } else { 0 };
                self.floor_from = time + self.rtt_recent.unwrap_or(0) * 3 / 2;
                self.gap = Gap {
                    start: time,
                    flight: self.flight(),
                    last_release: Some(time),
                    emptied: (self.una >= self.nxt).then_some((time, ack.has_payload)),
                    blocked: self.gap.blocked.filter(|b| b.until.is_none()).map(|b| Blocked { since: time, ..b }),
                    ..Gap::default()
                };
            }
        } else if ack.reveals_hole {
            self.slots.current.holes += 1;
            self.hole_since.get_or_insert(time);
        } else if freed > 0 && ack.sacked == 0 {
            self.hole_since = None;
        }
    }

    /// The receiver had got a segment twice. When it got everything twice that a recovery repeated, nothing had been lost
    /// (RFC 3708 §3).
    pub(crate) fn on_duplicate_report(&mut self) {
        if let Some(r) = &mut self.recovery {
            r.duplicates += 1;
            if r.duplicates >= r.repeats {
                r.detail = Detail::Spurious;
            }
        } else if let Some(mut r) = self.ended_recovery.take() {
            r.duplicates += 1;
            if r.duplicates >= r.repeats {
                let spurious = Local::Definite(Detail::Spurious.into());
                self.slots.rename(r.since, Local::Definite(r.detail.into()), spurious);
            } else {
                self.ended_recovery = Some(r);
            }
        }
    }

    fn on_new_data(&mut self, time: i64, data: &DataEvent) {
        if self.is_anything_sent {
            self.close_gap(time, data);
        } else {
            self.open_stream(time, data);
        }
        self.is_anything_sent = true;
        self.nxt = self.nxt.max(data.end);
        self.last_tsval = data.tsval;
        if data.is_partial {
            self.last_partial_end = data.end;
        }
        self.pacing.sent(time, data.end.saturating_sub(data.start), self.slots.current.start);
        self.burst_sent += data.end.saturating_sub(data.start);
        // What left at once may as well be captured as one super-packet.
        self.burst_sends += u32::from(self.burst_sends == 0 || time - self.gap.start > MILLISECOND / 50);
        let flight = self.flight();
        let slot = &mut self.slots.current;
        slot.sent += data.end.saturating_sub(data.start);
        slot.sends += 1;
        slot.partial_sends += u32::from(data.is_partial);
        slot.peak_flight = slot.peak_flight.max(flight);
        self.flight_max = self.flight_max.max(flight);
        if self.recovery.is_none() && self.sacked == 0 && self.hole_since.is_none() && time >= self.floor_from {
            self.cwnd_floor = self.cwnd_floor.max(flight);
        }
        slot.cwnd_floor = self.cwnd_floor;
        let room = self.room();
        let is_full = room.is_some_and(|room| room < self.segment_room());
        self.gap = Gap {
            start: time,
            flight,
            room,
            blocked: is_full.then_some(Blocked { since: time, until: None }),
            ..Gap::default()
        };
    }

    /// Time before the first data: the application had not spoken yet.
    fn open_stream(&mut self, time: i64, data: &DataEvent) {
        self.nxt = self.nxt.max(data.start);
        self.una = self.una.max(data.start);
        let (blocked, release) = (self.gap.blocked, self.release_lag());
        if let Some(Blocked { since, until: Some(until) }) =
            blocked.filter(|b| time - b.until.unwrap_or(time) <= release)
        {
            // It spoke as soon as it was allowed to.
            self.emit(since, Local::Definite(Detail::Idle.into()));
            self.emit(until.min(time), Local::Definite(Detail::ZeroWindow.into()));
        }
        let cause = match self.gap.peer_spoke {
            Some((_, last)) => {
                self.emit(last.min(time), Local::Definite(Detail::PeerTurn.into()));
                Detail::Think
            }
            None => Detail::Idle,
        };
        self.emit(time, Local::Definite(cause.into()));
    }

    fn close_gap(&mut self, time: i64, data: &DataEvent) {
        let burst_gap = self.burst_gap();
        if let Some(tail) = self.tail.take_if(|t| time - *t <= burst_gap) {
            // More followed at once: the fragment ended a write of a writer that had been blocked.
            self.emit(tail, Local::Hoarded);
        }
        self.turns += u64::from(self.gap.peer_spoke.is_some());
        if self.recovery.is_some() {
            self.emit_open(time, Local::Clocked);
            return;
        }
        let lag = self.gap.last_release.map(|r| time - r);
        // Away from the sender, the two ends' timestamps tell how long after the ACK it sent.
        let is_released = match data.lag_ticks {
            Some(ticks) if self.is_shifted && self.has_fine_ticks() => {
                lag.is_some() && ticks <= self.rtt_min.map_or(1, |r| (r / 20 / MILLISECOND).clamp(1, 5))
            }
            _ => lag.is_some_and(|l| l <= self.release_lag()),
        };
        let mut from = self.gap.start;
        if let Some(b) = self.gap.blocked {
            let until = b.until.unwrap_or(time).min(time);
            self.emit_before_block(b.since);
            if is_released || time - until <= self.release_lag() {
                self.emit(time, Local::WindowFull);
                return;
            }
            self.emit(until, Local::WindowFull);
            from = from.max(until);
        }
        if let Some((emptied, by_payload)) = self.gap.emptied {
            let emptied = emptied.max(from);
            if time - emptied > self.release_lag() || by_payload || self.gap.peer_spoke.is_some() {
                if time - emptied >= 200 * MILLISECOND {
                    // Idle for a retransmission timeout: Linux restarts from a smaller window (RFC 5681 §4.1).
                    self.cwnd_floor = 0;
                }
                self.emit_idle(time);
                return;
            }
            if self.is_ack_delayed(data) {
                self.ack_delays += 1;
                let base = self.rtt_min.unwrap_or(0);
                self.emit((self.gap.start + base).min(time), Local::Definite(Detail::Nagle.into()));
                self.emit(time, Local::Definite(Detail::DelayedAck.into()));
                return;
            }
        }
        if is_released && self.is_nagle_tail(data) {
            // Whether the writer had no more shows when the next segment comes.
            self.tail = Some(time);
            return;
        }
        let wait = time - from;
        let ticks = match (data.tsval, self.last_tsval) {
            (Some(now), Some(before)) if self.is_shifted => Some(now.wrapping_sub(before) as i32),
            _ => None,
        };
        // Away from the sender its timestamps tell when it sent; what the path did to the spacing does not matter.
        let is_burst = match ticks {
            Some(ticks) if self.has_fine_ticks() => ticks <= 1,
            _ => wait <= self.burst_gap(),
        };
        if !is_burst {
            self.note_rhythm(time, lag.filter(|_| is_released), ticks);
        }
        let local = if is_released {
            if self.gap.frees <= 1
                && let Some(lag) = lag
            {
                let reaction = self.reaction.get_or_insert(lag);
                *reaction += (lag.min(*reaction * 4 + 1000) - *reaction) / 16;
            }
            if self.is_hoard(time) { Local::Hoarded } else { Local::Clocked }
        } else if is_burst {
            Local::Burst
        } else if !self.is_shifted && self.gap.room.is_some_and(|room| room < (self.window_max / 3).min(OFFLOAD_MAX)) {
            // Segmentation offload waits for more room rather than send a part (`tcp_tso_should_defer`).
            Local::WindowFull
        } else {
            Local::Unreleased
        };
        self.emit(time, local);
    }

    /// A piece shorter than the MSS goes out on the ACK of the small piece before it (Nagle's algorithm in Minshall's
    /// variant, `tcp_minshall_check`): had there been more to send, it would have been topped up.
    fn is_nagle_tail(&self, data: &DataEvent) -> bool {
        data.is_partial
            && data.end - data.start < self.mss
            && self.gap.una_before_release < self.last_partial_end
            && self.last_partial_end <= self.una
    }

    /// Whether ACKs had made room well before the one that released the send. Segmentation offload may hold back up to a
    /// third of a small window (`tcp_tso_should_defer`), and away from the sender the order of ACKs within
    /// [`Self::jitter`] is not known.
    fn is_hoard(&self, time: i64) -> bool {
        time >= self.floor_from
            && self.hole_since.is_none()
            && self.gap.frees >= 2
            && self.gap.freed >= 2 * self.mss
            && self.gap.freed * 9 >= self.gap.flight * 2
            && self.gap.first_free.is_some_and(|f| time - f > self.jitter())
    }

    fn jitter(&self) -> i64 {
        if self.is_shifted { self.rtt_min.map_or(MILLISECOND, |r| r / 10).min(MILLISECOND) } else { 0 }
    }

    /// Notes how regular sends are, and how much of a coincidence with ACKs would be expected of sends at random times.
    fn note_rhythm(&mut self, time: i64, lag: Option<i64>, ticks: Option<i32>) {
        let period = match ticks {
            Some(ticks) if self.has_fine_ticks() => i64::from(ticks) * MILLISECOND,
            _ => time - self.burst_start,
        };
        let (sent, sends) = (self.burst_sent, self.burst_sends);
        self.burst_start = time;
        self.burst_sent = 0;
        self.burst_sends = 0;
        let slot = &mut self.slots.current;
        slot.bursts += 1;
        slot.multi_send_bursts += u32::from(sends > 1);
        let tolerance = (self.last_period / 50).max(50_000);
        if (period - self.last_period).abs() <= tolerance {
            slot.comb_matches += 1;
            slot.comb_period_sum += period;
        }
        let rate = period.saturating_mul(1000) / (sent.max(1) as i64);
        slot.even_matches += u32::from((rate - self.last_rate).abs() <= self.last_rate / 10);
        self.last_period = period;
        self.last_rate = rate;
        if let Some(lag) = lag {
            slot.releases += 1;
            self.typical_lag += (lag - self.typical_lag) / if self.typical_lag == 0 { 1 } else { 8 };
        }
    }

    fn emit_before_block(&mut self, since: i64) {
        let local = if self.flight() > 0 { Local::Clocked } else { Local::Definite(Detail::Idle.into()) };
        self.emit(since, local);
    }

    /// Nothing was left to send: the application's time, split by whose turn it was.
    fn emit_idle(&mut self, time: i64) {
        match self.gap.peer_spoke {
            Some((first, _)) if self.gap.peer_repeats > 0 => {
                // The peer asked again and again, and was not even acknowledged: the path was down, not the application.
                self.emit(first, Local::Definite(Detail::PeerTurn.into()));
                self.emit(time, Local::Definite(Detail::Rto.into()));
            }
            Some((_, last)) => {
                self.emit(last, Local::Definite(Detail::PeerTurn.into()));
                self.emit(time, Local::Definite(Detail::Think.into()));
            }
            None => self.emit(time, Local::Definite(Detail::Idle.into())),
        }
    }

    /// A small segment waited until all before it was acknowledged, and the acknowledgment took longer than the path.
    fn is_ack_delayed(&self, data: &DataEvent) -> bool {
        let base = self.rtt_min.unwrap_or(0);
        let wait = self.gap.emptied.map_or(0, |(t, _)| t - self.gap.start);
        self.gap.flight <= 3 * self.mss
            && data.end - data.start < self.mss
            && wait - base >= (15 * MILLISECOND).max(base / 2)
    }

    fn on_retransmission(&mut self, time: i64, data: &DataEvent) {
        self.slots.current.retransmissions += 1;
        self.pacing.stop();
        self.nxt = self.nxt.max(data.end);
        let silence_from = self.last_event.max(self.gap.start);
        let silence = time - silence_from;
        let rtt = self.rtt_recent.unwrap_or(MILLISECOND);
        let is_timer = silence >= (2 * rtt).max(10 * MILLISECOND) || self.hole_since.is_none();
        if is_timer {
            self.timeout_silence = self.timeout_silence.max(silence);
        }
        if let Some(r) = &mut self.recovery {
            r.has_next |= data.start >= r.high;
        }
        if let Some(r) = self.recovery {
            if is_timer && silence >= 2 * rtt {
                self.emit(r.since, Local::Clocked);
                self.emit(silence_from, Local::Definite(r.detail.into()));
                self.emit(time, Local::Definite(Detail::Rto.into()));
                self.timeouts += 1;
                self.recovery = Some(Recovery { since: time, detail: Detail::Rto, repeats: r.repeats + 1, ..r });
            } else {
                self.recovery = Some(Recovery { repeats: r.repeats + 1, ..r });
            }
            return;
        }
        if is_timer && self.gap.blocked.is_some_and(|b| b.until.is_none()) {
            // A probe of a full window, not a sign of loss.
            return;
        }
        let (since, detail) = match self.hole_since {
            Some(hole) if !is_timer => (hole, Detail::Fast),
            None if silence < 2 * rtt => (time, Detail::Fast),
            _ => {
                let detail =
                    if data.end >= self.nxt && silence < 200 * MILLISECOND { Detail::Tlp } else { Detail::Rto };
                (silence_from, detail)
            }
        };
        let since = since.max(self.slots.cursor());
        match detail {
            Detail::Fast => self.fast_recoveries += 1,
            _ => self.timeouts += 1,
        }
        self.recovery = Some(Recovery { since, high: self.nxt, detail, repeats: 1, duplicates: 0, has_next: false });
    }
}

/// What a trace shows.
impl Ledger {
    /// Everything below this is acknowledged, on the sender's clock.
    pub(crate) fn una(&self) -> u64 {
        self.una
    }

    /// Largest flight since the last loss or idle period.
    pub(crate) fn cwnd_floor(&self) -> u64 {
        self.cwnd_floor
    }

    /// The kind of recovery in progress.
    pub(crate) fn recovery_detail(&self) -> Option<Detail> {
        self.recovery.map(|r| r.detail)
    }

    /// Bytes above the cumulative acknowledgment that the receiver reports to hold.
    pub(crate) fn sacked(&self) -> u64 {
        self.sacked
    }
}
