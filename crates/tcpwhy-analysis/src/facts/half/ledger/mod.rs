//! The ledger of a half-connection, on its sender's clock. It has the bytes in flight, the room in the
//! window, and the facts about each gap between two sends of new data.

mod closeness;
mod gap;
mod recovery;
mod rests;
mod rhythm;
mod silence;
mod turns;
mod wakes;
mod whole_turns;
mod window;
mod word_sizes;
mod words;

use std::num::NonZeroU16;

use super::event::{AckEvent, DataEvent, DataKind};
use super::grains::{Grains, Longest};
use super::pacing::Pacing;
use super::signs::Signs;
use super::units::MILLISECOND;
use super::when::When;
use crate::facts::bytes::Bytes;
use crate::facts::gap_fact::GapFact;
use crate::facts::slot::{GapKind, SlotLog, micros, narrow};
use crate::sketch::Sketch;
use crate::thresholds::{
    FINE_TICKS_ROUND_TRIP, INFERRED_JITTER, INFERRED_JITTER_MOST, LONG_SILENCE, SENT_AT_ONCE, TICKS_ROUND_TRIP,
};
use closeness::Closeness;
use gap::Gap;
use recovery::Recovery;
use rests::Rests;
use wakes::Wakes;
pub(crate) use whole_turns::WholeTurns;
use window::Blocked;
#[cfg(test)]
pub(crate) use word_sizes::WordsBetween;
pub(crate) use words::PeerWords;
use words::Words;

/// Divisor of the difference by which a new sample changes the smoothed round trip (RFC 6298 §2.3).
const SMOOTHING: i64 = 8;

#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    una: u64,
    nxt: u64,
    /// Highest right edge advertised; `None` while unknown.
    edge: Option<u64>,
    window_max: u64,
    mss: u64,
    /// The handshake or full segments showed the MSS.
    is_mss_known: bool,
    is_anything_sent: bool,
    /// The last segment of new data may be a tail loss probe; the gap before it is not recorded yet.
    is_probing: bool,
    /// A packet of the receiver was captured.
    is_heard: bool,
    /// The capture started mid-connection and no round trip was measured yet, so earlier bytes in flight are
    /// unknown.
    is_joining: bool,
    /// The burst in progress: its start, bytes and segments. Then period and pace of the previous burst.
    burst_start: i64,
    burst_sent: u64,
    burst_sends: u32,
    last_period: i64,
    last_rate: i64,
    last_tsval: Option<u32>,
    /// End of the last segment shorter than the MSS.
    last_partial_end: u64,
    /// Time of a fragment that was sent on the ACK of the previous fragment; the gap before it is not
    /// recorded yet.
    tail: When,
    /// Last time at which such a fragment left the send queue empty.
    drained_at: When,
    last_event: i64,
    last_ack: i64,
    /// Smoothed delay from an ACK to the data that it releases, nanoseconds.
    typical_lag: u32,
    /// Smoothed share of the recent bursts that followed ACKs, in units of 1/[`Self::ALL_CLOCKED`].
    clocked: u16,
    closeness: Closeness,
    /// Largest number of bytes in flight since the last loss or idle period: the congestion window is at
    /// least that.
    cwnd_floor: u64,
    /// Right after a recovery, bytes in flight still decrease; they raise the floor only from this time on.
    floor_from: i64,
    sacked: u64,
    gap: Gap,
    recovery: Option<Recovery>,
    /// The previous recovery, which later duplicate reports may still show to have been needless.
    ended_recovery: Option<Box<Recovery>>,
    /// End of the retransmitted data: a hole below it may have been repaired before the receiver reported it.
    repeated_end: u64,
    /// Time at which the receiver first reported the hole that is open now.
    hole_since: Option<i64>,
    rtt_min: Option<i64>,
    rtt_recent: Option<i64>,
    /// The smoothed round trip before the last sample; 0 before the first.
    rtt_before: Grains,
    /// Bytes in flight and offered window, weighted by time up to `weighed`.
    pub(crate) flight_sketch: Sketch,
    pub(crate) window_sketch: Sketch,
    window: Option<u64>,
    /// At most 1 GiB (RFC 7323 §2.3).
    window_first: u32,
    flight_max: u64,
    weighed: i64,
    /// Longest time with a zero window, nanoseconds, and start of the current one.
    pub(crate) zero_window_longest: i64,
    zero_window_since: When,
    /// Time at which the window last opened again.
    zero_window_until: When,
    pub(crate) fast_recoveries: u32,
    pub(crate) timeouts: u32,
    /// Longest delay of an ACK of new data, delayed ACKs included.
    pub(crate) longest_ack: Longest,
    /// Number of times the receiver advertised a zero window.
    pub(crate) zero_window_stalls: u32,
    /// Longest silence that ended in a timeout.
    pub(crate) timeout_silence: Grains,
    /// Number of pauses with an empty send queue, and the longest of them. Neighbouring pauses are one
    /// interval of the timeline if the data between them took no time.
    pub(crate) pauses: u32,
    pub(crate) pause_longest: Grains,
    /// Number of times this side sent data after its peer had.
    pub(crate) turns: u32,
    /// Number of small segments that waited for the ACK of the data before (Nagle's algorithm).
    pub(crate) held_writes: u32,
    pub(crate) pacing: Pacing,
    pub(crate) slots: SlotLog,
    signs: Option<Box<Signs>>,
    /// State from the first silence of `BEAT_AT_ONCE` on.
    rests: Option<Box<Rests>>,
    /// State from the peer's first payload on.
    words: Option<Box<Words>>,
    /// State from the first burst that follows ACKs.
    wakes: Option<Box<Wakes>>,
}

