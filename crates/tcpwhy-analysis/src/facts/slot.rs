//! Slots: stretches of about one round trip, with the events in each and how its time was spent. A single gap
//! between sends often leaves the reason open. It is decided later, from the neighbouring gaps.

use std::num::NonZeroU32;

use crate::facts::bytes::Bytes;
use crate::facts::gap_fact::GapFact;
use crate::facts::measures::measures;
use crate::thresholds::{BREAK_SHARE, FLOOR_SHARE, part};

/// What the packets around one gap between sends show.
///
/// The tag has a byte of its own: packed into the fact, it cost 10 % of the time of recording an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum GapKind {
    /// The gap shows by itself what happened.
    Fact(GapFact),
    /// The offered window had no room for another segment.
    WindowFull,
    /// The next send followed the first ACK that made room.
    AckClocked,
    /// ACKs made room, but the next send waited for a later ACK: until then the sender had nothing to send.
    RoomUnused,
    /// No ACK preceded the next send, although data was in flight.
    Unreleased,
    /// A gap between sends of one burst.
    Burst,
    /// Everything was sent, and the last data was in flight.
    Tail,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GapInterval {
    pub(crate) end: i64,
    pub(crate) kind: GapKind,
}

const MICROSECOND: i64 = 1_000;

/// Converts nanoseconds to microseconds; values above 32 bits saturate.
pub(crate) fn micros(nanos: i64) -> u32 {
    u32::try_from(nanos.max(0) / MICROSECOND).unwrap_or(u32::MAX)
}

