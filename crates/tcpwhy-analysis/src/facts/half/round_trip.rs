//! Round-trip times at the capture point. They end at the ACK that covers data, or at the first data that
//! echoes an ACK.

use std::collections::VecDeque;

use super::units::MILLISECOND;
use crate::thresholds::{TICK_OFF, TICK_WATCHED, part};

/// Delays of the first data that echoes a timestamp value, nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Echo {
    /// Delay since the first ACK with that value.
    pub(crate) delay: i64,
    /// Delay since the last ACK with that value.
    pub(crate) least: i64,
    /// Time from that first ACK to the first ACK with a later value, which the sender had not processed. The
    /// sender cannot have waited longer with this data, as far as both ACKs took the same time on the path.
    pub(crate) waited_at_most: Option<i64>,
    /// Delay since the ACK with the later value; 0 if there is none.
    pub(crate) since_next: i64,
}

/// Times a bounded sample of the packets: while all places are taken, no further packet is timed.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoundTrips {
    /// Data on its way: end of the segment and capture time.
    data: VecDeque<(u64, i64)>,
    /// ACKs on their way to the sender: timestamp value, capture times of the first and the last ACK with it.
    acks: VecDeque<(u32, i64, i64)>,
    /// Timestamp value and time of the last ACK; the time is copied to `acks` only when it is needed.
    last_tsval: Option<u32>,
    last_passed: i64,
    last_echo: Option<u32>,
    /// Smallest delays from the capture point to the receiver and back, and to the sender and back,
    /// nanoseconds.
    pub(crate) to_receiver_min: Option<i64>,
    pub(crate) to_sender_min: Option<i64>,
}

impl RoundTrips {
    const PLACES: usize = 64;
    /// Number of places that most connections need.
    const USUAL: usize = 16;

    /// Records that new data up to `end` passed.
    #[inline]
    pub(crate) fn data_passed(&mut self, end: u64, time: i64) {
        if self.data.len() < Self::PLACES {
            if self.data.capacity() == 0 {
                self.data.reserve(Self::USUAL);
            }
            self.data.push_back((end, time));
        }
    }

    /// Records a retransmission from `start` on: its ACK would be ambiguous (Karn's algorithm, RFC 6298 §3).
    pub(crate) fn repeated(&mut self, start: u64) {
        // The entries are in the order of sequence numbers, because only new data is timed.
        debug_assert!(self.data.iter().is_sorted_by_key(|d| d.0));
        self.data.truncate(self.data.partition_point(|d| d.0 <= start));
    }

    /// Records that everything below `ack` is acknowledged. Returns the delay of the newest data that it
    /// covers.
    pub(crate) fn acknowledged(&mut self, ack: u64, time: i64) -> Option<i64> {
        let mut sent = None;
        while let Some(&(end, at)) = self.data.front() {
            if end > ack {
                break;
            }
            sent = Some(at);
            self.data.pop_front();
        }
        let delay = time - sent?;
        if delay < 0 {
            return None;
        }
        self.to_receiver_min = Some(self.to_receiver_min.map_or(delay, |m| m.min(delay)));
        Some(delay)
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        debug_assert!(self.data.len() <= Self::PLACES && self.acks.len() <= Self::PLACES);
        self.data.capacity() * size_of::<(u64, i64)>() + self.acks.capacity() * size_of::<(u32, i64, i64)>()
    }

    /// Records an ACK with this timestamp value on its way to the sender. Returns whether the value differs
    /// from the previous ACK's.
    #[inline]
    pub(crate) fn ack_passed(&mut self, tsval: u32, time: i64) -> bool {
        if self.last_tsval == Some(tsval) {
            self.last_passed = time;
            return false;
        }
        self.note_tick(tsval, time);
        true
    }

    fn note_tick(&mut self, tsval: u32, time: i64) {
        self.note_last_passed();
        (self.last_tsval, self.last_passed) = (Some(tsval), time);
        if self.acks.len() < Self::PLACES {
            if self.acks.capacity() == 0 {
                self.acks.reserve(Self::USUAL);
            }
            self.acks.push_back((tsval, time, time));
        }
    }

    /// Copies the time of the last ACK to its entry.
    fn note_last_passed(&mut self) {
        if let Some(last) = self.acks.back_mut().filter(|a| Some(a.0) == self.last_tsval) {
            last.2 = self.last_passed;
        }
    }

    /// Handles data that echoes `echo` and passed at `time`, in a capture at the sender. Returns the least
    /// time that it had waited since it left TCP: otherwise it would echo the next ACK (RFC 7323 §4.3).
    /// `None` if it is not the first with this echo, or no ACK was timed.
    #[inline]
    pub(crate) fn waited(&mut self, echo: u32, time: i64) -> Option<i64> {
        if self.last_echo.replace(echo) == Some(echo) {
            return None;
        }
        if self.last_tsval == Some(echo) {
            self.acks.clear();
            return Some(0);
        }
        while self.acks.front().is_some_and(|ack| (ack.0.wrapping_sub(echo) as i32) <= 0) {
            self.acks.pop_front();
        }
        self.acks.front().map(|next| (time - next.1).max(0))
    }

