//! Queueing delay of ACKs on their way to the sender, by the timestamps of both ends (RFC 7323).
//!
//! A host stamps its packets with its own clock. Their delay beyond the smallest one is the queue on their
//! way, independent of the other direction. In a capture at the sender, this is the way of the ACKs. In a
//! capture at the receiver it is the way of the data, and the rest of the round trip belongs to the ACKs.

use super::Half;
use super::round_trip::TickRate;
use super::units::MILLISECOND;
use crate::outcome::Vantage;
use crate::thresholds::{ACK_WAY_DRIFT, ACK_WAY_SAMPLES, ACKS_QUEUED_LEAST};

/// A captured packet with a timestamp. Times are in nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Passed {
    time: i64,
    /// One-way delay, plus the offset of the two clocks.
    delay: i64,
    /// Least round trip of the packet; `None` if the packet is an ACK itself.
    round_trip: Option<i64>,
}

/// Timestamps of a direction.
#[derive(Clone, Debug, Default)]
pub(super) struct AckWay {
    ticks: TickRate,
    first: Option<(u32, i64)>,
    /// A sample: one of `every` packets.
    kept: Vec<Passed>,
    every: u32,
    seen: u32,
}

impl AckWay {
    /// At this size, every second packet is dropped.
    const MOST: usize = 128;

    fn note(&mut self, tsval: u32, time: i64, round_trip: Option<i64>) {
        self.ticks.note(tsval, time);
        let (value, start) = *self.first.get_or_insert((tsval, time));
        self.seen += 1;
        if !self.seen.is_multiple_of(self.every.max(1)) {
            return;
        }
        let stamped = i64::from(tsval.wrapping_sub(value) as i32) * MILLISECOND;
        self.kept.push(Passed { time, delay: time - start - stamped, round_trip });
        if self.kept.len() == Self::MOST {
            let mut is_odd = false;
            self.kept.retain(|_| {
                is_odd = !is_odd;
                is_odd
            });
            self.every = self.every.max(1).saturating_add(self.every.max(1));
        }
    }

    /// Median queueing delay of the ACKs, nanoseconds. `empty` is the round trip without a queue.
    fn usual(&self, empty: Option<i64>) -> Option<i64> {
        if self.seen < ACK_WAY_SAMPLES.get() || !self.ticks.is_milliseconds() {
            return None;
        }
        let least = self.kept.iter().min_by_key(|passed| passed.delay)?;
        let empty = empty.or_else(|| self.kept.iter().filter_map(|passed| passed.round_trip).min());
        let queue = |passed: &Passed| {
            // The drift of the clocks is subtracted, because it is not caused by a queue.
            let drift = (passed.time - least.time).abs() / ACK_WAY_DRIFT.get();
            let own = passed.delay - least.delay;
            match (passed.round_trip, empty) {
                (Some(round_trip), Some(empty)) => (round_trip - empty - own - drift).max(0),
                _ => (own - drift).max(0),
            }
        };
        let mut queues: Vec<_> = self.kept.iter().map(queue).collect();
        queues.sort_unstable();
        queues.get(queues.len() / 2).copied()
    }

    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        self.kept.capacity() * size_of::<Passed>()
    }
}

impl Half {
    /// Records, at the sender, the arrival of an ACK of data that was in flight.
    pub(super) fn follow_ack_way(&mut self, tsval: u32, time: i64) {
        self.note_way(tsval, time, None);
    }

    /// Records, at the receiver, the arrival of data whose `round_trip`, with its ACK, took at least that
    /// long.
    pub(super) fn follow_echo_way(&mut self, tsval: u32, round_trip: i64, time: i64) {
        self.note_way(tsval, time, Some(round_trip));
    }

    /// Starts with the first round trip that a queue makes longer.
    fn note_way(&mut self, tsval: u32, time: i64, round_trip: Option<i64>) {
        let longer = self.last_rtt.get().zip(self.ledger.rtt_min()).map_or(0, |(last, least)| last - least);
        let is_begun = self.ledger.seen_signs().is_some_and(|signs| signs.ack_way.seen > 0);
        if is_begun || longer >= ACKS_QUEUED_LEAST.get() {
            self.ledger.signs_mut().ack_way.note(tsval, time, round_trip);
        }
    }

    /// Median queueing delay of ACKs on their way to the sender, nanoseconds. `None` without millisecond
    /// timestamps, or in a capture away from both ends.
    pub(crate) fn ack_queue(&self) -> Option<i64> {
        let is_at_end = matches!(self.vantage, Vantage::Sender | Vantage::Receiver);
        let signs = self.ledger.seen_signs().filter(|_| is_at_end)?;
        signs.ack_way.usual(self.empty_way_to_sender())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packet every 10 ms, stamped in milliseconds from `first` on, and `late` milliseconds late.
    fn usual(first: u32, packets: u32, per_tick: i64, late: impl Fn(u32) -> i64) -> Option<i64> {
        let mut way = AckWay::default();
        for n in 0..packets {
            let time = i64::from(n) * 10 * per_tick + late(n) * MILLISECOND;
            way.note(first.wrapping_add(n * 10), time, None);
        }
        way.usual(None).map(|nanos| (nanos as f64 / MILLISECOND as f64).round() as i64)
    }

    /// Packets that are 700 ms late most of the time were queued for that long. This holds when the
    /// timestamps wrap, and wherever the promptest packet is.
    #[test]
    fn the_queue_is_what_comes_later_than_at_best() {
        let late = |n: u32| if n < 20 { 0 } else { 700 };
        // Within the 5 s after the promptest packet, clocks may drift by 1 ms.
        assert_eq!(usual(5, 1_000, MILLISECOND, late), Some(699));
        assert_eq!(usual(5, 1_000, MILLISECOND, |n| late(999 - n)), Some(699));
        assert_eq!(usual(u32::MAX - 400, 1_000, MILLISECOND, late), Some(699));
        assert_eq!(usual(5, 100, MILLISECOND, |_| 30), Some(0), "a constant way has no queue");
    }

    /// In a capture at the receiver, the queue of the data is not counted as the queue of the ACKs.
    #[test]
    fn the_datas_own_queue_is_not_that_of_acks() {
        let usual = |own: i64| {
            let mut way = AckWay::default();
            for n in 0..1_000 {
                let queue = if n == 0 { 0 } else { 700 };
                let late = own * queue / 700;
                let time = (i64::from(n) * 10 + late) * MILLISECOND;
                way.note(n * 10, time, Some((20 + queue) * MILLISECOND));
            }
            way.usual(Some(20 * MILLISECOND)).map(|nanos| nanos / MILLISECOND)
        };
        assert_eq!([0, 300, 700].map(usual), [Some(698), Some(398), Some(0)]);
    }

    /// `ACK_WAY_SAMPLES`, and a clock with another tick.
    #[test]
    fn few_packets_and_other_clocks_show_nothing() {
        assert_eq!(usual(5, 32, MILLISECOND, |_| 0), Some(0));
        assert_eq!(usual(5, 31, MILLISECOND, |_| 0), None);
        assert_eq!(usual(5, 100, 10 * MILLISECOND, |_| 0), None);
    }

    /// `ACK_WAY_DRIFT`: one part in 5,000 may be clock drift.
    #[test]
    fn clocks_drift() {
        let usual = |micros: i64| {
            let mut way = AckWay::default();
            (0..1_000).for_each(|n| way.note(n as u32 * 10, n * (10 * MILLISECOND + micros * 1_000), None));
            way.usual(None)
        };
        assert_eq!(usual(2), Some(0));
        assert!(usual(4) > Some(MILLISECOND / 2), "more is a queue");
    }
}