impl Ledger {
    /// Creates a ledger from `start` on; `first` is the offset at which the stream begins. The MSS is assumed
    /// until [`Self::set_mss`] sets it.
    pub(crate) fn new(start: i64, first: u64, mss: u64) -> Self {
        Self {
            una: first,
            nxt: first,
            edge: None,
            window_max: 0,
            mss,
            is_mss_known: false,
            is_anything_sent: false,
            is_heard: false,
            is_joining: false,
            burst_start: start,
            burst_sent: 0,
            burst_sends: 0,
            last_period: 0,
            last_rate: 0,
            last_tsval: None,
            last_partial_end: 0,
            tail: When::NEVER,
            drained_at: When::NEVER,
            is_probing: false,
            last_event: start,
            last_ack: start,
            typical_lag: 0,
            clocked: 0,
            closeness: Closeness::default(),
            cwnd_floor: 0,
            floor_from: start,
            sacked: 0,
            gap: Gap { start, ..Gap::default() },
            recovery: None,
            ended_recovery: None,
            repeated_end: first,
            hole_since: None,
            rtt_min: None,
            rtt_recent: None,
            rtt_before: Grains::default(),
            flight_sketch: Sketch::default(),
            window_sketch: Sketch::default(),
            window: None,
            window_first: 0,
            flight_max: 0,
            weighed: start,
            zero_window_longest: 0,
            zero_window_since: When::NEVER,
            zero_window_until: When::NEVER,
            fast_recoveries: 0,
            timeouts: 0,
            longest_ack: Longest::default(),
            zero_window_stalls: 0,
            timeout_silence: Grains::default(),
            pauses: 0,
            pause_longest: Grains::default(),
            turns: 0,
            held_writes: 0,
            pacing: Pacing::default(),
            slots: SlotLog::new(start),
            signs: None,
            rests: None,
            words: None,
            wakes: None,
        }
    }

    pub(crate) fn set_mss(&mut self, mss: u64) {
        self.mss = mss.max(1);
        self.is_mss_known = true;
    }

    /// The rarely used signs, if this direction has any.
    #[inline]
    pub(crate) fn signs(&mut self) -> Option<&mut Signs> {
        self.signs.as_deref_mut()
    }

    /// The signs, created if they are missing.
    #[cold]
    pub(crate) fn signs_mut(&mut self) -> &mut Signs {
        self.signs.get_or_insert_default()
    }

