//! Facts about the time between two sends of new data.

use std::num::NonZeroU32;

use super::super::units::MILLISECOND;
use super::Ledger;
use super::window::Blocked;
use super::words::After;
use crate::facts::half::when::When;
use tcpwhy_kernel::MIN_SNDBUF;

use crate::facts::gap_fact::GapFact;
use crate::facts::half::event::DataEvent;
use crate::facts::slot::{GapKind, micros, narrow};
use crate::thresholds::{
    ACK_DELAY, ACK_DELAY_LEAST, BRIM, CLOCKED_SHARE, CLOCKED_SMOOTHING, DEFERRED_ROOM, DEFERRED_ROOM_MOST,
    FRAGMENT_ROUND_TRIPS, HELD_SEGMENTS, INITIAL_WINDOW_BYTES, INITIAL_WINDOW_LEAST, INITIAL_WINDOW_MOST,
    RELEASED_TICKS, RELEASED_TICKS_LEAST, RELEASED_TICKS_MOST, RESTART_AFTER_IDLE, SURELY_UNRELEASED,
    SURELY_UNRELEASED_LEAST, TIMER_ROUND_TRIPS, UNUSED_ACKS, UNUSED_FLIGHT, UNUSED_SEGMENTS, WAKE_REST, WRITER_WAKES,
    part,
};

/// The time since the last send of new data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    pub(super) start: i64,
    /// Bytes in flight right after that send.
    pub(super) flight: u64,
    /// Room in the window after that send, bytes; [`u64::MAX`] while unknown.
    pub(super) room: u64,
    /// Time in which the window had no room for another segment.
    pub(super) blocked: Option<Blocked>,
    /// ACKs of new bytes (cumulative or by SACK): time of the first, their number, and their bytes.
    pub(super) first_free: When,
    pub(super) advancing_acks: u32,
    pub(super) bytes_acked: u64,
    /// Last ACK that acknowledged new bytes or moved the window's right edge.
    pub(super) last_release: When,
    /// The cumulative acknowledgment before that ACK.
    pub(super) una_before_release: u64,
    /// Time at which nothing was in flight any more, and whether the ACK that emptied it carried payload.
    pub(super) emptied: Option<(i64, bool)>,
    /// Times of the peer's first and last payload in the gap.
    pub(super) peer_spoke: Option<(i64, i64)>,
    /// Bytes of the peer's payload in the gap, retransmissions included.
    pub(super) heard: u64,
    /// Number of the peer's retransmissions in the gap.
    pub(super) peer_repeats: u32,
    /// Times of the first and the last ACK without payload that made room.
    pub(super) first_room: When,
    pub(super) last_room: When,
    /// Time of the last ACK or send, and bytes in flight after it.
    pub(super) mark: (i64, u32),
    /// Least number of bytes in flight while nothing was sent for longer than an answer takes.
    pub(super) unanswered: Option<NonZeroU32>,
}

impl Ledger {
    /// Value of [`Self::clocked`] if all bursts follow ACKs.
    const ALL_CLOCKED: u16 = 1 << 15;

    /// Records the time before the first data, in which the application had not written yet.
    pub(super) fn open_stream(&mut self, time: i64, data: &DataEvent) {
        self.nxt = self.nxt.max(data.start);
        self.una = self.una.max(data.start);
        let (blocked, release) = (self.gap.blocked, self.release());
        if let Some(Blocked { since, until: Some(until) }) =
            blocked.filter(|b| time - b.until.unwrap_or(time) <= release)
        {
            // The data was ready, and left when the window opened.
            self.emit_pause(since);
            self.emit(until.min(time), GapKind::Fact(GapFact::WindowClosedBeforeData));
        }
        let is_asked = self.follow_turn(None, time, data.end - data.start);
        match self.gap.peer_spoke {
            Some((_, last)) => self.emit_turn(last.min(time), time, is_asked),
            None => self.emit_pause(time),
        }
    }

