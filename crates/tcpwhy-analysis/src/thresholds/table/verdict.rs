//! Which limit to act on, how much it matters and what a fix would bring (`diagnosis/{verdict,severity,prediction}.rs`). They move no
//! label, so their last column is empty.

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::policing;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after policing::END;

    // The verdict.

    /// Where more of the time is unobserved, nothing else is named.
    VERDICT_UNOBSERVED: Ratio = Ratio(1, 2), "of time", "most of it", UNMEASURED;
    /// Less of the time is not worth acting on.
    WORTH_ACTING: Ratio = Ratio(1, 20), "of time", CHOSEN, UNMEASURED;
    /// A limit with as much of the time is a main reason: slow start yields to it.
    MAIN_REASON: Ratio = Ratio(1, 3), "of time", CHOSEN, UNMEASURED;
    /// As much of the time of a family counts where nobody can act on it, or where it yields to a main reason.
    YIELDING_WEIGHT: Ratio = Ratio(1, 2), "of its time", CHOSEN, UNMEASURED;
    /// Another limit is named if the packets allow it for more of the verdict's time.
    AMBIGUOUS_SHARE: Ratio = Ratio(1, 2), "of verdict's time", "most of it", UNMEASURED;

    // Its severity.

    /// Fewer bytes are too little to be called slow, however long they took.
    TINY: u64 = 3_000, "bytes", "chosen: two segments or so", UNMEASURED;
    /// A verdict with as much of the time is critical.
    CRITICAL_SHARE: f64 = 0.33, "of time", "chosen: a third", UNMEASURED;
    /// A verdict with less time is not critical: nobody waits for less.
    CRITICAL_SECONDS: f64 = 0.1, "s", "Miller, \"Response time in man-computer conversational transactions\", 1968", UNMEASURED;
    /// Less of the time is worth a note only.
    WARNING_SHARE: f64 = 0.05, "of time", "as WORTH_ACTING", UNMEASURED;
    /// Less time is worth a note only.
    WARNING_SECONDS: f64 = 0.05, "s", "chosen: half of CRITICAL_SECONDS", UNMEASURED;
    /// A longer rest is no pause of a program that is sending: nobody watches a transfer that stands still for so long.
    PAUSE_MOST: i64 = 1_000_000_000, "ns", "Miller 1968, as CRITICAL_SECONDS: the flow of thought stays uninterrupted for a second", UNMEASURED;
    /// Whoever waits for longer turns to something else.
    WAIT_MOST: i64 = 10_000_000_000, "ns", "Miller 1968, as CRITICAL_SECONDS", UNMEASURED;
    /// More than fits the initial windows of a few requests is a transfer, not messages.
    BULK: u64 = 100_000, "bytes", "chosen: six initial windows (RFC 6928)", UNMEASURED;
    /// A client asks now and then if rests longer than `WAIT_MOST` have as much of its time to think.
    LONG_RESTS: Ratio = Ratio(1, 2), "of time to think", "half of it", UNMEASURED;
    /// A program pauses while it sends if rests shorter than `PAUSE_MOST` have as much of its idle time.
    SHORT_RESTS: Ratio = Ratio(1, 2), "of idle time", "half of it", UNMEASURED;

    // The prediction.

    /// What bounds a window when nothing else does.
    DEFAULT_SEND_BUFFER: f64 = 4_194_304.0, "bytes", "Linux's ceiling of send-buffer autotuning (`tcp_wmem[2]`)", UNMEASURED;
    /// A window without scaling is no larger.
    UNSCALED_MOST: f64 = 65_535.0, "bytes", "RFC 7323 §2.2", UNMEASURED;
    /// Segments of an initial window.
    INITIAL_SEGMENTS: f64 = 10.0, "segments", "RFC 6928 §2", UNMEASURED;
    /// A window grows by as much each round trip.
    WINDOW_GROWTH: f64 = 2.0, "times", "slow start (RFC 5681 §3.1)", UNMEASURED;
    /// The rate of a path whose capacity never showed.
    ASSUMED_CAPACITY: f64 = 125_000_000.0, "bytes/s", "chosen: 1 Gbit/s", UNMEASURED;
    /// An unseen capacity may be as many times more or less.
    ASSUMED_RANGE: f64 = 10.0, "times", CHOSEN, UNMEASURED;
    /// At best, the first window is as many times the initial one.
    BEST_START: f64 = 2.0, "times", "a round of slow start less; chosen", UNMEASURED;
    /// At best, the path gives as many times the rate that was seen.
    BEST_RATE: f64 = 1.15, "times", CHOSEN, UNMEASURED;
    /// At worst, a round trip takes as many times longer.
    WORST_ROUND_TRIP: f64 = 1.5, "times", CHOSEN, UNMEASURED;
    /// At worst, the path gives as much of the rate that was seen.
    WORST_RATE: f64 = 0.85, "times", CHOSEN, UNMEASURED;
    /// At best, all takes as much of what is computed.
    BEST_TIME: f64 = 0.9, "times", CHOSEN, UNMEASURED;
    /// At worst, what stays takes as many times longer.
    WORST_KEPT: f64 = 1.1, "times", CHOSEN, UNMEASURED;
    /// At worst, what is sent again takes as many times longer.
    WORST_TIME: f64 = 1.15, "times", CHOSEN, UNMEASURED;
    /// The same without a slow reader: how fast it could read is not known.
    WORST_TIME_READER: f64 = 3.0, "times", CHOSEN, UNMEASURED;
    /// Without a wait, what is left may take as much of its time: the slow starts after rests are gone.
    BEST_WITHOUT_WAIT: f64 = 0.75, "times", CHOSEN, UNMEASURED;
    /// Without a wait, what is left may take as many times longer: a wait hid other work.
    WORST_WITHOUT_WAIT: f64 = 1.25, "times", CHOSEN, UNMEASURED;
    /// A path that limited for more of the time shows its rate by trains.
    BUSY_SHARE: f64 = 0.2, "of time", CHOSEN, UNMEASURED;
    /// A direction is behind a buffer if buffer and window limited for more of the time.
    IN_BUFFER_SHARE: f64 = 0.5, "of time", "most of it", UNMEASURED;
    /// Trains show the path's rate if they are as many times faster than the direction's own pace.
    TRAINS_FASTER: f64 = 1.5, "of pace", CHOSEN, UNMEASURED;
    /// Behind a buffer, trains that are alike show it if they are as many times faster.
    TRAINS_LITTLE_FASTER: f64 = 1.1, "of pace", CHOSEN, UNMEASURED;
    /// A cause is one of both ends if each took as much of the time of both.
    EACH_END_PART: Ratio = Ratio(1, 10), "of time of both", "chosen: as WAITED_PART, less is hardly noticed", UNMEASURED;
    /// Waits of a cause of both ends have one length if they differ by no more from their mean.
    EACH_END_ALIKE: Ratio = Ratio(3, 4), "of the longer", "chosen: delayed ACKs of Linux take 40 to 48 ms with a tick of 4 ms (`TCP_ATO_MIN`)", UNMEASURED;
    /// Pauses of that length were such waits as well, as long as there are no more of them.
    EACH_END_MISTAKEN: Ratio = Ratio(1, 2), "of the waits", "by definition: fewer than the waits that are seen as such", UNMEASURED;
    /// A send buffer and a window differ by no more where one takes the other's place.
    BUFFERS_ALIKE: Ratio = Ratio(3, 4), "of the larger", "chosen: one of them alone would bring a third at most, as CONCERN_GAIN", UNMEASURED;
    /// Each end waits for the other to read if both have a zero window for longer.
    UNREAD_LEAST: i64 = 1_000_000_000, "ns", "Miller 1968, as PAUSE_MOST", UNMEASURED;
    /// Half of the round trips are longer than the path needs by as much: a queue.
    QUEUE_SHARE: Ratio = Ratio(1, 8), "of least round trip", CHOSEN, UNMEASURED;
    /// And by more than hosts add.
    QUEUE_LEAST: i64 = 250_000, "ns", CHOSEN, UNMEASURED;
}
