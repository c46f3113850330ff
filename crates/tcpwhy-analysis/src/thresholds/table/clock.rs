//! What lies close in time, and how regular sends are (`facts/half/ledger/{closeness,rhythm,window,mod}.rs`).

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::slot;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after slot::END;

    // Slots and bursts.

    /// A slot is as long before any round trip was measured.
    SLOT_ASSUMED: i64 = 50_000_000, "ns", CHOSEN, UNMEASURED;
    /// A slot lasts a recent round trip, but no less.
    SLOT_LEAST: i64 = 2_000_000, "ns", CHOSEN, UNMEASURED;
    /// A slot lasts a recent round trip, but no more.
    SLOT_MOST: i64 = 1_000_000_000, "ns", CHOSEN, UNMEASURED;
    /// Flight and window are weighed once in this part of the round trip.
    WEIGHED_PART: Ratio = Ratio(1, 16), "of least round trip", CHOSEN, UNMEASURED;
    /// Sends closer together than this part of the round trip are one burst.
    BURST_PART: Ratio = Ratio(1, 16), "of least round trip", CHOSEN, UNMEASURED;
    /// Sends closer together are one burst before any round trip was measured.
    BURST_ASSUMED: i64 = 1_000_000, "ns", CHOSEN, UNMEASURED;
    /// Sends closer together are always one burst.
    BURST_LEAST: i64 = 50_000, "ns", CHOSEN, UNMEASURED;
    /// Sends further apart are never one burst.
    BURST_MOST: i64 = 2_000_000, "ns", CHOSEN, UNMEASURED;
    /// Segments no further apart left at once: another capture shows them as one super-packet.
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
    /// A send was released by an ACK that it follows within as many of the host's usual reactions.
    RELEASE_REACTIONS: i64 = 8, "reactions", CHOSEN, UNMEASURED;
    /// However fast the host reacts, a send that follows an ACK sooner was released by it.
    RELEASE_REACTION_LEAST: i64 = 250_000, "ns", CHOSEN, UNMEASURED;
    /// One reaction changes the smoothed one by its own difference over this.
    REACTION_SMOOTHING: i64 = 16, "samples", CHOSEN, UNMEASURED;
    /// A reaction counts as no more than so many smoothed ones.
    REACTION_TIMES: i64 = 4, "reactions", CHOSEN, UNMEASURED;
    /// A reaction counts as no more than `REACTION_TIMES` and this on top.
    REACTION_ROOM: i64 = 1_000, "ns", CHOSEN, UNMEASURED;
    /// Who is woken by ACKs follows some of them as soon, also on a loaded host.
    WAKE_PROMPT: i64 = 256_000, "ns", "half of all wakes take less, also on loaded hosts (Linux 6.18, 61 runs of six programs)", UNMEASURED;
    /// At least so many bursts follow ACKs as soon.
    WAKE_PROMPT_SHARE: Ratio = Ratio(1, 3), "of bursts", "as WAKE_PROMPT", UNMEASURED;
    /// So many bursts follow ACKs closely if programs are woken by these.
    WAKE_SHARE: f64 = 0.9, "of bursts", "as RELEASED_RHYTHM", UNMEASURED;
    /// A wake is as late now and then on any host.
    WAKE_USUAL: i64 = 1_000_000, "ns", "nine of ten wakes of six programs on idle and loaded hosts take less (Linux 6.18, 61 runs)", UNMEASURED;
    /// Who sends nothing for so much of the round trip and then goes on behind an ACK was asleep.
    WAKE_REST: Ratio = Ratio(1, 2), "of least round trip", "half of it: what ACKs release comes as soon as they do", UNMEASURED;
    /// Where chance would have as many bursts follow ACKs, nothing is learnt from those that do.
    WAKES_UNTELLING: f64 = 0.5, "of time", "most of it", UNMEASURED;
    /// Bursts follow ACKs if chance would make that of them less often than once in e to this.
    WAKES_SURE: f64 = 10.0, "nats", "once in 22,000: fewer than one of a capture's directions", UNMEASURED;
    /// Beyond the lag that shows most, a wake is as long as bursts come so many times as often as those that
    /// follow no ACK would.
    WAKE_STRANGERS: f64 = 2.0, "times", "most of them are wakes then", UNMEASURED;
    /// A host may take this part of the round trip for each answer to an ACK, or the capture be as far away
    /// from it.
    USUAL_LAG_PART: Ratio = Ratio(1, 4), "of least round trip", CHOSEN, UNMEASURED;
    /// It takes no longer than this.
    USUAL_LAG_MOST: i64 = 10_000_000, "ns", "chosen: the longest tick of kernels' clocks (100 Hz)", UNMEASURED;
    /// Answers that take as much more or less than usual are as late as usual.
    USUAL_LAG_SPREAD: Ratio = Ratio(1, 4), "of usual lag", CHOSEN, UNMEASURED;
    /// A send that comes no further out of the rhythm of those before shows nothing of its ACK.
    USUAL_LAG_MOVED: i64 = 2, "times USUAL_LAG_SPREAD", "the width of what counts as usual", UNMEASURED;
    /// As many more sends follow ACKs by the usual lag than by others.
    USUAL_LAG_VOTES: u32 = 16, "sends", CHOSEN, UNMEASURED;
    /// Agreement beyond as many is forgotten, so that a host may become faster.
    USUAL_LAG_VOTES_MOST: u32 = 64, "sends", CHOSEN, UNMEASURED;
    /// One lag behind an ACK changes the smoothed one by its own difference over this.
    LAG_SMOOTHING: i64 = 8, "samples", "as a smoothed round trip (RFC 6298 §2.3)", UNMEASURED;
    /// Away from the sender, times of ACKs are known to this part of the round trip.
    INFERRED_JITTER: Ratio = Ratio(1, 10), "of least round trip", CHOSEN, UNMEASURED;
    /// The same at worst, and before any round trip was measured.
    INFERRED_JITTER_MOST: i64 = 1_000_000, "ns", "timestamps of Linux tick each millisecond", UNMEASURED;

    // Ticks of timestamps.

    /// In so long a round trip timestamps show when within it data was sent.
    FINE_TICKS_ROUND_TRIP: i64 = 8_000_000, "ns", "eight ticks of Linux's timestamps", UNMEASURED;
    /// In so long a round trip timestamps show the order of sends and ACKs.
    TICKS_ROUND_TRIP: i64 = 2_000_000, "ns", "two ticks of Linux's timestamps", UNMEASURED;

    // Rhythm.

    /// Two periods that differ by no more of themselves are the same.
    PERIOD_OFFSET: Ratio = Ratio(1, 50), "of period", CHOSEN, UNMEASURED;
    /// Two periods that differ by no more are always the same.
    PERIOD_OFFSET_LEAST: i64 = 50_000, "ns", "waking a writer takes tens of µs (measured on Linux 6.18)", UNMEASURED;
    /// Periods by timestamps may differ by a tick if they are of as many: sends come at a fixed period.
    PERIODIC_TICKS: i64 = 32, "ticks", CHOSEN, UNMEASURED;
    /// Periods by timestamps may differ by a tick if they are of as many: sends come at a constant pace.
    STEADY_TICKS: i64 = 6, "ticks", CHOSEN, UNMEASURED;
    /// A time between bursts that is longer than so many times the one before is a rest.
    REST_PERIODS: i64 = 4, "times", "chosen: a pacer that begins with one segment sends the next two after twice the time", UNMEASURED;
    /// Two paces that differ by no more of themselves are the same.
    EVEN_PACE: Ratio = Ratio(1, 10), "of pace", CHOSEN, UNMEASURED;

    // The receiver's window.

    /// A reader that takes data as late after it was acknowledged was not waiting for it.
    READER_WAITED: i64 = 1_000_000, "ns", "a reader that waits for data wakes within tens of µs", UNMEASURED;
    /// A sender fills windows in pieces of at most this part of the largest.
    WINDOW_PIECE: Ratio = Ratio(1, 2), "of largest window", "`tcp_bound_to_half_wnd`", UNMEASURED;
    /// A smaller window is filled in whole segments.
    WINDOW_PIECE_LEAST: u64 = 536, "bytes", "`tcp_bound_to_half_wnd`, `TCP_MSS_DEFAULT`", UNMEASURED;

    // The capture's clock against timestamps (`connection/clock.rs`).

    /// A round trip that takes as long by the capture's clock is not compared: a rest may be in it.
    CLOCK_ROUND_TRIP: i64 = 200_000_000, "ns", "chosen: a round trip of the internet, and less than any timer", UNMEASURED;
    /// A round trip of fewer ticks is not compared.
    CLOCK_TICKS_LEAST: i64 = 10, "ticks", "chosen: two of them are rounded away", UNMEASURED;
    /// A round trip of more ticks is one of a clock that ticks faster.
    CLOCK_TICKS_MOST: i64 = 10_000, "ticks", "chosen: 10 s at a tick each millisecond", UNMEASURED;
    /// Ticks of a microsecond explain a round trip within this factor.
    CLOCK_TICKS_OFF: i64 = 2, "times", CHOSEN, UNMEASURED;
    /// A round trip contradicts if it took as many times longer by an end's clock than by the capture's.
    CLOCK_TIMES: i64 = 8, "times", CHOSEN, UNMEASURED;
    /// As many round trips have to contradict.
    CLOCK_TRIPS_LEAST: u32 = 2, "round trips", CHOSEN, UNMEASURED;
    /// And more than this part of all that were compared.
    CLOCK_SHARE: Ratio = Ratio(1, 2), "of round trips", "most of them", UNMEASURED;
    /// A round trip that takes as long is compared the other way round: did any time pass?
    CLOCK_LEAP: i64 = 86_400_000_000_000, "ns", "chosen: a day; shorter silences are usual", UNMEASURED;
    /// In so long an end's clock ticks more often, however slow it is.
    CLOCK_TICKS_STOOD: i64 = 21_600, "ticks", "a quarter of a day at the slowest tick, a second (RFC 7323 §5.4)", UNMEASURED;
    /// No connection goes on after a longer silence, unless timestamps show that the time passed.
    SILENCE_MOST: i64 = 2_592_000_000_000_000, "ns", "chosen: 30 days; hosts restart and middleboxes forget sooner", UNMEASURED;
    /// A packet is stamped back if one before it has a time that is later by more.
    STAMPED_BACK: i64 = 100_000_000, "ns", "chosen: queues of a capturing host reorder packets by milliseconds", UNMEASURED;
    /// As many such packets show a clock that runs back; a clock that was set once makes one.
    STAMPED_BACK_LEAST: u32 = 3, "packets", "chosen: a clock is not set twice within a connection", UNMEASURED;
    /// And more than this part of the connection's packets.
    STAMPED_BACK_SHARE: Ratio = Ratio(1, 50), "of packets", "chosen: a few packets of another host's clock are not all", UNMEASURED;
}
