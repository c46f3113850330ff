//! Thresholds for events that are close in time and for the regularity of sends
//! (`facts/half/ledger/{closeness,rhythm,window,mod}.rs`).

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::slot;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after slot::END;

    // Slots and bursts.

    /// Length of a slot before any round trip was measured.
    SLOT_ASSUMED: i64 = 50_000_000, "ns", CHOSEN, UNMEASURED;
    /// A slot lasts one recent round trip, but at least this.
    SLOT_LEAST: i64 = 2_000_000, "ns", CHOSEN, UNMEASURED;
    /// A slot lasts one recent round trip, but at most this.
    SLOT_MOST: i64 = 1_000_000_000, "ns", CHOSEN, UNMEASURED;
    /// Flight and window are sampled once per this part of the round trip.
    WEIGHED_PART: Ratio = Ratio(1, 16), "of least round trip", CHOSEN, UNMEASURED;
    /// Sends closer together than this part of the round trip are one burst.
    BURST_PART: Ratio = Ratio(1, 16), "of least round trip", CHOSEN, UNMEASURED;
    /// Sends closer together are one burst before any round trip was measured.
    BURST_ASSUMED: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// Sends closer together are always one burst.
    BURST_LEAST: i64 = 50_000, "ns", CHOSEN, UNMEASURED;
    /// Sends further apart are never one burst.
    BURST_MOST: i64 = 2_000_000, "ns", CHOSEN, UNMEASURED;
    /// Segments no further apart than this left at once: another capture may show them as one super-packet.
    SENT_AT_ONCE: i64 = 20_000, "ns", CHOSEN, UNMEASURED;

    // A send and the ACK that released it.

    /// A send follows the ACK that released it within this part of the round trip.
    RELEASE_PART: Ratio = Ratio(1, 20), "of least round trip", CHOSEN, UNMEASURED;
    /// The same before any round trip was measured.
    RELEASE_ASSUMED: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// A send that follows an ACK sooner was released by it, unless this host is known to react faster.
    RELEASE_LEAST: i64 = 200_000, "ns", "waking a writer takes tens of µs (measured on Linux 6.18)", UNMEASURED;
    /// A send that follows an ACK later was not released by it.
    RELEASE_MOST: i64 = 2_000_000, "ns", CHOSEN, UNMEASURED;
    /// Away from the sender, a send that follows an ACK sooner was released by it.
    RELEASE_INFERRED_LEAST: i64 = 1_000_000, "ns", "timestamps of Linux tick each millisecond", UNMEASURED;
    /// An ACK released a send that follows within this many of the host's usual reaction times.
    RELEASE_REACTIONS: i64 = 8, "reactions", CHOSEN, UNMEASURED;
    /// An ACK released a send that follows sooner than this, however fast the host usually reacts.
    RELEASE_REACTION_LEAST: i64 = 250_000, "ns", CHOSEN, UNMEASURED;
    /// Each reaction time changes the smoothed one by its difference from it, divided by this.
    REACTION_SMOOTHING: i64 = 16, "samples", CHOSEN, UNMEASURED;
    /// A reaction time counts as at most this many smoothed ones.
    REACTION_TIMES: i64 = 4, "reactions", CHOSEN, UNMEASURED;
    /// A reaction time counts as at most `REACTION_TIMES` smoothed ones plus this.
    REACTION_ROOM: i64 = 1_000, "ns", CHOSEN, UNMEASURED;
    /// A program that ACKs wake follows some of them this soon, also on a loaded host.
    WAKE_PROMPT: i64 = 256_000, "ns", "half of all wakes take less, also on loaded hosts (Linux 6.18, 61 runs of six programs)", UNMEASURED;
    /// At least this many bursts follow ACKs within `WAKE_PROMPT`.
    WAKE_PROMPT_SHARE: Ratio = Ratio(1, 3), "of bursts", "as WAKE_PROMPT", UNMEASURED;
    /// This many bursts follow ACKs closely if ACKs wake the program.
    WAKE_SHARE: f64 = 0.9, "of bursts", "as RELEASED_RHYTHM", UNMEASURED;
    /// A wake may take this long on any host.
    WAKE_USUAL: i64 = 1_000_000, "ns", "nine of ten wakes of six programs on idle and loaded hosts take less (Linux 6.18, 61 runs)", UNMEASURED;
    /// A program slept if it sent nothing for this much of the round trip and then continued after an ACK.
    WAKE_REST: Ratio = Ratio(1, 2), "of least round trip", "half of it: what ACKs release comes as soon as they do", UNMEASURED;
    /// If chance alone would place this many bursts behind ACKs, those bursts show nothing about wakes.
    WAKES_UNTELLING: f64 = 0.5, "of time", "most of it", UNMEASURED;
    /// Bursts follow ACKs if the probability of that by chance is below e to the power of minus this.
    WAKES_SURE: f64 = 10.0, "nats", "once in 22,000: fewer than one of a capture's directions", UNMEASURED;
    /// Beyond the most significant lag, wakes last while bursts come this many times more often than bursts
    /// that follow no ACK.
    WAKE_STRANGERS: f64 = 2.0, "times", "most of them are wakes then", UNMEASURED;
    /// A host may need up to this part of the round trip per answer to an ACK. A capture point away from the
    /// host adds the same kind of delay.
    USUAL_LAG_PART: Ratio = Ratio(1, 4), "of least round trip", CHOSEN, UNMEASURED;
    /// A host's usual answer to an ACK takes no longer than this.
    USUAL_LAG_MOST: i64 = 10_000_000, "ns", "chosen: the longest tick of kernels' clocks (100 Hz)", UNMEASURED;
    /// Answers whose delay differs from the usual one by at most this part are as late as usual.
    USUAL_LAG_SPREAD: Ratio = Ratio(1, 4), "of usual lag", CHOSEN, UNMEASURED;
    /// A send that differs from the rhythm of earlier sends by no more than this shows nothing about its ACK.
    USUAL_LAG_MOVED: i64 = 2, "times USUAL_LAG_SPREAD", "the width of what counts as usual", UNMEASURED;
    /// The usual lag is trusted once this many more sends follow ACKs by it than by other lags.
    USUAL_LAG_VOTES: u32 = 16, "sends", CHOSEN, UNMEASURED;
    /// Agreement counts up to this many sends, so that a host may become faster.
    USUAL_LAG_VOTES_MOST: u32 = 64, "sends", CHOSEN, UNMEASURED;
    /// Each lag behind an ACK changes the smoothed one by its difference from it, divided by this.
    LAG_SMOOTHING: i64 = 8, "samples", "as a smoothed round trip (RFC 6298 §2.3)", UNMEASURED;
    /// Away from the sender, the times of ACKs are known to this part of the round trip.
    INFERRED_JITTER: Ratio = Ratio(1, 10), "of least round trip", CHOSEN, UNMEASURED;
    /// The uncertainty is at most this, also before any round trip was measured.
    INFERRED_JITTER_MOST: i64 = 1_000_000, "ns", "timestamps of Linux tick each millisecond", UNMEASURED;

    // Ticks of timestamps.

    /// If the round trip is at least this long, timestamps show when within it data was sent.
    FINE_TICKS_ROUND_TRIP: i64 = 8_000_000, "ns", "eight ticks of Linux's timestamps", UNMEASURED;
    /// If the round trip is at least this long, timestamps show the order of sends and ACKs.
    TICKS_ROUND_TRIP: i64 = 2_000_000, "ns", "two ticks of Linux's timestamps", UNMEASURED;

    // Rhythm.

    /// Two periods are the same if they differ by at most this part.
    PERIOD_OFFSET: Ratio = Ratio(1, 50), "of period", CHOSEN, UNMEASURED;
    /// Two periods that differ by no more than this are always the same.
    PERIOD_OFFSET_LEAST: i64 = 50_000, "ns", "waking a writer takes tens of µs (measured on Linux 6.18)", UNMEASURED;
    /// Sends come at a fixed period if periods by timestamps differ by one tick and have this many ticks.
    PERIODIC_TICKS: i64 = 32, "ticks", CHOSEN, UNMEASURED;
    /// Sends come at a constant pace if periods by timestamps differ by one tick and have this many ticks.
    STEADY_TICKS: i64 = 6, "ticks", CHOSEN, UNMEASURED;
    /// A time between bursts is a pause if it is more than this many times the one before.
    REST_PERIODS: i64 = 4, "times", "chosen: a pacer that begins with one segment sends the next two after twice the time", UNMEASURED;
    /// Two paces are the same if they differ by at most this part.
    EVEN_PACE: Ratio = Ratio(1, 10), "of pace", CHOSEN, UNMEASURED;

    // The receiver's window.

    /// A reader that reads data this long after its acknowledgment was not waiting for it.
    READER_WAITED: i64 = 1_000_000, "ns", "a reader that waits for data wakes within tens of µs", UNMEASURED;
    /// A sender fills windows in pieces of at most this part of the largest.
    WINDOW_PIECE: Ratio = Ratio(1, 2), "of largest window", "`tcp_bound_to_half_wnd`", UNMEASURED;
    /// A smaller window is filled in whole segments.
    WINDOW_PIECE_LEAST: u64 = 536, "bytes", "`tcp_bound_to_half_wnd`, `TCP_MSS_DEFAULT`", UNMEASURED;

    // The capture's clock against timestamps (`connection/clock.rs`).

    /// A round trip that takes this long by the capture's clock is not compared, because it may contain a
    /// pause.
    CLOCK_ROUND_TRIP: i64 = 200_000_000, "ns", "chosen: a round trip of the internet, and less than any timer", UNMEASURED;
    /// A round trip of fewer ticks is not compared.
    CLOCK_TICKS_LEAST: i64 = 10, "ticks", "chosen: two of them are rounded away", UNMEASURED;
    /// A round trip of more ticks belongs to a clock that ticks faster than milliseconds.
    CLOCK_TICKS_MOST: i64 = 10_000, "ticks", "chosen: 10 s at a tick each millisecond", UNMEASURED;
    /// Microsecond ticks explain a round trip if they agree with it within this factor.
    CLOCK_TICKS_OFF: i64 = 2, "times", CHOSEN, UNMEASURED;
    /// A round trip contradicts the capture's clock if it took this many times longer by an end's clock.
    CLOCK_TIMES: i64 = 8, "times", CHOSEN, UNMEASURED;
    /// The capture's clock is contradicted if at least this many round trips contradict it.
    CLOCK_TRIPS_LEAST: u32 = 2, "round trips", CHOSEN, UNMEASURED;
    /// More than this part of all compared round trips must contradict it as well.
    CLOCK_SHARE: Ratio = Ratio(1, 2), "of round trips", "most of them", UNMEASURED;
    /// For a round trip this long by the capture's clock, the end's clock must show that time passed at all.
    CLOCK_LEAP: i64 = 86_400_000_000_000, "ns", "chosen: a day; shorter silences are usual", UNMEASURED;
    /// An end's clock ticks more often than this within `CLOCK_LEAP`, however slow it is.
    CLOCK_TICKS_STOOD: i64 = 21_600, "ticks", "a quarter of a day at the slowest tick, a second (RFC 7323 §5.4)", UNMEASURED;
    /// No connection continues after a longer silence, unless timestamps show that the time passed.
    SILENCE_MOST: i64 = 2_592_000_000_000_000, "ns", "chosen: 30 days; hosts restart and middleboxes forget sooner", UNMEASURED;
    /// The clock went back if an earlier packet has a time that is later by more than this.
    STAMPED_BACK: i64 = 100_000_000, "ns", "chosen: queues of a capturing host reorder packets by milliseconds", UNMEASURED;
    /// This many such packets show a clock that repeatedly runs back; a clock that was set once causes one.
    STAMPED_BACK_LEAST: u32 = 3, "packets", "chosen: a clock is not set twice within a connection", UNMEASURED;
    /// Such packets must also be more than this part of the connection's packets.
    STAMPED_BACK_SHARE: Ratio = Ratio(1, 50), "of packets", "chosen: a few packets of another host's clock are not all", UNMEASURED;
}