    /// The signs, read only.
    pub(super) fn seen_signs(&self) -> Option<&Signs> {
        self.signs.as_deref()
    }

    /// Removes and returns the signs.
    pub(crate) fn take_signs(&mut self) -> Option<Box<Signs>> {
        self.signs.take()
    }

    /// Timestamp of the newest data.
    pub(crate) fn last_tsval(&self) -> Option<u32> {
        self.last_tsval
    }

    pub(crate) fn jitter_allowance(&self) -> i64 {
        self.jitter()
    }

    /// Records that the capture started mid-connection.
    pub(crate) fn join_mid_stream(&mut self) {
        self.is_joining = true;
    }

    pub(crate) fn set_ack_times_inferred(&mut self, ack_times_inferred: bool) {
        self.closeness.set_ack_times_inferred(ack_times_inferred, self.rtt_min);
    }

    /// Usual delay from an ACK until its answer passes the capture, nanoseconds, if all answers have it;
    /// otherwise 0.
    pub(crate) fn usual_lag(&self) -> i64 {
        self.closeness.usual_lag().unwrap_or(0)
    }

    /// Largest delay of a send that an ACK released, nanoseconds.
    fn release(&self) -> i64 {
        let wake = self.wakes.as_ref().and_then(|wakes| wakes.within());
        wake.map_or(self.closeness.release(), |wake| wake.max(self.closeness.release()))
    }

    /// Typical delay of sends after ACKs that make room, microseconds; `None` if it is unknown.
    pub(crate) fn wake_up(&self) -> Option<NonZeroU16> {
        let nanos = self.wakes.as_ref()?.typical()?;
        NonZeroU16::new(u16::try_from(micros(nanos)).ok()?)
    }

    /// Whether the usual delay of programs after an ACK was learnt.
    pub(crate) fn is_wake_known(&self) -> bool {
        self.wakes.as_ref().is_some_and(|wakes| wakes.within().is_some())
    }

    pub(crate) fn flight(&self) -> u64 {
        self.nxt.saturating_sub(self.una)
    }

    pub(crate) fn window_max(&self) -> u64 {
        self.window_max
    }

    /// First window offered for data, bytes.
    pub(crate) fn window_first(&self) -> u64 {
        self.window_first.into()
    }

    pub(crate) fn flight_max(&self) -> u64 {
        self.flight_max
    }

    pub(crate) fn rtt_recent(&self) -> Option<i64> {
        self.rtt_recent
    }

    /// Adds bytes in flight and the offered window until `time` to their distributions.
    #[inline]
    fn weigh(&mut self, time: i64) {
        let nanos = time - self.weighed;
        if nanos >= self.closeness.fine() {
            self.add_weight(time, nanos);
        }
    }

