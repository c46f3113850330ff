//! What the time between two sends of new data says of the reason for it.

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
    /// In flight right after that send.
    pub(super) flight: u64,
    /// Room that the window left then; [`u64::MAX`] where that is not known.
    pub(super) room: u64,
    /// The window had no room for another segment; until when.
    pub(super) blocked: Option<Blocked>,
    /// ACKs that acknowledged new bytes (cumulatively or by SACK): first, how many, how much.
    pub(super) first_free: When,
    pub(super) advancing_acks: u32,
    pub(super) bytes_acked: u64,
    /// Last ACK that acknowledged new bytes or moved the window's right edge.
    pub(super) last_release: When,
    /// What was acknowledged before that ACK.
    pub(super) una_before_release: u64,
    /// When nothing was in flight any more, and whether the ACK that emptied it carried payload.
    pub(super) emptied: Option<(i64, bool)>,
    /// The peer's first and last payload in it.
    pub(super) peer_spoke: Option<(i64, i64)>,
    /// Payload of the peer in it, with what it repeated.
    pub(super) heard: u64,
    /// How often the peer repeated its data in it.
    pub(super) peer_repeats: u32,
    /// The first and the last ACK without payload that made room.
    pub(super) first_room: When,
    pub(super) last_room: When,
    /// An ACK, or that send, and what was in flight after it.
    pub(super) mark: (i64, u32),
    /// The least that was in flight for longer than an answer takes, and nothing was sent.
    pub(super) unanswered: Option<NonZeroU32>,
}

impl Ledger {
    /// [`Self::clocked`] of a direction whose bursts all follow ACKs.
    const ALL_CLOCKED: u16 = 1 << 15;

