//! Where the capture is, when the sender had what it shows, and what the window's scale is (`facts/half/{vantage,sender_clock,early,
//! allowed,round_trip,scale}.rs`).

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::recovery;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after recovery::END;

    // Between the ends.

    /// The delay to the far end is as many times the delay to the end where the capture was made.
    ELSEWHERE: i64 = 3, "times", CHOSEN, UNMEASURED;
    /// A host usually answers a SYN-ACK or a segment sooner.
    HOST_ANSWERS: i64 = 100_000, "ns", "chosen; the lab's hosts answer within 20 to 60 µs", UNMEASURED;
    /// An end answers within this part of the round trip where the capture was made.
    NEAR_PART: Ratio = Ratio(1, 20), "of round trip", CHOSEN, UNMEASURED;
    /// An end that answers sooner is always near.
    NEAR_LEAST: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// The handshake shows the delay to the sender to this part of itself.
    HANDSHAKE_JITTER: Ratio = Ratio(1, 20), "of delay", CHOSEN, UNMEASURED;
    /// The same at worst.
    HANDSHAKE_JITTER_MOST: i64 = 1_000_000, "ns", "timestamps of Linux tick each millisecond", UNMEASURED;
    /// After as many data segments a capture without handshake is located.
    LATE_LOCATION: u64 = 40, "segments", CHOSEN, UNMEASURED;
    /// An acknowledgment of as many segments was due at once, not when the peer's program wrote.
    ACKED_AT_ONCE: u64 = 2, "segments", "RFC 5681 §4.2", UNMEASURED;
    /// A receiver delays an acknowledgment for as long at least.
    DELAYED_ACK: i64 = 40_000_000, "ns", "Linux's shortest timer of delayed ACKs (`TCP_DELACK_MIN`)", UNMEASURED;

    // The way to the sender.

    /// Of the jitter of inferred times, as much is the way's.
    WAY_JITTER: Ratio = Ratio(1, 2), "of jitter", CHOSEN, UNMEASURED;
    /// An answer that is later than the promptest by no more needs no explanation.
    ECHO_EXCESS: i64 = 1_000_000, "ns", "timestamps of Linux tick each millisecond", UNMEASURED;
    /// The sender waited if the path was silent for as much of what its answer was late.
    ECHO_SILENCE: Ratio = Ratio(1, 2), "of excess", CHOSEN, UNMEASURED;
    /// The sender cannot have waited if its data leaves it no more of what its answer was late.
    ECHO_WAITED: Ratio = Ratio(1, 4), "of excess", CHOSEN, UNMEASURED;
    /// Least delays are those of so many round trips, and of as many before.
    STRETCH_ROUND_TRIPS: i64 = 2, "least round trips", CHOSEN, UNMEASURED;
    /// The round trip of these stretches before one was measured.
    STRETCH_ASSUMED: i64 = 10_000_000, "ns", CHOSEN, UNMEASURED;
    /// The round trip of these stretches counts as no shorter.
    STRETCH_LEAST: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// The round trip of these stretches counts as no longer.
    STRETCH_MOST: i64 = 500_000_000, "ns", CHOSEN, UNMEASURED;
    /// The promptest data by timestamps is that of so many stretches.
    LAG_STRETCHES: i64 = 8, "stretches", CHOSEN, UNMEASURED;
    /// An acknowledgment that no data echoes has reached the sender after this part of the way on top of it.
    ECHO_PATIENCE: Ratio = Ratio(1, 2), "of delay", CHOSEN, UNMEASURED;
    /// Data that is captured as late after its acknowledgment was missed before.
    DISORDER: i64 = 100_000, "ns", "chosen; processors and super-packets disorder a capture by some µs", UNMEASURED;
    /// As many turns of a window in a row show a shorter way than the handshake.
    ALLOWED_TURNS: u32 = 4, "turns", CHOSEN, UNMEASURED;
    /// Each of them took less than the assumed way over this.
    ALLOWED_SOONER: i64 = 2, "times", "chosen; jitter and queues that have emptied make less of a difference", UNMEASURED;

    // Timestamp clocks.

    /// A clock of timestamps is known once it was watched for as long.
    TICK_WATCHED: i64 = 100, "ms", CHOSEN, UNMEASURED;
    /// It ticks each millisecond if it is off by no more.
    TICK_OFF: Ratio = Ratio(1, 10), "of time watched", "chosen; RFC 7323 §5.4 allows 1 ms to 1 s", UNMEASURED;

    // The scale of a window whose SYN was not captured.

    /// A flight in a window of fewer segments is near an edge by chance.
    SCALE_SEGMENTS: u64 = 12, "segments", CHOSEN, UNMEASURED;
    /// As many times up to the edge are no chance.
    SCALE_TIMES: u32 = 20, "acknowledgments", CHOSEN, UNMEASURED;
    /// Data goes up to the edge as often.
    SCALE_SHARE: Ratio = Ratio(3, 4), "of acknowledgments", CHOSEN, UNMEASURED;
    /// Away from the sender, a flight in a window of fewer segments is near an edge by chance.
    SCALE_SEGMENTS_AWAY: u64 = 16, "segments", CHOSEN, UNMEASURED;
    /// Away from the sender, the flight is known to as many segments.
    SCALE_NEAR: u64 = 2, "segments", CHOSEN, UNMEASURED;
    /// Away from the sender, as many times near an edge are no chance.
    SCALE_TIMES_AWAY: u32 = 40, "acknowledgments", CHOSEN, UNMEASURED;
}