    #[inline(never)]
    fn add_weight(&mut self, time: i64, nanos: i64) {
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

    /// Records the time up to `end` as `fact`, without evaluating the gap (handshake, unobserved time).
    pub(crate) fn account(&mut self, end: i64, fact: GapFact) {
        self.emit(end, GapKind::Fact(fact));
        self.gap = Gap { start: end.max(self.gap.start), flight: self.flight(), ..Gap::default() };
        self.last_event = self.last_event.max(end);
    }

    pub(crate) fn on_rtt(&mut self, sample: i64) {
        if sample <= 0 {
            return;
        }
        self.rtt_before = Grains::of(self.rtt_recent.unwrap_or(sample));
        let recent = self.rtt_recent.map_or(sample, |r| r + (sample - r) / SMOOTHING);
        self.rtt_recent = Some(recent);
        self.closeness.set_recent(recent);
        if self.rtt_min.is_none_or(|least| sample < least) {
            self.rtt_min = Some(sample);
            self.closeness.set_least(sample);
        }
        let slot = &mut self.slots.current;
        slot.rtt_min = Some(slot.rtt_min.map_or(sample, |m| m.min(sample)));
        slot.rtt_sum = slot.rtt_sum.saturating_add(sample);
        slot.rtt_count += 1;
    }

    /// Forgets the round trips so far, which covered only a part of the path.
    pub(crate) fn forget_round_trips(&mut self) {
        (self.rtt_min, self.rtt_recent) = (None, None);
        let slot = &mut self.slots.current;
        (slot.rtt_min, slot.rtt_sum, slot.rtt_count) = (None, 0, 0);
    }

    /// Records data whose delay after the newest ACK that it answers was `excess` above the least, after a
    /// `silence` on the path. It was on its way for `queued` longer than needed. A newer ACK, which the data
    /// does not echo, must have reached its sender before the data passed.
    pub(crate) fn on_echo(&mut self, excess: i64, queued: i64, silence: i64) {
        // Stored plus one, so that 0 means that no data echoed.
        let micros = |nanos: i64| micros(nanos.max(0)).min(u32::MAX - 1);
        let slot = &mut self.slots.current;
        let is_first = slot.echo_queued == 0;
        let queued = micros(queued) + 1;
        let wait = if silence >= excess { micros(excess) } else { 0 };
        slot.echo_queued = if is_first { queued } else { slot.echo_queued.min(queued) };
        slot.echo_wait = if is_first { wait } else { slot.echo_wait.min(wait) };
    }

    /// Time of the peer's last data since this side's last.
    pub(crate) fn peer_spoke_last(&self) -> Option<i64> {
        self.gap.peer_spoke.map(|(_, last)| last)
    }

    /// Records `bytes` of the peer's payload, which acknowledges up to `ack`.
    pub(crate) fn on_peer_payload(&mut self, time: i64, bytes: u64, ack: u64) {
        self.gap.heard += bytes;
        let first = self.gap.peer_spoke.map_or(time, |p| p.0);
        self.gap.peer_spoke = Some((first, time));
        self.note_word(time, bytes, ack);
    }

    pub(crate) fn on_peer_retransmission(&mut self) {
        self.gap.peer_repeats += 1;
    }

    pub(crate) fn forgive_peer_retransmissions(&mut self) {
        self.gap.peer_repeats = 0;
    }

    /// Ends an outage: this side was heard at `time`, after the peer had retransmitted data without an
    /// answer. The path was down until then, and the time after it is this side's own. `had_sent`: this side
    /// had sent more by then than was captured.
    pub(crate) fn end_outage(&mut self, time: i64, had_sent: bool) {
        if self.gap.peer_repeats > 0 && self.gap.emptied.is_some() && self.recovery.is_none() {
            self.emit_idle(time, true, had_sent);
            self.gap.peer_spoke = Some((time, time));
            self.gap.peer_repeats = 0;
        }
    }

    pub(crate) fn on_ack(&mut self, ack: &AckEvent) {
        let time = ack.time.max(self.slots.cursor());
        self.weigh(time);
        self.follow_zero_window(time, ack.is_zero_window);
        if ack.ack > self.nxt {
            // The receiver has data that the capture lacks.
            if self.is_anything_sent {
                self.emit_open(self.last_event.min(time), GapKind::AckClocked);
            }
            self.account(time, GapFact::DataNotCaptured);
            self.nxt = ack.ack;
        }
        let una_before = self.una;
        let bytes_acked = ack.ack.saturating_sub(self.una);
        self.is_heard = true;
        if self.is_joining && bytes_acked > 0 {
            self.is_joining = false;
            self.emit(time, GapKind::Fact(GapFact::JoinedMidStream));
        }
        let delivered = (self.una.max(ack.ack) + ack.sacked).saturating_sub(self.una + self.sacked);
        if delivered > 0 && time - self.last_event > LONG_SILENCE {
            self.on_late_ack(ack);
        }
        self.una = self.una.max(ack.ack);
        let had_sacked = std::mem::replace(&mut self.sacked, ack.sacked) > 0;
        let mut moved = 0;
        if let Some(window) = ack.window {
            let edge = ack.ack + window;
            moved = self.edge.map_or(0, |e| edge.saturating_sub(e));
            if moved > 0 && delivered == 0 {
                self.note_reader_wait(ack.passed);
            }
            self.edge = Some(self.edge.map_or(edge, |e| e.max(edge)));
            self.window_max = self.window_max.max(window);
            self.window = Some(window);
            if self.window_first == 0 {
                self.window_first = narrow(window);
            }
            let slot = &mut self.slots.current;
            slot.note_window(window);
            slot.edge_advance.add(moved);
        }
        let slot = &mut self.slots.current;
        slot.acked.add(bytes_acked);
        slot.has_zero_window |= ack.is_zero_window;
        self.update_blocked(time, ack);
        if delivered > 0 {
            // These times are measured at the capture point, not when the sender answered, so that they show
            // the path at work.
            let since = (ack.passed - self.last_ack).max(0);
            let slot = &mut self.slots.current;
            slot.ack_gap_max = slot.ack_gap_max.max(since);
            slot.advancing_acks += 1;
            slot.word_acks = slot.word_acks.saturating_add(ack.has_payload.into());
            slot.ack_time += since;
            slot.ack_time_squared += (since as f32 / MILLISECOND as f32).powi(2);
            slot.ack_covered += since.min(self.typical_lag.into());
            self.last_ack = ack.passed;
            if self.recovery.is_none()
                && let Some(signs) = self.signs()
            {
                signs.first_timeouts.end_doubling();
            }
            if let Some(wakes) = &mut self.wakes {
                wakes.on_ack(since);
            }
            self.follow_silence(time, self.flight());
            let gap = &mut self.gap;
            gap.first_free.note_first(time);
            gap.advancing_acks += 1;
            gap.bytes_acked += delivered;
            if self.una >= self.nxt && gap.emptied.is_none() {
                gap.emptied = Some((time, ack.has_payload));
            }
        }
        if delivered > 0 || moved > 0 {
            self.gap.last_release = When::at(time);
            self.gap.una_before_release = una_before;
            if !ack.has_payload {
                self.gap.first_room.note_first(time);
                self.gap.last_room = When::at(time);
            }
        }
        // The oldest data was the missing data, and the receiver already had data above it.
        let was_overtaken = had_sacked && una_before >= self.repeated_end;
        self.follow_recovery(time, ack, bytes_acked, was_overtaken);
        self.last_event = self.last_event.max(time);
    }

    #[expect(clippy::inline_always, reason = "every segment of data takes this way, and comes from one place")]
    #[inline(always)]
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

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        self.flight_sketch.heap()
            + self.window_sketch.heap()
            + self.slots.heap()
            + self.ended_recovery.as_ref().map_or(0, |_| size_of::<Recovery>())
            + self.signs.as_ref().map_or(0, |signs| signs.heap())
            + self.rests.as_ref().map_or(0, |_| size_of::<Rests>())
            + self.words_heap()
            + self.wakes.as_ref().map_or(0, |_| size_of::<Wakes>())
    }

