//! One request and its answer, and the data before the first request.

use tcpwhy_model::{Cause, Span};

/// One request and its answer, as they passed the capture point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Time from the first to the last data of the request, including retransmissions.
    pub request: Span,
    /// Time from the first to the last data of the answer, in the same way.
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
    /// Returns the time from the first byte of the request at the client to the last byte of the answer
    /// there, nanoseconds.
    pub fn nanos(&self) -> i64 {
        let transfers = self.request.nanos().saturating_add(self.answer.nanos());
        transfers.saturating_add(self.response).saturating_add(self.round_trip)
    }
}

/// Data before the first request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Time from the handshake to the server's first data, if the server sent first, nanoseconds: the
    /// greeting of SMTP, SSH, `MySQL`.
    pub greeting: Option<i64>,
    /// Turns of a TLS handshake.
    pub tls_turns: u32,
    /// Time from its first byte to the data after it, nanoseconds.
    pub tls_nanos: i64,
}
