//! Thresholds for the place of the capture, the times at which the sender had each packet, and the window
//! scale (`facts/half/{vantage,sender_clock,early,allowed,round_trip,scale}.rs`).

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::recovery;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after recovery::END;

    // Between the ends.

    /// The delay to the far end is at least this many times the delay to the end where the capture was made.
    ELSEWHERE: i64 = 3, "times", CHOSEN, UNMEASURED;
    /// A host usually answers a SYN-ACK or a segment sooner than this.
    HOST_ANSWERS: i64 = 100_000, "ns", "chosen; the lab's hosts answer within 20 to 60 µs", UNMEASURED;
    /// An end answers within this part of the round trip where the capture was made.
    NEAR_PART: Ratio = Ratio(1, 20), "of round trip", CHOSEN, UNMEASURED;
    /// An end that answers sooner is always near.
    NEAR_LEAST: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// The handshake shows the delay to the sender to this precision.
    HANDSHAKE_JITTER: Ratio = Ratio(1, 20), "of delay", CHOSEN, UNMEASURED;
    /// The uncertainty is at most this.
    HANDSHAKE_JITTER_MOST: i64 = 1_000_000, "ns", "timestamps of Linux tick each millisecond", UNMEASURED;
    /// A capture without handshake is located after this many data segments.
    LATE_LOCATION: u64 = 40, "segments", CHOSEN, UNMEASURED;
    /// The acknowledgment of this many segments was due at once, and did not wait for the peer's program to
    /// write.
    ACKED_AT_ONCE: u64 = 2, "segments", "RFC 5681 §4.2", UNMEASURED;
    /// A receiver delays an acknowledgment for at least this long.
    DELAYED_ACK: i64 = 40_000_000, "ns", "Linux's shortest timer of delayed ACKs (`TCP_DELACK_MIN`)", UNMEASURED;

    // The path to the sender.

    /// The path to the sender contributes this part of the jitter of inferred times.
    WAY_JITTER: Ratio = Ratio(1, 2), "of jitter", CHOSEN, UNMEASURED;
    /// An answer that exceeds the most prompt one by at most this needs no explanation.
    ECHO_EXCESS: i64 = 1_000_000, "ns", "timestamps of Linux tick each millisecond", UNMEASURED;
    /// The sender waited if the path was silent for this part of the answer's delay.
    ECHO_SILENCE: Ratio = Ratio(1, 2), "of excess", CHOSEN, UNMEASURED;
    /// The sender cannot have waited if its data leaves at most this part of the answer's delay.
    ECHO_WAITED: Ratio = Ratio(1, 4), "of excess", CHOSEN, UNMEASURED;
    /// Least delays are taken over stretches of this many round trips, and the same length before.
    STRETCH_ROUND_TRIPS: i64 = 2, "least round trips", CHOSEN, UNMEASURED;
    /// Round trip of these stretches before one was measured.
    STRETCH_ASSUMED: i64 = 10_000_000, "ns", CHOSEN, UNMEASURED;
    /// Round trip of these stretches is at least this.
    STRETCH_LEAST: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// Round trip of these stretches is at most this.
    STRETCH_MOST: i64 = 500_000_000, "ns", CHOSEN, UNMEASURED;
    /// The most prompt data by timestamps is searched within this many stretches.
    LAG_STRETCHES: i64 = 8, "stretches", CHOSEN, UNMEASURED;
    /// An acknowledgment that no data echoes has reached the sender after the delay plus this part of it.
    ECHO_PATIENCE: Ratio = Ratio(1, 2), "of delay", CHOSEN, UNMEASURED;
    /// Data that is captured at most this long after its acknowledgment was delayed inside the capturing
    /// host.
    DISORDER: i64 = 100_000, "ns", "chosen; processors and super-packets disorder a capture by some µs", UNMEASURED;
    /// This many turns of a window in a row show a shorter path than the handshake.
    ALLOWED_TURNS: u32 = 4, "turns", CHOSEN, UNMEASURED;
    /// Each of them took less than the assumed delay divided by this.
    ALLOWED_SOONER: i64 = 2, "times", "chosen; jitter and queues that have emptied make less of a difference", UNMEASURED;

    // Timestamp clocks.

    /// A timestamp clock is known after it was observed for this long.
    TICK_WATCHED: i64 = 100, "ms", CHOSEN, UNMEASURED;
    /// A timestamp clock ticks every millisecond if it differs from that by at most this part.
    TICK_OFF: Ratio = Ratio(1, 10), "of time watched", "chosen; RFC 7323 §5.4 allows 1 ms to 1 s", UNMEASURED;

    // The scale of a window whose SYN was not captured.

    /// In a window of fewer segments, bytes in flight may reach the right edge by chance.
    SCALE_SEGMENTS: u64 = 12, "segments", CHOSEN, UNMEASURED;
    /// Bytes in flight that reach the right edge this often do not do so by chance.
    SCALE_TIMES: u32 = 20, "acknowledgments", CHOSEN, UNMEASURED;
    /// At least this part of the acknowledgments find data up to the right edge.
    SCALE_SHARE: Ratio = Ratio(3, 4), "of acknowledgments", CHOSEN, UNMEASURED;
    /// Away from the sender, bytes in flight may be near the right edge of a window of fewer segments by
    /// chance.
    SCALE_SEGMENTS_AWAY: u64 = 16, "segments", CHOSEN, UNMEASURED;
    /// Away from the sender, the bytes in flight are known to this precision.
    SCALE_NEAR: u64 = 2, "segments", CHOSEN, UNMEASURED;
    /// Away from the sender, bytes in flight that are near the right edge this often are not there by chance.
    SCALE_TIMES_AWAY: u32 = 40, "acknowledgments", CHOSEN, UNMEASURED;
}
