//! Thresholds for slots of about a round trip, which hypotheses use (`infer/conditions/`).

#[cfg(any(test, feature = "sensitivity"))]
use super::gap;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after gap::END;

    // Slots that are compared.

    /// A slot is judged together with this many slots on either side.
    REACH: usize = 3, "slots", CHOSEN, [3.47, 1.96];
    /// The label of a slot may depend on at most this many slots after it.
    AHEAD: usize = 20, "slots", "holds the ten round trips of FLAT_ROUND_TRIPS and FLAT_SHIFT", [0.00, 0.02];
    /// This many labelled slots are kept, because the labels of later slots may depend on them.
    BEHIND: usize = 20, "slots", "as AHEAD", [0.00, 0.02];
    /// A gap that left room unused counts by itself if no slot within this distance has a retransmission.
    CLEAN_REACH: usize = 1, "slots", CHOSEN, [0.27, 3.47];

    // Shares of a slot's time.

    /// A slot whose causes are certain for more of its time than this ends the comparison with the bytes in
    /// flight before it.
    BREAK_SHARE: Ratio = Ratio(1, 2), "of time", "most of it", [0.44, 0.64];
    /// A receive window that was full for more of the open time than this was the limit in the gaps as well.
    WINDOW_FULL_SHARE: Ratio = Ratio(1, 2), "of open time", "most of it", [0.04, 0.03];
    /// If repairs left less of the time than this to anything else, the gaps between them are too short to
    /// judge.
    REPAIR_SHARE: Ratio = Ratio(1, 2), "of time", "most of it", [0.33, 0.41];
    /// This part of the time within bursts counts against sends that no ACK released.
    BURST_SHARE: Ratio = Ratio(1, 2), "of burst time", CHOSEN, [0.01, 0.00];
    /// Room was seldom left unused if that took less of the open time than this.
    UNUSED_SELDOM: Ratio = Ratio(1, 10), "of open time", CHOSEN, [0.01, 0.02];
    /// Room was often left unused if that took this much of the open time.
    UNUSED_OFTEN: Ratio = Ratio(3, 10), "of open time", CHOSEN, [0.30, 0.19];
    /// Close to losses the limit is higher, because losses also leave ACKs without an answer.
    UNUSED_OFTEN_AFTER_LOSS: Ratio = Ratio(6, 10), "of open time", CHOSEN, [0.14, 0.46];
    /// The sender waits for the peer's messages if data follows them at once. The time until such messages is
    /// at least this part of the time outside bursts.
    PEER_AWAITED: Ratio = Ratio(1, 2), "of time between bursts", CHOSEN, [0.00, 0.00];
    /// The sender waits for the peer's messages if data follows them at once for this much of the time. ACKs
    /// may have made room before.
    PEER_FOLLOWED: Ratio = Ratio(2, 3), "of time between bursts", CHOSEN, UNMEASURED;
    /// The share must exceed the one expected by chance by this part of the distance between chance and all
    /// of the time.
    PEER_BEYOND_CHANCE: f64 = 0.5, "of what chance leaves", CHOSEN, UNMEASURED;
    /// At most this part of the ACKs has payload. Sends that wait for any ACK would mostly follow the others.
    FEW_WORD_ACKS: Ratio = Ratio(1, 3), "of ACKs", CHOSEN, UNMEASURED;
    /// A message that only allows more data is followed by this many times its own bytes.
    GRANTED_TIMES: u64 = 20, "times", "chosen below a block of 4 KiB for an answer of 100 bytes", UNMEASURED;
    /// The peer's late messages usually have no more bytes than this if they allow more data rather than ask
    /// for it.
    GRANT_MOST: u32 = 70, "bytes", "chosen above two records of TLS with a WINDOW_UPDATE each (35 bytes, RFC 9113 §6.9), and a window adjust of SSH (52, RFC 4254 §5.2)", UNMEASURED;
    /// Some conditions need this many slots before and after, because few round trips show too little.
    /// Examples are the level at which bursts begin, and the data that follows the peer's messages.
    WIDE_REACH: usize = 8, "slots", CHOSEN, [0.00, 0.00];
    /// Levels in fewer slots than this show nothing.
    LEVEL_SLOTS: u32 = 4, "slots", CHOSEN, [0.00, 0.00];
    /// Two levels of flight that differ by no more than this are one: socket buffers count memory instead of
    /// bytes, and free whole skbs.
    LEVEL_SLACK: Ratio = Ratio(1, 4), "of flight", CHOSEN, [0.00, 0.00];
    /// No level wakes the writer if nothing was sent in this many slots although less was in flight than when
    /// a burst had begun.
    LEVEL_DENIED: Ratio = Ratio(1, 4), "of slots", CHOSEN, [0.00, 0.00];
    /// The send queue was empty at the end of bursts if this many of them end with less than a full segment.
    LEVEL_PARTIAL: Ratio = Ratio(1, 6), "of bursts", CHOSEN, [0.00, 0.00];

    // Flight.

    /// A flight of at most this part of an earlier permitted flight is not limited by the congestion window.
    FLOOR_SHARE: Ratio = Ratio(7, 10), "of earlier flight", "no loss, no smaller window (RFC 5681 §3.1); how much smaller is chosen", [0.05, 0.07];
    /// A writer that waits for its buffer would be visible in a slot with this many ACKs, because each shows
    /// the sends it releases.
    RESOLVED_ACKS: u32 = 6, "ACKs", CHOSEN, [0.01, 0.00];
    /// Slow start is assumed if the bytes in flight reach this many times their highest value since the last
    /// loss.
    OPENING_GROWTH: Ratio = Ratio(3, 2), "of earlier flight", "slow start doubles, or grows by half with delayed ACKs (RFC 5681 §3.1, RFC 3465)", [1.58, 2.01];
    /// Growing bytes in flight show slow start only if room was left unused for less of the open time than
    /// this.
    OPENING_UNUSED: Ratio = Ratio(1, 2), "of open time", "most of it", [5.24, 0.21];
    /// The first slots of a connection count as slow start whatever they contain.
    OPENING_SLOTS: usize = 2, "slots", "nothing before to compare with", [0.37, 0.52];
    /// Slow start may continue this many slots after a slow round trip.
    OPENING_AHEAD: usize = 2, "slots", CHOSEN, [0.73, 0.35];
    /// A flight below this part of the connection's largest flight is far below it.
    FAR_BELOW: Ratio = Ratio(1, 3), "of largest flight", CHOSEN, [0.36, 2.19];
    /// A flight of at least this part of an earlier permitted flight fills the congestion window.
    FILLED_FLIGHT: Ratio = Ratio(9, 10), "of earlier flight", CHOSEN, [0.00, 0.08];
    /// Bytes in flight are flat if they stay level for this many round trips before the slot and for the same
    /// time after it.
    FLAT_ROUND_TRIPS: i64 = 5, "round trips", "a congestion window that binds grows by half a segment in each (RFC 5681 §3.1, RFC 9438 §4.3)", [0.02, 0.00];
    /// The flat stretch may also begin up to this many slots before or after the usual place.
    FLAT_SHIFT: usize = 5, "slots", "as FLAT_ROUND_TRIPS", [0.02, 0.02];
    /// A flat flight rises by no more than this part of itself, or by one segment.
    FLAT_RISE: Ratio = Ratio(1, 100), "of flight", CHOSEN, [0.00, 0.00];
    /// A flat flight falls by no more than this part of the lower value.
    FLAT_FALL: Ratio = Ratio(1, 3), "of flight", CHOSEN, [0.00, 0.00];
    /// Growth must be steady over this many slots before and after.
    GROWTH_REACH: usize = 8, "slots", CHOSEN, [0.00, 0.00];
    /// Steady growth adds at least this much per slot on average.
    GROWTH_LEAST: Ratio = Ratio(1, 2), "of a segment", "Reno and CUBIC with delayed ACKs (RFC 5681 §3.1, RFC 9438 §4.3)", [0.00, 0.00];
    /// Falls during steady growth sum up to at most this part of the rises.
    GROWTH_FALLS: Ratio = Ratio(1, 4), "of growth", CHOSEN, [0.00, 0.00];
    /// A congestion window that a loss had reduced has grown after this many round trips without a loss.
    REGROWTH_ROUND_TRIPS: i64 = 20, "round trips", "long enough for ten segments (RFC 9438 §4.3)", [0.03, 0.03];
    /// It has grown by at least this much per round trip on average.
    REGROWTH: Ratio = Ratio(1, 8), "of a segment", "chosen below what CUBIC grew by near its last maximum, where it is slowest (RFC 9438 §4.2): 0.16 (policed paths)", UNMEASURED;
    /// If more of the segments than this were retransmitted, sends that follow no ACK do not show the
    /// application's own pace.
    LOSSY: Ratio = Ratio(1, 20), "of segments", "chosen; loss-based congestion control gets a window of some five segments at this rate (RFC 3649 §2)", UNMEASURED;
    /// A pacing sender (BBR) that has more to send probes for bandwidth once per this many round trips.
    PROBE_CYCLE: i64 = 8, "round trips", "`bbr_pacing_gain`", [0.00, 0.00];
    /// The probe is searched in this many slots on either side.
    PROBE_REACH: usize = 8, "slots", "as PROBE_CYCLE", [0.03, 0.03];
    /// A pace this many times the slowest one shows a probe. Slots that cut the probe and the round trip
    /// after it in two show 1.125 to 0.875.
    PROBED: f64 = 1.28, "of slowest", "`bbr_pacing_gain`: 5/4, then 3/4", [0.03, 0.00];
    /// A flight this many times the lowest one also shows a probe. On a full path the pace arrives smoothed,
    /// and the extra quarter waits in a queue for one round trip.
    PROBED_FLIGHT: f64 = 1.2, "of lowest", "`bbr_pacing_gain`: 5/4", [0.03, 0.00];

    // Rhythm of sends.

    /// Fewer bursts than this do not show a rhythm.
    RHYTHM_BURSTS: u32 = 5, "bursts", CHOSEN, [0.00, 0.00];
    /// Bursts have a fixed period if this many of them come at it.
    RHYTHM_SHARE: Ratio = Ratio(7, 10), "of bursts", CHOSEN, [0.01, 0.01];
    /// A longer period does not come from a pacer: Linux paces about once per millisecond.
    PACER_PERIOD: i64 = 2_500_000, "ns", "Linux paces about every millisecond (`sk_pacing_shift`, `tcp_tso_autosize`); the room above is chosen", [1.46, 0.00];
    /// If ACKs released this many of the bursts, the rhythm may be that of the ACKs.
    RELEASED_RHYTHM: Ratio = Ratio(9, 10), "of bursts", CHOSEN, [0.00, 0.21];
    /// ACKs set the rhythm if sends follow them within less of the time between two ACKs than expected by
    /// chance.
    RELEASED_CLOSELY: Ratio = Ratio(1, 20), "of time between ACKs", "random sends would fall into half of it (`Slot::ack_covered`)", [0.00, 0.00];
    /// With this many periods per round trip, the rhythm does not come from a writer that wakes for each
    /// third of its buffer.
    FOREIGN_TURNS: f64 = 4.5, "periods per round trip", "a writer woken for each third of its buffer gets about three (`sk_stream_min_wspace`)", [0.01, 0.00];
    /// With fewer periods per round trip, it is unclear whether they divide it evenly.
    FOREIGN_TURNS_LEAST: f64 = 1.7, "periods per round trip", CHOSEN, [0.01, 0.00];
    /// A round trip is not a whole number of periods if the remainder exceeds this.
    FOREIGN_OFFSET: f64 = 0.2, "periods", CHOSEN, [0.00, 0.00];
    /// A period is a whole number of milliseconds if it is off by no more than this.
    ROUND_OFFSET: i64 = 30_000, "ns", CHOSEN, [0.00, 0.01];
    /// A period that differs from the round trip by no more than this is the round trip.
    ROUND_TRIP_NEAR: Ratio = Ratio(1, 25), "of round trip", CHOSEN, [0.00, 0.00];
    /// Round trips that always exceed the path's minimum by more than this many periods show a queue rather
    /// than a slow answer.
    BEYOND_RHYTHM: i64 = 2, "periods", "who writes once in a period answers within one; one more for its jitter", [0.00, 0.00];
    /// A busy path does not space bursts this exactly: fewer of them come at a fixed period.
    SERVED_RHYTHM: Ratio = Ratio(9, 10), "of bursts", CHOSEN, [0.00, 0.00];

    // Single segments at a constant pace.

    /// Fewer bursts than this do not show an even pace.
    EVEN_BURSTS: u32 = 6, "bursts", CHOSEN, [0.00, 0.00];
    /// The pace is even if this many of the bursts come at a constant pace.
    EVEN_SHARE: Ratio = Ratio(6, 10), "of bursts", CHOSEN, [0.05, 0.09];
    /// The pace is even only if no more than this many bursts consist of several sends.
    EVEN_MULTIPLE: Ratio = Ratio(1, 4), "of bursts", CHOSEN, [0.01, 0.02];
    /// The pace is even only if no more than this many sends end with a short segment.
    EVEN_PARTIAL: Ratio = Ratio(1, 4), "of bursts", CHOSEN, [0.00, 0.00];
    /// This many bursts that end with a short segment show that Nagle's algorithm holds nothing back. Fewer
    /// may only be the end of the data.
    COALESCED_LEAST: u32 = 3, "bursts", CHOSEN, [0.00, 0.00];
    /// Nothing waits in the send queue if this many bursts end with less than a full segment.
    SMALL_SEGMENTS: Ratio = Ratio(9, 10), "of bursts", CHOSEN, [0.00, 0.01];
    /// The period of an even pace is at most this part of the round trip.
    EVEN_PERIOD: Ratio = Ratio(4, 10), "of round trip", CHOSEN, [0.00, 0.00];
    /// A sending line transmits one segment after the other if this many bursts come at a constant pace.
    SERIALISED_SHARE: Ratio = Ratio(8, 10), "of bursts", CHOSEN, UNMEASURED;
    /// If the period is longer than a pacer's, a burst of an even pace has at most this many segments.
    EVEN_SEGMENTS: u64 = 2, "segments", "`tcp_min_tso_segs`, the least of `tcp_tso_autosize`", [0.00, 0.02];
    /// ACKs set an even pace if they released more of the bursts than this.
    EVEN_RELEASED: Ratio = Ratio(1, 2), "of bursts", "most of them", [0.00, 0.00];

    /// A round trip no longer than this is one within a host, or between neighbours.
    LOCAL_PATH: i64 = 100_000, "ns", "chosen above 4 to 36 µs of loopback (measured on Linux 6.18), and about what a pacer's timer is late", UNMEASURED;

    // Sends and ACKs by chance.

    /// This many bursts nearby are needed to say whether sends follow ACKs.
    FOLLOWED_BURSTS: u32 = 6, "bursts", "as CHANCE_BURSTS", UNMEASURED;
    /// Fewer bursts than this show nothing at all.
    FOLLOWED_FEW: u32 = 2, "bursts", "once is an accident", UNMEASURED;
    /// Sends follow ACKs only if ACKs released this many of the bursts.
    FOLLOWED_SHARE: Ratio = Ratio(9, 10), "of bursts", "as RELEASED_RHYTHM", UNMEASURED;
    /// Almost nothing is in flight at or below this part of the maximum.
    FOLLOWED_EMPTIED: Ratio = Ratio(1, 8), "of bytes in flight", CHOSEN, UNMEASURED;
    /// Sends that follow ACKs sooner than this do not come from a program that the ACKs woke.
    FOLLOWED_LAG_LEAST: i64 = 8_000, "ns", "half of the wakes take 13 µs or longer on idle hosts (Linux 6.18, 13 transfers)", UNMEASURED;
    /// The mean distance of sends behind ACKs is this far below the one expected by chance.
    FOLLOWED_SIGMA: f64 = 2.0, "standard deviations", "chance is as far below once in 44 times", UNMEASURED;
    /// Fewer released bursts than this cannot be compared with chance.
    CHANCE_BURSTS: u32 = 6, "bursts", CHOSEN, [0.00, 0.00];
    /// If ACKs come faster than a writer wakes, every send is close behind one.
    CHANCE_SPACING: i64 = 50_000, "ns", "waking a writer takes tens of µs (measured on Linux 6.18)", [0.00, 0.00];
    /// Sends follow ACKs by chance if they come within this much of the time between ACKs, as random sends
    /// would.
    CHANCE_COVERED: Ratio = Ratio(4, 10), "of time between ACKs", "random sends would fall into half of it (`Slot::ack_covered`)", [0.00, 0.01];

    /// If more is in flight than the path holds, data arrives at no less than this part of the path's rate.
    SERVED_RATE: f64 = 0.5, "of trains' rate", "most of it", UNMEASURED;

    // ACKs without pause.

    /// Fewer ACKs than this do not show whether the path is busy.
    BUSY_ACKS: u32 = 20, "ACKs", CHOSEN, [0.10, 0.08];
    /// A time between ACKs of at most this part of the round trip is not a pause.
    SMALL_PAUSE: Ratio = Ratio(1, 6), "of round trip", CHOSEN, [0.00, 0.00];
    /// A time between ACKs above this may be a pause, even on a long round trip.
    SMALL_PAUSE_MOST: i64 = 1_600_000, "ns", CHOSEN, [0.01, 0.00];
    /// A pause exceeds this many mean times between ACKs, in addition to the small pause.
    PAUSE_MEANS: i64 = 4, "times", CHOSEN, [0.01, 0.00];
    /// A single pause may take this part of all time: it does not make a path idle.
    PAUSE_SHARE: Ratio = Ratio(1, 20), "of time between ACKs", CHOSEN, [0.09, 0.00];
    /// A busy link spaces ACKs evenly: the mean square of the times between them over the squared mean is at
    /// most this.
    SPREAD: f64 = 1.7, "ratio", "chosen between 1 (equal times) and 2 (random ones)", [0.30, 0.12];
    /// ACKs are unbroken if they never pause for longer than this part of the round trip.
    UNBROKEN_PAUSE: Ratio = Ratio(1, 4), "of round trip", CHOSEN, [0.00, 0.02];

    // A queue.

    /// A round trip that exceeds the path's minimum by more than this part has a queue in it.
    QUEUE_EXCESS: Ratio = Ratio(3, 10), "of least round trip", CHOSEN, [0.26, 0.24];
    /// The excess must also be longer than this.
    QUEUE_EXCESS_LEAST: i64 = 1_000_000, "ns", CHOSEN, [0.01, 0.00];
    /// If ACKs never pause for longer than this part of the round trip, a shorter excess shows a queue.
    SMOOTH_PAUSE: Ratio = Ratio(1, 8), "of round trip", CHOSEN, [0.00, 0.00];
    /// The shorter excess that shows a queue behind smooth ACKs.
    SMOOTH_EXCESS: Ratio = Ratio(1, 10), "of least round trip", CHOSEN, [0.00, 0.00];
    /// The shorter excess must also be longer than this.
    SMOOTH_EXCESS_LEAST: i64 = 5_000_000, "ns", "chosen; as the target of CoDel (RFC 8289 §4.4)", [0.00, 0.00];
    /// A deep queue never empties, so the longest pause between ACKs is at most this part of the round trip.
    DEEP_PAUSE: Ratio = Ratio(1, 1), "of round trip", "in each round trip something arrived", [0.21, 0.44];
    /// This many slots need data that answers ACKs, to judge whether it was ever prompt.
    ANSWERED_SLOTS: u32 = 3, "slots", CHOSEN, [0.00, 0.00];
    /// A queue never empties if data always comes later than possible by this part of the round trip.
    NEVER_EMPTY: Ratio = Ratio(1, 20), "of least round trip", "the target of CoDel: 5 ms of 100 ms (RFC 8289 §4.4)", [0.00, 0.00];
    /// The delay of such data is also at least this long.
    NEVER_EMPTY_LEAST: i64 = 1_000_000, "ns", "a tick of fine timestamps", [0.00, 0.00];

    // The path's rate.

    /// Bursts are separate from trains if the distance between them is this many times the longest pause
    /// within a train.
    SATURATED_PAUSES: i64 = 5, "times", CHOSEN, [0.01, 0.00];
    /// Delivery at this part of the trains' rate saturates the path.
    SATURATED_RATE: f64 = 0.95, "of trains' rate", CHOSEN, [0.00, 0.00];
    /// Delivery below this part of the trains' rate leaves the path partly idle.
    IDLE_RATE: f64 = 0.5, "of trains' rate", CHOSEN, [0.00, 0.00];
    /// After losses, a pacing sender is slowed by them if its delivery is below this part of its best.
    SLOWED_RATE: f64 = 0.8, "of best delivery", "chosen; BBR keeps above 0.75 but for a round trip (ProbeBW)", [0.00, 0.00];

    // A writer away from the sender.

    /// A writer waits if this many of the bursts come at a fixed period.
    WAITING_RHYTHM: Ratio = Ratio(7, 10), "of bursts", "as RHYTHM_SHARE", [0.00, 0.00];
    /// The path is idle before each answer for at least this part of the round trip.
    WAITING: Ratio = Ratio(1, 50), "of least round trip", CHOSEN, [0.00, 0.00];
    /// The path is also idle before each answer for at least this long.
    WAITING_LEAST: i64 = 500_000, "ns", "chosen; a blocked writer wakes within tens of µs, paced ones came 1 to 3 ms late (lab)", [0.00, 0.00];
    /// Data that never came promptly needs this many bursts at a fixed period.
    PROMPT_RHYTHM: Ratio = Ratio(1, 2), "of bursts", CHOSEN, [0.00, 0.00];
    /// Data was never prompt if it always came later than the handshake's answer by this part of the round
    /// trip.
    NEVER_PROMPT: Ratio = Ratio(1, 50), "of least round trip", "as WAITING", [0.00, 0.00];
    /// The time to transmit this many segments is added to that delay.
    NEVER_PROMPT_SEGMENTS: i64 = 2, "segments", "its own way through the path, twice", [0.00, 0.00];
    /// The delay that is required if single segments do not show how long one takes through the path.
    NEVER_PROMPT_ALONE: Ratio = Ratio(1, 2), "of least round trip", CHOSEN, [0.00, 0.00];
    /// This is added to that delay as well.
    NEVER_PROMPT_LEAST: i64 = 500_000, "ns", "as WAITING_LEAST", [0.00, 0.00];
    /// Data that comes less than once per round trip, later than this after its ACK, finds nothing in flight.
    NEVER_PROMPT_MOST: i64 = 2_000_000, "ns", "what counts as released by an ACK (`Closeness`)", [0.00, 0.00];

    // A writer at the sender.

    /// Fewer answers to ACKs than this do not show a timer.
    LATE_ANSWERS: u32 = 4, "bursts", CHOSEN, [0.00, 0.00];
    /// A sender that always answers ACKs later than this does not wait for them.
    LATE_LEAST: i64 = 200_000, "ns", "a blocked writer wakes within tens of µs, paced ones came 1 to 3 ms late (lab)", [0.00, 0.00];
    /// Bursts this far apart come once per round trip.
    ONCE_IN_ROUND_TRIP: Ratio = Ratio(2, 3), "of least round trip", "a writer woken for each third of its buffer comes more often (`sk_stream_min_wspace`)", [0.00, 0.00];

    // Forms of a full window.

    /// A window below one segment is nearly closed if it was ever this large.
    OPEN_SEGMENTS: Ratio = Ratio(4, 1), "segments", CHOSEN, [0.00, 0.00];
    /// The reader falls behind if the window's right edge moves by less than this part of the acknowledged
    /// bytes.
    EDGE_SHARE: Ratio = Ratio(8, 10), "of acknowledged bytes", CHOSEN, [0.00, 0.07];
    /// A slow reader limits if acknowledged data waited this much of the full-window time to be read.
    READER_AWAITED: Ratio = Ratio(1, 4), "of time with a full window", CHOSEN, [0.00, 0.00];
    /// ACKs wait for the reader if they pause for this part of the round trip.
    READER_PAUSE: Ratio = Ratio(1, 2), "of round trip", CHOSEN, [0.00, 0.01];
    /// The most prompt of these ACKs is later than the path explains by this part of its round trip.
    READER_LATE: Ratio = Ratio(1, 4), "of least round trip", CHOSEN, [0.00, 0.01];
    /// It is also later by at least this.
    READER_LATE_LEAST: i64 = 2_000_000, "ns", "a reader that waits for data wakes within tens of µs", [0.00, 0.00];
    /// A window smaller than this part of its largest has shrunk.
    SHRUNK: Ratio = Ratio(1, 2), "of largest window", CHOSEN, [0.00, 0.00];
    /// Without window scaling, a window above this is limited by its 16 bits.
    UNSCALED_LEAST: u64 = 32_768, "bytes", "half of what 16 bits hold (RFC 7323 §2)", [0.00, 0.00];
    /// A window grows if it becomes larger by more than this part of itself.
    RAMP_GROWTH: Ratio = Ratio(1, 4), "of window", CHOSEN, [0.02, 0.00];
    /// A window that still grows has at least this part of its largest size.
    RAMP_NEAR: Ratio = Ratio(8, 10), "of largest window", CHOSEN, [0.02, 0.05];
    /// Autotuning made a window of this size: applications rarely request such a large one.
    AUTOTUNED_LEAST: u64 = 1_500_000, "bytes", "`tcp_rmem[2]` is 4 MiB or more since Linux 2.6", [0.00, 0.00];
    /// An autotuned window grew to this many times its first size.
    AUTOTUNED_GROWTH: Ratio = Ratio(4, 1), "of first window", CHOSEN, [0.00, 0.00];
}
