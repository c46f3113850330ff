//! Thresholds for losses, their repair and silences (`facts/half/ledger/{recovery,silence}.rs`,
//! `facts/half/{mod,signs,timers,watch,kind,black_hole}.rs`).

#[cfg(any(test, feature = "sensitivity"))]
use super::clock;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after clock::END;

    // Repair of a loss.

    /// A silence of this many round trips before a retransmission shows its timer.
    TIMER_ROUND_TRIPS: i64 = 2, "recent round trips", "a tail loss probe waits for two (RFC 8985 §7.2), a retransmission timeout for more", UNMEASURED;
    /// The silence also lasts at least this long.
    TIMER_LEAST: i64 = 10_000_000, "ns", CHOSEN, UNMEASURED;
    /// Round trip that repairs are compared with before one was measured.
    TIMER_ROUND_TRIP_ASSUMED: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// A retransmission of the newest data after a shorter silence is a tail loss probe rather than a
    /// retransmission timeout.
    TAIL_PROBE_BELOW: i64 = 200_000_000, "ns", "a retransmission timeout is longer on Linux (`TCP_RTO_MIN`)", UNMEASURED;
    /// No retransmission timer waits longer.
    LONGEST_TIMER: i64 = 125_000_000_000, "ns", "Linux's longest, 120 s (`TCP_RTO_MAX`; RFC 6298 §2.5 allows 60), and a little for late timers and clocks", UNMEASURED;
    /// Before anything was acknowledged, no timer waits longer for the first repeat.
    FIRST_TIMER: i64 = 3_000_000_000, "ns", "before a round trip was measured (RFC 1122 §4.2.3.1; RFC 6298 §2.1: 1 s)", UNMEASURED;
    /// Each later timer waits at most this many times as long as the longest silence before.
    TIMER_DOUBLES: Ratio = Ratio(5, 2), "of silence before", "a timer doubles (RFC 6298 §5.5); the room above is chosen", UNMEASURED;
    /// A timer is late by at most this part.
    TIMER_LATE: Ratio = Ratio(1, 8), "of timer", "the granularity of Linux's timer wheel (`kernel/time/timer.c`)", UNMEASURED;
    /// An ACK that follows a retransmission sooner acknowledges the original.
    ACK_TOO_SOON: Ratio = Ratio(1, 2), "of least round trip", CHOSEN, UNMEASURED;
    /// A retransmission shows that an acknowledgment was lost if it comes this long after the acknowledgment
    /// passed.
    LOST_ACK_LEAST: i64 = 150_000_000, "ns", "the least retransmission timeout of Linux, 200 ms (`TCP_RTO_MIN`), less an ACK delayed for 40 ms (`TCP_DELACK_MIN`) and a tick of 10 ms", UNMEASURED;
    /// It also comes at least this many round trips after the acknowledgment.
    LOST_ACK_ROUND_TRIPS: i64 = 2, "recent round trips", "one for the acknowledgment and the repeat to cross, one for a queue (chosen)", UNMEASURED;
    /// After a loss or an ECN mark, at least this part of the congestion window remains.
    LOSS_LEAVES: Ratio = Ratio(1, 2), "of congestion window", "half of the flight (RFC 5681 §3.1; as much after a mark, RFC 3168 §6.1.2); CUBIC leaves 0.7 (RFC 9438 §4.6)", UNMEASURED;
    /// After a recovery, the bytes in flight still fall for this long, and until then they show no congestion
    /// window.
    FLOOR_RESTS: Ratio = Ratio(3, 2), "of recent round trip", CHOSEN, UNMEASURED;
    /// A recovery with fewer retransmitted segments does not show that it repaired one segment per round
    /// trip.
    ONE_BY_ONE_LEAST: u32 = 3, "segments", "two cost one round trip more than both at once", UNMEASURED;

    // Silence.

    /// Shorter silence is a late acknowledgment.
    LONG_SILENCE: i64 = 1_000_000_000, "ns", "the first retransmission timeout (RFC 6298 §2.1); a delayed ACK takes 0.5 s at most (RFC 9293 §3.8.6.3)", UNMEASURED;
    /// A filling queue makes a round trip at most this many times as long.
    SILENCE_ROUND_TRIPS: i64 = 8, "round trips as measured before", CHOSEN, UNMEASURED;
    /// An answer that took less time was not delayed by a retransmission timeout, so the peer's
    /// retransmissions do not show a failed path.
    ANSWER_BY_TIMER: i64 = 200_000_000, "ns", "a retransmission timeout is longer on Linux (`TCP_RTO_MIN`)", UNMEASURED;
    /// A retransmission timeout delays an answer by this many additional round trips.
    ANSWER_ROUND_TRIPS: i64 = 2, "least round trips", "one for the repeated data and its answer, one for jitter of the timeout (chosen)", UNMEASURED;

    // Segments out of order.

    /// A segment that fills a hole within this part of the round trip was overtaken; a later one was lost and
    /// retransmitted.
    REORDERED_WITHIN: Ratio = Ratio(3, 4), "of least round trip", "a repeat follows a round trip after the hole was seen (RFC 5681 §3.2); the room below is chosen", UNMEASURED;
    /// The same before any round trip was measured.
    REORDERED_ASSUMED: i64 = 3_000_000, "ns", CHOSEN, UNMEASURED;
    /// The same frame within this time was captured twice, whatever packet numbers its sender assigns.
    DUPLICATED_WITHIN: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// Segments that follow each other within this time were sent at once, so their length may be the MSS.
    EQUAL_WITHIN: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// At least this many segments after one of the same length show the MSS.
    EQUAL_LENGTHS: u32 = 2, "segments", CHOSEN, UNMEASURED;
    /// Shorter segments do not show the MSS.
    EQUAL_LEAST: u64 = 400, "bytes", "chosen below the least that IPv4 asks hosts to take, 536 (RFC 9293 §3.7.1)", UNMEASURED;

    // A path that stalled.

    /// A path that delivered nothing for this long has stalled.
    STALL_LEAST: i64 = 75_000_000, "ns", "above what interrupts, schedulers and Linux's delayed ACKs take (`TCP_DELACK_MIN`, 40 ms); chosen below the usual interval of IEEE 802.11 beacons, 102.4 ms", UNMEASURED;
    /// If no round trip is visible, this many segments must arrive at once after the stall.
    STALL_FOLLOWERS: u32 = 4, "segments", "chosen; fewer are what waited for a slow link", UNMEASURED;
    /// No receiver delays the acknowledgment of this many segments.
    STALL_SEGMENTS: u64 = 4, "segments", "every second segment is acknowledged at once (RFC 5681 §4.2)", UNMEASURED;
    /// A stall is over if round trips return to normal within this many times the stall's length.
    STALL_WATCHED: i64 = 2, "times", CHOSEN, UNMEASURED;
    /// Round trips are normal if at most this part of the stall remains in them.
    STALL_OVER: Ratio = Ratio(1, 2), "of stall", CHOSEN, UNMEASURED;
    /// Delayed data arrives within this part of the stall.
    STALL_FOLLOWED: Ratio = Ratio(1, 4), "of stall", CHOSEN, UNMEASURED;
    /// Data waited on the path if it was sent within this part of the silence after the previous data.
    STALL_APART: Ratio = Ratio(1, 4), "of silence", CHOSEN, UNMEASURED;

    // A path that drops large segments.

    /// Fewer retransmissions without effect may be a short disturbance of the path.
    VANISHED_REPEATS: u32 = 2, "repeats", CHOSEN, UNMEASURED;
    /// More retransmissions than this show a black hole if nothing else passed.
    VANISHED_REPEATS_ALONE: u32 = 3, "repeats", CHOSEN, UNMEASURED;
    /// A peer that sent something this shortly before the first large segment could receive it.
    VANISHED_HEARD: i64 = 1_000_000_000, "ns", CHOSEN, UNMEASURED;
    /// Fast recovery did not fill a hole that was open for this long.
    VANISHED_AGE: i64 = 1_000_000_000, "ns", "the first retransmission timeout (RFC 6298 §2.1)", UNMEASURED;
    /// Segments below this part of what the SYNs allow are small.
    VANISHED_SMALLER: Ratio = Ratio(9, 10), "of MSS", CHOSEN, UNMEASURED;
}
