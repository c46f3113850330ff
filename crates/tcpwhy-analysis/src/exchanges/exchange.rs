//! One request and its answer, and what passed before the first.

use tcpwhy_model::{Cause, Span};

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