    pub(super) fn close_gap(&mut self, time: i64, data: &DataEvent) {
        let burst_gap = self.closeness.burst();
        // At the sender, the delay of a blocked writer is known, and is shorter.
        let at_once = if self.closeness.ack_times_inferred() { burst_gap } else { burst_gap.min(WRITER_WAKES.get()) };
        if self.tail.get().is_some_and(|tail| time - tail <= at_once)
            && let Some(tail) = self.tail.take()
        {
            // More data followed at once: the fragment ended a write of a writer that had been blocked.
            self.emit(tail, GapKind::RoomUnused);
        }
        self.hear(time + self.jitter());
        // The peer sent data next. So this is a request–response exchange, and the peer had waited for the
        // fragment.
        if self.tail.get().is_some_and(|tail| self.has_heard_since(tail))
            && let Some(tail) = self.tail.take()
        {
            self.drained_at = When::at(tail);
            self.emit_held(self.slots.cursor(), tail);
        }
        if self.tail != When::NEVER {
            self.drained_at = When::at(self.gap.start);
        }
        self.turns += u32::from(self.gap.peer_spoke.is_some());
        self.follow_whole_turn(time);
        if self.recovery.is_some() {
            self.emit_open(time, GapKind::AckClocked);
            return;
        }
        let lag = self.gap.last_release.get().map(|r| time - r);
        self.learn_wake(time, lag, data);
        // Away from the sender, the timestamps of both ends show the delay of the data after the ACK.
        let is_released = match data.lag_ticks {
            Some(ticks) if self.closeness.ack_times_inferred() && self.has_fine_ticks() => {
                lag.is_some() && ticks <= self.released_ticks()
            }
            _ => lag.is_some_and(|l| l <= self.release()),
        };
        let mut from = self.gap.start;
        if let Some(b) = self.gap.blocked {
            let until = b.until.unwrap_or(time).min(time);
            self.emit_before_block(b.since);
            if is_released || time - until <= self.release() {
                self.emit(time, GapKind::WindowFull);
                return;
            }
            self.emit(until, GapKind::WindowFull);
            from = from.max(until);
        }
        if let Some((emptied, by_payload)) = self.gap.emptied {
            let emptied = emptied.max(from);
            if time - emptied > self.release() || by_payload || self.gap.peer_spoke.is_some() {
                if time - emptied >= RESTART_AFTER_IDLE {
                    // After an idle retransmission timeout, Linux restarts from a smaller window (RFC 5681
                    // §4.1).
                    self.cwnd_floor = 0;
                }
                self.follow_rest(emptied, time, data);
                let is_woken = || self.wakes.as_ref().is_some_and(|wakes| wakes.are_rests_ended_by_acks());
                if self.gap.peer_spoke.is_none() && !by_payload && time - emptied < RESTART_AFTER_IDLE && is_woken() {
                    // The writer waited for space in its buffer until then, and for the host to wake it from
                    // then on.
                    self.emit(emptied, GapKind::RoomUnused);
                }
                let is_asked = self.follow_turn(Some(self.gap.start), time, data.end - data.start);
                self.emit_idle(time, is_asked, data.start > self.nxt);
                return;
            }
            if self.is_ack_delayed(data) {
                self.emit_held(self.gap.start, time);
                return;
            }
        }
        if self.hole_since.is_some() && self.emit_open_hole(time, GapKind::AckClocked) {
            return;
        }
        let follows_word = self.follows_word(time);
        if is_released && follows_word.is_none() && self.is_nagle_tail(data) && !self.is_at_brim(data) {
            // The next segment will show whether the writer had more data.
            self.tail = When::at(time);
            return;
        }
        let wait = time - from;
        if follows_word.is_none() && self.may_be_probe(wait) {
            // The next ACK or retransmission will show whether data in flight was lost.
            self.is_probing = true;
            return;
        }
        let ticks = match (data.tsval, self.last_tsval) {
            (Some(now), Some(before)) if self.closeness.ack_times_inferred() => Some(now.wrapping_sub(before) as i32),
            _ => None,
        };
        // Away from the sender, its timestamps show the send times, unaffected by the spacing on the path.
        let is_burst = match ticks {
            Some(ticks) if self.has_fine_ticks() => ticks <= 1,
            _ => wait <= self.closeness.burst(),
        };
        if !is_burst {
            self.note_start(time);
            self.note_rhythm(time, lag.filter(|_| is_released), ticks);
        }
        let kind = if is_released {
            if self.gap.advancing_acks <= 1
                && let Some(lag) = lag
            {
                self.closeness.on_reaction(lag, self.rtt_min);
            }
            if self.is_room_unused(time) { GapKind::RoomUnused } else { GapKind::AckClocked }
        } else if is_burst {
            GapKind::Burst
        } else if !self.closeness.ack_times_inferred()
            && self.gap.room < DEFERRED_ROOM.of(self.window_max).min(DEFERRED_ROOM_MOST.get())
        {
            // Segmentation offload waits for more room instead of sending a part (`tcp_tso_should_defer`).
            GapKind::WindowFull
        } else if self.is_surely_unreleased(wait, lag, data) {
            GapKind::Unreleased
        } else {
            GapKind::AckClocked
        };
        let is_answer = matches!(kind, GapKind::RoomUnused | GapKind::AckClocked);
        self.note_clocking(is_answer, kind);
        if is_answer && follows_word.is_none() && self.is_drained(time, data) && !self.is_at_brim(data) {
            self.emit(time, GapKind::Fact(GapFact::FragmentLeftQueueEmpty));
            return;
        }
        if let Some(after) = follows_word.filter(|_| kind != GapKind::Burst) {
            if self.flight() + (data.end - data.start) <= self.initial_window() {
                // Neither a congestion window nor a send buffer limits so few bytes: the sender waited for
                // the peer's payload.
                self.emit(time, GapKind::Fact(GapFact::PeerDataAwaited));
                return;
            }
            let micros = micros(time - self.gap.start);
            let slot = &mut self.slots.current;
            slot.word_released = slot.word_released.saturating_add(micros);
            if after == After::Room {
                slot.word_awaited = slot.word_awaited.saturating_add(micros);
            }
        }
        self.emit(time, kind);
    }

