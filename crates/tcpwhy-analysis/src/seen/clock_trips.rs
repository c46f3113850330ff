//! What speaks against the capture's clock.

/// Round trips that the clocks of the capture and of an end timed, and packets that were stamped back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClockTrips {
    /// All.
    pub(crate) timed: u32,
    /// Those for which the capture's clock leaves far less time than the end's own.
    pub(crate) contradicted: u32,
    /// Packets that were stamped long before one that came earlier.
    pub(crate) stamped_back: u32,
    /// Packets of the connection.
    pub(crate) packets: u64,
    /// The longest silence of days, nanoseconds; 0 without one.
    pub(crate) silence: i64,
    /// Round trips of days in which an end's clock did not advance.
    pub(crate) stood: bool,
    /// The same, in which it advanced.
    pub(crate) ran: bool,
    /// A packet has a time that no clock shows.
    pub(crate) is_beyond: bool,
}