    /// Records data that echoes `echo`. Returns its delays if it is the first to do so.
    pub(crate) fn echoed(&mut self, echo: u32, time: i64) -> Option<Echo> {
        if self.last_echo == Some(echo) {
            return None;
        }
        self.last_echo = Some(echo);
        self.note_last_passed();
        let mut sent = None;
        while let Some(&(tsval, first, last)) = self.acks.front() {
            let ticks = tsval.wrapping_sub(echo) as i32;
            if ticks > 0 {
                break;
            }
            sent = (ticks == 0).then_some((first, last));
            self.acks.pop_front();
        }
        let (first, last) = sent?;
        let delay = time - first;
        if delay < 0 {
            return None;
        }
        self.to_sender_min = Some(self.to_sender_min.map_or(delay, |m| m.min(delay)));
        let next = self.acks.front();
        let waited_at_most = next.map(|next| (next.1 - first).max(0));
        let since_next = next.map_or(0, |next| time - next.1);
        Some(Echo { delay, least: time - last, waited_at_most, since_next })
    }
}

/// The smallest of the recent values: those of this stretch of time and the previous one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecentMin {
    current: Option<i64>,
    previous: Option<i64>,
    until: i64,
}

impl RecentMin {
    /// Adds a value; stretches last `stretch` nanoseconds.
    pub(crate) fn add(&mut self, value: i64, time: i64, stretch: i64) {
        if time >= self.until {
            self.previous = self.current.take();
            self.until = time + stretch;
        }
        self.current = Some(self.current.map_or(value, |c| c.min(value)));
    }

    pub(crate) fn get(&self) -> Option<i64> {
        match (self.current, self.previous) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Rate of one end's timestamp clock (RFC 7323 §5.4 allows 1 ms to 1 s per tick).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TickRate {
    first: Option<(u32, i64)>,
    last: (u32, i64),
}

impl TickRate {
    /// Records a timestamp value, which may be an old one.
    pub(crate) fn note(&mut self, tsval: u32, time: i64) {
        self.first.get_or_insert((tsval, time));
        self.last = (tsval, time);
    }

