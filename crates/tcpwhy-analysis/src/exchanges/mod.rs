//! Requests and their answers: who took the time of each, and what limited the transfers.
//!
//! An exchange is a message of the end that asks and the message that answers it. Its time has four parts:
//! the request's transfer, the server's response time, the answer's transfer, and one round trip. The
//! response time runs from the last byte of the request at the server to the first byte of the answer.
//! Between two exchanges the time is the client's.

mod pattern;
mod split;

use tcpwhy_model::{Cause, Span};

pub use pattern::Pattern;
pub(crate) use pattern::Turns;
pub(crate) use split::{IsAt, Transfers, Ways};

use crate::side::Side;
use crate::sketch::Sketch;

/// One request and its answer, as they passed the capture point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// First to last data of the request, repeats of lost data included.
    pub request: Span,
    /// First to last data of the answer, in the same way.
    pub answer: Span,
    /// Payload of the request, bytes.
    pub request_bytes: u64,
    /// Payload of the answer, bytes.
    pub answer_bytes: u64,
    /// Packet number of the first data of the request.
    pub request_packet: u64,
    /// Packet number of the first data of the answer.
    pub answer_packet: u64,
    /// Packet number of the last data of the answer.
    pub last_packet: u64,
    /// The server's response time, nanoseconds.
    pub response: i64,
    /// One round trip between client and server, nanoseconds.
    pub round_trip: i64,
    /// Time of both transfers by what limited them, longest first, nanoseconds.
    pub limits: Vec<(Cause, i64)>,
}

impl Exchange {
    /// First byte of the request leaves the client to last byte of the answer reaches it, nanoseconds.
    pub fn nanos(&self) -> i64 {
        let transfers = self.request.nanos().saturating_add(self.answer.nanos());
        transfers.saturating_add(self.response).saturating_add(self.round_trip)
    }
}

/// Where the time of exchanges went, nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The client, between an answer and its next request.
    pub client: i64,
    /// At least so much of that: a round trip that varied may have taken the rest.
    pub client_least: i64,
    /// The server, until the first byte of each answer.
    pub server: i64,
    /// At least so much of that.
    pub server_least: i64,
    /// The server, within its answers: it had nothing to send.
    pub pauses: i64,
    /// Round trips of the path, one for each exchange.
    pub round_trips: i64,
    /// Transfer of the requests.
    pub requests: i64,
    /// Transfer of the answers, without [`Self::pauses`].
    pub answers: i64,
    /// Repairs of losses, part of the transfers.
    pub retransmission: i64,
}

impl Parts {
    /// All of the server's time.
    pub const fn of_server(&self) -> i64 {
        self.server.saturating_add(self.pauses)
    }

    /// Both transfers.
    pub const fn transfers(&self) -> i64 {
        self.requests.saturating_add(self.answers)
    }

    /// The exchanges and the time between them.
    pub const fn all(&self) -> i64 {
        let exchanges = self.of_server().saturating_add(self.transfers()).saturating_add(self.round_trips);
        exchanges.saturating_add(self.client)
    }

    /// Adds those of other exchanges.
    pub(crate) fn add(&mut self, other: &Self) {
        let own = [
            (&mut self.client, other.client),
            (&mut self.client_least, other.client_least),
            (&mut self.server, other.server),
            (&mut self.server_least, other.server_least),
            (&mut self.pauses, other.pauses),
            (&mut self.round_trips, other.round_trips),
            (&mut self.requests, other.requests),
            (&mut self.answers, other.answers),
            (&mut self.retransmission, other.retransmission),
        ];
        for (sum, nanos) in own {
            *sum = sum.saturating_add(nanos);
        }
    }
}

/// What passed before the first request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The server spoke first, so long after the handshake, nanoseconds: the greeting of SMTP, SSH, `MySQL`.
    pub greeting: Option<i64>,
    /// Turns of a TLS handshake.
    pub tls_turns: u32,
    /// From its first byte to what followed it, nanoseconds.
    pub tls_nanos: i64,
}

/// The exchanges of a connection.
#[derive(Clone, Debug)]
pub struct Exchanges {
    /// The end that asks.
    pub client: Side,
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
/// The same of a connection that is traced for charts, where each is a mark in a lane. Chosen: a screen has no
/// more columns.
pub(crate) const MOST_TRACED: usize = 2000;

impl Exchanges {
    /// Who took most of their time; `None` where they took none.
    pub fn most(&self) -> Option<(Party, i64)> {
        let parts = &self.parts;
        let parties = [
            (Party::Client, parts.client),
            (Party::Server, parts.of_server()),
            (Party::RoundTrips, parts.round_trips),
            (Party::Transfers, parts.transfers()),
        ];
        let most = parties.into_iter().max_by_key(|party| party.1)?;
        (most.1 > 0).then_some(most)
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

/// Who took the time of exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// The client, between its requests.
    Client,
    /// The server, until and within its answers.
    Server,
    /// The path's round trips, one for each exchange.
    RoundTrips,
    /// Sending requests and answers.
    Transfers,
}

#[cfg(test)]
mod terms;
