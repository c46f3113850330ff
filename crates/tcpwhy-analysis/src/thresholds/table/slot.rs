//! Slots of about a round trip: what hypotheses about them compare with (`infer/conditions/`).

#[cfg(any(test, feature = "sensitivity"))]
use super::gap;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after gap::END;

    // What is looked at.

    /// Slots on either side that a slot is judged with.
    REACH: usize = 3, "slots", CHOSEN, [3.47, 1.96];
    /// Slots after one that its label may depend on.
    AHEAD: usize = 20, "slots", "holds the ten round trips of FLAT_ROUND_TRIPS and FLAT_SHIFT", [0.00, 0.02];
    /// Labelled slots kept for those after them.
    BEHIND: usize = 20, "slots", "as AHEAD", [0.00, 0.02];
    /// Slots on either side without a retransmission, before a gap that left room unused counts by itself.
    CLEAN_REACH: usize = 1, "slots", CHOSEN, [0.27, 3.47];

    // Shares of a slot's time.

    /// A slot whose causes are certain for more of its time breaks what the flight was before.
    BREAK_SHARE: Ratio = Ratio(1, 2), "of time", "most of it", [0.44, 0.64];
    /// A window that was full for more of the time than the gaps left open binds in the gaps as well.
    WINDOW_FULL_SHARE: Ratio = Ratio(1, 2), "of open time", "most of it", [0.04, 0.03];
    /// Repairs left less of the time to anything else: gaps between them are too short to tell.
    REPAIR_SHARE: Ratio = Ratio(1, 2), "of time", "most of it", [0.33, 0.41];
    /// Of the time within bursts, so much counts against sends that no ACK released.
    BURST_SHARE: Ratio = Ratio(1, 2), "of burst time", CHOSEN, [0.01, 0.00];
    /// Room was left unused for less of the open time: seldom.
    UNUSED_SELDOM: Ratio = Ratio(1, 10), "of open time", CHOSEN, [0.01, 0.02];
    /// Room was left unused for as much of the open time: often.
    UNUSED_OFTEN: Ratio = Ratio(3, 10), "of open time", CHOSEN, [0.30, 0.19];
    /// The same beside losses, which leave ACKs unanswered as well.
    UNUSED_OFTEN_AFTER_LOSS: Ratio = Ratio(6, 10), "of open time", CHOSEN, [0.14, 0.46];
    /// Of the time outside of bursts, as much ends with a message of the peer that data follows at once: it waits for that.
    PEER_AWAITED: Ratio = Ratio(1, 2), "of time between bursts", CHOSEN, [0.00, 0.00];
    /// As much ends with a message of the peer that data follows at once, whether or not ACKs had made room
    /// before.
    PEER_FOLLOWED: Ratio = Ratio(2, 3), "of time between bursts", CHOSEN, UNMEASURED;
    /// As much of the way from what chance would make of it to all of the time.
    PEER_BEYOND_CHANCE: f64 = 0.5, "of what chance leaves", CHOSEN, UNMEASURED;
    /// ACKs without payload are the rule: sends that wait for any ACK would follow these.
    FEW_WORD_ACKS: Ratio = Ratio(1, 3), "of ACKs", CHOSEN, UNMEASURED;
    /// What allows more is answered with as many times its bytes.
    GRANTED_TIMES: u64 = 20, "times", "chosen below a block of 4 KiB for an answer of 100 bytes", UNMEASURED;
    /// The peer's late messages usually have no more bytes if they allow more rather than ask.
    GRANT_MOST: u32 = 70, "bytes", "chosen above two records of TLS with a WINDOW_UPDATE each (35 bytes, RFC 9113 §6.9), and a window adjust of SSH (52, RFC 4254 §5.2)", UNMEASURED;
    /// Slots before, and as many after, where few round trips tell too little: of the levels at which bursts begin, of what follows the
    /// peer's messages.
    WIDE_REACH: usize = 8, "slots", CHOSEN, [0.00, 0.00];
    /// Levels in fewer slots tell nothing.
    LEVEL_SLOTS: u32 = 4, "slots", CHOSEN, [0.00, 0.00];
    /// Levels that differ by no more of themselves are one: buffers count memory, not bytes, and are freed by whole skbs.
    LEVEL_SLACK: Ratio = Ratio(1, 4), "of flight", CHOSEN, [0.00, 0.00];
    /// In as many slots nothing is sent although less is in flight than when a burst had begun: no level wakes the writer.
    LEVEL_DENIED: Ratio = Ratio(1, 4), "of slots", CHOSEN, [0.00, 0.00];
    /// As many of the bursts end with less than a full segment: the send queue was empty then.
    LEVEL_PARTIAL: Ratio = Ratio(1, 6), "of bursts", CHOSEN, [0.00, 0.00];

    // Flight.

    /// A flight of at most this part of what the congestion window had allowed is not held by it.
    FLOOR_SHARE: Ratio = Ratio(7, 10), "of earlier flight", "no loss, no smaller window (RFC 5681 §3.1); how much smaller is chosen", [0.05, 0.07];
    /// Where as many ACKs in a slot each show what they release, a writer that waits for its buffer would show.
    RESOLVED_ACKS: u32 = 6, "ACKs", CHOSEN, [0.01, 0.00];
    /// The flight reaches as much of what it ever was since the last loss: slow start.
    OPENING_GROWTH: Ratio = Ratio(3, 2), "of earlier flight", "slow start doubles, or grows by half with delayed ACKs (RFC 5681 §3.1, RFC 3465)", [1.58, 2.01];
    /// Room was left unused for less of the open time while the flight grew.
    OPENING_UNUSED: Ratio = Ratio(1, 2), "of open time", "most of it", [5.24, 0.21];
    /// The first slots of a connection are slow start whatever they look like.
    OPENING_SLOTS: usize = 2, "slots", "nothing before to compare with", [0.37, 0.52];
    /// Slots ahead in which slow start may go on after a slow round.
    OPENING_AHEAD: usize = 2, "slots", CHOSEN, [0.73, 0.35];
    /// A flight below this part of the connection's largest is far below.
    FAR_BELOW: Ratio = Ratio(1, 3), "of largest flight", CHOSEN, [0.36, 2.19];
    /// A flight of as much of what the congestion window had allowed fills it.
    FILLED_FLIGHT: Ratio = Ratio(9, 10), "of earlier flight", CHOSEN, [0.00, 0.08];
    /// Round trips before, and as many after, through which the flight keeps its height.
    FLAT_ROUND_TRIPS: i64 = 5, "round trips", "a congestion window that binds grows by half a segment in each (RFC 5681 §3.1, RFC 9438 §4.3)", [0.02, 0.00];
    /// The stretch may lie around the slot, or so many slots before or after it.
    FLAT_SHIFT: usize = 5, "slots", "as FLAT_ROUND_TRIPS", [0.02, 0.02];
    /// It rises by no more of itself, or by a segment.
    FLAT_RISE: Ratio = Ratio(1, 100), "of flight", CHOSEN, [0.00, 0.00];
    /// It falls by no more than this part of what it falls to.
    FLAT_FALL: Ratio = Ratio(1, 3), "of flight", CHOSEN, [0.00, 0.00];
    /// Slots before and after in which growth has to be steady.
    GROWTH_REACH: usize = 8, "slots", CHOSEN, [0.00, 0.00];
    /// Growth in each slot at least.
    GROWTH_LEAST: Ratio = Ratio(1, 2), "of a segment", "Reno and CUBIC with delayed ACKs (RFC 5681 §3.1, RFC 9438 §4.3)", [0.00, 0.00];
    /// What it falls in between, of what it rises, at most.
    GROWTH_FALLS: Ratio = Ratio(1, 4), "of growth", CHOSEN, [0.00, 0.00];
    /// After so long without a loss, a window that a loss had cut has grown.
    REGROWTH_ROUND_TRIPS: i64 = 20, "round trips", "long enough for ten segments (RFC 9438 §4.3)", [0.03, 0.03];
    /// In each of them by so much at least, on average.
    REGROWTH: Ratio = Ratio(1, 8), "of a segment", "chosen below what CUBIC grew by near its last maximum, where it is slowest (RFC 9438 §4.2): 0.16 (policed paths)", UNMEASURED;
    /// Where more of the segments were retransmitted, sends that follow no ACK are no writes at their own
    /// pace.
    LOSSY: Ratio = Ratio(1, 20), "of segments", "chosen; loss-based congestion control gets a window of some five segments at this rate (RFC 3649 §2)", UNMEASURED;
    /// A pacer that has more to send probes once in so long.
    PROBE_CYCLE: i64 = 8, "round trips", "`bbr_pacing_gain`", [0.00, 0.00];
    /// The probe is looked for in so many on either side.
    PROBE_REACH: usize = 8, "slots", "as PROBE_CYCLE", [0.03, 0.03];
    /// The fastest of these against the slowest shows a probe. Slots that cut it and the round trip after it in two show 1.125 to 0.875.
    PROBED: f64 = 1.28, "of slowest", "`bbr_pacing_gain`: 5/4, then 3/4", [0.03, 0.00];
    /// The highest flight of these against the lowest shows it, too: where the path is full, the pace arrives evened out, and the quarter
    /// stands in a queue for a round trip.
    PROBED_FLIGHT: f64 = 1.2, "of lowest", "`bbr_pacing_gain`: 5/4", [0.03, 0.00];

    // Rhythm of sends.

    /// Fewer bursts have no rhythm.
    RHYTHM_BURSTS: u32 = 5, "bursts", CHOSEN, [0.00, 0.00];
    /// As many of them come at a fixed period.
    RHYTHM_SHARE: Ratio = Ratio(7, 10), "of bursts", CHOSEN, [0.01, 0.01];
    /// A pacer's period is no longer: Linux makes it about a millisecond.
    PACER_PERIOD: i64 = 2_500_000, "ns", "Linux paces about every millisecond (`sk_pacing_shift`, `tcp_tso_autosize`); the room above is chosen", [1.46, 0.00];
    /// ACKs released as many of the bursts: theirs may be the rhythm.
    RELEASED_RHYTHM: Ratio = Ratio(9, 10), "of bursts", CHOSEN, [0.00, 0.21];
    /// ACKs set the rhythm where sends follow them within less of the time between them than chance would have it.
    RELEASED_CLOSELY: Ratio = Ratio(1, 20), "of time between ACKs", "random sends would fall into half of it (`Slot::ack_covered`)", [0.00, 0.00];
    /// With as many periods in a round trip no buffer's thirds are the rhythm.
    FOREIGN_TURNS: f64 = 4.5, "periods per round trip", "a writer woken for each third of its buffer gets about three (`sk_stream_min_wspace`)", [0.01, 0.00];
    /// With fewer, periods that do not divide the round trip cannot be told.
    FOREIGN_TURNS_LEAST: f64 = 1.7, "periods per round trip", CHOSEN, [0.01, 0.00];
    /// A round trip is not a whole number of periods when it is off by more.
    FOREIGN_OFFSET: f64 = 0.2, "periods", CHOSEN, [0.00, 0.00];
    /// A period is a whole number of milliseconds when it is off by no more.
    ROUND_OFFSET: i64 = 30_000, "ns", CHOSEN, [0.00, 0.01];
    /// A period as near to the round trip is the round trip.
    ROUND_TRIP_NEAR: Ratio = Ratio(1, 25), "of round trip", CHOSEN, [0.00, 0.00];
    /// Periods of the sends by which every round trip is longer than the path needs: a queue, not a slow answer.
    BEYOND_RHYTHM: i64 = 2, "periods", "who writes once in a period answers within one; one more for its jitter", [0.00, 0.00];
    /// A path at work spaces fewer of the bursts to the tick.
    SERVED_RHYTHM: Ratio = Ratio(9, 10), "of bursts", CHOSEN, [0.00, 0.00];

    // Single segments at a constant pace.

    /// Fewer bursts are no even pace.
    EVEN_BURSTS: u32 = 6, "bursts", CHOSEN, [0.00, 0.00];
    /// As many of them come at a constant pace.
    EVEN_SHARE: Ratio = Ratio(6, 10), "of bursts", CHOSEN, [0.05, 0.09];
    /// No more of the bursts are of several sends.
    EVEN_MULTIPLE: Ratio = Ratio(1, 4), "of bursts", CHOSEN, [0.01, 0.02];
    /// No more of the sends end with a short segment.
    EVEN_PARTIAL: Ratio = Ratio(1, 4), "of bursts", CHOSEN, [0.00, 0.00];
    /// As many that end with less than a full segment show that Nagle's algorithm keeps nothing back; fewer are the end of the data.
    COALESCED_LEAST: u32 = 3, "bursts", CHOSEN, [0.00, 0.00];
    /// As many bursts end with less than a full segment where nothing waits in the send queue.
    SMALL_SEGMENTS: Ratio = Ratio(9, 10), "of bursts", CHOSEN, [0.00, 0.01];
    /// The period is no longer than this part of the round trip.
    EVEN_PERIOD: Ratio = Ratio(4, 10), "of round trip", CHOSEN, [0.00, 0.00];
    /// As many bursts come at a constant pace where a line sends one segment after the other.
    SERIALISED_SHARE: Ratio = Ratio(8, 10), "of bursts", CHOSEN, UNMEASURED;
    /// At a period longer than a pacer's, no more is sent at a time.
    EVEN_SEGMENTS: u64 = 2, "segments", "`tcp_min_tso_segs`, the least of `tcp_tso_autosize`", [0.00, 0.02];
    /// ACKs released more of the evenly spaced bursts.
    EVEN_RELEASED: Ratio = Ratio(1, 2), "of bursts", "most of them", [0.00, 0.00];

    /// A path that takes no longer joins programs of one host, or neighbours.
    LOCAL_PATH: i64 = 100_000, "ns", "chosen above 4 to 36 µs of loopback (measured on Linux 6.18), and about what a pacer's timer is late", UNMEASURED;

    // Sends and ACKs by chance.

    /// Sends follow ACKs if so many bursts lie around.
    FOLLOWED_BURSTS: u32 = 6, "bursts", "as CHANCE_BURSTS", UNMEASURED;
    /// Fewer show nothing at all.
    FOLLOWED_FEW: u32 = 2, "bursts", "once is an accident", UNMEASURED;
    /// And as many of them were released by one.
    FOLLOWED_SHARE: Ratio = Ratio(9, 10), "of bursts", "as RELEASED_RHYTHM", UNMEASURED;
    /// Less than so much of the most bytes in flight is all but nothing.
    FOLLOWED_EMPTIED: Ratio = Ratio(1, 8), "of bytes in flight", CHOSEN, UNMEASURED;
    /// Sends that follow ACKs sooner are not those of a program that these woke.
    FOLLOWED_LAG_LEAST: i64 = 8_000, "ns", "half of the wakes take 13 µs or longer on idle hosts (Linux 6.18, 13 transfers)", UNMEASURED;
    /// And their mean distance is as far below what chance would make of it.
    FOLLOWED_SIGMA: f64 = 2.0, "standard deviations", "chance is as far below once in 44 times", UNMEASURED;
    /// Fewer released bursts tell nothing of chance.
    CHANCE_BURSTS: u32 = 6, "bursts", CHOSEN, [0.00, 0.00];
    /// Where ACKs come faster than a writer wakes, every send is close behind one.
    CHANCE_SPACING: i64 = 50_000, "ns", "waking a writer takes tens of µs (measured on Linux 6.18)", [0.00, 0.00];
    /// Sends follow ACKs within as much of the time between these, as random ones would.
    CHANCE_COVERED: Ratio = Ratio(4, 10), "of time between ACKs", "random sends would fall into half of it (`Slot::ack_covered`)", [0.00, 0.01];

    /// Data arrives at no less of the path's rate while more is in flight than the path holds.
    SERVED_RATE: f64 = 0.5, "of trains' rate", "most of it", UNMEASURED;

    // ACKs without pause.

    /// Fewer ACKs tell nothing of a busy path.
    BUSY_ACKS: u32 = 20, "ACKs", CHOSEN, [0.10, 0.08];
    /// A pause of this part of the round trip is none.
    SMALL_PAUSE: Ratio = Ratio(1, 6), "of round trip", CHOSEN, [0.00, 0.00];
    /// A longer one is always a pause.
    SMALL_PAUSE_MOST: i64 = 1_600_000, "ns", CHOSEN, [0.01, 0.00];
    /// Mean times between ACKs that are no pause, beside the small one.
    PAUSE_MEANS: i64 = 4, "times", CHOSEN, [0.01, 0.00];
    /// A single pause of so much of all time does not make a path idle.
    PAUSE_SHARE: Ratio = Ratio(1, 20), "of time between ACKs", CHOSEN, [0.09, 0.00];
    /// Mean square of the times between ACKs, over the square of their mean, at most: a server at work spaces evenly.
    SPREAD: f64 = 1.7, "ratio", "chosen between 1 (equal times) and 2 (random ones)", [0.30, 0.12];
    /// ACKs never pause for longer than this part of the round trip.
    UNBROKEN_PAUSE: Ratio = Ratio(1, 4), "of round trip", CHOSEN, [0.00, 0.02];

    // A queue.

    /// A round trip longer than the path needs by more of it has a queue in it.
    QUEUE_EXCESS: Ratio = Ratio(3, 10), "of least round trip", CHOSEN, [0.26, 0.24];
    /// A round trip longer than the path needs by more has a queue in it, if `QUEUE_EXCESS` is exceeded as well.
    QUEUE_EXCESS_LEAST: i64 = 1_000_000, "ns", CHOSEN, [0.01, 0.00];
    /// Where ACKs never pause for more of the round trip, a shorter excess shows a queue.
    SMOOTH_PAUSE: Ratio = Ratio(1, 8), "of round trip", CHOSEN, [0.00, 0.00];
    /// That shorter excess.
    SMOOTH_EXCESS: Ratio = Ratio(1, 10), "of least round trip", CHOSEN, [0.00, 0.00];
    /// That shorter excess is more than this as well.
    SMOOTH_EXCESS_LEAST: i64 = 5_000_000, "ns", "chosen; as the target of CoDel (RFC 8289 §4.4)", [0.00, 0.00];
    /// ACKs that come together hide no pause longer than this.
    DEEP_PAUSE: Ratio = Ratio(1, 1), "of round trip", "in each round trip something arrived", [0.21, 0.44];
    /// Slots with data that answers ACKs, to tell whether it ever came promptly.
    ANSWERED_SLOTS: u32 = 3, "slots", CHOSEN, [0.00, 0.00];
    /// Data that always comes later than it could, by as much of the round trip, finds a queue that never empties.
    NEVER_EMPTY: Ratio = Ratio(1, 20), "of least round trip", "the target of CoDel: 5 ms of 100 ms (RFC 8289 §4.4)", [0.00, 0.00];
    /// The same is at least this long.
    NEVER_EMPTY_LEAST: i64 = 1_000_000, "ns", "a tick of fine timestamps", [0.00, 0.00];

    // The path's rate.

    /// Bursts as many times further apart than the pauses within a train are no train.
    SATURATED_PAUSES: i64 = 5, "times", CHOSEN, [0.01, 0.00];
    /// Delivery at as much of the trains' rate is all that the path can.
    SATURATED_RATE: f64 = 0.95, "of trains' rate", CHOSEN, [0.00, 0.00];
    /// Delivery below this part of the trains' rate leaves the path idle.
    IDLE_RATE: f64 = 0.5, "of trains' rate", CHOSEN, [0.00, 0.00];
    /// A pacing sender's delivery below this part of its best, after losses, is slowed by them.
    SLOWED_RATE: f64 = 0.8, "of best delivery", "chosen; BBR keeps above 0.75 but for a round trip (ProbeBW)", [0.00, 0.00];

    // A writer away from the sender.

    /// As many of the bursts come at a fixed period.
    WAITING_RHYTHM: Ratio = Ratio(7, 10), "of bursts", "as RHYTHM_SHARE", [0.00, 0.00];
    /// The path rests before each answer for as much of the round trip.
    WAITING: Ratio = Ratio(1, 50), "of least round trip", CHOSEN, [0.00, 0.00];
    /// The path rests before each answer for as long at least.
    WAITING_LEAST: i64 = 500_000, "ns", "chosen; a blocked writer wakes within tens of µs, paced ones came 1 to 3 ms late (lab)", [0.00, 0.00];
    /// As many of the bursts come at a fixed period where data never came promptly.
    PROMPT_RHYTHM: Ratio = Ratio(1, 2), "of bursts", CHOSEN, [0.00, 0.00];
    /// Data that was never prompt took longer than the handshake's answer by as much of the round trip.
    NEVER_PROMPT: Ratio = Ratio(1, 50), "of least round trip", "as WAITING", [0.00, 0.00];
    /// Data that was never prompt took longer by the time of as many segments, on top.
    NEVER_PROMPT_SEGMENTS: i64 = 2, "segments", "its own way through the path, twice", [0.00, 0.00];
    /// Where single segments do not show how long one takes through the path, data that was never prompt took longer by as much.
    NEVER_PROMPT_ALONE: Ratio = Ratio(1, 2), "of least round trip", CHOSEN, [0.00, 0.00];
    /// Data that was never prompt took longer by this, on top.
    NEVER_PROMPT_LEAST: i64 = 500_000, "ns", "as WAITING_LEAST", [0.00, 0.00];
    /// Later than this, data that comes less than once in a round trip finds nothing in flight.
    NEVER_PROMPT_MOST: i64 = 2_000_000, "ns", "what counts as released by an ACK (`Closeness`)", [0.00, 0.00];

    // A writer at the sender.

    /// Fewer answers to ACKs tell nothing of a clock.
    LATE_ANSWERS: u32 = 4, "bursts", CHOSEN, [0.00, 0.00];
    /// Who always answers an ACK later does not wait for it.
    LATE_LEAST: i64 = 200_000, "ns", "a blocked writer wakes within tens of µs, paced ones came 1 to 3 ms late (lab)", [0.00, 0.00];
    /// Bursts as far apart come once in a round trip.
    ONCE_IN_ROUND_TRIP: Ratio = Ratio(2, 3), "of least round trip", "a writer woken for each third of its buffer comes more often (`sk_stream_min_wspace`)", [0.00, 0.00];

    // Forms of a full window.

    /// A window below a segment is nearly closed, if it was ever of as many.
    OPEN_SEGMENTS: Ratio = Ratio(4, 1), "segments", CHOSEN, [0.00, 0.00];
    /// The right edge moves by less of what is acknowledged: the reader falls behind.
    EDGE_SHARE: Ratio = Ratio(8, 10), "of acknowledged bytes", CHOSEN, [0.00, 0.07];
    /// While the window was full, acknowledged data waited for as much of the time to be read.
    READER_AWAITED: Ratio = Ratio(1, 4), "of time with a full window", CHOSEN, [0.00, 0.00];
    /// Where ACKs wait for the reader they pause for as much of the round trip.
    READER_PAUSE: Ratio = Ratio(1, 2), "of round trip", CHOSEN, [0.00, 0.01];
    /// The promptest of them is later than the path explains by as much of its round trip.
    READER_LATE: Ratio = Ratio(1, 4), "of least round trip", CHOSEN, [0.00, 0.01];
    /// And by this at least.
    READER_LATE_LEAST: i64 = 2_000_000, "ns", "a reader that waits for data wakes within tens of µs", [0.00, 0.00];
    /// A window smaller than this part of its largest has shrunk.
    SHRUNK: Ratio = Ratio(1, 2), "of largest window", CHOSEN, [0.00, 0.00];
    /// Without scaling, a larger window than this is held by its 16 bits.
    UNSCALED_LEAST: u64 = 32_768, "bytes", "half of what 16 bits hold (RFC 7323 §2)", [0.00, 0.00];
    /// A window grows when it becomes larger by more of itself.
    RAMP_GROWTH: Ratio = Ratio(1, 4), "of window", CHOSEN, [0.02, 0.00];
    /// A window that still grows is as near to its largest.
    RAMP_NEAR: Ratio = Ratio(8, 10), "of largest window", CHOSEN, [0.02, 0.05];
    /// Autotuning made such windows: applications rarely ask for so much.
    AUTOTUNED_LEAST: u64 = 1_500_000, "bytes", "`tcp_rmem[2]` is 4 MiB or more since Linux 2.6", [0.00, 0.00];
    /// Windows that autotuning made grew to as much of the first one.
    AUTOTUNED_GROWTH: Ratio = Ratio(4, 1), "of first window", CHOSEN, [0.00, 0.00];
}