    /// Learns how soon this host's programs wake, from a burst at `time` that follows an ACK by `lag` and no
    /// payload of the peer.
    fn learn_wake(&mut self, time: i64, lag: Option<i64>, data: &DataEvent) {
        let follows_acks = self.gap.advancing_acks > 0 && self.gap.peer_spoke.is_none() && self.gap.blocked.is_none();
        let is_burst = time - self.gap.start > self.closeness.burst();
        if let Some(lag) = lag.filter(|_| follows_acks && is_burst && self.hole_since.is_none()) {
            // Away from the sender, only timestamps show which ACKs the sender had.
            let has_order = !self.closeness.ack_times_inferred() || data.tsval.is_some() && self.has_ticks();
            let had_room = self.gap.emptied.is_some() || self.is_room_unused(time);
            let is_rest = self.rtt_min.is_some_and(|rtt| part(time - self.gap.start, rtt) >= WAKE_REST);
            let wakes = self.wakes.get_or_insert_default();
            wakes.on_burst(lag);
            if has_order && had_room && is_rest {
                wakes.on_rest(lag);
            }
        }
    }

    /// Milliseconds after an ACK within which timestamps place a send that this ACK released.
    fn released_ticks(&self) -> i64 {
        let (least, most) = (RELEASED_TICKS_LEAST.get(), RELEASED_TICKS_MOST.get());
        self.rtt_min.map_or(least, |rtt| (RELEASED_TICKS.of(rtt) / MILLISECOND).clamp(least, most))
    }

    /// Whether the send queue was empty after the last send although both windows had room: the last data was
    /// a fragment. Nagle's algorithm had held that fragment back until the previous one was acknowledged, or
    /// holds others back at about this time.
    ///
    /// A writer that waits for its buffer adds to such a fragment before it leaves (`tcp_sendmsg_locked`
    /// fills the last skb first). Then less than a segment follows an ACK with `data`, because Nagle's
    /// algorithm holds no more back (RFC 9293 §3.7.4). A program with its own pace does not write because an
    /// ACK arrives.
    fn is_drained(&self, time: i64, data: &DataEvent) -> bool {
        let is_fragment = self.last_partial_end == self.nxt;
        let keeps_back =
            self.drained_at.get().is_some_and(|at| time - at <= FRAGMENT_ROUND_TRIPS.get() * self.rtt_min.unwrap_or(0));
        let had_room = self.gap.flight + self.mss <= self.cwnd_floor && self.gap.room >= self.mss;
        let may_be_kept_back = data.end - data.start < self.mss;
        is_fragment && keeps_back && had_room && may_be_kept_back
    }

