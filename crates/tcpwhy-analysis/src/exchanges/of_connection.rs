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
    /// The end that asks.
    pub client: Side,
    /// What shows that.
    pub known: Known,
    /// What kind of traffic it is.
    pub pattern: Pattern,
    /// How many there were. Where requests overlap, one for each burst of them.
    pub count: u64,
    /// Payload of all requests, bytes.
    pub request_bytes: u64,
    /// Payload of all answers, bytes.
    pub answer_bytes: u64,
    /// What passed before the first.
    pub opening: Opening,
    /// Where their time went.
    pub parts: Parts,
    /// How long each took, nanoseconds.
    pub times: Sketch,
    /// The server's response times, nanoseconds.
    pub responses: Sketch,
    /// Time of the transfers by what limited them, longest first, nanoseconds: of [`Self::slowest`].
    pub limits: Vec<(Cause, i64)>,
    /// The slowest, longest first: [`MOST_KEPT`] of them, or all where that was asked for.
    pub slowest: Vec<Exchange>,
}

/// Exchanges of a connection that are kept one by one. Chosen: of the others only sums are kept.
pub const MOST_KEPT: usize = 32;
/// The same of a connection that is traced for charts, where each is a mark in a lane. Chosen: a screen has
/// no more columns.
pub(crate) const MOST_TRACED: usize = 2000;

impl Exchanges {
    /// Who took most of their time; `None` where they took none.
    pub fn most(&self) -> Option<(Party, i64)> {
        self.most_of(&Party::ALL)
    }

    /// Which of `parties` took most of their time, nanoseconds; `None` where they took none.
    pub(crate) fn most_of(&self, parties: &[Party]) -> Option<(Party, i64)> {
        let taken = parties.iter().map(|&party| (party, self.parts.of(party)));
        taken.max_by_key(|taken| taken.1).filter(|taken| taken.1 > 0)
    }

    /// Whether each exchange is one request with its answer.
    pub fn is_request_response(&self) -> bool {
        self.pattern == Pattern::RequestResponse && self.count > 0
    }

    /// Whether the times of its exchanges, or of its bursts of requests, mean something.
    pub fn has_times(&self) -> bool {
        matches!(self.pattern, Pattern::RequestResponse | Pattern::Overlapping) && self.count > 0
    }
}
