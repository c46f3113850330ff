//! What the rules about pairs of hosts look at.

use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Fix};

/// What is known of one client's connections to one server.
#[derive(Clone, Debug)]
pub(crate) struct PairFacts {
    pub(crate) client: IpAddr,
    pub(crate) server: Endpoint,
    /// Connections with data.
    pub(crate) connections: u64,
    /// Those opened here, closed again, with no more than an initial window of data each way; the rest is of these.
    pub(crate) short: u64,
    /// Time of opening them, at least; nanoseconds.
    pub(crate) setup: u64,
    /// Round trips before the first request, at least.
    pub(crate) setup_round_trips: u32,
    /// Nanoseconds until the last data of each, all together.
    pub(crate) spent: u64,
    /// Nanoseconds from the first to the last.
    pub(crate) extent: u64,
    /// Data of both directions.
    pub(crate) bytes: u64,
    /// Those that failed, by how.
    pub(crate) cuts: Vec<Cut>,
    /// Segments from another address that the client reset.
    pub(crate) stray: Option<Stray>,
}

/// Segments to a port of the client while it had a connection to the pair's server, from another address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stray {
    /// Where the first came from.
    pub(crate) from: Endpoint,
    /// Connections of the pair that this happened to.
    pub(crate) connections: u64,
}

/// Connections of a pair that failed alike.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The rule that reports it.
    pub(crate) rule: &'static str,
    pub(crate) count: u64,
    /// Bytes of both directions that one of them carried.
    pub(crate) least: u64,
    pub(crate) most: u64,
    /// Their waits for what never came, nanoseconds.
    pub(crate) nanos: u64,
    /// What the first of them proposes.
    pub(crate) fix: Option<Fix>,
    pub(crate) first_packet: u64,
}

/// The most that any of several connections that were cut after the same bytes carried, against the least:
/// retransmissions and what the cut itself leaves in flight.
const MOST_SPREAD: f64 = 1.1;

/// Whether connections that carried from `least` to `most` bytes were cut after the same bytes.
pub fn are_cut_alike(least: u64, most: u64) -> bool {
    most as f64 <= MOST_SPREAD * least as f64
}