    /// Updates the smoothed share of bursts that followed an ACK.
    fn note_clocking(&mut self, is_answer: bool, kind: GapKind) {
        if kind != GapKind::Burst {
            let step = CLOCKED_SMOOTHING.get();
            let now = if is_answer { Self::ALL_CLOCKED / step } else { 0 };
            self.clocked = self.clocked - self.clocked / step + now;
        }
    }

    /// Whether ACKs release nearly every send, and with `data` nearly the largest number of bytes is in
    /// flight. Then a fragment may leave although more data waits: a blocked writer cannot add to it, and
    /// Nagle's algorithm holds it back.
    fn is_at_brim(&self, data: &DataEvent) -> bool {
        let flight = self.flight() + (data.end - data.start);
        part(u32::from(self.clocked), u32::from(Self::ALL_CLOCKED)) >= CLOCKED_SHARE
            && part(flight, self.cwnd_floor) >= BRIM
            && flight >= MIN_SNDBUF
    }

    /// Records the start of a burst, with the bytes in flight, and the least in flight without a burst
    /// before.
    fn note_start(&mut self, time: i64) {
        self.follow_silence(time, self.flight());
        // A writer that fills its buffer may be interrupted at any level, so only bursts into unused room
        // count.
        let flight = if self.is_room_unused(time) { self.flight() } else { 0 };
        let unanswered = self.gap.unanswered;
        let slot = &mut self.slots.current;
        slot.partial_ends = slot.partial_ends.saturating_add(u16::from(self.last_partial_end == self.nxt));
        slot.note_start(flight, unanswered);
    }

    /// Records that nothing was sent until `time`, when `flight` bytes are in flight.
    pub(super) fn follow_silence(&mut self, time: i64, flight: u64) {
        let answer = self.release();
        let gap = &mut self.gap;
        if time - gap.mark.0 > answer {
            gap.unanswered = NonZeroU32::new(gap.mark.1);
            gap.mark = (time, narrow(flight));
        }
    }

    /// Whether data that came `lag` after the last ACK with room, and `wait` after other data, followed no
    /// ACK. Away from the sender, ACK times are inferred from the handshake if there are no timestamps, or
    /// fewer than two ticks per round trip. Then data may seem late because a nearer host answered the
    /// handshake, but not by 3/8 of a round trip. A queue may also delay data, but not if the path was silent
    /// for all of that time.
    fn is_surely_unreleased(&self, wait: i64, lag: Option<i64>, data: &DataEvent) -> bool {
        let has_order = !self.closeness.ack_times_inferred() || data.tsval.is_some() && self.has_ticks();
        let late = lag.unwrap_or(wait);
        has_order
            || self.rtt_min.is_some_and(|rtt| {
                part(late, rtt) >= SURELY_UNRELEASED && late >= SURELY_UNRELEASED_LEAST && wait >= late
            })
    }

    /// Whether data is in flight, and none of it was acknowledged for two round trips. A tail loss probe then
    /// sends new data, if there is any (RFC 8985 §7.3).
    fn may_be_probe(&self, wait: i64) -> bool {
        !self.closeness.ack_times_inferred()
            && self.gap.advancing_acks == 0
            && self.flight() > 0
            && self.rtt_recent.is_some_and(|rtt| wait >= TIMER_ROUND_TRIPS.get() * rtt)
    }

    /// Whether a segment shorter than the MSS was sent on the ACK of the previous small segment (Nagle's
    /// algorithm in Minshall's variant, `tcp_minshall_check`). It may also follow the ACK of all data in
    /// flight (RFC 9293 §3.7.4). If more data had waited, it would have filled this segment.
    fn is_nagle_tail(&self, data: &DataEvent) -> bool {
        let is_of_small = self.gap.una_before_release < self.last_partial_end && self.last_partial_end <= self.una;
        data.is_partial && data.end - data.start < self.mss && (is_of_small || self.gap.emptied.is_some())
    }

    /// Whether ACKs had made room well before the ACK that released the send. Segmentation offload may hold
    /// back up to a third of a small window (`tcp_tso_should_defer`). Away from the sender, the order of ACKs
    /// within [`Self::jitter`] is not known.
    pub(super) fn is_room_unused(&self, time: i64) -> bool {
        time >= self.floor_from
            && self.hole_since.is_none()
            && self.gap.advancing_acks >= UNUSED_ACKS
            && self.gap.bytes_acked >= UNUSED_SEGMENTS.get() * self.mss
            && part(self.gap.bytes_acked, self.gap.flight) >= UNUSED_FLIGHT
            && self.gap.first_free.get().is_some_and(|f| time - f > self.jitter())
    }

