use serde::Serialize;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::Sketch;
use tcpwhy_model::Cause;

use super::facts::facts;
use crate::dto::Id;

/// Most exchanges of a connection that are shown; `--exchanges` writes all.
pub(crate) const SHOWN: usize = 5;

const NANOS: f64 = 1e9;

fn seconds(nanos: i64) -> f64 {
    nanos as f64 / NANOS
}

/// Requests and answers of a connection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Exchanges {
    /// Index into `endpoints` of the end that sends requests.
    pub(crate) client: usize,
    /// Evidence for which end is the client. `habit`: responses follow at once or after a steady time.
    /// `header`: a TLS handshake or a status line. `port`: the other end has the port of a known service.
    /// `opener`: this end opened the connection, or its port is ephemeral. `first`: this end sent first.
    pub(crate) known_by: Id,
    /// `request_response`, or `overlapping`: several requests at a time. An exchange is then a burst of
    /// requests, and the given time of the server is an upper bound. The others have no times: `interactive`
    /// (a person types), `long_poll` (the server holds a request until it has news), `unasked` (a stream,
    /// notifications).
    pub(crate) pattern: Id,
    /// Number of exchanges.
    pub(crate) count: u64,
    /// Payload of all requests.
    pub(crate) request_bytes: u64,
    /// Payload of all answers.
    pub(crate) answer_bytes: u64,
    /// Seconds from the handshake to the server's first data, if the server sent first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) greeting_s: Option<f64>,
    /// Round trips of a TLS handshake before the first request.
    pub(crate) tls_turns: u32,
    /// Seconds that the TLS handshake took.
    pub(crate) tls_s: f64,
    /// Times of the exchanges; absent if single exchanges cannot be timed.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) times: Option<Times>,
}

/// Where the time of exchanges went.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Times {
    /// Share of cases with the same `known_by` in which client and times are right, from 0 to 1.
    pub(crate) confidence: f64,
    /// Where the time went.
    pub(crate) parts: Parts,
    /// Seconds from the first byte of the request at the client to the last byte of the answer there.
    pub(crate) time_s: Percentiles,
    /// The server's response times.
    pub(crate) response_s: Percentiles,
    /// Time of the transfers by limit, longest first.
    pub(crate) limits: Vec<TransferLimit>,
    /// The slowest exchanges, slowest first; at most five.
    pub(crate) slowest: Vec<Exchange>,
}

/// Seconds of all exchanges by the party that took them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[expect(clippy::struct_field_names, reason = "keys of the contract end in their unit")]
pub(crate) struct Parts {
    /// Time of the client, between an answer and its next request.
    pub(crate) client_s: f64,
    /// Lower bound of that time, because round-trip times varied.
    pub(crate) client_least_s: f64,
    /// Time of the server, from the last byte of a request to the first byte of its answer.
    pub(crate) server_s: f64,
    /// Lower bound of that time, because round-trip times varied.
    pub(crate) server_least_s: f64,
    /// Pauses of the server within its answers.
    pub(crate) server_pauses_s: f64,
    /// Round trips of the path, one for each exchange.
    pub(crate) round_trips_s: f64,
    /// Transfer of the requests.
    pub(crate) requests_s: f64,
    /// Transfer of the answers, without the server's pauses.
    pub(crate) answers_s: f64,
    /// Recovery from losses, included in the transfers.
    pub(crate) retransmission_s: f64,
}

/// Distribution of durations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Percentiles {
    /// Median.
    pub(crate) median: f64,
    /// 95th percentile.
    pub(crate) p95: f64,
    /// Maximum.
    pub(crate) max: f64,
}

/// Time of transfers under one limit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct TransferLimit {
    /// Limit id.
    pub(crate) limit: Id,
    /// Detail id; null if the limit has no details.
    pub(crate) detail: Option<Id>,
    /// Time.
    pub(crate) seconds: f64,
}

/// One request and its answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Exchange {
    #[serde(flatten)]
    pub(crate) facts: ExchangeFacts,
    /// Time of both transfers by limit, longest first.
    pub(crate) limits: Vec<TransferLimit>,
}

