//! What differs between two connections or captures (`comparison/`). It moves no label: the last column is
//! empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::connection;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::Threshold;

thresholds! {
    after connection::END;

    /// Times and shares of two captures are alike up to this part of the larger one.
    NOTEWORTHY_DIFFERENCE: f64 = 0.1, "of the larger", "chosen: as LITTLE_GAIN, a tenth", UNMEASURED;
    /// A verdict is surer than another from this difference of their confidences on.
    SURER_BY: f64 = 0.05, "of confidence", CHOSEN, UNMEASURED;
    /// A transfer of so many segments or fewer has no rate to compare.
    COMPARABLE_SEGMENTS: u64 = 10, "segments", "RFC 6928: a first window", UNMEASURED;
    /// Connections with so many requests or more are compared by their median time.
    COMPARABLE_REQUESTS: u64 = 2, "requests", CHOSEN, UNMEASURED;
    /// A connection with so many requests has nothing in common with one transfer.
    MANY_REQUESTS: u64 = 10, "requests", CHOSEN, UNMEASURED;
}
