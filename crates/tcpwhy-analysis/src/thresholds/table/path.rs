//! Thresholds for the path's rate and for pacing senders
//! (`facts/half/{train,delivery,pacing,scoreboard}.rs`).

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
#[cfg(any(test, feature = "sensitivity"))]
use super::vantage;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after vantage::END;

    // Trains of segments.

    /// Segments further apart than this part of the round trip belong to two trains.
    TRAIN_PAUSE: Ratio = Ratio(1, 16), "of least round trip", CHOSEN, UNMEASURED;
    /// Segments closer together always belong to one train.
    TRAIN_PAUSE_LEAST: i64 = 100_000, "ns", CHOSEN, UNMEASURED;
    /// Segments further apart never belong to one train.
    TRAIN_PAUSE_MOST: i64 = 4_000_000, "ns", CHOSEN, UNMEASURED;
    /// Round trip that trains are compared with before one was measured.
    TRAIN_ROUND_TRIP_ASSUMED: i64 = 16_000_000, "ns", CHOSEN, UNMEASURED;
    /// A train of fewer segments shows no rate.
    TRAIN_SEGMENTS: u64 = 10, "segments", "the initial window (RFC 6928)", UNMEASURED;
    /// A longer train counts as two.
    TRAIN_SEGMENTS_MOST: u64 = 64, "segments", CHOSEN, UNMEASURED;
    /// A train that arrived in fewer pieces shows no rate.
    TRAIN_ARRIVALS: u32 = 4, "arrivals", CHOSEN, UNMEASURED;
    /// The trains' rate for predictions: this part of their bytes came no faster.
    TRAIN_RATE: f64 = 0.75, "of trains' bytes", CHOSEN, UNMEASURED;
    /// Rate of the slow trains: this part of the bytes came no faster.
    TRAIN_RATE_SLOW: f64 = 0.25, "of trains' bytes", CHOSEN, UNMEASURED;
    /// Fewer timestamps do not show how long ACKs usually wait in queues.
    ACK_WAY_SAMPLES: u32 = 32, "timestamps", CHOSEN, UNMEASURED;
    /// Two clocks drift apart by at most the elapsed time divided by this.
    ACK_WAY_DRIFT: i64 = 5_000, "of time", "quartz and temperature: 100 ppm each", UNMEASURED;
    /// A run of segments that a slow link spaces shows no rate if it arrived in fewer pieces.
    SERVED_ARRIVALS: u32 = 4, "arrivals", "chosen: as TRAIN_ARRIVALS", UNMEASURED;
    /// A run of fewer segments shows no rate either.
    SERVED_SEGMENTS: u64 = 8, "segments", "chosen: a round trip of ACKs of two segments each (RFC 9293 §3.8.6.3) makes four", UNMEASURED;
    /// Segments are not evenly spaced if their spacing differs from the mean by more than this factor.
    SERVED_EVEN: f64 = 1.5, "of mean spacing", CHOSEN, UNMEASURED;
    /// A link spaced the segments if this part of the bytes came evenly.
    SERVED_SHARE: Ratio = Ratio(1, 2), "of bytes", "most of them", UNMEASURED;
    /// At least this many runs show the link's rate.
    SERVED_RUNS: u32 = 3, "runs", "chosen: one and two may be chance", UNMEASURED;
    /// Trains are similar if the slow ones came at this part of the trains' rate.
    TRAINS_ALIKE: f64 = 0.85, "of trains' rate", CHOSEN, UNMEASURED;

    // Distances between segments.

    /// Segments further apart than this part of the round trip do not follow each other.
    SPACING_MOST: Ratio = Ratio(7, 8), "of least round trip", "chosen: a window of one segment comes once a round trip", UNMEASURED;
    /// Less data than this part of a segment shows no distance.
    SPACING_SEGMENT: Ratio = Ratio(1, 4), "of MSS", CHOSEN, UNMEASURED;

    // Delivery.

    /// A stretch of delivery lasts at least this many round trips.
    STRETCH_OF_DELIVERY: i64 = 4, "least round trips", CHOSEN, UNMEASURED;
    /// A stretch of delivery lasts at least this long.
    STRETCH_OF_DELIVERY_LEAST: i64 = 20_000_000, "ns", "chosen; clocks and batches do not matter in it", UNMEASURED;
    /// At least this many segments arrive in a stretch of delivery: the fastest of many shorter stretches
    /// would be chance.
    STRETCH_SEGMENTS: u64 = 64, "segments", CHOSEN, UNMEASURED;
    /// With fewer segments, a stretch lasts this many round trips.
    STRETCH_ROUND_TRIPS_MOST: i64 = 32, "least round trips", CHOSEN, UNMEASURED;
    /// Fewer stretches do not show the best rate.
    STRETCHES_LEAST: u32 = 8, "stretches", CHOSEN, UNMEASURED;
    /// The rate of the best stretches: data came no faster for this part of the time.
    STRETCHES_BEST: f64 = 0.9, "of time", CHOSEN, UNMEASURED;
    /// Delivery is steady if data came at this part of the best rate on average.
    STEADY_RATE: f64 = 0.85, "of best rate", CHOSEN, UNMEASURED;

    // Pacing in slow start.

    /// A sender shows whether it paces within this many round trips with data.
    PACING_ROUNDS: u32 = 16, "round trips", CHOSEN, UNMEASURED;
    /// A pacing sender doubles its pace in this many consecutive round trips. A train fills a third of the
    /// round trip, then two thirds, then all of it.
    PACING_STEPS: u32 = 2, "round trips", CHOSEN, UNMEASURED;
    /// Sends are spread over the round trip if they never pause for more than this part of it.
    PACING_PAUSE: Ratio = Ratio(1, 2), "of round trip", CHOSEN, UNMEASURED;
    /// Sends are spread over the round trip if their second-longest pause is at most this part of it.
    PACING_SECOND_PAUSE: Ratio = Ratio(1, 8), "of round trip", CHOSEN, UNMEASURED;
    /// The pace rises by at least this factor in each step.
    PACING_GROWTH: Ratio = Ratio(3, 2), "of pace before", "slow start doubles, or grows by half with delayed ACKs (RFC 5681 §3.1, RFC 3465)", UNMEASURED;

    // The bottleneck.

    /// A loss came from a queue if round trips were longer than the least one by this part.
    QUEUED_AT_LOSS: Ratio = Ratio(1, 5), "of least round trip", CHOSEN, UNMEASURED;
    /// The round trips were also longer by at least this.
    QUEUED_AT_LOSS_LEAST: i64 = 5_000_000, "ns", "chosen; as the target of CoDel (RFC 8289 §4.4)", UNMEASURED;
}