facts! {
    /// Plain facts about a request and its answer.
    ExchangeFacts of analysis::Exchange {
        /// Time of the request's first data, nanoseconds since the epoch.
        start_ns: i64 = |exchange| exchange.request.start().as_nanos();
        /// Seconds from the first byte of the request at the client to the last byte of the answer there.
        time_s: f64 = |exchange| seconds(exchange.nanos());
        /// The server's response time.
        server_s: f64 = |exchange| seconds(exchange.response);
        /// One round trip.
        round_trip_s: f64 = |exchange| seconds(exchange.round_trip);
        /// Transfer of the request.
        request_s: f64 = |exchange| seconds(exchange.request.nanos());
        /// Transfer of the answer.
        answer_s: f64 = |exchange| seconds(exchange.answer.nanos());
        /// Payload of the request.
        request_bytes: u64 = |exchange| exchange.request_bytes;
        /// Payload of the answer.
        answer_bytes: u64 = |exchange| exchange.answer_bytes;
        /// Packet with the first data of the request.
        request_packet: u64 = |exchange| exchange.request_packet;
        /// Packet with the first data of the answer.
        answer_packet: u64 = |exchange| exchange.answer_packet;
        /// Packet with the last data of the answer.
        last_packet: u64 = |exchange| exchange.last_packet;
    }
}

impl Exchanges {
    pub(crate) fn new(exchanges: &analysis::Exchanges) -> Self {
        Self {
            client: exchanges.client.index(),
            known_by: exchanges.known.id().into(),
            pattern: exchanges.pattern.id().into(),
            count: exchanges.count,
            request_bytes: exchanges.request_bytes,
            answer_bytes: exchanges.answer_bytes,
            greeting_s: exchanges.opening.greeting.map(seconds),
            tls_turns: exchanges.opening.tls_turns,
            tls_s: seconds(exchanges.opening.tls_nanos),
            times: Times::new(exchanges),
        }
    }
}

impl Times {
    fn new(exchanges: &analysis::Exchanges) -> Option<Self> {
        if !exchanges.has_times() {
            return None;
        }
        Some(Self {
            confidence: exchanges.known.confidence(),
            parts: Parts::new(&exchanges.parts),
            time_s: Percentiles::new(&exchanges.times)?,
            response_s: Percentiles::new(&exchanges.responses)?,
            limits: limits(&exchanges.limits),
            slowest: exchanges.slowest.iter().take(SHOWN).map(Exchange::new).collect(),
        })
    }
}

impl Parts {
    pub(crate) fn new(parts: &analysis::Parts) -> Self {
        Self {
            client_s: seconds(parts.client),
            client_least_s: seconds(parts.client_least),
            server_s: seconds(parts.server),
            server_least_s: seconds(parts.server_least),
            server_pauses_s: seconds(parts.pauses),
            round_trips_s: seconds(parts.round_trips),
            requests_s: seconds(parts.requests),
            answers_s: seconds(parts.answers),
            retransmission_s: seconds(parts.retransmission),
        }
    }
}

impl Percentiles {
    pub(crate) fn new(sketch: &Sketch) -> Option<Self> {
        let spread = sketch.distribution()?;
        let [median, p95, max] = [spread.median, spread.p95, spread.max].map(|nanos| nanos as f64 / NANOS);
        Some(Self { median, p95, max })
    }
}

pub(crate) fn limits(limits: &[(Cause, i64)]) -> Vec<TransferLimit> {
    let limit = |&(cause, nanos): &(Cause, i64)| TransferLimit {
        limit: cause.limit.id().into(),
        detail: cause.detail.map(|detail| detail.id().into()),
        seconds: seconds(nanos),
    };
    limits.iter().map(limit).collect()
}

impl Exchange {
    /// The exchange as it is in JSON.
    pub fn new(exchange: &analysis::Exchange) -> Self {
        Self { facts: ExchangeFacts::of(exchange), limits: limits(&exchange.limits) }
    }
}