    /// Initial congestion window, which allows as many bytes in flight before any loss or idle period (RFC
    /// 3390 §1).
    fn initial_window(&self) -> u64 {
        INITIAL_WINDOW_BYTES.get().clamp(INITIAL_WINDOW_LEAST.get() * self.mss, INITIAL_WINDOW_MOST.get() * self.mss)
    }

    /// Records that Nagle's algorithm held a small segment back from `from` until the ACK of the data before
    /// it, at `until`.
    fn emit_held(&mut self, from: i64, until: i64) {
        self.held_writes += 1;
        let base = self.rtt_min.unwrap_or(0);
        if Self::is_late(until - from, base) {
            self.emit((from + base).min(until), GapKind::Fact(GapFact::FragmentHeld));
            self.emit(until, GapKind::Fact(GapFact::AckOfFragmentLate));
        } else {
            self.emit(until, GapKind::Fact(GapFact::FragmentHeld));
        }
    }

    /// Whether an ACK after `wait` is later than a round trip of `base` explains.
    fn is_late(wait: i64, base: i64) -> bool {
        wait - base >= ACK_DELAY_LEAST.get().max(ACK_DELAY.of(base))
    }

    fn emit_before_block(&mut self, since: i64) {
        if self.flight() > 0 {
            self.emit(since, GapKind::AckClocked);
        } else {
            self.emit_pause(since);
        }
    }

    /// Records the time with an empty send queue, split between the application and its peer. `is_asked`: the
    /// peer's payload requested the data that is sent now. `had_sent`: this side had sent more by then than
    /// was captured.
    pub(super) fn emit_idle(&mut self, time: i64, is_asked: bool, had_sent: bool) {
        match self.gap.peer_spoke {
            // The peer retransmitted repeatedly and got no acknowledgment: the path was down, the application
            // was not slow.
            Some((first, _)) if self.gap.peer_repeats > 0 && had_sent => {
                self.emit(first, GapKind::Fact(GapFact::PeerDataAwaited));
                self.emit(time, GapKind::Fact(GapFact::PeerRepeatedUnanswered));
            }
            // This side had sent nothing that its timer could retransmit: the message that it waited for was
            // lost.
            Some(_) if self.gap.peer_repeats > 0 => self.emit(time, GapKind::Fact(GapFact::PeerDataAwaited)),
            Some((_, last)) => self.emit_turn(last, time, is_asked),
            None => self.emit_pause(time),
        }
    }

    /// Records the wait for the peer until its last payload at `last`, and then this side's time until
    /// `time`.
    fn emit_turn(&mut self, last: i64, time: i64, is_asked: bool) {
        self.emit(last, GapKind::Fact(GapFact::PeerDataAwaited));
        if is_asked {
            self.emit(time, GapKind::Fact(GapFact::AnswerAwaited));
        } else {
            self.emit_pause(time);
        }
    }

    /// Whether a small segment waited for the acknowledgment of all data before it, and the acknowledgment
    /// took longer than the path.
    fn is_ack_delayed(&self, data: &DataEvent) -> bool {
        let base = self.rtt_min.unwrap_or(0);
        let wait = self.gap.emptied.map_or(0, |(t, _)| t - self.gap.start);
        let is_small = self.gap.flight <= HELD_SEGMENTS.get() * self.mss && data.end - data.start < self.mss;
        (is_small || self.is_below_unknown_mss()) && Self::is_late(wait, base)
    }

