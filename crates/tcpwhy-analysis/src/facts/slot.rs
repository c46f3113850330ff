//! The ledger's notes: stretches of about one round trip, with what happened in each and how its time was spent as far as
//! single gaps between sends can tell. What a gap alone cannot tell is decided later from its neighbours.

use std::num::NonZeroU32;

use crate::facts::bytes::Bytes;
use crate::facts::gap_fact::GapFact;
use crate::facts::measures::measures;
use crate::thresholds::{BREAK_SHARE, FLOOR_SHARE, part};

/// What one gap between sends says of itself.
///
/// Its tag is a byte of its own: hidden within the fact, it took a tenth of the time that noting an interval takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum GapKind {
    /// The gap shows by itself what happened.
    Fact(GapFact),
    /// The offered window had no room for another segment.
    WindowFull,
    /// The next send followed the first ACK that made room.
    AckClocked,
    /// ACKs made room and nothing was sent until a later one: the sender had nothing to send before it.
    RoomUnused,
    /// The next send followed no ACK although data was in flight.
    Unreleased,
    /// Between sends of one burst.
    Burst,
    /// Everything was sent; the last flight was on its way.
    Tail,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GapInterval {
    pub(crate) end: i64,
    pub(crate) kind: GapKind,
}

const MICROSECOND: i64 = 1_000;

/// Microseconds, as far as 32 bits hold them.
pub(crate) fn micros(nanos: i64) -> u32 {
    u32::try_from(nanos.max(0) / MICROSECOND).unwrap_or(u32::MAX)
}

