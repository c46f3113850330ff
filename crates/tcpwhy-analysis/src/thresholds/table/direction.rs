//! What a whole direction shows: its bottleneck, and what renames its time.

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::verdict;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after verdict::END;

    // The bottleneck.

    /// Only so few of the trains' bytes came faster than their fastest.
    TRAIN_RATE_FAST: f64 = 0.95, "of trains' bytes", CHOSEN, UNMEASURED;
    /// The path's rate is that of trains in the middle. The fastest can be twelve times as fast: hosts merge
    /// ACKs and packets, and buckets let bursts through.
    PATH_RATE: f64 = 0.5, "of trains' bytes", "half of them", UNMEASURED;
    /// A flight of as many times what the path holds shows that its queue held all that a writer had.
    HELD_FLIGHT: f64 = 1.5, "of what the path holds", CHOSEN, UNMEASURED;
    /// A flight of as many times what the path holds shows that a buffer costs nothing.
    KEPT_FLIGHT: f64 = 1.2, "of what the path holds", CHOSEN, UNMEASURED;
    /// The flight is as large for so much of the time.
    HELD_TIME: f64 = 0.5, "of time", "half of it", UNMEASURED;
    /// As many segments more than the path holds are sent at a time.
    HELD_SENT_AT_A_TIME: u64 = 8, "segments", CHOSEN, UNMEASURED;
    /// Away from the sender, the round trip of such a path is known to so much.
    HELD_UNSURE: i64 = 2_000_000, "ns", "a tick of Linux's timestamps at either end", UNMEASURED;
    /// Trains behind a bottleneck of one rate are no faster.
    HELD_TRAINS: f64 = 1.15, "of steady rate", CHOSEN, UNMEASURED;
    /// A queue overflows while more is in flight than in so much of the time.
    OVERFLOWN_TIME: f64 = 0.75, "of time", CHOSEN, UNMEASURED;
    /// A path is not at work where the application had nothing to send for more of the time.
    RESTING: Ratio = Ratio(1, 10), "of time", CHOSEN, UNMEASURED;

    // What renames time.

    /// The peer's words between turns of whole windows have no more bytes on average.
    TURN_HEARD: u64 = 90, "bytes", "chosen above two records of TLS 1.2 with a WINDOW_UPDATE each (42 bytes, RFC 9113 §6.9, RFC 5288 §3), and a window adjust of SSH (52, RFC 4254 §5.2)", UNMEASURED;
    /// So many of the peer's words between them are as long as one before.
    WORDS_ALIKE: Ratio = Ratio(3, 4), "of words", CHOSEN, UNMEASURED;
    /// So many of the peer's words come before all of a turn has arrived: it does not ask for one at a time.
    WORDS_EARLY: Ratio = Ratio(1, 8), "of words", CHOSEN, UNMEASURED;
    /// So many more of them than turns do the same.
    WORDS_BETWEEN: Ratio = Ratio(3, 2), "of turns", CHOSEN, UNMEASURED;
    /// Turns of whole windows ended as much of the waiting for the peer.
    TURNS_WAITED: Ratio = Ratio(1, 2), "of waits", "most of it", UNMEASURED;
    /// The sender went on at once after so many of them.
    TURNS_RESUMED: Ratio = Ratio(2, 3), "of turns", CHOSEN, UNMEASURED;
    /// What it took to go on is part of a turn if it is no more of the waiting.
    TURN_WAKING: Ratio = Ratio(1, 2), "of waits", CHOSEN, UNMEASURED;
    /// They took as much of the time under a cause that is renamed.
    TURNS_TIME: Ratio = Ratio(1, 2), "of time under the cause", "most of it", UNMEASURED;
    /// The peer's words came after so many round trips at most, on average: later ones are its own time.
    TURN_ROUND_TRIPS: i64 = 3, "least round trips", CHOSEN, UNMEASURED;
    /// ACKs queue if half of them wait for so long.
    ACKS_QUEUED_LEAST: i64 = 50_000_000, "ns", "as a queue that disturbs: a call notices half of 100 ms", UNMEASURED;
    /// And for as much of the round trip.
    ACKS_QUEUED: Ratio = Ratio(1, 2), "of round trip", "most of it", UNMEASURED;
    /// A window that was full over a queue for more of its time only lengthened that.
    WINDOW_OVER_QUEUE: Ratio = Ratio(1, 2), "of time with a full window", "most of it", UNMEASURED;
    /// Nobody waits longer for an acknowledgment.
    LONGEST_ROUND_TRIP: i64 = 1_000_000_000, "ns", "chosen; satellites take 0.6 s", UNMEASURED;
}