    /// Closes the ledger at `end`.
    pub(crate) fn finish(&mut self, end: i64) {
        self.weigh(end);
        if let Some(since) = self.zero_window_since.get() {
            self.zero_window_longest = self.zero_window_longest.max(end - since);
        }
        if self.is_anything_sent {
            if let Some(recovery) = self.recovery {
                self.emit_open(recovery.since, GapKind::AckClocked);
                self.emit(end, GapKind::Fact(recovery.fact));
            } else if let Some(b) = self.gap.blocked.filter(|b| b.until.is_none_or(|until| until > end)) {
                self.emit_open(b.since, GapKind::Tail);
                self.emit(end, GapKind::WindowFull);
            } else {
                self.emit_last_flight(end);
            }
        }
        self.emit(end, GapKind::Tail);
        self.slots.close();
    }

    /// Records, after the end, that the peer closed at `since` and this side only at `until`.
    pub(crate) fn hold_open(&mut self, since: i64, until: i64) {
        self.emit_pause(since);
        self.emit(until, GapKind::Fact(GapFact::PeerHadClosed));
        self.slots.close();
    }

    /// Records the time after the end: a wait for the peer's message until `since`, then `fact` until
    /// `until`.
    pub(crate) fn wait(&mut self, since: i64, until: i64, fact: GapFact) {
        self.emit(since.min(until), GapKind::Fact(GapFact::PeerDataAwaited));
        self.emit(until, GapKind::Fact(fact));
        self.slots.close();
    }

