//! Signs that few directions show. They are kept apart, so that other directions need no memory for them.

use super::ack_way::AckWay;
use super::allowed::Allowed;
use super::scale::ScaleVotes;
use super::served::Served;
use super::timers::FirstTimeouts;
use crate::thresholds::{ONE_BY_ONE_LEAST, STALL_FOLLOWED, STALL_FOLLOWERS, STALL_OVER, STALL_WATCHED};

/// Observations of a direction beyond its limits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signs {
    pub(crate) congestion: Congestion,
    pub(crate) reordering: Reordering,
    pub(crate) repairs: Repairs,
    pub(crate) first_timeouts: FirstTimeouts,
    pub(crate) stalls: Stalls,
    pub(crate) beyond: Beyond,
    pub(crate) allowed: Allowed,
    pub(crate) scale: ScaleVotes,
    pub(super) served: Served,
    pub(super) ack_way: AckWay,
}

impl Signs {
    /// Creates the signs of a direction that showed only these timeouts.
    #[cfg(test)]
    pub(crate) fn of_timeouts(first_timeouts: FirstTimeouts) -> Self {
        Self { first_timeouts, ..Self::default() }
    }

    /// Memory, its own size included, bytes.
    pub(super) fn heap(&self) -> usize {
        size_of::<Self>() + self.served.heap() + self.ack_way.heap()
    }
}

/// Congestion that ECN marks showed instead of a loss (RFC 3168).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Congestion {
    /// Data packets that a queue had marked (CE) when they were captured.
    pub(crate) marked: u32,
    /// Packets in which the receiver echoed a mark (ECE).
    pub(crate) echoes: u32,
    /// Data packets that reported a reduced congestion window (CWR): at most one per round trip (RFC 3168
    /// §6.1.2).
    pub(crate) reductions: u32,
}

/// Holes that the receiver reported by SACK and that filled without a retransmission.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reordering {
    pub(crate) holes: u32,
    /// Time for which the longest hole was open, nanoseconds: the delay of the reordered data.
    pub(crate) longest: i64,
}

/// Recoveries that repaired one segment per round trip, as without SACK (RFC 6582 §3.2), and retransmissions
/// that repaired nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repairs {
    pub(crate) recoveries: u32,
    /// Segments retransmitted in these recoveries.
    pub(crate) segments: u32,
    /// Duration of these recoveries, nanoseconds.
    pub(crate) nanos: i64,
    /// Needless retransmissions, shown by acknowledgments other than D-SACK.
    pub(crate) needless: u32,
    /// Retransmissions of data that had arrived, after a timer. The acknowledgments would have stopped the
    /// timer if they had not been lost.
    pub(crate) unacknowledged: u32,
}

impl Repairs {
    /// Adds a recovery that retransmitted `segments` and took `nanos`.
    pub(crate) fn took(&mut self, segments: u32, nanos: i64) {
        self.recoveries += 1;
        self.segments = self.segments.saturating_add(segments);
        self.nanos = self.nanos.saturating_add(nanos);
    }

    /// Whether a recovery that retransmitted `segments` in `nanos` repaired about one segment per round trip.
    pub(crate) fn are_one_by_one(segments: u32, nanos: i64, rtt: i64) -> bool {
        segments >= ONE_BY_ONE_LEAST && rtt > 0 && nanos >= rtt.saturating_mul(i64::from(segments - 1))
    }
}

/// Times in which a path with data in flight delivered nothing, then continued as before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stalls {
    pub(crate) count: u32,
    /// Duration beyond the round trip, nanoseconds.
    pub(crate) total: i64,
    pub(crate) longest: i64,
    /// A stall whose end is not confirmed yet.
    candidate: Option<Stall>,
}

#[derive(Clone, Copy, Debug)]
struct Stall {
    /// Duration beyond the round trip, nanoseconds.
    nanos: i64,
    /// Round trips below this, in time, show that the path is as before, nanoseconds.
    rtt_below: i64,
    until: i64,
    /// Number of segments that still have to follow at once; 0 if round trips decide.
    segments: u32,
}

