//! Who else used the path of a transfer (`together/neighbours.rs`). They move no label, so their last column
//! is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::comparison;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
use crate::thresholds::Threshold;

thresholds! {
    after comparison::END;

    /// Others with less of the bytes are not worth a word.
    NEIGHBOUR_SHARE: f64 = 0.1, "of bytes", "chosen: a tenth", UNMEASURED;
    /// A transfer that the path held for less has no rate to compare.
    NEIGHBOUR_TIME: i64 = 100_000_000, "ns", "chosen: twice WARNING_SECONDS", UNMEASURED;
    /// All together with less of the path's rate, where that is known, leave it all but empty.
    LINK_USED: f64 = 0.1, "of rate", "chosen: a tenth", UNMEASURED;
    /// Rates are near to that of the path within this part of it.
    LINK_NEAR: f64 = 0.15, "of rate", "chosen: the rate of trains is known to a tenth or so", UNMEASURED;
    /// Rates oppose each other from this correlation on, whatever its sign.
    LINK_OPPOSED: f64 = 0.5, "correlation", "chosen: of 16 slots that have nothing to do with each other, 1 in 40 comes to it", UNMEASURED;
    /// Fewer slots show no correlation.
    LINK_SLOTS: usize = 16, "slots", "chosen: see LINK_OPPOSED", UNMEASURED;
    /// A slot counts if the path held the transfer for this part of it.
    LINK_COVERED: f64 = 0.9, "of time", "chosen: nearly all", UNMEASURED;
    /// A rate varies if its standard deviation is this part of its mean.
    LINK_VARIES: f64 = 0.1, "of mean", "chosen: packets alone make as much in slots of a hundred", UNMEASURED;
}