    /// Whether it ticks in milliseconds; false until it was watched for long enough.
    pub(crate) fn is_milliseconds(&self) -> bool {
        let Some((tsval, time)) = self.first else { return false };
        let milliseconds = (self.last.1 - time) / MILLISECOND;
        let ticks = i64::from(self.last.0.wrapping_sub(tsval) as i32);
        milliseconds >= TICK_WATCHED && part((ticks - milliseconds).abs(), milliseconds) <= TICK_OFF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `TICK_WATCHED` and `TICK_OFF`: watched for 100 ms, and off by at most 10 %.
    #[test]
    fn a_clock_that_is_off_by_a_tenth_ticks_each_millisecond() {
        let is_known = |millis: i64, ticks: u32| {
            let mut rate = TickRate::default();
            rate.note(u32::MAX - 10, 0);
            rate.note((u32::MAX - 10).wrapping_add(ticks), millis * MILLISECOND);
            rate.is_milliseconds()
        };
        assert!(!is_known(99, 99) && is_known(100, 100));
        assert!(is_known(1_000, 900) && !is_known(1_000, 899));
        assert!(is_known(1_000, 1_100) && !is_known(1_000, 1_101));
    }

    /// The ACK of retransmitted data is ambiguous (Karn's algorithm, RFC 6298 §3), and so is the ACK of later
    /// data.
    #[test]
    fn repeated_data_is_not_timed() {
        let mut trips = RoundTrips::default();
        for number in 1..=3 {
            trips.data_passed(number * 1000, 0);
        }
        trips.repeated(1000);
        assert_eq!(trips.acknowledged(1000, 20), Some(20));
        assert_eq!(trips.acknowledged(3000, 50), None);
    }

    /// The delay of an ACK is the one of the newest segment that it covers, and the smallest delay is kept.
    #[test]
    fn an_ack_over_two_segments_times_the_second() {
        for (what, ack, time, delay, least) in [
            ("the first", 1000, 30, Some(30), Some(30)),
            ("a byte less", 999, 30, None, None),
            ("both", 2000, 30, Some(20), Some(20)),
            ("a byte less than both", 1999, 30, Some(30), Some(30)),
            ("more than was sent", 9000, 30, Some(20), Some(20)),
            ("at once", 2000, 10, Some(0), Some(0)),
            ("before it was sent", 2000, 9, None, None),
        ] {
            let mut trips = RoundTrips::default();
            trips.data_passed(1000, 0);
            trips.data_passed(2000, 10);
            assert_eq!((trips.acknowledged(ack, time), trips.to_receiver_min), (delay, least), "{what}");
        }
        let mut trips = RoundTrips::default();
        for (n, delay) in [(1, 7), (2, 5), (3, 9)] {
            trips.data_passed(n, 0);
            assert_eq!(trips.acknowledged(n, delay), Some(delay));
        }
        assert_eq!(trips.to_receiver_min, Some(5));
    }

    /// Data that ends at the start of the retransmitted data is still timed.
    #[test]
    fn a_repeat_forgets_what_ends_after_its_start() {
        for (start, acknowledged) in [(999, None), (1000, Some(20)), (1999, Some(20)), (2000, Some(20))] {
            let mut trips = RoundTrips::default();
            for end in [1000, 2000] {
                trips.data_passed(end, 0);
            }
            trips.repeated(start);
            assert_eq!(trips.acknowledged(1000, 20), acknowledged, "from {start} on");
            assert_eq!(trips.acknowledged(2000, 20), (start >= 2000).then_some(20), "from {start} on");
        }
    }

    /// The number of timed segments and ticks is limited; later ones are not timed.
    #[test]
    fn sixty_four_segments_and_ticks_are_timed_at_once() {
        let mut trips = RoundTrips::default();
        (1..=65).for_each(|n| trips.data_passed(n, 0));
        (1..=65).for_each(|n| _ = trips.ack_passed(n, 0));
        assert_eq!([64, 65].map(|ack| trips.acknowledged(ack, 1)), [Some(1), None]);
        assert_eq!([64, 65].map(|echo| trips.echoed(echo, 1).is_some()), [true, false]);
    }

    /// An echo is timed from the first and the last ACK with its value. The next value bounds the wait.
    #[test]
    fn an_echo_is_timed_from_the_acks_of_its_value() {
        for (what, acks, echo, time, expected) in [
            ("one ACK", &[(7, 10)][..], 7, 30, Some((20, 20, None, 0))),
            ("two ACKs", &[(7, 10), (7, 15)], 7, 30, Some((20, 15, None, 0))),
            ("a later value", &[(7, 10), (7, 15), (8, 18)], 7, 30, Some((20, 15, Some(8), 12))),
            ("an earlier value", &[(6, 5), (7, 10)], 7, 30, Some((20, 20, None, 0))),
            ("across zero", &[(u32::MAX, 5), (0, 10)], 0, 30, Some((20, 20, None, 0))),
            ("a value that did not pass", &[(6, 5), (8, 10)], 7, 30, None),
            ("before it passed", &[(7, 10)], 7, 9, None),
        ] {
            let mut trips = RoundTrips::default();
            for &(value, time) in acks {
                _ = trips.ack_passed(value, time);
            }
            let found = trips.echoed(echo, time).map(|e| (e.delay, e.least, e.waited_at_most, e.since_next));
            assert_eq!(found, expected, "{what}");
            assert_eq!(trips.to_sender_min, expected.map(|e| e.0), "{what}");
            assert!(trips.echoed(echo, time).is_none(), "{what}: again");
        }
        let mut trips = RoundTrips::default();
        assert_eq!([7, 7, 8, 7].map(|value| trips.ack_passed(value, 0)), [true, false, true, true]);
    }

    /// In a capture at the sender, data that echoes an ACK older than the newest had left TCP before the ACK
    /// after it came.
    #[test]
    fn data_waits_after_the_ack_that_it_does_not_echo() {
        for (what, acks, echoes, expected) in [
            ("the newest", &[(7, 10)][..], &[7][..], Some(0)),
            ("the one before", &[(7, 10), (8, 18)], &[7], Some(12)),
            ("an older one: since the second came", &[(7, 10), (8, 18), (9, 25)], &[7], Some(12)),
            ("one that did not pass", &[(7, 10), (9, 25)], &[8], Some(5)),
            ("across zero", &[(u32::MAX, 10), (0, 18)], &[u32::MAX], Some(12)),
            ("the same again", &[(7, 10), (8, 18)], &[7, 7], None),
            ("no ACK", &[], &[7], None),
        ] {
            let mut trips = RoundTrips::default();
            for &(value, time) in acks {
                _ = trips.ack_passed(value, time);
            }
            let waited: Vec<_> = echoes.iter().map(|&echo| trips.waited(echo, 30)).collect();
            assert_eq!(waited.last(), Some(&expected), "{what}");
        }
    }

    /// The least of this stretch and the previous one.
    #[test]
    fn recent_values_are_those_of_two_stretches() {
        let mut recent = RecentMin::default();
        for (value, time, expected) in
            [(5, 0, 5), (7, 9, 5), (6, 10, 5), (8, 19, 5), (9, 20, 6), (4, 21, 4), (9, 30, 4), (9, 40, 9)]
        {
            recent.add(value, time, 10);
            assert_eq!(recent.get(), Some(expected), "{value} at {time}");
        }
        assert_eq!(RecentMin::default().get(), None);
    }
}
