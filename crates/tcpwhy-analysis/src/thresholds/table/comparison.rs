//! Thresholds for differences between two connections or captures (`comparison/`). They change no label, so
//! their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::connection;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::Threshold;

thresholds! {
    after connection::END;

    /// Times and shares of two captures are equal if they differ by at most this part of the larger one.
    NOTEWORTHY_DIFFERENCE: f64 = 0.1, "of the larger", "chosen: as LITTLE_GAIN, a tenth", UNMEASURED;
    /// One verdict is surer than another if their confidences differ by at least this.
    SURER_BY: f64 = 0.05, "of confidence", CHOSEN, UNMEASURED;
    /// A transfer of this many segments or fewer has no rate to compare.
    COMPARABLE_SEGMENTS: u64 = 10, "segments", "RFC 6928: a first window", UNMEASURED;
    /// Connections with at least this many requests are compared by their median time.
    COMPARABLE_REQUESTS: u64 = 2, "requests", CHOSEN, UNMEASURED;
    /// A connection with this many requests cannot be compared with a single transfer.
    MANY_REQUESTS: u64 = 10, "requests", CHOSEN, UNMEASURED;
}
