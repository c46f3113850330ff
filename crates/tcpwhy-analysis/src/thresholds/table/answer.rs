//! What the first lines say (`answer/`). They move no label, so their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::ending;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after ending::END;

    /// Where one of so many connections contradicts the capture's clock, no time of the capture means
    /// anything. The others have too few packets to show it.
    CLOCK_DOUBTED: u64 = 4, "connections", "chosen: most connections of a capture are short", UNMEASURED;
    /// A server's time that is worth a look at its program.
    WORTH_PROFILING: i64 = 1_000_000_000, "ns", "Miller, \"Response time in man-computer conversational transactions\", 1968: a train of thought breaks after a second", UNMEASURED;
    /// A cause with a fix explains requests if it took more of the time in which somebody waited for them.
    WAITED_PART: f64 = 0.1, "of that time", "chosen: a tenth less is hardly noticed, as LITTLE_GAIN", UNMEASURED;
    /// A cause of both ends is named in place of that of one direction from this part of its time on.
    EACH_END_TOLD: f64 = 0.5, "of verdict's time", "most of it", UNMEASURED;
    /// What makes waits long is named in place of them from this part of the verdict's time on.
    LENGTH_TOLD: f64 = 0.5, "of verdict's time", "most of it", UNMEASURED;
    /// A window above TCP is named where it cost as much as the wait for words that the verdict names.
    WINDOW_TOLD: f64 = 0.5, "of verdict's time", "most of it", UNMEASURED;
    /// A direction with fewer bytes is no transfer.
    SHORT_TRANSFER: u64 = 1 << 20, "bytes", "chosen: from an initial window (RFC 6928), slow start needs six round trips for so much", UNMEASURED;
    /// Other causes of the verdict's family are named with it from this part of its own time on.
    RELATED_NAMED: f64 = 0.1, "of its own time", "chosen: less changes no number that is read", UNMEASURED;
    /// They are shown beside the verdict from this part of all time on.
    RELATED_TOLD: f64 = 0.02, "of time", "chosen: less changes no number that is read", UNMEASURED;
    /// The receive window is excluded where its least is as many times what was in flight at most.
    EXCLUDED_ROOM: u64 = 2, "times", "chosen: as much room again", UNMEASURED;
    /// Losses are excluded up to this share of the segments.
    EXCLUDED_LOST: f64 = 0.0005, "of segments", "chosen: a bulk transfer over 20 ms hardly notices", UNMEASURED;
    /// The path is excluded where less of it was used.
    EXCLUDED_UNUSED: f64 = 0.8, "of the path's rate", "chosen", UNMEASURED;
    /// Limits that the packets do not distinguish are named from this part of the time on.
    DOUBT_NAMED: f64 = 0.005, "of time", "chosen: less is under one per cent", UNMEASURED;
    /// The least and the most time of a party are both named where they differ by more.
    RANGE_NAMED: f64 = 0.05, "of the time of all exchanges", "chosen: a twentieth", UNMEASURED;
    /// A round trip is longer by a queue where it exceeds the least one by one part of so many.
    QUEUE_NAMED: u64 = 8, "of the least round trip", "chosen: as the gain of RFC 6298's smoothing, 1/8", UNMEASURED;
    /// An answer that is right less often says so in its sentence.
    HEDGED_BELOW: f64 = 0.5, "of answers", "by definition: less often right than wrong", UNMEASURED;
    /// Something that cost less is no reason to withhold that nothing is wrong.
    CONCERN_LEAST: i64 = 1_000_000_000, "ns", "Miller, \"Response time in man-computer conversational transactions\", 1968: a train of thought breaks after a second", UNMEASURED;
    /// Nor is a cause without which it would be less than so many times as fast.
    CONCERN_GAIN: f64 = 1.3, "times as fast", "chosen: a third faster is noticed", UNMEASURED;
    /// A concern that cost less of the capture's time is reported beside the all-clear.
    CONCERN_PART: f64 = 0.05, "of the capture's time", "chosen: in five minutes, what took less than 15 s is not why somebody captured", UNMEASURED;
    /// A direction mostly waited if it had nothing to send for more of its time.
    MOSTLY_WAITED: Ratio = Ratio(1, 2), "of time", "by definition: most", UNMEASURED;
}
