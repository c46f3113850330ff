//! Round trips that the clocks of a capture and of an end timed.

/// How many round trips both clocks timed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClockTrips {
    /// All.
    pub(crate) timed: u32,
    /// Those for which the capture's clock leaves far less time than the end's own.
    pub(crate) contradicted: u32,
}
