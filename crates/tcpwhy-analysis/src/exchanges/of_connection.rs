//! The exchanges of a connection.

use tcpwhy_model::Cause;

use super::exchange::{Exchange, Opening};
use super::known::Known;
use super::parts::{Parts, Party};
use super::pattern::Pattern;
use crate::side::Side;
use crate::sketch::Sketch;

/// The exchanges of a connection.
#[derive(Clone, Debug)]
pub struct Exchanges {
    /// The requesting end.
    pub client: Side,
    /// Evidence for the requesting end.
    pub known: Known,
    /// Traffic pattern.
    pub pattern: Pattern,
    /// Number of exchanges. If requests overlap, one per burst of them.
    pub count: u64,
    /// Payload of all requests, bytes.
    pub request_bytes: u64,
    /// Payload of all answers, bytes.
    pub answer_bytes: u64,
    /// Data before the first request.
    pub opening: Opening,
    /// Time of the exchanges, by party.
    pub parts: Parts,
    /// Durations of the exchanges, nanoseconds.
    pub times: Sketch,
    /// The server's response times, nanoseconds.
    pub responses: Sketch,
    /// Time of the transfers of [`Self::slowest`] by limit, longest first, nanoseconds.
    pub limits: Vec<(Cause, i64)>,
    /// The slowest exchanges, longest first: [`MOST_KEPT`] of them, or all on request.
    pub slowest: Vec<Exchange>,
}

/// Number of exchanges of a connection that are kept one by one. Chosen: only sums of the others are kept.
pub const MOST_KEPT: usize = 32;
/// The same for a connection that is traced for charts, in which each exchange is a mark in a lane. Chosen: a
/// screen has no more columns.
pub(crate) const MOST_TRACED: usize = 2000;

impl Exchanges {
    /// Returns the party that took most of the time, and that time in nanoseconds; `None` if none took any.
    pub fn most(&self) -> Option<(Party, i64)> {
        self.most_of(&Party::ALL)
    }

    /// Returns the one of `parties` that took most of the time, and that time in nanoseconds; `None` if none
    /// took any.
    pub(crate) fn most_of(&self, parties: &[Party]) -> Option<(Party, i64)> {
        let taken = parties.iter().map(|&party| (party, self.parts.of(party)));
        taken.max_by_key(|taken| taken.1).filter(|taken| taken.1 > 0)
    }

    /// Whether each exchange is one request with its answer.
    pub fn is_request_response(&self) -> bool {
        self.pattern == Pattern::RequestResponse && self.count > 0
    }

    /// Whether the times of its exchanges, or of its bursts of requests, are meaningful.
    pub fn has_times(&self) -> bool {
        matches!(self.pattern, Pattern::RequestResponse | Pattern::Overlapping) && self.count > 0
    }
}