/// Bytes, as far as 32 bits hold them.
pub(crate) fn narrow(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

measures! {
    merged {
        /// Nanoseconds of gaps of each kind that needs its neighbours ([`GapKind`]).
        ack_clocked: i64 => i64, sum;
        room_unused: i64 => i64, sum;
        unreleased: i64 => i64, sum;
        burst: i64 => i64, sum;
        window_full: i64 => i64, sum;
        /// Largest flight right after a send.
        peak_flight: Bytes => u64, largest;
        /// Sum of round-trip samples, nanoseconds.
        rtt_sum: i64 => i64, saturating;
        rtt_count: u32 => u32, sum;
        /// Bytes that were acknowledged, by which the right edge of the window moved, and that were sent.
        acked: Bytes => u64, sum;
        edge_advance: Bytes => u64, sum;
        sent: Bytes => u64, sum;
        sends: u32 => u32, sum;
        /// Sends that ended with a segment shorter than the MSS.
        partial_sends: u32 => u32, sum;
        retransmissions: u32 => u32, sum;
        /// While the window was full and acknowledged data waited for its reader: until the receiver offered more
        /// without acknowledging more. Microseconds in a slot, nanoseconds in all.
        reader_wait: u32 => i64, micros;
        /// Time between bursts after which data followed the peer's payload at once, and of that: ACKs
        /// without payload had made room before. Microseconds in a slot, nanoseconds in all.
        word_released: u32 => i64, micros;
        word_awaited: u32 => i64, micros;
        /// All time that lies as close behind the peer's payload. Microseconds in a slot, nanoseconds in all.
        word_covered: u32 => i64, micros;
        /// Bytes of the peer's payload.
        heard: u32 => u64, sum;
        /// Of the ACKs that acknowledged new bytes, those with payload.
        word_acks: u16 => u32, sum;
        /// Longest time between two ACKs that acknowledged new bytes, nanoseconds.
        ack_gap_max: i64 => i64, largest;
        /// ACKs that acknowledged new bytes.
        advancing_acks: u32 => u32, sum;
        /// Bursts of sends, and those of more than one segment.
        bursts: u32 => u32, sum;
        multi_send_bursts: u32 => u32, sum;
        /// Bursts whose distance to the one before equalled the previous distance.
        periodic_bursts: u32 => u32, sum;
        /// Sum of those distances, nanoseconds.
        period_sum: i64 => i64, sum;
        /// Bursts whose pace equalled that of the one before.
        even_bursts: u16 => u32, sum;
        /// Bursts that an ACK released.
        ack_released: u32 => u32, sum;
        /// The least time that one of them followed its ACK by, microseconds, as far as 16 bits hold it.
        least_lag: u16 => u16, least(ack_released, ack_released);
        /// Pauses longer than twice the one before, and those of them that an ACK ended: what a pacer sends
        /// evenly has none within.
        rests: u16 => u32, sum;
        rests_released: u16 => u32, sum;
        /// As `periodic_bursts`, also where the distance is not much longer than the ticks of the timestamps that tell it.
        steady_bursts: u16 => u32, sum;
        /// Time between ACKs, and how much of it lay as close behind an ACK as released sends do, nanoseconds: sends
        /// that have nothing to do with ACKs would find about half of all time so close.
        ack_time: i64 => i64, sum;
        ack_covered: i64 => i64, sum;
        /// Sum of the squares of the times between ACKs, ms².
        ack_time_squared: f32 => f64, sum;
        /// So long before the promptest data passed, a newer ACK than it echoes had reached the sender:
        /// microseconds and one. 0 if none echoed.
        echo_queued: u32 => u32, least(echo_queued, echoes);
        /// Away from the sender, the delay of the promptest data after the newest ACK that it answers, beyond
        /// the least, where the path had rested all that time, microseconds. 0 if it had not before some.
        echo_wait: u32 => u32, least(echo_queued, echoes);
        /// ACKs that told of a new hole.
        holes: u16 => u32, sum;
        /// Bursts before which the last one ended with less than a full segment.
        partial_ends: u16 => u32, sum;
    }
    own {
        /// Nanoseconds since the epoch.
        pub(crate) start: i64;
        pub(crate) end: i64;
        /// How many intervals of the log are its own, at most [`SlotLog::MAX_INTERVALS`].
        pub(crate) intervals: u32;
        /// Nanoseconds of gaps that show by themselves what happened.
        pub(crate) definite: i64;
        /// Smallest round-trip sample, nanoseconds.
        pub(crate) rtt_min: Option<i64>;
        /// The sender said that it had reduced its window for a mark (CWR, RFC 3168 §6.1.2).
        pub(crate) has_reduction: bool;
        /// Smallest and largest window offered; none is larger than 1 GiB (RFC 7323 §2.3).
        windows: Option<(u32, u32)>;
        /// Most in flight when a burst began that ACKs had made room for, bytes.
        pub(crate) begun_at: u32;
        /// Least in flight while none began for longer than an answer to an ACK takes, bytes.
        unanswered_at: Option<NonZeroU32>;
        /// Least in flight when new data left, bytes, at least one.
        sent_at: Option<NonZeroU32>;
        pub(crate) has_zero_window: bool;
        /// Largest flight since the last loss or idle period.
        pub(crate) cwnd_floor: Bytes;
    }
    derived {
        /// How long all slots last, nanoseconds.
        nanos: i64;
        /// A loss or a mark cut the congestion window.
        has_cut: bool;
        /// Time whose flight stayed well under what the congestion window had allowed before, nanoseconds.
        refuted: i64;
        /// Smallest round trip of all, nanoseconds; `None` without any.
        rtt_min: Option<i64>;
        /// The second smallest of the slots' smallest.
        rtt_next: Option<i64>;
        /// Least and greatest of the largest windows that the slots were offered, bytes.
        window_low: u64;
        window_high: u64;
        /// Slots with an [`Slot::echo_queued`].
        echoes: u32;
    }
}

impl Slot {
    /// Smallest and largest window offered, bytes.
    pub(crate) fn windows(&self) -> Option<(u64, u64)> {
        self.windows.map(|(least, most)| (least.into(), most.into()))
    }

    /// A burst begins with `flight` bytes in flight, 0 if it fills no room that was left; with `unanswered` none had for longer than an
    /// answer to an ACK takes.
    pub(crate) fn note_start(&mut self, flight: u64, unanswered: Option<NonZeroU32>) {
        self.begun_at = self.begun_at.max(narrow(flight));
        if let Some(bytes) = unanswered {
            self.unanswered_at = Some(self.unanswered_at.map_or(bytes, |least| least.min(bytes)));
        }
    }

    /// Least in flight while no burst began for longer than an answer to an ACK takes, bytes.
    pub(crate) fn unanswered_at(&self) -> Option<u32> {
        self.unanswered_at.map(NonZeroU32::get)
    }

    /// New data leaves with `flight` bytes in flight.
    #[inline]
    pub(crate) fn note_send(&mut self, flight: u64) {
        let flight = NonZeroU32::new(narrow(flight)).unwrap_or(NonZeroU32::MIN);
        self.sent_at = Some(self.sent_at.map_or(flight, |least| least.min(flight)));
    }

    /// Least in flight when new data left, bytes.
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

    /// Time whose cause the gaps themselves leave open.
    pub(crate) fn open(&self) -> i64 {
        self.ack_clocked + self.room_unused + self.burst
    }

    /// The flight stayed well under what the congestion window had allowed before.
    pub(crate) fn is_under_floor(&self) -> bool {
        part(self.peak_flight.get(), self.cwnd_floor.get()) <= FLOOR_SHARE && self.holes == 0
    }

    /// Bytes acknowledged per nanosecond, where no repair makes them jump.
    pub(crate) fn carried(&self) -> f64 {
        if self.is_break() || self.definite > 0 { 0.0 } else { self.acked.get() as f64 / self.nanos().max(1) as f64 }
    }

    /// Something was sent again, or a mark answered: the congestion window was cut.
    pub(crate) fn is_cut(&self) -> bool {
        self.retransmissions > 0 || self.has_reduction
    }

    /// Loss, a mark or a long rest: what the flight reached before says nothing of what it may reach after.
    pub(crate) fn is_break(&self) -> bool {
        self.is_cut() || self.is_mostly_certain()
    }

    /// The causes of most of its time are certain.
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

/// The slots of a half-connection in order of time.
#[derive(Clone, Debug)]
pub(crate) struct SlotLog {
    /// Finished slots, oldest first.
    pub(crate) done: Vec<Slot>,
    /// The intervals of all slots that are not labelled yet, the current one's last.
    pub(crate) intervals: Vec<GapInterval>,
    pub(crate) current: Slot,
}

impl SlotLog {
    /// A slot never holds more intervals than this.
    const MAX_INTERVALS: u32 = 64;
    /// Slots of a short connection.
    const USUAL: usize = 8;
    /// Intervals of a short connection that are not labelled yet.
    const USUAL_INTERVALS: usize = 2 * Self::USUAL;

    pub(crate) fn new(start: i64) -> Self {
        Self {
            done: Vec::with_capacity(Self::USUAL),
            intervals: Vec::with_capacity(Self::USUAL_INTERVALS),
            current: Slot { start, end: start, ..Slot::default() },
        }
    }

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        self.done.capacity() * size_of::<Slot>() + self.intervals.capacity() * size_of::<GapInterval>()
    }

    /// Up to where time is accounted for.
    pub(crate) fn cursor(&self) -> i64 {
        self.current.end
    }

    /// Accounts for the time up to `end`; a slot lasts at least `slot_len`.
    pub(crate) fn push(&mut self, end: i64, kind: GapKind, slot_len: i64) {
        if end <= self.current.end {
            return;
        }
        self.current.push(end, kind, &mut self.intervals);
        if self.current.nanos() >= slot_len || self.current.intervals >= Self::MAX_INTERVALS {
            self.next();
        }
    }

    /// The receiver had everything that was repeated since `since`: what was noted of that as `repeat`, as
    /// far as it is not labelled yet, is `known`.
    pub(crate) fn withdraw(&mut self, since: i64, repeat: GapFact, known: GapFact) {
        for slot in self.done.iter_mut().rev().take_while(|s| s.end > since).chain([&mut self.current]) {
            // A timer shrinks the window whatever was lost.
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

    /// Closes the current slot, however short.
    pub(crate) fn close(&mut self) {
        if self.current.nanos() > 0 {
            self.next();
        }
    }

    /// A slot is several cache lines: it is copied once.
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

    /// Each direction keeps some dozens: a little over a size that the allocator has costs a fifth more.
    #[test]
    fn a_slot_fits_four_cache_lines() {
        assert_eq!(256_usize.checked_sub(size_of::<Slot>()), Some(0), "bytes are left for measures");
    }

    /// A slot of which each measure is `value`.
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

    /// The least value may be 0, so it cannot say by itself whether there was one.
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