    /// Whether the segments are small although the MSS is unknown. Two full segments are acknowledged at once
    /// (RFC 9293 §3.8.6.3), so segments that wait for a single late acknowledgment were each smaller. Full
    /// segments never wait for the acknowledgment of a small one (§3.7.4). Receivers delay ACKs in
    /// request–response exchanges (`inet_csk_in_pingpong_mode`); in one-way transfers a queue may be the
    /// reason.
    fn is_below_unknown_mss(&self) -> bool {
        !self.is_mss_known && self.turns > 0 && self.gap.advancing_acks == 1
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::half::event::{AckEvent, DataKind};

    const MICROSECOND: i64 = MILLISECOND / 1000;

    /// A ledger at the sender, with segments of 1000 bytes and a round trip of 20 ms. Times are in
    /// microseconds.
    fn ledger() -> Ledger {
        let mut ledger = Ledger::new(0, 0, 1000);
        ledger.set_mss(1000);
        ledger.on_rtt(20 * MILLISECOND);
        ledger
    }

    fn data(at: i64, start: u64, bytes: u64) -> DataEvent {
        let (time, end, kind, is_partial) = (at * MICROSECOND, start + bytes, DataKind::New, bytes < 1000);
        DataEvent { time, start, end, kind, is_partial, tsval: None, lag_ticks: None }
    }

    fn ack(at: i64, ack: u64) -> AckEvent {
        let time = at * MICROSECOND;
        let (window, is_zero_window, reveals_hole, has_payload) = (None, false, false, false);
        AckEvent { time, passed: time, ack, window, is_zero_window, sacked: 0, reveals_hole, has_payload, tsval: None }
    }

    /// The kinds of the gaps after the first send, and the end of each.
    fn kinds(ledger: &Ledger) -> Vec<(GapKind, i64)> {
        ledger.slots.intervals.iter().map(|interval| (interval.kind, interval.end / MICROSECOND)).collect()
    }

    /// Twelve segments leave at 0 ms, one is acknowledged at each of these times, and the next leaves at
    /// `send`. Returns the time before sends that followed the peer's data of 25 ms, and the part of it after
    /// ACKs that had made room.
    fn word_released(acks: &[i64], send: i64, has_word: bool) -> (u32, u32) {
        let mut ledger = ledger();
        for n in 0..12 {
            ledger.on_data(&data(0, n * 1000, 1000));
        }
        for (&at, n) in acks.iter().zip(1..) {
            ledger.on_ack(&ack(at, n * 1000));
        }
        if has_word {
            ledger.on_peer_payload(25 * MILLISECOND, 1, 0);
        }
        ledger.on_data(&data(send, 12_000, 1000));
        ledger.slots.close();
        let sum = |of: fn(&crate::facts::slot::Slot) -> u32| ledger.slots.done.iter().map(of).sum();
        (sum(|slot| slot.word_released), sum(|slot| slot.word_awaited))
    }

    /// A send follows the peer's data if it comes within 1/20 of the round trip of 20 ms.
    #[test]
    fn sends_that_follow_the_peers_data_are_recorded() {
        assert_eq!(word_released(&[20_000], 25_100, true), (25_100, 0));
        assert_eq!(word_released(&[20_000], 26_000, true), (26_000, 0));
        assert_eq!(word_released(&[20_000], 26_001, true), (0, 0));
        assert_eq!(word_released(&[20_000], 25_100, false), (0, 0));
    }

    /// `PEER_AWAITED_ACKS`: two ACKs made room before the peer's data, and nothing was sent.
    #[test]
    fn the_peer_is_awaited_after_two_acks() {
        assert_eq!(word_released(&[20_000, 21_000], 25_100, true), (25_100, 25_100));
        assert_eq!(word_released(&[20_000], 25_100, true), (25_100, 0));
    }

    /// An ACK after the peer's data may have released the send, unless ACKs had made room long before.
    #[test]
    fn an_ack_behind_the_peers_data_explains_the_send() {
        assert_eq!(word_released(&[25_050], 25_100, true), (0, 0));
        assert_eq!(word_released(&[20_000, 21_000, 25_050], 25_100, true), (25_100, 25_100));
    }

    /// `INITIAL_WINDOW_BYTES`: every congestion window has room for these bytes, so data that follows the
    /// peer's was not ready before.
    #[test]
    fn small_flights_that_follow_the_peer_wait_for_it() {
        let kind = |bytes: u64| {
            let mut ledger = ledger();
            ledger.set_mss(1460);
            ledger.on_data(&data(0, 0, 400));
            ledger.on_peer_payload(25 * MILLISECOND, 1, 0);
            ledger.on_data(&data(25_100, 400, bytes));
            kinds(&ledger)
        };
        assert_eq!(kind(3_980), [(GapKind::Fact(GapFact::PeerDataAwaited), 25_100)]);
        assert_ne!(kind(3_981), [(GapKind::Fact(GapFact::PeerDataAwaited), 25_100)]);
    }

    /// A fragment follows the ACK of another fragment at once. That ACK was delayed if it came 15 ms later
    /// than the round trip of 20 ms explains. With a longer round trip, half of the round trip is the limit.
    #[test]
    fn an_ack_that_comes_15_ms_late_was_held_back() {
        let gaps = |rtt: i64, acked: i64| {
            let mut ledger = Ledger::new(0, 0, 1000);
            ledger.set_mss(1000);
            ledger.on_rtt(rtt * MICROSECOND);
            ledger.on_data(&data(0, 0, 100));
            ledger.on_ack(&ack(acked, 100));
            ledger.on_data(&data(acked, 100, 100));
            kinds(&ledger)
        };
        let held = |until, late| {
            let (held, late_ack) = (GapKind::Fact(GapFact::FragmentHeld), GapKind::Fact(GapFact::AckOfFragmentLate));
            vec![(held, until), (late_ack, late)]
        };
        assert_eq!(gaps(20_000, 35_000), held(20_000, 35_000));
        assert_eq!(gaps(20_000, 34_999), []);
        assert_eq!(gaps(60_000, 90_000), held(60_000, 90_000));
        assert_eq!(gaps(60_000, 89_999), []);
    }

    /// More than three segments in flight are not a small write that waits for its ACK.
    #[test]
    fn what_follows_three_segments_was_not_held_for_an_ack() {
        let is_held = |segments: u64| {
            let mut ledger = ledger();
            for n in 0..segments {
                ledger.on_data(&data(0, n * 1000, 1000));
            }
            ledger.on_ack(&ack(60_000, segments * 1000));
            ledger.on_data(&data(60_000, segments * 1000, 100));
            kinds(&ledger).iter().any(|(kind, _)| *kind == GapKind::Fact(GapFact::FragmentHeld))
        };
        assert!(is_held(3));
        assert!(!is_held(4));
    }

    /// A pause of 200 ms, a retransmission timeout, resets the known part of the congestion window.
    #[test]
    fn after_a_rest_of_200_ms_the_window_is_not_known() {
        let floor = |rest: i64| {
            let mut ledger = ledger();
            for n in 0..8 {
                ledger.on_data(&data(0, n * 1000, 1000));
            }
            ledger.on_ack(&ack(20_000, 8000));
            ledger.on_data(&data(20_000 + rest, 8000, 1000));
            ledger.cwnd_floor()
        };
        assert_eq!(floor(199_999), 8000);
        assert_eq!(floor(200_000), 1000);
    }

    /// With 18 segments in flight, two ACKs acknowledge `freed` bytes before the next segment leaves, on the
    /// second ACK.
    fn after_two_acks(freed: u64) -> GapKind {
        let mut ledger = ledger();
        for n in 0..18 {
            ledger.on_data(&data(0, n * 1000, 1000));
        }
        ledger.on_ack(&ack(20_000, freed / 2));
        ledger.on_ack(&ack(22_000, freed));
        ledger.on_data(&data(22_000, 18_000, 1000));
        kinds(&ledger)[0].0
    }

    /// Room was left unused if 2/9 of the bytes in flight, and two segments, were acknowledged.
    #[test]
    fn two_ninths_of_the_flight_are_room_that_was_left() {
        assert_eq!(after_two_acks(4000), GapKind::RoomUnused);
        assert_eq!(after_two_acks(3998), GapKind::AckClocked);
    }

    /// A single ACK may free much room, and the next send may still be the first that it released.
    #[test]
    fn a_single_ack_leaves_no_room() {
        let mut ledger = ledger();
        for n in 0..18 {
            ledger.on_data(&data(0, n * 1000, 1000));
        }
        ledger.on_ack(&ack(20_000, 8000));
        ledger.on_data(&data(20_500, 18_000, 1000));
        assert_eq!(kinds(&ledger), [(GapKind::AckClocked, 20_500)]);
    }

    /// A block ends with a fragment; its ACK releases the last bytes at once, and the next block follows the
    /// peer's answer. Nagle's algorithm held the last bytes back for a round trip of 20 ms; beyond that, the
    /// ACK was late.
    #[test]
    fn last_bytes_that_the_peer_waits_for_were_held_back() {
        let gaps = |acked: i64, answered: Option<i64>| {
            let mut ledger = ledger();
            for n in 0..3 {
                ledger.on_data(&data(0, n * 1000, 1000));
            }
            ledger.on_data(&data(0, 3000, 500));
            ledger.on_ack(&ack(acked, 3500));
            ledger.on_data(&data(acked + 50, 3500, 80));
            if let Some(answered) = answered {
                ledger.on_ack(&ack(answered, 3580));
                ledger.on_peer_payload(answered * MICROSECOND, 30, 0);
            }
            ledger.on_data(&data(acked + 30_000, 3580, 1000));
            let gaps = kinds(&ledger);
            (gaps[0], gaps.get(1).copied(), ledger.held_writes)
        };
        let held = GapKind::Fact(GapFact::FragmentHeld);
        assert_eq!(gaps(20_000, Some(40_050)).0, (held, 20_050));
        assert_eq!(gaps(20_000, Some(40_050)).2, 1);
        let late = GapKind::Fact(GapFact::AckOfFragmentLate);
        assert_eq!(gaps(60_000, Some(80_050)), ((held, 20_000), Some((late, 60_050)), 1));
        // The peer did not wait for these bytes.
        assert_eq!(gaps(20_000, None).0, (GapKind::Fact(GapFact::FragmentLeftQueueEmpty), 20_050));
    }

    /// A fragment leaves on the ACK of another one. Data within the next 0.2 ms was ready before: the writer
    /// had been blocked.
    #[test]
    fn a_blocked_writer_goes_on_within_a_fifth_of_a_millisecond() {
        let before_fragment = |next: i64| {
            let mut ledger = ledger();
            ledger.on_data(&data(0, 0, 100));
            ledger.on_data(&data(0, 100, 1000));
            ledger.on_ack(&ack(20_000, 100));
            ledger.on_data(&data(20_000, 1100, 100));
            ledger.on_data(&data(20_000 + next, 1200, 1000));
            kinds(&ledger)[0]
        };
        assert_eq!(before_fragment(200), (GapKind::RoomUnused, 20_000));
        assert_eq!(before_fragment(201), (GapKind::Fact(GapFact::FragmentLeftQueueEmpty), 20_000));
    }

    /// Limit by the sender's timestamps, ms: 1/20 of the round trip, from one to five.
    #[test]
    fn ticks_of_a_released_send() {
        let ticks = |rtt: i64| {
            let mut ledger = Ledger::new(0, 0, 1000);
            ledger.on_rtt(rtt * MILLISECOND);
            ledger.released_ticks()
        };
        assert_eq!([8, 59, 60, 99, 100, 400].map(ticks), [1, 2, 3, 4, 5, 5]);
        assert_eq!(Ledger::new(0, 0, 1000).released_ticks(), 1);
    }

    /// Segmentation offload waits for a third of the window, at most for its largest super-packet.
    #[test]
    fn offload_waits_for_a_third_of_the_window() {
        let kind = |window: u64, room: u64| {
            let mut ledger = ledger();
            ledger.offer(window, window);
            let flight = window - room;
            ledger.on_data(&data(0, 0, flight));
            ledger.on_data(&data(10_000, flight, 1000));
            kinds(&ledger)[0].0
        };
        assert_eq!(kind(30_000, 9_999), GapKind::WindowFull);
        assert_eq!(kind(30_000, 10_000), GapKind::Unreleased);
        assert_eq!(kind(300_000, 65_535), GapKind::WindowFull);
        assert_eq!(kind(300_000, 65_536), GapKind::Unreleased);
    }

    /// Away from the sender and without timestamps, data surely follows no ACK if it is 3/8 of a round trip
    /// and 1 ms late.
    #[test]
    fn three_eighths_of_a_round_trip_late_follows_no_ack() {
        let is_unreleased = |rtt: i64, late: i64| {
            let mut ledger = Ledger::new(0, 0, 1000);
            ledger.set_mss(1000);
            ledger.on_rtt(rtt * MICROSECOND);
            ledger.set_ack_times_inferred(true);
            ledger.is_surely_unreleased(rtt * MICROSECOND, Some(late * MICROSECOND), &data(rtt, 0, 1000))
        };
        assert!(is_unreleased(20_000, 7_500) && !is_unreleased(20_000, 7_499));
        assert!(is_unreleased(2_000, 1_000) && !is_unreleased(2_000, 999));
    }
}