    fn emit(&mut self, end: i64, kind: GapKind) {
        let len = self.closeness.slot();
        if let Some(tail) = self.tail.take() {
            // Only a fragment was left to send.
            self.slots.push(tail, GapKind::Fact(GapFact::FragmentLeftQueueEmpty), len);
        }
        if std::mem::take(&mut self.is_probing) {
            // Nothing shows that the data in flight before the possible probe was lost.
            self.slots.push(self.gap.start, GapKind::Unreleased, len);
        }
        self.slots.push(end, kind, len);
    }

    /// Records that the send queue was empty until `end`.
    fn emit_pause(&mut self, end: i64) {
        let pause = end - self.slots.current.end;
        if pause > 0 {
            self.pauses += 1;
            self.pause_longest = self.pause_longest.max(Grains::of(pause));
        }
        self.emit(end, GapKind::Fact(GapFact::NothingInFlight));
    }

    /// Same as [`Self::emit`], but time in loss recovery stays loss recovery.
    fn emit_open(&mut self, end: i64, kind: GapKind) {
        match self.recovery {
            Some(r) => {
                self.emit(end.min(r.since), kind);
                self.emit(end, GapKind::Fact(r.fact));
            }
            None => self.emit(end, kind),
        }
    }

    /// Whether timestamps tick often enough to show when within a round trip data was sent (milliseconds on
    /// Linux).
    fn has_fine_ticks(&self) -> bool {
        self.rtt_min.is_some_and(|r| r >= FINE_TICKS_ROUND_TRIP)
    }

    /// Whether timestamps show the order of sends and ACKs at all.
    fn has_ticks(&self) -> bool {
        self.rtt_min.is_some_and(|r| r >= TICKS_ROUND_TRIP)
    }

    fn on_new_data(&mut self, time: i64, data: &DataEvent) {
        if self.is_anything_sent {
            self.leave_unheard_recovery(time);
            self.close_gap(time, data);
        } else {
            self.open_stream(time, data);
        }
        self.is_anything_sent = true;
        self.slots.current.note_send(self.flight());
        self.nxt = self.nxt.max(data.end);
        self.last_tsval = data.tsval;
        if data.is_partial {
            self.last_partial_end = data.end;
        }
        self.pacing.sent(time, data.end.saturating_sub(data.start), self.slots.current.start);
        self.burst_sent += data.end.saturating_sub(data.start);
        // Segments sent together may also be captured as one super-packet, so they count as one send.
        self.burst_sends += u32::from(self.burst_sends == 0 || time - self.gap.start > SENT_AT_ONCE);
        let flight = self.flight();
        let slot = &mut self.slots.current;
        slot.sent.add(data.end.saturating_sub(data.start));
        slot.sends += 1;
        slot.partial_sends += u32::from(data.is_partial);
        slot.peak_flight.raise(flight);
        self.flight_max = self.flight_max.max(flight);
        if self.recovery.is_none() && self.sacked == 0 && self.hole_since.is_none() && time >= self.floor_from {
            self.cwnd_floor = self.cwnd_floor.max(flight);
        }
        slot.cwnd_floor = Bytes::of(self.cwnd_floor);
        let room = self.room();
        let is_full = room.is_some_and(|room| room < self.segment_room());
        self.gap = Gap {
            start: time,
            flight,
            room: room.unwrap_or(u64::MAX),
            blocked: is_full.then_some(Blocked { since: time, until: None }),
            mark: (time, narrow(flight)),
            ..Gap::default()
        };
    }

    fn jitter(&self) -> i64 {
        if self.closeness.ack_times_inferred() {
            self.rtt_min.map_or(INFERRED_JITTER_MOST.get(), |r| INFERRED_JITTER.of(r)).min(INFERRED_JITTER_MOST.get())
        } else {
            0
        }
    }
}

/// State that a trace shows.
impl Ledger {
    /// End of the acknowledged data, on the sender's clock.
    pub(crate) fn una(&self) -> u64 {
        self.una
    }

