//! Thresholds for the first lines of a report (`answer/`). They change no label, so their last column is
//! empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::ending;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after ending::END;

    /// If one of this many connections contradicts the capture's clock, the times of the whole capture are
    /// not used. The other connections have too few packets to show the fault.
    CLOCK_DOUBTED: u64 = 4, "connections", "chosen: most connections of a capture are short", UNMEASURED;
    /// A server time of this length is worth profiling the server's program.
    WORTH_PROFILING: i64 = 1_000_000_000, "ns", "Miller, \"Response time in man-computer conversational transactions\", 1968: a train of thought breaks after a second", UNMEASURED;
    /// A cause with a fix explains requests if it took more than this part of the time in which somebody
    /// waited for them.
    WAITED_PART: f64 = 0.1, "of that time", "chosen: a tenth less is hardly noticed, as LITTLE_GAIN", UNMEASURED;
    /// A cause of both ends is named in place of a cause of one direction from this part of its time on.
    EACH_END_TOLD: f64 = 0.5, "of verdict's time", "most of it", UNMEASURED;
    /// The reason for long waits is named in place of the waits from this part of the verdict's time on.
    LENGTH_TOLD: f64 = 0.5, "of verdict's time", "most of it", UNMEASURED;
    /// A window above TCP is named if it cost at least this part of the time that the sender waited for the
    /// peer's messages.
    WINDOW_TOLD: f64 = 0.5, "of verdict's time", "most of it", UNMEASURED;
    /// A direction with fewer bytes is not a transfer.
    SHORT_TRANSFER: u64 = 1 << 20, "bytes", "chosen: from an initial window (RFC 6928), slow start needs six round trips for so much", UNMEASURED;
    /// Other causes of the verdict's family are named together with it from this part of its own time on.
    RELATED_NAMED: f64 = 0.1, "of its own time", "chosen: less changes no number that is read", UNMEASURED;
    /// Such causes are shown next to the verdict from this part of all time on.
    RELATED_TOLD: f64 = 0.02, "of time", "chosen: less changes no number that is read", UNMEASURED;
    /// The receive window is excluded as a cause if its least value is this many times the largest flight.
    EXCLUDED_ROOM: u64 = 2, "times", "chosen: as much room again", UNMEASURED;
    /// Losses are excluded as a cause up to this share of the segments.
    EXCLUDED_LOST: f64 = 0.0005, "of segments", "chosen: a bulk transfer over 20 ms hardly notices", UNMEASURED;
    /// The path is excluded as a cause if less than this part of its rate was used.
    EXCLUDED_UNUSED: f64 = 0.8, "of the path's rate", "chosen", UNMEASURED;
    /// Limits that the packets cannot distinguish are named from this part of the time on.
    DOUBT_NAMED: f64 = 0.005, "of time", "chosen: less is under one per cent", UNMEASURED;
    /// The least and the most time of a party are both named if they differ by more than this.
    RANGE_NAMED: f64 = 0.05, "of the time of all exchanges", "chosen: a twentieth", UNMEASURED;
    /// A round trip contains a queue if it exceeds the least one by the least one divided by this number.
    QUEUE_NAMED: u64 = 8, "of the least round trip", "chosen: as the gain of RFC 6298's smoothing, 1/8", UNMEASURED;
    /// An answer that is right less often than this is marked as uncertain in its sentence.
    HEDGED_BELOW: f64 = 0.5, "of answers", "by definition: less often right than wrong", UNMEASURED;
    /// A concern that cost less does not prevent the statement that nothing is wrong.
    CONCERN_LEAST: i64 = 1_000_000_000, "ns", "Miller, \"Response time in man-computer conversational transactions\", 1968: a train of thought breaks after a second", UNMEASURED;
    /// A cause does not prevent it either if its removal would speed up the connection by less than this
    /// factor.
    CONCERN_GAIN: f64 = 1.3, "times as fast", "chosen: a third faster is noticed", UNMEASURED;
    /// A concern that cost less of the capture's time is reported next to the all-clear.
    CONCERN_PART: f64 = 0.05, "of the capture's time", "chosen: in five minutes, what took less than 15 s is not why somebody captured", UNMEASURED;
    /// A direction mostly waited if it had nothing to send for more of its time than this.
    MOSTLY_WAITED: Ratio = Ratio(1, 2), "of time", "by definition: most", UNMEASURED;
}