    /// Time before the first data: the application had not spoken yet.
    pub(super) fn open_stream(&mut self, time: i64, data: &DataEvent) {
        self.nxt = self.nxt.max(data.start);
        self.una = self.una.max(data.start);
        let (blocked, release) = (self.gap.blocked, self.release());
        if let Some(Blocked { since, until: Some(until) }) =
            blocked.filter(|b| time - b.until.unwrap_or(time) <= release)
        {
            // It spoke as soon as it was allowed to.
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
        // At the sender it is known how soon.
        let at_once = if self.closeness.ack_times_inferred() { burst_gap } else { burst_gap.min(WRITER_WAKES.get()) };
        if self.tail.get().is_some_and(|tail| time - tail <= at_once)
            && let Some(tail) = self.tail.take()
        {
            // More followed at once: the fragment ended a write of a writer that had been blocked.
            self.emit(tail, GapKind::RoomUnused);
        }
        self.hear(time + self.jitter());
        // The peer spoke next. So both talk in turns, and the peer had waited for the fragment.
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
        // Away from the sender, the two ends' timestamps tell how long after the ACK it sent.
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
                    // Idle for a retransmission timeout: Linux restarts from a smaller window (RFC 5681 §4.1).
                    self.cwnd_floor = 0;
                }
                self.follow_rest(emptied, time, data);
                let is_woken = || self.wakes.as_ref().is_some_and(|wakes| wakes.are_rests_ended_by_acks());
                if self.gap.peer_spoke.is_none() && !by_payload && time - emptied < RESTART_AFTER_IDLE && is_woken() {
                    // It waited for its buffer until then, and for the host from then on.
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
            // Whether the writer had no more shows when the next segment comes.
            self.tail = When::at(time);
            return;
        }
        let wait = time - from;
        if follows_word.is_none() && self.may_be_probe(wait) {
            // The next ACK or repeat shows whether what is in flight was lost.
            self.is_probing = true;
            return;
        }
        let ticks = match (data.tsval, self.last_tsval) {
            (Some(now), Some(before)) if self.closeness.ack_times_inferred() => Some(now.wrapping_sub(before) as i32),
            _ => None,
        };
        // Away from the sender its timestamps tell when it sent; what the path did to the spacing does not matter.
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
            // Segmentation offload waits for more room rather than send a part (`tcp_tso_should_defer`).
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
                // No congestion window kept that back, nor any send buffer: it came when the peer had spoken.
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

    /// A burst at `time` that follows an ACK by `lag`, and no word of the peer, shows how soon programs of
    /// this host wake.
    fn learn_wake(&mut self, time: i64, lag: Option<i64>, data: &DataEvent) {
        let follows_acks = self.gap.advancing_acks > 0 && self.gap.peer_spoke.is_none() && self.gap.blocked.is_none();
        let is_burst = time - self.gap.start > self.closeness.burst();
        if let Some(lag) = lag.filter(|_| follows_acks && is_burst && self.hole_since.is_none()) {
            // Away from the sender, only its timestamps show which ACKs it had.
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

    /// Within as many milliseconds of an ACK its sender's timestamps put a send that it released.
    fn released_ticks(&self) -> i64 {
        let (least, most) = (RELEASED_TICKS_LEAST.get(), RELEASED_TICKS_MOST.get());
        self.rtt_min.map_or(least, |rtt| (RELEASED_TICKS.of(rtt) / MILLISECOND).clamp(least, most))
    }

    /// Whether the send queue was empty after the last send, and both windows had room for more: a fragment
    /// was the last of it. Nagle's algorithm had kept that back until the one before was acknowledged, or
    /// keeps back others about now. A writer that waits for its buffer adds to such a fragment before it
    /// leaves (`tcp_sendmsg_locked` fills the last skb first). Less than a segment follows an ACK with `data`
    /// then: Nagle's algorithm keeps no more back (RFC 9293 §3.7.4). No ACK makes a program with a pace of
    /// its own write.
    fn is_drained(&self, time: i64, data: &DataEvent) -> bool {
        let is_fragment = self.last_partial_end == self.nxt;
        let keeps_back =
            self.drained_at.get().is_some_and(|at| time - at <= FRAGMENT_ROUND_TRIPS.get() * self.rtt_min.unwrap_or(0));
        let had_room = self.gap.flight + self.mss <= self.cwnd_floor && self.gap.room >= self.mss;
        let may_be_kept_back = data.end - data.start < self.mss;
        is_fragment && keeps_back && had_room && may_be_kept_back
    }

    /// Whether a burst followed an ACK: what of late bursts did is smoothed.
    fn note_clocking(&mut self, is_answer: bool, kind: GapKind) {
        if kind != GapKind::Burst {
            let step = CLOCKED_SMOOTHING.get();
            let now = if is_answer { Self::ALL_CLOCKED / step } else { 0 };
            self.clocked = self.clocked - self.clocked / step + now;
        }
    }

    /// Whether ACKs release each send, and with `data` as much is in flight as ever. A fragment that leaves
    /// then may have more behind it. A writer that waits for its buffer cannot add to it, and Nagle's
    /// algorithm keeps it back.
    fn is_at_brim(&self, data: &DataEvent) -> bool {
        let flight = self.flight() + (data.end - data.start);
        part(u32::from(self.clocked), u32::from(Self::ALL_CLOCKED)) >= CLOCKED_SHARE
            && part(flight, self.cwnd_floor) >= BRIM
            && flight >= MIN_SNDBUF
    }

    /// A burst begins: notes with how much in flight it does, and with how much none did before.
    fn note_start(&mut self, time: i64) {
        self.follow_silence(time, self.flight());
        // As a writer fills its buffer it may be interrupted at any level.
        let flight = if self.is_room_unused(time) { self.flight() } else { 0 };
        let unanswered = self.gap.unanswered;
        let slot = &mut self.slots.current;
        slot.partial_ends = slot.partial_ends.saturating_add(u16::from(self.last_partial_end == self.nxt));
        slot.note_start(flight, unanswered);
    }

    /// Until `time` nothing was sent, when `flight` is in flight.
    pub(super) fn follow_silence(&mut self, time: i64, flight: u64) {
        let answer = self.release();
        let gap = &mut self.gap;
        if time - gap.mark.0 > answer {
            gap.unanswered = NonZeroU32::new(gap.mark.1);
            gap.mark = (time, narrow(flight));
        }
    }

    /// Whether data that came `lag` after the last ACK that made room, and `wait` after other data, followed none. Away from the
    /// sender, without timestamps or where these tick less than twice in a round trip, ACKs are where the handshake puts them. Data
    /// can be late then because the handshake was answered by somebody nearer, but not by three eighths of a round trip; or because
    /// it waited in a queue, but not where the path rested all that time.
    fn is_surely_unreleased(&self, wait: i64, lag: Option<i64>, data: &DataEvent) -> bool {
        let has_order = !self.closeness.ack_times_inferred() || data.tsval.is_some() && self.has_ticks();
        let late = lag.unwrap_or(wait);
        has_order
            || self.rtt_min.is_some_and(|rtt| {
                part(late, rtt) >= SURELY_UNRELEASED && late >= SURELY_UNRELEASED_LEAST && wait >= late
            })
    }

    /// Data is in flight, and for two round trips nothing of it was acknowledged. A tail loss probe sends new
    /// data then, if there is any (RFC 8985 §7.3).
    fn may_be_probe(&self, wait: i64) -> bool {
        !self.closeness.ack_times_inferred()
            && self.gap.advancing_acks == 0
            && self.flight() > 0
            && self.rtt_recent.is_some_and(|rtt| wait >= TIMER_ROUND_TRIPS.get() * rtt)
    }

    /// A piece shorter than the MSS goes out on the ACK of the small piece before it (Nagle's algorithm in Minshall's
    /// variant, `tcp_minshall_check`), or of all that was in flight (RFC 9293 §3.7.4): had there been more to send, it would
    /// have been topped up.
    fn is_nagle_tail(&self, data: &DataEvent) -> bool {
        let is_of_small = self.gap.una_before_release < self.last_partial_end && self.last_partial_end <= self.una;
        data.is_partial && data.end - data.start < self.mss && (is_of_small || self.gap.emptied.is_some())
    }

    /// Whether ACKs had made room well before the one that released the send. Segmentation offload may hold back up to a
    /// third of a small window (`tcp_tso_should_defer`), and away from the sender the order of ACKs within
    /// [`Self::jitter`] is not known.
    pub(super) fn is_room_unused(&self, time: i64) -> bool {
        time >= self.floor_from
            && self.hole_since.is_none()
            && self.gap.advancing_acks >= UNUSED_ACKS
            && self.gap.bytes_acked >= UNUSED_SEGMENTS.get() * self.mss
            && part(self.gap.bytes_acked, self.gap.flight) >= UNUSED_FLIGHT
            && self.gap.first_free.get().is_some_and(|f| time - f > self.jitter())
    }

    /// Bytes in flight that every congestion window allows which no loss or rest has cut (RFC 3390 §1).
    fn initial_window(&self) -> u64 {
        INITIAL_WINDOW_BYTES.get().clamp(INITIAL_WINDOW_LEAST.get() * self.mss, INITIAL_WINDOW_MOST.get() * self.mss)
    }

    /// Nagle's algorithm kept a small segment back from `from` on, and it left at `until`: when the data
    /// before it was acknowledged.
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

    /// An ACK that came after `wait` came later than a round trip of `base` explains.
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

    /// Nothing was left to send: the application's time, split by whose turn it was. `is_asked`: the peer's
    /// words asked for what is sent now. `had_sent`: this side had sent more by then than was captured.
    pub(super) fn emit_idle(&mut self, time: i64, is_asked: bool, had_sent: bool) {
        match self.gap.peer_spoke {
            // The peer asked again and again, and was not even acknowledged: the path was down, not the
            // application.
            Some((first, _)) if self.gap.peer_repeats > 0 && had_sent => {
                self.emit(first, GapKind::Fact(GapFact::PeerDataAwaited));
                self.emit(time, GapKind::Fact(GapFact::PeerRepeatedUnanswered));
            }
            // It had nothing that a timer could repeat: what it waited for was lost.
            Some(_) if self.gap.peer_repeats > 0 => self.emit(time, GapKind::Fact(GapFact::PeerDataAwaited)),
            Some((_, last)) => self.emit_turn(last, time, is_asked),
            None => self.emit_pause(time),
        }
    }

    /// The peer's last words came at `last`, and this side sends at `time`.
    fn emit_turn(&mut self, last: i64, time: i64, is_asked: bool) {
        self.emit(last, GapKind::Fact(GapFact::PeerDataAwaited));
        if is_asked {
            self.emit(time, GapKind::Fact(GapFact::AnswerAwaited));
        } else {
            self.emit_pause(time);
        }
    }

    /// A small segment waited until all before it was acknowledged, and the acknowledgment took longer than the path.
    fn is_ack_delayed(&self, data: &DataEvent) -> bool {
        let base = self.rtt_min.unwrap_or(0);
        let wait = self.gap.emptied.map_or(0, |(t, _)| t - self.gap.start);
        let is_small = self.gap.flight <= HELD_SEGMENTS.get() * self.mss && data.end - data.start < self.mss;
        (is_small || self.is_below_unknown_mss()) && Self::is_late(wait, base)
    }

    /// Two full segments are acknowledged at once (RFC 9293 §3.8.6.3): of what a single late acknowledgment frees, each was less,
    /// whatever the MSS is; and what full segments follow waits for no acknowledgment of a small one (§3.7.4). Those that talk
    /// in turns delay acknowledgments (`inet_csk_in_pingpong_mode`); where data flows one way, a queue may be as late.
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

    /// A ledger at the sender, with segments of 1000 bytes and a round trip of 20 ms. Times are in microseconds.
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

    /// What the gaps after the first send are noted as, and until when.
    fn kinds(ledger: &Ledger) -> Vec<(GapKind, i64)> {
        ledger.slots.intervals.iter().map(|interval| (interval.kind, interval.end / MICROSECOND)).collect()
    }

    /// Twelve segments leave at 0 ms, ACKs of one each come at these times, and the next segment leaves at
    /// `send`. Returns the time before sends that followed the peer's data of 25 ms, and of that after ACKs
    /// that had made room.
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

    /// A send follows the peer's data up to a twentieth of the round trip of 20 ms later.
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

    /// An ACK that comes after the peer's data may have released the send. Where ACKs had made room for
    /// long before, it did not.
    #[test]
    fn an_ack_behind_the_peers_data_explains_the_send() {
        assert_eq!(word_released(&[25_050], 25_100, true), (0, 0));
        assert_eq!(word_released(&[20_000, 21_000, 25_050], 25_100, true), (25_100, 25_100));
    }

    /// `INITIAL_WINDOW_BYTES`: where every congestion window has room, data that follows the peer's had not
    /// been there before.
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

    /// A fragment follows the ACK of another one at once. That ACK was held back if it came 15 ms later than the round trip of 20 ms
    /// explains, and with a longer round trip half of that later.
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

    /// More than three segments in flight are no small one that waits for its ACK.
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

    /// A rest of 200 ms, a retransmission timeout, forgets what the congestion window had allowed.
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

    /// Eighteen segments in flight, of which two ACKs acknowledge `freed` bytes before the next segment leaves, on the second.
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

    /// Room was left unused where two ninths of the flight, and two segments, were acknowledged.
    #[test]
    fn two_ninths_of_the_flight_are_room_that_was_left() {
        assert_eq!(after_two_acks(4000), GapKind::RoomUnused);
        assert_eq!(after_two_acks(3998), GapKind::AckClocked);
    }

    /// One ACK may free much, and the send still be the first that it could release.
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

    /// A block that ends with a fragment, its ACK, the last bytes on that at once, and the next block when
    /// the peer had answered. Nagle's algorithm held the last bytes back, for a round trip of 20 ms; the
    /// ACK was late beyond that.
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
        // Nobody waited for them.
        assert_eq!(gaps(20_000, None).0, (GapKind::Fact(GapFact::FragmentLeftQueueEmpty), 20_050));
    }

    /// A fragment leaves on the ACK of another one. What follows within 0.2 ms was there already: the writer had been blocked.
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

    /// The sender's timestamps, in milliseconds: a twentieth of the round trip, at least one and at most five.
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

    /// Segmentation offload waits for a third of the window, and for no more than its largest super-packet.
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

    /// Away from the sender, without timestamps: data follows no ACK for sure three eighths of a round trip after it, and a
    /// millisecond.
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
