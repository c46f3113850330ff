//! Thresholds for other connections on the path of a transfer (`together/neighbours.rs`). They change no
//! label, so their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::comparison;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
use crate::thresholds::Threshold;

thresholds! {
    after comparison::END;

    /// Other connections with less than this part of the bytes are not mentioned.
    NEIGHBOUR_SHARE: f64 = 0.1, "of bytes", "chosen: a tenth", UNMEASURED;
    /// A transfer that the path limited for less time has no rate to compare.
    NEIGHBOUR_TIME: i64 = 100_000_000, "ns", "chosen: twice WARNING_SECONDS", UNMEASURED;
    /// All connections together leave the path nearly empty below this part of its rate, if that rate is
    /// known.
    LINK_USED: f64 = 0.1, "of rate", "chosen: a tenth", UNMEASURED;
    /// A rate is near the path's rate if it differs by at most this part.
    LINK_NEAR: f64 = 0.15, "of rate", "chosen: the rate of trains is known to a tenth or so", UNMEASURED;
    /// Rates oppose each other from this negative correlation on.
    LINK_OPPOSED: f64 = 0.5, "correlation", "chosen: of 16 slots that have nothing to do with each other, 1 in 40 comes to it", UNMEASURED;
    /// Fewer slots show no correlation.
    LINK_SLOTS: usize = 16, "slots", "chosen: see LINK_OPPOSED", UNMEASURED;
    /// A slot counts if the path limited the transfer for this part of it.
    LINK_COVERED: f64 = 0.9, "of time", "chosen: nearly all", UNMEASURED;
    /// A rate varies if its standard deviation is this part of its mean.
    LINK_VARIES: f64 = 0.1, "of mean", "chosen: packets alone make as much in slots of a hundred", UNMEASURED;
}
