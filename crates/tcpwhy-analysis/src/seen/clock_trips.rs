//! Evidence against the capture's clock.

/// Round trips measured by the clocks of the capture and of an end, and packets with earlier timestamps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClockTrips {
    /// Number of round trips.
    pub(crate) timed: u32,
    /// Number of round trips that are far shorter by the capture's clock than by the end's own.
    pub(crate) contradicted: u32,
    /// Packets with a timestamp long before that of an earlier packet.
    pub(crate) stamped_back: u32,
    /// Packets of the connection.
    pub(crate) packets: u64,
    /// Longest silence of days, nanoseconds; 0 without one.
    pub(crate) silence: i64,
    /// A round trip lasted for days in which an end's clock did not advance.
    pub(crate) stood: bool,
    /// A round trip lasted for days in which an end's clock advanced.
    pub(crate) ran: bool,
    /// A packet has an implausible timestamp.
    pub(crate) is_beyond: bool,
}