impl Stalls {
    /// Records an acknowledgment at `time`, after a silence, that came `nanos` later than a round trip of
    /// `rtt` explains.
    pub(crate) fn acknowledged_late(&mut self, nanos: i64, rtt: i64, time: i64) {
        let until = time.saturating_add(nanos.saturating_add(rtt).saturating_mul(STALL_WATCHED.get()));
        let rtt_below = rtt.saturating_add(STALL_OVER.of(nanos));
        self.candidate = Some(Stall { nanos, rtt_below, until, segments: 0 });
    }

    /// Records data that arrived at `time`, `nanos` later than its send time after the previous segment
    /// explains.
    pub(crate) fn arrived_late(&mut self, nanos: i64, time: i64) {
        // Data that waited in the path arrives at the rate of the path, not at the pace of the sender.
        let until = time.saturating_add(STALL_FOLLOWED.of(nanos));
        self.candidate = Some(Stall { nanos, rtt_below: 0, until, segments: STALL_FOLLOWERS.get() });
    }

    /// Uses a new round-trip sample to confirm a stall.
    pub(crate) fn on_rtt(&mut self, rtt: i64, time: i64) {
        if let Some(stall) = self.candidate.filter(|s| s.segments == 0) {
            if time > stall.until {
                self.candidate = None;
            } else if rtt < stall.rtt_below {
                self.confirm(stall);
            }
        }
    }

    /// Uses the arrival of more data to confirm a stall.
    pub(crate) fn on_arrival(&mut self, time: i64) {
        if let Some(stall) = self.candidate.as_mut().filter(|s| s.segments > 0) {
            stall.segments -= 1;
            let stall = *stall;
            if time > stall.until {
                self.candidate = None;
            } else if stall.segments == 0 {
                self.confirm(stall);
            }
        }
    }

    /// Drops the candidate after a loss: the silence was the wait for its repair.
    pub(crate) fn lost(&mut self) {
        self.candidate = None;
    }

    fn confirm(&mut self, stall: Stall) {
        self.candidate = None;
        self.count += 1;
        self.total = self.total.saturating_add(stall.nanos);
        self.longest = self.longest.max(stall.nanos);
    }
}

/// Data beyond the window that the receiver had advertised last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beyond {
    /// Number of times the receiver withdrew a part of the window that data already used (RFC 9293 §3.8.6).
    pub(crate) shrinks: u32,
    /// Largest withdrawal, bytes.
    pub(crate) withdrawn: u64,
    /// Segments beyond the window, and retransmissions of them.
    pub(crate) segments: u32,
    pub(crate) repeated: u32,
    /// Range beyond the window that is not acknowledged yet.
    range: Option<(u64, u64)>,
}

impl Beyond {
    /// Records that the right edge moved left by `withdrawn` bytes to `edge`, after data up to `sent` had
    /// passed.
    pub(crate) fn shrunk(&mut self, edge: u64, sent: u64, withdrawn: u64, mss: u64) {
        if sent > edge {
            self.shrinks += 1;
            self.withdrawn = self.withdrawn.max(withdrawn);
            let segments = (sent - edge).div_ceil(mss.max(1));
            self.segments = self.segments.saturating_add(u32::try_from(segments).unwrap_or(u32::MAX));
            self.extend(edge, sent);
        }
    }

    /// Records data beyond `edge`, up to `end`.
    pub(crate) fn sent(&mut self, edge: u64, end: u64) {
        self.segments = self.segments.saturating_add(1);
        self.extend(edge, end);
    }

    /// Records that `[start, end)` was retransmitted after everything below `una` had arrived.
    pub(crate) fn repeated(&mut self, start: u64, end: u64, una: u64) {
        self.acknowledged(una);
        if self.range.is_some_and(|(low, high)| start < high && end > low) {
            self.repeated += 1;
        }
    }

    /// Records that everything below `ack` has arrived.
    pub(crate) fn acknowledged(&mut self, ack: u64) {
        self.range = self.range.filter(|r| r.1 > ack);
    }

