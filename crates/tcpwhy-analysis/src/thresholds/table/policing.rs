//! Thresholds for losses of a policer (`facts/half/policing/`).

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::path;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after path::END;

    // Losses that count.

    /// Fewer losses show no policer.
    POLICED_LOSSES: u32 = 15, "losses", "Flach et al., \"An Internet-Wide Analysis of Traffic Policing\", SIGCOMM 2016, §3.1", UNMEASURED;
    /// A slower rate does not come from a policer: timers set the pace there, and no provider sells so slow a
    /// line.
    POLICED_RATE_LEAST: f64 = 7_500.0, "bytes/s", "a segment in each of Linux's shortest retransmission timeouts (`TCP_RTO_MIN`)", UNMEASURED;
    /// A pause of the application is longer than this.
    REST: i64 = 200_000_000, "ns", "a retransmission timeout is longer on Linux (`TCP_RTO_MIN`)", UNMEASURED;
    /// A pause of the application also lasts more round trips than this.
    REST_ROUND_TRIPS: i64 = 2, "least round trips", CHOSEN, UNMEASURED;
    /// A full queue dropped the packets if this part of the loss events came after round trips had grown.
    QUEUE_FULL_LOSSES: Ratio = Ratio(4, 5), "of bouts of losses", CHOSEN, UNMEASURED;
    /// A policer did not drop the packets if more than this part of the loss events came after round trips
    /// had grown.
    QUEUE_GROWING_LOSSES: Ratio = Ratio(1, 5), "of bouts of losses", CHOSEN, UNMEASURED;
    /// A path whose queue was full delivers nothing faster than this many times the steady rate.
    FILLED_PATH_FASTEST: f64 = 1.5, "of steady rate", "chosen; windows and pauses hold trains back that pass faster than data arrives on average", UNMEASURED;
    /// Delivered packets are no longer watched after this many loss events, if `DECIDED_QUEUED` holds as
    /// well.
    DECIDED_BOUTS: u32 = 8, "bouts", CHOSEN, UNMEASURED;
    /// More than this part of the loss events came after round trips had grown.
    DECIDED_QUEUED: Ratio = Ratio(1, 2), "of bouts of losses", "most of them", UNMEASURED;
    /// Two rates are the same if they differ by at most this factor.
    POLICED_RANGE: f64 = 1.1, "of rate", CHOSEN, UNMEASURED;

    // Packets that pass right after a loss.

    /// Packets after a loss are examined for this many round trips.
    HORIZON_ROUND_TRIPS: i64 = 2, "least round trips", "one until the sender hears of it, one for what follows", UNMEASURED;
    /// Packets after a loss are examined for at least this long.
    HORIZON_LEAST: i64 = 10_000_000, "ns", "a packet takes 12 ms at 1 Mbit/s", UNMEASURED;
    /// Packets that are closer together than this part of the horizon count as this far apart.
    HORIZON_FINE: Ratio = Ratio(1, 64), "of horizon", "chosen; clocks and offloads distort what is closer", UNMEASURED;
    /// Trains faster than this many times the rate did not pass a queue that is served at that rate.
    FASTER_THAN_RATE: f64 = 1.5, "of rate", "chosen; a window that losses cut and that grows again has a mean of three quarters of the rate", UNMEASURED;
    /// Such trains followed at least this part of the delivered packets.
    FASTER_TRAINS: f64 = 0.05, "of packets", CHOSEN, UNMEASURED;
    /// Fastest rate on a filled path: this part of the delivered packets was followed by no faster train.
    FASTEST_PASSES: f64 = 0.75, "of packets", CHOSEN, UNMEASURED;
    /// The rate after losses is the one that this part of the losses did not exceed.
    FOLLOWED_LOSSES: f64 = 0.75, "of losses", "chosen; other queues drop some as well", UNMEASURED;
    /// The same if fewer of the losses come from another queue.
    FOLLOWED_LOSSES_MOST: f64 = 0.9, "of losses", CHOSEN, UNMEASURED;
    /// Right after a loss, the rate is at most this many times the rate between losses.
    FOLLOWED_RATE: f64 = 2.5, "of rate", "chosen; what others leave of the bucket differs from time to time", UNMEASURED;
    /// A rate is faster if it is at least this many times the rate after losses.
    FOLLOWED_FASTER: f64 = 2.0, "of rate after losses", CHOSEN, UNMEASURED;

    // Difference between losses and delivered packets.

    /// Natural logarithm of the improbability that chance causes a difference of this size between losses and
    /// delivered packets.
    EVIDENCE: f64 = 13.8, "nats", "ln 1,000,000: one of as many directions with losses by chance; chosen", UNMEASURED;
    /// The same limit if the losses also fit one line, which random losses seldom do.
    EVIDENCE_ON_A_LINE: f64 = 5.0, "nats", "ln 150; chosen", UNMEASURED;
    /// Each loss must add this much. Otherwise many losses would give certainty to differences that come from
    /// loss repair.
    EVIDENCE_PER_LOSS: f64 = 0.15, "nats", CHOSEN, UNMEASURED;
    /// At least this part of the losses fits a policer.
    FITTING_LOSSES: f64 = 0.8, "of losses", CHOSEN, UNMEASURED;

    // The line that losses fit (bytes over time).

    /// Losses whose distances differ from the usual one by at most this are counted rather than metered.
    COUNTED_OFF: f64 = 2.0, "segments", CHOSEN, UNMEASURED;
    /// A device that counts packets drops them if more than this part of the distances is equal.
    COUNTED_SHARE: Ratio = Ratio(1, 2), "of losses", "most of them", UNMEASURED;
    /// At least this many segments pass between two losses that show a rate.
    SPAN_SEGMENTS: u64 = 64, "segments", "chosen; a packet or two is a few per cent of them", UNMEASURED;
    /// At least this many round trips pass between two losses that show a rate.
    SPAN_ROUND_TRIPS: i64 = 4, "least round trips", CHOSEN, UNMEASURED;
    /// First rate that is tried for the line: the rate was no higher for this part of the time. A full bucket
    /// and other traffic lower it.
    LINE_RATE_HIGH: f64 = 0.75, "of time", CHOSEN, UNMEASURED;
    /// Second rate that is tried for the line.
    LINE_RATE_MIDDLE: f64 = 0.6, "of time", CHOSEN, UNMEASURED;
    /// Third rate that is tried for the line.
    LINE_RATE_LOW: f64 = 0.5, "of time", "half of it", UNMEASURED;
    /// The middle of the rates between losses begins at this quantile.
    SPANS_LOW: f64 = 0.25, "of time", "a quartile", UNMEASURED;
    /// The middle of the rates between losses ends at this quantile.
    SPANS_HIGH: f64 = 0.75, "of time", "a quartile", UNMEASURED;
    /// The highest rate between losses: the rate was no higher for this part of the time.
    SPANS_MOST: f64 = 0.9, "of time", CHOSEN, UNMEASURED;
    /// Rates between losses are steady if the upper end of their middle is at most this many times the lower
    /// end.
    SPANS_STEADY: f64 = 1.1, "of its lower end", CHOSEN, UNMEASURED;

    // The bucket.

    /// The place of a loss among the delivered segments is known to this many segments.
    LOSS_OFF: f64 = 3.0, "segments", CHOSEN, UNMEASURED;
    /// A bucket of fewer segments looks the same when it is empty and when it is full.
    DEPTH_LEAST: f64 = 12.0, "segments", CHOSEN, UNMEASURED;
    /// At most this part of the packets passed although the bucket was empty.
    BEYOND_BUCKET: f64 = 0.05, "of packets", CHOSEN, UNMEASURED;
    /// A bucket that is empty for more of the packets than this only shows the rate of the whole transfer.
    EMPTY_BUCKET: f64 = 0.33, "of packets", CHOSEN, UNMEASURED;
    /// Losses fit one line if they are off by at most this part of the data of a round trip at that rate.
    LINE_OFF: f64 = 0.25, "of rate times least round trip", CHOSEN, UNMEASURED;
    /// Two depths of the bucket are the same if they differ by at most this part.
    DEPTH_AGREEMENT: f64 = 0.25, "of depth", CHOSEN, UNMEASURED;
    /// The depth is reported if more than this part of the chunks shows it.
    DEPTH_CHUNKS: Ratio = Ratio(1, 2), "of chunks", "most of them", UNMEASURED;

    // A bucket that connections share.

    /// Fewer connections cannot share a bucket.
    SHARING_LEAST: usize = 2, "connections", "one shares with nobody", UNMEASURED;
    /// Two losses show a shared rate if the bytes between them are this many times the resolution of the
    /// recorded arrivals.
    SHARING_POINTS: f64 = 4.0, "points", CHOSEN, UNMEASURED;
    /// Fewer rates between losses may agree by chance.
    SHARING_SPANS: usize = 8, "rates", CHOSEN, UNMEASURED;
    /// The rates of all connections together vary this many times less than those of independent connections.
    SHARING_NARROWER: f64 = 2.0, "times", "chosen; widths of independent rates add up as squares do", UNMEASURED;
    /// The shared rate: the rate was no higher for this part of the time.
    SHARED_RATE: f64 = 0.5, "of time", "half of it", UNMEASURED;
}
