//! Facts for the rules about pairs of hosts.

use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Fix};

/// Facts about one client's connections to one server.
#[derive(Clone, Debug)]
pub(crate) struct PairFacts {
    pub(crate) client: IpAddr,
    pub(crate) server: Endpoint,
    /// Connections with data.
    pub(crate) connections: u64,
    /// Connections whose start and end were captured, with at most an initial window of data in each
    /// direction. The times and bytes below are sums over these.
    pub(crate) short: u64,
    /// Minimum time of opening them, nanoseconds.
    pub(crate) setup: u64,
    /// Minimum number of round trips before the first request.
    pub(crate) setup_round_trips: u32,
    /// Sum of the times until the last data of each connection, nanoseconds.
    pub(crate) spent: u64,
    /// Time from the first to the last, nanoseconds.
    pub(crate) extent: u64,
    /// Bytes of both directions.
    pub(crate) bytes: u64,
    /// Failed connections, by the kind of failure.
    pub(crate) cuts: Vec<Cut>,
    /// Segments from another address, which the client answered with RST.
    pub(crate) stray: Option<Stray>,
}

/// Segments from another address to a port of the client that had a connection to the pair's server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stray {
    /// Source of the first such segment.
    pub(crate) from: Endpoint,
    /// Number of the pair's connections with such segments.
    pub(crate) connections: u64,
}

/// Connections of a pair that failed in the same way.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The rule that reports them.
    pub(crate) rule: &'static str,
    pub(crate) count: u64,
    /// Smallest and largest number of bytes of both directions per connection.
    pub(crate) least: u64,
    pub(crate) most: u64,
    /// Sum of their waits for data that never came, nanoseconds.
    pub(crate) nanos: u64,
    /// Fix of the first finding.
    pub(crate) fix: Option<Fix>,
    pub(crate) first_packet: u64,
}

/// Maximum ratio of bytes between connections that were cut after the same bytes. Retransmissions, and data
/// in flight when the cut came, cause the difference.
const MOST_SPREAD: f64 = 1.1;

/// Whether connections that carried from `least` to `most` bytes were cut after the same bytes.
pub fn are_cut_alike(least: u64, most: u64) -> bool {
    most as f64 <= MOST_SPREAD * least as f64
}