/// Converts bytes to 32 bits; larger values saturate.
pub(crate) fn narrow(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

measures! {
    merged {
        /// Nanoseconds of the gaps whose reason depends on their neighbours, per kind ([`GapKind`]).
        ack_clocked: i64 => i64, sum;
        room_unused: i64 => i64, sum;
        unreleased: i64 => i64, sum;
        burst: i64 => i64, sum;
        window_full: i64 => i64, sum;
        /// Largest number of bytes in flight right after a send.
        peak_flight: Bytes => u64, largest;
        /// Sum of round-trip samples, nanoseconds.
        rtt_sum: i64 => i64, saturating;
        rtt_count: u32 => u32, sum;
        /// Bytes acknowledged, bytes by which the window's right edge advanced, and bytes sent.
        acked: Bytes => u64, sum;
        edge_advance: Bytes => u64, sum;
        sent: Bytes => u64, sum;
        sends: u32 => u32, sum;
        /// Sends that ended with a segment shorter than the MSS.
        partial_sends: u32 => u32, sum;
        retransmissions: u32 => u32, sum;
        /// Time in which the window was full and acknowledged data waited for the receiving application to
        /// read it. It ends when the receiver offers more without acknowledging more. Microseconds in a slot,
        /// nanoseconds in the sums.
        reader_wait: u32 => i64, micros;
        /// Time between bursts where the second burst followed the peer's payload at once. `word_awaited` is
        /// the part of it in which ACKs without payload had made room before. Microseconds in a slot,
        /// nanoseconds in the sums.
        word_released: u32 => i64, micros;
        word_awaited: u32 => i64, micros;
        /// Time that is as close behind the peer's payload, with or without a burst. Microseconds in a slot,
        /// nanoseconds in the sums.
        word_covered: u32 => i64, micros;
        /// Bytes of the peer's payload.
        heard: u32 => u64, sum;
        /// ACKs that carried payload and acknowledged new bytes.
        word_acks: u16 => u32, sum;
        /// Longest time between two ACKs that acknowledged new bytes, nanoseconds.
        ack_gap_max: i64 => i64, largest;
        /// ACKs that acknowledged new bytes.
        advancing_acks: u32 => u32, sum;
        /// Bursts of sends, and bursts of more than one segment.
        bursts: u32 => u32, sum;
        multi_send_bursts: u32 => u32, sum;
        /// Bursts as long after the previous burst as that one was after its own predecessor.
        periodic_bursts: u32 => u32, sum;
        /// Sum of the distances between these bursts, nanoseconds.
        period_sum: i64 => i64, sum;
        /// Bursts with the same pace as the burst before.
        even_bursts: u16 => u32, sum;
        /// Bursts that an ACK released.
        ack_released: u32 => u32, sum;
        /// Shortest delay from an ACK to a burst that it released, microseconds; values above 16 bits
        /// saturate.
        least_lag: u16 => u16, least(ack_released, ack_released);
        /// Pauses longer than twice the pause before, and those of them that an ACK ended. Data that a pacer
        /// sends evenly has no such pause.
        rests: u16 => u32, sum;
        rests_released: u16 => u32, sum;
        /// Same as `periodic_bursts`, but also counts distances that are hardly longer than one tick of the
        /// sender's timestamps.
        steady_bursts: u16 => u32, sum;
        /// Time between ACKs, and the part of it that is as close behind an ACK as released sends are,
        /// nanoseconds. Sends unrelated to ACKs would fall into that part for about half of the time.
        ack_time: i64 => i64, sum;
        ack_covered: i64 => i64, sum;
        /// Sum of the squares of the times between ACKs, ms².
        ack_time_squared: f32 => f64, sum;
        /// Microseconds, plus one, by which the promptest data was on its way for longer than needed. A newer
        /// ACK than it echoes must have reached the sender that long before. 0 if no data echoed an ACK.
        echo_queued: u32 => u32, least(echo_queued, echoes);
        /// Delay of the promptest data after the newest ACK that it answers, beyond the least delay,
        /// microseconds. It counts only if the path was silent for all of that time; otherwise it is 0.
        echo_wait: u32 => u32, least(echo_queued, echoes);
        /// ACKs that reported a new hole.
        holes: u16 => u32, sum;
        /// Bursts whose previous burst had ended with less than a full segment.
        partial_ends: u16 => u32, sum;
    }
    own {
        /// Nanoseconds since the epoch.
        pub(crate) start: i64;
        pub(crate) end: i64;
        /// Number of this slot's intervals in the log, at most [`SlotLog::MAX_INTERVALS`].
        pub(crate) intervals: u32;
        /// Nanoseconds of gaps whose own packets show the reason.
        pub(crate) definite: i64;
        /// Smallest round-trip sample, nanoseconds.
        pub(crate) rtt_min: Option<i64>;
        /// The sender reported that it had reduced its window after an ECN mark (CWR, RFC 3168 §6.1.2).
        pub(crate) has_reduction: bool;
        /// Smallest and largest window offered; none is larger than 1 GiB (RFC 7323 §2.3).
        windows: Option<(u32, u32)>;
        /// Largest number of bytes in flight at the start of a burst for which ACKs had made room.
        pub(crate) begun_at: u32;
        /// Least number of bytes in flight while no burst began for longer than an answer to an ACK takes.
        unanswered_at: Option<NonZeroU32>;
        /// Least number of bytes in flight when new data was sent, at least 1.
        sent_at: Option<NonZeroU32>;
        pub(crate) has_zero_window: bool;
        /// Largest number of bytes in flight since the last loss or idle period.
        pub(crate) cwnd_floor: Bytes;
    }
    derived {
        /// Duration of all slots, nanoseconds.
        nanos: i64;
        /// A loss or an ECN mark cut the congestion window.
        has_cut: bool;
        /// Time in which clearly less was in flight than the congestion window had allowed before,
        /// nanoseconds.
        refuted: i64;
        /// Smallest round trip of all slots, nanoseconds; `None` without a sample.
        rtt_min: Option<i64>;
        /// Second smallest of the slots' smallest round trips, nanoseconds.
        rtt_next: Option<i64>;
        /// Smallest and largest of the slots' largest offered windows, bytes.
        window_low: u64;
        window_high: u64;
        /// Slots with a value of [`Slot::echo_queued`].
        echoes: u32;
    }
}

impl Slot {
    /// Smallest and largest window offered, bytes.
    pub(crate) fn windows(&self) -> Option<(u64, u64)> {
        self.windows.map(|(least, most)| (least.into(), most.into()))
    }

    /// Records that a burst begins with `flight` bytes in flight, or 0 if it fills no room that had been left
    /// unused. With `unanswered` bytes in flight, no burst had begun for longer than an answer to an ACK
    /// takes.
    pub(crate) fn note_start(&mut self, flight: u64, unanswered: Option<NonZeroU32>) {
        self.begun_at = self.begun_at.max(narrow(flight));
        if let Some(bytes) = unanswered {
            self.unanswered_at = Some(self.unanswered_at.map_or(bytes, |least| least.min(bytes)));
        }
    }

    /// Least number of bytes in flight while no burst began for longer than an answer to an ACK takes.
    pub(crate) fn unanswered_at(&self) -> Option<u32> {
        self.unanswered_at.map(NonZeroU32::get)
    }

    /// Records that new data is sent while `flight` bytes are in flight.
    #[inline]
    pub(crate) fn note_send(&mut self, flight: u64) {
        let flight = NonZeroU32::new(narrow(flight)).unwrap_or(NonZeroU32::MIN);
        self.sent_at = Some(self.sent_at.map_or(flight, |least| least.min(flight)));
    }

    /// Least number of bytes in flight when new data was sent.
    pub(crate) fn sent_at(&self) -> Option<u32> {
        self.sent_at.map(NonZeroU32::get)
    }

    pub(crate) fn note_window(&mut self, window: u64) {
        let window = narrow(window);
        let (least, most) = self.windows.unwrap_or((window, window));
        self.windows = Some((least.min(window), most.max(window)));
    }

    pub(crate) fn nanos(&self) -> i64 {
        self.end - self.start
    }

    /// Nanoseconds of gaps that do not show their reason themselves.
    pub(crate) fn open(&self) -> i64 {
        self.ack_clocked + self.room_unused + self.burst
    }

    /// Whether clearly less was in flight than the congestion window had allowed before.
    pub(crate) fn is_under_floor(&self) -> bool {
        part(self.peak_flight.get(), self.cwnd_floor.get()) <= FLOOR_SHARE && self.holes == 0
    }

    /// Bytes acknowledged per nanosecond. 0 in slots with a repair, because a repair makes the acknowledgment
    /// jump.
    pub(crate) fn carried(&self) -> f64 {
        if self.is_break() || self.definite > 0 { 0.0 } else { self.acked.get() as f64 / self.nanos().max(1) as f64 }
    }

    /// Whether data was retransmitted or the sender reacted to an ECN mark, either of which cuts the
    /// congestion window.
    pub(crate) fn is_cut(&self) -> bool {
        self.retransmissions > 0 || self.has_reduction
    }

    /// Whether a loss, an ECN mark or a long pause makes earlier bytes in flight useless for predicting later
    /// ones.
    pub(crate) fn is_break(&self) -> bool {
        self.is_cut() || self.is_mostly_certain()
    }

    /// Whether the gaps of most of its time show their reason themselves.
    pub(crate) fn is_mostly_certain(&self) -> bool {
        part(self.definite, self.nanos()) > BREAK_SHARE
    }

    #[inline]
    fn push(&mut self, end: i64, kind: GapKind, intervals: &mut Vec<GapInterval>) {
        let nanos = end - self.end;
        self.end = end;
        match kind {
            GapKind::Fact(_) => self.definite += nanos,
            GapKind::WindowFull => self.window_full += nanos,
            GapKind::AckClocked => self.ack_clocked += nanos,
            GapKind::RoomUnused => self.room_unused += nanos,
            GapKind::Unreleased => self.unreleased += nanos,
            GapKind::Burst => self.burst += nanos,
            GapKind::Tail => {}
        }
        match intervals.last_mut() {
            Some(last) if self.intervals > 0 && last.kind == kind => last.end = end,
            _ => {
                intervals.push(GapInterval { end, kind });
                self.intervals += 1;
            }
        }
    }
}

/// The slots of a half-connection, in the order of time.
#[derive(Clone, Debug)]
pub(crate) struct SlotLog {
    /// Finished slots, oldest first.
    pub(crate) done: Vec<Slot>,
    /// Intervals of all slots whose causes are still undecided; those of the current slot are last.
    pub(crate) intervals: Vec<GapInterval>,
    pub(crate) current: Slot,
}

impl SlotLog {
    /// A slot ends at this number of intervals, to bound memory.
    const MAX_INTERVALS: u32 = 64;
    /// Number of slots of a short connection.
    const USUAL: usize = 8;
    /// Number of undecided intervals of a short connection.
    const USUAL_INTERVALS: usize = 2 * Self::USUAL;

    pub(crate) fn new(start: i64) -> Self {
        Self {
            done: Vec::with_capacity(Self::USUAL),
            intervals: Vec::with_capacity(Self::USUAL_INTERVALS),
            current: Slot { start, end: start, ..Slot::default() },
        }
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        self.done.capacity() * size_of::<Slot>() + self.intervals.capacity() * size_of::<GapInterval>()
    }

    /// Time up to which gaps were recorded.
    pub(crate) fn cursor(&self) -> i64 {
        self.current.end
    }

    /// Records the time up to `end` as `kind`. A slot lasts at least `slot_len`.
    pub(crate) fn push(&mut self, end: i64, kind: GapKind, slot_len: i64) {
        if end <= self.current.end {
            return;
        }
        self.current.push(end, kind, &mut self.intervals);
        if self.current.nanos() >= slot_len || self.current.intervals >= Self::MAX_INTERVALS {
            self.next();
        }
    }

    /// Corrects slots and intervals after `since`: the receiver had everything that was retransmitted.
    /// Undecided intervals that were recorded as `repeat` become `known`.
    pub(crate) fn withdraw(&mut self, since: i64, repeat: GapFact, known: GapFact) {
        for slot in self.done.iter_mut().rev().take_while(|s| s.end > since).chain([&mut self.current]) {
            // If ACKs were lost, the timer still ran out and shrank the congestion window, although no data
            // was lost.
            if known == GapFact::RepeatedNeedlessly {
                slot.retransmissions = 0;
            }
        }
        for interval in self.intervals.iter_mut().rev().take_while(|i| i.end > since) {
            if matches!(interval.kind, GapKind::Fact(fact) if fact.falls_with(repeat)) {
                interval.kind = GapKind::Fact(known);
            }
        }
    }

    /// Closes the current slot, however short it is.
    pub(crate) fn close(&mut self) {
        if self.current.nanos() > 0 {
            self.next();
        }
    }

    /// Not inlined, so that a slot of several cache lines is copied only once.
    #[inline(never)]
    fn next(&mut self) {
        self.done.push(self.current.clone());
        let end = self.current.end;
        self.current = Slot { start: end, end, ..Slot::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each direction keeps several dozen slots. A size just above one of the allocator's size classes costs
    /// 20 % more memory.
    #[test]
    fn a_slot_fits_four_cache_lines() {
        assert_eq!(256_usize.checked_sub(size_of::<Slot>()), Some(0), "bytes are left for measures");
    }

    /// A slot in which each measure is `value`.
    fn slot(value: u16) -> Slot {
        let value = u32::from(value);
        Slot {
            peak_flight: Bytes::of(value.into()),
            sends: value,
            reader_wait: value,
            ack_gap_max: value.into(),
            rtt_sum: i64::MAX - 1,
            ack_time_squared: value as f32,
            ..Slot::default()
        }
    }

    #[test]
    fn each_rule_merges_as_its_name_says() {
        let mut all = Around::default();
        for value in [3, 5, 4] {
            all.merge(&slot(value));
        }
        assert_eq!((all.sends, all.ack_time_squared, all.rtt_sum), (12, 12.0, i64::MAX), "sum, and as far as it fits");
        assert_eq!((all.peak_flight, all.ack_gap_max), (5, 5), "largest");
        assert_eq!(all.reader_wait, 12_000, "nanoseconds of microseconds");
    }

    /// The least value may be 0, so 0 cannot mark a missing value.
    #[test]
    fn the_least_is_that_of_the_slots_that_have_one() {
        let merged = |lags: &[Option<u16>]| {
            let mut all = Around::default();
            for lag in lags {
                let ack_released = u32::from(lag.is_some());
                all.merge(&Slot { ack_released, least_lag: lag.unwrap_or(1), ..Slot::default() });
            }
            all.least_lag
        };
        assert_eq!(merged(&[None, Some(7), None, Some(5), Some(6)]), 5);
        assert_eq!(merged(&[Some(0), Some(7)]), 0);
        assert_eq!(merged(&[None]), 0);
    }
}
