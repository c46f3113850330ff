//! Losses, their repair and silence (`facts/half/ledger/{recovery,silence}.rs`, `facts/half/{mod,signs,timers,watch,kind,black_hole}.rs`).

#[cfg(any(test, feature = "sensitivity"))]
use super::clock;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after clock::END;

    // How a loss was repaired.

    /// A silence of as many round trips before a retransmission shows its timer.
    TIMER_ROUND_TRIPS: i64 = 2, "recent round trips", "a tail loss probe waits for two (RFC 8985 §7.2), a retransmission timeout for more", UNMEASURED;
    /// A silence before a retransmission shows its timer if it is as long, too.
    TIMER_LEAST: i64 = 10_000_000, "ns", CHOSEN, UNMEASURED;
    /// The round trip that repairs are measured by before one was measured.
    TIMER_ROUND_TRIP_ASSUMED: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// A repeat of the newest data after a shorter silence is a tail loss probe's, not a retransmission timeout's.
    TAIL_PROBE_BELOW: i64 = 200_000_000, "ns", "a retransmission timeout is longer on Linux (`TCP_RTO_MIN`)", UNMEASURED;
    /// No retransmission timer waits longer.
    LONGEST_TIMER: i64 = 125_000_000_000, "ns", "Linux's longest, 120 s (`TCP_RTO_MAX`; RFC 6298 §2.5 allows 60), and a little for late timers and clocks", UNMEASURED;
    /// Before anything was acknowledged, no timer waits longer for the first repeat.
    FIRST_TIMER: i64 = 3_000_000_000, "ns", "before a round trip was measured (RFC 1122 §4.2.3.1; RFC 6298 §2.1: 1 s)", UNMEASURED;
    /// Later timers wait for no more of the longest one before.
    TIMER_DOUBLES: Ratio = Ratio(5, 2), "of silence before", "a timer doubles (RFC 6298 §5.5); the room above is chosen", UNMEASURED;
    /// A timer is late by no more.
    TIMER_LATE: Ratio = Ratio(1, 8), "of timer", "the granularity of Linux's timer wheel (`kernel/time/timer.c`)", UNMEASURED;
    /// An ACK that follows a repeat sooner is not of it but of the original.
    ACK_TOO_SOON: Ratio = Ratio(1, 2), "of least round trip", CHOSEN, UNMEASURED;
    /// A repeat of data whose acknowledgment had passed for as long shows that the acknowledgment was lost.
    LOST_ACK_LEAST: i64 = 150_000_000, "ns", "the least retransmission timeout of Linux, 200 ms (`TCP_RTO_MIN`), less an ACK delayed for 40 ms (`TCP_DELACK_MIN`) and a tick of 10 ms", UNMEASURED;
    /// It shows that if it had passed for as many round trips, too.
    LOST_ACK_ROUND_TRIPS: i64 = 2, "recent round trips", "one for the acknowledgment and the repeat to cross, one for a queue (chosen)", UNMEASURED;
    /// A loss or a mark leaves as much of the congestion window at least.
    LOSS_LEAVES: Ratio = Ratio(1, 2), "of congestion window", "half of the flight (RFC 5681 §3.1; as much after a mark, RFC 3168 §6.1.2); CUBIC leaves 0.7 (RFC 9438 §4.6)", UNMEASURED;
    /// After a recovery the flight still falls for so long: until then it shows no congestion window.
    FLOOR_RESTS: Ratio = Ratio(3, 2), "of recent round trip", CHOSEN, UNMEASURED;
    /// A recovery that repeated fewer segments does not show that it repaired one per round trip.
    ONE_BY_ONE_LEAST: u32 = 3, "segments", "two cost one round trip more than both at once", UNMEASURED;

    // Silence.

    /// Shorter silence is a late acknowledgment.
    LONG_SILENCE: i64 = 1_000_000_000, "ns", "the first retransmission timeout (RFC 6298 §2.1); a delayed ACK takes 0.5 s at most (RFC 9293 §3.8.6.3)", UNMEASURED;
    /// A queue that fills makes no more of a round trip.
    SILENCE_ROUND_TRIPS: i64 = 8, "round trips as measured before", CHOSEN, UNMEASURED;
    /// An answer that took less was not late by a retransmission timeout: what the peer repeated shows no path that was down.
    ANSWER_BY_TIMER: i64 = 200_000_000, "ns", "a retransmission timeout is longer on Linux (`TCP_RTO_MIN`)", UNMEASURED;
    /// An answer that a retransmission timeout delayed takes as many round trips on top.
    ANSWER_ROUND_TRIPS: i64 = 2, "least round trips", "one for the repeated data and its answer, one for jitter of the timeout (chosen)", UNMEASURED;

    // What a segment out of order is.

    /// A hole that is filled within this part of the round trip was overtaken; later, it was lost and repeated.
    REORDERED_WITHIN: Ratio = Ratio(3, 4), "of least round trip", "a repeat follows a round trip after the hole was seen (RFC 5681 §3.2); the room below is chosen", UNMEASURED;
    /// The same before any round trip was measured.
    REORDERED_ASSUMED: i64 = 3_000_000, "ns", CHOSEN, UNMEASURED;
    /// The same frame again so soon was captured twice, whatever numbers its sender gives to packets.
    DUPLICATED_WITHIN: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// Segments that follow each other sooner were sent at once: their length may be the MSS.
    EQUAL_WITHIN: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// As many segments after one of the same length show the MSS.
    EQUAL_LENGTHS: u32 = 2, "segments", CHOSEN, UNMEASURED;
    /// Shorter segments do not show the MSS.
    EQUAL_LEAST: u64 = 400, "bytes", "chosen below the least that IPv4 asks hosts to take, 536 (RFC 9293 §3.7.1)", UNMEASURED;

    // A path that stood still.

    /// A path that delivered nothing for as long stood still.
    STALL_LEAST: i64 = 75_000_000, "ns", "above what interrupts, schedulers and Linux's delayed ACKs take (`TCP_DELACK_MIN`, 40 ms); chosen below the usual interval of IEEE 802.11 beacons, 102.4 ms", UNMEASURED;
    /// Arrivals that must follow at once where no round trip is seen.
    STALL_FOLLOWERS: u32 = 4, "segments", "chosen; fewer are what waited for a slow link", UNMEASURED;
    /// No receiver delays the acknowledgment of as many segments.
    STALL_SEGMENTS: u64 = 4, "segments", "every second segment is acknowledged at once (RFC 5681 §4.2)", UNMEASURED;
    /// A stall is over if round trips are what they were within so many times of what it took.
    STALL_WATCHED: i64 = 2, "times", CHOSEN, UNMEASURED;
    /// Round trips are what they were if no more of the stall is left in them.
    STALL_OVER: Ratio = Ratio(1, 2), "of stall", CHOSEN, UNMEASURED;
    /// What waited arrives within this part of the stall.
    STALL_FOLLOWED: Ratio = Ratio(1, 4), "of stall", CHOSEN, UNMEASURED;
    /// Data that was sent within this part of the silence after the data before waited on the path.
    STALL_APART: Ratio = Ratio(1, 4), "of silence", CHOSEN, UNMEASURED;

    // A path that drops large segments.

    /// Fewer repeats in vain may be a bad moment of the path.
    VANISHED_REPEATS: u32 = 2, "repeats", CHOSEN, UNMEASURED;
    /// More repeats in vain show it where nothing else passed.
    VANISHED_REPEATS_ALONE: u32 = 3, "repeats", CHOSEN, UNMEASURED;
    /// A peer that was heard as shortly before the first large segment was there to get it.
    VANISHED_HEARD: i64 = 1_000_000_000, "ns", CHOSEN, UNMEASURED;
    /// A hole that was open for as long was not filled by fast recovery.
    VANISHED_AGE: i64 = 1_000_000_000, "ns", "the first retransmission timeout (RFC 6298 §2.1)", UNMEASURED;
    /// Segments below this part of what the SYNs allow are small.
    VANISHED_SMALLER: Ratio = Ratio(9, 10), "of MSS", CHOSEN, UNMEASURED;
}
