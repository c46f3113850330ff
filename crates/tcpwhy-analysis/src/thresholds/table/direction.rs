//! Thresholds for a whole direction: its bottleneck, and the reasons to rename its time.

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::verdict;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after verdict::END;

    // The bottleneck.

    /// Only the remaining part of the trains' bytes came faster than the fast trains.
    TRAIN_RATE_FAST: f64 = 0.95, "of trains' bytes", CHOSEN, UNMEASURED;
    /// The path's rate is that of the middle trains. The fastest can be twelve times as fast: hosts merge
    /// ACKs and packets, and buckets let bursts through.
    PATH_RATE: f64 = 0.5, "of trains' bytes", "half of them", UNMEASURED;
    /// A flight of this many times the bandwidth-delay product shows that the path's queue held all that a
    /// writer had.
    HELD_FLIGHT: f64 = 1.5, "of what the path holds", CHOSEN, UNMEASURED;
    /// A flight of this many times the bandwidth-delay product shows that a send buffer costs nothing.
    KEPT_FLIGHT: f64 = 1.2, "of what the path holds", CHOSEN, UNMEASURED;
    /// The bytes in flight have that size for this part of the time.
    HELD_TIME: f64 = 0.5, "of time", "half of it", UNMEASURED;
    /// The bytes in flight also exceed the bandwidth-delay product by this many segments, which may be sent
    /// at once.
    HELD_SENT_AT_A_TIME: u64 = 8, "segments", CHOSEN, UNMEASURED;
    /// Away from the sender, the round trip of such a path is known to this precision.
    HELD_UNSURE: i64 = 2_000_000, "ns", "a tick of Linux's timestamps at either end", UNMEASURED;
    /// Trains behind a bottleneck of one rate are at most this many times faster than that rate.
    HELD_TRAINS: f64 = 1.15, "of steady rate", CHOSEN, UNMEASURED;
    /// A queue overflowed if the bytes in flight at losses exceed those during this part of the time.
    OVERFLOWN_TIME: f64 = 0.75, "of time", CHOSEN, UNMEASURED;
    /// A path is not busy if the application had nothing to send for more of the time than this.
    RESTING: Ratio = Ratio(1, 10), "of time", CHOSEN, UNMEASURED;

    // Reasons to rename time.

    /// The peer's messages between turns of whole windows have at most this many bytes on average.
    TURN_HEARD: u64 = 90, "bytes", "chosen above two records of TLS 1.2 with a WINDOW_UPDATE each (42 bytes, RFC 9113 §6.9, RFC 5288 §3), and a window adjust of SSH (52, RFC 4254 §5.2)", UNMEASURED;
    /// At least this part of the peer's messages between turns is as long as an earlier one.
    WORDS_ALIKE: Ratio = Ratio(3, 4), "of words", CHOSEN, UNMEASURED;
    /// This part of the peer's messages comes before a turn has fully arrived, so the peer does not request
    /// turns one at a time.
    WORDS_EARLY: Ratio = Ratio(1, 8), "of words", CHOSEN, UNMEASURED;
    /// At least this many messages per turn show the same.
    WORDS_BETWEEN: Ratio = Ratio(3, 2), "of turns", CHOSEN, UNMEASURED;
    /// Turns of whole windows ended this part of the waits for the peer.
    TURNS_WAITED: Ratio = Ratio(1, 2), "of waits", "most of it", UNMEASURED;
    /// The sender continued at once after at least this part of the turns.
    TURNS_RESUMED: Ratio = Ratio(2, 3), "of turns", CHOSEN, UNMEASURED;
    /// The sender's wake-up time belongs to a turn if it is at most this part of the waits.
    TURN_WAKING: Ratio = Ratio(1, 2), "of waits", CHOSEN, UNMEASURED;
    /// Turns took at least this part of the time under a cause that is renamed.
    TURNS_TIME: Ratio = Ratio(1, 2), "of time under the cause", "most of it", UNMEASURED;
    /// The peer's messages came at most this many round trips later on average: a longer delay is the peer's
    /// own time.
    TURN_ROUND_TRIPS: i64 = 3, "least round trips", CHOSEN, UNMEASURED;
    /// ACKs are queued if half of them wait at least this long.
    ACKS_QUEUED_LEAST: i64 = 50_000_000, "ns", "as a queue that disturbs: a call notices half of 100 ms", UNMEASURED;
    /// They also wait for at least this part of the round trip.
    ACKS_QUEUED: Ratio = Ratio(1, 2), "of round trip", "most of it", UNMEASURED;
    /// A window that was full over a queue for more of its time than this only lengthened that queue.
    WINDOW_OVER_QUEUE: Ratio = Ratio(1, 2), "of time with a full window", "most of it", UNMEASURED;
    /// No sender waits longer than this for an acknowledgment.
    LONGEST_ROUND_TRIP: i64 = 1_000_000_000, "ns", "chosen; satellites take 0.6 s", UNMEASURED;
}