    fn extend(&mut self, low: u64, high: u64) {
        let (a, b) = self.range.unwrap_or((low, high));
        self.range = Some((a.min(low), b.max(high)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    /// `ONE_BY_ONE_LEAST`: three segments, each after the first one round trip after the previous one.
    #[test]
    fn one_repair_a_round_trip() {
        for (segments, millis, expected) in
            [(4, 65, true), (4, 25, false), (2, 40, false), (3, 40, true), (3, 39, false)]
        {
            assert_eq!(Repairs::are_one_by_one(segments, millis * MS, 20 * MS), expected, "{segments} in {millis} ms");
        }
    }

    #[test]
    fn a_stall_counts_once_the_path_is_what_it_was() {
        let mut stalls = Stalls::default();
        stalls.acknowledged_late(100 * MS, 20 * MS, 1000 * MS);
        stalls.on_rtt(110 * MS, 1001 * MS);
        assert_eq!(stalls.count, 0);
        stalls.on_rtt(21 * MS, 1030 * MS);
        assert_eq!((stalls.count, stalls.total), (1, 100 * MS));
        stalls.acknowledged_late(100 * MS, 20 * MS, 2000 * MS);
        stalls.on_rtt(21 * MS, 2300 * MS);
        assert_eq!(stalls.count, 1, "too late");
        stalls.acknowledged_late(100 * MS, 20 * MS, 3000 * MS);
        stalls.lost();
        stalls.on_rtt(21 * MS, 3010 * MS);
        assert_eq!(stalls.count, 1, "a loss");
    }

    #[test]
    fn late_arrivals_count_when_more_follow_at_once() {
        for (every, expected) in [(1, 1), (20, 0)] {
            let mut stalls = Stalls::default();
            stalls.arrived_late(100 * MS, 0);
            (1..10).for_each(|i| stalls.on_arrival(i * every * MS));
            assert_eq!(stalls.count, expected, "every {every} ms");
        }
    }

    #[test]
    fn what_lies_beyond_is_told_until_it_is_acknowledged() {
        let mut beyond = Beyond::default();
        beyond.shrunk(5000, 9000, 4000, 1000);
        beyond.repeated(4000, 5000, 4000);
        beyond.repeated(8000, 9000, 4000);
        beyond.repeated(8000, 9000, 9000);
        assert_eq!((beyond.shrinks, beyond.withdrawn, beyond.segments, beyond.repeated), (1, 4000, 4, 1));
    }

    /// `STALL_WATCHED` and `STALL_OVER`: a round trip that exceeds the usual one by less than half of the
    /// stall ends it. It must come within twice the stall and its round trip.
    #[test]
    fn a_stall_is_over_within_twice_its_time() {
        let count = |rtt: i64, after: i64| {
            let mut stalls = Stalls::default();
            stalls.acknowledged_late(100 * MS, 20 * MS, 0);
            stalls.on_rtt(rtt, after);
            stalls.count
        };
        assert_eq!([70 * MS - 1, 70 * MS].map(|rtt| count(rtt, 0)), [1, 0]);
        assert_eq!([240 * MS, 240 * MS + 1].map(|after| count(21 * MS, after)), [1, 0]);
    }

    /// `STALL_FOLLOWERS` and `STALL_FOLLOWED`: four segments within 1/4 of the stall.
    #[test]
    fn four_segments_follow_a_stall_at_once() {
        let count = |segments: i64, last: i64| {
            let mut stalls = Stalls::default();
            stalls.arrived_late(100 * MS, 0);
            (1..segments).for_each(|_| stalls.on_arrival(1));
            stalls.on_arrival(last);
            stalls.count
        };
        assert_eq!([3, 4].map(|segments| count(segments, 25 * MS)), [0, 1]);
        assert_eq!([25 * MS, 25 * MS + 1].map(|last| count(4, last)), [1, 0]);
    }

    /// For a pending stall, each event that may end it, and whether the stall counts.
    #[test]
    fn a_stall_counts_when_what_follows_it_is_in_time() {
        type Follow = fn(&mut Stalls);
        let (late, arrived): (Follow, Follow) =
            (|s| s.acknowledged_late(100 * MS, 20 * MS, 0), |s| s.arrived_late(100 * MS, 0));
        for (what, stall, follow, count) in [
            ("a round trip in time", late, (|s| s.on_rtt(69 * MS, 240 * MS)) as Follow, 1),
            ("a round trip of half of the stall more", late, |s| s.on_rtt(70 * MS, 1), 0),
            ("a round trip too late", late, |s| s.on_rtt(20 * MS, 240 * MS + 1), 0),
            ("arrivals do not end a silence of ACKs", late, |s| (0..9).for_each(|_| s.on_arrival(1)), 0),
            ("four arrivals in time", arrived, |s| (0..4).for_each(|_| s.on_arrival(25 * MS)), 1),
            ("three arrivals", arrived, |s| (0..3).for_each(|_| s.on_arrival(1)), 0),
            ("four arrivals too late", arrived, |s| (0..4).for_each(|_| s.on_arrival(25 * MS + 1)), 0),
            ("round trips do not end a silence of data", arrived, |s| s.on_rtt(0, 1), 0),
            (
                "a loss",
                arrived,
                |s| {
                    s.lost();
                    (0..4).for_each(|_| s.on_arrival(1));
                },
                0,
            ),
        ] {
            let mut stalls = Stalls::default();
            stall(&mut stalls);
            follow(&mut stalls);
            assert_eq!((stalls.count, stalls.longest / MS), (count, 100 * i64::from(count)), "{what}");
        }
    }

    #[test]
    fn stalls_add_up_and_the_longest_is_kept() {
        let mut stalls = Stalls::default();
        for nanos in [100, 300, 200] {
            stalls.acknowledged_late(nanos * MS, 20 * MS, 0);
            stalls.on_rtt(0, 1);
        }
        assert_eq!((stalls.count, stalls.total / MS, stalls.longest / MS), (3, 600, 300));
    }

    /// Without a known round trip, the time per repair is unknown. Each segment after the first takes one
    /// round trip.
    #[test]
    fn repairs_are_compared_with_known_round_trips() {
        for (what, segments, nanos, rtt, expected) in [
            ("three in two round trips", 3, 40, 20, true),
            ("less", 3, 39, 20, false),
            ("two", 2, 40, 20, false),
            ("no round trip", 3, 40, 0, false),
        ] {
            assert_eq!(Repairs::are_one_by_one(segments, nanos, rtt), expected, "{what}");
        }
        let mut repairs = Repairs::default();
        for (segments, nanos) in [(3, 40), (4, 60)] {
            repairs.took(segments, nanos);
        }
        assert_eq!((repairs.recoveries, repairs.segments, repairs.nanos), (2, 7, 100));
    }

    /// The number of segments beyond the edge, and the retransmissions that overlap them.
    #[test]
    fn repeats_beyond_the_window_overlap_what_lies_there() {
        for (what, start, end, una, repeated) in [
            ("all of it", 5000, 9000, 0, 1),
            ("below", 4000, 5000, 0, 0),
            ("a byte of it", 4000, 5001, 0, 1),
            ("above", 9000, 9999, 0, 0),
            ("its last byte", 8999, 9999, 0, 1),
            ("all of it is acknowledged", 5000, 9000, 9000, 0),
            ("all but a byte is acknowledged", 8000, 9000, 8999, 1),
        ] {
            let mut beyond = Beyond::default();
            beyond.sent(5000, 7000);
            beyond.sent(6000, 9000);
            beyond.repeated(start, end, una);
            assert_eq!((beyond.segments, beyond.repeated), (2, repeated), "{what}");
        }
        for (sent, expected) in [(5000, (0, 0, 0)), (5001, (1, 700, 1)), (6001, (1, 700, 2))] {
            let mut beyond = Beyond::default();
            beyond.shrunk(5000, sent, 700, 1000);
            assert_eq!((beyond.shrinks, beyond.withdrawn, beyond.segments), expected, "up to {sent}");
        }
    }
}
