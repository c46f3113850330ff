//! Losses of a policer (`facts/half/policing/`).

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::path;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after path::END;

    // What counts.

    /// Fewer losses show no policer.
    POLICED_LOSSES: u32 = 15, "losses", "Flach et al., \"An Internet-Wide Analysis of Traffic Policing\", SIGCOMM 2016, §3.1", UNMEASURED;
    /// A slower rate is no policer's: timers set the pace, and no line is sold that is slower.
    POLICED_RATE_LEAST: f64 = 7_500.0, "bytes/s", "a segment in each of Linux's shortest retransmission timeouts (`TCP_RTO_MIN`)", UNMEASURED;
    /// A rest of the application is longer.
    REST: i64 = 200_000_000, "ns", "a retransmission timeout is longer on Linux (`TCP_RTO_MIN`)", UNMEASURED;
    /// A rest of the application takes more round trips.
    REST_ROUND_TRIPS: i64 = 2, "least round trips", CHOSEN, UNMEASURED;
    /// A full queue dropped if as many of the losses came after round trips had grown.
    QUEUE_FULL_LOSSES: Ratio = Ratio(4, 5), "of bouts of losses", CHOSEN, UNMEASURED;
    /// No policer dropped if more of the losses came after round trips had grown.
    QUEUE_GROWING_LOSSES: Ratio = Ratio(1, 5), "of bouts of losses", CHOSEN, UNMEASURED;
    /// A path whose queue was full delivers nothing faster than as many times the steady rate.
    FILLED_PATH_FASTEST: f64 = 1.5, "of steady rate", "chosen; windows and pauses hold trains back that pass faster than data arrives on average", UNMEASURED;
    /// Packets that passed are looked at no more once as many bouts of losses came.
    DECIDED_BOUTS: u32 = 8, "bouts", CHOSEN, UNMEASURED;
    /// And once more of them came after round trips had grown.
    DECIDED_QUEUED: Ratio = Ratio(1, 2), "of bouts of losses", "most of them", UNMEASURED;
    /// Rates that differ by no more are one.
    POLICED_RANGE: f64 = 1.1, "of rate", CHOSEN, UNMEASURED;

    // What passes right after a loss.

    /// What follows a loss is looked at for as many round trips.
    HORIZON_ROUND_TRIPS: i64 = 2, "least round trips", "one until the sender hears of it, one for what follows", UNMEASURED;
    /// What follows a loss is looked at for as long at least.
    HORIZON_LEAST: i64 = 10_000_000, "ns", "a packet takes 12 ms at 1 Mbit/s", UNMEASURED;
    /// Packets closer together than this part of that count as this far apart.
    HORIZON_FINE: Ratio = Ratio(1, 64), "of horizon", "chosen; clocks and offloads distort what is closer", UNMEASURED;
    /// Trains faster than as many times the rate did not pass a queue that is served at it.
    FASTER_THAN_RATE: f64 = 1.5, "of rate", "chosen; a window that losses cut and that grows again has a mean of three quarters of the rate", UNMEASURED;
    /// As many of the packets that passed were followed by such trains.
    FASTER_TRAINS: f64 = 0.05, "of packets", CHOSEN, UNMEASURED;
    /// After so much of the packets that passed, nothing came faster than the fastest.
    FASTEST_PASSES: f64 = 0.75, "of packets", CHOSEN, UNMEASURED;
    /// After so much of the losses, nothing came faster than the rate that followed them.
    FOLLOWED_LOSSES: f64 = 0.75, "of losses", "chosen; other queues drop some as well", UNMEASURED;
    /// The same if fewer losses are another queue's.
    FOLLOWED_LOSSES_MOST: f64 = 0.9, "of losses", CHOSEN, UNMEASURED;
    /// Right after a loss no more passes than as many times the rate from loss to loss.
    FOLLOWED_RATE: f64 = 2.5, "of rate", "chosen; what others leave of the bucket differs from time to time", UNMEASURED;
    /// Faster is as many times what followed the losses.
    FOLLOWED_FASTER: f64 = 2.0, "of rate after losses", CHOSEN, UNMEASURED;

    // How clearly losses differ from packets that passed.

    /// Natural logarithm of how unlikely chance makes losses that differ as much.
    EVIDENCE: f64 = 13.8, "nats", "ln 1,000,000: one of as many directions with losses by chance; chosen", UNMEASURED;
    /// The same where the losses lie on one line as well, which losses by chance seldom do.
    EVIDENCE_ON_A_LINE: f64 = 5.0, "nats", "ln 150; chosen", UNMEASURED;
    /// Each loss adds as much: many losses make differences sure that come from how losses are repaired.
    EVIDENCE_PER_LOSS: f64 = 0.15, "nats", CHOSEN, UNMEASURED;
    /// As many of the losses fit a policer.
    FITTING_LOSSES: f64 = 0.8, "of losses", CHOSEN, UNMEASURED;

    // The line that losses lie on.

    /// Losses whose distances differ from the usual one by no more are counted, not metered.
    COUNTED_OFF: f64 = 2.0, "segments", CHOSEN, UNMEASURED;
    /// Something counts packets if more of the distances do so.
    COUNTED_SHARE: Ratio = Ratio(1, 2), "of losses", "most of them", UNMEASURED;
    /// As many segments pass between two losses that show a rate.
    SPAN_SEGMENTS: u64 = 64, "segments", "chosen; a packet or two is a few per cent of them", UNMEASURED;
    /// As many round trips pass between two losses that show a rate.
    SPAN_ROUND_TRIPS: i64 = 4, "least round trips", CHOSEN, UNMEASURED;
    /// The first rate that is tried as the line's: in so much of the time no more passed. A full bucket and others lower what passes.
    LINE_RATE_HIGH: f64 = 0.75, "of time", CHOSEN, UNMEASURED;
    /// The second one.
    LINE_RATE_MIDDLE: f64 = 0.6, "of time", CHOSEN, UNMEASURED;
    /// The third one.
    LINE_RATE_LOW: f64 = 0.5, "of time", "half of it", UNMEASURED;
    /// The middle of the rates from loss to loss begins here.
    SPANS_LOW: f64 = 0.25, "of time", "a quartile", UNMEASURED;
    /// The middle of the rates from loss to loss ends here.
    SPANS_HIGH: f64 = 0.75, "of time", "a quartile", UNMEASURED;
    /// The most that passed from loss to loss: in so much of the time no more did.
    SPANS_MOST: f64 = 0.9, "of time", CHOSEN, UNMEASURED;
    /// Rates from loss to loss are steady if their middle is no wider.
    SPANS_STEADY: f64 = 1.1, "of its lower end", CHOSEN, UNMEASURED;

    // The bucket.

    /// When a loss was is known to as many segments.
    LOSS_OFF: f64 = 3.0, "segments", CHOSEN, UNMEASURED;
    /// A bucket of fewer segments cannot be told empty from full.
    DEPTH_LEAST: f64 = 12.0, "segments", CHOSEN, UNMEASURED;
    /// No more of the packets passed an empty bucket.
    BEYOND_BUCKET: f64 = 0.05, "of packets", CHOSEN, UNMEASURED;
    /// A bucket that is empty for more of the packets only shows how fast all of it went.
    EMPTY_BUCKET: f64 = 0.33, "of packets", CHOSEN, UNMEASURED;
    /// The losses lie on one line if they are off by no more of what the rate gives in a round trip.
    LINE_OFF: f64 = 0.25, "of rate times least round trip", CHOSEN, UNMEASURED;
    /// Depths of the bucket that differ by no more are one.
    DEPTH_AGREEMENT: f64 = 0.25, "of depth", CHOSEN, UNMEASURED;
    /// More of the chunks show that depth.
    DEPTH_CHUNKS: Ratio = Ratio(1, 2), "of chunks", "most of them", UNMEASURED;

    // A bucket that connections share.

    /// Fewer connections share nothing.
    SHARING_LEAST: usize = 2, "connections", "one shares with nobody", UNMEASURED;
    /// What had arrived is known to as many points.
    SHARING_POINTS: f64 = 4.0, "points", CHOSEN, UNMEASURED;
    /// Fewer rates from loss to loss may agree by chance.
    SHARING_SPANS: usize = 8, "rates", CHOSEN, UNMEASURED;
    /// The rates of all together differ by as many times less than those of connections that have nothing to do with each other.
    SHARING_NARROWER: f64 = 2.0, "times", "chosen; widths of independent rates add up as squares do", UNMEASURED;
    /// The shared rate: in so much of the time no more passed.
    SHARED_RATE: f64 = 0.5, "of time", "half of it", UNMEASURED;
}
