//! The path's rate, and whether the sender paces (`facts/half/{train,delivery,pacing,scoreboard}.rs`).

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
    /// The round trip of trains before one was measured.
    TRAIN_ROUND_TRIP_ASSUMED: i64 = 16_000_000, "ns", CHOSEN, UNMEASURED;
    /// A train of fewer segments shows no rate.
    TRAIN_SEGMENTS: u64 = 10, "segments", "the initial window (RFC 6928)", UNMEASURED;
    /// A longer train counts as two.
    TRAIN_SEGMENTS_MOST: u64 = 64, "segments", CHOSEN, UNMEASURED;
    /// A train that came in fewer pieces shows no rate.
    TRAIN_ARRIVALS: u32 = 4, "arrivals", CHOSEN, UNMEASURED;
    /// The trains' rate for predictions: so much of their bytes came no faster.
    TRAIN_RATE: f64 = 0.75, "of trains' bytes", CHOSEN, UNMEASURED;
    /// So much of their bytes came no faster than the slow ones.
    TRAIN_RATE_SLOW: f64 = 0.25, "of trains' bytes", CHOSEN, UNMEASURED;
    /// Fewer timestamps do not show how long ACKs usually queue.
    ACK_WAY_SAMPLES: u32 = 32, "timestamps", CHOSEN, UNMEASURED;
    /// Clocks drift apart by one part of as many.
    ACK_WAY_DRIFT: i64 = 5_000, "of time", "quartz and temperature: 100 ppm each", UNMEASURED;
    /// Segments that a slow link spaces: a run in fewer pieces shows no rate.
    SERVED_ARRIVALS: u32 = 4, "arrivals", "chosen: as TRAIN_ARRIVALS", UNMEASURED;
    /// Nor does a run of fewer segments.
    SERVED_SEGMENTS: u64 = 8, "segments", "chosen: a round trip of ACKs of two segments each (RFC 9293 §3.8.6.3) makes four", UNMEASURED;
    /// So many times as far apart, they are not even.
    SERVED_EVEN: f64 = 1.5, "of mean spacing", CHOSEN, UNMEASURED;
    /// A link spaced the segments if so many of the bytes came evenly.
    SERVED_SHARE: Ratio = Ratio(1, 2), "of bytes", "most of them", UNMEASURED;
    /// So many runs show the link's rate.
    SERVED_RUNS: u32 = 3, "runs", "chosen: one and two may be chance", UNMEASURED;
    /// Trains are alike if the slow ones came at as much of the rate.
    TRAINS_ALIKE: f64 = 0.85, "of trains' rate", CHOSEN, UNMEASURED;

    // Distances between segments.

    /// Segments further apart than this part of the round trip do not follow each other.
    SPACING_MOST: Ratio = Ratio(7, 8), "of least round trip", "chosen: a window of one segment comes once a round trip", UNMEASURED;
    /// Less than this part of a segment shows no distance.
    SPACING_SEGMENT: Ratio = Ratio(1, 4), "of MSS", CHOSEN, UNMEASURED;

    // Delivery.

    /// A stretch of delivery lasts as many round trips.
    STRETCH_OF_DELIVERY: i64 = 4, "least round trips", CHOSEN, UNMEASURED;
    /// A stretch of delivery lasts as long at least.
    STRETCH_OF_DELIVERY_LEAST: i64 = 20_000_000, "ns", "chosen; clocks and batches do not matter in it", UNMEASURED;
    /// In a stretch of delivery as many segments arrive: the fastest of many with fewer is chance.
    STRETCH_SEGMENTS: u64 = 64, "segments", CHOSEN, UNMEASURED;
    /// With fewer segments it lasts as many round trips.
    STRETCH_ROUND_TRIPS_MOST: i64 = 32, "least round trips", CHOSEN, UNMEASURED;
    /// Fewer stretches do not show what the best of them is.
    STRETCHES_LEAST: u32 = 8, "stretches", CHOSEN, UNMEASURED;
    /// The rate of the best stretches: in so much of the time data came no faster.
    STRETCHES_BEST: f64 = 0.9, "of time", CHOSEN, UNMEASURED;
    /// Delivery is steady if data came at as much of the best rate on average.
    STEADY_RATE: f64 = 0.85, "of best rate", CHOSEN, UNMEASURED;

    // Pacing in slow start.

    /// Round trips with data in which a sender shows that it paces.
    PACING_ROUNDS: u32 = 16, "round trips", CHOSEN, UNMEASURED;
    /// A pacing sender doubles in as many round trips in a row: a train fills a third of the round trip, then two thirds, then all of it.
    PACING_STEPS: u32 = 2, "round trips", CHOSEN, UNMEASURED;
    /// Sends are spread over the round trip if they never pause for more of it.
    PACING_PAUSE: Ratio = Ratio(1, 2), "of round trip", CHOSEN, UNMEASURED;
    /// Sends are spread over the round trip if their second pause is no more of it.
    PACING_SECOND_PAUSE: Ratio = Ratio(1, 8), "of round trip", CHOSEN, UNMEASURED;
    /// The pace rises by as much in each step.
    PACING_GROWTH: Ratio = Ratio(3, 2), "of pace before", "slow start doubles, or grows by half with delayed ACKs (RFC 5681 §3.1, RFC 3465)", UNMEASURED;

    // The bottleneck.

    /// A loss came from a queue where round trips were longer by as much.
    QUEUED_AT_LOSS: Ratio = Ratio(1, 5), "of least round trip", CHOSEN, UNMEASURED;
    /// A loss came from a queue where round trips were longer by as much, too.
    QUEUED_AT_LOSS_LEAST: i64 = 5_000_000, "ns", "chosen; as the target of CoDel (RFC 8289 §4.4)", UNMEASURED;
}
