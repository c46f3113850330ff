//! Thresholds for the limit to act on, its severity and the gain of a fix
//! (`diagnosis/{verdict,severity,prediction}.rs`). They change no label, so their last column is empty.

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::policing;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after policing::END;

    // The verdict.

    /// If more of the time is unobserved, the verdict names nothing else.
    VERDICT_UNOBSERVED: Ratio = Ratio(1, 2), "of time", "most of it", UNMEASURED;
    /// A limit with less of the time is not worth acting on.
    WORTH_ACTING: Ratio = Ratio(1, 20), "of time", CHOSEN, UNMEASURED;
    /// A limit with this much of the time is a main reason, and slow start yields to it.
    MAIN_REASON: Ratio = Ratio(1, 3), "of time", CHOSEN, UNMEASURED;
    /// This part of a family's time counts if nobody can act on it, or if it yields to a main reason.
    YIELDING_WEIGHT: Ratio = Ratio(1, 2), "of its time", CHOSEN, UNMEASURED;
    /// Another limit is named too if the packets also allow it for more than this part of the verdict's time.
    AMBIGUOUS_SHARE: Ratio = Ratio(1, 2), "of verdict's time", "most of it", UNMEASURED;

    // Its severity.

    /// Fewer bytes are too few to be called slow, however long they took.
    TINY: u64 = 3_000, "bytes", "chosen: two segments or so", UNMEASURED;
    /// A verdict is critical from this part of the time on.
    CRITICAL_SHARE: f64 = 0.33, "of time", "chosen: a third", UNMEASURED;
    /// A verdict with less time is not critical: people do not notice a shorter wait.
    CRITICAL_SECONDS: f64 = 0.1, "s", "Miller, \"Response time in man-computer conversational transactions\", 1968", UNMEASURED;
    /// A verdict with less of the time is only worth a note.
    WARNING_SHARE: f64 = 0.05, "of time", "as WORTH_ACTING", UNMEASURED;
    /// A verdict with less time is only worth a note.
    WARNING_SECONDS: f64 = 0.05, "s", "chosen: half of CRITICAL_SECONDS", UNMEASURED;
    /// A longer pause is not a pause within a transfer, because a user would not watch a transfer that stops
    /// for so long.
    PAUSE_MOST: i64 = 1_000_000_000, "ns", "Miller 1968, as CRITICAL_SECONDS: the flow of thought stays uninterrupted for a second", UNMEASURED;
    /// A user who waits longer turns to another task.
    WAIT_MOST: i64 = 10_000_000_000, "ns", "Miller 1968, as CRITICAL_SECONDS", UNMEASURED;
    /// More bytes than the initial windows of a few requests are a transfer rather than messages.
    BULK: u64 = 100_000, "bytes", "chosen: six initial windows (RFC 6928)", UNMEASURED;
    /// A client asks only occasionally if this much of its thinking time is in pauses longer than
    /// `WAIT_MOST`.
    LONG_RESTS: Ratio = Ratio(1, 2), "of time to think", "half of it", UNMEASURED;
    /// A program pauses while it sends if this much of its idle time is in pauses shorter than `PAUSE_MOST`.
    SHORT_RESTS: Ratio = Ratio(1, 2), "of idle time", "half of it", UNMEASURED;

    // The prediction.

    /// The send buffer that bounds a window if nothing else does.
    DEFAULT_SEND_BUFFER: f64 = 4_194_304.0, "bytes", "Linux's ceiling of send-buffer autotuning (`tcp_wmem[2]`)", UNMEASURED;
    /// A window without scaling is at most this large.
    UNSCALED_MOST: f64 = 65_535.0, "bytes", "RFC 7323 §2.2", UNMEASURED;
    /// Segments of an initial window.
    INITIAL_SEGMENTS: f64 = 10.0, "segments", "RFC 6928 §2", UNMEASURED;
    /// A window grows by this factor in each round trip.
    WINDOW_GROWTH: f64 = 2.0, "times", "slow start (RFC 5681 §3.1)", UNMEASURED;
    /// The assumed rate of a path whose capacity is not visible.
    ASSUMED_CAPACITY: f64 = 125_000_000.0, "bytes/s", "chosen: 1 Gbit/s", UNMEASURED;
    /// An unseen capacity may be this many times more or less than assumed.
    ASSUMED_RANGE: f64 = 10.0, "times", CHOSEN, UNMEASURED;
    /// At best, the first window is this many times the initial one.
    BEST_START: f64 = 2.0, "times", "a round of slow start less; chosen", UNMEASURED;
    /// At best, the path's rate is this many times the observed one.
    BEST_RATE: f64 = 1.15, "times", CHOSEN, UNMEASURED;
    /// At worst, a round trip takes this many times longer.
    WORST_ROUND_TRIP: f64 = 1.5, "times", CHOSEN, UNMEASURED;
    /// At worst, the path's rate is this part of the observed one.
    WORST_RATE: f64 = 0.85, "times", CHOSEN, UNMEASURED;
    /// At best, the total takes this part of the computed time.
    BEST_TIME: f64 = 0.9, "times", CHOSEN, UNMEASURED;
    /// At worst, the remaining causes take this many times longer.
    WORST_KEPT: f64 = 1.1, "times", CHOSEN, UNMEASURED;
    /// At worst, the transfer of the data that the cause had delayed takes this many times longer than
    /// computed.
    WORST_TIME: f64 = 1.15, "times", CHOSEN, UNMEASURED;
    /// Without a slow reader, it may take this many times longer, because the speed of a faster reader is
    /// unknown.
    WORST_TIME_READER: f64 = 3.0, "times", CHOSEN, UNMEASURED;
    /// Without a wait, the remaining time may shrink to this part, because slow starts after pauses
    /// disappear.
    BEST_WITHOUT_WAIT: f64 = 0.75, "times", CHOSEN, UNMEASURED;
    /// Without a wait, the remaining time may grow by this factor, because the wait hid other work.
    WORST_WITHOUT_WAIT: f64 = 1.25, "times", CHOSEN, UNMEASURED;
    /// Trains show the rate of a path that limited for more of the time than this.
    BUSY_SHARE: f64 = 0.2, "of time", CHOSEN, UNMEASURED;
    /// A direction is limited by a buffer if buffer and window limited it for more of the time than this.
    IN_BUFFER_SHARE: f64 = 0.5, "of time", "most of it", UNMEASURED;
    /// Trains show the path's rate if they are this many times faster than the direction's own pace.
    TRAINS_FASTER: f64 = 1.5, "of pace", CHOSEN, UNMEASURED;
    /// Behind a buffer, similar trains show the path's rate if they are this many times faster.
    TRAINS_LITTLE_FASTER: f64 = 1.1, "of pace", CHOSEN, UNMEASURED;
    /// A cause belongs to both ends if each end took at least this part of the time of both.
    EACH_END_PART: Ratio = Ratio(1, 10), "of time of both", "chosen: as WAITED_PART, less is hardly noticed", UNMEASURED;
    /// Waits of a cause of both ends have one length if the shorter of wait and mean is this part of the
    /// longer.
    EACH_END_ALIKE: Ratio = Ratio(3, 4), "of the longer", "chosen: delayed ACKs of Linux take 40 to 48 ms with a tick of 4 ms (`TCP_ATO_MIN`)", UNMEASURED;
    /// Pauses of that length were also such waits, if they are at most this part of the waits' number.
    EACH_END_MISTAKEN: Ratio = Ratio(1, 2), "of the waits", "by definition: fewer than the waits that are seen as such", UNMEASURED;
    /// A send buffer and a window can replace each other as the limit if the smaller is at least this part of
    /// the larger.
    BUFFERS_ALIKE: Ratio = Ratio(3, 4), "of the larger", "chosen: one of them alone would bring a third at most, as CONCERN_GAIN", UNMEASURED;
    /// Each end waits for the other to read if both advertise a zero window for longer than this.
    UNREAD_LEAST: i64 = 1_000_000_000, "ns", "Miller 1968, as PAUSE_MOST", UNMEASURED;
    /// A queue exists if half of the round trips exceed the path's minimum by this part.
    QUEUE_SHARE: Ratio = Ratio(1, 8), "of least round trip", CHOSEN, UNMEASURED;
    /// They must also exceed it by more than hosts add.
    QUEUE_LEAST: i64 = 250_000, "ns", CHOSEN, UNMEASURED;
}
