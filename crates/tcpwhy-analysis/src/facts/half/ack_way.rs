//! How long ACKs queue on their way to the sender, by the timestamps of both ends (RFC 7323).
//!
//! A host stamps its packets with its own clock. How much later than at the best times they come shows the
//! queue on their way, whatever the other way does. At the sender that is the way of the ACKs itself. At the
//! receiver it is the way of the data, and the rest of the round trip belongs to the ACKs.

use super::Half;
use super::round_trip::TickRate;
use super::units::MILLISECOND;
use crate::outcome::Vantage;
use crate::thresholds::{ACK_WAY_DRIFT, ACK_WAY_SAMPLES, ACKS_QUEUED_LEAST};

/// A packet with a timestamp, as it passed the capture. Times are nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Passed {
    time: i64,
    /// On its way, plus the difference of the two clocks.
    delay: i64,
    /// On the whole round trip, at least; `None` where the packet is an ACK itself.
    round_trip: Option<i64>,
}

/// What the timestamps of a direction show.
#[derive(Clone, Debug, Default)]
pub(super) struct AckWay {
    ticks: TickRate,
    first: Option<(u32, i64)>,
    /// Every so many packets.
    kept: Vec<Passed>,
    every: u32,
    seen: u32,
}

impl AckWay {
    /// At so many, every second one is dropped.
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

    /// Half of the ACKs queued for longer, nanoseconds. `empty`: the round trip without a queue.
    fn usual(&self, empty: Option<i64>) -> Option<i64> {
        if self.seen < ACK_WAY_SAMPLES.get() || !self.ticks.is_milliseconds() {
            return None;
        }
        let least = self.kept.iter().min_by_key(|passed| passed.delay)?;
        let empty = empty.or_else(|| self.kept.iter().filter_map(|passed| passed.round_trip).min());
        let queue = |passed: &Passed| {
            // Clocks drift apart: that much is not the queue's.
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

    /// Bytes of memory beyond its own size.
    pub(super) fn heap(&self) -> usize {
        self.kept.capacity() * size_of::<Passed>()
    }
}

impl Half {
    /// At the sender, an ACK of data that was in flight arrived.
    pub(super) fn follow_ack_way(&mut self, tsval: u32, time: i64) {
        self.note_way(tsval, time, None);
    }

    /// At the receiver, data arrived that had been on its way, with its ACK, for `round_trip` at least.
    pub(super) fn follow_echo_way(&mut self, tsval: u32, round_trip: i64, time: i64) {
        self.note_way(tsval, time, Some(round_trip));
    }

    /// From the first round trip on that a queue makes longer.
    fn note_way(&mut self, tsval: u32, time: i64, round_trip: Option<i64>) {
        let longer = self.last_rtt.get().zip(self.ledger.rtt_min()).map_or(0, |(last, least)| last - least);
        let is_begun = self.ledger.seen_signs().is_some_and(|signs| signs.ack_way.seen > 0);
        if is_begun || longer >= ACKS_QUEUED_LEAST.get() {
            self.ledger.signs_mut().ack_way.note(tsval, time, round_trip);
        }
    }

    /// Half of the ACKs queued for longer on their way to the sender, nanoseconds; `None` where no timestamps
    /// of milliseconds show it, and away from both ends.
    pub(crate) fn ack_queue(&self) -> Option<i64> {
        let is_at_end = matches!(self.vantage, Vantage::Sender | Vantage::Receiver);
        let signs = self.ledger.seen_signs().filter(|_| is_at_end)?;
        signs.ack_way.usual(self.empty_way_to_sender())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packet each 10 ms, stamped in milliseconds from `first` on, `late` milliseconds late.
    fn usual(first: u32, packets: u32, per_tick: i64, late: impl Fn(u32) -> i64) -> Option<i64> {
        let mut way = AckWay::default();
        for n in 0..packets {
            let time = i64::from(n) * 10 * per_tick + late(n) * MILLISECOND;
            way.note(first.wrapping_add(n * 10), time, None);
        }
        way.usual(None).map(|nanos| (nanos as f64 / MILLISECOND as f64).round() as i64)
    }

    /// What came 700 ms late most of the time queued for as long, across zero as well, and however late the
    /// promptest comes.
    #[test]
    fn the_queue_is_what_comes_later_than_at_best() {
        let late = |n: u32| if n < 20 { 0 } else { 700 };
        // Five seconds from the promptest on, clocks may be 1 ms apart.
        assert_eq!(usual(5, 1_000, MILLISECOND, late), Some(699));
        assert_eq!(usual(5, 1_000, MILLISECOND, |n| late(999 - n)), Some(699));
        assert_eq!(usual(u32::MAX - 400, 1_000, MILLISECOND, late), Some(699));
        assert_eq!(usual(5, 100, MILLISECOND, |_| 30), Some(0), "a constant way has no queue");
    }

    /// At the receiver, the data's own queue is not that of the ACKs.
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

    /// `ACK_WAY_SAMPLES`, and a clock that ticks otherwise.
    #[test]
    fn few_packets_and_other_clocks_show_nothing() {
        assert_eq!(usual(5, 32, MILLISECOND, |_| 0), Some(0));
        assert_eq!(usual(5, 31, MILLISECOND, |_| 0), None);
        assert_eq!(usual(5, 100, 10 * MILLISECOND, |_| 0), None);
    }

    /// `ACK_WAY_DRIFT`: one part in 5,000 may be the clocks'.
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