    /// Largest number of bytes in flight since the last loss or idle period.
    pub(crate) fn cwnd_floor(&self) -> u64 {
        self.cwnd_floor
    }

    /// How data was retransmitted in the current recovery.
    pub(crate) fn recovery(&self) -> Option<GapFact> {
        self.recovery.map(|r| r.fact)
    }

    /// Bytes above the cumulative acknowledgment that the receiver reports by SACK.
    pub(crate) fn sacked(&self) -> u64 {
        self.sacked
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    /// Clocks that are set back and forward make round trips of decades.
    #[test]
    fn round_trips_of_any_length_add_up() {
        let mut ledger = Ledger::new(0, 0, 1000);
        for _ in 0..8 {
            ledger.on_rtt(1 << 61);
        }
        assert_eq!(ledger.slots.current.rtt_sum, i64::MAX);
    }

    fn with_round_trip(rtt: i64) -> Ledger {
        let mut ledger = Ledger::new(0, 0, 1000);
        ledger.on_rtt(rtt);
        ledger
    }

    /// `TICKS_ROUND_TRIP`, `FINE_TICKS_ROUND_TRIP`: two ticks per round trip show an order, eight show the
    /// time.
    #[test]
    fn timestamps_are_fine_from_eight_ticks_on() {
        let ticks = |rtt: i64| {
            let ledger = with_round_trip(rtt);
            (ledger.has_ticks(), ledger.has_fine_ticks())
        };
        assert_eq!(ticks(2 * MILLISECOND - 1), (false, false));
        assert_eq!(ticks(2 * MILLISECOND), (true, false));
        assert_eq!(ticks(8 * MILLISECOND - 1), (true, false));
        assert_eq!(ticks(8 * MILLISECOND), (true, true));
    }

    /// `INFERRED_JITTER`, `INFERRED_JITTER_MOST`: 10 % of the round trip, at most 1 ms, and none at the
    /// sender.
    #[test]
    fn inferred_times_are_known_to_a_tenth_of_the_round_trip() {
        let jitter = |rtt: i64| {
            let mut ledger = with_round_trip(rtt * MILLISECOND);
            ledger.set_ack_times_inferred(true);
            ledger.jitter()
        };
        assert_eq!([5, 10, 50].map(jitter), [MILLISECOND / 2, MILLISECOND, MILLISECOND]);
        assert_eq!(with_round_trip(5 * MILLISECOND).jitter(), 0);
    }

    /// `SENT_AT_ONCE`: segments up to 20 µs apart count as one send, as in a super-packet.
    #[test]
    fn segments_up_to_20_microseconds_apart_left_at_once() {
        let sends = |apart: i64| {
            let mut ledger = with_round_trip(20 * MILLISECOND);
            for (time, start) in [(0, 0), (apart, 1000)] {
                let (end, kind) = (start + 1000, DataKind::New);
                let is_partial = false;
                ledger.on_data(&DataEvent { time, start, end, kind, is_partial, tsval: None, lag_ticks: None });
            }
            ledger.burst_sends
        };
        assert_eq!([20_000, 20_001].map(sends), [1, 2]);
    }

    /// `WINDOW_PIECE`, `WINDOW_PIECE_LEAST`: half of the largest window, if that is above 536 bytes.
    #[test]
    fn a_segment_fills_half_of_a_small_window() {
        let room = |window: u64| {
            let mut ledger = Ledger::new(0, 0, 1000);
            ledger.offer(window, window);
            ledger.segment_room()
        };
        assert_eq!([536, 537, 1_998, 2_000, 65_535].map(room), [1000, 268, 999, 1000, 1000]);
    }

    /// The smoothed round trip changes by 1/8 of the difference (RFC 6298 §2.3).
    #[test]
    fn round_trips_are_smoothed_by_an_eighth() {
        let mut ledger = with_round_trip(80 * MILLISECOND);
        ledger.on_rtt(160 * MILLISECOND);
        assert_eq!(ledger.rtt_recent(), Some(90 * MILLISECOND));
    }
}
